//! Annotates a text, tokens, CoNLL-U, or a batch of texts.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use axum::body::Body;
use axum::extract::State;
use eigentree::Model;
use eigentree::annotation::{Document, PhraseTrees};
use eigentree::config::Confidences;
use eigentree::data::{ConlluReader, Sentence};
use eigentree::learn::Observer;
use serde::Deserialize;
use serde_json::{Value, json};

use super::batch::batch;
use super::{json_text, object};
use crate::config::Limits;
use crate::failure::{Answer, Failure};
use crate::pool::{Lane, Wanted};
use crate::registry::{Annotation, Loaded};
use crate::service::Service;

/// The body of a request.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct AnnotateRequest {
    model: Option<String>,
    text: Option<String>,
    texts: Option<Vec<String>>,
    tokens: Option<Vec<Vec<String>>>,
    conllu: Option<String>,
    nbest: Option<usize>,
    confidences: Option<bool>,
    phrases: Option<bool>,
    format: Option<Format>,
}

/// The form of the answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Format {
    /// The document as JSON.
    #[default]
    Json,
    /// CoNLL-U.
    Conllu,
    /// Trees of phrases in Penn brackets, one per line.
    Ptb,
}

/// How to annotate, and how to show it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Options {
    pub(crate) annotation: Annotation,
    pub(crate) format: Format,
}

impl Options {
    /// Options as requests give them. Phrases are built if asked for, or if the format shows nothing else.
    pub(crate) fn new(
        nbest: Option<usize>,
        confidences: Option<bool>,
        phrases: Option<bool>,
        format: Option<Format>,
        limits: &Limits,
    ) -> Answer<Self> {
        let nbest = nbest.unwrap_or(1);
        if !(1..=limits.nbest).contains(&nbest) {
            return Err(Failure::bad_request(format!(
                "`nbest` is {nbest}, but must be from 1 to {}",
                limits.nbest
            )));
        }
        let format = format.unwrap_or_default();
        let phrases = phrases.unwrap_or(format == Format::Ptb);
        let annotation = Annotation {
            confidences: if confidences == Some(true) { Confidences::Compute } else { Confidences::Skip },
            nbest,
            phrases: if phrases { PhraseTrees::Build } else { PhraseTrees::Skip },
        };
        Ok(Self { annotation, format })
    }

    /// The field of an answer that holds a document in this form, and its value as text in JSON.
    pub(crate) fn show(self, document: &Document) -> Answer<(&'static str, String)> {
        let quoted = |text: String| Value::String(text).to_string();
        Ok(match self.format {
            Format::Json => ("document", document.to_json_text()),
            Format::Conllu => ("output", quoted(document.to_conllu())),
            Format::Ptb => ("output", quoted(trees_of(document)?)),
        })
    }
}

/// The trees of phrases, one per line.
fn trees_of(document: &Document) -> Answer<String> {
    let mut text = String::new();
    for sentence in document.sentences() {
        let Some(phrases) = sentence.phrases() else {
            return Err(Failure::unprocessable("the model builds no trees of phrases").with_hint(
                "ask for the format `json` or `conllu`, or for a model with the ability `phrases`",
            ));
        };
        text.push_str(&phrases.tree().to_string());
        text.push('\n');
    }
    Ok(text)
}

/// What to annotate.
#[derive(Clone, Debug)]
pub(crate) enum Input {
    Text(String),
    Tokens(Vec<Vec<String>>),
    Sentences(Vec<Sentence>),
}

impl Input {
    /// Checks a text.
    pub(crate) fn text(text: String, limits: &Limits) -> Answer<Self> {
        if text.len() > limits.text_bytes {
            return Err(Failure::too_large("the text", limits.text_bytes, "bytes"));
        }
        Ok(Input::Text(text))
    }

    /// Checks tokens.
    pub(crate) fn tokens(sentences: Vec<Vec<String>>, limits: &Limits) -> Answer<Self> {
        let bytes: usize = sentences.iter().flatten().map(|token| token.len() + 1).sum();
        if bytes > limits.text_bytes {
            return Err(Failure::too_large("the tokens", limits.text_bytes, "bytes"));
        }
        if sentences.iter().any(|tokens| tokens.len() > limits.words) {
            return Err(Failure::too_large("a sentence", limits.words, "words"));
        }
        if sentences.iter().flatten().any(|token| token.trim().is_empty()) {
            return Err(Failure::unprocessable("a token is empty or blank"));
        }
        Ok(Input::Tokens(sentences))
    }

