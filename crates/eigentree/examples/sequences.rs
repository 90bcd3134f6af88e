//! Learns an automaton and a hidden Markov model from sequences, and asks for the symbols that may come next.
#![allow(clippy::print_stdout, reason = "it shows what it found")]

use std::error::Error;

use eigentree::config::{Rank, RankChoice};
use eigentree::learn::Silent;
use eigentree::sequences::{SequenceFile, predict};
use eigentree::training::{Job, SequenceJob};

fn main() -> Result<(), Box<dyn Error>> {
    let tokens = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<String>>();
    let data = SequenceFile::Tokens(
        ["a b a b", "a b", "b a", "a b a b a b"].repeat(20).into_iter().map(tokens).collect(),
    );
    for mut job in [SequenceJob::default(), SequenceJob::hmm()] {
        job.config.rank = RankChoice::Fixed(Rank::new(2).ok_or("two is positive")?);
        let model = job.run(&data, None, &mut Silent)?.model;
        let prefixes = data.numbers(model.alphabet(), "the prefixes")?;
        let rankings = predict(&model, &prefixes[..1], 3, &mut Silent)?;
        println!("{:?} after `a b a b`: {:?}", job.config.method, rankings);
    }
    Ok(())
}

#[test]
fn it_runs() {
    main().unwrap();
}
