//! Weighted sums of outer products of projected views.
//!
//! Sums are in double precision whatever the precision of the views. A third moment costs d₀d₁d₂ multiplications per
//! site. Therefore the sites are gathered in blocks and added by one matrix product, `Zᵀ (Y ⊙ Y′)` with the row-wise
//! Kronecker product ⊙, which runs at the speed of dense multiplication.

use faer::linalg::matmul::matmul;
use faer::{Accum, Mat, MatMut, MatRef, Par};
use linalg::{Panel, Scalar};

use super::tensor3::Tensor3;
use crate::error::{SpectralError, check_finite};
use crate::view::SiteWeights;

/// Number of sites whose products are added at once.
const BLOCK: usize = 64;

/// A sum over sites that can be computed in parts.
pub trait Moment: Send {
    /// Adds the sum over other sites.
    fn merge(&mut self, other: Self) -> Result<(), SpectralError>
    where
        Self: Sized;

    /// Total weight of the sites.
    fn weight(&self) -> f64;
}

fn check_sizes(expected: &[usize], found: &[usize]) -> Result<(), SpectralError> {
    match expected.iter().zip(found).find(|(expected, found)| expected != found) {
        None => Ok(()),
        Some((&expected, &found)) => Err(SpectralError::SizeMismatch {
            attempt: "merge two moments",
            what: "a mode of the second moment",
            expected,
            found,
        }),
    }
}

/// `Σ_s w_s z_s`.
#[derive(Clone, PartialEq, Debug)]
pub struct FirstMoment {
    weight: f64,
    sum: Vec<f64>,
}

impl FirstMoment {
    /// Creates an empty sum of vectors of the given size.
    pub fn new(size: usize) -> Self {
        FirstMoment { weight: 0.0, sum: vec![0.0; size] }
    }

    /// Adds one site.
    ///
    /// # Panics
    /// If the vector has a different size.
    #[inline]
    pub fn add<T: Scalar>(&mut self, weight: f64, z: &[T]) {
        assert_eq!(z.len(), self.sum.len(), "the size of the view");
        self.weight += weight;
        for (sum, z) in self.sum.iter_mut().zip(z) {
            *sum += weight * z.to_f64();
        }
    }

    /// The sum.
    pub fn sum(&self) -> &[f64] {
        &self.sum
    }

    /// The sum divided by `total`, the weight of the sites in the average.
    pub fn over(&self, total: f64) -> Result<Vec<f64>, SpectralError> {
        check_total(total)?;
        check_finite("average a first moment", "entry", self.sum.iter().copied())?;
        Ok(self.sum.iter().map(|sum| sum / total).collect())
    }
}

impl Moment for FirstMoment {
    fn merge(&mut self, other: Self) -> Result<(), SpectralError> {
        check_sizes(&[self.sum.len()], &[other.sum.len()])?;
        self.weight += other.weight;
        for (sum, other) in self.sum.iter_mut().zip(other.sum) {
            *sum += other;
        }
        Ok(())
    }

    fn weight(&self) -> f64 {
        self.weight
    }
}

/// `Σ_s w_s z_s y_sᵀ`.
#[derive(Clone, PartialEq, Debug)]
pub struct SecondMoment {
    dims: [usize; 2],
    weight: f64,
    /// Row by row.
    sum: Vec<f64>,
}

impl SecondMoment {
    /// Creates an empty sum of products of vectors of the given sizes.
    pub fn new(dims: [usize; 2]) -> Self {
        SecondMoment { dims, weight: 0.0, sum: vec![0.0; dims[0] * dims[1]] }
    }

    /// The moment of two panels with one row per site.
    ///
    /// The sites are taken in fixed chunks whose sums are added in order, so the result does not depend on the number
    /// of threads.
    pub fn of_rows<T: Scalar>(
        left: &Panel<T>,
        right: &Panel<T>,
        weights: &SiteWeights,
    ) -> Result<Self, SpectralError> {
        let attempt = "form the moment of two projected views";
        for (what, found) in
            [("the right view", right.nrows()), ("the vector of site weights", weights.len())]
        {
            if found != left.nrows() {
                return Err(SpectralError::SizeMismatch { attempt, what, expected: left.nrows(), found });
            }
        }
        let dims = [left.width(), right.width()];
        super::accumulate(
            left.nrows(),
            || SecondMoment::new(dims),
            |moment, site| moment.add(weights.weight(site), left.row(site), right.row(site)),
        )
    }

