//! Learns head automata from a small treebank by the spectral method and by EM, and scores both.
#![allow(clippy::print_stdout, reason = "it shows what it found")]

use std::error::Error;

use eigentree::data::{ConlluReader, Sentence};
use eigentree::learn::Silent;
use eigentree::training::{HeadAutomataMethod, HeadAutomataRecipe, Job};

const TREEBANK: &str = include_str!("data/small.conllu");

fn main() -> Result<(), Box<dyn Error>> {
    let sentences: Vec<Sentence> =
        ConlluReader::new(TREEBANK.as_bytes(), "small.conllu").collect::<Result<_, _>>()?;
    let (train, dev) = sentences.split_at(15);
    for method in [HeadAutomataMethod::Spectral, HeadAutomataMethod::Em] {
        let job = HeadAutomataRecipe { method, states: Some(2), ..HeadAutomataRecipe::default() }.job()?;
        let trained = job.run(train, Some(dev), &mut Silent)?;
        let scores = trained.dev.as_ref().and_then(|dev| dev.attachment()).ok_or("no scores")?;
        println!("{method:?}: UAS {:.1}", scores.uas);
    }
    Ok(())
}

#[test]
fn it_runs() {
    main().unwrap();
}
