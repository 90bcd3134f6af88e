//! p(word | preterminal) for the words of GUM dev, with unknown words and their contexts.
//!
//! `cargo bench -p eigentree --bench lexicon_bench`
#![allow(missing_docs, reason = "criterion's macros make public functions")]

mod data;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use eigentree::config::PcfgConfig;
use eigentree::learn::Silent;
use eigentree::models::lexicon::{Observation, SentenceEmissions};
use eigentree::training::{Job, PcfgJob};

fn lexicon(criterion: &mut Criterion) {
    let Some(train) = data::trees("constituency/gum/train.ptb", 3000) else { return };
    let Some(dev) = data::trees("constituency/gum/dev.ptb", 1000) else { return };
    let model = PcfgJob::new(PcfgConfig::default()).run(&train, None, &mut Silent).expect("a treebank").model;
    let sentences: Vec<Vec<Observation<'_>>> =
        dev.iter().map(|tree| tree.words().map(Observation::Word).collect()).collect();
    let mut group = criterion.benchmark_group("lexicon");
    group.throughput(Throughput::Elements(sentences.iter().map(Vec::len).sum::<usize>() as u64));
    group.bench_function("emissions", |bencher| {
        let mut out = SentenceEmissions::default();
        bencher.iter(|| {
            for sentence in &sentences {
                model.lexicon().emissions_of_sentence(sentence, &mut out);
            }
        });
    });
}

criterion_group! { name = benches; config = data::slow(); targets = lexicon }
criterion_main!(benches);
