//! N-best lists in CoNLL-U: the same sentence repeatedly, each time with another tree.

use corpus::error::ReadError;
use corpus::format::conllu::Sentence;
use dependency::reranker::{Candidate, NBest};

use super::trees::{forms_and_tags, tree_of};
use crate::Error;

/// The comment key of the parser's score.
const SCORE_KEY: &str = "score";
/// The comment key of the rank of a tree in its list.
const PARSE_KEY: &str = "parse";

/// A list with the sentences it was read from.
#[derive(Clone, Debug)]
pub struct SentenceList {
    /// The sentences, one per tree.
    pub sentences: Vec<Sentence>,
    /// Their trees.
    pub list: NBest,
}

/// Lists from a stream of sentences. Consecutive sentences with the same words belong together, unless `# parse = 1` or
/// another `# sent_id` starts the next list. Without `# score`, trees are assumed to be in order, each scored one less
/// than the previous one.
pub fn read_lists(
    sentences: impl Iterator<Item = Result<Sentence, ReadError>>,
) -> impl Iterator<Item = Result<SentenceList, Error>> {
    let mut sentences = sentences.peekable();
    std::iter::from_fn(move || {
        let mut found: Vec<Sentence> = Vec::new();
        loop {
            match sentences.peek() {
                None => break,
                Some(Ok(next)) if found.last().is_some_and(|last| !together(last, next)) => break,
                Some(_) => {}
            }
            match sentences.next() {
                Some(Ok(sentence)) => found.push(sentence),
                Some(Err(error)) => return Some(Err(error.into())),
                None => break,
            }
        }
        (!found.is_empty()).then(|| list_of(found))
    })
}

fn together(last: &Sentence, next: &Sentence) -> bool {
    let same_words = || {
        last.len() == next.len()
            && last.words().zip(next.words()).all(|(one, other)| one.form() == other.form())
    };
    next.comment_value(PARSE_KEY) != Some("1") && last.sent_id() == next.sent_id() && same_words()
}

fn list_of(sentences: Vec<Sentence>) -> Result<SentenceList, Error> {
    let mut candidates = Vec::with_capacity(sentences.len());
    for (number, sentence) in sentences.iter().enumerate() {
        let bad = |what: &dyn std::fmt::Display| {
            Error::Data(format!("sentence at line {}: {what}", sentence.first_line()))
        };
        let tree = tree_of(sentence).map_err(|error| bad(&error))?;
        let score = match sentence.comment_value(SCORE_KEY) {
            None => -(number as f64),
            Some(text) => text.parse().ok().filter(|score: &f64| score.is_finite()).ok_or_else(|| {
                bad(&format_args!("`# score = {text}` is not a number; correct it or remove the comment"))
            })?,
        };
        candidates.push(Candidate { tree, score });
    }
    let words = sentences.first().map(forms_and_tags).unwrap_or_default();
    match NBest::new(words, candidates) {
        Some(list) => Ok(SentenceList { sentences, list }),
        None => Err(Error::Data("the trees of a list have different numbers of words".to_owned())),
    }
}
