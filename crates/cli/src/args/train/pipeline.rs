//! Options of `train pipeline`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use eigentree::corpus::format::conllu::Column;
use eigentree::models::mst::{MstConfig, Quality};
use eigentree::models::tagger::TaggerConfig;

use super::super::overwrite::refuse_overwriting;
use super::tagger::{LabelArgs, LabelJob, columns};
use crate::failure::UsageError;

/// Train a pipeline from raw text to trees: tokenizer, tagger, dependency parser and, on request, named entities
///
/// All parts go into one model. With --text, word clusters are learnt from text first and help the tagger, the parser
/// and the entity recogniser. The parser learns from predicted tags, so that it sees errors like those of the tagger on
/// new text: the treebank is cut into --folds parts, and each is tagged by a tagger trained on the others.
#[derive(Debug, Args)]
#[command(after_help = "\
EXAMPLES
  eigentree train pipeline train.conllu --dev dev.conllu -o en.eig
  eigentree tag en.eig raw.txt -o annotated.conllu
  With clusters from tokenised text, one sentence per line, and with named entities:
    eigentree train pipeline train.conllu --text text.txt.zst --entities train.bio -o en.eig
  With a grammar, for phrase-structure trees beside dependency trees:
    eigentree train lpcfg train.ptb -o grammar.eig
    eigentree train pipeline train.conllu --grammar grammar.eig -o en.eig
    eigentree parse en.eig raw.txt --format ptb -o trees.ptb
  Tags only:
    eigentree train pipeline train.conllu --parser none -o en.eig")]
pub(crate) struct TrainPipelineArgs {
    /// Training treebanks in CoNLL-U with `# text` comments
    #[arg(required = true, value_name = "TREEBANK")]
    treebanks: Vec<PathBuf>,
    /// Tokenised text to learn word clusters from
    #[arg(long, value_name = "TEXT", conflicts_with = "clusters")]
    text: Option<PathBuf>,
    /// Two-column files to learn named entities from
    #[arg(long, value_name = "FILE")]
    entities: Vec<PathBuf>,
    /// Columns of the tagger, separated by commas; columns that are empty in the treebank are left out
    #[arg(long, value_name = "COLUMNS", value_delimiter = ',', default_value = "upos,xpos,feats")]
    columns: Vec<String>,
    /// Training effort of the parser [default: balanced, if the treebank has trees]
    #[arg(long, value_enum, value_name = "LEVEL")]
    parser: Option<ParserArg>,
    /// Grammar with latent states written by `train lpcfg`, for phrase-structure trees (`parse --format ptb`)
    #[arg(long, value_name = "MODEL")]
    grammar: Option<PathBuf>,
    /// Number of parts for predicting the tags that the parser learns from; 1 uses the gold tags
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u16).range(1..=100), help_heading = "Learning")]
    folds: u16,
    #[command(flatten)]
    common: LabelArgs,
}

/// The parser of a pipeline.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum ParserArg {
    /// No parser
    None,
    /// First order: single arcs
    Fast,
    /// Second order: arcs with their siblings and grandparents
    Balanced,
    /// Second order, with more passes and more candidates
    Best,
}

/// Whether to train a parser.
pub(crate) enum ParserWish {
    /// Never.
    None,
    /// Only if the treebank has trees.
    IfTrees(MstConfig),
    /// Always; a treebank without trees is an error.
    Must(MstConfig),
}

/// Validated options of `train pipeline`.
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
