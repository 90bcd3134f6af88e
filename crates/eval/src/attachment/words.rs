//! Extracts the compared properties of words from a CoNLL-U sentence.

use corpus::format::conllu::{Sentence, Token};

use super::config::{AttachmentConfig, Subtypes};

/// Relations of content words.
const CONTENT: [&str; 29] = [
    "nsubj",
    "obj",
    "iobj",
    "csubj",
    "ccomp",
    "xcomp",
    "obl",
    "vocative",
    "expl",
    "dislocated",
    "advcl",
    "advmod",
    "discourse",
    "nmod",
    "appos",
    "nummod",
    "acl",
    "amod",
    "conj",
    "fixed",
    "flat",
    "compound",
    "list",
    "parataxis",
    "orphan",
    "goeswith",
    "reparandum",
    "root",
    "dep",
];

/// Relations of function words.
const FUNCTIONAL: [&str; 7] = ["aux", "cop", "mark", "det", "clf", "case", "cc"];

/// The universal features of UD version 2 at the time of the shared task.
const UNIVERSAL_FEATURES: [&str; 21] = [
    "PronType", "NumType", "Poss", "Reflex", "Foreign", "Abbr", "Gender", "Animacy", "Number", "Case",
    "Definite", "Degree", "VerbForm", "Mood", "Tense", "Aspect", "Voice", "Evident", "Polarity", "Person",
    "Polite",
];

/// The head of a word, as an index among all words of the text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Parent {
    Root,
    Word(usize),
    /// No head is given.
    Missing,
}

/// The compared properties of a word.
#[derive(Clone, Debug)]
pub(crate) struct Word<'s> {
    pub(crate) form: &'s str,
    pub(crate) lemma: &'s str,
    pub(crate) upos: &'s str,
    pub(crate) xpos: &'s str,
    /// Universal features, sorted.
    pub(crate) features: Vec<&'s str>,
    pub(crate) parent: Parent,
    pub(crate) relation: &'s str,
    pub(crate) is_content: bool,
    pub(crate) is_functional: bool,
    pub(crate) is_punctuation: bool,
}

/// The words of `sentence`; `offset` is the number of words before it.
pub(crate) fn words<'s>(
    sentence: &'s Sentence,
    offset: usize,
    config: &AttachmentConfig,
) -> impl ExactSizeIterator<Item = Word<'s>> {
    let subtypes = config.subtypes;
    sentence.words().map(move |token| word(token, offset, subtypes))
}

fn word(token: Token<'_>, offset: usize, subtypes: Subtypes) -> Word<'_> {
    let universal = token.universal_deprel();
    let is_universal = |feature: &&str| {
        let name = feature.split_once('=').map_or(*feature, |(name, _)| name);
        UNIVERSAL_FEATURES.contains(&name)
    };
    let mut features: Vec<&str> = token.feats().split('|').filter(is_universal).collect();
    features.sort_unstable();
    Word {
        form: token.form(),
        lemma: token.lemma(),
        upos: token.upos(),
        xpos: token.xpos(),
        features,
        parent: match token.head().map(|head| head.index()) {
            None => Parent::Missing,
            Some(None) => Parent::Root,
            Some(Some(index)) => Parent::Word(offset + index),
        },
        relation: match subtypes {
            Subtypes::Cut => universal,
            Subtypes::Keep => token.deprel(),
        },
        is_content: CONTENT.contains(&universal),
        is_functional: FUNCTIONAL.contains(&universal),
        is_punctuation: token.upos() == "PUNCT" || universal == "punct",
    }
}
