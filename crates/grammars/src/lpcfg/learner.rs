//! Learns an L-PCFG from a treebank.

use std::slice;

use corpus::ids::Id;
use corpus::rare_words::{Detail, SentencePosition, signature};
use corpus::tree::Tree;
use corpus::vocab::VocabBuilder;
use rayon::prelude::*;

use super::config::{LpcfgConfig, Method, Precision, SpectralConfig};
use super::em::{EmTrainer, em_dims, random_start};
use super::estimate::estimate_rules;
use super::features::{Context, tag_number, tags_of};
use super::memory;
use super::model::{Lpcfg, Refined};
use super::parameters::Parameters;
use super::profiles::ClassId;
use super::stack::learn_spans;
use super::states::{NodeFeatures, States, project};
use super::treebank::{NumberedTreebank, UnknownRule};
use crate::pcfg::{Pcfg, PcfgConfig, PcfgLearner};
use models::learn::{LearnError, Learned, Learner, Observer, Progress};

/// Learns latent-variable PCFGs.
#[derive(Clone, Debug, Default)]
pub struct LpcfgLearner {
    /// Configuration.
    pub config: LpcfgConfig,
}

impl Learner for LpcfgLearner {
    type Data = [Tree];
    type Model = Lpcfg;

    fn learn(&self, trees: &[Tree], observer: &mut dyn Observer) -> Result<Learned<Lpcfg>, LearnError> {
        let first = self.refined(&self.config.grammar, &self.config.members, None, trees, observer)?;
        let mut report = first.report;
        let mut grammars = vec![first.model];
        for companion in &self.config.companions {
            let grammar =
                PcfgConfig { normal_form: companion.normal_form.clone(), ..self.config.grammar.clone() };
            let main = grammars[0].grammar.clone();
            let other = self.refined(&grammar, &companion.members, Some(&main), trees, observer)?;
            report.stages.extend(other.report.stages);
            report.notes.extend(other.report.notes);
            grammars.push(other.model);
        }
        let spans = match self.config.spans {
            None => None,
            Some(spans) => learn_spans(&self.config, spans, trees, observer)?,
        };
        let spans = spans.map(|learned| {
            report.stages.extend(learned.report.stages);
            learned.model
        });
        Ok(Learned { model: Lpcfg { grammars, spans }, report })
    }
}

impl LpcfgLearner {
    /// Learns one grammar with its members.
    fn refined(
        &self,
        config: &PcfgConfig,
        methods: &[Method],
        first: Option<&Pcfg>,
        trees: &[Tree],
        observer: &mut dyn Observer,
    ) -> Result<Learned<Refined>, LearnError> {
        let base = self.base(config, first, trees, observer)?;
        let (grammar, bank) = base.model;
        let mut progress = Progress::new(observer);
        progress.memory(memory::expected(&bank, &grammar, methods), memory::LESS);
        let mut members = Vec::new();
        // The projection of the previous member, if the next one starts from the same.
        let mut kept: Option<States<f32>> = None;
        for (number, method) in methods.iter().enumerate() {
            let states = match (kept.take(), method.projection()) {
                (None, Some(config)) => {
                    Some(project_nodes(&bank, &grammar, config, Halves::Together, &mut progress)?)
                }
                (kept, _) => kept,
            };
            let mut member = self.member_of(&bank, &grammar, method, states.as_ref(), &mut progress)?;
            if self.config.precision == Precision::Half {
                member.round_to_half();
            }
            members.push(member);
            let next = methods.get(number + 1).and_then(Method::projection);
            kept = states.filter(|_| same_projection(method.projection(), next));
        }
        let mut learned =
            progress.finish(Refined::new(grammar, members, self.config.sketch_of(methods), first));
        learned.report.stages.splice(0..0, base.report.stages);
        Ok(learned)
    }

    /// Learns what all members share: the grammar without states, and the nodes of the trees in its normal form.
    pub(super) fn base(
        &self,
        config: &PcfgConfig,
        first: Option<&Pcfg>,
        trees: &[Tree],
        observer: &mut dyn Observer,
    ) -> Result<Learned<(Pcfg, NumberedTreebank)>, LearnError> {
        let base = PcfgLearner { config: config.clone() }.learn_beside(first, trees, observer)?;
        let grammar = base.model;
        let mut progress = Progress::new(observer);
        progress.stage("number nodes", None)?;
        let normal: Vec<Tree> = trees.par_iter().map(|tree| config.normal_form.apply(tree.clone())).collect();
        let weights = vec![1.0; normal.len()];
        let bank =
            NumberedTreebank::new(&normal, weights, &grammar, &self.config.heads).map_err(|UnknownRule| {
                LearnError::bad_data("the grammar lacks a rule of its own treebank (please report this)")
            })?;
        drop(normal);
        progress.figure("nodes", bank.nodes.len() as f64);
        let mut learned = progress.finish((grammar, bank));
        learned.report.stages.splice(0..0, base.report.stages);
        Ok(learned)
    }

    /// Learns the parameters by one method, in the stages that table 3 of Cohen et al. (2013) tells apart.
    pub(super) fn member_in_stages(
        &self,
        bank: &NumberedTreebank,
        grammar: &Pcfg,
        method: &Method,
        progress: &mut Progress<'_>,
    ) -> Result<Parameters<f32>, LearnError> {
        progress.memory(memory::expected(bank, grammar, slice::from_ref(method)), memory::LESS);
        let project = |config| project_nodes(bank, grammar, config, Halves::Apart, progress);
        let states = method.projection().map(project).transpose()?;
        self.member_of(bank, grammar, method, states.as_ref(), progress)
    }

