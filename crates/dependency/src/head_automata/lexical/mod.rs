//! Lexicalised deterministic automata: LEX, LEX+F and LEX+FCP.
//!
//! A modifier `a` with tag `t_a` and word `w_a` has the probability (Luque et al. 2012, section 5.2)
//!
//! ```text
//! P(a | h, d, σ) = P_A(t_a | h, d, σ) · P_B(w_a | t_a, h, d, σ)
//! ```
//!
//! where `P_A` (STOP is one of its outcomes) backs off from `{w_h, t_h, d, σ}` to `{t_h, d, σ}`, and `P_B` from `{t_a,
//! w_h, t_h, d, σ}` to `{t_a, t_h, d, σ}` to `{t_a}`. As in Collins (1999) a level seen `c` times with `u` different
//! outcomes gets the share `c / (c + 5u)` of the mass that the levels above left. Below the last level is the uniform
//! distribution, so that nothing is impossible. Rare and unknown words are treated as one word. A conditioning word
//! always comes with its tag, as words with several tags would otherwise mix.
//!
//! Three more factors go beyond the paper. With clusters of words, `P_A` also backs off to `{c_h, t_h, d, σ}`, and the cluster
//! of a modifier is compared with what is usual for its tag:
//!
//! ```text
//! P_C(c_a | t_a, c_h, t_h, d) / P_C(c_a | t_a)
//! ```
//!
//! where `P_C` backs off from the cluster `c_h` of the head to its branch of the hierarchy, to its tag, to nothing. Where
//! positions count, the [place](super::geometry) of an arc and the coarse tags of the words beyond its two ends have
//! probabilities given `{t_a, t_h, d}`, which back off to `{t_a, d}`. Each factor has an exponent of its own.

mod contexts;
mod counting;
mod lexemes;
mod probabilities;
mod scoring;

use corpus::ids::{TagId, WordId};
use corpus::vocab::Vocab;
use hashbrown::HashMap;
use models::representations::ClusterPaths;

use super::config::{Geometry, Memory};
use super::factors::MAX_CLASSES;
use contexts::Context;

pub(super) use contexts::Seen;
pub(super) use lexemes::{Lexeme, VerbTags};

type Map<K, V> = HashMap<K, V, foldhash::fast::FixedState>;

/// A lexicalised model.
#[derive(Clone, Debug)]
pub struct Lexical {
    pub(super) memory: Memory,
    pub(super) geometry: Geometry,
    pub(super) diversity: f64,
    pub(super) verb_tags: VerbTags,
    pub(super) words: Vocab<WordId>,
    pub(super) tags: Vocab<TagId>,
    pub(super) clusters: Option<ClusterPaths>,
    pub(super) contexts: Map<Context, u32>,
    pub(super) seen: Vec<Seen>,
    /// By context and outcome.
    pub(super) events: Map<(u32, u32), u32>,
}

impl Lexical {
    /// The number of classes of previous modifiers that it distinguishes.
    pub(super) fn classes(&self) -> usize {
        match self.memory {
            Memory::Nothing | Memory::First => 1,
            Memory::FirstCoordinationPunctuation => MAX_CLASSES,
        }
    }

    /// The memory of the automata.
    pub fn memory(&self) -> Memory {
        self.memory
    }

    /// The numbers of contexts and of events counted.
    pub fn size(&self) -> (usize, usize) {
        (self.contexts.len(), self.events.len())
    }

    /// The state of the automaton after a modifier; before any it is 0.
    fn state_after(&self, modifier: Lexeme) -> usize {
        match self.memory {
            Memory::Nothing => 0,
            Memory::First => 1,
            Memory::FirstCoordinationPunctuation => 1 + usize::from(modifier.class),
        }
    }
}
