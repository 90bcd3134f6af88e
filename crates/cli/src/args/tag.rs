//! Options of `tag`.

use std::path::PathBuf;

use clap::Args;
use eigentree::parsing::Confidences;
use eigentree::reading::{BadItems, Format};

use super::formats::{bad_items, read_formats};
use super::overwrite::refuse_overwriting;
use crate::failure::UsageError;

/// Tag words, find named entities, or annotate raw text with a pipeline
///
/// CoNLL-U input keeps all columns except those that the model predicts. Plain words become CoNLL-U. Entities are
/// written in two columns, or as `NER=` in the MISC column of CoNLL-U. A pipeline reads raw text: empty lines end
/// paragraphs, and MISC gives the position of each token in the input, in characters, as `start_char` and `end_char`.
/// It also accepts tokenised input such as CoNLL-U, whose tags and trees it replaces.
#[derive(Debug, Args)]
#[command(after_help = "\
EXAMPLES
  eigentree tag tagger.eig dev.conllu -o tagged.conllu
  eigentree eval dev.conllu tagged.conllu
  echo 'The dog barks .' | eigentree tag tagger.eig --input words --confidence
  eigentree tag ner.eig test.bio -o tagged.bio
  Raw text:
    eigentree tag en.eig raw.txt -o annotated.conllu")]
pub(crate) struct TagArgs {
    /// Tagger or pipeline
    model: PathBuf,
    /// Input file; `-` is standard input
    #[arg(default_value = "-")]
    file: PathBuf,
    /// Output file
    #[arg(long, short, value_name = "FILE", default_value = "-")]
    output: PathBuf,
    /// Input format [default: from the file name; else text for pipelines, detected for taggers]
    #[arg(long, value_parser = read_formats(&INPUTS), value_name = "FORMAT")]
    input: Option<Format>,
    /// Write the K best label sequences of the first column, each as a sentence with its rank and log-probability
    #[arg(long, value_name = "K", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    nbest: u32,
    /// Write the probability of each label to MISC
    #[arg(long, alias = "marginals")]
    confidence: bool,
    /// Skip sentences that cannot be read, and report them
    #[arg(long)]
    skip_bad: bool,
}

/// Input formats.
const INPUTS: [Format; 5] = [Format::Text, Format::Words, Format::Conllu, Format::Bio, Format::Ptb];

/// Validated options of `tag`.
pub(crate) struct TagJob {
    pub(crate) model: PathBuf,
    pub(crate) file: PathBuf,
    pub(crate) output: PathBuf,
    pub(crate) input: Option<Format>,
    pub(crate) nbest: usize,
    pub(crate) confidences: Confidences,
    pub(crate) bad_items: BadItems,
}

impl TagArgs {
    pub(crate) fn build(self) -> Result<TagJob, UsageError> {
        refuse_overwriting(&self.output, [self.model.as_path(), self.file.as_path()])?;
        Ok(TagJob {
            model: self.model,
            file: self.file,
            output: self.output,
            input: self.input,
            nbest: self.nbest as usize,
            confidences: if self.confidence { Confidences::Compute } else { Confidences::Skip },
            bad_items: bad_items(self.skip_bad),
        })
    }
}
