//! The comparison itself: learn, parse, score, one contestant after the other.

use std::collections::HashMap;

use corpus::tree::Tree;
use eigentree::Error;
use eigentree::parsing::{TreeParser, parse_and_count, score_parses};
use eigentree::training::{Tuning, tune};
use eval::brackets::BracketConfig;
use eval::report::BracketFigures;
use grammars::lpcfg::{self, EmRun, Groundwork, Lpcfg, LpcfgConfig, Method, ParserConfig, SmoothingConfig};
use grammars::pcfg::{self, Pcfg, PcfgLearner};
use models::learn::{Learner, Observer};

use super::config::{Config, Data};
use super::contestant::Contestant;
use super::plan::{Lesson, Training, plan, spectral};
use super::report::{Checkpoint, Report, Run, RunTest, Score, Size, Tuned};
use super::tags::{Sentences, TagSource, TaggerFigures, learn_tagger};
use crate::meter::{Meter, StageCost, Stopwatch, total};

/// The stage of EM's steps.
pub(super) const STEPS: &str = "steps";

/// The stage of the groundwork that only learners of latent states need.
const NODES: &str = "number nodes";

/// Runs all contestants. The observer is told each result as it comes.
pub fn compare(
    config: &Config,
    data: &Data<'_>,
    observer: &mut dyn Observer,
    meter: &dyn Meter,
) -> Result<Report, Error> {
    let tuned = tune_all(config, data.train, observer)?;
    let smoothing = |states: usize| {
        let own = tuned.iter().find(|(tuned, _)| tuned.states == states);
        own.map_or(config.base.smoothing, |(_, smoothing)| *smoothing)
    };
    let lessons = plan(config, &smoothing);
    let needs_groundwork = lessons.iter().any(|lesson| !matches!(lesson.training, Training::Plain(_)));
    let mut shared = Vec::new();
    let groundwork = match needs_groundwork {
        false => None,
        true => {
            let mut watch = Stopwatch::new("shared", observer, meter);
            let learned = Groundwork::new(config.base.clone(), data.train, &mut watch)?;
            watch.pause();
            shared = watch.stages().to_vec();
            Some(learned.model)
        }
    };
    let tagger = match config.tags.contains(&TagSource::Tagger) {
        false => None,
        true => Some(learn_tagger(data.train, config.seed, &mut Stopwatch::new("tagger", observer, meter))?),
    };
    let sentences = |trees| Sentences::new(trees, tagger.as_ref().map(|(tagger, _)| tagger));
    let (dev, test) = (sentences(data.dev), data.test.map(sentences));
    let tagger = tagger.as_ref().map(|&(_, training)| TaggerFigures {
        training,
        dev: dev.accuracy(),
        test: test.as_ref().map(Sentences::accuracy),
    });
    let report = Report {
        family: "lpcfg",
        preset: config.preset,
        constants: config.base.constants().to_string(),
        train: Size::of(data.train),
        dev: Size::of(data.dev),
        test: data.test.map(Size::of),
        threads: rayon::current_num_threads(),
        seed: config.seed,
        tuned: tuned.iter().map(|(tuned, _)| tuned.clone()).collect(),
        tags: config.tags.clone(),
        tagger,
        shared,
        runs: Vec::new(),
        tests: Vec::new(),
        speed: Vec::new(),
        ablations: Vec::new(),
    };
    let mut contest = Contest {
        train: data.train,
        dev,
        test,
        meter,
        groundwork: groundwork.as_ref(),
        plain_parser: &config.plain_parser,
        parsed: HashMap::new(),
        report,
    };
    for (number, lesson) in lessons.iter().enumerate() {
        let count = format!("{}/{}", number + 1, lessons.len());
        contest.teach(lesson, &count, observer)?;
    }
    let mut report = contest.report;
    report.runs.sort_by_key(|run| (run.learner, run.states));
    report.conclude();
    Ok(report)
}

/// The smoothing constants for each number of states, if they are to be chosen: those of the spectral learner with the best F1 on a
/// held-out tenth of the training trees. The development set is left for what it is compared on.
fn tune_all(
    config: &Config,
    trees: &[Tree],
    observer: &mut dyn Observer,
) -> Result<Vec<(Tuned, SmoothingConfig)>, Error> {
    let Tuning::HeldOut { seed } = config.tuning else { return Ok(Vec::new()) };
    let choose = |&states: &usize| {
        let members = vec![Method::Spectral(spectral(config, states))];
        let learning = LpcfgConfig { members, ..config.base.clone() };
        let best = tune(&learning, &config.parser, trees, seed, observer)?.best;
        Ok((Tuned { states, constants: best.constants(), f1: 100.0 * best.f1 }, best.smoothing))
    };
    config.states.iter().map(choose).collect()
}

