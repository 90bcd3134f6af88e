//! Grammars with latent states on GUM: learning from 3,000 trees by each method, parsing 200 sentences.
//!
//! `cargo bench -p eigentree --bench lpcfg_bench`
#![allow(missing_docs, reason = "criterion's macros make public functions")]

mod data;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use eigentree::config::LpcfgConfig;
use eigentree::learn::Silent;
use eigentree::models::lexicon::Observation;
use eigentree::models::lpcfg::{Method, Parser, ParserConfig, Scratch, SpectralConfig};
use eigentree::training::{Job, LpcfgJob};

const STATES: usize = 16;

fn lpcfg(criterion: &mut Criterion) {
    let Some(train) = data::trees("constituency/gum/train.ptb", 3000) else { return };
    let Some(dev) = data::trees("constituency/gum/dev.ptb", 200) else { return };
    let sentences: Vec<Vec<Observation<'_>>> =
        dev.iter().map(|tree| tree.words().map(Observation::Word).collect()).collect();
    let spectral = SpectralConfig { states: STATES, ..SpectralConfig::default() };
    let mut group = criterion.benchmark_group("lpcfg");
    for (name, method) in [
        ("spectral", Method::Spectral(spectral.clone())),
        ("cluster", Method::Cluster { spectral, steps: 0 }),
        ("em, 2 steps", Method::Em { states: STATES, steps: 2, seed: 1 }),
    ] {
        let job = LpcfgJob::new(LpcfgConfig { members: vec![method], ..LpcfgConfig::default() });
        let learn = || job.run(&train, None, &mut Silent).expect("a treebank").model;
        group.throughput(Throughput::Elements(train.len() as u64));
        group.bench_function(format!("learn, {name}"), |bencher| bencher.iter(learn));

        let model = learn();
        let parser = Parser::new(&model, ParserConfig::default());
        let mut scratch = Scratch::default();
        group.throughput(Throughput::Elements(dev.len() as u64));
        group.bench_function(format!("parse, {name}"), |bencher| {
            bencher.iter(|| {
                sentences.iter().filter_map(|sentence| parser.parse(sentence, &mut scratch)).count()
            });
        });
    }
}

criterion_group! { name = benches; config = data::slow(); targets = lpcfg }
criterion_main!(benches);
