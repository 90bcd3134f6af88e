//! What came out.

use corpus::tree::Tree;
use eigentree::training::Preset;
use eval::report::BracketFigures;
use serde::Serialize;

use super::contestant::Contestant;
use super::tags::{TagSource, TaggerFigures};
use crate::meter::{Cost, StageCost, total};

/// The whole comparison.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Report {
    /// Always `lpcfg`.
    pub family: &'static str,
    /// Whose method was compared.
    #[serde(skip)]
    pub preset: Preset,
    /// The constants that all learners share.
    pub constants: String,
    /// What was learnt from.
    pub train: Size,
    /// What was scored and chosen by.
    pub dev: Size,
    /// What was scored at the end.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub test: Option<Size>,
    /// How many threads worked.
    pub threads: usize,
    /// The seed of everything random.
    pub seed: u64,
    /// The smoothing constants that were chosen, by the number of states; none if they were given.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tuned: Vec<Tuned>,
    /// What the parsers saw.
    pub tags: Vec<TagSource>,
    /// The tagger, if its tags were parsed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tagger: Option<TaggerFigures>,
    /// The work that all learners with latent states share, and that is in none of their times.
    pub shared: Vec<StageCost>,
    /// One a contestant and number of states.
    pub runs: Vec<Run>,
    /// On the test set: for each main learner the model that was best on the development set.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tests: Vec<TestScore>,
    /// EM's time to its best iteration against the spectral learner's.
    pub speed: Vec<Speed>,
    /// What poorer variants lose.
    pub ablations: Vec<Ablation>,
}

/// Smoothing constants chosen on held-out training trees.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Tuned {
    /// The number of states.
    pub states: usize,
    /// The constants in words.
    pub constants: String,
    /// F1 of the spectral learner on the held-out trees with them, from words alone, in percent.
    pub f1: f64,
}

/// The size of a treebank.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct Size {
    /// Trees.
    pub trees: usize,
    /// Words.
    pub words: usize,
}

impl Size {
    pub(super) fn of(trees: &[Tree]) -> Self {
        Self { trees: trees.len(), words: trees.iter().map(Tree::word_count).sum() }
    }
}

/// One contestant with one number of states.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Run {
    /// Who.
    pub learner: Contestant,
    /// The number of states that was asked for; none without latent states.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub states: Option<usize>,
    /// The most states that a symbol has.
    pub most_states: usize,
    /// Binary rules of the grammar.
    pub rules: usize,
    /// Numbers of the rules' parameters.
    pub numbers: usize,
    /// The times of training, without what all share.
    pub stages: Vec<StageCost>,
    /// The most memory held in training, trees included, in MB.
    pub peak_mb: Option<f64>,
    /// What was scored: one model, or those of some steps of EM.
    pub checkpoints: Vec<Checkpoint>,
    /// On the test set, at the checkpoint that is best on the development set, in the order of [`Report::tags`].
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tests: Vec<RunTest>,
}

/// A model of a run, scored.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Checkpoint {
    /// After how many steps of EM.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub steps: Option<usize>,
    /// What it took to get here.
    #[serde(flatten)]
    pub cost: Cost,
    /// The logarithm of the probability of the training trees before the last step.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub log_likelihood: Option<f64>,
    /// On the development set, in the order of [`Report::tags`].
    pub dev: Vec<Score>,
}

/// How a model did on a treebank.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Score {
    /// What the parser saw.
    pub tags: TagSource,
    /// Brackets by EVALB's conventions over all sentences, in percent.
    pub brackets: BracketFigures,
    /// Sentences whose partition function came out negative.
    pub negative: u64,
    /// Of a variant: sentences that get another tree than by the learner that it is a variant of.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub changed: Option<usize>,
    /// What parsing took.
    pub parsing: Cost,
    /// Sentences a second of processor time, where that is known, else of time that passed.
    pub sentences_per_second: f64,
    /// The most memory held in parsing, in MB.
    pub parsing_peak_mb: Option<f64>,
}

