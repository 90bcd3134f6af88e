//! The examples: each has a test of its own that runs it.

#[path = "../../examples/clusters.rs"]
mod clusters;
#[path = "../../examples/head_automata.rs"]
mod head_automata;
#[path = "../../examples/latent_trees.rs"]
mod latent_trees;
#[path = "../../examples/pipeline.rs"]
mod pipeline;
#[path = "../../examples/sequences.rs"]
mod sequences;
#[path = "../../examples/tagger.rs"]
mod tagger;
#[path = "../../examples/train_lpcfg.rs"]
mod train_lpcfg;
#[path = "../../examples/train_mst.rs"]
mod train_mst;
