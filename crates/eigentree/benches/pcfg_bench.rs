//! A grammar without latent states on GUM: learning from 3,000 trees, parsing 200 sentences in several ways.
//!
//! `cargo bench -p eigentree --bench pcfg_bench`
#![allow(missing_docs, reason = "criterion's macros make public functions")]

mod data;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use eigentree::config::PcfgConfig;
use eigentree::learn::Silent;
use eigentree::models::lexicon::Observation;
use eigentree::models::pcfg::{Decoding, Parser, ParserConfig, Pruning, Scratch};
use eigentree::training::{Job, PcfgJob};

fn pcfg(criterion: &mut Criterion) {
    let Some(train) = data::trees("constituency/gum/train.ptb", 3000) else { return };
    let Some(dev) = data::trees("constituency/gum/dev.ptb", 200) else { return };
    let job = PcfgJob::new(PcfgConfig::default());
    let learn = || job.run(&train, None, &mut Silent).expect("a treebank").model;
    let mut group = criterion.benchmark_group("pcfg");
    group.throughput(Throughput::Elements(train.len() as u64));
    group.bench_function("learn", |bencher| bencher.iter(learn));

    let model = learn();
    let words: Vec<Vec<Observation<'_>>> =
        dev.iter().map(|tree| tree.words().map(Observation::Word).collect()).collect();
    let tagged: Vec<Vec<Observation<'_>>> = dev
        .iter()
        .map(|tree| tree.words().zip(tree.tags()).map(|(word, tag)| Observation::Tagged(word, tag)).collect())
        .collect();
    let config = |decoding, pruning| ParserConfig { decoding, pruning, ..ParserConfig::default() };
    let usual = Pruning::default();
    group.throughput(Throughput::Elements(dev.len() as u64));
    for (name, sentences, config) in [
        ("viterbi, tags", &tagged, config(Decoding::Viterbi, usual)),
        ("viterbi, tags, exhaustive", &tagged, config(Decoding::Viterbi, Pruning::None)),
        ("max-rule product, tags", &tagged, config(Decoding::MaxRuleProduct, usual)),
        ("max-rule product, words", &words, config(Decoding::MaxRuleProduct, usual)),
    ] {
        let parser = Parser::new(&model, config);
        let mut scratch = Scratch::default();
        group.bench_function(name, |bencher| {
            bencher.iter(|| {
                sentences.iter().filter_map(|sentence| parser.parse(sentence, &mut scratch)).count()
            });
        });
    }
}

criterion_group! { name = benches; config = data::slow(); targets = pcfg }
criterion_main!(benches);
