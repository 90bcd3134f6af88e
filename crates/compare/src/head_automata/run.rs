//! Learning and scoring.

use corpus::format::conllu::Sentence;
use dependency::head_automata::{
    Accuracy, EmConfig, Geometry, HeadAutomata, HeadAutomataConfig, HeadAutomataLearner, LexicalConfig,
    Memory, Objective, ParserConfig, PreparedTreebank, SpectralConfig, SpectralEmConfig, TagModel,
    tune_common_weight, tune_lexical_weights,
};
use eigentree::Error;
use eigentree::training::Preset;
use models::learn::{Observer, Progress};

use super::config::{Config, Data, LEXICAL, Lexicon};
use super::graph::HeadGraph;
use super::report::{Combined, Decoded, Report, Run, Score};
use crate::meter::{Meter, Stopwatch, total};
use crate::published::luque_2012::GRAPH_HIDDEN;

/// Runs all learners, one after the other.
pub fn compare(
    config: &Config,
    data: &Data<'_>,
    observer: &mut dyn Observer,
    meter: &dyn Meter,
) -> Result<Report, Error> {
    let base = HeadAutomataConfig { alphabet: config.alphabet, ..HeadAutomataConfig::default() };
    let base = match config.preset {
        Preset::Own => base,
        Preset::Paper => {
            HeadAutomataConfig { alphabet: config.alphabet, ..HeadAutomataConfig::paper(base.tags) }
        }
    };
    let mut watch = Stopwatch::new("shared", observer, meter);
    let treebank = PreparedTreebank::new(data.train, &base, &mut Progress::new(&mut watch))?;
    watch.pause();
    let shared = total(watch.stages());
    let words = |sentences: &[Sentence]| sentences.iter().map(Sentence::len).sum();
    let mut report = Report {
        family: "shag",
        preset: config.preset,
        threads: rayon::current_num_threads(),
        alphabet: config.alphabet.name(),
        symbols: treebank.symbols().len(),
        train_words: words(data.train),
        dev_words: words(data.dev),
        sequences: (treebank.counts().total() as usize, treebank.counts().different()),
        shared,
        runs: Vec::new(),
        graph: None,
    };
    let plan = plan(config);
    let drawn = config.states.iter().copied().min_by_key(|states| states.abs_diff(GRAPH_HIDDEN));
    let mut models: Vec<Best> = Vec::new();
    for (learner, tags, lexical) in plan {
        let learning = HeadAutomataConfig { tags, lexical, ..base.clone() };
        let weighing = config.preset == Preset::Own;
        let (run, model, each) = learn(learner, (learning, weighing), &treebank, data.dev, observer, meter)?;
        if !weighing && run.learner == "spectral" && run.states == drawn {
            report.graph = HeadGraph::of(&model, drawn.unwrap_or(0), data.dev)?;
        }
        // Of each learner, the best on the development set goes on to other objectives and to the test set.
        if report.best(&run.learner).is_none_or(|best| run.dev.uas > best.dev.uas) {
            models.retain(|best| best.learner != run.learner);
            models.push(Best { learner: run.learner.clone(), model, each });
        }
        report.runs.push(run);
    }
    for Best { learner, model, .. } in &models {
        let test = data.test.map(|test| score(learner, model, Objective::default(), test, observer, meter).0);
        let uas = |objective, observer: &mut dyn Observer| {
            score(learner, model, objective, data.dev, observer, meter).0.uas
        };
        let sum = uas(Objective::Marginals, observer);
        let viterbi = model.is_deterministic().then(|| uas(Objective::Probability, observer));
        let best = report.best(learner).map(|best| (best.states, best.steps));
        let chosen = report
            .runs
            .iter_mut()
            .find(|run| run.learner == *learner && Some((run.states, run.steps)) == best);
        if let Some(run) = chosen {
            (run.test, run.decoded) = (test, Some(Decoded { sum, viterbi }));
        }
    }
    if config.preset == Preset::Paper {
        for at in 0..models.len() {
            let learner = models[at].learner.clone();
            let alone = learner.strip_suffix(AND_SPECTRAL).map(str::to_owned);
            let Some(alone) = models.iter().position(|other| Some(&other.learner) == alone.as_ref()) else {
                continue;
            };
            let decided = by_decider(&models[at].each, &models[alone].each);
            let mut watch = Stopwatch::new(&learner, observer, meter);
            let (tuned, ..) =
                watch.aside("weigh words", 0, |_| tune_common_weight(&mut models[at].model, data.dev));
            let Some((weights, share)) = tuned else { continue };
            let best = report.best(&learner).map(|best| best.states);
            let run = report.runs.iter_mut().find(|run| run.learner == learner && Some(run.states) == best);
            if let Some(run) = run {
                run.combined = Some(Combined { weight: weights.words, weighted: 100.0 * share, ..decided });
            }
        }
    }
    Ok(report)
}

/// The best model of a learner, with its accuracy on each sentence of the development set.
struct Best {
    learner: String,
    model: HeadAutomata,
    each: Vec<Accuracy>,
}

/// What the names of learners that combine words with hidden states end in.
const AND_SPECTRAL: &str = " + spectral";

