//! Word clusters of a small English text: counting, and 100 clusters of 5,000 words by each method.
//!
//! `cargo bench -p eigentree --bench cluster_bench`
#![allow(missing_docs, reason = "criterion's macros make public functions")]

mod data;

use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use eigentree::clustering::VocabChoice;
use eigentree::config::ClusterConfig;
use eigentree::corpus::cooccurrence::VocabLimit;
use eigentree::learn::Silent;
use eigentree::models::clusters::Method;
use eigentree::training::ClustersJob;

fn clusters(criterion: &mut Criterion) {
    let Some(path) = data::file("text/en_small.txt") else { return };
    let text = std::fs::read(path).expect("a readable file");
    let mut group = criterion.benchmark_group("clusters");
    let job = |method| {
        let mut job = ClustersJob::new(ClusterConfig { method, clusters: 100, ..ClusterConfig::default() });
        job.gather.vocab = VocabChoice::Limit(VocabLimit::most_frequent(5000));
        job
    };
    let count = |job: &ClustersJob| job.count(text.as_slice(), "en_small.txt").expect("a text");
    group.throughput(Throughput::Bytes(text.len() as u64));
    let usual = job(ClusterConfig::default().method);
    group.bench_function("count", |bencher| bencher.iter(|| count(&usual)));
    for (name, method) in [
        ("brown", Method::Brown),
        ("exchange", Method::Exchange),
        ("spectral", Method::Spectral),
        ("default", ClusterConfig::default().method),
    ] {
        let job = job(method);
        group.bench_function(name, |bencher| {
            bencher.iter_batched(
                || count(&job),
                |counted| job.learn(counted, None, &mut Silent).expect("clusters").mutual_information,
                BatchSize::LargeInput,
            );
        });
    }
}

criterion_group! { name = benches; config = data::slow(); targets = clusters }
criterion_main!(benches);
