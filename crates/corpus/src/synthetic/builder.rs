//! Construction of a grammar rule by rule, from weights to checked probabilities.

use hashbrown::HashMap;

use super::choice::Choice;
use super::error::{GrammarError, GrammarProblem};
use super::lpcfg::{Capitalization, Expansions, LatentGrammar, Rule, State, StateId, capitalise, mean_rows};
use super::termination::check_termination;
use crate::error::Position;
use crate::ids::{Id, WordId};
use crate::vocab::VocabBuilder;

/// Collects states, rules and words with weights, then checks and normalises them.
///
/// ```
/// use eigentree_corpus::synthetic::{Capitalization, GrammarBuilder};
/// let mut builder = GrammarBuilder::new();
/// let (np, noun) = (builder.state("NP", "", None), builder.state("NN", "animal", None));
/// builder.root(np, 1.0, None).unwrap();
/// builder.rule(np, &[noun, noun], 1.0, None).unwrap();
/// builder.rule(np, &[noun], 3.0, None).unwrap();
/// builder.word(noun, "dog", 1.0, None).unwrap();
/// let grammar = builder.build(Capitalization::AsWritten).unwrap();
/// assert_eq!(grammar.expected_length(), 1.25);
/// ```
#[derive(Default)]
pub struct GrammarBuilder {
    labels: Vec<String>,
    label_index: HashMap<String, usize>,
    state_index: HashMap<(usize, String), StateId>,
    states: Vec<Draft>,
    roots: Vec<(StateId, f64)>,
    words: VocabBuilder<WordId>,
}

struct Draft {
    label: usize,
    name: String,
    position: Option<Position>,
    rules: Vec<(Box<[StateId]>, f64)>,
    rule_index: HashMap<Box<[StateId]>, usize>,
    words: Vec<(WordId, f64)>,
    word_index: HashMap<WordId, usize>,
}

fn check_weight(weight: f64, position: Option<Position>) -> Result<(), GrammarError> {
    if weight > 0.0 && weight.is_finite() {
        Ok(())
    } else {
        Err(GrammarProblem::Weight { text: weight.to_string() }.at(position))
    }
}

impl GrammarBuilder {
    /// Creates an empty grammar.
    pub fn new() -> Self {
        Self::default()
    }

    /// The state of `label` with the hidden part `features`, created if it is new. `position` is then kept for error
    /// messages.
    ///
    /// # Panics
    /// Beyond `u32::MAX - 1` states, more than fit into memory.
    pub fn state(&mut self, label: &str, features: &str, position: Option<Position>) -> StateId {
        let labels = &mut self.labels;
        let label_id = *self.label_index.entry_ref(label).or_insert_with(|| {
            labels.push(label.to_owned());
            labels.len() - 1
        });
        if let Some(&state) = self.state_index.get(&(label_id, features.to_owned())) {
            return state;
        }
        let state = StateId::new(self.states.len()).expect("fewer than u32::MAX states");
        let name = if features.is_empty() { label.to_owned() } else { format!("{label}[{features}]") };
        self.states.push(Draft {
            label: label_id,
            name,
            position,
            rules: Vec::new(),
            rule_index: HashMap::new(),
            words: Vec::new(),
            word_index: HashMap::new(),
        });
        self.state_index.insert((label_id, features.to_owned()), state);
        state
    }

    /// Number of states so far.
    pub fn state_count(&self) -> usize {
        self.states.len()
    }

    /// Allows sentences to start in `state`.
    ///
    /// # Errors
    /// If the weight is not positive.
    pub fn root(
        &mut self,
        state: StateId,
        weight: f64,
        position: Option<Position>,
    ) -> Result<(), GrammarError> {
        check_weight(weight, position)?;
        match self.roots.iter_mut().find(|(seen, _)| *seen == state) {
            Some((_, total)) => *total += weight,
            None => self.roots.push((state, weight)),
        }
        Ok(())
    }

    /// Adds a rule; weights of equal rules are added.
    ///
    /// # Errors
    /// If the weight is not positive or there are no children.
    pub fn rule(
        &mut self,
        parent: StateId,
        children: &[StateId],
        weight: f64,
        position: Option<Position>,
    ) -> Result<(), GrammarError> {
        check_weight(weight, position)?;
        if children.is_empty() {
            let syntax = GrammarProblem::Syntax {
                expected: "at least one child".into(),
                found: "an empty rule".into(),
            };
            return Err(syntax.at(position));
        }
        let draft = &mut self.states[parent.index()];
        match draft.rule_index.get(children) {
            Some(&index) => draft.rules[index].1 += weight,
            None => {
                draft.rule_index.insert(children.into(), draft.rules.len());
                draft.rules.push((children.into(), weight));
            }
        }
        Ok(())
    }