/// A comparison under way.
struct Contest<'c> {
    train: &'c [Tree],
    dev: Sentences<'c>,
    test: Option<Sentences<'c>>,
    meter: &'c dyn Meter,
    groundwork: Option<&'c Groundwork>,
    plain_parser: &'c pcfg::ParserConfig,
    /// The parses of the development set by learners without steps, by which variants are compared.
    parsed: HashMap<(Contestant, Option<usize>, TagSource), Vec<Option<Tree>>>,
    report: Report,
}

impl Contest<'_> {
    fn teach(&mut self, lesson: &Lesson, count: &str, observer: &mut dyn Observer) -> Result<(), Error> {
        let title = format!("[{count}] {}", called(lesson.users[0].0, lesson.states, None));
        let mut watch = Stopwatch::new(title, observer, self.meter);
        let mut runs: Vec<Run> = lesson.users.iter().map(|&(user, _)| begin(user, lesson.states)).collect();
        match &lesson.training {
            Training::Plain(config) => {
                let learned = PcfgLearner { config: (**config).clone() }.learn(self.train, &mut watch)?;
                self.plain(&learned.model, &mut runs, &mut watch)?;
            }
            Training::Groundwork => {
                if let Some(groundwork) = self.groundwork {
                    self.plain(groundwork.grammar(), &mut runs, &mut watch)?;
                }
            }
            Training::Once(method, smoothing) => {
                self.once(lesson, method, *smoothing, &mut runs, &mut watch)?
            }
            Training::Steps { start, smoothing, checkpoints } => {
                self.steps(lesson, (start, *smoothing), checkpoints, &mut runs, &mut watch)?;
            }
        }
        // A grammar that is part of the groundwork was learnt there.
        let stages = match lesson.training {
            Training::Groundwork => grammar_stages(&self.report.shared),
            _ => watch.stages().to_vec(),
        };
        for run in &mut runs {
            run.stages.clone_from(&stages);
            run.peak_mb = watch.peak_mb();
        }
        self.report.runs.extend(runs);
        Ok(())
    }

    /// Scores a grammar without states.
    fn plain(&mut self, model: &Pcfg, runs: &mut [Run], watch: &mut Stopwatch<'_>) -> Result<(), Error> {
        watch.pause();
        let parser = pcfg::Parser::new(model, self.plain_parser.clone());
        for run in runs {
            run.numbers = model.rules().len();
            self.score(&parser, run, (None, None), watch)?;
        }
        Ok(())
    }

    fn once(
        &mut self,
        lesson: &Lesson,
        method: &Method,
        smoothing: SmoothingConfig,
        runs: &mut [Run],
        watch: &mut Stopwatch<'_>,
    ) -> Result<(), Error> {
        let Some(groundwork) = self.groundwork else { return Ok(()) };
        let learned = groundwork.learn(method, smoothing, watch)?;
        watch.pause();
        self.latent(lesson, &learned.model, (None, None), runs, watch)
    }

    fn steps(
        &mut self,
        lesson: &Lesson,
        (start, smoothing): (&Method, SmoothingConfig),
        checkpoints: &[usize],
        runs: &mut [Run],
        watch: &mut Stopwatch<'_>,
    ) -> Result<(), Error> {
        let Some(groundwork) = self.groundwork else { return Ok(()) };
        let mut em = groundwork.begin_em(start, smoothing, watch)?;
        let mut done = 0;
        for &steps in checkpoints {
            let log_likelihood = advance(&mut em, steps - done, watch)?;
            done = steps;
            let model = em.model();
            self.latent(lesson, &model, (Some(steps), log_likelihood), runs, watch)?;
        }
        Ok(())
    }

    /// Scores a grammar with latent states in all ways of parsing.
    fn latent(
        &mut self,
        lesson: &Lesson,
        model: &Lpcfg,
        at: (Option<usize>, Option<f64>),
        runs: &mut [Run],
        watch: &mut Stopwatch<'_>,
    ) -> Result<(), Error> {
        for ((_, config), run) in lesson.users.iter().zip(runs) {
            let parser = lpcfg::Parser::new(model, ParserConfig::clone(config));
            run.most_states = model.states();
            run.numbers = model.tensor_size();
            self.score(&parser, run, at, watch)?;
        }
        Ok(())
    }

    /// Parses and scores in all uses of tags, adds the checkpoint to the run, and scores the test set if this is the best yet.
    fn score<P: TreeParser>(
        &mut self,
        parser: &P,
        run: &mut Run,
        (steps, log_likelihood): (Option<usize>, Option<f64>),
        watch: &mut Stopwatch<'_>,
    ) -> Result<(), Error> {
        run.rules = parser.grammar().rules().len();
        let cost = match run.learner {
            Contestant::SmoothedPcfg => total(&grammar_stages(&self.report.shared)),
            _ => total(watch.stages()),
        };
        let mut checkpoint = Checkpoint { steps, cost, log_likelihood, dev: Vec::new() };
        for tags in self.report.tags.clone() {
            let (mut score, trees) = score_treebank(parser, &self.dev, tags, "parse dev", watch)?;
            if steps.is_none() {
                let full =
                    run.learner.variant_of().and_then(|full| self.parsed.get(&(full, run.states, tags)));
                score.changed =
                    full.map(|full| full.iter().zip(&trees).filter(|(one, other)| one != other).count());
                self.parsed.insert((run.learner, run.states, tags), trees);
            }
            watch.note(format_args!(
                "{}, {}: F1 {:.2} ({:.1} s of training, {:.0} sentences/s)",
                called(run.learner, run.states, steps),
                tags.seen(),
                score.brackets.f1,
                cost.time(),
                score.sentences_per_second,
            ));
            self.test(parser, run, steps, &score, watch)?;
            checkpoint.dev.push(score);
        }
        run.checkpoints.push(checkpoint);
        Ok(())
    }

    /// Scores the test set if the model is the best of its run on the development set so far.
    fn test<P: TreeParser>(
        &self,
        parser: &P,
        run: &mut Run,
        steps: Option<usize>,
        dev: &Score,
        watch: &mut Stopwatch<'_>,
    ) -> Result<(), Error> {
        let Some(test) = &self.test else { return Ok(()) };
        let before = run.tests.iter().position(|other| other.score.tags == dev.tags);
        if before.is_some_and(|at| run.tests[at].dev_f1 >= dev.brackets.f1) {
            return Ok(());
        }
        let (score, _) = score_treebank(parser, test, dev.tags, "parse test", watch)?;
        let scored = RunTest { steps, dev_f1: dev.brackets.f1, score };
        match before {
            Some(at) => run.tests[at] = scored,
            None => run.tests.push(scored),
        }
        Ok(())
    }
}

