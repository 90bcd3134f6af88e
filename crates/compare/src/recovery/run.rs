//! Drawing, learning, measuring.

use corpus::synthetic::{LatentGrammar, sample_treebank};
use corpus::tree::Tree;
use corpus::tree::normal_form::NormalForm;
use corpus::tree::root::unwrap_root;
use eigentree::Error;
use grammars::lexicon::Observation;
use grammars::lpcfg::{Lpcfg, LpcfgConfig, LpcfgLearner};
use models::learn::{Learner, Observer};

use super::config::Config;
use super::report::{Point, Report};
use crate::meter::{Meter, Stopwatch, total};

/// Probabilities of new trees under a model, compared with the truth.
#[derive(Clone, Copy)]
struct Comparison {
    /// The mean of `|log |p̂| − log p|`.
    error: f64,
    /// Trees whose estimate is not positive, in percent.
    negative: f64,
}

/// Runs all learners on samples of all sizes.
pub fn compare(
    grammar: &LatentGrammar,
    config: &Config,
    observer: &mut dyn Observer,
    meter: &dyn Meter,
) -> Result<Report, Error> {
    let draw = |trees: usize, seed: u64| {
        sample_treebank(grammar, trees, seed)
            .map_err(|error| Error::Data(format!("cannot draw trees: {error}")))
    };
    // Seeds of the test trees are out of reach of those of the samples.
    let test = draw(config.test_trees, config.seed.wrapping_add(1 << 40))?;
    let truth: Vec<f64> =
        test.iter().map(|tree| grammar.log_probability(&unwrap_root(tree.clone()))).collect();
    let mut points = Vec::new();
    for &size in &config.sizes {
        for repeat in 0..config.repeats {
            let train = draw(size, config.seed.wrapping_add(repeat as u64))?;
            let mut run = |name: &str, learning: LpcfgConfig| -> Result<(Comparison, f64, f64), Error> {
                let mut watch = Stopwatch::new(format!("{size} trees, {name}"), observer, meter);
                let form = learning.grammar.normal_form.clone();
                let learned = LpcfgLearner { config: learning }.learn(&train, &mut watch)?;
                watch.pause();
                let likelihood = learned.report.figure("log-likelihood").unwrap_or(f64::NEG_INFINITY);
                Ok((measure(&learned.model, &form, &test, &truth), likelihood, total(watch.stages()).time()))
            };
            let (spectral, _, seconds) = run("spectral", config.spectral())?;
            points.push(point("spectral", size, repeat, spectral, seconds));
            let mut starts = Vec::new();
            for restart in 0..config.restarts {
                starts.push(run(&format!("EM {}", restart + 1), config.em(restart))?);
            }
            // The best start by likelihood is what a user would keep; the worst shows what one start may give.
            let all: f64 = starts.iter().map(|(_, _, seconds)| seconds).sum();
            let best = starts.iter().max_by(|a, b| a.1.total_cmp(&b.1));
            let worst = starts.iter().max_by(|a, b| a.0.error.total_cmp(&b.0.error));
            if let (Some(best), Some(worst)) = (best, worst) {
                points.push(point("EM, best of the starts", size, repeat, best.0, all));
                points.push(point("EM, worst start", size, repeat, worst.0, worst.2));
            }
        }
    }
    Ok(Report::new(config, points))
}

fn point(learner: &str, trees: usize, repeat: usize, measured: Comparison, seconds: f64) -> Point {
    let Comparison { error, negative } = measured;
    Point { learner: learner.to_owned(), trees, repeat, error, negative, seconds }
}

/// Compares the probabilities of trees with the true ones.
fn measure(model: &Lpcfg, form: &NormalForm, test: &[Tree], truth: &[f64]) -> Comparison {
    let (mut error, mut negative) = (0.0, 0.0);
    for (tree, &truth) in test.iter().zip(truth) {
        let words: Vec<Observation<'_>> = tree.words().map(Observation::Word).collect();
        let found = model.tree_probabilities(&form.apply(tree.clone()), &words).into_iter().next();
        let (log, sign) = found.map_or((f64::NEG_INFINITY, 0), |found| (found.log, found.sign));
        // A tree with a rule that the sample lacks is impossible; it counts as wrong by as much as it is improbable.
        error += if log.is_finite() { (log - truth).abs() } else { truth.abs() };
        negative += f64::from(u8::from(sign <= 0));
    }
    let all = test.len().max(1) as f64;
    Comparison { error: error / all, negative: 100.0 * negative / all }
}
