//! Learns a dependency parser from a small treebank and parses one of its sentences.
#![allow(clippy::print_stdout, reason = "it shows what it found")]

use std::error::Error;

use eigentree::corpus::format::conllu::{ConlluReader, Sentence};
use eigentree::dependency_parsing::{annotate, parse_sentences};
use eigentree::learn::Silent;
use eigentree::models::mst::{Parser, Quality};
use eigentree::parsing::Confidences;
use eigentree::training::{Job, MstJob};

const TREEBANK: &str = include_str!("data/small.conllu");

fn main() -> Result<(), Box<dyn Error>> {
    let mut sentences: Vec<Sentence> =
        ConlluReader::new(TREEBANK.as_bytes(), "small.conllu").collect::<Result<_, _>>()?;
    let mut job = MstJob::quality(Quality::Fast);
    job.config.bits = 16; // A small table of weights will do.
    let trained = job.run(&sentences, None, &mut Silent)?;

    let parser = Parser::new(&trained.model);
    let parses = parse_sentences(&parser, &sentences[..1], Confidences::Compute, &mut Silent)?;
    annotate(&mut sentences[0], parses[0].as_ref().ok_or("no words")?, &parser)?;
    for word in sentences[0].words() {
        println!("{}\t{:?}\t{}", word.form(), word.head(), word.deprel());
    }
    Ok(())
}

#[test]
fn it_runs() {
    main().unwrap();
}