/// A score on the test set, at the checkpoint that is best on the development set.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct RunTest {
    /// After how many steps.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub steps: Option<usize>,
    /// F1 on the development set, by which the steps were chosen.
    pub dev_f1: f64,
    /// On the test set.
    #[serde(flatten)]
    pub score: Score,
}

/// A score on the test set, with states and steps chosen on the development set.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct TestScore {
    /// Who.
    pub learner: Contestant,
    /// With how many states.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub states: Option<usize>,
    /// After how many steps.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub steps: Option<usize>,
    /// F1 on the development set, by which it was chosen.
    pub dev_f1: f64,
    /// On the test set.
    #[serde(flatten)]
    pub score: Score,
}

/// Times of training, side by side.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Speed {
    /// By what EM's iteration was chosen.
    pub tags: TagSource,
    /// The number of states.
    pub states: usize,
    /// Seconds of the spectral learner: of the processor where that is known.
    pub spectral_seconds: f64,
    /// Seconds of EM to its best checkpoint.
    pub em_seconds: f64,
    /// Steps to it.
    pub em_steps: usize,
    /// Seconds of one step.
    pub em_step_seconds: f64,
    /// EM's time as a multiple of the spectral learner's.
    pub factor: f64,
    /// F1 of the spectral learner.
    pub spectral_f1: f64,
    /// F1 of EM at its best checkpoint.
    pub em_f1: f64,
    /// Where EM's best checkpoint stands among all.
    pub em_best: BestAt,
    /// The first checkpoint at which EM is as accurate as the spectral learner, if there is one.
    pub em_level: Option<Level>,
}

/// Where the best checkpoint stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum BestAt {
    /// Others follow it: accuracy had passed its peak.
    Within,
    /// It is the last: more steps might be better still, and then both time and factor are too small.
    Last,
}

/// A checkpoint of EM that is level with the spectral learner.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Level {
    /// Steps to it.
    pub steps: usize,
    /// Seconds to it.
    pub seconds: f64,
    /// These as a multiple of the spectral learner's.
    pub factor: f64,
}

/// What a variant loses.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Ablation {
    /// The variant.
    pub learner: Contestant,
    /// What it is a variant of.
    pub variant_of: Contestant,
    /// What the parser saw.
    pub tags: TagSource,
    /// The number of states.
    pub states: usize,
    /// F1.
    pub f1: f64,
    /// F1 less that of the full learner.
    pub difference: f64,
    /// Sentences that get another tree than by the full learner, in per cent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub changed: Option<f64>,
}

impl Checkpoint {
    /// The score under some use of tags.
    pub fn score(&self, tags: TagSource) -> Option<&Score> {
        self.dev.iter().find(|score| score.tags == tags)
    }
}

impl Run {
    /// The checkpoint with the highest F1; the earliest of equals.
    pub fn best(&self, tags: TagSource) -> Option<(&Checkpoint, &Score)> {
        let mut best: Option<(&Checkpoint, &Score)> = None;
        for checkpoint in &self.checkpoints {
            if let Some(score) = checkpoint.score(tags)
                && best.is_none_or(|(_, other)| score.brackets.f1 > other.brackets.f1)
            {
                best = Some((checkpoint, score));
            }
        }
        best
    }

    /// The score on the test set under some use of tags.
    pub fn test(&self, tags: TagSource) -> Option<&RunTest> {
        self.tests.iter().find(|test| test.score.tags == tags)
    }

    /// The time of the stage `name`.
    pub(super) fn stage(&self, name: &str) -> Option<f64> {
        self.stages.iter().find(|stage| stage.name == name).map(|stage| stage.cost.time())
    }
}

