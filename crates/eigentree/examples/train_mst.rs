//! Learns a dependency parser from a small treebank and parses a sentence with given tags.
#![allow(clippy::print_stdout, reason = "it shows what it found")]

use std::error::Error;

use eigentree::config::{Confidences, Quality};
use eigentree::data::{ConlluReader, Sentence};
use eigentree::learn::Silent;
use eigentree::training::{Job, MstJob};

const TREEBANK: &str = include_str!("data/small.conllu");

fn main() -> Result<(), Box<dyn Error>> {
    let sentences: Vec<Sentence> =
        ConlluReader::new(TREEBANK.as_bytes(), "small.conllu").collect::<Result<_, _>>()?;
    let mut job = MstJob::quality(Quality::Fast);
    job.config.bits = 16; // A small table of weights will do.
    let model = job.run(&sentences, None, &mut Silent)?.into_model();

    let parse = model.parser()?.with_confidences(Confidences::Compute).parse_sentence(&sentences[0])?;
    print!("{parse}");
    println!("confidence: {:.2}", parse.confidence().ok_or("none computed")?);
    Ok(())
}

#[test]
fn it_runs() {
    main().unwrap();
}
