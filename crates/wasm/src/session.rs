//! The models of a page, and the requests about them.

use std::fmt;

use eigentree::annotation::PhraseTrees;
use eigentree::config::Confidences;
use eigentree::inspection::{
    AutomataQuery, ClusterQuery, OverviewQuery, QueryError, SymbolQuery, active_states,
};
use eigentree::learn::Observer;
use eigentree::models::persist::{Container, Metadata};
use eigentree::training::TrainingRequest;
use eigentree::{Error, Model};
use serde::Deserialize;
use serde_json::{Value, json};

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
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct Answer {
    /// The answer, or `{"error": {"code", "message"}}`.
    pub json: Value,
    /// The file of a model that was trained; empty otherwise.
    pub file: Vec<u8>,
}

/// A request, by the field `call`.
#[derive(Deserialize)]
#[serde(tag = "call", rename_all = "snake_case", deny_unknown_fields)]
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
        query: OverviewQuery,
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
        query: AutomataQuery,
    },
    Clusters {
        model: String,
        query: ClusterQuery,
    },
    Train {
        request: Box<TrainingRequest>,
    },
}

/// Keeps the messages of a learner for the answer.
struct Noting<'o> {
    inner: &'o mut dyn Observer,
    notes: Vec<String>,
}

impl Observer for Noting<'_> {
    fn stage(&mut self, name: &str, total: Option<u64>) {
        self.inner.stage(name, total);
    }

    fn advance(&mut self, units: u64) {
        self.inner.advance(units);
    }

    fn note(&mut self, text: fmt::Arguments<'_>) {
        self.notes.push(text.to_string());
    }

    fn cancelled(&self) -> bool {
        self.inner.cancelled()
    }
}

/// A failure as the page shows it.
struct Failure {
    code: &'static str,
    message: String,
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self { code: "unprocessable", message: error.to_string() }
    }
}

impl From<QueryError> for Failure {
    fn from(error: QueryError) -> Self {
        let code = if matches!(error, QueryError::Invalid(_)) { "bad_request" } else { "unprocessable" };
        Self { code, message: error.to_string() }
    }
}

impl Session {
    /// Answers a request. `file` is the model file that comes with it, or empty.
    pub fn answer(&mut self, request: &[u8], file: Vec<u8>, observer: &mut dyn Observer) -> Answer {
        let answered = serde_json::from_slice(request)
            .map_err(|error| Failure {
                code: "bad_request",
                message: format!("the request is not understood: {error}"),
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
                let nbest = nbest.unwrap_or(1);
                if !(1..=MOST_ANALYSES).contains(&nbest) {
                    let message = format!("`nbest` is {nbest}, but must be from 1 to {MOST_ANALYSES}");
                    return Err(Failure { code: "bad_request", message });
                }
                let confidences =
                    if confidences == Some(true) { Confidences::Compute } else { Confidences::Skip };
                let phrases = if phrases == Some(true) { PhraseTrees::Build } else { PhraseTrees::Skip };
                let annotator = self.entry(&model)?.model.annotator()?;
                let annotator =
                    annotator.with_nbest(nbest).with_confidences(confidences).with_phrases(phrases);
                let document = annotator.annotate_watched(&text, observer)?;
                json!({ "model": model, "document": document.to_json() })
            }
            Request::Inspect { model, query } => {
                let entry = self.entry(&model)?;
                let mut shown = query.answer(&entry.model, &entry.metadata)?;
                (shown["name"], shown["bytes"]) = (json!(entry.name), json!(entry.bytes));
                shown
            }
            Request::States { model, query } => query.answer(&self.entry(&model)?.model)?,
            Request::ActiveStates { model, text, member } => {
                let model = &self.entry(&model)?.model;
                let sentences = model.words_of(&text)?;
                let active = sentences.iter().map(|words| active_states(model, words, member));
                json!({ "sentences": active.collect::<Result<Vec<Value>, _>>()? })
            }
            Request::Automata { model, query } => query.answer(&self.entry(&model)?.model)?,
            Request::Clusters { model, query } => query.answer(&self.entry(&model)?.model)?,
            Request::Train { request } => {
                let mut noting = Noting { inner: observer, notes: Vec::new() };
                let trained = request.run(&mut noting)?;
                let json = json!({ "summary": trained.summary, "notes": noting.notes });
                return Ok(Answer { json, file: trained.to_bytes()? });
            }
        };
        Ok(Answer { json, file: Vec::new() })
    }

