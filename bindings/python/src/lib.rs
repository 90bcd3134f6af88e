//! The extension module of the Python package `eigentree`.
//!
//! It mirrors the facade crate `eigentree` name for name and holds no algorithm: arguments become typed values, the
//! facade does the work with the interpreter lock released, results become Python objects that view the facade's. The
//! commands of the program (training, evaluation, comparisons) are called through `eigentree_cli::calls`, so that
//! keyword arguments are the options of the command line, with the same defaults and messages.
//!
//! No thread outlives a call, so the package is safe to use after `fork`.

mod annotator;
mod call;
mod clusters;
mod columns;
mod counts;
mod document;
mod entity;
mod exception;
mod json;
mod model;
mod pipe;
mod sentence;
mod sequence;
mod sequence_protocol;
mod sound;
mod svd;
mod tree;
mod views;
mod watch;
mod word;

use pyo3::prelude::*;

/// Latent-variable models of language learnt by spectral methods.
#[pymodule]
mod _native {
    #[pymodule_export]
    use super::annotator::{Annotator, Parser, Pipeline, Tagger};
    #[pymodule_export]
    use super::call::{call, definition};
    #[pymodule_export]
    use super::clusters::Clusters;
    #[pymodule_export]
    use super::columns::annotate_rows;
    #[pymodule_export]
    use super::counts::{Counter, Counts};
    #[pymodule_export]
    use super::document::Document;
    #[pymodule_export]
    use super::entity::Entity;
    #[pymodule_export]
    use super::model::{Model, load, model_from_bytes, model_from_file};
    #[pymodule_export]
    use super::pipe::Pipe;
    #[pymodule_export]
    use super::sentence::{Alternative, Sentence};
    #[pymodule_export]
    use super::sequence::SequenceModel;
    #[pymodule_export]
    use super::svd::truncated_svd;
    #[pymodule_export]
    use super::tree::Tree;
    #[pymodule_export]
    use super::word::Word;

    /// Version of the package.
    #[pymodule_export]
    #[expect(non_upper_case_globals, reason = "its name in Python")]
    const __version__: &str = env!("CARGO_PKG_VERSION");
}
