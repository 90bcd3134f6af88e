//! `train`: options and what they mean.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};
use eigentree::corpus::tree::binarize::Horizontal;
use eigentree::corpus::tree::normal_form::NormalForm;
use eigentree::models::pcfg::PcfgConfig;
use eigentree::parsing::TagUse;
use eigentree::reading::BadItems;
use eigentree::training::Annotation;

use super::formats::{TagsArg, bad_items};
use super::heads::{BinarizeArg, rules_of};
use super::overwrite::refuse_overwriting;
use crate::failure::UsageError;

/// Learn a model from data
#[derive(Debug, Args)]
#[command(after_help = "\
EXAMPLES
  eigentree train pcfg train.ptb --dev dev.ptb -o en.eig
  eigentree train pcfg --help")]
pub(crate) struct TrainArgs {
    #[command(subcommand)]
    pub(crate) family: TrainFamily,
}

/// The families of models.
#[derive(Debug, Subcommand)]
pub(crate) enum TrainFamily {
    Pcfg(TrainPcfgArgs),
}

/// Learn a probabilistic context-free grammar from constituency trees
///
/// Trees are binarised, and new nodes remember their nearest siblings; labels may remember their parents. Rules get
/// their relative frequencies; words that were never seen get their tags from their form.
#[derive(Debug, Args)]
#[command(after_help = "\
EXAMPLES
  A grammar, scored on a development set:
    eigentree train pcfg train.ptb --dev dev.ptb -o en.eig
  The Markovised grammar of Klein and Manning (2003), from several packed files:
    eigentree train pcfg part1.ptb.gz part2.ptb.zst --markov -o en.eig
  Binarised from the head outwards, with head rules that work for any labels, or one's own:
    eigentree train pcfg train.ptb --binarize head --head-rules similarity -o xx.eig
    eigentree train pcfg train.ptb --binarize head --head-rules heads.txt -o xx.eig
  A treebank made up on the spot, and what the grammar does on it:
    eigentree sample english -n 5000 -o sample.ptb
    eigentree train pcfg sample.ptb -o sample.eig
    echo 'the dog saw a cat .' | eigentree parse sample.eig")]
pub(crate) struct TrainPcfgArgs {
    /// Files of trees in Penn brackets; `-` is standard input
    #[arg(required = true, value_name = "TREES")]
    trees: Vec<PathBuf>,
    /// Where the model goes
    #[arg(long, short, value_name = "MODEL")]
    output: PathBuf,
    /// Trees to score the model on after training
    #[arg(long, value_name = "TREES")]
    dev: Option<PathBuf>,
    /// Whose tags are used when parsing the development trees
    #[arg(long, value_enum, value_name = "WHOSE", default_value = "predicted", requires = "dev")]
    tags: TagsArg,
    /// Go on after trees that cannot be read, and report them
    #[arg(long)]
    skip_bad: bool,

    /// How many siblings the nodes made by binarisation remember
    #[arg(long, value_name = "N", default_value_t = 1, help_heading = "Grammar")]
    horizontal: usize,
    /// 1 for plain labels, 2 for labels with their parent, and so on
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u8).range(1..=16), help_heading = "Grammar")]
    vertical: u8,
    /// Short for --vertical 2 --horizontal 1
    #[arg(long, conflicts_with_all = ["horizontal", "vertical"], help_heading = "Grammar")]
    markov: bool,
    /// Which way nodes with many children are split
    #[arg(long, value_enum, value_name = "WAY", default_value = "left", help_heading = "Grammar")]
    binarize: BinarizeArg,
    /// Which child heads a phrase, for --binarize head: `english`, `similarity` for any labels, or a file with a table
    /// [default: english]
    #[arg(long, value_name = "RULES", help_heading = "Grammar")]
    head_rules: Option<PathBuf>,
    /// Function tags (NP-SBJ) and empty elements
    #[arg(long, value_enum, value_name = "WHAT", default_value = "remove", help_heading = "Grammar")]
    strip: StripArg,
}

/// What happens to function tags and empty elements.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum StripArg {
    /// They are part of the labels
    Keep,
    /// They are removed before learning
    Remove,
}

/// What is to be done.
pub(crate) struct TrainPcfgJob {
    pub(crate) trees: Vec<PathBuf>,
    pub(crate) output: PathBuf,
    pub(crate) dev: Option<PathBuf>,
    pub(crate) tags: TagUse,
    pub(crate) bad_items: BadItems,
    pub(crate) annotation: Annotation,
    pub(crate) config: PcfgConfig,
    /// The orders, for the notes of the model.
    pub(crate) orders: (usize, usize),
}

impl TrainPcfgArgs {
    pub(crate) fn build(self) -> anyhow::Result<TrainPcfgJob> {
        if self.head_rules.is_some() && self.binarize != BinarizeArg::Head {
            return Err(UsageError("--head-rules is for --binarize head; add that option".to_owned()).into());
        }
        refuse_overwriting(
            &self.output,
            self.trees.iter().chain(&self.dev).chain(&self.head_rules).map(PathBuf::as_path),
        )?;
        let heads = rules_of(self.head_rules.as_deref())?;
        let (horizontal, vertical) =
            if self.markov { (1, 2) } else { (self.horizontal, usize::from(self.vertical)) };
        let normal_form = NormalForm {
            direction: self.binarize.direction(&heads),
            horizontal: Horizontal::Order(horizontal),
            vertical,
            ..NormalForm::default()
        };
        Ok(TrainPcfgJob {
            trees: self.trees,
            output: self.output,
            dev: self.dev,
            tags: self.tags.into(),
            bad_items: bad_items(self.skip_bad),
            annotation: match self.strip {
                StripArg::Keep => Annotation::Keep,
                StripArg::Remove => Annotation::Remove,
            },
            config: PcfgConfig { normal_form, ..PcfgConfig::default() },
            orders: (horizontal, vertical),
        })
    }
}
