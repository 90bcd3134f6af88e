//! Learns a pipeline from a small treebank: tokeniser, tagger and parser in one model. Then annotates raw text.
#![allow(clippy::print_stdout, reason = "it shows what it found")]

use std::error::Error;

use eigentree::corpus::format::conllu::{ConlluReader, Sentence};
use eigentree::corpus::format::raw_text::Piece;
use eigentree::learn::Silent;
use eigentree::models::mst::{MstConfig, Quality};
use eigentree::pipeline::Scratch;
use eigentree::training::{Job, PipelineData, PipelineJob, PipelineParser};

const TREEBANK: &str = include_str!("data/small.conllu");

fn main() -> Result<(), Box<dyn Error>> {
    let sentences: Vec<Sentence> =
        ConlluReader::new(TREEBANK.as_bytes(), "small.conllu").collect::<Result<_, _>>()?;
    let mut job = PipelineJob::default();
    job.parser = PipelineParser::Always(MstConfig { bits: 16, ..MstConfig::quality(Quality::Fast) });
    let data = PipelineData { sentences, ..PipelineData::default() };
    let pipeline = job.run(&data, None, &mut Silent)?.model;

    let piece = Piece { text: "The dog sleeps. Anna sees a bird in Oslo.".to_owned(), ..Piece::default() };
    for sentence in pipeline.annotate(&piece, &mut Scratch::default(), |_| {})? {
        for word in sentence.words() {
            println!("{}\t{}\t{:?}\t{}", word.form(), word.upos(), word.head(), word.deprel());
        }
        println!();
    }
    Ok(())
}

#[test]
fn it_runs() {
    main().unwrap();
}
