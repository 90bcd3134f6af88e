//! Opening a mapped model of 64 MB, which checks all of it, compared with the checksum alone.
//!
//! `cargo bench -p eigentree-models --bench container_bench`
#![allow(missing_docs, reason = "criterion's macros make public functions")]

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use eigentree_models::persist::{Container, ContainerWriter, Metadata};

fn container(criterion: &mut Criterion) {
    let numbers: Vec<f32> = (0..16 << 20).map(|i| i as f32).collect();
    let metadata = Metadata::new("large", 1);
    let mut writer = ContainerWriter::new(&metadata);
    writer.array("numbers", &numbers);
    let mut file = tempfile::tempfile().expect("a temporary file");
    let length = writer.write_to(&mut file).expect("room for the file");
    let mut group = criterion.benchmark_group("container");
    group.throughput(Throughput::Bytes(length));
    group.bench_function("open", |bencher| {
        bencher.iter(|| {
            // SAFETY: the file has no name, so nobody else can change it.
            let map = unsafe { memmap2::Mmap::map(&file) }.expect("a file that can be mapped");
            Container::from_mmap(map).expect("a sound container").sections().count()
        });
    });
    group.bench_function("checksum alone", |bencher| {
        bencher.iter(|| crc32fast::hash(bytemuck::cast_slice(&numbers)));
    });
}

criterion_group!(benches, container);
criterion_main!(benches);
