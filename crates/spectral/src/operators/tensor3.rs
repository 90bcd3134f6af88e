//! A dense tensor with three indices.

use faer::MatRef;

/// `values[(i·d₁ + j)·d₂ + k]` is the entry (i, j, k).
#[derive(Clone, PartialEq, Debug)]
pub struct Tensor3 {
    dims: [usize; 3],
    values: Vec<f64>,
}

/// One of the three indices of a [`Tensor3`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mode {
    /// i
    First,
    /// j
    Second,
    /// k
    Third,
}

impl Tensor3 {
    /// A tensor of zeros.
    pub fn zeros(dims: [usize; 3]) -> Self {
        Tensor3 { dims, values: vec![0.0; dims.iter().product()] }
    }

    /// The tensor of `entry(i, j, k)`.
    pub fn from_fn(dims: [usize; 3], mut entry: impl FnMut(usize, usize, usize) -> f64) -> Self {
        let mut tensor = Tensor3::zeros(dims);
        for i in 0..dims[0] {
            for j in 0..dims[1] {
                for k in 0..dims[2] {
                    tensor.values[(i * dims[1] + j) * dims[2] + k] = entry(i, j, k);
                }
            }
        }
        tensor
    }

    pub(super) fn from_values(dims: [usize; 3], values: Vec<f64>) -> Self {
        debug_assert_eq!(values.len(), dims.iter().product::<usize>());
        Tensor3 { dims, values }
    }

    /// The sizes of the three modes.
    pub fn dims(&self) -> [usize; 3] {
        self.dims
    }

    /// The entries, last index fastest.
    pub fn as_slice(&self) -> &[f64] {
        &self.values
    }

    /// The entries, last index fastest.
    pub fn into_values(self) -> Vec<f64> {
        self.values
    }

    /// The entries, last index fastest, for writing.
    pub fn as_mut_slice(&mut self) -> &mut [f64] {
        &mut self.values
    }

    /// The entry (i, j, k).
    ///
    /// # Panics
    /// If an index is out of range.
    pub fn get(&self, i: usize, j: usize, k: usize) -> f64 {
        assert!(j < self.dims[1] && k < self.dims[2], "({i}, {j}, {k}) lies outside {:?}", self.dims);
        self.values[(i * self.dims[1] + j) * self.dims[2] + k]
    }

    /// `Σ_jk T_ijk y_j z_k` for every i.
    ///
    /// # Panics
    /// If the sizes of the vectors differ from those of the second and third mode.
    pub fn contract(&self, y: &[f64], z: &[f64]) -> Vec<f64> {
        assert_eq!([y.len(), z.len()], self.dims[1..], "one entry per index of the last two modes");
        let [_, second, third] = self.dims;
        let mut result = vec![0.0; self.dims[0]];
        for (i, out) in result.iter_mut().enumerate() {
            for (j, &factor) in y.iter().enumerate() {
                let row = &self.values[(i * second + j) * third..][..third];
                *out += factor * row.iter().zip(z).map(|(entry, z)| entry * z).sum::<f64>();
            }
        }
        result
    }

    /// Multiplies one mode by a matrix: for the first mode, `T′_ijk = Σ_l M_il T_ljk`.
    ///
    /// # Panics
    /// If the matrix does not have one column per index of the mode.
    pub fn multiply_mode(&self, mode: Mode, matrix: MatRef<'_, f64>) -> Tensor3 {
        let axis = match mode {
            Mode::First => 0,
            Mode::Second => 1,
            Mode::Third => 2,
        };
        assert_eq!(matrix.ncols(), self.dims[axis], "one column per index of mode {axis}");
        let mut dims = self.dims;
        dims[axis] = matrix.nrows();
        // Entry (outer, l, inner) of the tensor with the modes before and after the axis grouped.
        let outer: usize = self.dims[..axis].iter().product();
        let inner: usize = self.dims[axis + 1..].iter().product();
        let mut result = Tensor3::zeros(dims);
        for o in 0..outer {
            for row in 0..dims[axis] {
                let out = &mut result.values[(o * dims[axis] + row) * inner..][..inner];
                for l in 0..self.dims[axis] {
                    let factor = matrix[(row, l)];
                    let source = &self.values[(o * self.dims[axis] + l) * inner..][..inner];
                    for (out, value) in out.iter_mut().zip(source) {
                        *out += factor * value;
                    }
                }
            }
        }
        result
    }

    /// Multiplies every entry.
    pub fn scale(&mut self, factor: f64) {
        for value in &mut self.values {
            *value *= factor;
        }
    }
}

#[cfg(test)]
mod tests {
    use faer::mat;

    use super::*;

    fn counting() -> Tensor3 {
        Tensor3::from_fn([2, 3, 2], |i, j, k| (100 * i + 10 * j + k) as f64)
    }

    #[test]
    fn entries_and_contraction() {
        let tensor = counting();
        assert_eq!(tensor.get(1, 2, 1), 121.0);
        // Σ_jk (100 i + 10 j + k) y_j z_k with y = (1, 0, 2), z = (1, -1): the sum over k leaves −1 for each j.
        assert_eq!(tensor.contract(&[1.0, 0.0, 2.0], &[1.0, -1.0]), [-3.0, -3.0]);
    }

    #[test]
    fn a_mode_product_replaces_its_mode_only() {
        let tensor = counting();
        let matrix = mat![[1.0, 2.0], [0.0, 1.0], [-1.0, 0.0]];
        let first = tensor.multiply_mode(Mode::First, matrix.as_ref());
        assert_eq!((first.dims(), first.get(0, 2, 1)), ([3, 3, 2], 21.0 + 2.0 * 121.0));
        let third = tensor.multiply_mode(Mode::Third, matrix.as_ref());
        assert_eq!((third.dims(), third.get(1, 1, 0)), ([2, 3, 3], 110.0 + 2.0 * 111.0));
        let middle = mat![[1.0, 1.0, 1.0]];
        let second = tensor.multiply_mode(Mode::Second, middle.as_ref());
        assert_eq!((second.dims(), second.get(1, 0, 1)), ([2, 1, 2], 101.0 + 111.0 + 121.0));
    }
}
