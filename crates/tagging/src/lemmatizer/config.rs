//! Configuration of a lemmatizer.

use serde::{Deserialize, Serialize};

/// How edit scripts see Greek accents.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Accents {
    /// As parts of their letters: lemmatizers of format 1.
    #[default]
    Letters,
    /// As a mark before the letters. Unknown words gain 3.0 points on Ancient Greek-PTNK, 2.2 on Greek-GDT.
    Apart,
}

/// Configuration of a lemmatizer.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct LemmatizerConfig {
    /// Passes over the words.
    pub passes: usize,
    /// Features seen with fewer words are dropped.
    pub least_count: u32,
    /// Scripts of fewer words are left to the table. With 2, unknown words of Turkish-IMST lose 3.7 points, those of
    /// English-EWT gain 0.2.
    pub least_words: u32,
    /// η, the step size.
    pub rate: f32,
    /// δ, keeps the first steps short.
    pub damping: f32,
    /// Learning skips a word once its script has all but this much of the probability.
    pub certain: f32,
    /// How edit scripts see Greek accents. Files that do not say so have them as letters.
    #[serde(default)]
    pub accents: Accents,
}

impl Default for LemmatizerConfig {
    fn default() -> Self {
        Self {
            passes: 10,
            least_count: 2,
            least_words: 1,
            rate: 0.1,
            damping: 0.1,
            certain: 0.01,
            accents: Accents::Apart,
        }
    }
}
