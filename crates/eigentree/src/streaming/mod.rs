//! The driver behind parsing, tagging, annotating and reranking: any work on any stream of items.
//!
//! - One thread reads ahead. All threads work, in rounds of bounded size, each with a scratch of its own. Results reach the
//!   `Sink` in the order of the input.
//! - A `Job` says how much a round holds and what happens to items that cannot be read.
//! - A [`Report`] counts what went through.
//! - `map_in_memory` does the same work on items that are in memory already.
//!
//! Results do not depend on the number of threads or on how items are divided into rounds.

mod driver;
mod in_memory;
mod report;
mod scratch;
mod sink;

pub(crate) use driver::{Done, Job, drive};
pub(crate) use in_memory::map_in_memory;
pub use report::{Counts, Report, StageTimes};
pub(crate) use scratch::{ScratchPool, release};
pub(crate) use sink::Sink;
