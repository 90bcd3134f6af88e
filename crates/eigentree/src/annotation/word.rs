//! Words of a document.

use std::ops::Range;

use corpus::format::conllu::{Column, Token, TokenId};

use crate::dependency_parsing::CONFIDENCE_KEY;

/// How the keys of confidences in columns end, in MISC.
const CONFIDENCE_ENDING: &str = "_confidence";

/// A word with its annotation. Columns that are not given are `None`.
#[derive(Clone, Debug)]
pub struct Word<'d> {
    token: Token<'d>,
    place: Option<Range<usize>>,
}

impl<'d> Word<'d> {
    pub(super) fn new(token: Token<'d>, place: Option<Range<usize>>) -> Self {
        Self { token, place }
    }

    /// The line of CoNLL-U.
    pub fn token(&self) -> Token<'d> {
        self.token
    }

    /// Its number in the sentence, counted from 1 as in CoNLL-U.
    pub fn id(&self) -> usize {
        match self.token.id() {
            TokenId::Word(number) => number as usize,
            TokenId::Range { first, .. } => first as usize,
            TokenId::Empty { after, .. } => after as usize,
        }
    }

    /// The form.
    pub fn form(&self) -> &'d str {
        self.token.form()
    }

    /// The lemma.
    pub fn lemma(&self) -> Option<&'d str> {
        let underscore = self.form() == "_";
        Some(self.token.lemma()).filter(|lemma| *lemma != "_" || underscore)
    }

    /// The universal part of speech.
    pub fn upos(&self) -> Option<&'d str> {
        given(self.token.upos())
    }

    /// The part of speech of the treebank.
    pub fn xpos(&self) -> Option<&'d str> {
        given(self.token.xpos())
    }

    /// The morphological features, as names and values.
    pub fn feats(&self) -> impl Iterator<Item = (&'d str, &'d str)> + use<'d> {
        pairs(self.token.feats()).map(|(name, value)| (name, value.unwrap_or("")))
    }

    /// The number of its head; 0 for the root.
    pub fn head(&self) -> Option<usize> {
        self.token.head().map(|head| head.number())
    }

    /// The relation to its head.
    pub fn deprel(&self) -> Option<&'d str> {
        given(self.token.deprel())
    }

    /// Its arcs in the enhanced graph, as written.
    pub fn deps(&self) -> Option<&'d str> {
        given(self.token.deps())
    }

    /// The attributes of MISC; those without `=` have no value.
    pub fn misc(&self) -> impl Iterator<Item = (&'d str, Option<&'d str>)> + use<'d> {
        pairs(self.token.misc())
    }

    /// Its characters in the text of the document, if they are known. Words of a multiword token have those of the token.
    pub fn chars(&self) -> Option<Range<usize>> {
        self.place.clone()
    }

    /// Its first character in the text of the document.
    pub fn start_char(&self) -> Option<usize> {
        self.place.as_ref().map(|place| place.start)
    }

    /// The character after its last one.
    pub fn end_char(&self) -> Option<usize> {
        self.place.as_ref().map(|place| place.end)
    }

    /// Whether a space follows it in the text.
    pub fn space_after(&self) -> bool {
        self.token.space_after()
    }

    /// How probable its annotation is: of head and relation if a parser told, else of the first column that a tagger told.
    pub fn confidence(&self) -> Option<f64> {
        let head = self.token.misc_value(CONFIDENCE_KEY).and_then(|value| value.parse().ok());
        head.or_else(|| self.confidences().next().map(|(_, confidence)| confidence))
    }

    /// How probable the label of each column is by the tagger: names such as `upos`, and probabilities.
    pub fn confidences(&self) -> impl Iterator<Item = (&'d str, f64)> + use<'d> {
        pairs(self.token.misc()).filter_map(|(key, value)| {
            let name = key.strip_suffix(CONFIDENCE_ENDING)?;
            let column = Column::ALL.iter().any(|column| column.name().eq_ignore_ascii_case(name));
            Some((name, value?.parse().ok()?)).filter(|_| column)
        })
    }
}

fn given(text: &str) -> Option<&str> {
    Some(text).filter(|text| *text != "_")
}

/// The parts of a list `key=value|key`; none for `_`.
pub(super) fn pairs(list: &str) -> impl Iterator<Item = (&str, Option<&str>)> {
    let list = if list == "_" { "" } else { list };
    list.split('|').filter(|part| !part.is_empty()).map(|part| match part.split_once('=') {
        Some((key, value)) => (key, Some(value)),
        None => (part, None),
    })
}
