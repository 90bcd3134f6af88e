//! The third moment of the views of a site, together with all lower moments.
//!
//! Back-off smoothing (Cohen et al. 2013, section 3.2) replaces `E[Z⊗Y⊗Y′]` by products of second and first moments
//! over the same sites. Computing them as well adds little to the cost of the third moment.

use linalg::Scalar;

use super::moment::{FirstMoment, Moment, SecondMoment, ThirdMoment};
use crate::error::SpectralError;

/// Sums of `z`, `y`, `y′` and of their products over the same sites.
#[derive(Clone, Debug)]
pub struct JointMoments {
    /// `z`, `y` and `y′`.
    pub first: [FirstMoment; 3],
    /// `z yᵀ`
    pub zy: SecondMoment,
    /// `z y′ᵀ`
    pub zy2: SecondMoment,
    /// `y y′ᵀ`
    pub yy2: SecondMoment,
    /// `z ⊗ y ⊗ y′`
    pub third: ThirdMoment,
}

impl JointMoments {
    /// Creates empty sums for vectors of the given sizes.
    pub fn new(dims: [usize; 3]) -> Self {
        let [z, y, y2] = dims;
        JointMoments {
            first: dims.map(FirstMoment::new),
            zy: SecondMoment::new([z, y]),
            zy2: SecondMoment::new([z, y2]),
            yy2: SecondMoment::new([y, y2]),
            third: ThirdMoment::new(dims),
        }
    }

    /// Adds one site.
    ///
    /// # Panics
    /// If a vector has a different size.
    pub fn add<T: Scalar>(&mut self, weight: f64, z: &[T], y: &[T], y2: &[T]) {
        for (moment, view) in self.first.iter_mut().zip([z, y, y2]) {
            moment.add(weight, view);
        }
        self.zy.add(weight, z, y);
        self.zy2.add(weight, z, y2);
        self.yy2.add(weight, y, y2);
        self.third.add(weight, z, y, y2);
    }
}

impl Moment for JointMoments {
    fn merge(&mut self, other: Self) -> Result<(), SpectralError> {
        for (moment, other) in self.first.iter_mut().zip(other.first) {
            moment.merge(other)?;
        }
        self.zy.merge(other.zy)?;
        self.zy2.merge(other.zy2)?;
        self.yy2.merge(other.yy2)?;
        self.third.merge(other.third)
    }

    fn weight(&self) -> f64 {
        self.third.weight()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lower_moments_are_marginals_of_the_third() {
        // With a constant 1 in each vector, every lower moment is a slice of the third.
        let mut joint = JointMoments::new([2, 2, 2]);
        let mut shard = JointMoments::new([2, 2, 2]);
        for s in 0..10 {
            let part = if s < 4 { &mut joint } else { &mut shard };
            let x = f64::from(s);
            part.add(0.5 * x, &[1.0, x], &[1.0, 2.0 - x], &[1.0, 3.0 * x]);
        }
        joint.merge(shard).unwrap();
        let (zy, zy2, yy2) = (joint.zy.sum(), joint.zy2.sum(), joint.yy2.sum());
        let [z, y, y2] = joint.first.clone().map(|moment| moment.sum()[1]);
        let (weight, third) = (joint.weight(), joint.third.into_sum());
        assert_eq!(weight, 22.5);
        assert_eq!([z, y, y2], [third.get(1, 0, 0), third.get(0, 1, 0), third.get(0, 0, 1)]);
        assert_eq!(
            [zy[(1, 1)], zy2[(1, 1)], yy2[(1, 1)]],
            [third.get(1, 1, 0), third.get(1, 0, 1), third.get(0, 1, 1)]
        );
    }
}
