//! `train pipeline`: options and what they mean.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use eigentree::corpus::format::conllu::Column;
use eigentree::models::mst::{MstConfig, Quality};
use eigentree::models::tagger::TaggerConfig;

use super::super::overwrite::refuse_overwriting;
use super::tagger::{LabelArgs, LabelJob, columns};
use crate::failure::UsageError;

/// Learn a pipeline from raw text to trees: tokeniser, tagger, dependency parser and, if asked for, entities
///
/// Everything goes into one model. With --text, clusters of words are learnt from text first and help tagger, parser and entities. The parser learns from
/// tags with errors like those that the tagger makes in new sentences: taggers of --folds parts of the treebank tag one another's.
#[derive(Debug, Args)]
#[command(after_help = "\
EXAMPLES
  eigentree train pipeline train.conllu --dev dev.conllu -o en.eig
  eigentree tag en.eig raw.txt -o annotated.conllu
  With clusters from tokenised text, one sentence a line, and with entities:
    eigentree train pipeline train.conllu --text text.txt.zst --entities train.bio -o en.eig
  With a grammar, for trees of phrases beside dependency trees:
    eigentree train lpcfg train.ptb -o grammar.eig
    eigentree train pipeline train.conllu --grammar grammar.eig -o en.eig
    eigentree parse en.eig raw.txt --format ptb -o trees.ptb
  Tags alone:
    eigentree train pipeline train.conllu --parser none -o en.eig")]
pub(crate) struct TrainPipelineArgs {
    /// Treebanks in CoNLL-U with `# text`
    #[arg(required = true, value_name = "TREEBANK")]
    treebanks: Vec<PathBuf>,
    /// Tokenised text to learn clusters of words from
    #[arg(long, value_name = "TEXT", conflicts_with = "clusters")]
    text: Option<PathBuf>,
    /// Two-column files to learn entities from
    #[arg(long, value_name = "FILE")]
    entities: Vec<PathBuf>,
    /// The columns of the tagger, between commas; those that are empty in the treebank are left out
    #[arg(long, value_name = "COLUMNS", value_delimiter = ',', default_value = "upos,xpos,feats")]
    columns: Vec<String>,
    /// How much effort goes into the parser [default: balanced, if the treebank has trees]
    #[arg(long, value_enum, value_name = "HOW")]
    parser: Option<ParserArg>,
    /// A grammar with latent states, as `train lpcfg` writes it, for trees of phrases (`parse --format ptb`)
    #[arg(long, value_name = "MODEL")]
    grammar: Option<PathBuf>,
    /// Into how many parts the treebank is cut for the tags that the parser learns from; with 1 it learns from the treebank's own
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u16).range(1..=100), help_heading = "Learning")]
    folds: u16,
    #[command(flatten)]
    common: LabelArgs,
}

/// The parser of a pipeline.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum ParserArg {
    /// There is none
    None,
    /// First order: arcs one by one
    Fast,
    /// Second order: arcs with their siblings and grandparents
    Balanced,
    /// Second order, more passes, more candidates
    Best,
}

/// When there is a parser.
pub(crate) enum ParserWish {
    /// Never.
    None,
    /// If the treebank has trees.
    IfTrees(MstConfig),
    /// In any case.
    Must(MstConfig),
}

/// What is to be done.
pub(crate) struct PipelineJob {
    pub(crate) label: LabelJob,
    pub(crate) columns: Vec<Column>,
    pub(crate) text: Option<PathBuf>,
    pub(crate) entities: Vec<PathBuf>,
    pub(crate) parser: ParserWish,
    pub(crate) grammar: Option<PathBuf>,
    pub(crate) folds: usize,
}

impl TrainPipelineArgs {
    pub(crate) fn build(self, seed: u64) -> Result<PipelineJob, UsageError> {
        refuse_overwriting(
            &self.common.output,
            self.text.iter().chain(&self.entities).chain(&self.grammar).map(PathBuf::as_path),
        )?;
        let columns = columns(&self.columns)?;
        let label = self.common.build(self.treebanks, TaggerConfig::default(), seed)?;
        let config = |quality| MstConfig { seed, ..MstConfig::quality(quality) };
        let parser = match self.parser {
            None => ParserWish::IfTrees(config(Quality::Balanced)),
            Some(ParserArg::None) => ParserWish::None,
            Some(ParserArg::Fast) => ParserWish::Must(config(Quality::Fast)),
            Some(ParserArg::Balanced) => ParserWish::Must(config(Quality::Balanced)),
            Some(ParserArg::Best) => ParserWish::Must(config(Quality::Best)),
        };
        let folds = usize::from(self.folds);
        Ok(PipelineJob {
            label,
            columns,
            text: self.text,
            entities: self.entities,
            parser,
            grammar: self.grammar,
            folds,
        })
    }
}
