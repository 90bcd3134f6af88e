//! Work on items that are in memory.

use models::learn::Observer;
use rayon::prelude::*;

use super::ScratchPool;
use crate::Error;

/// Items per thread between two looks at the observer.
const ROUND: usize = 64;

/// What `work` makes of every item, in their order. The caller must have started a stage.
pub(crate) fn map_in_memory<T: Sync, S: Default + Send, R: Send>(
    items: &[T],
    observer: &mut dyn Observer,
    work: impl Fn(&T, &mut S) -> R + Sync,
) -> Result<Vec<R>, Error> {
    let pool = ScratchPool::<S>::new();
    let mut results = Vec::with_capacity(items.len());
    for round in items.chunks(ROUND * rayon::current_num_threads()) {
        results.par_extend(
            round.par_iter().with_max_len(1).map(|item| pool.lend(|scratch| work(item, scratch))),
        );
        observer.advance(round.len() as u64);
        if observer.cancelled() {
            return Err(Error::Cancelled);
        }
    }
    Ok(results)
}
