//! The spectral learner: embedding, averages, operators.

use rayon::prelude::*;

use super::embedding::given_vectors;
use super::{
    Deptree, DeptreeConfig, Estimator, Neighbours, Observations, Representation, Scratch, Shrinkage,
    StateChoice, TreeMoments, TreeSites, TreeWords, embed_trees, estimate, estimate_one_prior,
};
use models::learn::{LearnError, Learned, Learner, Observer, Progress};
use models::representations::VectorTable;

/// Dimensions and fractions that held-out trees choose from.
const DIMENSIONS: [usize; 9] = [2, 3, 4, 5, 6, 8, 10, 15, 20];
const PARTS: [f64; 4] = [0.0, 0.003, 0.01, 0.03];

/// Every tenth tree is held out.
const HELD_OUT: usize = 10;

/// Log-probability per word of a tree with a negative or vanishing estimate: less than any observed one.
const IMPOSSIBLE: f64 = -12.0;

/// Learns a [`Deptree`] from trees by the spectral method.
#[derive(Clone, Debug, Default)]
pub struct SpectralLearner {
    /// Configuration.
    pub config: DeptreeConfig,
    /// Vectors of words; if there are some, words are embedded by [these](super::Neighbours::Given).
    pub vectors: Option<VectorTable>,
}

impl Learner for SpectralLearner {
    type Data = [TreeWords];
    type Model = Deptree;

    fn learn(&self, data: &[TreeWords], observer: &mut dyn Observer) -> Result<Learned<Deptree>, LearnError> {
        let config = &self.config;
        if config.dimension == 0 {
            return Err(LearnError::bad_config("the dimension is 0; it must be at least 1"));
        }
        if let Shrinkage::Part(part) = config.shrinkage
            && !(0.0..1.0).contains(&part)
        {
            return Err(LearnError::bad_config(format!(
                "the shrinkage is {part}; it must be at least 0 and below 1"
            )));
        }
        if !(config.kappa >= 0.0 && config.kappa.is_finite()) {
            return Err(LearnError::bad_config(format!(
                "kappa is {}; it must be 0 or positive",
                config.kappa
            )));
        }
        let mut progress = Progress::new(observer);
        progress.stage("observe", None)?;
        let observations = Observations::of_trees(data.iter(), config.observe, config.min_count);
        let sites = TreeSites::of_trees(data, &observations);
        progress.figure("symbols", observations.len() as f64);
        let prior = frequencies(&sites, observations.len());
        let words = match (&self.vectors, config.neighbours) {
            (Some(vectors), Neighbours::Given) => {
                progress.stage("represent", None)?;
                let ones = vec![1.0; prior.len()];
                let weights = if config.estimator == Estimator::OnePrior { &ones } else { &prior };
                given_vectors(vectors, &observations, weights, config.dimension)?
            }
            _ => embed_trees(&sites, observations.len(), config, &mut progress)?,
        };
        let (dimension, part) = match config.shrinkage {
            Shrinkage::Part(part) => (words.dimension(), part),
            Shrinkage::HeldOut => {
                progress.stage("choose", None)?;
                let (dimension, part, figure) = choose(&sites, &observations, &words, (config, &prior))?;
                progress.figure("held-out log-probability a word", figure);
                (dimension, part)
            }
        };
        progress.stage("estimate", None)?;
        let words = words.leading(dimension);
        let moments = TreeMoments::of_trees(&sites, &words);
        if moments.triples == 0.0 {
            return Err(LearnError::bad_data(
                "no word has children on both sides, which the spectral method needs; give more trees",
            ));
        }
        let model = match config.estimator {
            Estimator::BySite => estimate(
                &moments,
                observations,
                &words,
                (config.triples, part),
                Some((config.prior, &prior)),
            )?,
            Estimator::OnePrior => estimate_one_prior(&moments, observations, &words, part)?,
        };
        progress.figure("heads with children on both sides", moments.triples);
        progress.figure("states", dimension as f64);
        progress.figure("shrinkage", part);
        if let (Some(first), Some(last)) =
            (words.spectrum().first(), words.spectrum().get(dimension.saturating_sub(1)))
        {
            progress.figure("largest singular value", *first);
            progress.figure("smallest singular value", *last);
        }
        Ok(progress.finish(model))
    }
}

/// The dimension and the fraction under which held-out trees are most probable, and their log-probability per word.
fn choose(
    sites: &[TreeSites],
    observations: &Observations,
    words: &Representation,
    (config, prior): (&DeptreeConfig, &[f64]),
) -> Result<(usize, f64, f64), LearnError> {
    let part_of = |held_out: bool| -> Vec<TreeSites> {
        let all = sites.iter().enumerate();
        all.filter(|(at, _)| (at % HELD_OUT == HELD_OUT - 1) == held_out)
            .map(|(_, tree)| tree.clone())
            .collect()
    };
    let (rest, held_out) = (part_of(false), part_of(true));
    let moments = TreeMoments::of_trees(&rest, words);
    let mut best = (1, 0.0, f64::NEG_INFINITY);
    if moments.triples == 0.0 || held_out.is_empty() {
        let least =
            if config.states == StateChoice::Exactly { words.dimension() } else { words.dimension().min(2) };
        return Ok((least, 0.0, IMPOSSIBLE));
    }
    let fewer: Vec<usize> = match config.states {
        StateChoice::UpTo => DIMENSIONS.into_iter().filter(|&k| k <= words.dimension()).collect(),
        StateChoice::Exactly => Vec::new(),
    };
    for dimension in fewer.into_iter().chain([words.dimension()]) {
        for part in PARTS {
            let leading = words.leading(dimension);
            let found = estimate(
                &moments.leading(dimension),
                observations.clone(),
                &leading,
                (config.triples, part),
                Some((config.prior, prior)),
            )?;
            let figure = held_out_figure(&found, &held_out);
            if figure > best.2 {
                best = (dimension, part, figure);
            }
        }
    }
    Ok(best)
}

/// The mean of `log p̂` per word; a tree with a negative or vanishing estimate gets [`IMPOSSIBLE`].
fn held_out_figure(model: &Deptree, trees: &[TreeSites]) -> f64 {
    let sums: Vec<(f64, f64)> = trees
        .par_iter()
        .with_min_len(64)
        .map_init(Scratch::default, |scratch, tree| {
            let score = model.score_sites(tree, scratch);
            let words = score.words as f64;
            // A probability above 1 is as wrong as a negative one.
            let possible = score.probability.sign > 0 && score.probability.log <= 0.0;
            (if possible { score.probability.log.max(IMPOSSIBLE * words) } else { IMPOSSIBLE * words }, words)
        })
        .collect();
    // In order, so that the number of threads does not matter.
    let (sum, words) = sums.iter().fold((0.0, 0.0), |total, one| (total.0 + one.0, total.1 + one.1));
    sum / f64::max(words, 1.0)
}

/// The probability of each symbol, with add-one smoothing.
pub(super) fn frequencies(sites: &[TreeSites], symbols: usize) -> Vec<f64> {
    let mut counts = vec![1.0; symbols];
    sites.iter().flat_map(|tree| &tree.symbols).for_each(|&symbol| counts[symbol as usize] += 1.0);
    let total: f64 = counts.iter().sum();
    counts.iter_mut().for_each(|count| *count /= total);
    counts
}
