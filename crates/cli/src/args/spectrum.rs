//! Context and scaling options of the spectral clustering methods.

use clap::Args;
use eigentree::models::clusters::{Context, CountTransform};

#[derive(Debug, Args)]
pub(super) struct SpectrumArgs {
    /// Context words that describe a word: rK for the K words after it, lrK for K words on each side [default: lr2]
    #[arg(long, value_name = "CONTEXT", help_heading = "Spectral methods")]
    pub(super) context: Option<Context>,
    /// Pseudo-count added where counts are scaled; larger values dampen rare words [default: 200]
    #[arg(long, value_name = "KAPPA", value_parser = kappa, help_heading = "Spectral methods")]
    pub(super) kappa: Option<f64>,
    /// Transform applied to counts before scaling: none, sqrt, or a power between 0 and 1 [default: none]
    #[arg(long, value_name = "TRANSFORM", value_parser = transform, help_heading = "Spectral methods")]
    pub(super) transform: Option<CountTransform>,
}

pub(super) fn kappa(text: &str) -> Result<f64, String> {
    let number: Option<f64> = text.parse().ok();
    number
        .filter(|kappa| kappa.is_finite() && *kappa >= 0.0)
        .ok_or_else(|| "give a number that is not negative".to_owned())
}

pub(super) fn transform(text: &str) -> Result<CountTransform, String> {
    match text {
        "none" => Ok(CountTransform::Identity),
        "sqrt" => Ok(CountTransform::Power(0.5)),
        _ => match text.parse::<f64>() {
            Ok(1.0) => Ok(CountTransform::Identity),
            Ok(power) if power > 0.0 && power < 1.0 => Ok(CountTransform::Power(power)),
            _ => Err("give `none`, `sqrt`, or a power greater than 0 and at most 1".to_owned()),
        },
    }
}
