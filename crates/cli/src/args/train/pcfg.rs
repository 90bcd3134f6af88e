//! `train pcfg`: options and what they mean.

use clap::Args;
use eigentree::models::pcfg::PcfgConfig;
use eigentree::parsing::TagUse;

use super::super::formats::TagsArg;
use super::super::heads::{BinarizeArg, rules_of};
use super::data::{DataArgs, TrainData};
use super::grammar::GrammarArgs;
use crate::failure::UsageError;

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
    #[command(flatten)]
    data: DataArgs,
    /// Whose tags are used when parsing the development trees
    #[arg(long, value_enum, value_name = "WHOSE", default_value = "predicted", requires = "dev")]
    tags: TagsArg,
    #[command(flatten)]
    grammar: GrammarArgs,
    /// Short for --vertical 2 --horizontal 1
    #[arg(long, conflicts_with_all = ["horizontal", "vertical"], help_heading = "Grammar")]
    markov: bool,
}

/// What is to be done.
pub(crate) struct TrainPcfgJob {
    pub(crate) data: TrainData,
    pub(crate) tags: TagUse,
    pub(crate) config: PcfgConfig,
}

impl TrainPcfgArgs {
    pub(crate) fn build(mut self) -> anyhow::Result<TrainPcfgJob> {
        if self.grammar.head_rules.is_some() && self.grammar.binarize != Some(BinarizeArg::Head) {
            return Err(UsageError("--head-rules is for --binarize head; add that option".to_owned()).into());
        }
        let data = self.data.build(self.grammar.head_rules.as_deref())?;
        let heads = rules_of(self.grammar.head_rules.as_deref())?;
        if self.markov {
            (self.grammar.horizontal, self.grammar.vertical) = (Some(1), Some(2));
        }
        let mut config = PcfgConfig::default();
        self.grammar.apply(&mut config, &heads);
        Ok(TrainPcfgJob { data, tags: self.tags.into(), config })
    }
}
