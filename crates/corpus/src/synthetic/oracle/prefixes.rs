//! Rules of any length as a prefix tree.
//!
//! A symbol of the chart is a state, or a prefix of at least two states of some rule. Numbers below the number of
//! states are states, and each is the prefix of itself. Equal prefixes of different rules, whatever their parents, are
//! one symbol; the parent is added when a rule is complete.

use hashbrown::HashMap;

use super::super::error::OracleError;
use super::super::lpcfg::{Expansions, LatentGrammar};
use crate::ids::Id;

/// The prefix tree of the rules of a grammar.
#[derive(Clone, Debug)]
pub(super) struct Prefixes {
    pub(super) states: usize,
    /// For each symbol, the possible next states, in order, with the resulting prefix.
    continuations: Vec<Vec<(u32, u32)>>,
    /// For each symbol, the parents whose rule it completes, with the probability of the rule.
    completions: Vec<Vec<(u32, f64)>>,
    /// For each state, its rank in an order in which the child of a unary rule precedes the parent.
    pub(super) ranks: Vec<u32>,
    /// The state of each rank.
    pub(super) by_rank: Vec<u32>,
}

impl Prefixes {
    pub(super) fn new(grammar: &LatentGrammar) -> Result<Self, OracleError> {
        let states = grammar.state_count();
        let mut prefixes = Self {
            states,
            continuations: vec![Vec::new(); states],
            completions: vec![Vec::new(); states],
            ranks: Vec::new(),
            by_rank: Vec::new(),
        };
        let mut known: HashMap<(u32, u32), u32> = HashMap::new();
        for parent in grammar.states() {
            let Expansions::Phrase(rules) = grammar.expansions(parent) else { continue };
            for rule in rules {
                let mut children = rule.children.iter().map(|child| child.index() as u32);
                let Some(mut prefix) = children.next() else { continue };
                for child in children {
                    let next = prefixes.completions.len() as u32;
                    prefix = *known.entry((prefix, child)).or_insert_with(|| {
                        prefixes.continuations[prefix as usize].push((child, next));
                        prefixes.continuations.push(Vec::new());
                        prefixes.completions.push(Vec::new());
                        next
                    });
                }
                prefixes.completions[prefix as usize].push((parent.index() as u32, rule.probability));
            }
        }
        prefixes.continuations.iter_mut().for_each(|list| list.sort_unstable());
        prefixes.rank(grammar)?;
        Ok(prefixes)
    }

    /// Orders the states along the unary rules, those without any first.
    fn rank(&mut self, grammar: &LatentGrammar) -> Result<(), OracleError> {
        let mut children = vec![0_u32; self.states];
        for &(parent, _) in self.completions[..self.states].iter().flatten() {
            children[parent as usize] += 1;
        }
        let mut order: Vec<u32> =
            (0..self.states as u32).filter(|&state| children[state as usize] == 0).collect();
        let mut done = 0;
        while let Some(&state) = order.get(done) {
            done += 1;
            for &(parent, _) in &self.completions[state as usize] {
                children[parent as usize] -= 1;
                if children[parent as usize] == 0 {
                    order.push(parent);
                }
            }
        }
        if let Some(state) = grammar.states().find(|state| children[state.index()] > 0) {
            return Err(OracleError::Cycle { symbol: grammar.name(state).to_owned() });
        }
        self.ranks = vec![0; self.states];
        for (rank, &state) in order.iter().enumerate() {
            self.ranks[state as usize] = rank as u32;
        }
        self.by_rank = order;
        Ok(())
    }

    /// Number of symbols.
    pub(super) fn len(&self) -> usize {
        self.completions.len()
    }

    pub(super) fn is_state(&self, symbol: u32) -> bool {
        (symbol as usize) < self.states
    }

    pub(super) fn completions(&self, symbol: u32) -> &[(u32, f64)] {
        &self.completions[symbol as usize]
    }

    pub(super) fn continuations(&self, symbol: u32) -> &[(u32, u32)] {
        &self.continuations[symbol as usize]
    }
}
