//! Options of the grammar without latent states: normal form and unseen rules.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use eigentree::corpus::tree::binarize::Horizontal;
use eigentree::corpus::tree::heads::HeadRules;
use eigentree::models::grammar::{RuleSmoothing, SiblingSmoothing};
use eigentree::models::pcfg::PcfgConfig;

use super::super::heads::BinarizeArg;

#[derive(Debug, Args)]
pub(in crate::args) struct GrammarArgs {
    /// Number of siblings that nodes created by binarisation remember [default: 1]
    #[arg(long, value_name = "N", help_heading = "Grammar")]
    pub(super) horizontal: Option<u8>,
    /// Vertical order: 1 for plain labels, 2 for labels annotated with their parent, and so on [default: 1]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(1..=16), help_heading = "Grammar")]
    pub(super) vertical: Option<u8>,
    /// Direction of binarisation [default: left]
    #[arg(long, value_enum, value_name = "DIRECTION", help_heading = "Grammar")]
    pub(super) binarize: Option<BinarizeArg>,
    /// Head rules: `english`, `similarity` for any label set, or a file with a table [default: english]
    #[arg(long, visible_alias = "heads", value_name = "RULES", help_heading = "Grammar")]
    pub(in crate::args) head_rules: Option<PathBuf>,
    /// Treatment of rules that do not occur in the treebank [default: none for pcfg, siblings for lpcfg]
    #[arg(long, value_enum, value_name = "METHOD", help_heading = "Grammar")]
    rule_smoothing: Option<RuleSmoothingArg>,
}

/// Treatment of rules that do not occur in the treebank.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum RuleSmoothingArg {
    /// They are impossible
    None,
    /// They are built from siblings that occur next to each other, or in the same kind of phrase
    Siblings,
}

impl GrammarArgs {
    /// Applies the options that were given; leaves all other settings alone.
    pub(in crate::args) fn apply(&self, config: &mut PcfgConfig, heads: &HeadRules) {
        let form = &mut config.normal_form;
        if let Some(order) = self.horizontal {
            form.horizontal = Horizontal::Order(usize::from(order));
        }
        if let Some(order) = self.vertical {
            form.vertical = usize::from(order);
        }
        if let Some(way) = self.binarize {
            form.direction = way.direction(heads);
        }
        if let Some(smoothing) = self.rule_smoothing {
            config.rule_smoothing = match smoothing {
                RuleSmoothingArg::None => RuleSmoothing::None,
                RuleSmoothingArg::Siblings => RuleSmoothing::Siblings(SiblingSmoothing::default()),
            };
        }
    }
}
