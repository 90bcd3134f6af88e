//! The discriminative dependency parser on EWT: learning from 800 sentences, parsing 400, in first and second order.
//!
//! `cargo bench -p eigentree --bench mst_bench`
#![allow(missing_docs, reason = "criterion's macros make public functions")]

mod data;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use eigentree::config::{Confidences, Quality};
use eigentree::learn::Silent;
use eigentree::models::arcs::Word;
use eigentree::models::mst::{Parser, Scratch};
use eigentree::training::{Job, MstJob};

fn mst(criterion: &mut Criterion) {
    let Some(train) = data::sentences("dependency/en_ewt/train.conllu", 800) else { return };
    let Some(dev) = data::sentences("dependency/en_ewt/dev.conllu", 400) else { return };
    let words: Vec<Vec<Word<'_>>> = dev.iter().map(Word::of_sentence).collect();
    let count = words.iter().map(Vec::len).sum::<usize>() as u64;
    let mut group = criterion.benchmark_group("mst");
    for (name, quality) in [("fast", Quality::Fast), ("balanced", Quality::Balanced)] {
        let job = MstJob::quality(quality);
        let learn = || job.run(&train, None, &mut Silent).expect("a treebank").model;
        group.throughput(Throughput::Elements(train.len() as u64));
        group.bench_function(format!("learn, {name}"), |bencher| bencher.iter(learn));

        let model = learn();
        let parser = Parser::new(&model);
        let mut scratch = Scratch::default();
        group.throughput(Throughput::Elements(count));
        for (kind, k, confidences) in [
            ("best", 1, Confidences::Skip),
            ("confidences", 1, Confidences::Compute),
            ("10 best", 10, Confidences::Skip),
        ] {
            group.bench_function(format!("parse, {name}, {kind}"), |bencher| {
                bencher.iter(|| {
                    let lists =
                        words.iter().map(|words| parser.parse_best(words, k, confidences, &mut scratch));
                    lists.map(|list| list.len()).sum::<usize>()
                });
            });
        }
    }
}

criterion_group! { name = benches; config = data::slow(); targets = mst }
criterion_main!(benches);
