//! The spectral learner: represent, average, invert.

use super::{Deptree, DeptreeConfig, Observations, TreeMoments, TreeSites, TreeWords, embed_trees, estimate};
use crate::learn::{LearnError, Learned, Learner, Observer, Progress};

/// How much of a symbol's own probability is mixed into what each state shows, so that few words are impossible in any state.
const PRIOR_PART: f64 = 0.1;

/// Learns a [`Deptree`] from trees, spectrally.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct SpectralLearner {
    /// What was chosen.
    pub config: DeptreeConfig,
}

impl Learner for SpectralLearner {
    type Data = [TreeWords];
    type Model = Deptree;

    fn learn(&self, data: &[TreeWords], observer: &mut dyn Observer) -> Result<Learned<Deptree>, LearnError> {
        let config = &self.config;
        if config.dimension == 0 {
            return Err(LearnError::bad_config("the dimension is 0; it must be at least 1"));
        }
        if !(0.0..1.0).contains(&config.shrinkage) || !(config.kappa >= 0.0 && config.kappa.is_finite()) {
            return Err(LearnError::bad_config(format!(
                "shrinkage {} and kappa {}: the former must be at least 0 and below 1, the latter 0 or positive",
                config.shrinkage, config.kappa
            )));
        }
        let mut progress = Progress::new(observer);
        progress.stage("observe", None)?;
        let observations = Observations::of_trees(data.iter(), config.observe, config.min_count);
        let sites = TreeSites::of_trees(data, &observations);
        progress.figure("symbols", observations.len() as f64);
        let words = embed_trees(&sites, observations.len(), config, &mut progress)?;
        progress.stage("estimate", None)?;
        let moments = TreeMoments::of_trees(&sites, &words);
        if moments.triples == 0.0 {
            return Err(LearnError::bad_data(
                "no word has children on both sides, and the operators are learnt from such words; give more trees",
            ));
        }
        let probabilities = frequencies(&sites, observations.len());
        let model =
            estimate(&moments, observations, &words, config.shrinkage, Some((PRIOR_PART, &probabilities)))?;
        progress.figure("heads with children on both sides", moments.triples);
        Ok(progress.finish(model))
    }
}

/// How probable each symbol is; each counts once more than it was seen.
pub(super) fn frequencies(sites: &[TreeSites], symbols: usize) -> Vec<f64> {
    let mut counts = vec![1.0; symbols];
    sites.iter().flat_map(|tree| &tree.symbols).for_each(|&symbol| counts[symbol as usize] += 1.0);
    let total: f64 = counts.iter().sum();
    counts.iter_mut().for_each(|count| *count /= total);
    counts
}
