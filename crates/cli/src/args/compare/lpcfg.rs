//! Options of `compare lpcfg`.

use std::path::PathBuf;
use std::str::FromStr;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};
use compare::lpcfg::{Config, Contestant, LpcfgExperiment, TagSource};
use eigentree::files::STANDARD_STREAM;
use eigentree::models::lpcfg::SmoothingConfig;
use eigentree::training::Tuning;

use super::super::formats::bad_items;
use super::super::heads::rules_of;
use super::super::overwrite::refuse_overwriting;
use super::super::train::{GrammarArgs, MAX_STATES, SmoothingArg, StripArg};
use super::command::CompareJob;
use super::report::ReportArgs;
use crate::failure::UsageError;

/// Guards against typing errors: EM never needs more steps.
const MAX_STEPS: usize = 10_000;

/// Compare grammars with latent states: PCFGs, EM at several numbers of steps, the spectral learner and its variants
///
/// Reproduces the tables of Cohen et al. (2013) on any treebank: F1 for several numbers of states, EM at several
/// checkpoints, the effect of smoothing, scaling, features and the treatment of negative values, time per stage, and
/// memory. Work that learners share is done and timed once.
#[derive(Debug, Args)]
#[command(after_help = "\
EXAMPLES
  The tables, with plots in a folder:
    eigentree compare lpcfg train.ptb --dev dev.ptb --states 2,4 --em-steps 2,4 --plots plots
  EM against the spectral learner only, EM scored after every second of 6 steps:
    eigentree compare lpcfg train.ptb --dev dev.ptb --learners em,spectral --states 4 --em-steps 6/2
  Two learners, parsing with the gold tags:
    eigentree compare lpcfg train.ptb --dev dev.ptb --learners pcfg,spectral --tags given
  The paper's own experiment, with its numbers beside ours:
    eigentree compare lpcfg train.ptb --dev dev.ptb --paper --states 8,16 --em-steps 20/10
  The same with the smoothing constants tuned, as the paper tunes them:
    eigentree compare lpcfg train.ptb --dev dev.ptb --paper --learners spectral --states 8,16 --tune
  Figures for a script, and the test set scored with the settings that were best on the development set:
    eigentree compare lpcfg train.ptb --dev dev.ptb --test test.ptb --learners spectral --json")]
pub(super) struct CompareLpcfgArgs {
    /// Training trees in Penn brackets; `-` is standard input
    #[arg(required = true, value_name = "TRAIN")]
    trees: Vec<PathBuf>,
    /// Development trees to score; they also choose the number of EM steps
    #[arg(long, value_name = "TREES")]
    dev: PathBuf,
    /// Test trees, scored with the settings that were best on the development set
    #[arg(long, value_name = "TREES")]
    test: Option<PathBuf>,
    #[command(flatten)]
    report: ReportArgs,
    /// Skip trees that cannot be read, and report them
    #[arg(long)]
    skip_bad: bool,

    /// Learners to compare, separated by commas [default: all but em-unsmoothed]
    #[arg(long, value_name = "LEARNERS", value_delimiter = ',', value_parser = contestants(), help_heading = "Comparison")]
    learners: Vec<Contestant>,
    /// Exactly the learners and the parser of Cohen et al. (2013), and their tables with the paper's numbers beside ours
    #[arg(long, help_heading = "Comparison")]
    paper: bool,
    /// Maximum number of states per symbol; one or more numbers separated by commas [default: 8,16,32; 8,16,24,32 with
    /// --paper]
    #[arg(
        long,
        value_name = "M,…",
        value_delimiter = ',',
        value_parser = clap::value_parser!(u16).range(1..=MAX_STATES),
        help_heading = "Comparison"
    )]
    states: Vec<u16>,
    /// EM steps after which to score: 10,20,30, or 30/10 for every tenth of 30 steps [default: 50/10; 100/10 with
    /// --paper]
    #[arg(long, value_name = "STEPS", help_heading = "Comparison")]
    em_steps: Option<Checkpoints>,
    /// EM steps after clustering
    #[arg(long, value_name = "N", default_value_t = 10, help_heading = "Comparison")]
    cluster_steps: u16,
    /// Source of the tags when parsing [default: predicted; tagger with --paper]
    #[arg(long, value_enum, value_name = "SOURCE", help_heading = "Comparison")]
    tags: Option<CompareTags>,
    /// Back-off constants for rules, words and rare-word classes, for all learners with smoothing [default: from the recipe]
    #[arg(long, value_name = "C", help_heading = "Comparison")]
    smoothing: Option<SmoothingArg>,
    /// Choose the smoothing constants on a tenth of the training trees, for each number of states
    #[arg(long, conflicts_with = "smoothing", help_heading = "Comparison")]
    tune: bool,

    /// What to do with function tags (NP-SBJ) and empty elements
    #[arg(long, value_enum, value_name = "ACTION", default_value = "remove", help_heading = "Grammar")]
    strip: StripArg,
    #[command(flatten)]
    grammar: GrammarArgs,
}

