//! Context-free grammars: treebank grammars and grammars with latent states.
//!
//! Data flows from a treebank to counts ([`grammar`], [`lexicon`]), from counts to a model ([`pcfg`] by relative
//! frequency; [`lpcfg`] by the spectral method, by clustering or by EM), and from a sentence through the [`chart`] to
//! trees and [`marginals`]. [`spans`] chooses among the trees that a grammar finds plausible.

pub mod chart;
pub mod grammar;
pub mod lexicon;
pub mod lpcfg;
pub mod marginals;
pub mod pcfg;
pub mod spans;
