//! A PCFG with latent annotations, over phrases of any length.
//!
//! Every surface label `A` has hidden states `h`. A derivation starts in a state drawn from `π(A, h)`; a phrase
//! `A[h]` rewrites by `t(A → B₁ … B_k, h₁, …, h_k | A, h)`, a tag `T[h]` yields a word by `q(T → x | T, h)`
//! (Matsuzaki et al. 2005; Cohen et al. 2012, who restrict `k` to 2). Probabilities are normalised per `(A, h)`.
//!
//! A spectral learner has to recover the hidden states: the observed tree shows `A`, never `h`. [`LatentGrammar`] is
//! the true model to sample from and to compare with; it is not a learnt model.

use hashbrown::HashMap;

use super::choice::Choice;
use super::termination::{MeanRows, expected_totals};
use crate::ids::{Id, WordId};
use crate::vocab::Vocab;

crate::define_ids! {
    /// A surface label together with a hidden state of it.
    StateId;
}

/// Treatment of the first letter of a sentence.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Capitalization {
    /// Words stay as spelled in the grammar.
    #[default]
    AsWritten,
    /// The first word that is not punctuation begins with a capital letter.
    FirstWord,
}

/// A rule seen from its parent.
#[derive(Clone, PartialEq, Debug)]
pub struct Rule {
    /// The children from left to right.
    pub children: Box<[StateId]>,
    /// Probability given the parent's state.
    pub probability: f64,
}

/// Expansions of a state.
#[derive(Clone, Debug)]
pub enum Expansions {
    /// A phrase and its rules.
    Phrase(Vec<Rule>),
    /// A tag and its words with their probabilities.
    Tag(Vec<(WordId, f64)>),
}

#[derive(Clone, Debug)]
pub(super) struct State {
    /// Index of the surface label.
    pub(super) label: usize,
    /// Label and features, such as `NP[sg,person]`.
    pub(super) name: String,
    pub(super) expansions: Expansions,
    /// Distribution over the expansions, in their order.
    pub(super) choice: Choice,
}

/// A latent-annotated PCFG with known parameters. Built by [`GrammarBuilder`](super::GrammarBuilder) or read from
/// [text](super::grammar_text).
#[derive(Clone, Debug)]
pub struct LatentGrammar {
    /// Surface labels in order of first mention.
    pub(super) labels: Vec<String>,
    pub(super) states: Vec<State>,
    pub(super) roots: Vec<(StateId, f64)>,
    pub(super) root_choice: Choice,
    pub(super) words: Vocab<WordId>,
    /// For each word, the tags that yield it.
    pub(super) tags_of: Vec<Vec<(StateId, f64)>>,
    /// For each capitalised form, the words that have it.
    pub(super) capitalised: HashMap<String, Vec<WordId>>,
    pub(super) capitalization: Capitalization,
}

impl LatentGrammar {
    /// Number of pairs of label and hidden state; ids run from 0.
    pub fn state_count(&self) -> usize {
        self.states.len()
    }