    fn entry(&self, name: &str) -> Result<&Entry, Failure> {
        self.models
            .iter()
            .find(|entry| entry.name == name)
            .ok_or_else(|| Failure { code: "not_found", message: format!("there is no model {name}") })
    }

    /// Adds a model, or replaces the one of the same name.
    fn load(&mut self, name: String, file: Vec<u8>) -> Result<Value, Failure> {
        let bytes = file.len();
        let container = Container::from_bytes(file)
            .map_err(|error| Failure { code: "bad_file", message: format!("cannot load {name}: {error}") })?;
        let (model, metadata) = (Model::load(&container, &name)?, container.metadata().clone());
        self.models.retain(|entry| entry.name != name);
        self.models.push(Entry { name, model, metadata, bytes });
        Ok(json!({ "bytes": bytes }))
    }

    fn list(&self) -> Value {
        let describe = |entry: &Entry| {
            let mut card = entry.model.card(&entry.metadata);
            (card["name"], card["bytes"]) = (json!(entry.name), json!(entry.bytes));
            card["origin"] = "trained".into();
            card
        };
        let models: Vec<Value> = self.models.iter().map(describe).collect();
        json!({ "models": models, "default": self.models.last().map(|entry| &entry.name), "limits": {} })
    }
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
        let request = json!({ "call": "inspect", "model": "a", "query": { "top": 5 } });
        let inspected = ask(&mut session, request, Vec::new()).json;
        assert_eq!((&inspected["family"], &inspected["name"]), (&json!("lpcfg"), &json!("a")));
        let request = json!({ "call": "states", "model": "a", "query": { "symbol": "NP" } });
        assert_eq!(ask(&mut session, request, Vec::new()).json["symbol"], "NP");
        let request = json!({ "call": "active_states", "model": "a", "text": "the dog saw a cat ." });
        assert!(ask(&mut session, request, Vec::new()).json["sentences"][0]["nodes"].is_array());
    }

    #[test]
    fn clusters_and_automata_answer_only_for_their_models() {
        let mut session = Session::default();
        ask(&mut session, json!({ "call": "load", "name": "words" }), train("clusters", 300));
        let clusters = json!({ "call": "clusters", "model": "words", "query": { "word": "dog" } });
        assert!(ask(&mut session, clusters, Vec::new()).json["path"].is_string());
        let automata = json!({ "call": "automata", "model": "words", "query": {} });
        let refused = ask(&mut session, automata, Vec::new()).json;
        assert_eq!(refused["error"]["code"], "unprocessable", "{refused}");
    }

    #[test]
    fn what_makes_no_sense_is_refused() {
        let mut session = Session::default();
        let code = |session: &mut Session, request: Value, file: &[u8]| {
            ask(session, request, file.to_vec()).json["error"]["code"].clone()
        };
        assert_eq!(session.answer(b"{", Vec::new(), &mut Silent).json["error"]["code"], "bad_request");
        assert_eq!(code(&mut session, json!({ "call": "dance" }), b""), "bad_request");
        assert_eq!(code(&mut session, json!({ "call": "load", "name": "a" }), b"no model"), "bad_file");
        let annotate = json!({ "call": "annotate", "model": "a", "text": "x" });
        assert_eq!(code(&mut session, annotate, b""), "not_found");
        let train = json!({ "call": "train", "request": { "family": "pcfg", "data": "(S (NP" } });
        assert_eq!(code(&mut session, train, b""), "unprocessable");
    }
}