    /// Adds a word to a tag; weights of equal words are added.
    ///
    /// # Errors
    /// If the weight is not positive.
    pub fn word(
        &mut self,
        tag: StateId,
        word: &str,
        weight: f64,
        position: Option<Position>,
    ) -> Result<(), GrammarError> {
        check_weight(weight, position)?;
        let word = self.words.intern(word);
        let draft = &mut self.states[tag.index()];
        match draft.word_index.get(&word) {
            Some(&index) => draft.words[index].1 += weight,
            None => {
                draft.word_index.insert(word, draft.words.len());
                draft.words.push((word, weight));
            }
        }
        Ok(())
    }

    /// Checks that every symbol is defined, reachable and terminating, and turns weights into probabilities.
    ///
    /// # Errors
    /// The first of these checks that fails.
    pub fn build(self, capitalization: Capitalization) -> Result<LatentGrammar, GrammarError> {
        if self.roots.is_empty() {
            return Err(GrammarProblem::NoRoot.at(None));
        }
        let positions: Vec<Option<Position>> = self.states.iter().map(|draft| draft.position).collect();
        self.check_kinds()?;
        self.check_reached()?;
        let states: Vec<State> = self.states.into_iter().map(Draft::normalise).collect();
        check_termination(&mean_rows(&states)).map_err(|explosion| {
            let symbol = states[explosion.node].name.clone();
            GrammarProblem::NonTerminating { symbol, growth: explosion.growth }.at(positions[explosion.node])
        })?;

        let words = self.words.freeze();
        let mut tags_of = vec![Vec::new(); words.len()];
        for (index, state) in states.iter().enumerate() {
            if let (Expansions::Tag(list), Some(id)) = (&state.expansions, StateId::new(index)) {
                for &(word, probability) in list {
                    tags_of[word.index()].push((id, probability));
                }
            }
        }
        let mut capitalised: HashMap<String, Vec<WordId>> = HashMap::new();
        for word in (0..words.len()).filter_map(WordId::new) {
            capitalised.entry(capitalise(words.text(word))).or_default().push(word);
        }
        let total: f64 = self.roots.iter().map(|(_, weight)| weight).sum();
        Ok(LatentGrammar {
            labels: self.labels,
            root_choice: Choice::new(self.roots.iter().map(|&(_, weight)| weight)),
            roots: self.roots.into_iter().map(|(state, weight)| (state, weight / total)).collect(),
            states,
            words,
            tags_of,
            capitalised,
            capitalization,
        })
    }

    /// Every state must have rules or words, and a label only one of the two.
    fn check_kinds(&self) -> Result<(), GrammarError> {
        let mut is_tag: Vec<Option<bool>> = vec![None; self.labels.len()];
        for draft in &self.states {
            let tag = match (draft.rules.is_empty(), draft.words.is_empty()) {
                (true, true) => {
                    return Err(GrammarProblem::Undefined { symbol: draft.name.clone() }.at(draft.position));
                }
                (false, true) => Some(false),
                (true, false) => Some(true),
                (false, false) => None,
            };
            let known = &mut is_tag[draft.label];
            if tag.is_none() || known.is_some_and(|kind| tag != Some(kind)) {
                let label = self.labels[draft.label].clone();
                return Err(GrammarProblem::Mixed { label }.at(draft.position));
            }
            *known = tag;
        }
        Ok(())
    }

    fn check_reached(&self) -> Result<(), GrammarError> {
        let mut reached = vec![false; self.states.len()];
        let mut agenda: Vec<StateId> = self.roots.iter().map(|&(state, _)| state).collect();
        while let Some(state) = agenda.pop() {
            if !std::mem::replace(&mut reached[state.index()], true) {
                agenda.extend(
                    self.states[state.index()].rules.iter().flat_map(|(children, _)| children.iter()),
                );
            }
        }
        match self.states.iter().zip(&reached).find(|(_, reached)| !**reached) {
            Some((draft, _)) => {
                Err(GrammarProblem::Unreachable { symbol: draft.name.clone() }.at(draft.position))
            }
            None => Ok(()),
        }
    }
}

impl Draft {
    fn normalise(self) -> State {
        let weights: Vec<f64> =
            self.rules.iter().map(|(_, w)| *w).chain(self.words.iter().map(|(_, w)| *w)).collect();
        let total: f64 = weights.iter().sum();
        let expansions = if self.words.is_empty() {
            let rule = |(children, weight)| Rule { children, probability: weight / total };
            Expansions::Phrase(self.rules.into_iter().map(rule).collect())
        } else {
            Expansions::Tag(self.words.into_iter().map(|(word, weight)| (word, weight / total)).collect())
        };
        State { label: self.label, name: self.name, expansions, choice: Choice::new(weights) }
    }
}