    /// All pairs of label and hidden state.
    pub fn states(&self) -> impl Iterator<Item = StateId> + '_ {
        (0..self.states.len()).filter_map(StateId::new)
    }

    /// Surface labels, in order of first mention.
    pub fn labels(&self) -> &[String] {
        &self.labels
    }

    /// Surface label of `state`.
    pub fn label(&self, state: StateId) -> &str {
        &self.labels[self.states[state.index()].label]
    }

    /// Index of the surface label of `state` in [`labels`](Self::labels).
    pub fn label_index(&self, state: StateId) -> usize {
        self.states[state.index()].label
    }

    /// Label and hidden state of `state`, as in `NP[sg]`.
    pub fn name(&self, state: StateId) -> &str {
        &self.states[state.index()].name
    }

    /// Expansions of `state`.
    pub fn expansions(&self, state: StateId) -> &Expansions {
        &self.states[state.index()].expansions
    }

    /// Whether `state` belongs to a tag, which yields a word.
    pub fn is_tag(&self, state: StateId) -> bool {
        self.states[state.index()].is_tag()
    }

    /// The distribution of the root.
    pub fn roots(&self) -> &[(StateId, f64)] {
        &self.roots
    }

    /// The words as spelled in the grammar.
    pub fn words(&self) -> &Vocab<WordId> {
        &self.words
    }

    /// Treatment of the first letter of a sentence.
    pub fn capitalization(&self) -> Capitalization {
        self.capitalization
    }

    /// Number of rules, not counting lexical ones.
    pub fn rule_count(&self) -> usize {
        let rules = self.states.iter().map(|state| match &state.expansions {
            Expansions::Phrase(rules) => rules.len(),
            Expansions::Tag(_) => 0,
        });
        rules.sum()
    }

    /// For each word of a sentence, the tags that may have yielded it, with their lexical probabilities. Takes the
    /// capital letter at the beginning into account; a word unknown to the grammar has none.
    pub fn readings(&self, sentence: &[&str]) -> Vec<Vec<(StateId, f64)>> {
        let first = match self.capitalization {
            Capitalization::AsWritten => None,
            Capitalization::FirstWord => sentence.iter().position(|word| is_wordlike(word)),
        };
        let reading = |(position, form): (usize, &&str)| {
            if first == Some(position) {
                let words = self.capitalised.get(*form).map_or(&[][..], Vec::as_slice);
                let tags = words.iter().flat_map(|word| &self.tags_of[word.index()]);
                let mut sum: Vec<(StateId, f64)> = Vec::new();
                for &(state, probability) in tags {
                    match sum.iter_mut().find(|(seen, _)| *seen == state) {
                        Some((_, total)) => *total += probability,
                        None => sum.push((state, probability)),
                    }
                }
                sum
            } else {
                self.words.get(form).map_or_else(Vec::new, |word| self.tags_of[word.index()].clone())
            }
        };
        sentence.iter().enumerate().map(reading).collect()
    }

    /// Expected number of words of a sentence, without a limit on the length.
    pub fn expected_length(&self) -> f64 {
        let own: Vec<f64> = self.states.iter().map(|state| f64::from(u8::from(state.is_tag()))).collect();
        let totals = expected_totals(&mean_rows(&self.states), &own);
        self.roots.iter().map(|&(state, probability)| probability * totals[state.index()]).sum()
    }

    pub(super) fn draw_root<R: rand::Rng + ?Sized>(&self, rng: &mut R) -> StateId {
        self.roots[self.root_choice.draw(rng)].0
    }

    /// Index of an expansion of `state`.
    pub(super) fn draw_expansion<R: rand::Rng + ?Sized>(&self, state: StateId, rng: &mut R) -> usize {
        self.states[state.index()].choice.draw(rng)
    }
}

impl State {
    fn is_tag(&self) -> bool {
        matches!(self.expansions, Expansions::Tag(_))
    }
}

/// Whether a token is more than punctuation.
pub(super) fn is_wordlike(word: &str) -> bool {
    word.chars().any(char::is_alphanumeric)
}

/// `word` with its first letter capitalised.
pub(super) fn capitalise(word: &str) -> String {
    let mut chars = word.chars();
    match chars.next() {
        Some(first) => first.to_uppercase().chain(chars).collect(),
        None => String::new(),
    }
}

/// Expected numbers of children by state.
pub(super) fn mean_rows(states: &[State]) -> MeanRows {
    let row = |state: &State| {
        let mut row: Vec<(usize, f64)> = Vec::new();
        if let Expansions::Phrase(rules) = &state.expansions {
            let mut means: HashMap<usize, f64> = HashMap::new();
            for rule in rules {
                for child in &rule.children {
                    *means.entry(child.index()).or_default() += rule.probability;
                }
            }
            row.extend(means);
            // The order of a hash table must not affect a floating-point sum.
            row.sort_unstable_by_key(|&(child, _)| child);
        }
        row
    };
    states.iter().map(row).collect()
}
