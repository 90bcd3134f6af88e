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
use tagging::tagger::{ColumnKind, Resources, TaggerData, TaggerLearner};
use words::clusters::{ClusterConfig, Context, Method, SpectralConfig};

use super::config::{Config, Task};
use super::report::{Gain, Report, Run, Score};
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
        clusters: config.clusters,
        tasks: names.collect(),
        runs: Vec::new(),
    };
    let (training, scores) = taggers.run("none", None)?;
    report.runs.push(Run { method: "none", vocab: None, context: None, clustering: None, training, scores });
    for &vocab in &config.vocab {
        taggers.observer.stage(&format!("{vocab} words: count"), None);
        let counted = count(config, vocab, text)?;
        report.tokens = counted.counts.tokens();
        for (method, context) in setups(config) {
            report.runs.push(taggers.with_clusters(&counted, vocab, method, context)?);
        }
    }
    Ok(report)
}

fn spectral(method: Method) -> bool {
    matches!(method, Method::Spectral | Method::SpectralExchange)
}

/// The methods, those that look at contexts once with each.
fn setups(config: &Config) -> impl Iterator<Item = (Method, Option<Context>)> {
    config.methods.iter().flat_map(|&method| {
        let contexts: Vec<Option<Context>> = match spectral(method) {
            true => config.contexts.iter().copied().map(Some).collect(),
            false => vec![None],
        };
        contexts.into_iter().map(move |context| (method, context))
    })
}

fn count(config: &Config, vocab: usize, text: &[u8]) -> Result<CountedText, Error> {
    let distances = setups(config).map(|(_, context)| context.map_or(1, Context::distance));
    let count = CountConfig {
        distance: distances.max().unwrap_or(1),
        vocab: Some(VocabLimit::most_frequent(vocab)),
        ..CountConfig::default()
    };
    let mut counter = TextCounter::new(count)?;
    counter.read(text, "text")?;
    Ok(counter.finish()?)
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
        vocab: usize,
        method: Method,
        context: Option<Context>,
    ) -> Result<Run, Error> {
        let name = method_name(method);
        let usual = SpectralConfig::of(method);
        let learning = ClusterConfig {
            method,
            clusters: self.config.clusters.min(counted.counts.words.len()),
            spectral: context.map(|context| SpectralConfig { context, ..usual }),
            ..ClusterConfig::default()
        };
        let title = match context {
            Some(context) => format!("{name} {context}, {vocab} words"),
            None => format!("{name}, {vocab} words"),
        };
        let mut watch = Stopwatch::new(&title, self.observer, self.meter);
        let learned = learn(counted.clone(), &learning, &mut watch)?;
        watch.pause();
        let clustering = total(watch.stages());
        let clusters = ClusterPaths::new(paths_of(&learned.model));
        let (training, scores) = self.run(&title, Some(clusters))?;
        Ok(Run {
            method: name,
            vocab: Some(vocab),
            context: context.map(|context| context.to_string()),
            clustering: Some(clustering),
            training,
            scores,
        })
    }

    /// Learns and scores the taggers of all tasks.
    fn run(&mut self, title: &str, clusters: Option<ClusterPaths>) -> Result<(Cost, Vec<Score>), Error> {
        let mut outcomes: Vec<Vec<Ratio>> = Vec::new();
        let mut watch = Stopwatch::new(title, self.observer, self.meter);
        for task in self.tasks {
            let data = TaggerData {
                columns: task.columns.clone(),
                sentences: task.train.clone(),
                resources: Resources { clusters: clusters.clone(), ..Resources::default() },
            };
            let tagger = TaggerLearner { config: task.config.clone() }.learn(&data, &mut watch)?.model;
            let (scores, ..) =
                watch.aside("tag", task.test.len(), |observer| score_tagger(&tagger, &task.test, observer));
            let scores = scores?;
            for ((_, tags), (_, kind)) in scores.columns.iter().zip(&task.columns) {
                outcomes.push(match (kind, &scores.entities) {
                    (ColumnKind::Spans, Some(entities)) => entities.ratios(EntityMetric::F1),
                    _ => tags.ratios(),
                });
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
            scores.push(Score { score: 100.0 * outcome.iter().copied().sum::<Ratio>().value(), gain });
        }
        if clusters.is_none() {
            self.baseline = outcomes;
        }
        Ok((training, scores))
    }
}
