//! How the spectral methods of clustering describe words.

use clap::Args;
use eigentree::models::clusters::{Context, CountTransform, SpectralConfig};

#[derive(Debug, Args)]
pub(super) struct SpectrumArgs {
    /// The words near a word that describe it: rK for the K after it, lrK for those before it, too [default: lr2]
    #[arg(long, value_name = "CONTEXT", help_heading = "Spectral methods")]
    pub(super) context: Option<Context>,
    /// What is added to counts where they are scaled; it quietens rare words [default: 200]
    #[arg(long, value_name = "KAPPA", value_parser = kappa, help_heading = "Spectral methods")]
    pub(super) kappa: Option<f64>,
    /// What is done to counts before: none, sqrt, or a power between 0 and 1 [default: none]
    #[arg(long, value_name = "TRANSFORM", value_parser = transform, help_heading = "Spectral methods")]
    pub(super) transform: Option<CountTransform>,
}

impl SpectrumArgs {
    /// What is usual, but for what was given.
    pub(super) fn change(&self, usual: SpectralConfig) -> SpectralConfig {
        SpectralConfig {
            context: self.context.unwrap_or(usual.context),
            kappa: self.kappa.unwrap_or(usual.kappa),
            transform: self.transform.unwrap_or(usual.transform),
            ..usual
        }
    }
}

fn kappa(text: &str) -> Result<f64, String> {
    let number: Option<f64> = text.parse().ok();
    number
        .filter(|kappa| kappa.is_finite() && *kappa >= 0.0)
        .ok_or_else(|| "a number from 0 on is needed".to_owned())
}

fn transform(text: &str) -> Result<CountTransform, String> {
    match text {
        "none" => Ok(CountTransform::Identity),
        "sqrt" => Ok(CountTransform::Power(0.5)),
        _ => match text.parse::<f64>() {
            Ok(1.0) => Ok(CountTransform::Identity),
            Ok(power) if power > 0.0 && power < 1.0 => Ok(CountTransform::Power(power)),
            _ => Err("none, sqrt, or a power above 0 and up to 1 is needed".to_owned()),
        },
    }
}