impl Report {
    /// A run by its contestant and number of states.
    pub fn run(&self, learner: Contestant, states: Option<usize>) -> Option<&Run> {
        self.runs.iter().find(|run| run.learner == learner && run.states == states)
    }

    /// The numbers of states of all runs, rising.
    pub(super) fn states(&self) -> Vec<usize> {
        let mut states: Vec<usize> = self.runs.iter().filter_map(|run| run.states).collect();
        states.sort_unstable();
        states.dedup();
        states
    }

    /// What all learners share took so long.
    pub(super) fn shared_cost(&self) -> Cost {
        total(&self.shared)
    }

    /// Fills in what follows from the runs.
    pub(super) fn conclude(&mut self) {
        self.speed = self.tags.iter().flat_map(|&tags| self.speeds(tags)).collect();
        self.ablations = self.tags.iter().flat_map(|&tags| self.losses(tags)).collect();
        self.tests = self.best_tests();
    }

    /// Of each main learner and use of tags, the run that is best on the development set; of equal ones the first.
    fn best_tests(&self) -> Vec<TestScore> {
        let mut tests: Vec<TestScore> = Vec::new();
        for run in self.runs.iter().filter(|run| run.learner.variant_of().is_none()) {
            for test in &run.tests {
                let same = |other: &&mut TestScore| {
                    other.learner == run.learner && other.score.tags == test.score.tags
                };
                let scored = TestScore {
                    learner: run.learner,
                    states: run.states,
                    steps: test.steps,
                    dev_f1: test.dev_f1,
                    score: test.score.clone(),
                };
                match tests.iter_mut().find(same) {
                    Some(best) if best.dev_f1 >= test.dev_f1 => {}
                    Some(best) => *best = scored,
                    None => tests.push(scored),
                }
            }
        }
        tests
    }

    fn speeds(&self, tags: TagSource) -> Vec<Speed> {
        let speed = |states: usize| {
            let spectral = self.run(Contestant::Spectral, Some(states))?;
            let em = self.run(Contestant::Em, Some(states))?;
            let (one, spectral_score) = spectral.best(tags)?;
            let (other, em_score) = em.best(tags)?;
            let last = em.checkpoints.last()?.steps?;
            let (spectral_seconds, em_seconds) = (one.cost.time(), other.cost.time());
            let spectral_f1 = spectral_score.brackets.f1;
            let reached = |checkpoint: &&Checkpoint| {
                checkpoint.score(tags).is_some_and(|score| score.brackets.f1 >= spectral_f1)
            };
            let em_level = em.checkpoints.iter().find(reached).and_then(|checkpoint| {
                let seconds = checkpoint.cost.time();
                Some(Level { steps: checkpoint.steps?, seconds, factor: seconds / spectral_seconds })
            });
            Some(Speed {
                tags,
                states,
                spectral_seconds,
                em_seconds,
                em_steps: other.steps?,
                em_step_seconds: em.stage(super::run::STEPS)? / last as f64,
                factor: em_seconds / spectral_seconds,
                spectral_f1,
                em_f1: em_score.brackets.f1,
                em_best: if other.steps == Some(last) { BestAt::Last } else { BestAt::Within },
                em_level,
            })
        };
        self.states().into_iter().filter_map(speed).collect()
    }

    fn losses(&self, tags: TagSource) -> Vec<Ablation> {
        let loss = |run: &Run| {
            let variant_of = run.learner.variant_of()?;
            let (score, states) = (run.best(tags)?.1, run.states?);
            let f1 = score.brackets.f1;
            let full = self.run(variant_of, run.states)?.best(tags)?.1.brackets.f1;
            let share = |changed: usize| 100.0 * changed as f64 / self.dev.trees.max(1) as f64;
            let changed = score.changed.map(share);
            Some(Ablation {
                learner: run.learner,
                variant_of,
                tags,
                states,
                f1,
                difference: f1 - full,
                changed,
            })
        };
        self.runs.iter().filter_map(loss).collect()
    }
}
