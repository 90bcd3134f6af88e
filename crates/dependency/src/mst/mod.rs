//! Discriminative dependency parsing: maximum spanning trees by scores of arcs and their neighbourhood.
//!
//! ```text
//! y* = argmax_y Σ_{p ∈ parts(y)} w·φ(x, p)
//! ```
//!
//! A part is an arc; in second order also an arc with its inner sibling, with the arc above it, with both, and the end
//! of a head's modifiers. `φ` are the features of R. McDonald, K. Crammer and F. Pereira (ACL 2005) and their
//! successors over words, tags, morphology, neighbours and the words in between, hashed into one table without a
//! dictionary.
//!
//! | stage | purpose | learnt by |
//! |---|---|---|
//! | `pruner` | selects the candidate heads of each word in learning, and in parsing without a network | maximum likelihood of each word's head |
//! | `network` | selects the candidate heads in parsing, and scores arcs and labels beside the features | maximum likelihood of heads and labels |
//! | `search` | finds the best tree over these (Eisner, Chu–Liu–Edmonds, second order) | averaged large-margin updates |
//! | `labels` | a label for every arc of the tree | averaged large-margin updates |
//! | `choice` | selects among the best trees by their labels | one weight, fixed |
//!
//! Departures from MSTParser: candidates are pruned by a separate light model; features have no dictionary; the
//! modifiers of a head end with a score; labels are chosen given the whole tree. Non-projective trees are found
//! directly (first order) or through labels that record what was lifted.
//!
//! ```
//! use corpus::format::conllu::ConlluReader;
//! use eigentree_dependency::arcs::Word;
//! use models::learn::{Learner, Silent};
//! use eigentree_dependency::mst::{MstConfig, MstLearner, Parser, Quality, Scratch};
//! let text = "1\tDogs\tdog\tNOUN\tNNS\t_\t2\tnsubj\t_\t_\n2\tbark\tbark\tVERB\tVBP\t_\t0\troot\t_\t_\n\n";
//! let treebank: Vec<_> = ConlluReader::new(text.as_bytes(), "-").collect::<Result<_, _>>()?;
//! let config = MstConfig { bits: 12, ..MstConfig::quality(Quality::Fast) };
//! let model = MstLearner { config, ..Default::default() }.learn(&treebank, &mut Silent)?.model;
//! let parse = Parser::new(&model).parse(&Word::of_sentence(&treebank[0]), &mut Scratch::default()).unwrap();
//! assert_eq!(parse.heads.iter().map(|head| head.number()).collect::<Vec<_>>(), [2, 0]);
//! assert_eq!(model.labels().text(parse.labels[0]), "nsubj");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod arc_features;
mod calibration;
mod choice;
mod clusters;
mod config;
mod difference;
mod examples;
mod hashing;
mod label_rows;
mod labels;
mod learner;
mod long_sentences;
mod model;
mod neighbour_features;
mod network;
mod parser;
mod persist;
mod prefetch;
mod pruner;
mod search;
mod weights;
mod words;

pub use clusters::{ClusterPaths, VECTOR_SIGNS};
pub use config::{Choice, MstConfig, Order, PruningConfig, Structure};
pub use learner::MstLearner;
pub use long_sentences::MAX_WORDS;
pub use model::Mst;
pub use models::quality::Quality;
pub use network::{Mix, NetworkConfig};
pub use parser::{Parser, Scratch};
pub use words::Lemmas;
