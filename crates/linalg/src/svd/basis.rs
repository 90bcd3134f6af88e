//! The orthonormal basis of the Krylov space.

use faer::{Mat, MatRef};
use rand::Rng;
use rand_chacha::ChaCha8Rng;

use super::tall;
use crate::dense::{DenseError, symmetric_eigen};
use crate::panel::Panel;
use crate::scalar::Scalar;

/// A new block is orthogonalised again if its smallest direction is below this fraction of its previous size:
/// cancellation by a factor of 100 leaves `100 ε` along the old basis.
const CANCELLATION: f64 = 1e-2;

/// Maximum number of orthogonalisation rounds per block. Two suffice except for blocks that lose rank.
const MOST_ROUNDS: usize = 6;

/// Up to `capacity` orthonormal vectors, stored by rows.
#[derive(Debug)]
pub(super) struct Basis<T> {
    nrows: usize,
    capacity: usize,
    len: usize,
    /// Vector j has entry i at `i * capacity + j`, j < len.
    values: Vec<T>,
}

impl<T: Scalar> Basis<T> {
    pub(super) fn new(nrows: usize, capacity: usize) -> Self {
        Basis { nrows, capacity, len: 0, values: vec![T::default(); nrows * capacity] }
    }

    pub(super) fn nrows(&self) -> usize {
        self.nrows
    }

    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// The vectors `first..len` as columns.
    pub(super) fn from(&self, first: usize) -> MatRef<'_, T> {
        MatRef::from_row_major_slice(&self.values, self.nrows, self.capacity).subcols(first, self.len - first)
    }

    /// Appends a block of vectors; the caller must ensure the capacity.
    pub(super) fn append(&mut self, block: &Panel<T>) {
        let (first, width) = (self.len, block.width());
        for (row, out) in self.values.chunks_exact_mut(self.capacity).enumerate() {
            out[first..first + width].copy_from_slice(block.row(row));
        }
        self.len += width;
    }

    /// Replaces the basis by the given combinations of its vectors.
    pub(super) fn compress(&mut self, coefficients: MatRef<'_, f64>) {
        let kept = tall::combine(self.from(0), coefficients);
        self.len = 0;
        self.append(&kept);
    }

    /// Turns `block`, already projected once, into orthonormal vectors orthogonal to the basis.
    ///
    /// `before` is the norm of its largest column before that projection. Directions no longer than `noise` are
    /// rounding errors and are replaced by random ones. Normalisation uses the eigenvectors of the correlation matrix
    /// (Stathopoulos & Wu 2002), which needs one pass over the block and tolerates dependent columns.
    pub(super) fn orthonormalise(
        &self,
        block: &mut Panel<T>,
        before: f64,
        noise: f64,
        rng: &mut ChaCha8Rng,
    ) -> Result<(), DenseError> {
        let (mut before, mut noise) = (before, noise);
        for _ in 0..MOST_ROUNDS {
            match normalise(block, noise, rng)? {
                Normalised::Complete { shortest } if shortest >= CANCELLATION * before => return Ok(()),
                Normalised::Complete { .. } => before = 1.0,
                // The random columns are longer than the others and are not projected yet.
                Normalised::Refilled => before = (self.nrows as f64).sqrt(),
            }
            noise = T::EPSILON;
            let coefficients = tall::inner(self.from(0), block.as_mat());
            tall::subtract(block, self.from(0), coefficients.as_ref());
        }
        normalise(block, 0.0, rng).map(|_| ())
    }
}

/// A block of independent uniform numbers.
pub(super) fn random_block<T: Scalar>(nrows: usize, width: usize, rng: &mut ChaCha8Rng) -> Panel<T> {
    Panel::from_fn(nrows, width, |_, _| T::from_f64(rng.random_range(-1.0..1.0)))
}

/// Result of [`normalise`].
enum Normalised {
    /// All directions were present; the shortest has this norm.
    Complete { shortest: f64 },
    /// Some directions were lost; their columns are now random and neither orthogonal nor of length 1.
    Refilled,
}

/// Makes the columns orthonormal to each other, except for directions no longer than `noise`.
fn normalise<T: Scalar>(
    block: &mut Panel<T>,
    noise: f64,
    rng: &mut ChaCha8Rng,
) -> Result<Normalised, DenseError> {
    let width = block.width();
    let gram = tall::inner(block.as_mat(), block.as_mat());
    let norms: Vec<f64> = (0..width).map(|j| gram[(j, j)].max(0.0).sqrt()).collect();
    let inverse: Vec<f64> =
        norms.iter().map(|&norm| if norm > noise && norm > 0.0 { 1.0 / norm } else { 0.0 }).collect();
    let correlation = Mat::from_fn(width, width, |i, j| gram[(i, j)] * inverse[i] * inverse[j]);
    let eigen = symmetric_eigen(correlation.as_ref())?;
    // The correlations have the precision of the data; a smaller eigenvalue is not a direction.
    let floor = T::EPSILON * width as f64;
    let kept = eigen.values.iter().take_while(|&&value| value > floor).count();
    let transform = Mat::from_fn(width, width, |i, j| {
        if j < kept { inverse[i] * eigen.vectors[(i, j)] / eigen.values[j].sqrt() } else { 0.0 }
    });
    *block = tall::combine(block.as_mat(), transform.as_ref());
    if kept == width {
        let shortest = norms.iter().copied().fold(f64::INFINITY, f64::min) * eigen.values[width - 1].sqrt();
        return Ok(Normalised::Complete { shortest });
    }
    for row in 0..block.nrows() {
        for value in &mut block.row_mut(row)[kept..] {
            *value = T::from_f64(rng.random_range(-1.0..1.0));
        }
    }
    Ok(Normalised::Refilled)
}
