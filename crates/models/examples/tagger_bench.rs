//! Learns a tagger from one CoNLL-U file and scores it on another: accuracy by column, time to learn, words a second.
//!
//! `cargo run --release -p eigentree-models --example tagger_bench -- TRAIN DEV [COLUMNS] [PATHS] [passes=N rate=X …]`
#![allow(clippy::print_stdout, reason = "the measurements are its output")]

use std::error::Error;
use std::fs::File;
use std::time::Instant;

use corpus::compression::decompress;
use corpus::format::bio::{BioReader, Scheme, lenient_entities};
use corpus::format::brown_paths::BrownPathsReader;
use corpus::format::conllu::{Column, ConlluReader};
use eigentree_models::learn::{Learner, Silent};
use eigentree_models::tagger::{
    ClusterTable, ColumnKind, Objective, TaggedSentence, TaggerConfig, TaggerData, TaggerLearner,
};
use eval::entities::EntityScores;

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
    let [train, dev, rest @ ..] = &files[..] else { return Err("give TRAIN and DEV".into()) };
    let entities = train.contains(".bio");
    let wanted = rest.first().map_or("upos,xpos", |columns| columns.as_str());
    let columns: Vec<Column> = wanted
        .split(',')
        .filter_map(|name| Column::ALL.into_iter().find(|column| column.name().eq_ignore_ascii_case(name)))
        .collect();
    let mut config = if entities { TaggerConfig::entities() } else { TaggerConfig::default() };
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
            "beam" => config.beam = value.parse()?,
            "candidates" => config.candidates = value.parse()?,
            "objective" => {
                config.objective =
                    if value == "perceptron" { Objective::Perceptron } else { Objective::Likelihood }
            }
            name => return Err(format!("there is no option {name}").into()),
        }
    }
    let named = match entities {
        true => vec![("entities".to_owned(), ColumnKind::Spans)],
        false => columns.iter().map(|column| (column.name().to_owned(), ColumnKind::Plain)).collect(),
    };
    let read = |path: &str| if entities { bio(path) } else { conllu(path, &columns) };
    let mut data = TaggerData { columns: named, sentences: read(train)?, ..TaggerData::default() };
    if let Some(paths) = rest.get(1) {
        let paths: Vec<_> =
            BrownPathsReader::new(File::open(paths.as_str())?, paths.as_str()).collect::<Result<_, _>>()?;
        data.resources.clusters =
            Some(ClusterTable::new(paths.iter().map(|path| (path.word.as_str(), path.bits.as_str()))));
    }
    let start = Instant::now();
    let learned = TaggerLearner { config }.learn(&data, &mut Silent)?;
    let tagger = learned.model;
    let figure = |name: &str| learned.report.figure(name).unwrap_or(0.0);
    print!("learnt in {:.1} s, {} features; ", start.elapsed().as_secs_f64(), figure("features"));
    let dev = read(dev)?;
    let mut scratch = tagger.scratch();
    let start = Instant::now();
    let mut right = vec![0usize; data.columns.len()];
    let mut unknown = (0usize, 0usize);
    let mut scores = EntityScores::default();
    let mut words = 0;
    let taggings: Vec<_> = dev.iter().map(|sentence| tagger.tag(&sentence.words, &mut scratch)).collect();
    let seconds = start.elapsed().as_secs_f64();
    for (sentence, tagging) in dev.iter().zip(&taggings) {
        words += sentence.words.len();
        for (column, right) in right.iter_mut().enumerate() {
            let same = |(one, other): &(&String, &str)| one.as_str() == *other;
            *right += sentence.labels[column].iter().zip(tagging.labels(column)).filter(same).count();
        }
        for (word, (gold, label)) in
            sentence.words.iter().zip(sentence.labels[0].iter().zip(tagging.labels(0)))
        {
            if !tagger.knows(word) {
                unknown.0 += 1;
                unknown.1 += usize::from(gold == label);
            }
        }
        if entities {
            scores.score(&sentence.labels[0], &tagging.labels(0).collect::<Vec<_>>())?;
        }
    }
    for ((name, _), right) in data.columns.iter().zip(right) {
        print!("{name} {:.2} ", 100.0 * right as f64 / words as f64);
    }
    print!("(unknown {:.2}) ", 100.0 * unknown.1 as f64 / unknown.0 as f64);
    if entities {
        let total = scores.total();
        print!(
            "P {:.2} R {:.2} F1 {:.2} ",
            100.0 * total.precision(),
            100.0 * total.recall(),
            100.0 * total.f1()
        );
    }
    println!("{:.0} words/s", words as f64 / seconds);
    Ok(())
}
