//! Measures the speed of reading a treebank on one core:
//! `cargo run --release -p eigentree-corpus --example read_speed -- FILE…`
//!
//! The file is decompressed into memory first, so that only the reader is measured. CPU time of the process is used if
//! available, and the best of several passes is shown. The format follows from the extension: `.conllu`, `.conllx`,
//! `.bio`, `.txt`; anything else is read as Penn brackets.

use std::error::Error;
use std::fs::File;
use std::io::Read;
use std::time::Instant;

use eigentree_corpus::compression::decompress;
use eigentree_corpus::format::bio::BioReader;
use eigentree_corpus::format::conllu::{ConlluReader, ReadOutcome, Sentence};
use eigentree_corpus::format::conllx::ConllxReader;
use eigentree_corpus::format::penn::PennReader;
use eigentree_corpus::format::plain_text::{PlainTextReader, TokenStyle};
use eigentree_corpus::tree::Tree;

const PASSES: usize = 7;

/// Reads everything and counts the tokens.
type Count = fn(&[u8], &str) -> Result<usize, Box<dyn Error>>;

fn conllu(bytes: &[u8], name: &str) -> Result<usize, Box<dyn Error>> {
    let mut reader = ConlluReader::new(bytes, name);
    let mut sentence = Sentence::new();
    let mut words = 0;
    while reader.read_into(&mut sentence)? == ReadOutcome::Sentence {
        words += sentence.len();
    }
    Ok(words)
}

fn conllu_collected(bytes: &[u8], name: &str) -> Result<usize, Box<dyn Error>> {
    let sentences = ConlluReader::new(bytes, name).collect::<Result<Vec<_>, _>>()?;
    Ok(sentences.iter().map(Sentence::len).sum())
}

fn conllx(bytes: &[u8], name: &str) -> Result<usize, Box<dyn Error>> {
    ConllxReader::new(bytes, name).try_fold(0, |words, sentence| Ok(words + sentence?.len()))
}

fn bio(bytes: &[u8], name: &str) -> Result<usize, Box<dyn Error>> {
    BioReader::new(bytes, name).try_fold(0, |words, sentence| Ok(words + sentence?.len()))
}

fn penn(bytes: &[u8], name: &str) -> Result<usize, Box<dyn Error>> {
    PennReader::new(bytes, name).try_fold(0, |words, tree| Ok(words + tree?.word_count()))
}

fn penn_collected(bytes: &[u8], name: &str) -> Result<usize, Box<dyn Error>> {
    let trees = PennReader::new(bytes, name).collect::<Result<Vec<_>, _>>()?;
    Ok(trees.iter().map(Tree::word_count).sum())
}

fn plain(bytes: &[u8], name: &str) -> Result<usize, Box<dyn Error>> {
    let mut reader = PlainTextReader::new(bytes, name, TokenStyle::Words);
    reader.try_fold(0, |words, sentence| Ok(words + sentence?.len()))
}

/// CPU seconds of this process if available, else wall-clock time.
fn cpu_seconds(start: Instant) -> f64 {
    const TICKS_PER_SECOND: f64 = 1e9;
    std::fs::read_to_string("/proc/self/schedstat")
        .ok()
        .and_then(|text| text.split_ascii_whitespace().next()?.parse::<f64>().ok())
        .map_or_else(|| start.elapsed().as_secs_f64(), |nanoseconds| nanoseconds / TICKS_PER_SECOND)
}

#[allow(clippy::print_stdout, reason = "an example talks to its user")]
fn main() -> Result<(), Box<dyn Error>> {
    let start = Instant::now();
    for path in std::env::args().skip(1) {
        let mut bytes = Vec::new();
        decompress(File::open(&path)?)?.read_to_end(&mut bytes)?;
        let name = path.trim_end_matches(".gz").trim_end_matches(".zst");
        let ways: &[(&str, Count)] = match name.rsplit('.').next() {
            Some("conllu") => &[("one sentence at a time", conllu), ("all kept", conllu_collected)],
            Some("conllx") => &[("one sentence at a time", conllx)],
            Some("bio") => &[("one sentence at a time", bio)],
            Some("txt") => &[("one sentence at a time", plain)],
            _ => &[("one tree at a time", penn), ("all kept", penn_collected)],
        };
        for (way, count) in ways {
            let mut best = f64::INFINITY;
            let mut words = 0;
            for _ in 0..PASSES {
                let before = cpu_seconds(start);
                words = count(&bytes, &path)?;
                best = best.min(cpu_seconds(start) - before);
            }
            println!(
                "{path}, {way}: {words} tokens in {best:.4} s CPU: {:.2} M tokens/s, {:.0} MB/s",
                words as f64 / best / 1e6,
                bytes.len() as f64 / best / 1e6
            );
        }
    }
    Ok(())
}
