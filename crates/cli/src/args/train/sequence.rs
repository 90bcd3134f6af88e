//! `train automaton`, `train hmm`: options and what they mean.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use eigentree::models::automaton::{BasisConfig, EmConfig, Estimator, Hankel};
use eigentree::models::sequence::{Method, RankChoice, SequenceConfig};
use eigentree::sequences::SequenceFormat;
use eigentree::spectral::Rank;
use eigentree::spectral::moments::Scaling;

use super::super::overwrite::refuse_overwriting;
use super::super::sequences::SequenceInput;
use crate::failure::UsageError;

/// Learn an automaton over sequences: the probability of every next symbol, and of the end
///
/// Substrings before and after each place are decomposed, and operators of the automaton read off (Luque et al. 2012; Balle et al.
/// 2014); or probabilities are learnt by EM. Each is mixed with a smoothed n-gram model, so that every sequence has a positive
/// probability. The number of states and the weights are those that make held-out sequences most probable.
#[derive(Debug, Args)]
#[command(after_help = "\
EXAMPLES
  Lines of tokens, and what follows a beginning:
    eigentree train automaton train.txt -o text.eig
    echo 'the old' | eigentree predict text.eig -
  A problem of the competition PAutomaC:
    eigentree train automaton 1.pautomac.train -o 1.eig
    eigentree score 1.eig 1.pautomac.test --solution 1.pautomac_solution.txt --totals
  The method of Luque et al. (2012): bigrams, 8 states:
    eigentree train automaton train.txt --rank 8 --basis marked --length 1 -o paper.eig
  Baselines:
    eigentree train automaton train.txt --learner em --rank 16 -o em.eig
    eigentree train automaton train.txt --learner ngram -o ngrams.eig")]
pub(crate) struct TrainSequenceArgs {
    /// Sequences: lines of tokens, or a file as in PAutomaC and SPiCe; `-` is standard input
    #[arg(value_name = "SEQUENCES")]
    data: PathBuf,
    /// Where the model goes
    #[arg(long, short, value_name = "MODEL")]
    output: PathBuf,
    /// Sequences to choose by [default: a tenth of the others, which are learnt from in the end]
    #[arg(long, value_name = "SEQUENCES")]
    dev: Option<PathBuf>,
    /// How sequences are written
    #[arg(long, value_enum, value_name = "FORMAT", default_value = "detect")]
    input: SequenceInput,
    /// Tokens that occur less often are one symbol
    #[arg(long, value_name = "N", default_value_t = 1)]
    min_count: usize,
    /// What is learnt beside n-grams [default: spectral for `automaton`, reduced for `hmm`]
    #[arg(long, value_enum, value_name = "LEARNER", help_heading = "Model")]
    learner: Option<LearnerArg>,
    /// The number of states; `auto`: by held-out likelihood; `spectrum`: by the singular values
    #[arg(long, value_name = "N|auto|spectrum", default_value = "auto", help_heading = "Model")]
    rank: String,
    /// The most states for `auto` and `spectrum`
    #[arg(long, value_name = "N", default_value_t = 60, help_heading = "Model")]
    max_rank: usize,
    /// Which prefixes and suffixes are decomposed
    #[arg(long, value_enum, value_name = "KIND", default_value = "marked", help_heading = "Model")]
    basis: BasisArg,
    /// Their longest
    #[arg(long, value_name = "N", default_value_t = 4, help_heading = "Model")]
    length: usize,
    /// How many of them on each side, the most frequent; 0: all
    #[arg(long, value_name = "N", default_value_t = 2000, help_heading = "Model")]
    features: usize,
    /// How they are scaled before the decomposition
    #[arg(long, value_enum, value_name = "HOW", default_value = "cca", help_heading = "Model")]
    scaling: ScalingArg,
    /// The longest n-grams; the order is chosen by held-out likelihood
    #[arg(long, value_name = "N", default_value_t = 6, help_heading = "Model")]
    order: usize,
    /// Iterations of EM at most
    #[arg(long, value_name = "N", default_value_t = 150, help_heading = "Model")]
    iterations: usize,
    /// Counts that EM adds to every outcome, after variational Bayes; 0: maximum likelihood
    #[arg(long, value_name = "COUNT", default_value_t = 0.02, help_heading = "Model")]
    prior: f64,
    /// Runs of EM, of which the best counts
    #[arg(long, value_name = "N", default_value_t = 1, help_heading = "Model")]
    restarts: usize,
}

/// What is learnt beside n-grams.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum LearnerArg {
    /// Operators by decomposition
    Spectral,
    /// EM from random states
    Em,
    /// EM from states found by decomposition
    SpectralEm,
    /// The three above, mixed
    All,
    /// The fully reduced form of hidden Markov models (Foster et al. 2012)
    Reduced,
    /// Nothing
    Ngram,
}

/// Which prefixes and suffixes are decomposed.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum BasisArg {
    /// Substrings, with START and STOP as symbols
    Marked,
    /// Substrings
    Substrings,
    /// Beginnings of sequences, and what follows them
    Prefixes,
    /// Ends of sequences, and what stands before them
    Suffixes,
    /// Whole sequences
    Strings,
}

/// How features are scaled.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum ScalingArg {
    /// By the root of their counts (diagonal CCA)
    Cca,
    /// Not at all (Luque et al. 2012)
    None,
}

/// Which of the two commands it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum SequenceKind {
    Automaton,
    Hmm,
}

/// What is to be done.
pub(crate) struct TrainSequenceJob {
    pub(crate) data: PathBuf,
    pub(crate) output: PathBuf,
    pub(crate) dev: Option<PathBuf>,
    pub(crate) input: SequenceFormat,
    pub(crate) min_count: usize,
    pub(crate) config: SequenceConfig,
}

impl TrainSequenceArgs {
    pub(crate) fn build(self, kind: SequenceKind, seed: u64) -> Result<TrainSequenceJob, UsageError> {
        refuse_overwriting(&self.output, [&self.data].into_iter().chain(&self.dev).map(PathBuf::as_path))?;
        let positive = |value: usize, option: &str| {
            Rank::new(value).ok_or_else(|| UsageError(format!("{option} is 0; it must be at least 1")))
        };
        let most = positive(self.max_rank, "--max-rank")?;
        let rank = match self.rank.as_str() {
            "auto" => RankChoice::HeldOut(most),
            "spectrum" => RankChoice::Spectrum(most),
            number => {
                let told =
                    || UsageError(format!("--rank is `{number}`; it must be a number, `auto` or `spectrum`"));
                RankChoice::Fixed(positive(number.parse().map_err(|_| told())?, "--rank")?)
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
            return Err(UsageError(format!("--prior is {}; it must not be negative", self.prior)));
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
            em: EmConfig { iterations: self.iterations.max(1), estimator, ..usual.em },
            restarts: self.restarts,
            order: self.order,
            seed,
            ..usual
        };
        Ok(TrainSequenceJob {
            data: self.data,
            output: self.output,
            dev: self.dev,
            input: self.input.into(),
            min_count: self.min_count,
            config,
        })
    }
}
