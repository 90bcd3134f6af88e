//! One sentence of a document.

use std::ops::Range;

use corpus::format::bio::lenient_entities;
use corpus::format::conllu::{Sentence, TokenId};
use corpus::tree::{FALLBACK_LABEL, Tree};

use super::entity::Entity;
use super::places;
use super::word::Word;
use crate::pipeline::ENTITY_KEY;

/// A sentence with its annotation.
///
/// The columns of CoNLL-U are the one place of what they can hold: tags, heads, entities (`NER=` in MISC), confidences.
#[derive(Clone, PartialEq, Debug)]
pub struct AnnotatedSentence {
    sentence: Sentence,
    /// The characters of each word in the text of the document; empty if they are not known.
    places: Vec<Range<usize>>,
    phrases: Option<PhraseTree>,
    nbest: Vec<Alternative>,
}

/// One of the best annotations of a sentence.
#[derive(Clone, PartialEq, Debug)]
pub struct Alternative {
    /// The score by which it is better than those after it, to six decimals: a log-probability where the model has one, else a
    /// sum of weights.
    pub score: f64,
    /// The sentence with these heads or tags.
    pub sentence: Sentence,
    /// The tree of phrases, if a grammar built it.
    pub tree: Option<Tree>,
}

/// A score to six decimals, so that it is the same after it was written and read.
pub(super) fn rounded(score: f64) -> f64 {
    (score * 1e6).round() / 1e6
}

/// A tree of phrases over the words of a sentence.
#[derive(Clone, PartialEq, Debug)]
pub struct PhraseTree {
    tree: Tree,
    log_probability: Option<f64>,
    confidences: Vec<f64>,
}

/// A labelled span of words of a tree of phrases.
#[derive(Clone, PartialEq, Debug)]
pub struct PhraseSpan<'d> {
    /// The label of a phrase, or the tag of a word.
    pub label: &'d str,
    /// The words, counted from 0.
    pub words: Range<usize>,
    /// How probable it is by the grammar, if that was asked for.
    pub confidence: Option<f64>,
}

impl PhraseTree {
    /// A tree with the confidences of its nodes other than words, from the top down and from left to right, or with none.
    pub fn new(tree: Tree, log_probability: Option<f64>, confidences: Vec<f64>) -> Self {
        let log_probability = log_probability.filter(|value| value.is_finite()).map(rounded);
        Self { tree, log_probability, confidences }
    }

    /// The tree.
    pub fn tree(&self) -> &Tree {
        &self.tree
    }

    /// The log-probability by which it was chosen. `None` if the grammar does not derive the sentence, or if it is not known.
    pub fn log_probability(&self) -> Option<f64> {
        self.log_probability
    }

    /// Whether the grammar derives the sentence; if not, the tree joins what it could build below a node `FALLBACK`.
    pub fn is_derived(&self) -> bool {
        !self.tree.nodes().any(|node| !node.is_word() && node.label() == FALLBACK_LABEL)
    }

    /// Every node but the words, from the top down and from left to right.
    pub fn spans(&self) -> impl Iterator<Item = PhraseSpan<'_>> {
        let nodes = self.tree.nodes().filter(|node| !node.is_word());
        nodes.enumerate().map(|(at, node)| PhraseSpan {
            label: node.label(),
            words: node.span(),
            confidence: self.confidences.get(at).copied(),
        })
    }

    pub(super) fn confidences(&self) -> &[f64] {
        &self.confidences
    }
}

impl AnnotatedSentence {
    /// A sentence whose place in the text follows from `start_char` and `end_char` in MISC, if it has them.
    pub fn new(sentence: Sentence) -> Self {
        let places = places::from_misc(&sentence).unwrap_or_default();
        Self { sentence, places, phrases: None, nbest: Vec::new() }
    }

    /// With a tree of phrases.
    pub fn with_phrases(mut self, phrases: Option<PhraseTree>) -> Self {
        self.phrases = phrases;
        self
    }

