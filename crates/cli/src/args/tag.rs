//! `tag`: options and what they mean.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use eigentree::parsing::Confidences;
use eigentree::reading::{BadItems, Format};

use super::formats::bad_items;
use super::overwrite::refuse_overwriting;
use crate::failure::UsageError;

/// Label words with a tagger, find entities, or take raw text through a pipeline
///
/// CoNLL-U keeps all its columns but those that the model labels. Words become CoNLL-U; entities are written in two columns, or into MISC of CoNLL-U as
/// `NER=`. A pipeline reads raw text: paragraphs end at empty lines, and MISC has the place of each token in the input, in characters, as
/// `start_char` and `end_char`. It takes words that are given, as in CoNLL-U, too; its own tags and trees replace those that are there.
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
    /// A tagger, or a pipeline
    model: PathBuf,
    /// What is to be labelled; `-` is standard input
    #[arg(default_value = "-")]
    file: PathBuf,
    /// Where the labels go
    #[arg(long, short, value_name = "FILE", default_value = "-")]
    output: PathBuf,
    /// What the input is [default: by its name; else text for pipelines, and by its first lines for taggers]
    #[arg(long, value_enum, value_name = "WHAT")]
    input: Option<TagInputArg>,
    /// The K best sequences of the first column, each as a sentence with its rank and log-probability
    #[arg(long, value_name = "K", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    nbest: u32,
    /// Write the probability of each label into MISC
    #[arg(long)]
    confidence: bool,
    /// Go on after sentences that cannot be read, and report them
    #[arg(long)]
    skip_bad: bool,
}

/// What the input is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum TagInputArg {
    /// Raw text, for pipelines
    Text,
    /// One sentence a line, words between blanks
    Words,
    /// CoNLL-U
    Conllu,
    /// Two columns
    Bio,
    /// Trees, of which the words are used
    Ptb,
}

/// What is to be done.
pub(crate) struct TagJob {
    pub(crate) model: PathBuf,
    pub(crate) file: PathBuf,
    pub(crate) output: PathBuf,
    pub(crate) input: Option<TagInputArg>,
    pub(crate) nbest: usize,
    pub(crate) confidences: Confidences,
    pub(crate) bad_items: BadItems,
}

impl TagInputArg {
    /// The format that such sentences are stored in; raw text has none.
    pub(crate) fn format(self) -> Option<Format> {
        match self {
            TagInputArg::Text => None,
            TagInputArg::Words => Some(Format::Words),
            TagInputArg::Conllu => Some(Format::Conllu),
            TagInputArg::Bio => Some(Format::Bio),
            TagInputArg::Ptb => Some(Format::Ptb),
        }
    }
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
