//! The sign convention of singular vectors.
//!
//! (u, v) and (−u, −v) are equally valid singular vectors. Results that are written to disk, compared or averaged need
//! a choice: here, the entry of u with the largest magnitude is positive. Among entries of equal magnitude the first
//! decides.

use faer::MatMut;

use crate::scalar::Scalar;

/// Negates pairs of columns so that every left column follows the convention.
pub(crate) fn fix_signs<T: Scalar>(mut u: MatMut<'_, T>, mut v: MatMut<'_, T>) {
    for column in 0..u.ncols() {
        let mut leading = T::default();
        for row in 0..u.nrows() {
            if u[(row, column)].magnitude() > leading.magnitude() {
                leading = u[(row, column)];
            }
        }
        if leading < T::default() {
            for row in 0..u.nrows() {
                u[(row, column)] = -u[(row, column)];
            }
            for row in 0..v.nrows() {
                v[(row, column)] = -v[(row, column)];
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use faer::mat;

    use super::*;

    #[test]
    fn largest_entry_decides_and_the_first_among_equals() {
        let mut u = mat![[0.1, -0.5, 0.5], [-0.9, 0.5, -0.5], [0.2, 0.0, 0.0_f64]];
        let mut v = mat![[1.0, 1.0, 1.0_f64]];
        fix_signs(u.as_mut(), v.as_mut());
        assert_eq!(u, mat![[-0.1, 0.5, 0.5], [0.9, -0.5, -0.5], [-0.2, 0.0, 0.0]]);
        assert_eq!(v, mat![[-1.0, -1.0, 1.0]]);
    }
}
