//! Using a model, one sentence at a time: open, ask for a view, parse.
//!
//! [`Model::parser`](crate::Model::parser) makes a [`Parser`] of every model that builds trees, whatever its family, and all of
//! them return a [`Parse`]. Other views are the families themselves: [`Model::tagger`](crate::Model::tagger),
//! [`Model::pipeline`](crate::Model::pipeline), [`Model::clusters`](crate::Model::clusters) and so on. A model of another kind gives
//! an error that says what the file holds and what would serve.
//!
//! ```
//! use eigentree::learn::Silent;
//! use eigentree::training::{Job, PcfgJob};
//!
//! let trees = ["(S (NP (DT the) (NN dog)) (VP (VBZ barks)))", "(S (NP (NN time)) (VP (VBZ flies)))"];
//! let trees = trees.map(|tree| tree.parse()).into_iter().collect::<Result<Vec<_>, _>>()?;
//! let model = PcfgJob::default().run(&trees, None, &mut Silent)?.into_model();
//!
//! let parse = model.parser()?.parse("the dog flies")?;
//! assert_eq!(parse.to_string(), "(S (NP (DT the) (NN dog)) (VP (VBZ flies)))");
//! let tree = parse.tree().expect("a grammar builds trees of phrases");
//! assert_eq!(tree.tags().collect::<Vec<_>>(), ["DT", "NN", "VBZ"]);
//! assert!(model.tagger().unwrap_err().to_string().contains("a grammar"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`parsing`](crate::parsing), [`dependency_parsing`](crate::dependency_parsing) and [`tagging`](crate::tagging) work on whole
//! streams with all threads.

mod parse;
mod parser;
mod views;

pub use parse::Parse;
pub(crate) use parser::Builder;
pub use parser::{Parser, ParserScratch};
