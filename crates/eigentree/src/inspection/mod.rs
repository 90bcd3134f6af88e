//! What a model contains: sizes, rules, words, latent states with their spectra, clusters, automata.
//!
//! [`FileDescription`] describes any model file by its sections. [`Model::inspect`](crate::Model::inspect) looks inside
//! a model and returns [`Contents`]: typed values for a program, each with a `to_json` for other surfaces. A [`Request`]
//! says what to show and how much of it; [`OverviewQuery`] and its like are questions in the form of JSON, for services and
//! pages. [`automaton_graphs`] draws head automata. [`active_states`] tells which states are active at the nodes of a tree.
//! [`Theory`] has what the theorems say of a model. [`Verification`] looks for what is wrong in a file.
//!
//! ```
//! use eigentree::Model;
//! use eigentree::config::PcfgConfig;
//! use eigentree::inspection::{Contents, Request};
//! use eigentree::learn::Silent;
//! use eigentree::sampling::sample_english;
//! use eigentree::training::{Job, PcfgJob};
//!
//! let trained = PcfgJob::new(PcfgConfig::default()).run(&sample_english(200, 1), None, &mut Silent)?;
//! let model = Model::from(trained.model);
//! let contents = model.inspect(&Request::default().symbol("NP").top(3))?;
//! let Contents::Grammar(grammar) = &contents else { panic!("a grammar") };
//! assert_eq!(grammar.symbols[0].expansions[0].top.len(), 3);
//! assert!(contents.to_json()["symbols"]["NP"]["rules"]["count"].is_u64());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod abilities;
mod active;
mod automata;
mod clusters;
mod contents;
mod error;
mod figure;
mod file;
mod grammar;
mod graphs;
mod queries;
mod request;
mod sequence;
mod states;
mod theory;
mod verification;

pub use active::active_states;
pub use automata::{AutomataContents, AutomatonSummary, LexicalSize};
pub use clusters::{ClusterContents, ClusterGroup, ClusterSelection, SelectedClusters};
pub use contents::Contents;
pub use error::{InspectionError, Topic};
pub(crate) use figure::{figure, figures};
pub use file::{FileDescription, SectionDescription};
pub use grammar::{Expansion, ExpansionKind, Expansions, GrammarContents, SymbolContents};
pub use graphs::{AutomatonGraph, automaton_graphs, probable_graphs};
pub use queries::{AutomataQuery, ClusterQuery, OverviewQuery, QueryError, SymbolQuery};
pub use request::Request;
pub use sequence::{MixtureComponent, SequenceContents};
pub use theory::{Decomposed, Theory};
pub use verification::{SavedAgain, Verification};
