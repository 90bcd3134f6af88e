//! Clustering, learning, scoring.

use corpus::cooccurrence::{CountConfig, CountedText, TextCounter, VocabLimit};
use eigentree::Error;
use eigentree::clustering::{learn, method_name, paths_of};
use eigentree::tagging::score_tagger;
use eval::counts::Ratio;
use eval::entities::EntityMetric;
use eval::significance::{BootstrapConfig, paired_bootstrap};
use models::learn::{Learner, Observer};
use models::representations::ClusterPaths;
use tagging::tagger::{ColumnKind, Resources, TaggedSentence, TaggerData, TaggerLearner};
use words::clusters::{ClusterConfig, Context, Method, SpectralConfig};

use super::config::{Config, Task};
use super::report::{Gain, Report, Run, Score};
use crate::clusters::SEARCHES;
use crate::meter::{Cost, Meter, Stopwatch, total};

/// Runs taggers without clusters, then with those of all methods, one after the other.
pub fn compare(
    config: &Config,
    text: &[u8],
    tasks: &[Task],
    observer: &mut dyn Observer,
    meter: &dyn Meter,
) -> Result<Report, Error> {
    let mut taggers = Taggers { config, tasks, baseline: Vec::new(), observer, meter };
    let names = tasks.iter().flat_map(|task| {
        task.columns.iter().map(|(column, _)| match task.columns.len() {
            1 => task.name.clone(),
            _ => format!("{} {column}", task.name),
        })
    });
    let mut report = Report {
        family: "tagging",
        threads: rayon::current_num_threads(),
        tokens: 0,
        clusters: config.clusters.iter().copied().max().unwrap_or(0),
        objective: config.objective,
        preset: config.preset,
        tasks: names.collect(),
        runs: Vec::new(),
    };
    let (training, scores) = taggers.run("none", None)?;
    report.runs.push(Run {
        method: "none",
        vocab: None,
        context: None,
        kappa: None,
        clusters: None,
        clustering: None,
        svd: None,
        ward: None,
        gamma: None,
        training,
        scores,
    });
    for &vocab in &config.vocab {
        taggers.observer.stage(&format!("{vocab} words: count"), None);
        let counted = count(config, vocab, text)?;
        report.tokens = counted.counts.tokens();
        for &clusters in &config.clusters {
            for (method, setting) in setups(config) {
                report.runs.push(taggers.with_clusters(&counted, (vocab, clusters), method, setting)?);
            }
        }
    }
    report.keep_best_tests();
    Ok(report)
}

fn spectral(method: Method) -> bool {
    matches!(method, Method::Spectral | Method::SpectralExchange)
}

/// The methods, those that look at contexts once with each context and each κ.
fn setups(config: &Config) -> impl Iterator<Item = (Method, Option<(Context, f64)>)> {
    config.methods.iter().flat_map(|&method| {
        let usual = SpectralConfig::of(method).kappa;
        let kappas = if config.kappas.is_empty() { vec![usual] } else { config.kappas.clone() };
        let settings: Vec<Option<(Context, f64)>> = match spectral(method) {
            true => {
                let contexts = config.contexts.iter();
                contexts
                    .flat_map(|&context| kappas.iter().map(move |&kappa| Some((context, kappa))))
                    .collect()
            }
            false => vec![None],
        };
        settings.into_iter().map(move |setting| (method, setting))
    })
}

fn count(config: &Config, vocab: usize, text: &[u8]) -> Result<CountedText, Error> {
    let distances = setups(config).map(|(_, setting)| setting.map_or(1, |(context, _)| context.distance()));
    let count = CountConfig {
        distance: distances.max().unwrap_or(1),
        vocab: Some(VocabLimit::most_frequent(vocab)),
        ..CountConfig::default()
    };
    let mut counter = TextCounter::new(count)?;
    counter.read(text, "text")?;
    Ok(counter.finish()?)
}

fn percent(ratios: &[Ratio]) -> f64 {
    100.0 * ratios.iter().copied().sum::<Ratio>().value()
}

/// What all runs share.
struct Taggers<'a> {
    config: &'a Config,
    tasks: &'a [Task],
    /// What each sentence adds to the scores without clusters, by column of all tasks.
    baseline: Vec<Vec<Ratio>>,
    observer: &'a mut dyn Observer,
    meter: &'a dyn Meter,
}

