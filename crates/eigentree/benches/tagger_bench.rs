//! The tagger on EWT: learning UPOS and XPOS from 2,000 sentences, tagging the development sentences.
//!
//! `cargo bench -p eigentree --bench tagger_bench`
#![allow(missing_docs, reason = "criterion's macros make public functions")]

mod data;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use eigentree::corpus::format::conllu::Column;
use eigentree::data::Resources;
use eigentree::learn::Silent;
use eigentree::tagging::column_data;
use eigentree::training::{Job, TaggerJob};

fn tagger(criterion: &mut Criterion) {
    let Some(train) = data::sentences("dependency/en_ewt/train.conllu", 2000) else { return };
    let Some(dev) = data::sentences("dependency/en_ewt/dev.conllu", usize::MAX) else { return };
    let data = |sentences| column_data(sentences, &[Column::Upos, Column::Xpos], Resources::default());
    let (train, dev) = (data(&train), data(&dev));
    let job = TaggerJob::default();
    let learn = || job.run(&train, None, &mut Silent).expect("a treebank").model;
    let mut group = criterion.benchmark_group("tagger");
    group.throughput(Throughput::Elements(train.sentences.len() as u64));
    group.bench_function("learn", |bencher| bencher.iter(learn));

    let model = learn();
    let mut scratch = model.scratch();
    let words: usize = dev.sentences.iter().map(|sentence| sentence.words.len()).sum();
    group.throughput(Throughput::Elements(words as u64));
    group.bench_function("tag", |bencher| {
        bencher.iter(|| {
            for sentence in &dev.sentences {
                std::hint::black_box(model.tag(&sentence.words, &mut scratch));
            }
        });
    });
}

criterion_group! { name = benches; config = data::slow(); targets = tagger }
criterion_main!(benches);
