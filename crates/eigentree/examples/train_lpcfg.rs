//! Learns a grammar with latent states from a synthetic treebank, scores it, and parses a sentence.
#![allow(clippy::print_stdout, reason = "it shows what it found")]

use std::error::Error;

use eigentree::corpus::synthetic::{english, sample_treebank};
use eigentree::learn::Silent;
use eigentree::models::lexicon::Observation;
use eigentree::models::lpcfg::{LpcfgConfig, Parser, ParserConfig, Quality, Scratch};
use eigentree::training::{Job, LpcfgJob};

fn main() -> Result<(), Box<dyn Error>> {
    let trees = sample_treebank(english(), 500, 1)?;
    let (train, dev) = trees.split_at(450);
    let job = LpcfgJob::new(LpcfgConfig::quality(Quality::Fast));
    let trained = job.run(train, Some(dev), &mut Silent)?;
    trained.dev.iter().flat_map(|dev| dev.lines()).for_each(|line| println!("{line}"));

    let parser = Parser::new(&trained.model, ParserConfig::default());
    let sentence: Vec<_> = "the dog saw a cat .".split(' ').map(Observation::Word).collect();
    println!("{}", parser.parse(&sentence, &mut Scratch::default()).ok_or("no words")?.tree);
    Ok(())
}

#[test]
fn it_runs() {
    main().unwrap();
}
