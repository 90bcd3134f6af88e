//! Quality levels: named recipes that trade time for accuracy.

use serde::{Deserialize, Serialize};

/// A named recipe. Every family that has recipes says in its configuration what they are.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Quality {
    /// The fastest.
    Fast,
    /// The default of `train`.
    #[default]
    Balanced,
    /// The most accurate.
    Best,
}

impl Quality {
    /// All of them.
    pub const ALL: [Quality; 3] = [Quality::Fast, Quality::Balanced, Quality::Best];

    /// Its name, as used in options.
    pub fn name(self) -> &'static str {
        match self {
            Quality::Fast => "fast",
            Quality::Balanced => "balanced",
            Quality::Best => "best",
        }
    }

    /// The level in one line, for lists of options.
    pub fn description(self) -> &'static str {
        match self {
            Quality::Fast => "Fastest",
            Quality::Balanced => "The default of `train`",
            Quality::Best => "Most accurate",
        }
    }
}
