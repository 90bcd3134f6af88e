//! The grammar without latent states: its normal form, and rules that were never seen.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use eigentree::corpus::tree::binarize::Horizontal;
use eigentree::corpus::tree::heads::HeadRules;
use eigentree::models::grammar::{RuleSmoothing, SiblingSmoothing};
use eigentree::models::pcfg::PcfgConfig;

use super::super::heads::BinarizeArg;

#[derive(Debug, Args)]
pub(in crate::args) struct GrammarArgs {
    /// How many siblings the nodes made by binarisation remember [default: 1]
    #[arg(long, value_name = "N", help_heading = "Grammar")]
    pub(super) horizontal: Option<u8>,
    /// 1 for plain labels, 2 for labels with their parent, and so on [default: 1]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(1..=16), help_heading = "Grammar")]
    pub(super) vertical: Option<u8>,
    /// Which way nodes with many children are split [default: left]
    #[arg(long, value_enum, value_name = "WAY", help_heading = "Grammar")]
    pub(super) binarize: Option<BinarizeArg>,
    /// Which child heads a phrase: `english`, `similarity` for any labels, or a file with a table [default: english]
    #[arg(long, visible_alias = "heads", value_name = "RULES", help_heading = "Grammar")]
    pub(in crate::args) head_rules: Option<PathBuf>,
    /// What becomes of rules that the treebank does not have
    #[arg(long, value_enum, value_name = "HOW", help_heading = "Grammar")]
    rule_smoothing: Option<RuleSmoothingArg>,
}

/// What becomes of rules that the treebank does not have.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum RuleSmoothingArg {
    /// They are impossible
    None,
    /// They are made of siblings that occur beside one another, or in the same kind of phrase
    Siblings,
}

impl GrammarArgs {
    /// Changes what was asked for, and nothing else.
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