/// The stages of the groundwork that make the grammar without states.
fn grammar_stages(shared: &[StageCost]) -> Vec<StageCost> {
    shared.iter().filter(|stage| stage.name != NODES).cloned().collect()
}

fn begin(learner: Contestant, states: Option<usize>) -> Run {
    Run {
        learner,
        states,
        most_states: 1,
        rules: 0,
        numbers: 0,
        stages: Vec::new(),
        peak_mb: None,
        checkpoints: Vec::new(),
        tests: Vec::new(),
    }
}

/// Some steps of EM; returns the log-likelihood before the last.
fn advance(em: &mut EmRun<'_>, steps: usize, watch: &mut Stopwatch<'_>) -> Result<Option<f64>, Error> {
    watch.stage(STEPS, Some(steps as u64));
    let mut log_likelihood = None;
    for _ in 0..steps {
        log_likelihood = Some(em.step());
        watch.advance(1);
        if watch.cancelled() {
            return Err(Error::Cancelled);
        }
    }
    watch.pause();
    Ok(log_likelihood)
}

/// Parses and scores; returns the trees too.
fn score_treebank<P: TreeParser>(
    parser: &P,
    sentences: &Sentences<'_>,
    tags: TagSource,
    stage: &str,
    watch: &mut Stopwatch<'_>,
) -> Result<(Score, Vec<Option<Tree>>), Error> {
    let (gold, shown) = (sentences.gold, sentences.shown(tags));
    let (parsed, parsing, parsing_peak_mb) =
        watch.aside(stage, gold.len(), |observer| parse_and_count(parser, shown, tags.tag_use(), observer));
    let parsed = parsed?;
    let scores = score_parses(gold, &parsed.parses, &BracketConfig::collins())?;
    let score = Score {
        tags,
        brackets: BracketFigures::from(scores.summary()),
        negative: parsed.negative,
        changed: None,
        parsing,
        sentences_per_second: gold.len() as f64 / parsing.time(),
        parsing_peak_mb,
    };
    Ok((score, parsed.parses.into_iter().map(|parse| parse.map(|parse| parse.tree)).collect()))
}

/// A contestant with its states and steps.
pub(super) fn called(learner: Contestant, states: Option<usize>, steps: Option<usize>) -> String {
    let mut name = learner.title().to_owned();
    if let Some(states) = states {
        name.push_str(&format!(", m={states}"));
    }
    if let Some(steps) = steps {
        name.push_str(&format!(", {steps} steps"));
    }
    name
}
