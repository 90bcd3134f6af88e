//! Trains a tagger on one CoNLL-U file and scores it on another. Reports accuracy per column, training time and words
//! per second.
//!
//! `cargo run --release -p eigentree-tagging --example tagger_bench -- TRAIN DEV [COLUMNS] [PATHS, or -] [vectors=FILE]
//! [compare=yes] [passes=N rate=X …]`
//!
//! With `compare=yes` it trains again without the clusters of PATHS and prints their gain, with a 95 % interval by the
//! paired bootstrap.
#![allow(clippy::print_stdout, reason = "the measurements are its output")]

use std::error::Error;
use std::fs::File;
use std::time::Instant;

use corpus::compression::decompress;
use corpus::format::bio::{BioReader, Scheme, lenient_entities};
use corpus::format::brown_paths::BrownPathsReader;
use corpus::format::conllu::{Column, ConlluReader};
use corpus::format::word_vectors::read_text;
use eigentree_tagging::tagger::{
    ColumnKind, Objective, TaggedSentence, TaggerConfig, TaggerData, TaggerLearner,
};
use eval::counts::Ratio;
use eval::entities::{EntityMetric, EntityScores};
use eval::significance::{BootstrapConfig, paired_bootstrap};
use eval::tagging::{Familiarity, TagScores};
use models::learn::{Learner, Silent};
use models::representations::{ClusterPaths, VectorTable};

fn conllu(path: &str, columns: &[Column]) -> Result<Vec<TaggedSentence>, Box<dyn Error>> {
    let mut sentences = Vec::new();
    for sentence in ConlluReader::new(decompress(File::open(path)?)?, path) {
        let sentence = sentence?;
        sentences.push(TaggedSentence {
            words: sentence.words().map(|word| word.form().to_owned()).collect(),
            labels: columns
                .iter()
                .map(|&column| sentence.words().map(|word| word.column(column).to_owned()).collect())
                .collect(),
        });
    }
    Ok(sentences)
}

fn bio(path: &str) -> Result<Vec<TaggedSentence>, Box<dyn Error>> {
    let mut sentences = Vec::new();
    for sentence in BioReader::new(decompress(File::open(path)?)?, path) {
        let sentence = sentence?;
        let labels = Scheme::Bioes.tags(&lenient_entities(sentence.tags()), sentence.len())?;
        sentences.push(TaggedSentence {
            words: sentence.tokens().map(str::to_owned).collect(),
            labels: vec![labels],
        });
    }
    Ok(sentences)
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (options, files): (Vec<&String>, Vec<&String>) =
        arguments.iter().partition(|argument| argument.contains('='));
    let [train, dev, rest @ ..] = &files[..] else { return Err("missing arguments: TRAIN DEV".into()) };
    let entities = train.contains(".bio");
    let wanted = rest.first().map_or("upos,xpos", |columns| columns.as_str());
    let columns: Vec<Column> = wanted
        .split(',')
        .filter_map(|name| Column::ALL.into_iter().find(|column| column.name().eq_ignore_ascii_case(name)))
        .collect();
    let mut config = if entities { TaggerConfig::entities() } else { TaggerConfig::default() };
    let (mut compare, mut vectors) = (false, None);
    for option in options {
        let (name, value) = option.split_once('=').unwrap_or((option, ""));
        match name {
            "passes" => config.passes = value.parse()?,
            "rate" => config.rate = value.parse()?,
            "damping" => config.damping = value.parse()?,
            "least" => config.least_count = value.parse()?,
            "certain" => config.certain = value.parse()?,
            "class" => config.class_count = value.parse()?,
            "share" => config.class_share = value.parse()?,
            "closed" => config.closed_count = value.parse()?,
            "scale" => config.vector_scale = value.parse()?,
            "vectors" => vectors = Some(value.to_owned()),
            "compare" => compare = value == "yes",
            "beam" => config.beam = value.parse()?,
            "candidates" => config.candidates = value.parse()?,
            "objective" => {
                config.objective =
                    if value == "perceptron" { Objective::Perceptron } else { Objective::Likelihood }
            }
            name => return Err(format!("unknown option {name}").into()),
        }
    }
    let named = match entities {
        true => vec![("entities".to_owned(), ColumnKind::Spans)],
        false => columns.iter().map(|column| (column.name().to_owned(), ColumnKind::Plain)).collect(),
    };
    let read = |path: &str| if entities { bio(path) } else { conllu(path, &columns) };
    let mut data = TaggerData { columns: named, sentences: read(train)?, ..TaggerData::default() };
    if let Some(paths) = rest.get(1).filter(|paths| paths.as_str() != "-") {
        let paths: Vec<_> =
            BrownPathsReader::new(File::open(paths.as_str())?, paths.as_str()).collect::<Result<_, _>>()?;
        data.resources.clusters = Some(ClusterPaths::new(paths));
    }
    if let Some(path) = vectors {
        data.resources.vectors = Some(VectorTable::new(&read_text(decompress(File::open(&path)?)?, &path)?)?);
    }
    let dev = read(dev)?;
    let with = run(&config, &data, &dev)?;
    if data.resources.clusters.take().is_some() && compare {
        let without = run(&config, &data, &dev)?;
        for (name, (one, other)) in
            with.iter().map(|(name, _)| name).zip(without.iter().zip(&with).map(|(a, b)| (&a.1, &b.1)))
        {
            let found = paired_bootstrap(one, other, &BootstrapConfig::default())?;
            println!(
                "{name}: clusters add {:.2} [{:.2}, {:.2}], p = {:.4}",
                100.0 * found.difference,
                100.0 * found.interval.0,
                100.0 * found.interval.1,
                found.p_value
            );
        }
    }
    Ok(())
}

