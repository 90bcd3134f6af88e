//! The REST interface of UDPipe: `/models` and `/process`.
//!
//! Parameters come in the query, as a form, or as a multipart form: `data`, `model`, `tokenizer`, `tagger`, `parser`, `input` and
//! `output`. Each of `tokenizer`, `tagger` and `parser` asks for its stage by being there, with or without options.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::Arc;

use axum::body::Body;
use axum::extract::{FromRequest, Multipart, Query, Request, State};
use axum::http::header;
use axum::response::Response;
use eigentree::annotation::{AnnotatedSentence, Document};
use eigentree::corpus::format::conllu::Column;
use eigentree::data::{ConlluReader, Sentence};
use serde_json::{Map, json};

use crate::api::json as answer;
use crate::failure::{Answer, Failure};
use crate::pool::Lane;
use crate::registry::Loaded;
use crate::service::Service;
use crate::stages::{Need, Needs, Sentences, Staged, Stages, Tokens};

type Parameters = BTreeMap<String, String>;

/// The models with their stages.
pub(crate) async fn models(State(service): State<Arc<Service>>) -> Response {
    let mut models = Map::new();
    for loaded in service.registry.all() {
        let stages = stages_of(&loaded);
        if !stages.is_empty() {
            models.insert(loaded.name.clone(), stages.into());
        }
    }
    answer(&json!({ "models": models, "default_model": service.registry.default_name() }))
}

fn stages_of(loaded: &Loaded) -> Vec<&'static str> {
    let abilities = loaded.model.abilities();
    let has = |ability| abilities.contains(&ability);
    let pipeline = matches!(*loaded.model, eigentree::Model::Pipeline(_));
    [("tokenizer", pipeline), ("tagger", has("tags")), ("parser", has("dependencies"))]
        .into_iter()
        .filter(|(_, has)| *has)
        .map(|(name, _)| name)
        .collect()
}

/// Processes a text.
pub(crate) async fn process(
    State(service): State<Arc<Service>>,
    Query(query): Query<Vec<(String, String)>>,
    request: Request,
) -> Answer {
    let mut parameters: Parameters = query.into_iter().collect();
    parameters.extend(of_body(&service, request).await?);
    let limits = &service.config.limits;
    let data = parameters.remove("data").ok_or_else(|| {
        Failure::bad_request("the parameter `data` is missing").with_hint("send the text as `data`")
    })?;
    if data.len() > limits.text_bytes {
        return Err(Failure::too_large("the text", limits.text_bytes, "bytes"));
    }
    let asked = Asked::of(&parameters)?;
    let model = match parameters.get("model").map(String::as_str).filter(|name| !name.is_empty()) {
        Some(name) => service.registry.get(Some(name))?,
        None => service.registry.get(None)?,
    };
    let stages = Stages::choose(&service.registry, Some(&model.name), asked.needs)?;
    let name = model.name.clone();
    let task = service.pool.run(Lane::of_bytes(data.len()), move |wanted| {
        let sentences = asked.input.read(&data, &stages)?;
        let result = asked.show(stages.annotate(sentences, wanted)?)?;
        Ok(answer(&json!({ "model": name, "acknowledgements": [], "result": result })))
    });
    task.await
}

/// The parameters in the body.
async fn of_body(service: &Service, request: Request) -> Answer<Parameters> {
    let limits = &service.config.limits;
    let kind = request.headers().get(header::CONTENT_TYPE);
    let kind = kind.and_then(|kind| kind.to_str().ok()).unwrap_or_default().to_ascii_lowercase();
    let (parts, body) = request.into_parts();
    // Forms write most signs as three, so a text within its limit may be longer here.
    let body = service.budget.read(body, limits.body_bytes, limits).await?;
    if !kind.starts_with("multipart/form-data") {
        let pairs = form_urlencoded::parse(body.text()?.as_bytes());
        return Ok(pairs.map(|(name, value)| (name.into_owned(), value.into_owned())).collect());
    }
    let fail = |error: String| Failure::bad_request(format!("the form cannot be read: {error}"));
    let request = Request::from_parts(parts, Body::from(body.text()?.to_owned()));
    let mut form = Multipart::from_request(request, &()).await.map_err(|error| fail(error.body_text()))?;
    let mut parameters = Parameters::new();
    while let Some(field) = form.next_field().await.map_err(|error| fail(error.body_text()))? {
        let Some(name) = field.name().map(str::to_owned) else { continue };
        parameters.insert(name, field.text().await.map_err(|error| fail(error.body_text()))?);
    }
    Ok(parameters)
}

