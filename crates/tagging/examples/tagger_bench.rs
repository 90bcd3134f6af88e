//! Trains taggers with UPOS, XPOS, FEATS and lemmas, and scores them on development data, with the words of the treebank.
//!
//! `cargo run --release -p eigentree-tagging --example tagger_bench -- FOLDER… [split=test] [passes=N rate=X …]`
//!
//! A folder holds `train.conllu` and `dev.conllu` (and `test.conllu`), packed or not. A cell has the accuracy on all words
//! and on those that are not in the training data. Lemmas follow from the predicted tags.
#![allow(clippy::print_stdout, reason = "the measurements are its output")]

use std::error::Error;
use std::fs::File;
use std::path::Path;
use std::time::Instant;

use corpus::compression::decompress;
use corpus::format::brown_paths::BrownPathsReader;
use corpus::format::conllu::{Column, ConlluReader, Sentence};
use eigentree_tagging::tagger::{
    Characters, ColumnKind, NetworkConfig, Resources, TaggedSentence, TaggerConfig, TaggerData, TaggerLearner,
};
use models::learn::{Learner, Silent};
use models::representations::ClusterPaths;

const COLUMNS: [(Column, ColumnKind); 4] = [
    (Column::Upos, ColumnKind::Plain),
    (Column::Xpos, ColumnKind::Plain),
    (Column::Feats, ColumnKind::Plain),
    (Column::Lemma, ColumnKind::Lemmas),
];

fn read(folder: &str, split: &str) -> Result<Vec<TaggedSentence>, Box<dyn Error>> {
    let plain = Path::new(folder).join(format!("{split}.conllu"));
    let packed = Path::new(folder).join(format!("{split}.conllu.gz"));
    let path = if plain.exists() { plain } else { packed };
    let reader = ConlluReader::new(decompress(File::open(&path)?)?, folder);
    let tagged = |sentence: Sentence| TaggedSentence {
        words: sentence.words().map(|word| word.form().to_owned()).collect(),
        labels: COLUMNS
            .iter()
            .map(|(column, _)| sentence.words().map(|word| word.column(*column).to_owned()).collect())
            .collect(),
    };
    reader.map(|sentence| Ok(tagged(sentence?))).collect()
}

fn network(config: &mut TaggerConfig) -> &mut NetworkConfig {
    config.network.get_or_insert_default()
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut config = TaggerConfig::default();
    let (mut split, mut folders, mut resources) = ("dev".to_owned(), Vec::new(), Resources::default());
    for argument in std::env::args().skip(1) {
        match argument.split_once('=') {
            None => folders.push(argument),
            Some(("split", value)) => value.clone_into(&mut split),
            Some(("clusters", value)) => {
                let paths =
                    BrownPathsReader::new(File::open(value)?, value).collect::<Result<Vec<_>, _>>()?;
                resources.clusters = Some(ClusterPaths::new(paths));
            }
            Some(("passes", value)) => config.passes = value.parse()?,
            Some(("rate", value)) => config.rate = value.parse()?,
            Some(("damping", value)) => config.damping = value.parse()?,
            Some(("certain", value)) => config.certain = value.parse()?,
            Some(("least", value)) => config.least_count = value.parse()?,
            Some(("class", value)) => config.class_count = value.parse()?,
            Some(("share", value)) => config.class_share = value.parse()?,
            Some(("closed", value)) => config.closed_count = value.parse()?,
            Some(("candidates", value)) => config.candidates = value.parse()?,
            Some(("new", value)) => config.new_combinations = value.parse()?,
            Some(("networks", value)) => network(&mut config).members = value.parse()?,
            Some(("inner", "0")) => network(&mut config).characters = Characters::Ends,
            Some(("embedded", value)) => network(&mut config).embedded = value.parse()?,
            Some(("hidden", value)) => network(&mut config).hidden = value.parse()?,
            Some(("bits", value)) => network(&mut config).bits = value.parse()?,
            Some(("epochs", value)) => network(&mut config).epochs = value.parse()?,
            Some(("step", value)) => network(&mut config).rate = value.parse()?,
            Some(("dropout", value)) => network(&mut config).dropout = value.parse()?,
            Some(("forms", value)) => network(&mut config).form_dropout = value.parse()?,
            Some(("weight", value)) => network(&mut config).weight = value.parse()?,
            Some(("beam", value)) => config.beam = value.parse()?,
            Some((name, _)) => return Err(format!("no option is called {name}").into()),
        }
    }
    println!("| treebank | words | unknown | UPOS | XPOS | FEATS | lemmas | seconds | words/s |");
    println!("|---|---:|---:|---:|---:|---:|---:|---:|---:|");
    for folder in folders {
        let columns = COLUMNS.iter().map(|(column, kind)| (column.name().to_lowercase(), *kind)).collect();
        let data = TaggerData { columns, sentences: read(&folder, "train")?, resources: resources.clone() };
        let start = Instant::now();
        let tagger = TaggerLearner { config: config.clone() }.learn(&data, &mut Silent)?.model;
        let seconds = start.elapsed().as_secs_f64();
        let mut scratch = tagger.scratch();
        let (mut all, mut right) = ([0u32; 2], [[0u32; 2]; 4]);
        let sentences = read(&folder, &split)?;
        let start = Instant::now();
        for sentence in &sentences {
            let tagging = tagger.tag(&sentence.words, &mut scratch);
            let mut lemmas: Vec<String> = Vec::new();
            tagger
                .lemmatize(&sentence.words, &tagging, &mut scratch, |_, lemma| lemmas.push(lemma.to_owned()));
            for (at, word) in sentence.words.iter().enumerate() {
                let unknown = usize::from(!tagger.knows(word));
                all[unknown] += 1;
                let labels = tagging.labels_of(at).chain([lemmas[at].as_str()]);
                for (column, label) in labels.enumerate() {
                    right[column][unknown] += u32::from(sentence.labels[column][at] == label);
                }
            }
        }
        let rate = f64::from(all[0] + all[1]) / start.elapsed().as_secs_f64();
        let percent = |right: u32, all: u32| 100.0 * f64::from(right) / f64::from(all.max(1));
        let cells = right.map(|[known, unknown]| {
            format!("{:.2} ({:.2})", percent(known + unknown, all[0] + all[1]), percent(unknown, all[1]))
        });
        println!(
            "| {} | {} | {:.1} | {} | {seconds:.1} | {rate:.0} |",
            Path::new(&folder).file_name().and_then(|name| name.to_str()).unwrap_or(&folder),
            all[0] + all[1],
            percent(all[1], all[0] + all[1]),
            cells.join(" | "),
        );
    }
    Ok(())
}
