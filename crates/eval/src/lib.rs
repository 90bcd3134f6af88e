//! Evaluation of predicted annotation against gold annotation: metrics, significance tests, reports.
//!
//! | module | measures | after the conventions of |
//! |---|---|---|
//! | [`brackets`] | labelled brackets, exact match, crossing brackets, tags in trees | EVALB with `COLLINS.prm` |
//! | [`attachment`] | UAS, LAS, CLAS, MLAS, BLEX, tags, features, lemmas | the CoNLL 2018 shared task |
//! | [`alignment`] | the same where tokens and sentences differ, and those themselves | the CoNLL 2018 shared task |
//! | [`tagging`] | tags of known and unknown words, confusions | |
//! | [`entities`] | typed spans from IOB, IOE and BIOES tags | `conlleval` |
//! | [`clustering`] | V-measure, many-to-one, variation of information | |
//! | [`likelihood`] | perplexity, bits per symbol | |
//! | [`diagnosis`] | where a prediction is wrong: by class and length, confusions, sentence by sentence | |
//! | [`significance`] | whether two systems differ: the paired bootstrap | |
//! | [`counts`] | precision, recall, F1, and the sentence-wise ratios that all metrics are made of | |
//! | [`report`] | renders the results as text, Markdown and JSON | |
//!
//! Every result keeps one record per sentence, so subsets by length and [`significance`] tests need no second pass over
//! the data. A figure whose denominator is zero is 0, as in the scripts that define these metrics. This crate knows no
//! models and prints nothing.

pub mod alignment;
pub mod attachment;
pub mod brackets;
pub mod clustering;
pub mod counts;
pub mod diagnosis;
pub mod entities;
pub mod error;
pub mod likelihood;
mod paired;
pub mod report;
pub mod significance;
pub mod tagging;