/// For each column its name, and the contribution of each sentence to its accuracy or to the F1 of entities.
type Outcome = Vec<(String, Vec<Ratio>)>;

/// Trains, labels, prints the results.
fn run(config: &TaggerConfig, data: &TaggerData, dev: &[TaggedSentence]) -> Result<Outcome, Box<dyn Error>> {
    let start = Instant::now();
    let learned = TaggerLearner { config: config.clone() }.learn(data, &mut Silent)?;
    let tagger = learned.model;
    let features = learned.report.figure("features").unwrap_or(0.0);
    print!("learnt in {:.1} s, {features} features; ", start.elapsed().as_secs_f64());
    let mut scratch = tagger.scratch();
    let start = Instant::now();
    let taggings: Vec<_> = dev.iter().map(|sentence| tagger.tag(&sentence.words, &mut scratch)).collect();
    let seconds = start.elapsed().as_secs_f64();
    let mut outcome = Vec::new();
    for (number, (name, kind)) in data.columns.iter().enumerate() {
        let (mut tags, mut entities) = (TagScores::default(), EntityScores::default());
        for (sentence, tagging) in dev.iter().zip(&taggings) {
            let labels: Vec<&str> = tagging.labels(number).collect();
            let known = |at: usize| match tagger.knows(&sentence.words[at]) {
                true => Familiarity::Known,
                false => Familiarity::Unknown,
            };
            tags.score(&sentence.labels[number], &labels, known)?;
            entities.score(&sentence.labels[number], &labels)?;
        }
        let total = tags.total();
        let (all, unknown) = (total.all().accuracy(), total.unknown.accuracy());
        print!("{name} {:.2} (unknown words {:.2}) ", 100.0 * all, 100.0 * unknown);
        match kind {
            ColumnKind::Plain => outcome.push((name.clone(), tags.ratios())),
            ColumnKind::Spans => {
                let total = entities.total();
                let [precision, recall, f1] =
                    [total.precision(), total.recall(), total.f1()].map(|share| 100.0 * share);
                print!("P {precision:.2} R {recall:.2} F1 {f1:.2} ");
                outcome.push((name.clone(), entities.ratios(EntityMetric::F1)));
            }
        }
    }
    let words: usize = dev.iter().map(|sentence| sentence.words.len()).sum();
    println!("{:.0} words/s", words as f64 / seconds);
    Ok(outcome)
}
