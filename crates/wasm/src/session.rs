//! The models of a page, and the requests about them.

use eigentree::Model;
use eigentree::annotation::PhraseTrees;
use eigentree::config::Confidences;
use eigentree::inspection::{
    ClusterQuery, SymbolQuery, active_states, automata_of, clusters_of, inspect, symbol_of,
};
use eigentree::learn::Observer;
use eigentree::models::persist::{Container, LoadError, Metadata};
use eigentree::training::TrainingRequest;
use serde::Deserialize;
use serde_json::{Value, json};

/// Entries of a list unless the request says otherwise.
const TOP: usize = 20;
/// Words per cluster.
const TOP_WORDS: usize = 12;
/// The longest list of analyses.
const MOST_ANALYSES: usize = 50;

/// The models that a page has loaded or trained.
#[derive(Default)]
pub struct Session {
    models: Vec<Entry>,
}

struct Entry {
    name: String,
    model: Model,
    metadata: Metadata,
    bytes: usize,
}

/// The answer to a request.
pub struct Answer {
    /// The answer, or `{"error": {"code", "message"}}`.
    pub json: Value,
    /// The file of a model that was trained; empty otherwise.
    pub file: Vec<u8>,
}

/// A request, by the field `call`.
#[derive(Deserialize)]
#[serde(tag = "call", rename_all = "snake_case")]
enum Request {
    Models,
    Load {
        name: String,
    },
    Annotate {
        model: String,
        text: String,
        nbest: Option<usize>,
        confidences: Option<bool>,
        phrases: Option<bool>,
    },
    Inspect {
        model: String,
        top: Option<usize>,
    },
    States {
        model: String,
        query: SymbolQuery,
    },
    ActiveStates {
        model: String,
        text: String,
        member: Option<usize>,
    },
    Automata {
        model: String,
        head: Option<String>,
        top: Option<usize>,
    },
    Clusters {
        model: String,
        query: ClusterQuery,
    },
    Train {
        request: TrainingRequest,
    },
}

/// A failure as the page shows it.
struct Failure {
    code: &'static str,
    message: String,
}

impl From<eigentree::Error> for Failure {
    fn from(error: eigentree::Error) -> Self {
        Self { code: "unprocessable", message: error.to_string() }
    }
}

impl Failure {
    fn unknown_model(name: &str) -> Self {
        Self { code: "not_found", message: format!("there is no model {name}") }
    }
}

impl Session {
    /// Answers a request. `file` is the model file that comes with it, or empty.
    pub fn answer(&mut self, request: &[u8], file: Vec<u8>, observer: &mut dyn Observer) -> Answer {
        let answered = serde_json::from_slice(request)
            .map_err(|error| Failure {
                code: "bad_request",
                message: format!("the request makes no sense: {error}"),
            })
            .and_then(|request| self.run(request, file, observer));
        answered.unwrap_or_else(|Failure { code, message }| Answer {
            json: json!({ "error": { "code": code, "message": message } }),
            file: Vec::new(),
        })
    }

    fn run(
        &mut self,
        request: Request,
        file: Vec<u8>,
        observer: &mut dyn Observer,
    ) -> Result<Answer, Failure> {
        let json = match request {
            Request::Models => self.list(),
            Request::Load { name } => self.load(name, file)?,
            Request::Annotate { model, text, nbest, confidences, phrases } => {
                let nbest = nbest.unwrap_or(1).clamp(1, MOST_ANALYSES);
                let confidences =
                    if confidences == Some(true) { Confidences::Compute } else { Confidences::Skip };
                let phrases = if phrases == Some(true) { PhraseTrees::Build } else { PhraseTrees::Skip };
                let annotator = self.entry(&model)?.model.annotator()?;
                let annotator =
                    annotator.with_nbest(nbest).with_confidences(confidences).with_phrases(phrases);
                json!({ "model": model, "document": annotator.annotate(&text)?.to_json() })
            }
            Request::Inspect { model, top } => {
                let entry = self.entry(&model)?;
                let mut shown = inspect(&entry.model, top.unwrap_or(TOP));
                shown["bytes"] = json!(entry.bytes);
                (shown["creator"], shown["notes"]) =
                    (json!(entry.metadata.creator), json!(entry.metadata.notes));
                shown
            }
            Request::States { model, query } => symbol_of(&self.entry(&model)?.model, &query)?,
            Request::ActiveStates { model, text, member } => {
                let model = &self.entry(&model)?.model;
                let sentences = words_of(model, &text)?;
                let active = sentences.iter().map(|words| active_states(model, words, member));
                json!({ "sentences": active.collect::<Result<Vec<Value>, _>>()? })
            }
            Request::Automata { model, head, top } => match &self.entry(&model)?.model {
                Model::HeadAutomata(automata) => {
                    automata_of(automata, head.as_deref(), None, top.unwrap_or(TOP))?
                }
                other => {
                    let message = format!("{model} is {} and has no head automata", other.description());
                    return Err(Failure { code: "unprocessable", message });
                }
            },
            Request::Clusters { model, query } => {
                clusters_of(self.entry(&model)?.model.clusters()?, &query, TOP_WORDS)?
            }
            Request::Train { request } => {
                let trained = request.run(observer)?;
                return Ok(Answer { json: json!({ "summary": trained.summary }), file: trained.to_bytes()? });
            }
        };
        Ok(Answer { json, file: Vec::new() })
    }

    fn entry(&self, name: &str) -> Result<&Entry, Failure> {
        self.models.iter().find(|entry| entry.name == name).ok_or_else(|| Failure::unknown_model(name))
    }

