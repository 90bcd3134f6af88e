//! Learning, from a treebank to a model.

use corpus::ids::Id;
use corpus::rare_words::{Detail, SentencePosition, signature};
use corpus::tree::Tree;
use corpus::vocab::VocabBuilder;

use super::config::{LpcfgConfig, Method, SpectralConfig};
use super::estimate::estimate;
use super::features::{Context, tag_number, tags_of};
use super::model::{Lpcfg, Refined};
use super::parameters::Parameters;
use super::profiles::ClassId;
use super::states::{States, project};
use super::treebank::{Treebank, UnknownRule};
use crate::learn::{LearnError, Learned, Learner, Observer, Progress};
use crate::pcfg::{Pcfg, PcfgLearner};

/// Learns latent-variable PCFGs.
#[derive(Clone, Debug, Default)]
pub struct LpcfgLearner {
    /// What it learns.
    pub config: LpcfgConfig,
}

impl Learner for LpcfgLearner {
    type Data = [Tree];
    type Model = Lpcfg;

    fn learn(&self, trees: &[Tree], observer: &mut dyn Observer) -> Result<Learned<Lpcfg>, LearnError> {
        let base = PcfgLearner { config: self.config.grammar.clone() }.learn(trees, observer)?;
        let grammar = base.model;
        let mut progress = Progress::new(observer);
        progress.stage("number nodes", None)?;
        let normal: Vec<Tree> =
            trees.iter().map(|tree| self.config.grammar.normal_form.apply(tree.clone())).collect();
        let weights = vec![1.0; normal.len()];
        let bank = Treebank::new(&normal, weights, &grammar, &self.config.heads)
            .map_err(|UnknownRule| LearnError::bad_data("the grammar lacks a rule of its own treebank"))?;
        progress.figure("nodes", bank.nodes.len() as f64);
        let mut members = Vec::new();
        for method in &self.config.members {
            members.push(self.member(&bank, &grammar, method, &mut progress)?);
        }
        Ok(progress.finish(Lpcfg { grammars: vec![Refined { grammar, members }] }))
    }
}

impl LpcfgLearner {
    fn member(
        &self,
        bank: &Treebank,
        grammar: &Pcfg,
        method: &Method,
        progress: &mut Progress<'_>,
    ) -> Result<Parameters<f32>, LearnError> {
        match method {
            Method::Spectral(config) => {
                let states = project_nodes(bank, grammar, config, progress)?;
                progress.stage("estimate", None)?;
                Ok(self.estimate(bank, grammar, &states))
            }
            Method::Cluster { spectral, steps: _ } => {
                let states = project_nodes(bank, grammar, spectral, progress)?;
                progress.stage("cluster", None)?;
                let hard = super::cluster::cluster(bank, &states, spectral.seed);
                progress.stage("estimate", None)?;
                Ok(self.estimate(bank, grammar, &hard))
            }
            Method::Em { .. } => Err(LearnError::bad_config("not built")),
        }
    }

    fn estimate(&self, bank: &Treebank, grammar: &Pcfg, states: &States<f32>) -> Parameters<f32> {
        let probabilities: Vec<f64> = grammar.weights().rules.iter().map(|&p| f64::from(p)).collect();
        estimate(bank, grammar, states, &probabilities, &self.config.smoothing)
    }
}

/// Features, decompositions, projections.
fn project_nodes(
    bank: &Treebank,
    grammar: &Pcfg,
    config: &SpectralConfig,
    progress: &mut Progress<'_>,
) -> Result<States<f32>, LearnError> {
    progress.stage("decompose", Some(bank.nodes.len() as u64))?;
    let signatures = word_classes(grammar);
    let phrases = grammar.symbols().phrases();
    let (tags, tag_starts) = tags_of(bank, |symbol| tag_number(grammar.lexicon(), phrases, symbol));
    let context =
        Context { bank, set: config.features, signatures: &signatures, tags: &tags, tag_starts: &tag_starts };
    let states = project(&context, config, |_| {}).map_err(|error| LearnError::failed("decompose", error))?;
    progress.advance(bank.nodes.len() as u64)?;
    Ok(states)
}

/// For each word the class of its ending and shape.
fn word_classes(grammar: &Pcfg) -> Vec<u32> {
    let mut classes = VocabBuilder::<ClassId>::new();
    let words = grammar.lexicon().words();
    words
        .iter()
        .map(|(_, word)| {
            classes.intern(&signature(word, SentencePosition::Later, Detail::Ending)).index() as u32
        })
        .collect()
}