    /// With its best annotations, best first, the first being that of the sentence itself.
    pub fn with_nbest(mut self, nbest: Vec<Alternative>) -> Self {
        self.nbest = nbest;
        self
    }

    pub(super) fn with_places(mut self, places: Vec<Range<usize>>) -> Self {
        self.places = places;
        self
    }

    /// The sentence as CoNLL-U has it, with comments, ranges, empty nodes and MISC.
    pub fn sentence(&self) -> &Sentence {
        &self.sentence
    }

    pub(super) fn nbest_mut(&mut self) -> &mut Vec<Alternative> {
        &mut self.nbest
    }

    /// Changes the sentence and those of its list.
    pub(super) fn try_for_each_sentence<E>(
        &mut self,
        mut change: impl FnMut(&mut Sentence) -> Result<(), E>,
    ) -> Result<(), E> {
        change(&mut self.sentence)?;
        self.nbest.iter_mut().try_for_each(|alternative| change(&mut alternative.sentence))
    }

    pub(super) fn places(&self) -> &[Range<usize>] {
        &self.places
    }

    /// The value of `# sent_id`.
    pub fn id(&self) -> Option<&str> {
        self.sentence.sent_id()
    }

    /// Its text: the comment `# text`, or else its tokens with the spaces between them.
    pub fn text(&self) -> String {
        self.sentence.text_comment().map_or_else(|| places::surface(&self.sentence), str::to_owned)
    }

    /// Its characters in the text of the document, if they are known.
    pub fn chars(&self) -> Option<Range<usize>> {
        Some(self.places.first()?.start..self.places.last()?.end)
    }

    /// Number of words.
    pub fn len(&self) -> usize {
        self.sentence.len()
    }

    /// Whether there are no words.
    pub fn is_empty(&self) -> bool {
        self.sentence.is_empty()
    }

    /// The words, in order.
    pub fn words(&self) -> impl ExactSizeIterator<Item = Word<'_>> + Clone {
        let place = |index: usize| self.places.get(index).cloned();
        self.sentence.words().enumerate().map(move |(index, token)| Word::new(token, place(index)))
    }

    /// The word at `index`, from 0.
    pub fn word(&self, index: usize) -> Option<Word<'_>> {
        self.sentence.word(index).map(|token| Word::new(token, self.places.get(index).cloned()))
    }

    /// The multiword tokens as their form and words, counted from 0: `don't` covers `do` and `n't`.
    pub fn multiword_tokens(&self) -> impl Iterator<Item = (&str, Range<usize>)> {
        self.sentence.tokens().filter_map(|token| match token.id() {
            TokenId::Range { first, last } => Some((token.form(), first as usize - 1..last as usize)),
            _ => None,
        })
    }

    /// The entities by `NER=` in MISC, in order.
    pub fn entities(&self) -> Vec<Entity<'_>> {
        let tag =
            |word: corpus::format::conllu::Token<'_>| word.misc_value(ENTITY_KEY).unwrap_or("O").to_owned();
        let tags: Vec<String> = self.sentence.words().map(tag).collect();
        let spans = lenient_entities(tags.iter().map(String::as_str));
        spans.iter().filter_map(|span| Entity::new(self, span.start..span.end)).collect()
    }

    /// The tree of phrases, if a grammar built one.
    pub fn phrases(&self) -> Option<&PhraseTree> {
        self.phrases.as_ref()
    }

    /// The best annotations, best first. Empty unless more than one was asked for.
    pub fn nbest(&self) -> &[Alternative] {
        &self.nbest
    }

    /// The mean confidence of its words, which is the share of words that the model expects to be right.
    pub fn confidence(&self) -> Option<f64> {
        let known: Vec<f64> = self.words().filter_map(|word| word.confidence()).collect();
        (!known.is_empty()).then(|| known.iter().sum::<f64>() / known.len() as f64)
    }
}