/// The form of the data.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Input {
    Text(Sentences),
    Conllu,
    /// One sentence per line, tokens separated by spaces.
    Horizontal,
    /// One token per line, an empty line after each sentence.
    Vertical,
}

/// The form of the result.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Output {
    Conllu,
    Horizontal,
    Vertical,
}

/// Whether tokens carry their places in the text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Ranges {
    Show,
    Hide,
}

/// What a request asks for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Asked {
    input: Input,
    output: Output,
    needs: Needs,
    ranges: Ranges,
}

impl Asked {
    fn of(parameters: &Parameters) -> Answer<Self> {
        let get = |name: &str| parameters.get(name).map(String::as_str);
        let options = get("tokenizer").unwrap_or_default();
        let has = |option: &str| options.split([';', ',', ' ']).any(|own| own.eq_ignore_ascii_case(option));
        let (input, output) = (get("input").unwrap_or_default(), get("output").unwrap_or_default());
        let of = |list: &str| list.split('=').next().unwrap_or_default().to_ascii_lowercase();
        let input = match of(input).as_str() {
            "" | "generic_tokenizer" if get("tokenizer").is_some() || !input.is_empty() => {
                Input::Text(if has("presegmented") { Sentences::Lines } else { Sentences::Found })
            }
            "" | "conllu" => Input::Conllu,
            "horizontal" => Input::Horizontal,
            "vertical" => Input::Vertical,
            other => {
                return Err(Self::unknown("input", other, "generic_tokenizer, conllu, horizontal, vertical"));
            }
        };
        let output = match of(output).as_str() {
            "" | "conllu" => Output::Conllu,
            "horizontal" => Output::Horizontal,
            "vertical" => Output::Vertical,
            other => return Err(Self::unknown("output", other, "conllu, horizontal, vertical")),
        };
        let needed = |name| if get(name).is_some() { Need::Must } else { Need::No };
        let needs = Needs { tags: needed("tagger"), dependencies: needed("parser"), ..Needs::default() };
        let ranges = if has("ranges") { Ranges::Show } else { Ranges::Hide };
        Ok(Self { input, output, needs, ranges })
    }

    fn unknown(what: &str, given: &str, known: &str) -> Failure {
        Failure::bad_request(format!("the {what} format `{given}` is not available"))
            .with_hint(format!("available formats: {known}"))
    }

    /// The result, with the columns that were asked for and no others.
    fn show(&self, staged: Vec<Staged>) -> Answer<String> {
        let forms = |sentence: &AnnotatedSentence| -> Vec<String> {
            sentence.words().map(|word| word.form().to_owned()).collect()
        };
        let mut text = String::new();
        match self.output {
            Output::Horizontal => staged.iter().for_each(|staged| {
                let _ = writeln!(text, "{}", forms(&staged.sentence).join(" "));
            }),
            Output::Vertical => staged.iter().for_each(|staged| {
                let _ = writeln!(text, "{}\n", forms(&staged.sentence).join("\n"));
            }),
            Output::Conllu => {
                let sentences: Answer<Vec<AnnotatedSentence>> =
                    staged.iter().map(|staged| self.trimmed(staged.sentence.sentence())).collect();
                let sentences = sentences?;
                for (number, sentence) in (1..).zip(&sentences) {
                    let one = Document::from_sentences(vec![sentence.clone()]).to_conllu();
                    // Numbers of sentences count the whole result.
                    if sentence.id().is_none() {
                        let _ = writeln!(text, "# sent_id = {number}");
                    }
                    text.push_str(&one);
                }
            }
        }
        Ok(text)
    }

