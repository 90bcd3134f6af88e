//! Commands called by other programs, such as the Python package: the options, defaults, messages and work of the
//! command line, without its printing.
//!
//! ```
//! use eigentree::learn::Silent;
//! use eigentree_cli::calls::call;
//! let folder = tempfile::tempdir()?;
//! let (trees, model) = (folder.path().join("a.ptb"), folder.path().join("a.eig"));
//! std::fs::write(&trees, "(S (NP (NN time)) (VP (VBZ flies)))\n")?;
//! let arguments = ["train".as_ref(), "pcfg".as_ref(), trees.as_os_str(), "-o".as_ref(), model.as_os_str()];
//! let summary = call(&arguments, Box::new(Silent))?;
//! assert!(summary["model_bytes"].as_u64() > Some(0) && model.exists());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod call;
mod definition;

pub use call::{CallError, call};
pub use definition::{OptionDefinition, OptionValues, definition};
