//! Parallel sums over many sites, always in the same order.

use rayon::prelude::*;

use super::moment::Moment;
use crate::error::SpectralError;

/// Sites summed by one task.
const CHUNK: usize = 4096;

/// Chunks summed before they are merged. This bounds the number of partial sums in memory.
const BATCH: usize = 16;

/// Visits the sites `0..sites` and sums what `visit` adds for each.
///
/// The sites are cut into chunks of a fixed size. Each chunk is summed in order by one thread, and the chunks are
/// merged in order. The result is therefore bit-identical for any number of threads.
///
/// ```
/// # use spectral::operators::{FirstMoment, Moment, accumulate};
/// let sites = [[1.0, 0.0], [0.5, 2.0]];
/// let mean = accumulate(
///     sites.len(),
///     || FirstMoment::new(2),
///     |moment, site| moment.add(1.0, &sites[site]),
/// )?;
/// assert_eq!(mean.over(mean.weight())?, [0.75, 1.0]);
/// # Ok::<(), spectral::SpectralError>(())
/// ```
pub fn accumulate<M: Moment>(
    sites: usize,
    empty: impl Fn() -> M + Sync,
    visit: impl Fn(&mut M, usize) + Sync,
) -> Result<M, SpectralError> {
    let sum_chunk = |chunk: usize| {
        let mut moment = empty();
        for site in chunk * CHUNK..((chunk + 1) * CHUNK).min(sites) {
            visit(&mut moment, site);
        }
        moment
    };
    let chunks = sites.div_ceil(CHUNK);
    if chunks <= 1 {
        return Ok(sum_chunk(0));
    }
    let mut total = empty();
    for first in (0..chunks).step_by(BATCH) {
        let parts: Vec<M> = (first..(first + BATCH).min(chunks)).into_par_iter().map(sum_chunk).collect();
        for part in parts {
            total.merge(part)?;
        }
    }
    Ok(total)
}