    /// Adds one site.
    ///
    /// # Panics
    /// If a vector has a different size.
    #[inline]
    pub fn add<T: Scalar>(&mut self, weight: f64, z: &[T], y: &[T]) {
        assert_eq!([z.len(), y.len()], self.dims, "the sizes of the views");
        self.weight += weight;
        if y.is_empty() {
            return;
        }
        for (row, z) in self.sum.chunks_exact_mut(y.len()).zip(z) {
            let factor = weight * z.to_f64();
            for (sum, y) in row.iter_mut().zip(y) {
                *sum += factor * y.to_f64();
            }
        }
    }

    /// The sum, row by row.
    pub fn as_slice(&self) -> &[f64] {
        &self.sum
    }

    /// The sum.
    pub fn sum(&self) -> Mat<f64> {
        Mat::from_fn(self.dims[0], self.dims[1], |i, j| self.sum[i * self.dims[1] + j])
    }

    /// The sum divided by `total`, the weight of the sites in the average.
    pub fn over(&self, total: f64) -> Result<Mat<f64>, SpectralError> {
        check_total(total)?;
        check_finite("average a second moment", "entry", self.sum.iter().copied())?;
        Ok(Mat::from_fn(self.dims[0], self.dims[1], |i, j| self.sum[i * self.dims[1] + j] / total))
    }
}

impl Moment for SecondMoment {
    fn merge(&mut self, other: Self) -> Result<(), SpectralError> {
        check_sizes(&self.dims, &other.dims)?;
        self.weight += other.weight;
        for (sum, other) in self.sum.iter_mut().zip(other.sum) {
            *sum += other;
        }
        Ok(())
    }

    fn weight(&self) -> f64 {
        self.weight
    }
}

/// `Σ_s w_s z_s ⊗ y_s ⊗ y′_s`.
#[derive(Clone, Debug)]
pub struct ThirdMoment {
    dims: [usize; 3],
    weight: f64,
    /// Entry (i, j, k) at `(i·d₁ + j)·d₂ + k`, without the pending sites.
    sum: Vec<f64>,
    /// Weighted z of the pending sites, row by row.
    pending_first: Vec<f64>,
    /// `y ⊗ y′` of the pending sites, row by row.
    pending_rest: Vec<f64>,
    pending: usize,
}

impl ThirdMoment {
    /// Creates an empty sum of products of vectors of the given sizes.
    pub fn new(dims: [usize; 3]) -> Self {
        ThirdMoment {
            dims,
            weight: 0.0,
            sum: vec![0.0; dims.iter().product()],
            pending_first: Vec::new(),
            pending_rest: Vec::new(),
            pending: 0,
        }
    }

    /// Adds one site.
    ///
    /// # Panics
    /// If a vector has a different size.
    #[inline]
    pub fn add<T: Scalar>(&mut self, weight: f64, z: &[T], y: &[T], y2: &[T]) {
        assert_eq!([z.len(), y.len(), y2.len()], self.dims, "the sizes of the views");
        self.weight += weight;
        self.pending_first.extend(z.iter().map(|z| weight * z.to_f64()));
        for y in y {
            let factor = y.to_f64();
            self.pending_rest.extend(y2.iter().map(|y2| factor * y2.to_f64()));
        }
        self.pending += 1;
        if self.pending == BLOCK {
            self.flush();
        }
    }

    fn flush(&mut self) {
        let [first, second, third] = self.dims;
        let rest = second * third;
        if self.pending > 0 && first > 0 && rest > 0 {
            matmul(
                MatMut::from_row_major_slice_mut(&mut self.sum, first, rest),
                Accum::Add,
                MatRef::from_row_major_slice(&self.pending_first, self.pending, first).transpose(),
                MatRef::from_row_major_slice(&self.pending_rest, self.pending, rest),
                1.0,
                Par::Seq,
            );
        }
        self.pending_first.clear();
        self.pending_rest.clear();
        self.pending = 0;
    }

    /// The sum.
    pub fn into_sum(mut self) -> Tensor3 {
        self.flush();
        Tensor3::from_values(self.dims, self.sum)
    }

