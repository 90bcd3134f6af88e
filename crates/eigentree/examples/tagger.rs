//! Learns parts of speech from a small treebank and tags a new sentence.
#![allow(clippy::print_stdout, reason = "it shows what it found")]

use std::error::Error;

use eigentree::data::{Column, ConlluReader, Resources, Sentence};
use eigentree::learn::Silent;
use eigentree::tagging::column_data;
use eigentree::training::{Job, TaggerJob};

const TREEBANK: &str = include_str!("data/small.conllu");

fn main() -> Result<(), Box<dyn Error>> {
    let sentences: Vec<Sentence> =
        ConlluReader::new(TREEBANK.as_bytes(), "small.conllu").collect::<Result<_, _>>()?;
    let data = column_data(&sentences, &[Column::Upos, Column::Xpos], Resources::default());
    let tagger = TaggerJob::default().run(&data, None, &mut Silent)?.model;

    let words: Vec<String> = "Anna sees the old dogs .".split(' ').map(str::to_owned).collect();
    let tagging = tagger.tag(&words, &mut tagger.scratch());
    for (word, tag) in words.iter().zip(tagging.labels(0)) {
        println!("{word}\t{tag}");
    }
    Ok(())
}

#[test]
fn it_runs() {
    main().unwrap();
}
