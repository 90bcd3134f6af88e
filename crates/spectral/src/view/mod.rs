//! What a family must supply: two views of every site, as sparse features.
//!
//! A *site* is a place that has a hidden state. Its two *views* are what can be seen on either side of the state
//! and are independent given it. The engine takes them in one of two forms:
//!
//! * [`ViewPair`]: one row of sparse features per site on each side, Φ (M×d) and Ψ (M×d′);
//! * [`CountMatrix`]: if each side has one feature per site, the counts B (d×d′) of the pairs, with marginals.
//!
//! Features are numbered densely by a [`FeatureIndexBuilder`]; integer-valued ones go through [`Buckets`] first.

mod bucket;
mod count_matrix;
mod feature;
mod index;
mod pair;

pub use bucket::Buckets;
pub use count_matrix::CountMatrix;
pub use feature::{FeatureDim, FeatureId, SparseVector};
pub use index::{FeatureIndex, FeatureIndexBuilder};
pub use pair::{SiteWeights, ViewPair, ViewPairBuilder};
