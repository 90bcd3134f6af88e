//! Unusable input gives an error of the right kind, never a panic or NaN.

use spectral::decompose::{Path, PathChoice};
use spectral::moments::{CountTableBuilder, CountTransform, Scaling};
use spectral::view::{CountMatrix, SiteWeights, ViewPair, ViewPairBuilder};
use spectral::{
    DecomposeConfig, Decomposition, Rank, RankConfig, RankRule, SpectralError, decompose_counts,
    decompose_views,
};

use crate::random::{dim, id};

fn config(path: Path) -> DecomposeConfig {
    let rank = RankConfig::fixed(Rank::new(3).unwrap());
    DecomposeConfig { path: PathChoice::Given(path), ..DecomposeConfig::new(rank) }
}

const PATHS: [Path; 3] = [Path::Dense, Path::Sparse, Path::MatrixFree];

#[test]
fn views_that_never_meet() {
    let mut builder = ViewPairBuilder::<f64>::new();
    for feature in 0..40 {
        builder.push_indicators([id(feature)], []);
        builder.push_indicators([], [id(feature)]);
    }
    let views = builder.finish(dim(40), dim(40)).unwrap();
    for path in PATHS {
        let error = decompose_views(&views, &config(path)).unwrap_err();
        assert!(matches!(error, SpectralError::ZeroCrossMoment { .. }), "{path:?}: {error}");
    }
}

#[test]
fn no_sites_no_weight_or_no_features() {
    for path in PATHS {
        let none = ViewPairBuilder::<f32>::new().finish(dim(3), dim(3)).unwrap();
        assert!(matches!(decompose_views(&none, &config(path)), Err(SpectralError::Empty { .. })));
        let mut weightless = ViewPairBuilder::<f32>::new();
        weightless.push([(id(0), 1.0)], [(id(0), 1.0)], 0.0);
        let weightless = weightless.finish(dim(3), dim(3)).unwrap();
        assert!(matches!(decompose_views(&weightless, &config(path)), Err(SpectralError::Empty { .. })));
        let mut blind = ViewPairBuilder::<f32>::new();
        blind.push_indicators([id(0)], []);
        let blind = blind.finish(dim(3), dim(0)).unwrap();
        assert!(matches!(decompose_views(&blind, &config(path)), Err(SpectralError::Empty { .. })));
    }
    let empty = CountTableBuilder::<u64>::new(dim(3), dim(3)).finish().unwrap();
    assert!(matches!(CountMatrix::from_table(empty), Err(SpectralError::Empty { .. })));
}

#[test]
fn weights_that_are_not_numbers() {
    let view = linalg::CsrMatrix::from_triplets(2, 1, [(0, 0, 1.0_f64), (1, 0, 1.0)]).unwrap();
    let pair = |weights| ViewPair::new(view.clone(), view.clone(), SiteWeights::PerSite(weights));
    assert!(matches!(pair(vec![1.0, f64::NAN]), Err(SpectralError::NonFinite { index: 1, .. })));
    assert!(matches!(pair(vec![-1.0, 1.0]), Err(SpectralError::Negative { index: 0, .. })));
    assert!(matches!(pair(vec![1.0]), Err(SpectralError::SizeMismatch { .. })));
}

#[test]
fn values_too_large_for_their_precision() {
    // The square of the value overflows, so that the moments are infinite.
    let mut builder = ViewPairBuilder::<f64>::new();
    builder.push([(id(0), 1e200)], [(id(0), 1.0)], 1.0);
    let views = builder.finish(dim(1), dim(1)).unwrap();
    assert!(matches!(decompose_views(&views, &config(Path::Dense)), Err(SpectralError::NonFinite { .. })));
}

#[test]
fn moments_too_small_for_their_precision() {
    let mut builder = ViewPairBuilder::<f32>::new();
    builder.push([(id(0), 1e-30)], [(id(0), 1e-30)], 1.0);
    let views = builder.finish(dim(1), dim(1)).unwrap();
    let config = DecomposeConfig { scaling: Scaling::None, ..config(Path::Dense) };
    // σ = 1e-60 is fine in double precision, but its inverse overflows in single precision.
    let projections = decompose_views(&views, &config).unwrap().projections();
    assert!(matches!(projections, Err(SpectralError::NonFinite { .. })));
}

#[test]
fn configuration_out_of_range() {
    let mut builder = ViewPairBuilder::<f64>::new();
    builder.push_indicators([id(0)], [id(0)]);
    let views = builder.finish(dim(2), dim(2)).unwrap();
    let with = |change: &dyn Fn(&mut DecomposeConfig)| {
        let mut config = config(Path::Dense);
        change(&mut config);
        decompose_views(&views, &config)
    };
    let scaling = Scaling::DiagonalCca { pseudo_count: f64::NAN };
    assert!(matches!(with(&|config| config.scaling = scaling), Err(SpectralError::Config { .. })));
    let rules = vec![RankRule::Energy(1.5)];
    assert!(matches!(with(&|config| config.rank.rules = rules.clone()), Err(SpectralError::Config { .. })));
    assert!(with(&|_| ()).is_ok());
}

#[test]
fn a_single_pair_is_enough_for_one_dimension() {
    let mut builder = CountTableBuilder::new(dim(5), dim(4));
    builder.push(id(2), id(3), 1_u64).unwrap();
    let counts = CountMatrix::from_table(builder.finish().unwrap()).unwrap();
    for path in PATHS {
        let decomposition: Decomposition<f32> =
            decompose_counts(&counts, CountTransform::Identity, &config(path)).unwrap();
        assert_eq!(decomposition.rank().get(), 1);
        // 1 / sqrt((1 + 5)(1 + 5))
        assert!((decomposition.singular_values()[0] - 1.0 / 6.0).abs() < 1e-6);
        assert!(decomposition.left().row(2)[0] > 0.99);
    }
}