    /// The sentence without what was not asked for.
    fn trimmed(&self, sentence: &Sentence) -> Answer<AnnotatedSentence> {
        let fail = |error| Failure::unprocessable(format!("a sentence cannot be written: {error}"));
        let mut trimmed = sentence.clone();
        let raw = matches!(self.input, Input::Text(_));
        for index in 0..sentence.len() {
            if raw && self.needs.tags == Need::No {
                for column in [Column::Lemma, Column::Upos, Column::Xpos, Column::Feats] {
                    trimmed.set_column(index, column, "_").map_err(fail)?;
                }
            }
            if raw && self.needs.dependencies == Need::No {
                trimmed.set_head(index, None).map_err(fail)?;
                trimmed.set_deprel(index, "_").map_err(fail)?;
            }
            let misc = sentence.word(index).map(|word| self.misc(word.misc())).unwrap_or_default();
            trimmed.set_misc(index, if misc.is_empty() { "_" } else { &misc }).map_err(fail)?;
        }
        Ok(AnnotatedSentence::new(trimmed))
    }

    /// Places in the text as UDPipe writes them, if they were asked for.
    fn misc(&self, misc: &str) -> String {
        let place = |name: &str| {
            misc.split('|').find_map(|own| own.strip_prefix(name).and_then(|rest| rest.strip_prefix('=')))
        };
        let kept = misc
            .split('|')
            .filter(|own| *own != "_" && !own.starts_with("start_char=") && !own.starts_with("end_char="));
        let mut kept: Vec<String> = kept.map(str::to_owned).collect();
        if let (Ranges::Show, Some(start), Some(end)) = (self.ranges, place("start_char"), place("end_char"))
        {
            kept.push(format!("TokenRange={start}:{end}"));
        }
        kept.join("|")
    }
}

impl Input {
    fn read(self, data: &str, stages: &Stages) -> Answer<Vec<Sentence>> {
        match self {
            Input::Text(sentences) => stages.divide(data, sentences, Tokens::Found),
            Input::Horizontal => stages.divide(data, Sentences::Lines, Tokens::Spaces),
            Input::Vertical => {
                let text = data.replace("\r\n", "\n");
                let sentences =
                    text.split("\n\n").map(|one| one.split_whitespace().collect::<Vec<_>>().join(" "));
                let lines: Vec<String> = sentences.collect();
                stages.divide(&lines.join("\n"), Sentences::Lines, Tokens::Spaces)
            }
            Input::Conllu => ConlluReader::new(data.as_bytes(), "data")
                .collect::<Result<Vec<Sentence>, _>>()
                .map_err(|error| Failure::unprocessable(error.to_string())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stages_are_asked_for_by_being_there() {
        let of = |pairs: &[(&str, &str)]| {
            let owned = pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
            Asked::of(&owned.collect())
        };
        let asked = of(&[("tokenizer", ""), ("tagger", "")]).unwrap();
        assert_eq!(asked.input, Input::Text(Sentences::Found));
        assert_eq!((asked.needs.tags, asked.needs.dependencies), (Need::Must, Need::No));
        let asked = of(&[("tokenizer", "ranges;presegmented"), ("parser", "")]).unwrap();
        assert_eq!((asked.input, asked.ranges), (Input::Text(Sentences::Lines), Ranges::Show));
        assert_eq!(of(&[("tagger", "")]).unwrap().input, Input::Conllu);
        assert_eq!(of(&[("input", "horizontal"), ("output", "vertical")]).unwrap().output, Output::Vertical);
        assert!(of(&[("output", "epe")]).unwrap_err().hint.unwrap().contains("vertical"));
        assert_eq!(asked.misc("SpaceAfter=No|start_char=3|end_char=5"), "SpaceAfter=No|TokenRange=3:5");
    }
}
