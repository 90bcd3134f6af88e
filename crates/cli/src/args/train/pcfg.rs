//! Options of `train pcfg`.

use clap::Args;
use eigentree::models::pcfg::PcfgConfig;
use eigentree::training::PcfgJob;

use super::super::formats::TagsArg;
use super::super::heads::{BinarizeArg, rules_of};
use super::data::{DataArgs, TrainData};
use super::grammar::GrammarArgs;
use crate::failure::UsageError;

/// Train a probabilistic context-free grammar on constituency trees
///
/// Trees are binarised. Nodes created by binarisation remember their nearest siblings, and labels may remember their
/// parents. Rule probabilities are relative frequencies. Unknown words get their tags from their form.
#[derive(Debug, Args)]
#[command(after_help = "\
EXAMPLES
  A grammar, scored on a development set:
    eigentree train pcfg train.ptb --dev dev.ptb -o en.eig
  The Markovised grammar of Klein and Manning (2003), from several compressed files:
    eigentree train pcfg part1.ptb.gz part2.ptb.zst --markov -o en.eig
  Head-outward binarisation, with head rules for any label set, or your own:
    eigentree train pcfg train.ptb --binarize head --head-rules similarity -o xx.eig
    eigentree train pcfg train.ptb --binarize head --head-rules heads.txt -o xx.eig
  A synthetic treebank, and a grammar trained on it:
    eigentree sample english -n 5000 -o sample.ptb
    eigentree train pcfg sample.ptb -o sample.eig
    echo 'the dog saw a cat .' | eigentree parse sample.eig")]
pub(crate) struct TrainPcfgArgs {
    #[command(flatten)]
    data: DataArgs,
    /// Source of the tags when parsing the development trees
    #[arg(long, value_enum, value_name = "SOURCE", default_value = "predicted", requires = "dev")]
    tags: TagsArg,
    #[command(flatten)]
    grammar: GrammarArgs,
    /// Same as --vertical 2 --horizontal 1
    #[arg(long, conflicts_with_all = ["horizontal", "vertical"], help_heading = "Grammar")]
    markov: bool,
}

impl TrainPcfgArgs {
    pub(crate) fn build(mut self) -> anyhow::Result<(TrainData, PcfgJob)> {
        if self.grammar.head_rules.is_some() && self.grammar.binarize != Some(BinarizeArg::Head) {
            return Err(UsageError(
                "--head-rules applies only to --binarize head; add that option".to_owned(),
            )
            .into());
        }
        let data = self.data.build(self.grammar.head_rules.as_deref())?;
        let heads = rules_of(self.grammar.head_rules.as_deref())?;
        if self.markov {
            (self.grammar.horizontal, self.grammar.vertical) = (Some(1), Some(2));
        }
        let mut config = PcfgConfig::default();
        self.grammar.apply(&mut config, &heads);
        let mut job = PcfgJob::new(config);
        job.annotation = data.annotation;
        job.scored_tags = vec![self.tags.into()];
        Ok((data, job))
    }
}
