//! Measures the speed of counting text:
//! `cargo run --release -p eigentree-corpus --example count_speed -- [--memory] FILE…`
//!
//! Each file is counted with one thread and with all, over all types and over the 50,000 most frequent ones, at
//! distances 1 and 2. With `--memory` the file is decompressed in advance, so that only counting is measured; otherwise
//! it is decompressed on the fly.

use std::error::Error;
use std::fs::File;
use std::io::{Cursor, Read};
use std::time::Instant;

use eigentree_corpus::compression::decompress;
use eigentree_corpus::cooccurrence::{Boundaries, CountConfig, TextCounter, VocabLimit};

/// Times of reading and of counting pairs, and the counts.
struct Run {
    read: f64,
    count: f64,
    tokens: u64,
    types: usize,
    pairs: usize,
}

fn run(source: impl Read, config: CountConfig) -> Result<Run, Box<dyn Error>> {
    let start = Instant::now();
    let mut counter = TextCounter::new(config)?;
    counter.read(source, "-")?;
    let read = start.elapsed().as_secs_f64();
    let counted = counter.finish()?.counts;
    let count = start.elapsed().as_secs_f64() - read;
    let (tokens, types, pairs) = (counted.tokens(), counted.words.len(), counted.distinct_pairs());
    Ok(Run { read, count, tokens, types, pairs })
}

/// CPU seconds of this process, if available.
fn cpu_seconds() -> f64 {
    const TICKS_PER_SECOND: f64 = 100.0;
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields: Vec<&str> = stat.rsplit(')').next().unwrap_or_default().split_ascii_whitespace().collect();
    let ticks = |index: usize| fields.get(index).and_then(|field| field.parse::<f64>().ok()).unwrap_or(0.0);
    (ticks(11) + ticks(12)) / TICKS_PER_SECOND
}

/// Peak memory so far in MB, if available.
fn peak_megabytes() -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap_or_default();
    line.split_whitespace().next().and_then(|field| field.parse::<f64>().ok()).unwrap_or(0.0) / 1024.0
}

#[allow(clippy::print_stdout, reason = "an example talks to its user")]
fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments: Vec<String> = std::env::args().skip(1).collect();
    let memory = arguments.first().is_some_and(|argument| argument == "--memory");
    arguments.drain(..usize::from(memory));
    let all = rayon::current_num_threads();
    for path in arguments {
        let mut bytes = Vec::new();
        if memory {
            decompress(File::open(&path)?)?.read_to_end(&mut bytes)?;
        }
        for threads in [1, all] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build()?;
            for (vocab, distance) in [(Some(50_000), 1), (Some(50_000), 2), (None, 1)] {
                let config = CountConfig {
                    distance,
                    boundaries: Boundaries::Lines,
                    vocab: vocab.map(VocabLimit::most_frequent),
                    ..CountConfig::default()
                };
                let before = cpu_seconds();
                let run = if memory {
                    pool.install(|| run(Cursor::new(&bytes), config).map_err(|error| error.to_string()))
                } else {
                    let file = File::open(&path)?;
                    pool.install(|| {
                        decompress(file)
                            .map_err(|error| error.to_string())
                            .and_then(|source| run(source, config).map_err(|error| error.to_string()))
                    })
                }?;
                let cpu = cpu_seconds() - before;
                println!(
                    "{path}, threads {threads}, vocabulary {vocab:?}, distance {distance}: {} tokens, {} types, {} pairs; \
                     read {:.2} s, count {:.2} s, CPU {cpu:.2} s: {:.1} M tokens/s, {:.1} a CPU second; peak {:.0} MB",
                    run.tokens,
                    run.types,
                    run.pairs,
                    run.read,
                    run.count,
                    run.tokens as f64 / (run.read + run.count) / 1e6,
                    run.tokens as f64 / cpu / 1e6,
                    peak_megabytes()
                );
            }
        }
    }
    Ok(())
}
