//! What learning will need, said before it.
//!
//! The tensors of all rules grow with the cube of the number of states; beside them each node of the treebank has vectors as long as
//! its symbol has states. Both follow from the treebank and the configuration before anything is decomposed.

use super::config::Method;
use super::em::em_dims;
use super::estimate::parts;
use super::parameters::row_length;
use super::treebank::NumberedTreebank;
use crate::pcfg::Pcfg;

/// How to do with less.
pub(super) const LESS: &str = "fewer --states need less";

/// Bytes of one number of a tensor: 32 bits.
const NUMBER: u64 = 4;

/// About how many bytes learning all these members needs at its peak, beyond the treebank.
pub(super) fn expected(bank: &NumberedTreebank, grammar: &Pcfg, methods: &[Method]) -> u64 {
    let members: Vec<(u64, u64)> = methods.iter().map(|method| needs(bank, grammar, method)).collect();
    let kept: u64 = members.iter().map(|&(tensors, _)| tensors).sum();
    kept + members.iter().map(|&(_, work)| work).max().unwrap_or(0)
}

/// Bytes of the tensors of a member, and of what it needs only while it is learnt.
fn needs(bank: &NumberedTreebank, grammar: &Pcfg, method: &Method) -> (u64, u64) {
    let dims = largest_dims(bank, grammar, method);
    let dim = |symbol: usize| dims[symbol] as usize;
    let tensor = |[a, b, c]: [usize; 3]| dim(a) as u64 * row_length(dim(b), dim(c)) as u64;
    let tensors: u64 = grammar.rules().rules().iter().map(|&rule| tensor(parts(rule))).sum();
    let coordinates: u64 =
        bank.sites.iter().zip(&dims).map(|(nodes, &dim)| nodes.len() as u64 * u64::from(dim)).sum();
    // The inside and the outside vector, as projected and as what the projection gives way to.
    (NUMBER * tensors, 4 * NUMBER * coordinates)
}

/// The most states that each symbol may get.
fn largest_dims(bank: &NumberedTreebank, grammar: &Pcfg, method: &Method) -> Vec<u32> {
    let spectral = match method {
        Method::Em { states, .. } => return em_dims(bank, *states),
        Method::Spectral(spectral) | Method::Cluster { spectral, .. } => spectral,
    };
    let symbols = grammar.symbols();
    let limit = |symbol| spectral.limits.of(symbols.label(symbol)).unwrap_or(usize::MAX);
    let sites = bank.sites.iter().zip(symbols.iter());
    sites
        // No decomposition has a rank above the number of nodes.
        .map(|(nodes, symbol)| {
            spectral.rank(bank.weight_of(nodes)).min(limit(symbol)).min(nodes.len().max(1)) as u32
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use corpus::synthetic::{english, sample_treebank};
    use models::learn::{Observer, Progress, Silent};

    use super::super::config::{LpcfgConfig, SpectralConfig};
    use super::super::learner::LpcfgLearner;
    use super::*;

    #[test]
    fn tensors_are_as_large_as_foretold_or_smaller() {
        let trees = sample_treebank(english(), 300, 5).unwrap();
        let learner = LpcfgLearner { config: LpcfgConfig::default() };
        let base = learner.base(&learner.config.grammar, None, &trees, &mut Silent).unwrap();
        let (grammar, bank) = base.model;
        let foretold = |method: &Method| {
            let parameters =
                learner.member_in_stages(&bank, &grammar, method, &mut Progress::new(&mut Silent)).unwrap();
            (NUMBER * parameters.tensors.len() as u64, needs(&bank, &grammar, method).0)
        };
        let (is, told) = foretold(&Method::Em { states: 12, steps: 1, seed: 1 });
        assert_eq!(is, told, "EM takes all states that it may");
        let spectral = SpectralConfig { states: 12, ..SpectralConfig::default() };
        let (is, told) = foretold(&Method::Spectral(spectral));
        assert!((1..=told).contains(&is), "{is} bytes, {told} foretold");
    }

    #[test]
    fn a_learner_says_beforehand_what_all_members_need() {
        #[derive(Default)]
        struct Heard(Vec<u64>);
        impl Observer for Heard {
            fn memory(&mut self, bytes: u64, less: &str) {
                assert_eq!(less, LESS);
                self.0.push(bytes);
            }
        }
        let trees = sample_treebank(english(), 100, 5).unwrap();
        let expected = |members: usize| {
            let config = LpcfgConfig {
                members: (0..members)
                    .map(|seed| Method::Em { states: 6, steps: 1, seed: seed as u64 })
                    .collect(),
                companions: Vec::new(),
                spans: None,
                ..LpcfgConfig::default()
            };
            let mut heard = Heard::default();
            models::learn::Learner::learn(&LpcfgLearner { config }, &trees, &mut heard).unwrap();
            assert_eq!(heard.0.len(), 1);
            heard.0[0]
        };
        assert!(expected(3) > expected(1), "the members before are kept");
    }
}
