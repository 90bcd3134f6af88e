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
  The paper's own experiment, with its numbers beside ours:
    eigentree compare head-automata train.conllu --dev dev.conllu --paper --states 4,9 --em-steps 10 --restarts 2
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

    /// Exactly the learners of Luque et al. (2012), and their table with the paper's numbers beside ours
    #[arg(long, help_heading = "Comparison")]
    paper: bool,
    /// Symbols of the automata [default: product; xpos with --paper]
    #[arg(long, value_enum, value_name = "ALPHABET", help_heading = "Comparison")]
    alphabet: Option<AlphabetArg>,
    /// Number of random starts of EM [default: 1; 10 with --paper]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1000), help_heading = "Comparison")]
    restarts: Option<u16>,
    /// Numbers of hidden states, separated by commas [default: 2,4,6,8,10,12; 2 to 15 with --paper]
    #[arg(long, value_name = "N,…", value_delimiter = ',', help_heading = "Comparison")]
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
        let usual = if self.paper { Config::paper() } else { Config::default() };
        let states = if self.states.is_empty() { usual.states.clone() } else { numbers(self.states) };
        if states.iter().any(|&states| states > MAX_STATES) {
            return Err(UsageError(format!("--states must not exceed {MAX_STATES}")));
        }
        let lexicon = if self.tags_alone { Lexicon::TagsAlone } else { Lexicon::Both };
        let config = Config {
            alphabet: self.alphabet.map_or(usual.alphabet, Into::into),
            states,
            em_steps: numbers(self.em_steps),
            lexicon,
            restarts: self.restarts.map_or(usual.restarts, usize::from),
            seed,
            ..usual
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
