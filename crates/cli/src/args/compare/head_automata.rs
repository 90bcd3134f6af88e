//! Options of `compare head-automata`.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::Args;
use compare::head_automata::{Config, HeadAutomataExperiment, Lexicon};
use eigentree::models::head_automata::MAX_STATES;

use super::super::formats::bad_items;
use super::super::overwrite::refuse_overwriting;
use super::super::train::AlphabetArg;
use super::command::CompareJob;
use super::report::ReportArgs;
use crate::failure::UsageError;

/// Compare learners of head automata: accuracy by number of states, training times
///
/// Reproduces Figures 1 and 2 and Table 1 of Luque et al. (2012) on any treebank in CoNLL-U: the spectral method and EM
/// on tags, the deterministic baselines, and words combined with tags.
#[derive(Debug, Args)]
#[command(after_help = "\
EXAMPLES
  eigentree compare head-automata train.conllu --dev dev.conllu
  eigentree compare head-automata train.conllu --dev dev.conllu --states 4,6,8 --em-steps 10,25
  Tags only, with plots in a folder:
    eigentree compare head-automata train.conllu --dev dev.conllu --tags-alone --plots plots")]
pub(super) struct CompareHeadAutomataArgs {
    /// Training trees in CoNLL-U
    #[arg(required = true, value_name = "TREEBANK")]
    treebanks: Vec<PathBuf>,
    /// Development trees, used to choose among the settings of each learner
    #[arg(long, value_name = "TREEBANK")]
    dev: PathBuf,
    /// Test trees, scored with the best settings of each learner
    #[arg(long, value_name = "TREEBANK")]
    test: Option<PathBuf>,
    /// Skip sentences that cannot be read, and report them
    #[arg(long)]
    skip_bad: bool,
    #[command(flatten)]
    report: ReportArgs,

    /// Symbols of the automata
    #[arg(long, value_enum, value_name = "ALPHABET", default_value = "product", help_heading = "Comparison")]
    alphabet: AlphabetArg,
    /// Numbers of hidden states, separated by commas
    #[arg(
        long,
        value_name = "N,…",
        value_delimiter = ',',
        default_value = "2,4,6,8,10,12",
        help_heading = "Comparison"
    )]
    states: Vec<NonZeroUsize>,
    /// Numbers of EM steps, separated by commas
    #[arg(
        long,
        alias = "em-iterations",
        value_name = "N,…",
        value_delimiter = ',',
        default_value = "5,10,25,100",
        help_heading = "Comparison"
    )]
    em_steps: Vec<NonZeroUsize>,
    /// Compare models of tags only, without words
    #[arg(long, help_heading = "Comparison")]
    tags_alone: bool,
}

impl CompareHeadAutomataArgs {
    pub(super) fn build(self, seed: u64) -> Result<CompareJob, UsageError> {
        let inputs = self.treebanks.iter().chain([&self.dev]).chain(&self.test);
        refuse_overwriting(&self.report.output, inputs.map(PathBuf::as_path))?;
        let numbers = |numbers: Vec<NonZeroUsize>| {
            let mut numbers: Vec<usize> = numbers.into_iter().map(NonZeroUsize::get).collect();
            numbers.sort_unstable();
            numbers.dedup();
            numbers
        };
        let states = numbers(self.states);
        if states.iter().any(|&states| states > MAX_STATES) {
            return Err(UsageError(format!("--states must not exceed {MAX_STATES}")));
        }
        let lexicon = if self.tags_alone { Lexicon::TagsAlone } else { Lexicon::Both };
        let config = Config {
            alphabet: self.alphabet.into(),
            states,
            em_steps: numbers(self.em_steps),
            lexicon,
            seed,
        };
        let experiment = HeadAutomataExperiment {
            train: self.treebanks,
            dev: self.dev,
            test: self.test,
            bad_items: bad_items(self.skip_bad),
            config,
        };
        Ok(CompareJob::new(self.report, experiment))
    }
}
