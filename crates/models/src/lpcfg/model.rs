//! The model: grammars, each with one or more sets of latent parameters.

use super::parameters::Parameters;
use crate::pcfg::Pcfg;

/// A grammar of a treebank with latent refinements of it.
///
/// The grammar knows symbols, rules and words, and prunes; each member gives its rules tensors.
#[derive(Clone, Debug)]
pub(crate) struct Refined {
    pub(super) grammar: Pcfg,
    pub(super) members: Vec<Parameters<f32>>,
}

/// A latent-variable PCFG: one model, or several whose posteriors are multiplied.
///
/// Members that share a normal form stand below one [`Pcfg`]; the first grammar is the one whose trees are built.
#[derive(Clone, Debug)]
pub struct Lpcfg {
    pub(super) grammars: Vec<Refined>,
}

impl Lpcfg {
    /// The grammar whose trees are built.
    pub fn grammar(&self) -> &Pcfg {
        &self.grammars[0].grammar
    }

    /// How many models there are.
    pub fn members(&self) -> usize {
        self.grammars.iter().map(|refined| refined.members.len()).sum()
    }

    /// How many numbers the tensors of all models have.
    pub fn tensor_size(&self) -> usize {
        self.grammars.iter().flat_map(|refined| &refined.members).map(|member| member.tensors.len()).sum()
    }
}
