//! Learns sequence models: candidates, a choice by held-out likelihood, and a final estimate from all data.

use spectral::{Rank, RankConfig, RankRule};

use super::budget::{Budget, Ladder};
use super::component::Component;
use super::config::{Method, RankChoice, SequenceConfig};
use super::held_out::split;
use super::model::{Alphabet, SequenceModel};
use super::ngram::NgramModel;
use super::start::clustered;
use super::weights::{Mixture, event_weights, mixture, of_component, of_ngrams};
use crate::automaton::{
    Automaton, EmConfig, EmStart, ReducedHmmConfig, SequenceCounts, SpectralConfig, learn_reduced_hmm,
    learn_spectral, refine,
};
use models::learn::{LearnError, Learned, Observer, Progress};

/// Learns models of sequences.
///
/// ```
/// use eigentree_sequences::automaton::SequenceCounts;
/// use models::learn::Silent;
/// use eigentree_sequences::sequence::{Method, SequenceConfig, SequenceLearner};
/// // 0 and 1 alternate.
/// let counts = SequenceCounts::of(2, (0..200).map(|i| (0..i % 9).map(|t| t % 2).collect::<Vec<u32>>()))?;
/// let config = SequenceConfig { method: Method::Spectral, ..SequenceConfig::default() };
/// let model = SequenceLearner { config }.learn(&counts, None, &mut Silent)?.model;
/// assert!(model.log_probability(&[0, 1, 0, 1]) > model.log_probability(&[0, 0, 1, 1]) + 3.0);
/// assert_eq!(model.predict(&[0, 1, 0], 1)[0].0, Some(1));
/// # Ok::<(), models::learn::LearnError>(())
/// ```
#[derive(Clone, PartialEq, Debug, Default)]
pub struct SequenceLearner {
    /// Configuration.
    pub config: SequenceConfig,
}

/// A component with its probabilities of held-out events.
struct Candidate {
    component: Component,
    column: Vec<f64>,
    /// Its mixture with the n-gram model.
    mixed: Mixture,
}

/// The data by which choices are made.
struct Judge {
    aside: SequenceCounts,
    weights: Vec<f64>,
    /// The probabilities of the n-gram model.
    ngrams: Vec<f64>,
    /// The numbers of states that are tried.
    ladder: Ladder,
}

impl Judge {
    fn candidate(&self, component: Component) -> Candidate {
        let column = of_component(&component, &self.aside, &self.ngrams);
        let mixed = mixture(&[&self.ngrams, &column], &self.weights);
        Candidate { component, column, mixed }
    }
}

impl SequenceLearner {
    /// Learns from sequences. Ranks and weights are chosen on `dev`, or on a part of the data that is held out and
    /// included again in the final estimate.
    pub fn learn(
        &self,
        counts: &SequenceCounts,
        dev: Option<&SequenceCounts>,
        observer: &mut dyn Observer,
    ) -> Result<Learned<SequenceModel>, LearnError> {
        let mut progress = Progress::new(observer);
        if counts.is_empty() {
            return Err(LearnError::bad_data("no sequences to learn from; give at least one"));
        }
        progress.stage("n-grams", None)?;
        let held = match dev {
            Some(dev) => (counts.clone(), dev.clone()),
            None => split(counts, self.config.held_out, self.config.seed)?,
        };
        let (train, aside) = held;
        if aside.alphabet() != train.alphabet() {
            return Err(LearnError::bad_data(
                "the development set and the training sequences have different alphabets",
            ));
        }
        let budget = Budget::new(&self.config, &train, &aside);
        budget.tell(&train, &mut progress);
        let aside = budget.thinned(aside)?;
        let weights = event_weights(&aside);
        let (order, ngrams) = self.best_order(&train, &aside, &weights);
        progress.figure("order", order as f64);
        let judge = Judge { aside, weights, ngrams, ladder: budget.ladder };
        let mut spectrum = Vec::new();
        let chosen = self.candidates(&train, &judge, &mut spectrum, &mut progress)?;
        let columns: Vec<&[f64]> = std::iter::once(&judge.ngrams[..])
            .chain(chosen.iter().map(|candidate| &candidate.column[..]))
            .collect();
        let mixed = mixture(&columns, &judge.weights);
        let events: f64 = judge.weights.iter().sum();
        progress.stage("all data", None)?;
        let components = match dev {
            Some(_) => chosen.into_iter().map(|candidate| candidate.component).collect(),
            None => {
                let again = |candidate: Candidate| self.again(candidate.component, counts);
                chosen.into_iter().map(again).collect::<Result<Vec<_>, _>>()?
            }
        };
        progress.figure("held-out perplexity", (-mixed.log_likelihood / events).exp());
        for (component, weight) in components.iter().zip(&mixed.weights[1..]) {
            progress.figure(&format!("states of {}", component.name()), component.automaton.states() as f64);
            progress.figure(&format!("weight of {}", component.name()), *weight);
        }
        let ngram = NgramModel::new(counts, order);
        let alphabet = Alphabet::Numbers(counts.alphabet());
        let model = SequenceModel::new(alphabet, ngram, components, mixed.weights, spectrum)
            .ok_or_else(|| LearnError::bad_data("the parts of the mixture do not match"))?;
        Ok(progress.finish(model))
    }

