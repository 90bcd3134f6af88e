//! The smallest hidden model: a state h and three observations that are independent given it.
//!
//! With x as the left view, z as the right one and y as the event between them (π, O the parameters):
//!
//! ```text
//!     c_x = E[Z; x] = G⁻ᵀ O_x,    A_y = E[Z ⊗ Y; y] = G⁻ᵀ diag(O_y) Gᵀ,    d_z = E[Y; z] = G diag(π) O_z
//!     p(x, y, z) = d_zᵀ A_y c_x
//! ```

use faer::Mat;
use rand_chacha::ChaCha8Rng;
use spectral::operators::{Correction, FirstMoment, OperatorEstimator, SecondMoment};
use spectral::view::ViewPairBuilder;
use spectral::{DecomposeConfig, Rank, RankConfig, SpectralError, SpectrumReport, decompose_views};

use crate::random::{dim, distribution, distributions, draw, id, rng};

pub(crate) const STATES: usize = 3;
pub(crate) const SYMBOLS: usize = 5;
pub(crate) const TRIPLES: usize = SYMBOLS * SYMBOLS * SYMBOLS;

pub(crate) struct ThreeViews {
    prior: Vec<f64>,
    emissions: [Vec<Vec<f64>>; 3],
}

/// A triple (x, y, z) as one number.
pub(crate) fn triple(x: usize, y: usize, z: usize) -> usize {
    (x * SYMBOLS + y) * SYMBOLS + z
}

impl ThreeViews {
    pub(crate) fn random(rng: &mut ChaCha8Rng) -> Self {
        let prior = distribution(rng, STATES).iter().map(|p| 0.5 * p + 0.5 / STATES as f64).collect();
        ThreeViews { prior, emissions: [0; 3].map(|_| distributions(rng, STATES, SYMBOLS)) }
    }

    /// `p(x, y, z)` of every triple.
    pub(crate) fn joint(&self) -> Vec<f64> {
        let mut joint = vec![0.0; TRIPLES];
        for (h, prior) in self.prior.iter().enumerate() {
            let [ox, oy, oz] = self.emissions.each_ref().map(|emission| &emission[h]);
            for x in 0..SYMBOLS {
                for y in 0..SYMBOLS {
                    for z in 0..SYMBOLS {
                        joint[triple(x, y, z)] += prior * ox[x] * oy[y] * oz[z];
                    }
                }
            }
        }
        joint
    }

    /// How often each triple occurs among `samples`.
    pub(crate) fn sample(&self, rng: &mut ChaCha8Rng, samples: usize) -> Vec<f64> {
        let mut counts = vec![0.0; TRIPLES];
        for _ in 0..samples {
            let h = draw(rng, &self.prior);
            let [x, y, z] = self.emissions.each_ref().map(|emission| draw(rng, &emission[h]));
            counts[triple(x, y, z)] += 1.0;
        }
        counts
    }
}

/// `p̂(x, y, z)` of every triple from weights of the triples.
pub(crate) fn estimate(
    weights: &[f64],
    config: &DecomposeConfig,
) -> Result<(Vec<f64>, SpectrumReport), SpectralError> {
    let triples: Vec<[usize; 3]> = (0..TRIPLES)
        .map(|triple| [triple / (SYMBOLS * SYMBOLS), triple / SYMBOLS % SYMBOLS, triple % SYMBOLS])
        .collect();
    let mut sites = ViewPairBuilder::<f64>::new();
    for (&[x, _, z], &weight) in triples.iter().zip(weights) {
        sites.push([(id(x), 1.0)], [(id(z), 1.0)], weight);
    }
    let views = sites.finish(dim(SYMBOLS), dim(SYMBOLS))?;
    let decomposition = decompose_views(&views, config)?;
    let (y, z) = decomposition.projections()?.project_sites(&views)?;
    let rank = decomposition.rank().get();
    let cross = SecondMoment::of_rows(&y, &z, views.weights())?;
    let estimator = OperatorEstimator::new(&cross, Correction::default())?;
    let mut c = vec![FirstMoment::new(rank); SYMBOLS];
    let mut a = vec![SecondMoment::new([rank, rank]); SYMBOLS];
    let mut d = vec![FirstMoment::new(rank); SYMBOLS];
    for (site, (&[x_symbol, y_symbol, z_symbol], &weight)) in triples.iter().zip(weights).enumerate() {
        c[x_symbol].add(weight, z.row(site));
        a[y_symbol].add(weight, z.row(site), y.row(site));
        d[z_symbol].add(weight, y.row(site));
    }
    let column = |values: Vec<f64>| Mat::from_fn(rank, 1, |i, _| values[i]);
    let mut joint = Vec::with_capacity(TRIPLES);
    for [x, y, z] in triples {
        let c = column(estimator.arity0(&c[x])?);
        let d = column(d[z].over(estimator.total())?);
        joint.push((d.transpose() * estimator.arity1(&a[y])? * c)[(0, 0)]);
    }
    Ok((joint, decomposition.report().clone()))
}

pub(crate) fn config(rank: usize) -> DecomposeConfig {
    DecomposeConfig::new(RankConfig::fixed(Rank::new(rank).unwrap()))
}

#[test]
fn population_moments_give_the_joint_distribution() {
    for seed in 40..45 {
        let joint = ThreeViews::random(&mut rng(seed)).joint();
        let (estimate, report) = estimate(&joint, &config(SYMBOLS)).unwrap();
        assert_eq!(report.rank, STATES, "Ω has rank {STATES}");
        for (estimate, truth) in estimate.iter().zip(&joint) {
            assert!((estimate - truth).abs() < 1e-8, "seed {seed}: {estimate} for {truth}");
        }
    }
}

#[test]
fn too_few_dimensions_cannot_represent_the_model() {
    let joint = ThreeViews::random(&mut rng(46)).joint();
    let (estimate, report) = estimate(&joint, &config(STATES - 1)).unwrap();
    assert!(estimate.iter().zip(&joint).any(|(estimate, truth)| (estimate - truth).abs() > 1e-4));
    assert!(report.discarded_energy.unwrap() > 1e-6);
}
