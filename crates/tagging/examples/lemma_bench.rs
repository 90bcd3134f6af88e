//! Trains lemmatizers and scores them on development data, with the tags of the treebank: lemmas of known and of unknown
//! words.
//!
//! `cargo run --release -p eigentree-tagging --example lemma_bench -- FOLDER… [split=test] [accents=letters] [passes=N rate=X …]`
//!
//! A folder holds `train.conllu` and `dev.conllu` (and `test.conllu`), packed or not.
#![allow(clippy::print_stdout, reason = "the measurements are its output")]

use std::error::Error;
use std::fs::File;
use std::path::Path;
use std::time::Instant;

use corpus::compression::decompress;
use corpus::format::conllu::{ConlluReader, Sentence};
use eigentree_tagging::lemmatizer::{Accents, LemmatizerConfig, LemmatizerData, LemmatizerLearner};
use models::learn::{Learner, Silent};

fn read(folder: &str, split: &str) -> Result<Vec<Sentence>, Box<dyn Error>> {
    let plain = Path::new(folder).join(format!("{split}.conllu"));
    let packed = Path::new(folder).join(format!("{split}.conllu.gz"));
    let path = if plain.exists() { plain } else { packed };
    let file = File::open(&path)?;
    Ok(ConlluReader::new(decompress(file)?, folder).collect::<Result<_, _>>()?)
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut config = LemmatizerConfig::default();
    let mut split = "dev".to_owned();
    let mut folders = Vec::new();
    for argument in std::env::args().skip(1) {
        match argument.split_once('=') {
            None => folders.push(argument),
            Some(("split", value)) => value.clone_into(&mut split),
            Some(("passes", value)) => config.passes = value.parse()?,
            Some(("rate", value)) => config.rate = value.parse()?,
            Some(("least", value)) => config.least_count = value.parse()?,
            Some(("accents", "letters")) => config.accents = Accents::Letters,
            Some(("words", value)) => config.least_words = value.parse()?,
            Some((name, _)) => return Err(format!("no option is called {name}").into()),
        }
    }
    println!("| treebank | words | unknown | all | known | unknown words | scripts | seconds | words/s |");
    println!("|---|---:|---:|---:|---:|---:|---:|---:|---:|");
    for folder in folders {
        let mut data = LemmatizerData::default();
        for sentence in read(&folder, "train")? {
            for word in sentence.words() {
                data.push(word.form(), [word.upos(), word.xpos(), word.feats()], word.lemma());
            }
        }
        let start = Instant::now();
        let learned = LemmatizerLearner { config: config.clone() }.learn(&data, &mut Silent)?;
        let seconds = start.elapsed().as_secs_f64();
        let lemmatizer = learned.model;
        let mut scratch = lemmatizer.scratch();
        let (mut right, mut all) = ([0u32; 2], [0u32; 2]);
        let sentences = read(&folder, &split)?;
        let start = Instant::now();
        for word in sentences.iter().flat_map(Sentence::words) {
            let lemma = lemmatizer.lemma(word.form(), [word.upos(), word.xpos(), word.feats()], &mut scratch);
            let unknown = usize::from(!lemmatizer.knows(word.form()));
            all[unknown] += 1;
            right[unknown] += u32::from(lemma == word.lemma());
        }
        let rate = f64::from(all[0] + all[1]) / start.elapsed().as_secs_f64();
        let percent = |right: u32, all: u32| 100.0 * f64::from(right) / f64::from(all.max(1));
        println!(
            "| {} | {} | {:.1} | {:.2} | {:.2} | {:.2} | {} | {seconds:.1} | {rate:.0} |",
            Path::new(&folder).file_name().and_then(|name| name.to_str()).unwrap_or(&folder),
            all[0] + all[1],
            percent(all[1], all[0] + all[1]),
            percent(right[0] + right[1], all[0] + all[1]),
            percent(right[0], all[0]),
            percent(right[1], all[1]),
            lemmatizer.scripts(),
        );
    }
    Ok(())
}
