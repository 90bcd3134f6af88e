//! Head automata on EWT: learning by each method, inside–outside and parsing of the development sentences.
//!
//! `cargo bench -p eigentree --bench head_automata_bench`
#![allow(missing_docs, reason = "criterion's macros make public functions")]

mod data;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use eigentree::learn::Silent;
use eigentree::models::arcs::Word;
use eigentree::models::head_automata::{Parser, ParserConfig, Scratch};
use eigentree::training::{HeadAutomataMethod, HeadAutomataRecipe, Job};

fn head_automata(criterion: &mut Criterion) {
    let Some(train) = data::sentences("dependency/en_ewt/train.conllu", 4000) else { return };
    let Some(dev) = data::sentences("dependency/en_ewt/dev.conllu", 1000) else { return };
    let words: Vec<Vec<Word<'_>>> = dev.iter().map(Word::of_sentence).collect();
    let count = words.iter().map(Vec::len).sum::<usize>() as u64;
    let mut group = criterion.benchmark_group("head_automata");
    for (name, method) in [("spectral", HeadAutomataMethod::Spectral), ("em", HeadAutomataMethod::Em)] {
        let recipe = HeadAutomataRecipe { method, states: Some(8), ..HeadAutomataRecipe::default() };
        let job = recipe.job().expect("options that fit together");
        let learn = || job.run(&train, None, &mut Silent).expect("a treebank").model;
        group.throughput(Throughput::Elements(train.len() as u64));
        group.bench_function(format!("learn, {name}"), |bencher| bencher.iter(learn));

        let model = learn();
        let parser = Parser::new(&model, ParserConfig::default());
        let mut scratch = Scratch::default();
        group.throughput(Throughput::Elements(count));
        group.bench_function(format!("inside–outside, {name}"), |bencher| {
            bencher.iter(|| {
                for words in &words {
                    parser.marginals(words, &mut scratch);
                }
            });
        });
        group.bench_function(format!("parse, {name}"), |bencher| {
            bencher.iter(|| {
                words.iter().map(|words| parser.parse(words, &mut scratch).heads.len()).sum::<usize>()
            });
        });
    }
}

criterion_group! { name = benches; config = data::slow(); targets = head_automata }
criterion_main!(benches);
