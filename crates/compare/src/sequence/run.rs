//! Learning and scoring.

use eigentree::Error;
use models::learn::Observer;
use sequences::automaton::{EmConfig, SequenceCounts};
use sequences::sequence::{Method, RankChoice, SequenceConfig, SequenceLearner};
use spectral::Rank;

use super::config::Config;
use super::report::{Report, Run};
use crate::meter::{Meter, Stopwatch};

/// Runs all learners, one after the other.
pub fn compare(
    config: &Config,
    train: &SequenceCounts,
    held_out: &SequenceCounts,
    observer: &mut dyn Observer,
    meter: &dyn Meter,
) -> Result<Report, Error> {
    let mut report = Report {
        family: "sequence",
        threads: rayon::current_num_threads(),
        sequences: train.total(),
        held_out: held_out.total(),
        symbols: train.alphabet(),
        runs: Vec::new(),
    };
    let mut plan = vec![("n-grams".to_owned(), None, Method::Ngram, config.learning.em)];
    for &states in &config.ranks {
        plan.push(("spectral".to_owned(), Some(states), Method::Spectral, config.learning.em));
    }
    for &steps in &config.em_steps {
        for &states in &config.ranks {
            let em = EmConfig { steps, least_gain: 0.0, ..config.learning.em };
            plan.push((format!("EM, {steps} iterations"), Some(states), Method::Em, em));
        }
    }
    for (learner, states, method, em) in plan {
        let rank = RankChoice::Fixed(states.and_then(Rank::new).unwrap_or(Rank::ONE));
        let learning = SequenceConfig { method, rank, em, ..config.learning.clone() };
        let title = states.map_or(learner.clone(), |states| format!("{learner}, {states} states"));
        let mut watch = Stopwatch::new(title, observer, meter);
        let learned = SequenceLearner { config: learning }.learn(train, None, &mut watch)?;
        watch.pause();
        let (log_probability, _) = learned.model.score(held_out);
        report.runs.push(Run {
            learner,
            states,
            perplexity: (-log_probability / held_out.events().max(1.0)).exp(),
            weight: learned.model.weights().get(1).copied(),
            stages: watch.stages().to_vec(),
        });
    }
    Ok(report)
}
