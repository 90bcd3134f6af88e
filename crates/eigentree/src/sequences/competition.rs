//! The metrics of the competitions PAutomaC and SPiCe.

use std::io;
use std::path::Path;

use serde_json::{Value, json};

use crate::Error;
use crate::files::Input;

/// The true probabilities of the test sequences of a PAutomaC problem.
#[derive(Clone, PartialEq, Debug)]
pub struct Solution {
    /// In the order of the sequences.
    pub probabilities: Vec<f64>,
}

impl Solution {
    /// Reads a solution file: the number of sequences, then one probability per line.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, Error> {
        let (name, text) = whole(path.as_ref())?;
        let mut lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
        let count: Option<usize> = lines.next().and_then(|(_, line)| line.trim().parse().ok());
        let probabilities = lines
            .map(|(number, line)| match line.trim().parse() {
                Ok(value) if (0.0..=1.0).contains(&value) => Ok(value),
                _ => Err(Error::Data(format!("{name}:{}: expected a probability", number + 1))),
            })
            .collect::<Result<Vec<f64>, Error>>()?;
        if count != Some(probabilities.len()) {
            return Err(Error::Data(format!(
                "{name}: the first line must give the number of probabilities that follow, which is {}",
                probabilities.len()
            )));
        }
        Ok(Self { probabilities })
    }

    /// The perplexity of the true probabilities themselves, a lower bound for any model.
    pub fn optimum(&self) -> f64 {
        let logs: Vec<f64> = self.probabilities.iter().map(|probability| probability.ln()).collect();
        competition_perplexity(&self.probabilities, &logs)
    }

    /// The result of a model that gave the sequences these natural logarithms of probabilities.
    pub fn score(&self, log_probabilities: &[f64]) -> Result<CompetitionScore, Error> {
        let (sequences, truths) = (log_probabilities.len(), self.probabilities.len());
        if sequences != truths {
            return Err(Error::Data(format!(
                "{sequences} sequences but {truths} true probabilities; give the solution that belongs to these sequences"
            )));
        }
        let perplexity = competition_perplexity(&self.probabilities, log_probabilities);
        Ok(CompetitionScore { perplexity, optimum: self.optimum() })
    }
}

/// A result by the rules of PAutomaC.
#[derive(Clone, Copy, PartialEq, Debug)]
#[non_exhaustive]
pub struct CompetitionScore {
    /// The perplexity of the model.
    pub perplexity: f64,
    /// The perplexity of the true probabilities.
    pub optimum: f64,
}

impl CompetitionScore {
    /// By how much the perplexity of the model exceeds the optimum, in per cent.
    pub fn percent_above(&self) -> f64 {
        100.0 * (self.perplexity / self.optimum - 1.0)
    }

    /// The result as a JSON object.
    pub fn to_json(&self) -> Value {
        json!({ "perplexity": self.perplexity, "optimum": self.optimum, "percent_above": self.percent_above() })
    }
}

/// PAutomaC's perplexity `2^(−Σ p log₂ q)`, with p the true probabilities and q those of a model (given as natural
/// logarithms), both normalised to sum 1 over the test sequences.
pub fn competition_perplexity(truth: &[f64], log_probabilities: &[f64]) -> f64 {
    let largest = log_probabilities.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let log_sum = largest + log_probabilities.iter().map(|log| (log - largest).exp()).sum::<f64>().ln();
    let true_sum: f64 = truth.iter().sum();
    let cross: f64 = truth
        .iter()
        .zip(log_probabilities)
        .filter(|(p, _)| **p > 0.0)
        .map(|(p, log)| p / true_sum * (log - log_sum))
        .sum();
    (-cross).exp()
}

/// The possible continuations of each prefix of a SPiCe problem.
#[derive(Clone, PartialEq, Debug)]
pub struct Targets {
    prefixes: Vec<PrefixTargets>,
}

/// The possible continuations of one prefix.
#[derive(Clone, PartialEq, Debug)]
struct PrefixTargets {
    /// The best possible gain of five symbols.
    best: f64,
    /// The gain of each symbol; `None` is the end.
    gains: Vec<(Option<u32>, f64)>,
}