    /// The order of n-grams that predicts best, with its predictions.
    fn best_order(
        &self,
        train: &SequenceCounts,
        aside: &SequenceCounts,
        weights: &[f64],
    ) -> (usize, Vec<f64>) {
        let mut best: Option<(f64, usize, Vec<f64>)> = None;
        let most = NgramModel::new(train, self.config.order);
        for (index, column) in of_ngrams(&most, aside).into_iter().enumerate() {
            let log: f64 = column.iter().zip(weights).map(|(p, weight)| weight * p.ln()).sum();
            if best.as_ref().is_none_or(|best| log > best.0) {
                best = Some((log, index + 1, column));
            }
        }
        best.map_or((1, Vec::new()), |(_, order, column)| (order, column))
    }

    fn candidates(
        &self,
        train: &SequenceCounts,
        judge: &Judge,
        spectrum: &mut Vec<f64>,
        progress: &mut Progress<'_>,
    ) -> Result<Vec<Candidate>, LearnError> {
        let method = self.config.method;
        let mut chosen = Vec::new();
        if matches!(method, Method::Spectral | Method::SpectralEm | Method::All) {
            progress.stage("decompose", None)?;
            chosen.push(self.spectral(train, judge, spectrum, progress)?);
        }
        if matches!(method, Method::ReducedHmm) {
            progress.stage("decompose", None)?;
            chosen.push(self.reduced_hmm(train, judge, spectrum, progress)?);
        }
        if matches!(method, Method::SpectralEm | Method::All) {
            progress.stage("EM from spectral states", None)?;
            let begin = &chosen[0].component;
            let found = self.em(train, judge, "spectral-em", spectrum, progress, |states, seed| {
                clustered(begin, train, states.get(), seed)
                    .map_err(|error| LearnError::failed("start of EM", error))
            })?;
            chosen.push(found);
        }
        if matches!(method, Method::Em | Method::All) {
            progress.stage("EM", None)?;
            let found = self.em(train, judge, "em", spectrum, progress, |states, seed| {
                EmStart { states, seed }.automaton(train)
            })?;
            chosen.push(found);
        }
        if method == Method::SpectralEm {
            chosen.remove(0);
        }
        Ok(chosen)
    }

    /// The rank configuration of a decomposition.
    fn rank_config(&self, most: Rank) -> RankConfig {
        let rules = match self.config.rank {
            RankChoice::Spectrum(_) => vec![RankRule::Threshold(0.01)],
            RankChoice::Fixed(_) | RankChoice::HeldOut(_) => Vec::new(),
        };
        RankConfig { rules, ..RankConfig::fixed(most) }
    }

    fn spectral_config(&self, most: Rank) -> SpectralConfig {
        SpectralConfig {
            rank: self.rank_config(most),
            basis: self.config.basis,
            scaling: self.config.scaling,
            tolerance: 1e-4,
            seed: self.config.seed,
        }
    }

    /// One decomposition, truncated to the rank that predicts best.
    fn spectral(
        &self,
        train: &SequenceCounts,
        judge: &Judge,
        spectrum: &mut Vec<f64>,
        progress: &mut Progress<'_>,
    ) -> Result<Candidate, LearnError> {
        let most = self.config.rank.most();
        let estimate = learn_spectral(train, &self.spectral_config(most))?;
        spectrum.extend_from_slice(&estimate.report.singular_values);
        let whole = estimate.automaton.states();
        let ranks = match self.config.rank {
            RankChoice::HeldOut(_) => judge.ladder.ranks(whole),
            RankChoice::Fixed(_) | RankChoice::Spectrum(_) => vec![whole],
        };
        best(&ranks, progress, |rank| {
            Ok(judge.candidate(Component::spectral("spectral", estimate.truncated(rank))))
        })
    }

    fn reduced_config(&self, most: Rank) -> ReducedHmmConfig {
        ReducedHmmConfig {
            rank: self.rank_config(most),
            scaling: self.config.scaling,
            tolerance: 1e-4,
            seed: self.config.seed,
        }
    }

