//! Head automata: figures 1 to 3 and table 1 of Luque et al. (2012), on any treebank.
//!
//! | of the paper | here |
//! |---|---|
//! | figure 1: tags alone | the spectral method and EM for several numbers of states, EM after several numbers of steps, DET and DET+F beside them |
//! | figure 2: with words | LEX, LEX+F and LEX+FCP alone, and beside the spectral method for several numbers of states |
//! | equation 21 | weight 1 for words as in the paper, beside the weight that is best on the development set |
//! | figure 3 | the graph of the left modifiers of NN, as a table and drawn |
//! | footnote 7: Viterbi against marginals | the best of each learner by three objectives |
//! | table 1: the test set | the choices made on the development set, if there is a test set |
//! | training times | processor seconds without reading, which all share |
//!
//! ```
//! use corpus::format::conllu::ConlluReader;
//! use eigentree_compare::{NoMeter, head_automata};
//! use eigentree::learn::Silent;
//! let text = "1\tdogs\t_\tNOUN\t_\t_\t2\tnsubj\t_\t_\n2\tbark\t_\tVERB\t_\t_\t0\troot\t_\t_\n\n".repeat(9);
//! let trees: Vec<_> = ConlluReader::new(text.as_bytes(), "text").collect::<Result<_, _>>()?;
//! let config = head_automata::Config { states: vec![1], em_steps: vec![2], ..head_automata::Config::default() };
//! let report = head_automata::compare(&config, &head_automata::Data { train: &trees, dev: &trees, test: None }, &mut Silent, &NoMeter)?;
//! assert_eq!(report.runs[0].learner, "det");
//! assert_eq!(report.runs[0].dev.uas, 100.0);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod config;
mod experiment;
mod graph;
mod published;
mod report;
mod run;
mod tables;

pub use config::{Config, Data, Lexicon};
pub use experiment::HeadAutomataExperiment;
pub use graph::{DrawnGraph, HeadGraph};
pub use report::{Combined, Decoded, Report, Run, Score};
pub use run::compare;
