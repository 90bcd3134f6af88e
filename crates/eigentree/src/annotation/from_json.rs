//! Documents from JSON.

use std::ops::Range;

use corpus::dependency::Head;
use corpus::format::conllu::{Column, Columns, Sentence, SentenceError, TokenId};
use corpus::format::lines::LineEnding;
use corpus::tree::Tree;
use serde_json::{Map, Value};

use super::document::{Document, unmade};
use super::json::{join_feats, join_misc};
use super::sentence::{Alternative, AnnotatedSentence, PhraseTree};
use crate::Error;

impl Document {
    /// The document that [`to_json`](Self::to_json) wrote. Of each word `form` must be there; what else is missing is not
    /// given.
    pub fn from_json(record: &Value) -> Result<Self, Error> {
        let sentences = list(record, "sentences").iter().enumerate().map(|(number, sentence)| {
            read_sentence(sentence).map_err(|error| {
                Error::Data(format!("cannot read sentence {} of the document: {error}", number + 1))
            })
        });
        let sentences = sentences.collect::<Result<Vec<_>, Error>>()?;
        match record.get("text").and_then(Value::as_str) {
            Some(text) => Ok(Self::new(text.to_owned(), sentences)),
            None => Ok(Self::from_sentences(sentences)),
        }
    }
}

fn list<'v>(record: &'v Value, field: &str) -> &'v [Value] {
    record.get(field).and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

fn number(record: &Value, field: &str) -> Option<usize> {
    record.get(field)?.as_u64().map(|number| number as usize)
}

fn wrong(what: &str, record: &Value) -> Error {
    let mut shown = record.to_string();
    if let Some((at, _)) = shown.char_indices().nth(60) {
        shown.truncate(at);
    }
    Error::Data(format!("expected {what}, found {shown}"))
}

fn read_sentence(record: &Value) -> Result<AnnotatedSentence, Error> {
    let mut sentence = Sentence::new();
    if record.get("line_ending").and_then(Value::as_str) == Some("crlf") {
        sentence.set_line_ending(LineEnding::CrLf);
    }
    for comment in list(record, "comments").iter().filter_map(Value::as_str) {
        sentence.push_comment(comment).map_err(|error| unmade(&error))?;
    }
    let words = list(record, "words");
    let (ranges, empty) = (list(record, "tokens"), list(record, "empty_nodes"));
    let mut places: Vec<Range<usize>> = Vec::with_capacity(words.len());
    let mut push = |id: TokenId, record: &Value| push(&mut sentence, id, record);
    for (after, word) in (0..).zip(words.iter().map(Some).chain([None])) {
        for (node, id) in
            empty.iter().filter_map(|node| Some((node, empty_id(node)?))).filter(|(_, id)| id.0 == after)
        {
            push(TokenId::Empty { after, index: id.1 }, node)?;
        }
        let Some(word) = word else { break };
        let this = after + 1;
        for range in ranges.iter().filter(|range| number(range, "first") == Some(this as usize)) {
            let last = number(range, "last").and_then(|last| u32::try_from(last).ok());
            let last = last.ok_or_else(|| wrong("a token with first and last", range))?;
            push(TokenId::Range { first: this, last }, range)?;
        }
        push(TokenId::Word(this), word)?;
        if let (Some(start), Some(end)) = (number(word, "start_char"), number(word, "end_char")) {
            places.push(start..end);
        }
    }
    if places.len() != words.len() {
        places.clear();
    }
    let phrases = record.get("tree").and_then(Value::as_str).map(|tree| {
        let confidences = list(record, "spans").iter().filter_map(|span| span.get("confidence")?.as_f64());
        let log_probability = record.get("log_probability").and_then(Value::as_f64);
        parsed(tree).map(|tree| PhraseTree::new(tree, log_probability, confidences.collect()))
    });
    let nbest = list(record, "nbest").iter().map(|alternative| read_alternative(&sentence, alternative));
    let nbest = nbest.collect::<Result<Vec<_>, Error>>()?;
    Ok(AnnotatedSentence::new(sentence)
        .with_places(places)
        .with_phrases(phrases.transpose()?)
        .with_nbest(nbest))
}

fn parsed(tree: &str) -> Result<Tree, Error> {
    tree.parse()
        .map_err(|error: corpus::error::ReadError| Error::Data(format!("cannot read a tree: {error}")))
}

fn empty_id(node: &Value) -> Option<(u32, u32)> {
    let (after, index) = node.get("id")?.as_str()?.split_once('.')?;
    Some((after.parse().ok()?, index.parse().ok()?))
}

fn push(sentence: &mut Sentence, id: TokenId, record: &Value) -> Result<(), Error> {
    let Some(form) = record.get("form").and_then(Value::as_str) else {
        return Err(wrong("a token with a form", record));
    };
    let text = |field: &str| record.get(field).and_then(Value::as_str).unwrap_or("_");
    let column = |field: &str, join: fn(&Map<String, Value>) -> String| {
        let whole = record.get(format!("{field}_column")).and_then(Value::as_str).map(str::to_owned);
        let joined = || record.get(field).and_then(Value::as_object).map(join);
        whole.or_else(joined).unwrap_or_else(|| text(field).to_owned())
    };
    let (feats, misc) = (column("feats", join_feats), column("misc", join_misc));
    let head = read_head(record.get("head"))?;
    let columns = Columns {
        form,
        lemma: text("lemma"),
        upos: text("upos"),
        xpos: text("xpos"),
        feats: &feats,
        head,
        deprel: text("deprel"),
        deps: text("deps"),
        misc: &misc,
    };
    sentence.push_token(id, columns).map_err(|error| unmade(&error))
}

fn read_head(value: Option<&Value>) -> Result<Option<Head>, Error> {
    let Some(value) = value.filter(|value| !value.is_null()) else { return Ok(None) };
    let head = value.as_u64().and_then(|number| Head::from_number(usize::try_from(number).ok()?));
    head.map(Some).ok_or_else(|| wrong("the number of a head", value))
}

fn read_alternative(best: &Sentence, record: &Value) -> Result<Alternative, Error> {
    let mut sentence = best.clone();
    for column in Column::ALL.into_iter().filter(|column| *column != Column::Id) {
        let values = list(record, &column.name().to_ascii_lowercase());
        for (index, value) in values.iter().enumerate() {
            let set = match column {
                Column::Head => sentence.set_head(index, read_head(Some(value))?),
                _ => sentence.set_column(index, column, value.as_str().unwrap_or("_")),
            };
            set.map_err(|error: SentenceError| unmade(&error))?;
        }
    }
    let tree = record.get("tree").and_then(Value::as_str).map(parsed).transpose()?;
    let score = record.get("score").and_then(Value::as_f64).unwrap_or(f64::NEG_INFINITY);
    Ok(Alternative { score, sentence, tree })
}
