//! Learns a pipeline from a small treebank: tokenizer, tagger and parser in one model. Then annotates raw text.
#![allow(clippy::print_stdout, reason = "it shows what it found")]

use std::error::Error;

use eigentree::config::{MstConfig, Quality};
use eigentree::data::{ConlluReader, Sentence};
use eigentree::learn::Silent;
use eigentree::training::{Job, PipelineData, PipelineJob, PipelineParser};

const TREEBANK: &str = include_str!("data/small.conllu");

fn main() -> Result<(), Box<dyn Error>> {
    let sentences: Vec<Sentence> =
        ConlluReader::new(TREEBANK.as_bytes(), "small.conllu").collect::<Result<_, _>>()?;
    let mut job = PipelineJob::default();
    job.parser = PipelineParser::Always(MstConfig { bits: 16, ..MstConfig::quality(Quality::Fast) });
    let data = PipelineData { sentences, ..PipelineData::default() };
    let model = job.run(&data, None, &mut Silent)?.into_model();

    for parse in model.parser()?.parse_text("The dog sleeps. Anna sees a bird in Oslo.")? {
        print!("{parse}");
    }
    Ok(())
}

#[test]
fn it_runs() {
    main().unwrap();
}
