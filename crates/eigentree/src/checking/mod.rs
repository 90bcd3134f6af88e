//! Checks of treebanks before training: invalid trees, rare labels, duplicates across splits, inconsistent annotation.
//!
//! [`check`] reads files of any format with annotation and returns a [`CheckReport`] of [`Finding`]s. The first file is
//! the training data, the others are held out.
//!
//! Inconsistent annotation is found by variation n-grams (Dickinson and Meurers 2003): a word that occurs several times
//! within the same words, but with different labels, is either ambiguous there or an annotation error, and the longer
//! the common context, the more likely an error. The context here grows on both sides alike.
//!
//! ```
//! use eigentree::checking::{CheckConfig, check};
//! use eigentree::learn::Silent;
//! let folder = tempfile::tempdir()?;
//! let path = folder.path().join("cycle.conllu");
//! std::fs::write(&path, "1\ta\t_\tDET\t_\t_\t2\tdet\t_\t_\n2\tb\t_\tNOUN\t_\t_\t1\troot\t_\t_\n\n")?;
//! let report = check(&[path], &CheckConfig::default(), &mut Silent)?;
//! assert!(report.findings.iter().any(|finding| finding.kind == "cycle"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod config;
mod dependencies;
mod duplicates;
mod entities;
mod finding;
mod item;
mod labels;
mod report;
mod run;
mod trees;
mod variation;

pub use config::CheckConfig;
pub use finding::{Finding, Severity};
pub use report::{CheckReport, CheckedFile};
pub use run::check;
