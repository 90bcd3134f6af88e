//! Two views with one feature each, as pair counts.

use crate::error::SpectralError;
use crate::moments::{CountTable, CountWeight, FeatureCounts};

/// Counts B (d×d′) of feature pairs, with the counts u and v of the single features.
#[derive(Clone, PartialEq, Debug)]
pub struct CountMatrix<W> {
    table: CountTable<W>,
    left: FeatureCounts,
    right: FeatureCounts,
}

impl<W: CountWeight> CountMatrix<W> {
    /// Computes the marginals as row and column sums of the table.
    pub fn from_table(table: CountTable<W>) -> Result<Self, SpectralError> {
        let total = table.total();
        let left = FeatureCounts::new(table.row_sums(), total)?;
        let right = FeatureCounts::new(table.column_sums(), total)?;
        Ok(CountMatrix { table, left, right })
    }

    /// Uses marginals counted separately, on data of which the table may be a part.
    ///
    /// Cells are relative to the total of the left marginal.
    pub fn with_marginals(
        table: CountTable<W>,
        left: FeatureCounts,
        right: FeatureCounts,
    ) -> Result<Self, SpectralError> {
        let attempt = "join counts with their marginals";
        for (what, expected, found) in [
            ("the left marginal", table.nrows().size(), left.masses().len()),
            ("the right marginal", table.ncols().size(), right.masses().len()),
        ] {
            if expected != found {
                return Err(SpectralError::SizeMismatch { attempt, what, expected, found });
            }
        }
        Ok(CountMatrix { table, left, right })
    }

    /// The pair counts.
    pub fn table(&self) -> &CountTable<W> {
        &self.table
    }

    /// The counts of the left features, u.
    pub fn left(&self) -> &FeatureCounts {
        &self.left
    }

    /// The counts of the right features, v.
    pub fn right(&self) -> &FeatureCounts {
        &self.right
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::moments::CountTableBuilder;
    use crate::view::{FeatureDim, FeatureId};

    #[test]
    fn marginals_are_sums_or_given() {
        let dim = |size| FeatureDim::new(size).unwrap();
        let id = |index| FeatureId::new(index).unwrap();
        let mut builder = CountTableBuilder::new(dim(2), dim(3));
        for (row, column, weight) in [(0, 0, 2_u64), (0, 2, 1), (1, 2, 4)] {
            builder.push(id(row), id(column), weight).unwrap();
        }
        let table = builder.finish().unwrap();
        let matrix = CountMatrix::from_table(table.clone()).unwrap();
        assert_eq!(
            (matrix.left().masses(), matrix.right().masses()),
            (&[3.0, 4.0][..], &[2.0, 0.0, 5.0][..])
        );
        let left = FeatureCounts::new(vec![10.0, 10.0], 20.0).unwrap();
        let wrong = CountMatrix::with_marginals(table, left.clone(), left);
        assert!(matches!(wrong, Err(SpectralError::SizeMismatch { expected: 3, found: 2, .. })));
        assert!(CountMatrix::from_table(CountTable::<u64>::empty(dim(2), dim(3))).is_err());
    }
}
