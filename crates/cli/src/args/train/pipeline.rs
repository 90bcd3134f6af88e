//! Options of `train pipeline`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use eigentree::models::mst::{MstConfig, Quality};
use eigentree::models::tagger::TaggerConfig;
use eigentree::training::{PipelineJob, PipelineParser};

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
    #[arg(long, value_name = "COLUMNS", value_delimiter = ',', default_value = "upos,xpos,feats,lemma")]
    columns: Vec<String>,
    /// Words with their lemmas, for words that the treebank does not have: form, lemma, UPOS and optionally FEATS,
    /// separated by tabs
    #[arg(long, value_name = "FILE")]
    lexicon: Option<PathBuf>,
    /// Training effort of the parser [default: balanced, if the treebank has trees]
    #[arg(long, value_enum, value_name = "LEVEL")]
    parser: Option<ParserArg>,
    /// Treebank of another language for the parser to learn from as well: its tags, features and universal relations,
    /// not its words. May be given several times
    #[arg(long, value_name = "TREEBANK")]
    source: Vec<PathBuf>,
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
    /// Second order: arcs with their siblings and grandparents; a network helps, and labels choose among four trees
    Balanced,
    /// Second order, with more passes, averaged over three shuffles; three networks, and labels choose among eight trees
    Best,
}

/// Files that a pipeline is learnt from.
pub(crate) struct PipelineFiles {
    pub(crate) label: LabelJob,
    pub(crate) text: Option<PathBuf>,
    pub(crate) entities: Vec<PathBuf>,
    pub(crate) grammar: Option<PathBuf>,
    pub(crate) source: Vec<PathBuf>,
}

impl TrainPipelineArgs {
    pub(crate) fn build(self, seed: u64) -> Result<(PipelineFiles, PipelineJob), UsageError> {
        refuse_overwriting(
            &self.common.output,
            self.text
                .iter()
                .chain(&self.entities)
                .chain(&self.grammar)
                .chain(&self.lexicon)
                .chain(&self.source)
                .map(PathBuf::as_path),
        )?;
        if !self.source.is_empty() && matches!(self.parser, Some(ParserArg::None)) {
            return Err(UsageError(
                "--source is for the parser, and --parser none leaves it out; give only one of them"
                    .to_owned(),
            ));
        }
        let mut job = PipelineJob::default();
        job.columns = columns(&self.columns)?;
        // The tagger is as thorough as the parser that follows it.
        let quality = match self.parser {
            Some(ParserArg::Fast) => Quality::Fast,
            Some(ParserArg::Best) => Quality::Best,
            None | Some(ParserArg::None | ParserArg::Balanced) => Quality::default(),
        };
        let label = self.common.build(self.treebanks, TaggerConfig::quality(quality), seed)?;
        let label = LabelJob { lexicon: self.lexicon, ..label };
        job.tagger = label.config.clone();
        job.entities = TaggerConfig { seed, ..TaggerConfig::entities() };
        let config = |quality| MstConfig { seed, ..MstConfig::quality(quality) };
        job.parser = match self.parser {
            None => PipelineParser::IfTrees(config(quality)),
            Some(ParserArg::None) => PipelineParser::None,
            Some(ParserArg::Fast | ParserArg::Balanced | ParserArg::Best) => {
                PipelineParser::Always(config(quality))
            }
        };
        job.folds = usize::from(self.folds);
        let Self { text, entities, grammar, source, .. } = self;
        Ok((PipelineFiles { label, text, entities, grammar, source }, job))
    }
}
