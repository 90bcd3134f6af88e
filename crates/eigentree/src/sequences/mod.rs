//! Sequence models: reads sequences, scores them, predicts the next symbol, samples.
//!
//! Sequences are lines of tokens, or files in the format of the competitions PAutomaC and SPiCe
//! ([`corpus::format::numbered_sequences`]).

mod competition;
mod predict;
mod read;
mod score;

pub use competition::{CompetitionScore, Solution, Targets, competition_perplexity};
pub use predict::{PredictionScore, Ranking, predict, sample_sequences};
pub use read::{SequenceFile, SequenceFormat, read_sequences};
pub use score::{SequenceScore, score_sequences};