    /// Learns the parameters by one method, from projected nodes if the method needs projections.
    fn member_of(
        &self,
        bank: &NumberedTreebank,
        grammar: &Pcfg,
        method: &Method,
        projected: Option<&States<f32>>,
        progress: &mut Progress<'_>,
    ) -> Result<Parameters<f32>, LearnError> {
        match (method, projected) {
            (Method::Spectral(_), Some(states)) => {
                self.estimate(bank, grammar, states, ["moments", "word moments"], progress)
            }
            (Method::Cluster { spectral, steps }, Some(states)) => {
                progress.stage("cluster", None)?;
                let hard = super::cluster::cluster(bank, states, spectral.shrinkage, spectral.seed);
                let stages = ["count states", "count states of words"];
                let start = self.estimate(bank, grammar, &hard, stages, progress)?;
                drop(hard);
                self.improve(bank, grammar, start, *steps, progress)
            }
            (Method::Em { states, steps, seed }, _) => {
                progress.stage("start", None)?;
                let dims = em_dims(bank, *states);
                let start = random_start(bank, grammar, dims, &rule_probabilities(grammar), *seed);
                self.improve(bank, grammar, start, *steps, progress)
            }
            (_, None) => {
                Err(LearnError::bad_config("this method needs projected nodes, and none were given"))
            }
        }
    }

    /// Runs some EM steps.
    fn improve(
        &self,
        bank: &NumberedTreebank,
        grammar: &Pcfg,
        start: Parameters<f32>,
        steps: usize,
        progress: &mut Progress<'_>,
    ) -> Result<Parameters<f32>, LearnError> {
        if steps == 0 {
            return Ok(start);
        }
        progress.stage("improve", Some(steps as u64))?;
        let probabilities = rule_probabilities(grammar);
        let mut trainer = EmTrainer::new(bank, grammar, start, probabilities, self.config.smoothing);
        for _ in 0..steps {
            let log_likelihood = trainer.step();
            progress.figure("log-likelihood", log_likelihood);
            progress.advance(1)?;
        }
        Ok(trainer.into_parameters())
    }

    /// Estimates all parameters from nodes with states, in two stages: rules, words.
    fn estimate(
        &self,
        bank: &NumberedTreebank,
        grammar: &Pcfg,
        states: &States<f32>,
        [rules, words]: [&str; 2],
        progress: &mut Progress<'_>,
    ) -> Result<Parameters<f32>, LearnError> {
        let smoothing = &self.config.smoothing;
        progress.stage(rules, None)?;
        let estimates = estimate_rules(bank, grammar, states, &rule_probabilities(grammar), smoothing);
        progress.stage(words, None)?;
        Ok(estimates.with_words(bank, grammar, states, smoothing))
    }
}

/// How features are extracted and decomposed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Halves {
    /// Symbol by symbol, in one stage.
    Together,
    /// First all features, then all decompositions: more memory, and a stage for each.
    Apart,
}

/// Whether two methods start from the same projection. If no feature is left out, the seed only chooses the first
/// vector of a decomposition and makes no difference beyond its tolerance.
fn same_projection(one: Option<&SpectralConfig>, other: Option<&SpectralConfig>) -> bool {
    one.zip(other).is_some_and(|(one, other)| {
        let seeded = SpectralConfig { seed: one.seed, ..other.clone() };
        *one == seeded && (one.seed == other.seed || one.dropout <= 0.0)
    })
}

/// The probabilities of the rules given their parents.
pub(super) fn rule_probabilities(grammar: &Pcfg) -> Vec<f64> {
    grammar.weights().rules.iter().map(|&p| f64::from(p)).collect()
}

/// Extracts features, decomposes, projects.
fn project_nodes(
    bank: &NumberedTreebank,
    grammar: &Pcfg,
    config: &SpectralConfig,
    halves: Halves,
    progress: &mut Progress<'_>,
) -> Result<States<f32>, LearnError> {
    let nodes = bank.nodes.len() as u64;
    progress.stage(if halves == Halves::Apart { "features" } else { "decompose" }, Some(nodes))?;
    let signatures = word_classes(grammar);
    let phrases = grammar.symbols().phrases();
    let (tags, tag_starts) = tags_of(bank, |symbol| tag_number(grammar.lexicon(), phrases, symbol));
    let symbols = grammar.symbols();
    let limits: Vec<usize> =
        symbols.iter().map(|symbol| config.limits.of(symbols.label(symbol)).unwrap_or(usize::MAX)).collect();
    let context = Context {
        bank,
        set: config.features,
        widths: config.widths,
        signatures: &signatures,
        tags: &tags,
        tag_starts: &tag_starts,
        limits: &limits,
    };
    let failed = |error| LearnError::failed("decompose", error);
    let states = match halves {
        Halves::Together => project(&context, config).map_err(failed)?,
        Halves::Apart => {
            let features = NodeFeatures::new(&context, config).map_err(failed)?;
            progress.advance(nodes)?;
            progress.stage("decompose", Some(nodes))?;
            features.decompose(&context, config).map_err(failed)?
        }
    };
    progress.advance(nodes)?;
    Ok(states)
}

/// For each word, its class by suffix and shape.
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
