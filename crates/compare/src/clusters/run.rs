//! Counting, learning, scoring.

use corpus::cooccurrence::{CountConfig, CountedText, TextCounter, VocabLimit};
use eigentree::Error;
use eigentree::clustering::{TextScore, learn, method_name, score_text};
use models::learn::{Observer, Silent};
use words::clusters::{ClusterConfig, Method, SpectralConfig};

use super::config::{Config, Data};
use super::report::{Report, Run, Setting, VocabRun};
use crate::meter::{Meter, Stopwatch, total};

/// The figure of Ward's clustering.
pub(crate) const SEARCHES: &str = "searches per merge";

/// Runs all methods, one after the other.
pub fn compare(
    config: &Config,
    data: &Data<'_>,
    observer: &mut dyn Observer,
    meter: &dyn Meter,
) -> Result<Report, Error> {
    let mut report = Report {
        family: "clusters",
        threads: rayon::current_num_threads(),
        tokens: 0,
        held_out_tokens: 0,
        context: config.spectral.context.to_string(),
        kappa: config.spectral.kappa,
        preset: config.preset,
        vocabularies: Vec::new(),
        runs: Vec::new(),
    };
    for &vocab in &config.vocab {
        let mut watch = Stopwatch::new(format!("{vocab} words"), observer, meter);
        watch.stage("count", None);
        let counted = count(config, vocab, data.train)?;
        watch.pause();
        report.tokens = counted.counts.tokens();
        report.vocabularies.push(VocabRun {
            vocab,
            types: counted.counts.words.len(),
            pairs: counted.counts.pairs.first().map_or(0, |pairs| pairs.len()),
            counting: total(watch.stages()),
        });
        for &clusters in &config.clusters {
            for &method in &config.methods {
                let settings: Vec<&SpectralConfig> = match method {
                    Method::Spectral => std::iter::once(&config.spectral).chain(&config.sweep).collect(),
                    _ => vec![&config.spectral],
                };
                for setting in settings {
                    let run = run(&counted, (vocab, clusters, method), setting, data, observer, meter)?;
                    report.held_out_tokens = run.1.tokens;
                    report.runs.push(run.0);
                }
            }
        }
    }
    Ok(report)
}

fn count(config: &Config, vocab: usize, text: &[u8]) -> Result<CountedText, Error> {
    let spectral = |method: &Method| matches!(method, Method::Spectral | Method::SpectralExchange);
    let count = CountConfig {
        distance: if config.methods.iter().any(spectral) {
            let settings = config.sweep.iter().chain([&config.spectral]);
            settings.map(|setting| setting.context.distance()).max().unwrap_or(1)
        } else {
            1
        },
        boundaries: config.boundaries,
        encoding: config.encoding,
        vocab: Some(VocabLimit { unknown: config.unknown.clone(), ..VocabLimit::most_frequent(vocab) }),
        ..CountConfig::default()
    };
    let mut counter = TextCounter::new(count)?;
    counter.read(text, "text")?;
    Ok(counter.finish()?)
}

fn run(
    counted: &CountedText,
    (vocab, clusters, method): (usize, usize, Method),
    setting: &SpectralConfig,
    data: &Data<'_>,
    observer: &mut dyn Observer,
    meter: &dyn Meter,
) -> Result<(Run, TextScore), Error> {
    let name = method_name(method);
    let spectral = match method {
        Method::SpectralExchange => SpectralConfig {
            context: setting.context,
            kappa: setting.kappa,
            transform: setting.transform,
            ..SpectralConfig::of(method)
        },
        _ => setting.clone(),
    };
    let shown = Setting {
        context: spectral.context.to_string(),
        kappa: spectral.kappa,
        rank: spectral.rank.unwrap_or(clusters),
    };
    let learning = ClusterConfig { method, clusters, spectral: Some(spectral), ..ClusterConfig::default() };
    let mut watch = Stopwatch::new(format!("{name}, {clusters} clusters"), observer, meter);
    let learned = learn(counted.clone(), &learning, &mut watch)?;
    let (score, ..) = watch.aside("score", 0, |_| {
        score_text(&learned.model, data.held_out, "held-out text", &mut Silent, |_, _| Ok(()))
    });
    let score = score?;
    let run = Run {
        method: name,
        setting: matches!(method, Method::Spectral | Method::SpectralExchange).then_some(shown),
        vocab,
        clusters,
        stages: watch.stages().to_vec(),
        peak_mb: watch.peak_mb(),
        gamma: learned.report.figure(SEARCHES),
        mi: learned.mutual_information,
        perplexity: score.perplexity(),
    };
    Ok((run, score))
}