impl Targets {
    /// Reads a target file: for each prefix the best gain, then symbols (−1 for the end) with their probabilities.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, Error> {
        let (name, text) = whole(path.as_ref())?;
        let prefixes =
            text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()).map(|(number, line)| {
                parse_targets(line).ok_or_else(|| {
                    Error::Data(format!(
                        "{name}:{}: expected the best gain, then symbols with their probabilities",
                        number + 1
                    ))
                })
            });
        Ok(Self { prefixes: prefixes.collect::<Result<_, _>>()? })
    }

    /// The number of prefixes.
    pub fn len(&self) -> usize {
        self.prefixes.len()
    }

    /// Whether there are no prefixes.
    pub fn is_empty(&self) -> bool {
        self.prefixes.is_empty()
    }

    /// The normalised discounted cumulative gain of the first five symbols of a ranking: `Σ_i p(s_i)/log₂(i + 1)`
    /// relative to the best possible.
    pub fn gain(&self, prefix: usize, ranking: &[Option<u32>]) -> f64 {
        let Some(PrefixTargets { best, gains }) = self.prefixes.get(prefix) else { return 0.0 };
        let gain = |symbol: &Option<u32>| {
            gains.iter().find(|(other, _)| other == symbol).map_or(0.0, |(_, probability)| *probability)
        };
        let sum: f64 = ranking
            .iter()
            .take(5)
            .enumerate()
            .map(|(rank, symbol)| gain(symbol) / ((rank + 2) as f64).log2())
            .sum();
        if *best > 0.0 { sum / best } else { 0.0 }
    }
}

fn parse_targets(line: &str) -> Option<PrefixTargets> {
    let mut fields = line.split_whitespace();
    let best = fields.next()?.parse().ok()?;
    let mut gains = Vec::new();
    while let Some(symbol) = fields.next() {
        let symbol = match symbol {
            "-1" => None,
            symbol => Some(symbol.parse().ok()?),
        };
        gains.push((symbol, fields.next()?.parse().ok()?));
    }
    Some(PrefixTargets { best, gains })
}

fn whole(path: &Path) -> Result<(String, String), Error> {
    let input = Input::open(path)?;
    let name = input.name().to_owned();
    let text =
        io::read_to_string(input).map_err(|error| Error::Data(format!("cannot read {name}: {error}")))?;
    Ok((name, text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn perplexity_by_hand() {
        // Two sequences of equal probability.
        assert!((competition_perplexity(&[0.1, 0.1], &[0.3_f64.ln(), 0.3_f64.ln()]) - 2.0).abs() < 1e-12);
        let uneven = competition_perplexity(&[0.1, 0.1], &[0.3_f64.ln(), 0.1_f64.ln()]);
        assert!((uneven - 2.0_f64.powf(-0.5 * (0.75_f64.log2() + 0.25_f64.log2()))).abs() < 1e-12);
    }

    #[test]
    fn a_solution_of_other_sequences_is_refused() {
        let solution = Solution { probabilities: vec![0.1, 0.1] };
        let score = solution.score(&[0.3_f64.ln(), 0.1_f64.ln()]).unwrap();
        assert!((score.optimum - 2.0).abs() < 1e-12 && score.percent_above() > 10.0, "{score:?}");
        assert!(solution.score(&[0.0]).unwrap_err().to_string().contains("1 sequences but 2 true"));
    }

    #[test]
    fn gains_by_hand() {
        let targets = Targets { prefixes: vec![parse_targets("1.4416 -1 0.5 3 0.5 7 0.0").unwrap()] };
        assert_eq!(targets.gain(0, &[None]), 0.5 / 1.4416);
        assert!((targets.gain(0, &[Some(7), Some(3)]) - 0.5 / 3.0_f64.log2() / 1.4416).abs() < 1e-12);
        assert!(parse_targets("1.0 3").is_none());
    }
}