    /// Adds a model, or replaces the one of the same name.
    fn load(&mut self, name: String, file: Vec<u8>) -> Result<Value, Failure> {
        let bytes = file.len();
        let bad =
            |error: LoadError| Failure { code: "bad_file", message: format!("cannot load {name}: {error}") };
        let container = Container::from_bytes(file).map_err(bad)?;
        let (model, metadata) = (Model::load(&container, &name)?, container.metadata().clone());
        self.models.retain(|entry| entry.name != name);
        self.models.push(Entry { name, model, metadata, bytes });
        Ok(json!({ "bytes": bytes }))
    }

    fn list(&self) -> Value {
        let describe = |entry: &Entry| {
            let raw = matches!(entry.model, Model::Pipeline(_));
            json!({
                "name": entry.name,
                "family": entry.metadata.family,
                "description": entry.model.description(),
                "abilities": entry.model.abilities(),
                "input": if raw { "text" } else { "words" },
                "bytes": entry.bytes,
                "origin": "trained",
                "metadata": entry.metadata.notes,
            })
        };
        let models: Vec<Value> = self.models.iter().map(describe).collect();
        json!({ "models": models, "default": self.models.last().map(|entry| &entry.name), "limits": {} })
    }
}

/// The words of each sentence: raw text for a pipeline, else one sentence per line, tokens separated by spaces.
fn words_of(model: &Model, text: &str) -> Result<Vec<Vec<String>>, Failure> {
    if let Model::Pipeline(pipeline) = model {
        return Ok(pipeline.words_of(text)?);
    }
    let lines = text.lines().filter(|line| !line.trim().is_empty());
    Ok(lines.map(|line| line.split_whitespace().map(str::to_owned).collect()).collect())
}

#[cfg(test)]
mod tests {
    use eigentree::learn::Silent;

    use super::*;

    fn ask(session: &mut Session, request: Value, file: Vec<u8>) -> Answer {
        session.answer(request.to_string().as_bytes(), file, &mut Silent)
    }

    fn train(family: &str, trees: usize) -> Vec<u8> {
        let request = json!({ "family": family, "sample": true, "options": { "trees": trees } });
        let answer = ask(&mut Session::default(), json!({ "call": "train", "request": request }), Vec::new());
        assert!(answer.json["summary"].is_object(), "{}", answer.json);
        answer.file
    }

    #[test]
    fn a_model_is_trained_loaded_and_asked() {
        let mut session = Session::default();
        let file = train("lpcfg", 300);
        let bytes = file.len();
        assert_eq!(ask(&mut session, json!({ "call": "load", "name": "a" }), file).json["bytes"], bytes);
        let models = ask(&mut session, json!({ "call": "models" }), Vec::new()).json;
        assert_eq!((&models["default"], &models["models"][0]["family"]), (&json!("a"), &json!("lpcfg")));
        let request = json!({ "call": "annotate", "model": "a", "text": "the dog saw a cat .", "nbest": 3,
            "confidences": true });
        let sentence = &ask(&mut session, request, Vec::new()).json["document"]["sentences"][0];
        assert_eq!(sentence["words"].as_array().map(Vec::len), Some(6), "{sentence}");
        assert_eq!(sentence["nbest"].as_array().map(Vec::len), Some(3));
        assert!(sentence["spans"][0]["confidence"].as_f64().is_some_and(|share| share > 0.0));
        let inspected = ask(&mut session, json!({ "call": "inspect", "model": "a" }), Vec::new()).json;
        assert!(inspected["latent"][0]["spectrum"]["noise"].is_number(), "{inspected}");
        let request = json!({ "call": "states", "model": "a", "query": { "symbol": "NP" } });
        assert!(ask(&mut session, request, Vec::new()).json["latent"].is_array());
        let request = json!({ "call": "active_states", "model": "a", "text": "the dog saw a cat ." });
        assert!(ask(&mut session, request, Vec::new()).json["sentences"][0]["nodes"].is_array());
    }

    #[test]
    fn clusters_and_automata_answer_only_for_their_models() {
        let mut session = Session::default();
        ask(&mut session, json!({ "call": "load", "name": "words" }), train("clusters", 300));
        let clusters = |query: Value| json!({ "call": "clusters", "model": "words", "query": query });
        let found = ask(&mut session, clusters(json!({ "word": "the" })), Vec::new()).json;
        assert_eq!(found["known"], true, "{found}");
        let request = json!({ "call": "automata", "model": "words" });
        assert_eq!(ask(&mut session, request, Vec::new()).json["error"]["code"], "unprocessable");
    }

    #[test]
    fn what_makes_no_sense_is_an_answer_too() {
        let mut session = Session::default();
        let damaged = [train("pcfg", 100), vec![7]].concat();
        for (request, file, code) in [
            (json!({ "call": "fly" }), Vec::new(), "bad_request"),
            (json!({ "call": "inspect", "model": "none" }), Vec::new(), "not_found"),
            (json!({ "call": "load", "name": "a" }), b"no model".to_vec(), "bad_file"),
            (json!({ "call": "load", "name": "a" }), damaged[..damaged.len() / 2].to_vec(), "bad_file"),
            (
                json!({ "call": "train", "request": { "family": "pcfg", "data": "(S (NP" } }),
                Vec::new(),
                "unprocessable",
            ),
        ] {
            let answer = ask(&mut session, request, file);
            assert_eq!(answer.json["error"]["code"], code, "{}", answer.json);
            assert!(answer.file.is_empty());
        }
    }
}
