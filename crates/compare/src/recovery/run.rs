//! Drawing, learning, measuring.

use corpus::synthetic::LatentGrammar;
use corpus::tree::Tree;
use corpus::tree::normal_form::NormalForm;
use corpus::tree::root::unwrap_root;
use eigentree::Error;
use eigentree::sampling::{SamplingConfig, sample_trees};
use grammars::lexicon::Observation;
use grammars::lpcfg::{Lpcfg, LpcfgConfig, LpcfgLearner, Method};
use models::learn::{Learner, Observer};

use super::config::{Config, MOST_STATES, spectral, unsmoothed};
use super::report::{Point, Report, Role};
use crate::meter::{Meter, Stopwatch, total};

/// Runs all learners on samples of all sizes.
///
/// # Errors
/// If no tree of the grammar is short enough, or a learner fails.
pub fn compare(
    grammar: &LatentGrammar,
    config: &Config,
    observer: &mut dyn Observer,
    meter: &dyn Meter,
) -> Result<Report, Error> {
    let draw = |trees: usize, seed: u64| {
        let max_words = config.max_words;
        let drawing = SamplingConfig { trees: trees as u64, max_words, seed, ..SamplingConfig::default() };
        sample_trees(grammar, &drawing)
    };
    // Seeds of the test trees are out of reach of those of the samples.
    let trees = draw(config.test_trees, config.seed.wrapping_add(1 << 40))?;
    let truth = trees.iter().map(|tree| grammar.log_probability(&unwrap_root(tree.clone()))).collect();
    let test = Test { trees, truth };
    let states = config.states.unwrap_or(grammar.most_states().min(MOST_STATES));
    let mut points = Vec::new();
    for &size in &config.sizes {
        for repeat in 0..config.repeats {
            let train = draw(size, config.seed.wrapping_add(repeat as u64))?;
            let mut run = |role: Role, learning: LpcfgConfig| -> Result<Point, Error> {
                let mut watch = Stopwatch::new(format!("{size} trees, {role}"), observer, meter);
                let form = learning.grammar.normal_form.clone();
                let learned = LpcfgLearner { config: learning }.learn(&train, &mut watch)?;
                watch.pause();
                let measured = test.measure(&learned.model, &form);
                Ok(Point {
                    learner: role,
                    trees: size,
                    repeat,
                    error: measured.error,
                    negative: measured.negative,
                    impossible: measured.impossible,
                    log_likelihood: learned.report.figure("log-likelihood"),
                    seconds: total(watch.stages()).time(),
                })
            };
            points.push(run(Role::OneState, spectral(1))?);
            points.push(run(Role::Spectral, spectral(states))?);
            for restart in 0..config.restarts {
                let seed = config.seed.wrapping_add((repeat * config.restarts + restart) as u64);
                let em = Method::Em { states, steps: config.em_steps, seed };
                points.push(run(Role::Em, unsmoothed(em))?);
            }
        }
    }
    Ok(Report {
        states,
        grammar_states: grammar.most_states(),
        longest_rule: grammar.longest_rule(),
        restarts: config.restarts,
        em_steps: config.em_steps,
        max_words: config.max_words,
        test_trees: config.test_trees,
        points,
    })
}

/// New trees and the logarithms of their true probabilities.
struct Test {
    trees: Vec<Tree>,
    truth: Vec<f64>,
}

/// The probabilities of new trees under a model, compared with the truth.
struct Measured {
    /// The mean of `|log |p̂| − log p|` over the trees that the model derives.
    error: f64,
    /// Trees that the model derives with an estimate that is not positive, in percent.
    negative: f64,
    /// Trees with a rule or a word that the sample lacks, in percent.
    impossible: f64,
}

impl Test {
    fn measure(&self, model: &Lpcfg, form: &NormalForm) -> Measured {
        let (mut error, mut negative, mut derived) = (0.0, 0.0, 0.0);
        for (tree, &truth) in self.trees.iter().zip(&self.truth) {
            let words: Vec<Observation<'_>> = tree.words().map(Observation::Word).collect();
            let found = model.tree_probabilities(&form.apply(tree.clone()), &words).into_iter().next();
            let Some(found) = found.filter(|found| found.log.is_finite()) else { continue };
            error += (found.log - truth).abs();
            negative += f64::from(u8::from(found.sign <= 0));
            derived += 1.0;
        }
        let all = self.trees.len().max(1) as f64;
        let percent = |count: f64| 100.0 * count / all;
        let mean = if derived > 0.0 { error / derived } else { f64::NAN };
        Measured { error: mean, negative: percent(negative), impossible: percent(all - derived) }
    }
}

#[cfg(test)]
mod tests {
    use corpus::synthetic::{cycle, grammar_text};
    use models::learn::Silent;

    use super::*;
    use crate::comparison::Comparison;
    use crate::meter::NoMeter;

    fn report(grammar: &LatentGrammar, config: &Config) -> Report {
        compare(grammar, config, &mut Silent, &NoMeter).unwrap()
    }

    #[test]
    fn errors_fall_with_the_sample_if_the_model_has_the_states_of_the_grammar() {
        let config = Config { sizes: vec![1000, 16_000], repeats: 2, restarts: 0, ..Config::default() };
        let own = report(cycle(), &config);
        assert_eq!((own.states, own.grammar_states), (8, 8));
        let slope = own.slope(Role::Spectral).unwrap();
        assert!((-0.75..-0.25).contains(&slope), "{slope}");
        // A grammar without states, or with too few of them, stays wrong however much it sees.
        let flat = own.slope(Role::OneState).unwrap();
        assert!(flat.abs() < 0.05, "{flat}");
        let few = report(cycle(), &Config { states: Some(4), ..config });
        let slope = few.slope(Role::Spectral).unwrap();
        assert!(slope > -0.15, "{slope}");
        assert!(few.document().sections[0].remarks.iter().any(|remark| remark.contains("up to 8")));
    }

    #[test]
    fn starts_of_em_end_in_different_optima() {
        let config =
            Config { sizes: vec![2000], repeats: 1, restarts: 4, em_steps: 150, ..Config::default() };
        let report = report(cycle(), &config);
        let starts: Vec<&Point> = report.points.iter().filter(|point| point.learner == Role::Em).collect();
        let spectral = report.points.iter().find(|point| point.learner == Role::Spectral).unwrap();
        assert_eq!(starts.len(), 4);
        let worst = starts.iter().map(|start| start.error).fold(0.0, f64::max);
        assert!(worst > 3.0 * spectral.error, "{worst} {}", spectral.error);
        assert!(starts.iter().all(|start| start.log_likelihood.is_some()));
    }

    #[test]
    fn a_grammar_without_hidden_states_is_learnt_by_all() {
        let grammar =
            grammar_text::parse("%root S\nS -> 3 A S | 2 A B | 4 B B\nA => a:2 x\nB => b:5 x").unwrap();
        let config =
            Config { sizes: vec![20_000], repeats: 1, restarts: 1, em_steps: 2, ..Config::default() };
        let report = report(&grammar, &config);
        assert_eq!(report.states, 1);
        for point in &report.points {
            assert!(point.error < 0.05 && point.impossible == 0.0 && point.negative == 0.0, "{point:?}");
        }
    }
}
