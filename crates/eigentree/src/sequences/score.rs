//! Scores sequences.

use eval::report::{LikelihoodReport, Report};
use models::learn::Observer;
use rayon::prelude::*;
use sequences::sequence::{Clipping, Reader, SequenceModel};
use serde_json::{Value, json};

use super::read::is_unknown;
use crate::Error;

/// Number of sequences between two calls of the observer.
const CHUNK: usize = 512;

/// The scores of all sequences.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct SequenceScore {
    /// The natural logarithm of the probability of each sequence.
    pub log_probabilities: Vec<f64>,
    /// Number of symbols, without ends.
    pub symbols: u64,
    /// Number of unknown symbols.
    pub unknown: u64,
    /// How often automata gave values that are not positive.
    pub clipping: Clipping,
}

impl SequenceScore {
    /// The sum of the logarithms.
    pub fn log_probability(&self) -> f64 {
        self.log_probabilities.iter().sum()
    }

    /// The number of symbols and ends.
    pub fn events(&self) -> u64 {
        self.symbols + self.log_probabilities.len() as u64
    }

    /// The exponential of the mean negative log-probability per symbol or end.
    pub fn perplexity(&self) -> f64 {
        (-self.log_probability() / self.events().max(1) as f64).exp()
    }

    /// The score as a likelihood report.
    pub fn report(&self) -> LikelihoodReport {
        LikelihoodReport {
            perplexity: self.perplexity(),
            bits_per_symbol: self.perplexity().log2(),
            symbols: self.events(),
            sentences: self.log_probabilities.len(),
            impossible: self.log_probabilities.iter().filter(|log| !log.is_finite()).count(),
        }
    }

    /// The score as a JSON object: the likelihood report and the counts.
    pub fn to_json(&self) -> Value {
        let mut object = Report { likelihood: Some(self.report()), ..Report::default() }.to_json_value();
        object["log_probability"] = json!(self.log_probability());
        object["symbols"] = json!(self.symbols);
        object["unknown"] = json!(self.unknown);
        object["sequences"] = json!(self.log_probabilities.len());
        object["predictions"] = json!(self.clipping.predictions);
        object["clipped"] = json!(self.clipping.clipped);
        object["replaced"] = json!(self.clipping.replaced);
        object
    }
}

/// Scores sequences of numbered symbols.
pub fn score_sequences(
    model: &SequenceModel,
    sequences: &[Vec<u32>],
    observer: &mut dyn Observer,
) -> Result<SequenceScore, Error> {
    observer.stage("score", Some(sequences.len() as u64));
    let mut score = SequenceScore::default();
    for wave in sequences.chunks(CHUNK * 16) {
        let parts: Vec<(Vec<f64>, Clipping)> = wave
            .par_chunks(CHUNK)
            .map(|chunk| {
                let mut reader = Reader::new(model);
                let logs = chunk.iter().map(|sequence| reader.log_probability(sequence)).collect();
                (logs, reader.clipping())
            })
            .collect();
        for (logs, clipping) in parts {
            score.log_probabilities.extend(logs);
            score.clipping = score.clipping.plus(clipping);
        }
        observer.advance(wave.len() as u64);
        if observer.cancelled() {
            return Err(Error::Cancelled);
        }
    }
    for &symbol in sequences.iter().flatten() {
        score.symbols += 1;
        score.unknown += u64::from(is_unknown(model.alphabet(), symbol));
    }
    Ok(score)
}