impl Taggers<'_> {
    fn with_clusters(
        &mut self,
        counted: &CountedText,
        (vocab, clusters): (usize, usize),
        method: Method,
        setting: Option<(Context, f64)>,
    ) -> Result<Run, Error> {
        let name = method_name(method);
        let usual = SpectralConfig::of(method);
        let learning = ClusterConfig {
            method,
            clusters: clusters.min(counted.counts.words.len()),
            spectral: setting.map(|(context, kappa)| SpectralConfig { context, kappa, ..usual }),
            ..ClusterConfig::default()
        };
        let title = match setting {
            Some((context, kappa)) => format!("{name} {context} κ {kappa}, {clusters} of {vocab} words"),
            None => format!("{name}, {clusters} of {vocab} words"),
        };
        let mut watch = Stopwatch::new(&title, self.observer, self.meter);
        let learned = learn(counted.clone(), &learning, &mut watch)?;
        watch.pause();
        let clustering = total(watch.stages());
        let stage =
            |name: &str| watch.stages().iter().find(|one| one.name == name).map(|one| one.cost.time());
        let (svd, ward) = (stage("decompose"), stage("ward"));
        let paths = ClusterPaths::new(paths_of(&learned.model));
        let (training, scores) = self.run(&title, Some(paths))?;
        Ok(Run {
            method: name,
            vocab: Some(vocab),
            context: setting.map(|(context, _)| context.to_string()),
            kappa: setting.map(|(_, kappa)| kappa),
            clusters: Some(clusters),
            clustering: Some(clustering),
            svd,
            ward,
            gamma: learned.report.figure(SEARCHES),
            training,
            scores,
        })
    }

    /// Learns and scores the taggers of all tasks.
    fn run(&mut self, title: &str, clusters: Option<ClusterPaths>) -> Result<(Cost, Vec<Score>), Error> {
        let mut outcomes: Vec<Vec<Ratio>> = Vec::new();
        let mut tests: Vec<Option<f64>> = Vec::new();
        let mut watch = Stopwatch::new(title, self.observer, self.meter);
        for task in self.tasks {
            let data = TaggerData {
                columns: task.columns.clone(),
                sentences: task.train.clone(),
                resources: Resources { clusters: clusters.clone(), ..Resources::default() },
            };
            let tagger = TaggerLearner { config: task.config.clone() }.learn(&data, &mut watch)?.model;
            let mut score = |sentences: &[TaggedSentence]| -> Result<Vec<Vec<Ratio>>, Error> {
                let (scores, ..) = watch
                    .aside("tag", sentences.len(), |observer| score_tagger(&tagger, sentences, observer));
                let scores = scores?;
                let columns = scores.columns.iter().zip(&task.columns).map(|((_, tags), (_, kind))| {
                    match (kind, &scores.entities) {
                        (ColumnKind::Spans, Some(entities)) => entities.ratios(EntityMetric::F1),
                        _ => tags.ratios(),
                    }
                });
                Ok(columns.collect())
            };
            outcomes.extend(score(&task.test)?);
            match &task.held_out {
                None => tests.extend(task.columns.iter().map(|_| None)),
                Some(sentences) => tests.extend(score(sentences)?.iter().map(|found| Some(percent(found)))),
            }
        }
        let training = total(watch.stages());
        let bootstrap = BootstrapConfig {
            resamples: self.config.resamples,
            seed: self.config.seed,
            ..BootstrapConfig::default()
        };
        let mut scores = Vec::with_capacity(outcomes.len());
        for (column, outcome) in outcomes.iter().enumerate() {
            let gain = match self.baseline.get(column) {
                None => None,
                Some(baseline) => {
                    let found = paired_bootstrap(baseline, outcome, &bootstrap)?;
                    Some(Gain {
                        points: 100.0 * found.difference,
                        interval: (100.0 * found.interval.0, 100.0 * found.interval.1),
                        p_value: found.p_value,
                    })
                }
            };
            scores.push(Score { score: percent(outcome), gain, test: tests[column] });
        }
        if clusters.is_none() {
            self.baseline = outcomes;
        }
        Ok((training, scores))
    }
}