/// Source of the tags.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum CompareTags {
    /// The gold tags of the trees
    Given,
    /// Tags predicted by the parser
    Predicted,
    /// Given and predicted tags in turn
    Both,
    /// Tags of a tagger learnt from the training trees, as in the paper
    Tagger,
}

/// Parses the name of a contestant.
fn contestants() -> impl TypedValueParser<Value = Contestant> {
    PossibleValuesParser::new(Contestant::ALL.map(Contestant::name)).try_map(|name| {
        let found = Contestant::ALL.into_iter().find(|contestant| contestant.name() == name);
        found.ok_or("unknown learner")
    })
}

/// Increasing numbers of steps.
#[derive(Clone, Debug)]
struct Checkpoints(Vec<usize>);

impl FromStr for Checkpoints {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let number = |text: &str| text.trim().parse::<usize>().ok().filter(|n| (1..=MAX_STEPS).contains(n));
        let steps: Option<Vec<usize>> = match text.split_once('/') {
            None => text.split(',').map(number).collect(),
            Some((most, every)) => number(most).zip(number(every)).map(|(most, every)| {
                let mut steps: Vec<usize> = (1..=most / every).map(|at| at * every).collect();
                if most % every != 0 {
                    steps.push(most);
                }
                steps
            }),
        };
        match steps {
            Some(mut steps) => {
                steps.sort_unstable();
                steps.dedup();
                Ok(Self(steps))
            }
            None => Err(format!(
                "give numbers separated by commas, such as 10,20,30, or the last step and an interval, such as 30/10; each from 1 to {MAX_STEPS}"
            )),
        }
    }
}

impl CompareLpcfgArgs {
    pub(super) fn build(self, seed: u64) -> anyhow::Result<CompareJob> {
        let inputs = || self.trees.iter().chain([&self.dev]).chain(&self.test).map(PathBuf::as_path);
        if inputs().filter(|path| path.as_os_str() == STANDARD_STREAM).count() > 1 {
            return Err(
                UsageError("standard input can be read once only; give files instead".to_owned()).into()
            );
        }
        refuse_overwriting(&self.report.output, inputs().chain(self.grammar.head_rules.as_deref()))?;
        let heads = rules_of(self.grammar.head_rules.as_deref())?;
        let usual = if self.paper { Config::paper() } else { Config::default() };
        let mut config = Config {
            states: match self.states.is_empty() {
                true => usual.states.clone(),
                false => self.states.iter().copied().map(usize::from).collect(),
            },
            checkpoints: self.em_steps.map_or_else(|| usual.checkpoints.clone(), |steps| steps.0),
            cluster_steps: usize::from(self.cluster_steps),
            tags: match self.tags {
                None => usual.tags.clone(),
                Some(CompareTags::Given) => vec![TagSource::Given],
                Some(CompareTags::Predicted) => vec![TagSource::Predicted],
                Some(CompareTags::Both) => vec![TagSource::Given, TagSource::Predicted],
                Some(CompareTags::Tagger) => vec![TagSource::Tagger],
            },
            tuning: if self.tune { Tuning::HeldOut { seed } } else { Tuning::Fixed },
            seed,
            ..usual
        };
        if !self.learners.is_empty() {
            config.contestants = self.learners;
        }
        if let Some(SmoothingArg(smoothing)) = self.smoothing {
            // With the paper's lexical smoothing only C is an option.
            config.base.smoothing = match self.paper {
                true => SmoothingConfig { rules: smoothing.rules, ..config.base.smoothing },
                false => smoothing,
            };
        }
        self.grammar.apply(&mut config.base.grammar, &heads);
        config.base.heads = heads;
        let experiment = LpcfgExperiment {
            train: self.trees,
            dev: self.dev,
            test: self.test,
            bad_items: bad_items(self.skip_bad),
            annotation: self.strip.into(),
            config,
        };
        Ok(CompareJob::new(self.report, experiment))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn checkpoints_are_lists_or_intervals() {
        let told = |text: &str| text.parse::<Checkpoints>().map(|Checkpoints(steps)| steps);
        assert_eq!(told("20,10, 10"), Ok(vec![10, 20]));
        assert_eq!(told("50/20"), Ok(vec![20, 40, 50]));
        assert_eq!(told("3/10"), Ok(vec![3]));
        for wrong in ["", "0", "5/0", "a", "1,,2", "1000000000"] {
            assert!(told(wrong).is_err(), "{wrong}");
        }
    }
}
