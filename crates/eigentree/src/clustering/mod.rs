//! Word clusters: from texts or counts to a model, and from a model to files for other tools.
//!
//! ```
//! use eigentree::clustering::{GatherConfig, gather, learn, write_paths};
//! use eigentree::config::{ClusterConfig, ClusterMethod};
//! use eigentree::learn::Silent;
//! let folder = tempfile::tempdir()?;
//! let text = folder.path().join("a.txt");
//! std::fs::write(&text, "the dog barks\na dog sleeps\nthe cat sleeps\n")?;
//! let gathered = gather(&[&text], &GatherConfig::default(), &mut Silent)?;
//! let config = ClusterConfig { method: ClusterMethod::Exchange, clusters: 3, ..ClusterConfig::default() };
//! let learned = learn(gathered.counted, &config, &mut Silent)?;
//! let mut paths = Vec::new();
//! write_paths(&learned.model, &mut paths)?;
//! assert_eq!(String::from_utf8(paths)?.lines().count(), 6);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod evaluate;
mod gather;
mod groups;
mod learn;
mod paths;
mod picture;
mod score;
mod tree;
mod vectors;
mod work;

pub use evaluate::{Agreement, Information, WordClusters};
pub use gather::{GatherConfig, Gathered, USUAL_VOCAB, VocabChoice, gather};
pub use groups::{Group, groups_at, groups_below, neighbours_of};
pub use learn::{Clusters, learn, learn_in, memory_of, method_name};
pub use paths::{clusters_in_order, paths_of, read_clusters, write_paths};
pub use picture::{PictureConfig, draw, draw_html, draw_svg};
pub use score::{TextScore, sample_text, score_text};
pub use tree::write_tree;
pub use vectors::{VectorOutput, read_vectors, word_vectors};
pub use work::Work;
