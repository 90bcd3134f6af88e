//! Predicts next symbols and samples whole sequences.

use std::io::Write;

use models::learn::Observer;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use rayon::prelude::*;
use sequences::sequence::SequenceModel;

use super::competition::Targets;
use crate::Error;
use crate::files::Output;

/// Number of prefixes or sequences between two calls of the observer.
const CHUNK: usize = 512;

/// Symbols by decreasing probability; `None` is the end.
pub type Ranking = Vec<(Option<u32>, f64)>;

/// The quality of rankings.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct PredictionScore {
    /// The mean normalised discounted cumulative gain of five symbols.
    pub ndcg: f64,
    /// Number of prefixes.
    pub prefixes: usize,
}

impl PredictionScore {
    /// Scores rankings by the targets of a competition.
    pub fn new(targets: &Targets, rankings: &[Ranking]) -> Result<Self, Error> {
        if targets.len() != rankings.len() {
            return Err(Error::Data(format!(
                "there are {} prefixes and {} targets; give the targets of these prefixes",
                rankings.len(),
                targets.len()
            )));
        }
        let gain = |(prefix, ranking): (usize, &Ranking)| {
            let symbols: Vec<Option<u32>> = ranking.iter().map(|(symbol, _)| *symbol).collect();
            targets.gain(prefix, &symbols)
        };
        let sum: f64 = rankings.iter().enumerate().map(gain).sum();
        Ok(Self { ndcg: sum / rankings.len().max(1) as f64, prefixes: rankings.len() })
    }
}

/// The most probable next symbols after each prefix.
pub fn predict(
    model: &SequenceModel,
    prefixes: &[Vec<u32>],
    most: usize,
    observer: &mut dyn Observer,
) -> Result<Vec<Ranking>, Error> {
    observer.stage("predict", Some(prefixes.len() as u64));
    let mut rankings = Vec::with_capacity(prefixes.len());
    for chunk in prefixes.chunks(CHUNK) {
        let found: Vec<Ranking> = chunk.par_iter().map(|prefix| model.predict(prefix, most)).collect();
        rankings.extend(found);
        observer.advance(chunk.len() as u64);
        if observer.cancelled() {
            return Err(Error::Cancelled);
        }
    }
    Ok(rankings)
}

/// Samples sequences and writes them as lines of tokens; returns the number of symbols. Longer ones are truncated.
pub fn sample_sequences(
    model: &SequenceModel,
    lines: u64,
    longest: usize,
    seed: u64,
    mut output: Output,
    observer: &mut dyn Observer,
) -> Result<u64, Error> {
    observer.stage("sample", Some(lines));
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut symbols = 0;
    for _ in 0..lines {
        let drawn = model.sample(longest, &mut rng);
        symbols += drawn.len() as u64;
        let tokens: Vec<String> = drawn.iter().map(|&symbol| model.alphabet().text(symbol)).collect();
        writeln!(output, "{}", tokens.join(" ")).map_err(|error| output.error(error))?;
        observer.advance(1);
        if observer.cancelled() {
            return Err(Error::Cancelled);
        }
    }
    output.finish()?;
    Ok(symbols)
}