    fn reduced_hmm(
        &self,
        train: &SequenceCounts,
        judge: &Judge,
        spectrum: &mut Vec<f64>,
        progress: &mut Progress<'_>,
    ) -> Result<Candidate, LearnError> {
        let most = Rank::new(self.config.rank.most().get().min(train.alphabet() + 1)).unwrap_or(Rank::ONE);
        let ranks = match self.config.rank {
            RankChoice::HeldOut(_) => judge.ladder.ranks(most.get()),
            RankChoice::Fixed(_) | RankChoice::Spectrum(_) => vec![most.get()],
        };
        let mut seen = Vec::new();
        let found = best(&ranks, progress, |rank| {
            let learnt = learn_reduced_hmm(train, &self.reduced_config(rank))?;
            seen = learnt.report.singular_values.clone();
            Ok(judge.candidate(Component::reduced("hmm", learnt)))
        });
        spectrum.extend(seen);
        found
    }

    /// EM with the number of states that predicts best, from several starts.
    fn em(
        &self,
        train: &SequenceCounts,
        judge: &Judge,
        name: &str,
        spectrum: &[f64],
        progress: &mut Progress<'_>,
        start: impl Fn(Rank, u64) -> Result<Automaton, LearnError>,
    ) -> Result<Candidate, LearnError> {
        let most = self.config.rank.most().get();
        let sizes = match self.config.rank {
            RankChoice::Fixed(_) => vec![most],
            RankChoice::Spectrum(_) => {
                let floor = 0.01 * spectrum.first().copied().unwrap_or(0.0);
                vec![spectrum.iter().filter(|&&value| value > floor).count().clamp(1, most)]
            }
            RankChoice::HeldOut(_) => {
                let mut sizes: Vec<usize> = std::iter::successors(Some(5), |size| Some(size * 2))
                    .take_while(|size| *size < most)
                    .collect();
                sizes.push(most);
                sizes
            }
        };
        let mut found: Option<Candidate> = None;
        for states in sizes.into_iter().filter_map(Rank::new) {
            let mut better = false;
            for restart in 0..self.config.restarts.max(1) {
                progress.advance(1)?;
                let begin = start(states, self.config.seed.wrapping_add(restart as u64))?;
                let run = refine(&begin, train, &self.config.em)?;
                let candidate = judge.candidate(Component::probabilistic(name, run.automaton));
                if found
                    .as_ref()
                    .is_none_or(|found| candidate.mixed.log_likelihood > found.mixed.log_likelihood)
                {
                    found = Some(candidate);
                    better = true;
                }
            }
            // Beyond the best number of states, more states rarely help again.
            if !better {
                break;
            }
        }
        found.ok_or_else(|| LearnError::bad_config("EM needs at least one state"))
    }

    /// Re-estimates a chosen component from all data.
    fn again(&self, component: Component, counts: &SequenceCounts) -> Result<Component, LearnError> {
        let rank = Rank::new(component.automaton.states()).unwrap_or(Rank::ONE);
        let name = component.name.clone();
        match name.as_str() {
            "spectral" => {
                let config = SpectralConfig { rank: RankConfig::fixed(rank), ..self.spectral_config(rank) };
                Ok(Component::spectral(name, learn_spectral(counts, &config)?))
            }
            "hmm" => {
                let config = ReducedHmmConfig { rank: RankConfig::fixed(rank), ..self.reduced_config(rank) };
                Ok(Component::reduced(name, learn_reduced_hmm(counts, &config)?))
            }
            _ => {
                let config = EmConfig { steps: (self.config.em.steps / 5).max(5), ..self.config.em };
                // The held-out data may have probability zero; it is positive after a little smoothing.
                let run = refine(&softened(&component.automaton)?, counts, &config)?;
                Ok(Component::probabilistic(name, run.automaton))
            }
        }
    }
}

/// The rank that predicts best; ties go to the first.
fn best(
    ranks: &[usize],
    progress: &mut Progress<'_>,
    mut candidate: impl FnMut(Rank) -> Result<Candidate, LearnError>,
) -> Result<Candidate, LearnError> {
    progress.stage("choose states", Some(ranks.len() as u64))?;
    let mut best: Option<Candidate> = None;
    for rank in ranks.iter().copied().filter_map(Rank::new) {
        let candidate = candidate(rank)?;
        if best.as_ref().is_none_or(|best| candidate.mixed.log_likelihood > best.mixed.log_likelihood) {
            best = Some(candidate);
        }
        progress.advance(1)?;
    }
    best.ok_or_else(|| LearnError::bad_config("the rank must be at least 1"))
}

/// The automaton with a small share of each state's probability spread over all outcomes.
fn softened(automaton: &Automaton) -> Result<Automaton, LearnError> {
    let (n, symbols) = (automaton.states(), automaton.symbols());
    let spread = 1e-4 / (symbols * n + 1) as f64;
    let soft = |value: &f64| value * (1.0 - 1e-4) + spread;
    let initial = automaton.initial().iter().map(|value| value * (1.0 - 1e-4) + 1e-4 / n as f64).collect();
    let terminal = automaton.terminal().iter().map(soft).collect();
    Automaton::new(initial, terminal, automaton.operators().iter().map(soft).collect(), symbols)
        .map_err(|error| LearnError::failed("final steps of EM", error))
}
