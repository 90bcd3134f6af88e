//! Options of `train automaton` and `train hmm`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use eigentree::models::automaton::{BasisConfig, EmConfig, Estimator, Hankel};
use eigentree::models::sequence::{Method, RankChoice, SequenceConfig};
use eigentree::sequences::SequenceFormat;
use eigentree::spectral::Rank;
use eigentree::spectral::moments::Scaling;
use eigentree::training::SequenceJob;

use super::super::formats::sequence_formats;
use super::super::numbers::{MAX_RANK, numbers};
use super::super::overwrite::refuse_overwriting;
use crate::failure::UsageError;

/// Train an automaton over sequences: the probability of every next symbol, and of the end
///
/// The spectral learner decomposes the counts of substrings before and after each position and reads the operators of
/// the automaton off the result (Luque et al. 2012; Balle et al. 2014). Alternatively, EM learns probabilities. Either
/// model is mixed with a smoothed n-gram model, so that every sequence has a positive probability. The number of states
/// and the weights are chosen by the likelihood of held-out sequences.
#[derive(Debug, Args)]
#[command(after_help = "\
EXAMPLES
  One sequence per line, and predictions for a prefix:
    eigentree train automaton train.txt -o text.eig
    echo 'the old' | eigentree predict text.eig -
  A problem of the PAutomaC competition:
    eigentree train automaton 1.pautomac.train -o 1.eig
    eigentree score 1.eig 1.pautomac.test --solution 1.pautomac_solution.txt --totals
  The method of Luque et al. (2012), with bigrams and 8 states:
    eigentree train automaton train.txt --rank 8 --basis marked --length 1 -o paper.eig
  Baselines:
    eigentree train automaton train.txt --learner em --rank 16 -o em.eig
    eigentree train automaton train.txt --learner ngram -o ngrams.eig")]
pub(crate) struct TrainSequenceArgs {
    /// Sequences: one per line with tokens separated by spaces, or a PAutomaC or SPiCe file; `-` is standard input
    #[arg(value_name = "SEQUENCES")]
    data: PathBuf,
    /// Output file for the model
    #[arg(long, short, value_name = "MODEL")]
    output: PathBuf,
    /// Held-out sequences for choosing the settings [default: a tenth of the input, which is included in the final
    /// training]
    #[arg(long, value_name = "SEQUENCES")]
    dev: Option<PathBuf>,
    /// Format of the sequences
    #[arg(long, value_parser = sequence_formats(), value_name = "FORMAT", default_value = "detect")]
    input: SequenceFormat,
    /// Tokens with fewer occurrences are replaced by one symbol
    #[arg(long, value_name = "N", default_value_t = 1)]
    min_count: usize,
    /// The most frequent tokens that are kept apart; the others are replaced by one symbol. Memory and time grow with them
    #[arg(long, value_name = "N", default_value_t = SequenceJob::default().vocabulary, value_parser = numbers(1..=100_000_000))]
    vocab: usize,
    /// Learner combined with n-grams [default: spectral for `automaton`, reduced for `hmm`]
    #[arg(long, value_enum, value_name = "LEARNER", help_heading = "Model")]
    learner: Option<LearnerArg>,
    /// Number of states; `auto` chooses by held-out likelihood, `spectrum` by the singular values
    #[arg(long, value_name = "N|auto|spectrum", default_value = "auto", help_heading = "Model")]
    rank: String,
    /// Maximum number of states for `auto` and `spectrum`
    #[arg(long, value_name = "N", default_value_t = 60, help_heading = "Model", value_parser = numbers(1..=MAX_RANK))]
    max_rank: usize,
    /// Prefixes and suffixes to decompose
    #[arg(long, value_enum, value_name = "KIND", default_value = "marked", help_heading = "Model")]
    basis: BasisArg,
    /// Maximum length of prefixes and suffixes
    #[arg(long, value_name = "N", default_value_t = 4, help_heading = "Model", value_parser = numbers(1..=100))]
    length: usize,
    /// Number of prefixes and of suffixes, the most frequent ones; 0 means all
    #[arg(long, value_name = "N", default_value_t = 2000, help_heading = "Model", value_parser = numbers(0..=10_000_000))]
    features: usize,
    /// Scaling before the decomposition
    #[arg(long, value_enum, value_name = "METHOD", default_value = "cca", help_heading = "Model")]
    scaling: ScalingArg,
    /// Maximum length of n-grams; the order is chosen by held-out likelihood
    #[arg(long, value_name = "N", default_value_t = 6, help_heading = "Model", value_parser = numbers(0..=100))]
    order: usize,
    /// Maximum number of EM steps
    #[arg(long, alias = "iterations", value_name = "N", default_value_t = 150, help_heading = "Model", value_parser = numbers(0..=1_000_000))]
    em_steps: usize,
    /// Pseudo-count that EM adds to every outcome, as in variational Bayes; 0 means maximum likelihood
    #[arg(long, value_name = "COUNT", default_value_t = 0.02, help_heading = "Model")]
    prior: f64,
    /// Number of EM runs, of which the best is kept
    #[arg(long, value_name = "N", default_value_t = 1, help_heading = "Model", value_parser = numbers(1..=10_000))]
    restarts: usize,
}

