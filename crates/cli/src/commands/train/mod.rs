//! `train`: read, learn, save, score.

mod command;
mod deptree;
mod lpcfg;
mod mst;
mod ner;
mod pcfg;
mod pipeline;
mod reranker;
mod sequence;
mod shag;
mod tagger;
mod treebank;

pub(super) use command::run;