/// The accuracy of a combination and of its words alone, where the combination decides and where it cannot.
fn by_decider(combined: &[Accuracy], alone: &[Accuracy]) -> Combined {
    let share = |each: &[Accuracy], decided: bool| {
        let chosen = combined.iter().zip(each).filter(|(one, _)| (one.fallbacks == 0) == decided);
        100.0 * chosen.map(|(_, one)| *one).sum::<Accuracy>().share().unwrap_or(0.0)
    };
    Combined {
        weight: 1.0,
        weighted: 0.0,
        positive: combined.iter().filter(|one| one.fallbacks == 0).count(),
        positive_uas: share(combined, true),
        positive_words_alone: share(alone, true),
        other_uas: share(combined, false),
        other_words_alone: share(alone, false),
    }
}

/// Who takes part, in order.
fn plan(config: &Config) -> Vec<(String, TagModel, Option<LexicalConfig>)> {
    let mut plan = vec![
        ("det".to_owned(), TagModel::Deterministic(Memory::Nothing), None),
        ("det+f".to_owned(), TagModel::Deterministic(Memory::First), None),
    ];
    let own = config.preset == Preset::Own;
    let mixture = |usual: f64| if own { usual } else { 0.0 };
    let spectral = |states: usize| {
        let usual = SpectralConfig::default();
        let shrinkage = if own { usual.shrinkage } else { 0.0 };
        TagModel::Spectral(SpectralConfig { states, mixture: mixture(usual.mixture), shrinkage, ..usual })
    };
    for &states in &config.states {
        plan.push(("spectral".to_owned(), spectral(states), None));
    }
    for &steps in &config.em_steps {
        for &states in &config.states {
            let (usual, restarts, seed) = (EmConfig::default(), config.restarts, config.seed);
            let em = EmConfig { states, steps, restarts, seed, mixture: mixture(usual.mixture) };
            plan.push((format!("em ({steps})"), TagModel::Em(em), None));
        }
    }
    if own {
        for &states in &config.states {
            let start = SpectralEmConfig { states, seed: config.seed, ..SpectralEmConfig::default() };
            plan.push((format!("spectral+em ({})", start.steps), TagModel::SpectralEm(start), None));
        }
    }
    if config.lexicon == Lexicon::Both {
        for (memory, name) in LEXICAL {
            let lexical = LexicalConfig { memory, ..LexicalConfig::default() };
            plan.push((name.to_owned(), TagModel::None, Some(lexical.clone())));
            for &states in &config.states {
                plan.push((format!("{name}{AND_SPECTRAL}"), spectral(states), Some(lexical.clone())));
            }
        }
        if !own {
            return plan;
        }
        let distance = LexicalConfig { geometry: Geometry::Use, ..LexicalConfig::default() };
        plan.push(("lex+fcp + distance".to_owned(), TagModel::None, Some(distance.clone())));
        for &states in &config.states {
            let name = "lex+fcp + distance + spectral".to_owned();
            plan.push((name, spectral(states), Some(distance.clone())));
        }
    }
    plan
}

fn learn(
    learner: String,
    (config, weighing): (HeadAutomataConfig, bool),
    treebank: &PreparedTreebank<'_>,
    dev: &[Sentence],
    observer: &mut dyn Observer,
    meter: &dyn Meter,
) -> Result<(Run, HeadAutomata, Vec<Accuracy>), Error> {
    let (states, steps) = match &config.tags {
        TagModel::Spectral(config) => (Some(config.states), None),
        TagModel::Em(config) => (Some(config.states), Some(config.steps)),
        TagModel::SpectralEm(config) => (Some(config.states), Some(config.steps)),
        TagModel::Deterministic(_) | TagModel::None => (None, None),
    };
    let weighed = weighing && config.lexical.is_some() && config.tags != TagModel::None;
    let title = states.map_or(learner.clone(), |states| format!("{learner}, {states} states"));
    let mut watch = Stopwatch::new(title.clone(), observer, meter);
    let mut model =
        HeadAutomataLearner { config }.learn_prepared(treebank, &mut Progress::new(&mut watch))?;
    watch.pause();
    let training = total(watch.stages());
    let mut lexical_weight = None;
    if weighed {
        let (tuned, ..) = watch.aside("weigh words", 0, |_| tune_lexical_weights(&mut model, dev));
        lexical_weight = tuned.map(|(weights, _)| weights.words);
    }
    let (dev, each) = score(&title, &model, Objective::default(), dev, observer, meter);
    let (test, decoded, combined) = (None, None, None);
    let run = Run { learner, states, steps, lexical_weight, training, dev, test, decoded, combined };
    Ok((run, model, each))
}

fn score(
    title: &str,
    model: &HeadAutomata,
    objective: Objective,
    sentences: &[Sentence],
    observer: &mut dyn Observer,
    meter: &dyn Meter,
) -> (Score, Vec<Accuracy>) {
    let mut watch = Stopwatch::new(title, observer, meter);
    let config = ParserConfig { objective, ..ParserConfig::default() };
    let (each, cost, _) = watch.aside("parse", 0, |_| Accuracy::of_each(model, config, sentences));
    let accuracy: Accuracy = each.iter().copied().sum();
    let words: usize = sentences.iter().map(Sentence::len).sum();
    let score = Score {
        uas: 100.0 * accuracy.share().unwrap_or(0.0),
        sentences: accuracy.sentences,
        fallbacks: accuracy.fallbacks,
        floored: accuracy.floored,
        words_per_second: (cost.time() > 0.0).then(|| words as f64 / cost.time()),
    };
    (score, each)
}
