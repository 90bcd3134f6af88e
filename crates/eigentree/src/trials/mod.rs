//! How good a model gets, before it is trained for good: learning curves and cross-validation.
//!
//! - [`TrialFamily`] names the families with a training job, and [`TrialData`] holds what they learn from.
//! - [`learning_curve`] trains on growing parts of the data, fits a power law to the scores and extrapolates it.
//! - [`cross_validate`] trains on all parts of the data but one and scores on that one, in turn.
//!
//! Learning curves of parsers and taggers follow the power law *y* = *a* − *b* *n*^−*c* over a wide range of *n* words
//! (Kolachina et al. 2012 compare it with other laws for translation). [`PowerLaw`] has the fit.

mod cross_validation;
mod curve;
mod data;
mod family;
mod power_law;
mod report;
mod run;

pub use cross_validation::{CrossValidation, CrossValidationConfig, FoldScore, cross_validate};
pub use curve::{CurveConfig, CurvePoint, Forecast, LearningCurve, learning_curve};
pub use data::TrialData;
pub use family::TrialFamily;
pub use power_law::{Ceiling, PowerLaw};
pub use run::{Figure, run_trial};