    /// The sum divided by `total`, the weight of the sites in the average.
    pub fn into_over(self, total: f64) -> Result<Tensor3, SpectralError> {
        check_total(total)?;
        let mut tensor = self.into_sum();
        check_finite("average a third moment", "entry", tensor.as_slice().iter().copied())?;
        tensor.scale(1.0 / total);
        Ok(tensor)
    }
}

impl Moment for ThirdMoment {
    fn merge(&mut self, mut other: Self) -> Result<(), SpectralError> {
        check_sizes(&self.dims, &other.dims)?;
        self.flush();
        other.flush();
        self.weight += other.weight;
        for (sum, other) in self.sum.iter_mut().zip(other.sum) {
            *sum += other;
        }
        Ok(())
    }

    fn weight(&self) -> f64 {
        self.weight
    }
}

/// Checks that it is possible to divide by the total.
fn check_total(total: f64) -> Result<(), SpectralError> {
    let attempt = "average a moment";
    if !total.is_finite() {
        return Err(SpectralError::NonFinite { attempt, what: "the total weight", index: 0 });
    }
    if total <= 0.0 {
        return Err(SpectralError::Empty { attempt, missing: "sites" });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Small whole numbers, so that sums are exact in any order.
    fn site(index: usize, size: usize) -> Vec<f32> {
        (0..size).map(|i| ((index * 7 + i * 3) % 5) as f32 - 2.0).collect()
    }

    #[test]
    fn blocks_agree_with_the_definition() {
        let dims = [3, 2, 4];
        let sites = BLOCK * 2 + 5;
        let mut moment = ThirdMoment::new(dims);
        let mut naive = Tensor3::zeros(dims);
        for s in 0..sites {
            let (z, y, y2) = (site(s, 3), site(s + 1, 2), site(s + 2, 4));
            let weight = (s % 3) as f64;
            moment.add(weight, &z, &y, &y2);
            let add = Tensor3::from_fn(dims, |i, j, k| weight * f64::from(z[i] * y[j] * y2[k]));
            for (sum, add) in naive.as_mut_slice().iter_mut().zip(add.as_slice()) {
                *sum += add;
            }
        }
        assert_eq!(moment.weight(), (0..sites).map(|s| (s % 3) as f64).sum::<f64>());
        assert_eq!(moment.into_sum(), naive);
    }

    #[test]
    fn merged_parts_equal_the_whole() {
        let (mut whole, mut first, mut second) =
            (ThirdMoment::new([2; 3]), ThirdMoment::new([2; 3]), ThirdMoment::new([2; 3]));
        for s in 0..100 {
            let part = if s < 37 { &mut first } else { &mut second };
            for moment in [&mut whole, part] {
                moment.add(1.0, &site(s, 2), &site(s + 1, 2), &site(s + 2, 2));
            }
        }
        first.merge(second).unwrap();
        assert_eq!(first.weight(), whole.weight());
        assert_eq!(first.into_sum(), whole.into_sum());
    }

    #[test]
    fn averages_need_sites_and_numbers() {
        assert!(matches!(FirstMoment::new(2).over(0.0), Err(SpectralError::Empty { .. })));
        assert!(matches!(FirstMoment::new(2).over(f64::NAN), Err(SpectralError::NonFinite { .. })));
        let mut moment = SecondMoment::new([1, 2]);
        moment.add(1.0, &[1.0], &[2.0, f64::NAN]);
        assert!(matches!(moment.over(1.0), Err(SpectralError::NonFinite { index: 1, .. })));
        let mut third = ThirdMoment::new([1, 1, 1]);
        third.add(1.0, &[f64::INFINITY], &[1.0], &[1.0]);
        assert!(matches!(third.into_over(1.0), Err(SpectralError::NonFinite { .. })));
        assert!(SecondMoment::new([1, 2]).merge(SecondMoment::new([2, 1])).is_err());
    }

    #[test]
    fn second_moments_by_hand() {
        let mut moment = SecondMoment::new([2, 2]);
        moment.add(2.0, &[1.0, 2.0], &[3.0, 4.0]);
        moment.add(1.0, &[0.0, 1.0], &[1.0, 0.0]);
        assert_eq!(moment.over(2.0).unwrap(), faer::mat![[3.0, 4.0], [6.5, 8.0]]);
    }
}
