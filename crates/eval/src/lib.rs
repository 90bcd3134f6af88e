//! Gold annotation against predicted annotation: the metrics, whether a difference means anything, and the report.
//!
//! | module | measures | after the conventions of |
//! |---|---|---|
//! | [`brackets`] | labelled brackets, exact match, crossing brackets, tags in trees | EVALB with `COLLINS.prm` |
//! | [`counts`] | precision, recall, F1, and the sentence-wise ratios that all metrics are made of | |
//! | [`report`] | nothing; it renders the rest as text, Markdown and JSON | |
//!
//! Every result keeps one record a sentence, so that subsets by length and [`significance`] tests need no second pass
//! over the data. A figure whose denominator is zero is 0, as in the scripts that these metrics come from. Nothing here
//! knows a model, and nothing prints.

pub mod brackets;
pub mod counts;
pub mod error;
pub mod report;
