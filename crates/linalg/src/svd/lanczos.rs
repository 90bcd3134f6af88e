//! Block Lanczos on the Gram operator, with full orthogonalisation.
//!
//! One step takes the newest block `Q_j`, forms `Z = G Q_j`, subtracts from Z its component in the basis, and makes the
//! rest the next block. The subtracted coefficients are the entries of column block j of `T = Qᵀ G Q`. In exact
//! arithmetic only the last two blocks contribute (and, after a restart, the kept vectors). They are subtracted first,
//! so that the following pass over the whole basis has only rounding errors left to remove and needs no repetition.

use faer::Mat;
use rand_chacha::ChaCha8Rng;

use super::basis::{Basis, random_block};
use super::error::SvdError;
use super::oriented::Oriented;
use super::ritz::Ritz;
use super::tall;
use crate::panel::Panel;
use crate::scalar::Scalar;

/// What remains of a product after projection is rounding error if it is shorter than this many rounding units of the
/// product.
const ROUNDING: f64 = 4.0;

/// The state of the iteration.
pub(super) struct Lanczos<'a, T> {
    operator: &'a Oriented<'a, T>,
    block: usize,
    basis: Basis<T>,
    /// The orthonormal block that the next step appends; orthogonal to the basis.
    next: Panel<T>,
    /// R of the recurrence: `G Q_last − Q (…) = next · coupling`.
    coupling: Mat<f64>,
    projected: Projected,
    long: Panel<T>,
    rng: ChaCha8Rng,
    products: usize,
}

/// `T = Qᵀ G Q`, stored as the contributions of the steps.
#[derive(Default)]
struct Projected {
    /// Eigenvalues of the vectors kept by the last restart: the leading diagonal of T.
    kept: Vec<f64>,
    /// Column blocks of T, down to the diagonal block.
    columns: Vec<Mat<f64>>,
}

impl Projected {
    fn push(&mut self, columns: Mat<f64>) {
        self.columns.push(columns);
    }

    /// T itself; only the lower triangle is filled.
    fn to_matrix(&self) -> Mat<f64> {
        let size = self.columns.last().map_or(self.kept.len(), |columns| columns.nrows());
        let mut matrix = Mat::zeros(size, size);
        for (i, &value) in self.kept.iter().enumerate() {
            matrix[(i, i)] = value;
        }
        for columns in &self.columns {
            let (end, width) = (columns.nrows(), columns.ncols());
            let first = end - width;
            for j in 0..width {
                for i in 0..first {
                    matrix[(first + j, i)] = columns[(i, j)];
                }
                for i in j..width {
                    matrix[(first + i, first + j)] =
                        (columns[(first + i, j)] + columns[(first + j, i)]) / 2.0;
                }
            }
        }
        matrix
    }
}

impl<'a, T: Scalar> Lanczos<'a, T> {
    /// Starts from a random block. `dimension` is the largest basis that [`step`](Self::step) may build.
    pub(super) fn new(
        operator: &'a Oriented<'a, T>,
        block: usize,
        dimension: usize,
        mut rng: ChaCha8Rng,
    ) -> Result<Self, SvdError> {
        let basis = Basis::new(operator.short(), dimension);
        let mut next = random_block(operator.short(), block, &mut rng);
        basis.orthonormalise(&mut next, 0.0, 0.0, &mut rng)?;
        Ok(Lanczos {
            operator,
            block,
            basis,
            next,
            coupling: Mat::zeros(block, block),
            projected: Projected::default(),
            long: Panel::zeros(0, 0),
            rng,
            products: 0,
        })
    }

    /// The dimension of the Krylov space so far.
    pub(super) fn dimension(&self) -> usize {
        self.basis.len()
    }

    /// Number of vectors multiplied by A or its transpose.
    pub(super) fn products(&self) -> usize {
        self.products
    }

    /// Enlarges the space by one block.
    pub(super) fn step(&mut self) -> Result<(), SvdError> {
        let mut z = Panel::zeros(0, 0);
        self.operator.to_long(&self.next, &mut self.long);
        self.operator.to_short(&self.long, &mut z);
        self.products += 2 * self.next.width();

        let previous = self.basis.len().saturating_sub(self.block);
        self.basis.append(&self.next);
        let mut columns = Mat::<f64>::zeros(self.basis.len(), z.width());
        let noise = ROUNDING * T::EPSILON * largest_norm(&z);
        let recent = tall::inner(self.basis.from(previous), z.as_mat());
        tall::subtract(&mut z, self.basis.from(previous), recent.as_ref());
        let before = largest_norm(&z);
        if !before.is_finite() {
            return Err(self.operator.non_finite());
        }
        let all = tall::inner(self.basis.from(0), z.as_mat());
        tall::subtract(&mut z, self.basis.from(0), all.as_ref());
        for j in 0..z.width() {
            for i in 0..self.basis.len() {
                columns[(i, j)] = all[(i, j)] + if i >= previous { recent[(i - previous, j)] } else { 0.0 };
            }
        }
        self.projected.push(columns);

        self.next = z.clone();
        self.basis.orthonormalise(&mut self.next, before, noise, &mut self.rng)?;
        self.coupling = tall::inner(self.next.as_mat(), z.as_mat());
        Ok(())
    }

    /// The Rayleigh–Ritz pairs of the current space.
    pub(super) fn ritz(&self) -> Result<Ritz, SvdError> {
        Ritz::new(self.projected.to_matrix().as_ref(), self.coupling.as_ref())
    }

    /// The `count` leading Ritz vectors, as a panel.
    pub(super) fn ritz_vectors(&self, ritz: &Ritz, count: usize) -> Panel<T> {
        tall::combine(self.basis.from(0), ritz.vectors(count))
    }

    /// Reduces the basis to the `keep` leading Ritz vectors. The next block stays, so nothing is lost that a later step
    /// would not find again.
    pub(super) fn restart(&mut self, ritz: &Ritz, keep: usize) {
        self.basis.compress(ritz.vectors(keep));
        self.projected = Projected { kept: ritz.values()[..keep].to_vec(), columns: Vec::new() };
    }

    /// Continues from a random block instead of the next one, to explore what the Krylov space cannot reach.
    pub(super) fn divert(&mut self) -> Result<(), SvdError> {
        self.next = random_block(self.basis.nrows(), self.block, &mut self.rng);
        let before = largest_norm(&self.next);
        let coefficients = tall::inner(self.basis.from(0), self.next.as_mat());
        tall::subtract(&mut self.next, self.basis.from(0), coefficients.as_ref());
        self.basis.orthonormalise(&mut self.next, before, 0.0, &mut self.rng)?;
        Ok(())
    }
}

/// The largest column norm; NaN if any entry is NaN.
fn largest_norm<T: Scalar>(panel: &Panel<T>) -> f64 {
    let mut squares = vec![0.0; panel.width()];
    for row in 0..panel.nrows() {
        for (sum, value) in squares.iter_mut().zip(panel.row(row)) {
            *sum += value.to_f64() * value.to_f64();
        }
    }
    let mut largest = 0.0_f64;
    for square in squares {
        if square.is_nan() {
            return square;
        }
        largest = largest.max(square);
    }
    largest.sqrt()
}
