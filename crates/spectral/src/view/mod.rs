//! Input of the engine: two views of every site, as sparse features.
//!
//! A *site* is a place with a hidden state. Its two *views* are what can be observed on either side of the state; they
//! are independent given the state. The engine accepts two forms:
//!
//! * [`ViewPair`]: one row of sparse features per site and side, Φ (M×d) and Ψ (M×d′);
//! * [`CountMatrix`]: if each side has one feature per site, the counts B (d×d′) of the pairs, with marginals.
//!
//! [`FeatureIndexBuilder`] numbers the features densely; [`Buckets`] discretise integer features first.

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
