//! Learns a grammar with latent states from a synthetic treebank, scores it, and parses a sentence.
#![allow(clippy::print_stdout, reason = "it shows what it found")]

use std::error::Error;

use eigentree::config::{LpcfgConfig, Quality};
use eigentree::learn::Silent;
use eigentree::sampling::sample_english;
use eigentree::training::{Job, LpcfgJob};

fn main() -> Result<(), Box<dyn Error>> {
    let trees = sample_english(500, 1);
    let (train, dev) = trees.split_at(450);
    let job = LpcfgJob::new(LpcfgConfig::quality(Quality::Fast));
    let trained = job.run(train, Some(dev), &mut Silent)?;
    trained.dev.iter().flat_map(|dev| dev.lines()).for_each(|line| println!("{line}"));

    println!("{}", trained.into_model().parser()?.parse("the dog saw a cat .")?);
    Ok(())
}

#[test]
fn it_runs() {
    main().unwrap();
}
