//! Active learning: which sentences to annotate next.
//!
//! A model annotates a pool of raw sentences and says how sure it is of each word ([`candidate`]). [`choose`] then picks
//! sentences greedily. With the doubt *d*(*w*) = 1 − confidence of each word, a sentence *s* is worth
//!
//! > Σ_*w* *d*(*w*) / (1 + *n*(*w*)) / (|*s*| + 3),
//!
//! where *n*(*w*) counts the occurrences of the word in the sentences picked so far. The sum is the expected number of
//! errors; the division by *n* makes the choice diverse, since a second occurrence of a hard word teaches less; and the
//! division by the length is the price of annotation, words plus a constant per sentence. This is uncertainty sampling
//! (Lewis and Gale 1994) with a feature-coverage term like that of submodular data selection (Wei et al. 2015). The worth
//! of a sentence only falls as others are picked, so a lazy greedy search is exact.

mod candidate;
mod choose;
mod config;

pub use candidate::{Annotated, Candidate, Preannotator, candidate, pool_of, write_selected};
pub use choose::choose;
pub use config::{SelectConfig, Strategy};
