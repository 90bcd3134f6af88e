//! Counts texts.

use std::io::{Cursor, Read};
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::atomic::Ordering;

use corpus::cooccurrence::{CountConfig, CountedText, MemoryEstimate, TextCounter, TextSize};
use corpus::error::ReadError;
use models::learn::Observer;
use models::persist::MAGIC;

use crate::Error;
use crate::files::{Input, plain, total_size};
use crate::reading::Format;

/// Number of bytes sampled to estimate the memory for all texts.
const SAMPLE_BYTES: u64 = 4 << 20;

/// The result of counting.
#[derive(Clone, PartialEq, Debug)]
pub struct Counting {
    /// The counts.
    pub counted: CountedText,
    /// Number of bytes of decompressed text.
    pub bytes: u64,
    /// The estimated memory, unless the sizes of the texts are unknown.
    pub memory: Option<MemoryEstimate>,
}

/// Counts the texts at `paths` one after the other; `-` is standard input. Reports the expected memory first, and
/// progress in bytes of the (possibly compressed) files.
pub fn count_texts(
    paths: &[impl AsRef<Path>],
    config: &CountConfig,
    observer: &mut dyn Observer,
) -> Result<Counting, Error> {
    count_all(&plain(paths), config, observer)
}

fn count_all(paths: &[&Path], config: &CountConfig, observer: &mut dyn Observer) -> Result<Counting, Error> {
    let size = total_size(paths);
    let mut counter = TextCounter::new(config.clone())?;
    let mut memory = None;
    for (index, path) in paths.iter().enumerate() {
        let mut input = Input::open(path)?;
        let name = input.name().to_owned();
        let packed = input.packed_bytes();
        let mut sample = Vec::new();
        let fail = |error| ReadError::Io { source_name: name.clone(), line: 0, error };
        input.by_ref().take(SAMPLE_BYTES).read_to_end(&mut sample).map_err(fail)?;
        if sample.starts_with(&MAGIC) {
            return Err(Error::Data(format!(
                "{name} is a model or a count file, not text; to add up count files use `merge`"
            )));
        }
        if let Some(found) = Format::of_treebank(path, &sample) {
            return Err(Error::Treebank { name, found });
        }
        if index == 0 {
            if let Some(size) = size {
                // The first text gives the compression ratio of all of them.
                let ratio = sample.len() as f64 / packed.load(Ordering::Relaxed).max(1) as f64;
                let unpacked = (size as f64 * ratio.max(1.0)) as u64;
                let text = TextSize::of_sample(&sample, unpacked);
                let estimate = MemoryEstimate::new(&text, config, rayon::current_num_threads());
                observer.note(format_args!(
                    "{} tokens; counting them needs at most about {} MB of memory",
                    match text.tokens / 1_000_000 {
                        0 => "fewer than a million".to_owned(),
                        millions => format!("about {millions} million"),
                    },
                    estimate.bytes.div_ceil(1_000_000),
                ));
                observer.memory(estimate.bytes, "a smaller distance or fewer threads need less");
                memory = Some(estimate);
            }
            observer.stage("read", size);
        }
        let mut told = 0;
        counter.read_watched(Cursor::new(sample).chain(input), &name, &mut |_| {
            let now = packed.load(Ordering::Relaxed);
            observer.advance(now - told);
            told = now;
            if observer.cancelled() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        })?;
    }
    observer.stage("pairs", None);
    let bytes = counter.bytes();
    let counted = counter.finish()?;
    Ok(Counting { counted, bytes, memory })
}
