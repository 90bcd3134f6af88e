//! Words as lexical models see them.

use corpus::format::conllu::Sentence;
use corpus::ids::{Id, TagId, WordId};
use corpus::vocab::{Vocab, VocabBuilder};

use super::super::symbols::{MISSING, part_of_speech, write_product};
use super::super::word_places::places_in;
use super::Lexical;
use crate::arcs::Word;

/// A word as lexical models see it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in super::super) struct Lexeme {
    pub(in super::super) word: u32,
    pub(in super::super) tag: u32,
    /// Its cluster, and the branch of the hierarchy that this is on.
    pub(in super::super) cluster: u32,
    pub(in super::super) branch: u32,
    /// Class as the previous modifier: 0 other, 1 coordination, 2 punctuation.
    pub(in super::super) class: u8,
    /// The first tag with the same universal part of speech.
    pub(in super::super) coarse: u32,
    /// 1 for verbs.
    pub(in super::super) verb: u8,
}

/// The tags by which verbs are recognised.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(in super::super) enum VerbTags {
    /// UPOS alone: models of older files, in which words without UPOS were counted as other words.
    Universal,
    /// UPOS, and XPOS for words without UPOS.
    #[default]
    Any,
}

impl VerbTags {
    fn is_verb(self, token: Word<'_>) -> bool {
        match (self, token.upos) {
            // Tags of verbs begin with V in most tagsets; MD are the modals of the Penn Treebank.
            (Self::Any, MISSING) => token.xpos.starts_with('V') || token.xpos == "MD",
            _ => matches!(part_of_speech(token), "VERB" | "AUX"),
        }
    }
}

impl Lexical {
    /// The words of a sentence.
    pub(in super::super) fn encode(&self, words: &[Word<'_>], lexemes: &mut Vec<Lexeme>) {
        lexemes.clear();
        let mut text = String::new();
        for &token in words {
            write_form(token, &mut text);
            let word = self.words.get(&text).map_or(self.words.len(), Id::index) as u32;
            text.clear();
            write_product(token, &mut text);
            let tag = self.tags.get(&text).or_else(|| self.tag_of_class(token));
            let tag = tag.map_or(self.tags.len(), Id::index) as u32;
            let class = match part_of_speech(token) {
                "CCONJ" | "CC" => 1,
                "PUNCT" | "," | "." | ":" | "``" | "''" => 2,
                _ => 0,
            };
            let verb = u8::from(self.verb_tags.is_verb(token));
            let [cluster, branch] =
                self.clusters.as_ref().map_or([0; 2], |paths| places_in(paths, token.form));
            let coarse = self.tag_of_class(token).map_or(tag, |tag| tag.index() as u32);
            lexemes.push(Lexeme { word, tag, coarse, cluster, branch, class, verb });
        }
    }

    /// For an unknown pair of tags, the first (and so a frequent) pair with the same universal tag.
    fn tag_of_class(&self, token: Word<'_>) -> Option<TagId> {
        let same = |name: &str| name.split('/').next() == Some(token.upos);
        self.tags.iter().find(|(_, name)| same(name)).map(|(tag, _)| tag)
    }

    /// The id of the outcome STOP, after the tags and the unknown tag.
    pub(super) fn stop(&self) -> u32 {
        self.tags.len() as u32 + 1
    }
}

fn write_form(token: Word<'_>, text: &mut String) {
    text.clear();
    text.extend(token.form.chars().flat_map(char::to_lowercase));
}

/// The frequent words and all tags.
pub(super) fn vocabularies<'t>(
    sentences: impl Iterator<Item = &'t Sentence>,
    min_count: usize,
) -> (Vocab<WordId>, Vocab<TagId>) {
    let (mut words, mut tags) = (VocabBuilder::<WordId>::new(), VocabBuilder::new());
    let mut counts = Vec::new();
    let mut text = String::new();
    for token in sentences.flat_map(Word::of_sentence) {
        write_form(token, &mut text);
        let word = words.intern(&text).index();
        counts.resize(words.len(), 0usize);
        counts[word] += 1;
        text.clear();
        write_product(token, &mut text);
        tags.intern(&text);
    }
    let words = words.freeze();
    let frequent = words.iter().filter(|(word, _)| counts[word.index()] >= min_count).map(|(_, text)| text);
    (frequent.collect(), tags.freeze())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verbs_are_recognised_with_and_without_universal_tags() {
        let word = |upos, xpos| Word { form: "x", lemma: "_", upos, xpos, feats: "_" };
        for (upos, xpos, universal, any) in [
            ("VERB", "VBZ", true, true),
            ("NOUN", "VBG", false, false),
            ("_", "VBZ", false, true),
            ("_", "MD", false, true),
            ("_", "NN", false, false),
        ] {
            let found = [VerbTags::Universal, VerbTags::Any].map(|tags| tags.is_verb(word(upos, xpos)));
            assert_eq!(found, [universal, any], "{upos} {xpos}");
        }
    }
}