    /// Reads CoNLL-U.
    pub(crate) fn conllu(text: &str, limits: &Limits) -> Answer<Self> {
        if text.len() > limits.body_bytes {
            return Err(Failure::too_large("the text", limits.body_bytes, "bytes"));
        }
        let sentences: Vec<Sentence> = ConlluReader::new(text.as_bytes(), "conllu")
            .collect::<Result<_, _>>()
            .map_err(|error| Failure::unprocessable(error.to_string()))?;
        if sentences.iter().any(|sentence| sentence.len() > limits.words) {
            return Err(Failure::too_large("a sentence", limits.words, "words"));
        }
        Ok(Input::Sentences(sentences))
    }

    /// About how much there is to do, in bytes of text.
    pub(crate) fn bytes(&self) -> usize {
        match self {
            Input::Text(text) => text.len(),
            Input::Tokens(sentences) => sentences.iter().flatten().map(|token| token.len() + 1).sum(),
            Input::Sentences(sentences) => {
                sentences.iter().flat_map(Sentence::words).map(|word| word.form().len() + 1).sum()
            }
        }
    }

    /// The words of its sentences: divided by the tokeniser of a pipeline, otherwise by lines and spaces.
    pub(crate) fn words_of(self, model: &Model) -> Answer<Vec<Vec<String>>> {
        let own = |word: &str| word.to_owned();
        Ok(match self {
            Input::Tokens(sentences) => sentences,
            Input::Sentences(sentences) => {
                let forms = |sentence: &Sentence| sentence.words().map(|word| own(word.form())).collect();
                sentences.iter().map(forms).collect()
            }
            Input::Text(text) => model.words_of(&text)?,
        })
    }

    /// Annotates it. Stops when nobody waits any more.
    pub(crate) fn annotate(
        self,
        service: &Service,
        loaded: &Loaded,
        annotation: Annotation,
        wanted: &Wanted,
    ) -> Answer<Document> {
        let annotator = loaded.annotator(annotation)?;
        let annotator = annotator.borrow_dependent();
        let mut observer = UntilUnwanted(wanted);
        let document = match self {
            Input::Text(text) => annotator.annotate_watched(&text, &mut observer)?,
            Input::Tokens(sentences) => annotator.annotate_tokens(&sentences)?,
            Input::Sentences(sentences) => annotator.annotate_sentences_watched(sentences, &mut observer)?,
        };
        let words: usize = document.sentences().iter().map(|sentence| sentence.len()).sum();
        service.metrics.sentences.fetch_add(document.sentences().len() as u64, Ordering::Relaxed);
        service.metrics.words.fetch_add(words as u64, Ordering::Relaxed);
        Ok(document)
    }
}

/// Stops work that nobody waits for.
struct UntilUnwanted<'w>(&'w Wanted);

impl Observer for UntilUnwanted<'_> {
    fn cancelled(&self) -> bool {
        self.0.check().is_err()
    }
}

/// Annotates.
pub(crate) async fn annotate(State(service): State<Arc<Service>>, body: Body) -> Answer {
    let limits = &service.config.limits;
    let body = service.budget.read(body, limits.body_bytes, limits).await?;
    let request: AnnotateRequest = body.json()?;
    let options = Options::new(request.nbest, request.confidences, request.phrases, request.format, limits)?;
    let loaded = service.registry.get(request.model.as_deref())?;
    let name = loaded.name.clone();
    let input = match (request.text, request.texts, request.tokens, request.conllu) {
        (Some(text), None, None, None) => Input::text(text, limits)?,
        (None, None, Some(tokens), None) => Input::tokens(tokens, limits)?,
        (None, None, None, Some(conllu)) => Input::conllu(&conllu, limits)?,
        (None, Some(texts), None, None) => {
            drop(body);
            return batch(&service, loaded, texts, options).await;
        }
        _ => {
            return Err(Failure::bad_request(
                "give exactly one of `text`, `texts`, `tokens` and `conllu` in the request",
            ));
        }
    };
    let worker = Arc::clone(&service);
    let lane = Lane::of_bytes(input.bytes());
    let shown = service.pool.run(lane, move |wanted| {
        let document = input.annotate(&worker, &loaded, options.annotation, wanted)?;
        // Rendering a long document takes time as well.
        Ok(object([options.show(&document)?, ("model", json!(name).to_string())]))
    });
    Ok(json_text(shown.await?))
}
