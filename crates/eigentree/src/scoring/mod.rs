//! Scores predictions against gold: from two corpora to a report, and from three to a comparison.
//!
//! The format decides what is measured: brackets of trees, attachment and tags of CoNLL-U, entities of BIO columns. The
//! metrics themselves are in [`eval`].
//!
//! ```
//! use eigentree::reading::Source;
//! use eigentree::scoring::{ScoringConfig, score};
//! let folder = tempfile::tempdir()?;
//! let (gold, predicted) = (folder.path().join("gold.ptb"), folder.path().join("predicted.ptb"));
//! std::fs::write(&gold, "(S (NP (NN time)) (VP (VBZ flies)))\n")?;
//! std::fs::write(&predicted, "(S (NP (NN time) (NNS flies)))\n")?;
//! let scored = score(Source::open(gold, None)?, Source::open(predicted, None)?, &ScoringConfig::default())?;
//! assert_eq!(scored.report().to_json_value()["brackets"]["matched"], 1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod compare;
mod config;
mod diagnose;
mod in_step;
mod score;

pub use compare::compare;
pub use config::{Punctuation, ScoringConfig, Tokens};
pub use diagnose::{Diagnosed, diagnose};
pub use score::{Scored, Scores, score, score_texts};
