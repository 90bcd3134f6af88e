//! Trains tokenizers and scores them on development data: F1 of tokens and sentences.
//!
//! `cargo run --release -p eigentree-tagging --example tokenizer_bench -- FOLDER… [split=test] [errors=N] [features=characters] [passes=N …]`
//!
//! A folder holds `train.conllu` and `dev.conllu` (and `test.conllu`), packed or not. `errors=N` prints the first N errors of each
//! treebank with their places: what stands there and what was found, 0 inside a token, 1 at the end of one, 2 at the end of a sentence.
#![allow(clippy::print_stdout, reason = "the measurements are its output")]

use std::collections::BTreeMap;
use std::collections::BTreeSet;
use std::error::Error;
use std::fs::File;
use std::ops::Range;
use std::path::Path;
use std::time::Instant;

use corpus::compression::decompress;
use corpus::format::conllu::{ConlluReader, Sentence};
use eigentree_tagging::tokenizer::{
    Features, Passage, Scratch, TokenizerConfig, TokenizerData, TokenizerLearner,
};
use models::learn::{Learner, Silent};

fn read(folder: &str, split: &str) -> Result<Vec<Sentence>, Box<dyn Error>> {
    let plain = Path::new(folder).join(format!("{split}.conllu"));
    let packed = Path::new(folder).join(format!("{split}.conllu.gz"));
    let path = if plain.exists() { plain } else { packed };
    let file = File::open(&path)?;
    Ok(ConlluReader::new(decompress(file)?, folder).collect::<Result<_, _>>()?)
}

/// Counts of gold, found, and both.
#[derive(Default)]
struct Counts {
    gold: usize,
    found: usize,
    right: usize,
}

impl Counts {
    fn add(&mut self, gold: &[Range<usize>], found: &[Range<usize>]) {
        let all: BTreeSet<(usize, usize)> = gold.iter().map(|range| (range.start, range.end)).collect();
        self.gold += gold.len();
        self.found += found.len();
        self.right += found.iter().filter(|range| all.contains(&(range.start, range.end))).count();
    }

    fn f1(&self) -> f64 {
        200.0 * self.right as f64 / (self.gold + self.found).max(1) as f64
    }
}

/// The sentences as ranges, from tokens that say whether they are the last.
fn sentences(tokens: &[(Range<usize>, bool)]) -> Vec<Range<usize>> {
    let mut start = None;
    let mut all = Vec::new();
    for (range, last) in tokens {
        let begin = *start.get_or_insert(range.start);
        if *last {
            all.push(begin..range.end);
            start = None;
        }
    }
    all
}

/// The ends of tokens and sentences: 1 and 2.
fn ends(tokens: &[(Range<usize>, bool)]) -> BTreeMap<usize, u8> {
    tokens.iter().map(|(range, last)| (range.end, 1 + u8::from(*last))).collect()
}

fn show(passage: &Passage, found: &[(Range<usize>, bool)], left: &mut usize) {
    let (gold, own) = (ends(&passage.tokens), ends(found));
    let places: BTreeSet<usize> = gold.keys().chain(own.keys()).copied().collect();
    for at in places {
        let (should, does) = (gold.get(&at).copied().unwrap_or(0), own.get(&at).copied().unwrap_or(0));
        if should != does && *left > 0 {
            *left -= 1;
            let before: String = passage.text[..at].chars().rev().take(50).collect();
            let before: String = before.chars().rev().collect();
            let after: String = passage.text[at..].chars().take(40).collect();
            println!("{should}→{does}  {before}⟦⟧{after}");
        }
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut config = TokenizerConfig::default();
    let mut split = "dev".to_owned();
    let mut folders = Vec::new();
    let mut errors = 0;
    for argument in std::env::args().skip(1) {
        match argument.split_once('=') {
            None => folders.push(argument),
            Some(("split", value)) => value.clone_into(&mut split),
            Some(("features", "characters")) => config.features = Features::Characters,
            Some(("errors", value)) => errors = value.parse()?,
            Some(("passes", value)) => config.passes = value.parse()?,
            Some(("rate", value)) => config.rate = value.parse()?,
            Some(("least", value)) => config.least_count = value.parse()?,
            Some(("certain", value)) => config.certain = value.parse()?,
            Some((name, _)) => return Err(format!("no option is called {name}").into()),
        }
    }
    println!("| treebank | tokens | sentences | wrong tokens | wrong sentences | learning, s | MB/s |");
    println!("|---|---:|---:|---:|---:|---:|---:|");
    for folder in folders {
        let data = TokenizerData::from_sentences(&read(&folder, "train")?);
        let start = Instant::now();
        let tokenizer = TokenizerLearner { config: config.clone() }.learn(&data, &mut Silent)?.model;
        let seconds = start.elapsed().as_secs_f64();
        let mut scratch = Scratch::default();
        let (mut tokens, mut whole) = (Counts::default(), Counts::default());
        let mut left = errors;
        let held_out = TokenizerData::from_sentences(&read(&folder, &split)?);
        let (mut bytes, mut spent) = (0, 0.0);
        for passage in held_out.passages() {
            let start = Instant::now();
            let found = tokenizer.split(&passage.text, &mut scratch);
            spent += start.elapsed().as_secs_f64();
            bytes += passage.text.len();
            let found: Vec<(Range<usize>, bool)> = found
                .iter()
                .flat_map(|sentence| {
                    let last = sentence.len() - 1;
                    sentence.iter().enumerate().map(move |(at, token)| (token.start..token.end, at == last))
                })
                .collect();
            let ranges = |tokens: &[(Range<usize>, bool)]| -> Vec<Range<usize>> {
                tokens.iter().map(|(range, _)| range.clone()).collect()
            };
            tokens.add(&ranges(&passage.tokens), &ranges(&found));
            whole.add(&sentences(&passage.tokens), &sentences(&found));
            show(passage, &found, &mut left);
        }
        println!(
            "| {} | {:.2} | {:.2} | {} | {} | {seconds:.1} | {:.1} |",
            Path::new(&folder).file_name().and_then(|name| name.to_str()).unwrap_or(&folder),
            tokens.f1(),
            whole.f1(),
            tokens.gold + tokens.found - 2 * tokens.right,
            whole.gold + whole.found - 2 * whole.right,
            bytes as f64 / 1e6 / spent,
        );
    }
    Ok(())
}
