//! Errors of grammars, models and sampling.

use std::fmt;

use crate::error::Position;

/// An invalid grammar, with the position in its text if there is one.
#[derive(Clone, PartialEq, Debug)]
pub struct GrammarError {
    /// Position, if the grammar was read from text.
    pub position: Option<Position>,
    /// The problem.
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

/// Kinds of problems in a grammar.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub enum GrammarProblem {
    /// The text does not follow the format.
    #[error("expected {expected}, found {found}")]
    Syntax {
        /// What the format requires there.
        expected: String,
        /// What was found instead.
        found: String,
    },
    /// A symbol is used but has neither rules nor words.
    #[error("nothing defines {symbol}; give it rules (->) or words (=>), or correct its name")]
    Undefined {
        /// The symbol with its hidden state.
        symbol: String,
    },
    /// No derivation from the root reaches a symbol.
    #[error("{symbol} cannot be reached from the root; use it in a rule or remove it")]
    Unreachable {
        /// The symbol with its hidden state.
        symbol: String,
    },
    /// A weight is not a positive number.
    #[error("the weight {text} is not a positive finite number; remove alternatives that should never occur")]
    Weight {
        /// The weight as it was given.
        text: String,
    },
    /// Sampling would not terminate: the expected tree is infinite.
    #[error(
        "the recursion through {symbol} does not terminate: each {symbol} yields {growth:.3} others on average, \
         which must be below 1; lower the weight of the recursive rules"
    )]
    NonTerminating {
        /// A symbol of the recursion.
        symbol: String,
        /// The spectral radius of the mean matrix of the recursion.
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
        /// The name without the `$`.
        name: String,
    },
    /// A fragment contains itself.
    #[error("the fragment {name} contains itself; only categories may be recursive")]
    FragmentLoop {
        /// The fragment with its features.
        name: String,
    },
    /// A word occurs twice in one list.
    #[error("the word {word} occurs twice in this list; give it a weight instead")]
    DuplicateWord {
        /// The entry as written.
        word: String,
    },
    /// The number of forms of an entry differs from the number of columns of its list.
    #[error("the entry {entry} has {found} forms, but the list has {expected} columns")]
    Columns {
        /// The entry as written.
        entry: String,
        /// Number of columns of the list.
        expected: usize,
        /// Number of forms of the entry.
        found: usize,
    },
    /// Variables and fragments expand to too many rules.
    #[error(
        "the grammar expands to more than {limit} rules, or to a rule with too many children; use fewer variables or fragments per rule"
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

/// Why no tree or sequence could be sampled.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SampleError {
    /// Every attempt exceeded the length limit.
    #[error("{attempts} attempts in a row gave more than {max_words} words; raise the limit")]
    TooLong {
        /// The limit in words.
        max_words: usize,
        /// Number of attempts.
        attempts: usize,
    },
}

/// Why a grammar cannot be used for parsing.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum OracleError {
    /// Unary rules form a cycle.
    #[error(
        "unary rules lead from {symbol} back to it, so a sentence has infinitely many derivations; remove one of \
         these rules"
    )]
    Cycle {
        /// A symbol of the cycle, or one above it.
        symbol: String,
    },
}

/// Why parameters are not a probabilistic model.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub enum ParameterError {
    /// A list has the wrong number of entries.
    #[error("{what} has {found} entries instead of {expected}")]
    Shape {
        /// The parameter.
        what: &'static str,
        /// Expected number of entries.
        expected: usize,
        /// Actual number of entries.
        found: usize,
    },
    /// A distribution has a negative or undefined entry, or does not sum to 1.
    #[error("{what} number {index} is not a distribution: its entries sum to {sum}")]
    Distribution {
        /// The parameter.
        what: &'static str,
        /// Index of the distribution, counted from 0.
        index: usize,
        /// Its sum.
        sum: f64,
    },
    /// The expected length of a sequence is infinite.
    #[error("from state {state} the model may never stop; raise its stopping probability")]
    NonTerminating {
        /// A state of the recursion.
        state: usize,
    },
}

/// Checks that `rows` has `count` distributions over `outcomes` outcomes each.
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
