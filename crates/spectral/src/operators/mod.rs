//! Observable operators: averages of projected views.
//!
//! For a site with hidden state h let `Y = Uᵀφ` and `Z = Σ⁻¹Vᵀψ` be its projected views. With `G = E[Y|h]` (one column
//! per state) every average below equals a parameter of the hidden model in the basis G:
//!
//! | arity | average over the sites of an event | in the hidden model | example |
//! |---|---|---|---|
//! | 0 | `E[Z; event]` | `q G⁻¹` | a leaf is emitted |
//! | 1 | `E[Z ⊗ Y′; event]` | `G′ T G⁻¹` | one child or next position, with its own Y′ |
//! | 2 | `E[Z ⊗ Y′ ⊗ Y″; event]` | `T(G′, G″, G⁻¹)` | two children |
//!
//! `E[·; event]` is the sum over the sites of the event divided by the number of all sites with the same symbol. In
//! inference each `G⁻¹` meets its `G`, so probabilities do not depend on the basis (Cohen et al. 2012, theorem 1).
//!
//! * Accumulators: [`FirstMoment`], [`SecondMoment`], [`ThirdMoment`], and [`JointMoments`] for all of them at once.
//!   The [`Moment`] trait merges them, and [`accumulate`] runs them over many sites.
//! * [`Correction`]: the table holds if `E[Y Zᵀ] = I`, as for an exact SVD of the moments averaged here. Otherwise Z is
//!   corrected by solving with that matrix.
//! * [`estimate_automaton`]: the same for automata, from substring statistics (Luque et al. 2012);
//!   [`estimate_automaton_from_sites`] for features that are long and overlap.

mod accumulate;
mod automaton;
mod automaton_sites;
mod correction;
mod joint;
mod moment;
mod tensor3;

pub use accumulate::accumulate;
pub use automaton::{
    AutomatonConfig, AutomatonEstimate, AutomatonMoments, ObservableAutomaton, ShiftedCell,
    estimate_automaton,
};
pub use automaton_sites::{AutomatonSites, SiteEstimate, estimate_automaton_from_sites};
pub use correction::{Correction, OperatorEstimator};
pub use joint::JointMoments;
pub use moment::{FirstMoment, Moment, SecondMoment, ThirdMoment};
pub use tensor3::{Mode, Tensor3};
