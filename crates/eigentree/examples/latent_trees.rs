//! Learns latent dependency trees, and a re-ranker that uses them to choose among the trees of a parser.
#![allow(clippy::print_stdout, reason = "it shows what it found")]

use std::error::Error;

use eigentree::config::{DeptreeConfig, Observe, Shrinkage};
use eigentree::data::{ConlluReader, Sentence};
use eigentree::learn::Silent;
use eigentree::training::{DeptreeJob, Job, LatentLearner, RerankerJob};

const TREEBANK: &str = include_str!("data/small.conllu");

fn main() -> Result<(), Box<dyn Error>> {
    let sentences: Vec<Sentence> =
        ConlluReader::new(TREEBANK.as_bytes(), "small.conllu").collect::<Result<_, _>>()?;
    let latent = LatentLearner::Spectral(DeptreeConfig {
        observe: Observe::Tags,
        dimension: 2,
        shrinkage: Shrinkage::Part(0.1),
        ..DeptreeConfig::default()
    });
    let trees = DeptreeJob::new(latent.clone()).run(&sentences, Some(&sentences), &mut Silent)?;
    trees.dev.iter().flat_map(|dev| dev.lines()).for_each(|line| println!("{line}"));

    let mut job = RerankerJob::default();
    (job.latent, job.trees, job.parser.bits) = (latent, 5, 16);
    let reranker = job.run(&sentences, None, &mut Silent)?;
    println!("{:?}", reranker.findings);
    Ok(())
}

#[test]
fn it_runs() {
    main().unwrap();
}
