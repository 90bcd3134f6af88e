//! The error of an estimate falls like 1/√M, and the report estimates its size.

use spectral::moments::Scaling;
use spectral::{DecomposeConfig, Support};

use crate::random::rng;
use crate::three_views::{STATES, ThreeViews, config, estimate};

const SAMPLES: [usize; 4] = [2_000, 8_000, 32_000, 128_000];
const RUNS: usize = 24;

/// The slope of a least-squares line through (ln x, ln y).
fn log_log_slope(points: &[(f64, f64)]) -> f64 {
    let logs: Vec<(f64, f64)> = points.iter().map(|(x, y)| (x.ln(), y.ln())).collect();
    let count = logs.len() as f64;
    let (mean_x, mean_y) = logs.iter().fold((0.0, 0.0), |(x, y), log| (x + log.0 / count, y + log.1 / count));
    let covariance: f64 = logs.iter().map(|log| (log.0 - mean_x) * (log.1 - mean_y)).sum();
    covariance / logs.iter().map(|log| (log.0 - mean_x).powi(2)).sum::<f64>()
}

fn mean_error(model: &ThreeViews, samples: usize, config: &DecomposeConfig) -> f64 {
    let joint = model.joint();
    let errors = (0..RUNS).map(|run| {
        let counts = model.sample(&mut rng(1000 + run as u64), samples);
        let (estimate, _) = estimate(&counts, config).unwrap();
        estimate.iter().zip(&joint).map(|(estimate, truth)| (estimate - truth).abs()).sum::<f64>()
    });
    errors.sum::<f64>() / RUNS as f64
}

#[test]
fn the_error_falls_with_the_root_of_the_samples() {
    for scaling in [Scaling::default(), Scaling::None] {
        let config = DecomposeConfig { scaling, ..config(STATES) };
        let model = ThreeViews::random(&mut rng(50));
        let points: Vec<(f64, f64)> =
            SAMPLES.map(|samples| (samples as f64, mean_error(&model, samples, &config))).into();
        let slope = log_log_slope(&points);
        assert!((slope + 0.5).abs() < 0.1, "{scaling:?}: slope {slope:.3}, errors {points:?}");
    }
}

#[test]
fn the_reported_noise_is_the_size_of_the_first_false_singular_value() {
    // Beyond the number of states every singular value is noise.
    let model = ThreeViews::random(&mut rng(51));
    for samples in SAMPLES {
        let counts = model.sample(&mut rng(52), samples);
        let (_, report) = estimate(&counts, &config(STATES)).unwrap();
        let ratio = report.singular_values[STATES] / report.noise;
        assert!((0.2..1.5).contains(&ratio), "{samples} samples: {ratio:.2} of the noise");
    }
}

#[test]
fn the_verdict_grows_with_the_samples() {
    let model = ThreeViews::random(&mut rng(50));
    let support = |samples| {
        let counts = model.sample(&mut rng(53), samples);
        estimate(&counts, &config(STATES)).unwrap().1.support
    };
    assert_eq!(support(30), Support::None);
    assert_eq!(support(1_000_000), Support::Ample);
}
