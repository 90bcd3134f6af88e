//! `train`: read, learn, save, score.

mod command;
mod lpcfg;
mod ner;
mod pcfg;
mod pipeline;
mod tagger;

pub(super) use command::run;
