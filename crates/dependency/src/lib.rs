//! Dependency parsers, latent dependency trees and re-ranking.
//!
//! [`arcs`] holds the decoding that all of them share: scores of arcs, the best tree, the k best trees, posteriors. The
//! families are [`mst`] (discriminative, first and second order), [`head_automata`] (split head automata with hidden
//! states), [`deptree`] (latent trees over words) and [`reranker`] (chooses among the k best trees).

pub mod arcs;
pub mod deptree;
pub mod head_automata;
pub mod mst;
pub mod reranker;
