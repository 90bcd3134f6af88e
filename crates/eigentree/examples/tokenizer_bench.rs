//! Trains a tokenizer on one CoNLL-U file and scores it on the running text of another, next to the rules. Reports F1
//! of tokens, sentences and words as in the CoNLL 2018 shared task, and words per second.
//!
//! `cargo run --release -p eigentree --example tokenizer_bench -- TRAIN DEV`
#![allow(clippy::print_stdout, reason = "the measurements are its output")]

use std::error::Error;
use std::fs::File;
use std::time::Instant;

use corpus::compression::decompress;
use corpus::format::conllu::{ConlluReader, Sentence};
use corpus::format::raw_text::Piece;
use eigentree::pipeline::{Pipeline, Scratch};
use eval::alignment::score_aligned;
use eval::attachment::AttachmentConfig;
use models::learn::{Learner, Silent};
use tagging::tokenizer::{Tokenizer, TokenizerData, TokenizerLearner};

fn read(path: &str) -> Result<Vec<Sentence>, Box<dyn Error>> {
    Ok(ConlluReader::new(decompress(File::open(path)?)?, path).collect::<Result<_, _>>()?)
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [train, dev] = &arguments[..] else { return Err("missing arguments: TRAIN DEV".into()) };
    let data = TokenizerData::from_sentences(&read(train)?);
    let start = Instant::now();
    let learnt = TokenizerLearner::default().learn(&data, &mut Silent)?.model;
    println!("learnt in {:.1} s; {} sentences left out", start.elapsed().as_secs_f64(), data.left_out());
    let dev = read(dev)?;
    let text = TokenizerData::from_sentences(&dev);
    for (name, tokenizer) in [("learnt", learnt), ("rules", Tokenizer::rules())] {
        let pipeline = Pipeline { tokenizer, tagger: None, entities: None, parser: None, grammar: None };
        let mut scratch = Scratch::default();
        let mut sentences = Vec::new();
        let start = Instant::now();
        for passage in text.passages() {
            let piece = Piece { text: passage.text.clone(), ..Piece::default() };
            sentences.extend(pipeline.annotate(&piece, &mut scratch, |_| {})?);
        }
        let seconds = start.elapsed().as_secs_f64();
        let scores = score_aligned(&dev, &sentences, &AttachmentConfig::default())?;
        println!(
            "{name}: tokens {:.2}, sentences {:.2}, words {:.2}, {:.0} words/s",
            100.0 * scores.tokens.f1(),
            100.0 * scores.sentences.f1(),
            100.0 * scores.attachment.total().words.f1(),
            sentences.iter().map(Sentence::len).sum::<usize>() as f64 / seconds
        );
    }
    Ok(())
}
