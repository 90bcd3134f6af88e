//! Word clusters configured by single options, as on a command line.

use words::clusters::{ClusterConfig, Context, CountTransform, Growth, Method, SpectralConfig, Ward};

use super::OptionError;
use crate::clustering::method_name;

/// The options of clustering one by one. A field that is `None` takes the default of the method.
#[derive(Clone, PartialEq, Debug)]
pub struct ClusterRecipe {
    /// How clusters are found.
    pub method: Method,
    /// Number of clusters.
    pub clusters: usize,
    /// The words near a word that describe it. Methods that are not spectral ignore it: they use the next word.
    pub context: Option<Context>,
    /// The constant added to counts when they are scaled (κ).
    pub kappa: Option<f64>,
    /// The transform of counts before scaling.
    pub transform: Option<CountTransform>,
    /// Number of singular vectors.
    pub rank: Option<usize>,
    /// The weight of a word in Ward's clustering.
    pub ward: Option<Ward>,
    /// Whether clusters are merged or divided.
    pub growth: Option<Growth>,
}

impl Default for ClusterRecipe {
    fn default() -> Self {
        let ClusterConfig { method, clusters, .. } = ClusterConfig::default();
        Self {
            method,
            clusters,
            context: None,
            kappa: None,
            transform: None,
            rank: None,
            ward: None,
            growth: None,
        }
    }
}

impl ClusterRecipe {
    /// The configuration; an error if an option is for other methods.
    pub fn config(&self) -> Result<ClusterConfig, OptionError> {
        for (option, given) in [
            ("kappa", self.kappa.is_some()),
            ("transform", self.transform.is_some()),
            ("rank", self.rank.is_some()),
            ("ward", self.ward.is_some()),
            ("hierarchy", self.growth.is_some()),
        ] {
            if given {
                self.needs_vectors(option)?;
            }
        }
        let usual = SpectralConfig::of(self.method);
        let spectral = SpectralConfig {
            context: self.context.unwrap_or(usual.context),
            kappa: self.kappa.unwrap_or(usual.kappa),
            transform: self.transform.unwrap_or(usual.transform),
            rank: self.rank.or(usual.rank),
            ward: self.ward.unwrap_or(usual.ward),
            growth: self.growth.unwrap_or(usual.growth),
            ..usual
        };
        let (method, clusters) = (self.method, self.clusters);
        Ok(ClusterConfig { method, clusters, spectral: Some(spectral), ..ClusterConfig::default() })
    }

    /// Refuses an option, such as one that writes vectors, for methods that have no vectors.
    pub fn needs_vectors(&self, option: &'static str) -> Result<(), OptionError> {
        match self.method {
            Method::Spectral | Method::SpectralExchange => Ok(()),
            method => {
                let reason = format!("applies only to the spectral methods, not to {}", method_name(method));
                Err(OptionError::new(option, reason))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_of_vectors_are_refused_where_there_are_none() {
        let recipe = ClusterRecipe { method: Method::Brown, rank: Some(5), ..ClusterRecipe::default() };
        assert_eq!(
            recipe.config().unwrap_err().to_string(),
            "`rank` applies only to the spectral methods, not to brown"
        );
        let context = Some(Context::Both(1));
        let recipe = ClusterRecipe { method: Method::Exchange, context, ..ClusterRecipe::default() };
        assert_eq!(recipe.config().unwrap().distance(), 1);
    }
}