/// Learner combined with n-grams.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum LearnerArg {
    /// Spectral decomposition
    Spectral,
    /// EM from a random start
    Em,
    /// EM started from the spectral decomposition
    SpectralEm,
    /// A mixture of the three above
    All,
    /// Hidden Markov model in fully reduced form (Foster et al. 2012)
    Reduced,
    /// N-grams only
    Ngram,
}

/// Prefixes and suffixes to decompose.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum BasisArg {
    /// Substrings, with START and STOP as symbols
    Marked,
    /// Substrings
    Substrings,
    /// Prefixes of sequences, and what follows them
    Prefixes,
    /// Suffixes of sequences, and what precedes them
    Suffixes,
    /// Whole sequences
    Strings,
}

/// Scaling of the counts.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum ScalingArg {
    /// By the square root of the feature counts (diagonal CCA)
    Cca,
    /// None (Luque et al. 2012)
    None,
}

/// Which of the two commands was given.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum SequenceKind {
    Automaton,
    Hmm,
}

/// Files of sequences.
pub(crate) struct SequenceFiles {
    pub(crate) data: PathBuf,
    pub(crate) output: PathBuf,
    pub(crate) dev: Option<PathBuf>,
    pub(crate) input: SequenceFormat,
}

impl TrainSequenceArgs {
    pub(crate) fn build(
        self,
        kind: SequenceKind,
        seed: u64,
    ) -> Result<(SequenceFiles, SequenceJob), UsageError> {
        refuse_overwriting(&self.output, [&self.data].into_iter().chain(&self.dev).map(PathBuf::as_path))?;
        let positive = |value: usize, option: &str| {
            Rank::new(value).ok_or_else(|| UsageError(format!("{option} must be at least 1")))
        };
        let most = positive(self.max_rank, "--max-rank")?;
        let rank = match self.rank.as_str() {
            "auto" => RankChoice::HeldOut(most),
            "spectrum" => RankChoice::Spectrum(most),
            number => {
                let told =
                    || UsageError(format!("--rank must be a number, `auto` or `spectrum`, not `{number}`"));
                let number: usize = number.parse().map_err(|_| told())?;
                if number as u64 > MAX_RANK {
                    return Err(UsageError(format!("--rank must be at most {MAX_RANK}, but is {number}")));
                }
                RankChoice::Fixed(positive(number, "--rank")?)
            }
        };
        let method = match (self.learner, kind) {
            (Some(LearnerArg::All), _) => Method::All,
            (None, SequenceKind::Hmm) | (Some(LearnerArg::Reduced), _) => Method::ReducedHmm,
            (None, SequenceKind::Automaton) | (Some(LearnerArg::Spectral), _) => Method::Spectral,
            (Some(LearnerArg::Em), _) => Method::Em,
            (Some(LearnerArg::SpectralEm), _) => Method::SpectralEm,
            (Some(LearnerArg::Ngram), _) => Method::Ngram,
        };
        let hankel = match self.basis {
            BasisArg::Marked => Hankel::Marked,
            BasisArg::Substrings => Hankel::Substrings,
            BasisArg::Prefixes => Hankel::Prefixes,
            BasisArg::Suffixes => Hankel::Suffixes,
            BasisArg::Strings => Hankel::Strings,
        };
        if !(self.prior >= 0.0 && self.prior.is_finite()) {
            return Err(UsageError(format!("--prior must not be negative, but is {}", self.prior)));
        }
        let estimator = match self.prior {
            0.0 => Estimator::MaximumLikelihood,
            pseudo_count => Estimator::Variational { pseudo_count },
        };
        let usual = SequenceConfig::default();
        let limit = (self.features > 0).then_some(self.features);
        let config = SequenceConfig {
            method,
            rank,
            basis: BasisConfig { limit, ..BasisConfig::length(hankel, self.length) },
            scaling: match self.scaling {
                ScalingArg::Cca => usual.scaling,
                ScalingArg::None => Scaling::None,
            },
            em: EmConfig { steps: self.em_steps.max(1), estimator, ..usual.em },
            restarts: self.restarts,
            order: self.order,
            seed,
            ..usual
        };
        let mut job = SequenceJob::new(config);
        job.min_count = self.min_count;
        job.vocabulary = self.vocab.max(1);
        let (data, output, dev) = (self.data, self.output, self.dev);
        Ok((SequenceFiles { data, output, dev, input: self.input }, job))
    }
}
