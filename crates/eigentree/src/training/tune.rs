//! Choosing how much to smooth, on trees held out of the training set.

use corpus::split::{SplitConfig, split_by_seed};
use corpus::tree::Tree;
use eval::brackets::BracketConfig;
use grammars::lpcfg::{LexicalSmoothing, LpcfgConfig, LpcfgLearner, Parser, ParserConfig, SmoothingConfig};
use models::learn::{Learner, Observer};

use crate::Error;
use crate::parsing::{TagUse, parse_trees, score_parses};

/// A constant, and what it is tried with.
struct Setting {
    values: &'static [f64],
    set: fn(&mut SmoothingConfig, f64),
}

/// The constants of our own smoothing.
const BY_COUNT: [Setting; 3] = [
    Setting { values: &[3.0, 10.0, 30.0], set: |smoothing, value| smoothing.rules = value },
    Setting { values: &[3.0, 10.0, 30.0], set: |smoothing, value| smoothing.words = value },
    Setting { values: &[3.0, 10.0, 30.0], set: |smoothing, value| smoothing.classes = value },
];

/// The constants of the paper: C, ν and the count limit.
const CONSTANT: [Setting; 3] = [
    Setting { values: &[3.0, 10.0, 30.0, 100.0], set: |smoothing, value| smoothing.rules = value },
    Setting {
        values: &[0.2, 0.5, 0.8],
        set: |smoothing, value| {
            if let LexicalSmoothing::Constant { own, .. } = &mut smoothing.lexical {
                *own = value;
            }
        },
    },
    Setting {
        values: &[3.0, 10.0, 30.0, 100.0],
        set: |smoothing, value| {
            if let LexicalSmoothing::Constant { below, .. } = &mut smoothing.lexical {
                *below = value;
            }
        },
    },
];

/// The share of the trees that is held out.
const HELD_OUT: f64 = 0.1;

/// One choice, and what it brought.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Trial {
    /// The constants.
    pub smoothing: SmoothingConfig,
    /// F1 of brackets on the held-out trees from words alone, between 0 and 1.
    pub f1: f64,
}

impl Trial {
    /// The constants in words.
    pub fn constants(&self) -> String {
        shown(&self.smoothing)
    }
}

/// Tuning of the smoothing constants before learning.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Tuning {
    /// None: the constants of the configuration are used.
    #[default]
    Fixed,
    /// The constants are chosen on a held-out tenth of the trees; the model then learns from all trees.
    HeldOut {
        /// The seed of the choice of held-out trees.
        seed: u64,
    },
}

/// What was tried.
#[derive(Clone, PartialEq, Debug)]
pub struct TuningReport {
    /// The best of all; the earliest of equals.
    pub best: Trial,
    /// In the order they were tried.
    pub trials: Vec<Trial>,
    /// How many trees were held out.
    pub held_out: usize,
}

/// Chooses the constants of smoothing: those of rules, then of words, then of classes, each with the best of those before it.
/// A tenth of the trees is held out by the seed, and no other tree is looked at. Of several members only the first is learnt, as
/// all of them share the constants. `parsing` configures the parser of the trials. Every trial is told to the observer.
pub fn tune(
    config: &LpcfgConfig,
    parsing: &ParserConfig,
    trees: &[Tree],
    seed: u64,
    observer: &mut dyn Observer,
) -> Result<TuningReport, Error> {
    let (train, held_out) = hold_out(trees, seed)?;
    let mut config = config.clone();
    config.members.truncate(1);
    config.companions.clear();
    config.spans = None;

    let trial = |smoothing: SmoothingConfig, observer: &mut dyn Observer| -> Result<Trial, Error> {
        let learner = LpcfgLearner { config: LpcfgConfig { smoothing, ..config.clone() } };
        let model = learner.learn(&train, observer)?.model;
        observer.stage("parse held-out", Some(held_out.len() as u64));
        let parser = Parser::new(&model, parsing.clone());
        let parses = parse_trees(&parser, &held_out, TagUse::Predicted, observer)?;
        let scores = score_parses(&held_out, &parses, &BracketConfig::collins())?;
        let f1 = scores.summary().brackets.f1();
        observer.note(format_args!(
            "smoothing {}: F1 {:.2} on held-out trees",
            shown(&smoothing),
            100.0 * f1
        ));
        Ok(Trial { smoothing, f1 })
    };
    let (first, settings): (SmoothingConfig, &[Setting]) = match config.smoothing.lexical {
        LexicalSmoothing::ByCount => {
            (SmoothingConfig { rules: 10.0, words: 10.0, classes: 10.0, ..config.smoothing }, &BY_COUNT)
        }
        LexicalSmoothing::Constant { .. } => (SmoothingConfig::paper(), &CONSTANT),
    };
    let start = trial(first, observer)?;
    let (mut best, mut trials) = (start, vec![start]);
    for setting in settings {
        let before = best.smoothing;
        for &value in setting.values {
            let mut smoothing = before;
            (setting.set)(&mut smoothing, value);
            if smoothing == before {
                continue;
            }
            let tried = trial(smoothing, observer)?;
            trials.push(tried);
            if tried.f1 > best.f1 {
                best = tried;
            }
        }
    }
    observer.note(format_args!(
        "chosen on {} held-out training trees: smoothing {}",
        held_out.len(),
        shown(&best.smoothing)
    ));
    Ok(TuningReport { best, trials, held_out: held_out.len() })
}

/// The trees to learn from, and a tenth to try choices on.
pub(super) fn hold_out(trees: &[Tree], seed: u64) -> Result<(Vec<Tree>, Vec<Tree>), Error> {
    let shares = SplitConfig { dev_share: HELD_OUT, test_share: 0.0, seed };
    let split = split_by_seed(trees.len(), &shares)
        .map_err(|error| Error::Data(format!("cannot hold out trees: {error}")))?;
    if split.dev.is_empty() || split.train.is_empty() {
        return Err(Error::Data(format!(
            "too few trees to hold a tenth out: {}; give more trees or tune nothing",
            trees.len()
        )));
    }
    let part = |numbers: &[usize]| -> Vec<Tree> { numbers.iter().map(|&at| trees[at].clone()).collect() };
    Ok((part(&split.train), part(&split.dev)))
}

/// Constants as the option has them.
fn shown(smoothing: &SmoothingConfig) -> String {
    match smoothing.lexical {
        LexicalSmoothing::ByCount => format!("{},{},{}", smoothing.rules, smoothing.words, smoothing.classes),
        LexicalSmoothing::Constant { own, below } => format!("C {}, ν {own} below {below}", smoothing.rules),
    }
}
