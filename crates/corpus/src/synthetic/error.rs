//! What can be wrong with a grammar, and why a sample may not come.

use std::fmt;

use crate::error::Position;

/// A grammar that cannot be used, with the place in its text where there is one.
#[derive(Clone, PartialEq, Debug)]
pub struct GrammarError {
    /// Where, if the grammar came from text.
    pub position: Option<Position>,
    /// What is wrong.
    pub problem: GrammarProblem,
}

impl fmt::Display for GrammarError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.position {
            Some(position) => write!(f, "grammar:{position}: {}", self.problem),
            None => write!(f, "grammar: {}", self.problem),
        }
    }
}

impl std::error::Error for GrammarError {}

/// The kinds of mistakes in a grammar.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub enum GrammarProblem {
    /// The text does not follow the format.
    #[error("expected {expected}, found {found}")]
    Syntax {
        /// What the format wants there.
        expected: String,
        /// What stood there instead.
        found: String,
    },
    /// A symbol is used but has neither rules nor words.
    #[error("nothing defines {symbol}; give it rules (->) or words (=>), or correct its name")]
    Undefined {
        /// The symbol with its hidden state.
        symbol: String,
    },
    /// A symbol is defined but no derivation from the root reaches it.
    #[error("{symbol} is never reached from the root; use it in a rule or remove it")]
    Unreachable {
        /// The symbol with its hidden state.
        symbol: String,
    },
    /// A weight is not a positive number.
    #[error("the weight {text} is not a positive finite number; remove what should never happen")]
    Weight {
        /// The weight as it was given.
        text: String,
    },
    /// Sampling would not end: the expected tree is infinite.
    #[error(
        "the recursion through {symbol} does not end: each turn yields {growth:.3} of itself on average, \
         which must be below 1; lower the weight of the recursive rules"
    )]
    NonTerminating {
        /// A symbol of the recursion.
        symbol: String,
        /// The spectral radius of the recursion's mean matrix.
        growth: f64,
    },
    /// No root was declared.
    #[error("no root is declared; add a line such as `%root S`")]
    NoRoot,
    /// A surface label has rules in one place and words in another.
    #[error("{label} has both rules and words; a tag has words, a phrase has rules")]
    Mixed {
        /// The surface label.
        label: String,
    },
    /// A variable was not declared.
    #[error("the variable ${name} is not declared; add a line such as `%var {name} = sg pl`")]
    UnknownVariable {
        /// The name without the sign.
        name: String,
    },
    /// A fragment contains itself.
    #[error("the fragment {name} contains itself; only categories may recur")]
    FragmentLoop {
        /// The fragment with its features.
        name: String,
    },
    /// A word stands twice in one list.
    #[error("the word {word} stands twice in this list; give it a weight instead")]
    DuplicateWord {
        /// The entry as written.
        word: String,
    },
    /// An entry has another number of forms than its list has columns.
    #[error("the entry {entry} has {found} forms, the list has {expected} columns")]
    Columns {
        /// The entry as written.
        entry: String,
        /// Columns of the list.
        expected: usize,
        /// Forms of the entry.
        found: usize,
    },
    /// Variables and fragments multiply out to too many rules.
    #[error(
        "more than {limit} rules, or a rule of very many children, after expansion; use fewer variables or fragments in one rule"
    )]
    TooLarge {
        /// The limit.
        limit: usize,
    },
}

impl GrammarProblem {
    pub(crate) fn at(self, position: Option<Position>) -> GrammarError {
        GrammarError { position, problem: self }
    }
}

/// Why no tree or sequence was drawn.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SampleError {
    /// Every attempt exceeded the length limit.
    #[error("{attempts} attempts in a row gave more than {max_words} words; raise the limit")]
    TooLong {
        /// The limit in words.
        max_words: usize,
        /// How often it was tried.
        attempts: usize,
    },
}

/// Why a grammar cannot be parsed with.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum OracleError {
    /// Rules of a single child lead from a symbol back to it.
    #[error(
        "rules of a single child lead from {symbol} back to it, so that a sentence has infinitely many derivations; \
         remove one of them"
    )]
    Cycle {
        /// A symbol of the cycle, or one above it.
        symbol: String,
    },
}

/// Parameters that do not make a probabilistic model.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub enum ParameterError {
    /// A list has the wrong number of entries.
    #[error("{what} has {found} entries instead of {expected}")]
    Shape {
        /// The parameter.
        what: &'static str,
        /// Entries it should have.
        expected: usize,
        /// Entries it has.
        found: usize,
    },
    /// A distribution has a negative or undefined entry, or does not sum to 1.
    #[error("{what} number {index} is not a distribution: its entries sum to {sum}")]
    Distribution {
        /// The parameter.
        what: &'static str,
        /// Which of them, from 0.
        index: usize,
        /// Its sum.
        sum: f64,
    },
    /// The expected sequence is infinite.
    #[error("from state {state} the model may never stop; raise its stopping probability")]
    NonTerminating {
        /// A state of the recursion.
        state: usize,
    },
}

/// Checks that `rows` has `count` distributions over `outcomes` things each.
pub(crate) fn check_rows(
    what: &'static str,
    rows: &[Vec<f64>],
    count: usize,
    outcomes: usize,
) -> Result<(), ParameterError> {
    check_len(what, rows.len(), count)?;
    for (index, row) in rows.iter().enumerate() {
        check_len(what, row.len(), outcomes)?;
        check_distribution(what, index, row.iter().copied())?;
    }
    Ok(())
}

pub(crate) fn check_len(what: &'static str, found: usize, expected: usize) -> Result<(), ParameterError> {
    if found == expected { Ok(()) } else { Err(ParameterError::Shape { what, expected, found }) }
}

pub(crate) fn check_distribution(
    what: &'static str,
    index: usize,
    entries: impl Iterator<Item = f64>,
) -> Result<(), ParameterError> {
    let (mut sum, mut proper) = (0.0, true);
    for entry in entries {
        proper &= (0.0..=1.0 + 1e-9).contains(&entry);
        sum += entry;
    }
    if proper && (sum - 1.0).abs() < 1e-9 {
        Ok(())
    } else {
        Err(ParameterError::Distribution { what, index, sum })
    }
}
