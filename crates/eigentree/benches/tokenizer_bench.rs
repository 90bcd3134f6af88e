//! The tokenizer on the running text of EWT: learning, and dividing the development text by the learnt model and by
//! rules.
//!
//! `cargo bench -p eigentree --bench tokenizer_bench`
#![allow(missing_docs, reason = "criterion's macros make public functions")]

mod data;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use eigentree::corpus::format::raw_text::Piece;
use eigentree::learn::{Learner, Silent};
use eigentree::models::tokenizer::{Tokenizer, TokenizerData, TokenizerLearner};
use eigentree::pipeline::{Pipeline, Scratch};

fn tokenizer(criterion: &mut Criterion) {
    let Some(train) = data::sentences("dependency/en_ewt/train.conllu", 4000) else { return };
    let Some(dev) = data::sentences("dependency/en_ewt/dev.conllu", usize::MAX) else { return };
    let (train, dev) = (TokenizerData::from_sentences(&train), TokenizerData::from_sentences(&dev));
    let learn = || TokenizerLearner::default().learn(&train, &mut Silent).expect("a treebank").model;
    let mut group = criterion.benchmark_group("tokenizer");
    group.bench_function("learn", |bencher| bencher.iter(learn));

    let bytes: usize = dev.passages().iter().map(|passage| passage.text.len()).sum();
    group.throughput(Throughput::Bytes(bytes as u64));
    for (name, tokenizer) in [("learnt", learn()), ("rules", Tokenizer::rules())] {
        let pipeline = Pipeline { tokenizer, tagger: None, entities: None, parser: None, grammar: None };
        let mut scratch = Scratch::default();
        group.bench_function(name, |bencher| {
            bencher.iter(|| {
                for passage in dev.passages() {
                    let piece = Piece { text: passage.text.clone(), ..Piece::default() };
                    pipeline.annotate(&piece, &mut scratch, |_| {}).expect("sentences");
                }
            });
        });
    }
}

criterion_group! { name = benches; config = data::slow(); targets = tokenizer }
criterion_main!(benches);
