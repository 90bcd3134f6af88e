//! `train`: read, learn, save, score.

mod command;
mod deptree;
mod head_automata;
mod lpcfg;
mod mst;
mod ner;
mod pcfg;
mod pipeline;
mod reranker;
mod sequence;
mod tagger;
mod treebank;

pub(super) use command::run;
