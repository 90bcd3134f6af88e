//! Passes over training cases, which leave out what is almost certain already.

use models::learn::{LearnError, Progress};
use models::log_linear::{Rows, shuffled_blocks};

/// How often cases are visited, and in which order.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Passes {
    /// Their number.
    pub(crate) passes: usize,
    /// A case is not visited again once all but this much of the probability is right.
    pub(crate) certain: f32,
    /// Number of cases processed in the order in which they are stored.
    pub(crate) block: usize,
    /// Number of cases between two calls of the observer.
    pub(crate) chunk: usize,
}

impl Passes {
    /// Visits all cases; `visit` learns from one and returns how far it was from certain. Sums the weights of the later half of
    /// the passes, and returns how many these are.
    pub(crate) fn descend(
        self,
        cases: usize,
        rows: &mut Rows,
        progress: &mut Progress<'_>,
        mut visit: impl FnMut(usize, &mut Rows) -> f32,
    ) -> Result<usize, LearnError> {
        let mut order = shuffled_blocks(cases, self.block, 1);
        let mut summed = 0;
        for pass in 0..self.passes {
            let mut doubtful = Vec::new();
            for chunk in order.chunks(self.chunk) {
                doubtful.extend(chunk.iter().filter(|&&case| visit(case as usize, rows) > self.certain));
                progress.advance(chunk.len() as u64)?;
            }
            order = doubtful;
            if 2 * (pass + 1) >= self.passes {
                rows.sum();
                summed += 1;
            }
        }
        Ok(summed)
    }
}
