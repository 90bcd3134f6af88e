//! Options of `tag`.

use std::path::PathBuf;

use clap::Args;
use eigentree::annotation::FORMATS;
use eigentree::conversion::Target;
use eigentree::models::head_automata::Objective;
use eigentree::parsing::Confidences;
use eigentree::reading::{BadItems, Format};

use super::formats::{bad_items, read_formats, write_formats};
use super::inputs::{InputArgs, Inputs};
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
    eigentree tag en.eig raw.txt -o annotated.conllu
    eigentree tag en.eig raw.txt --format jsonl --confidence -o annotated.jsonl
  All files of a folder into another, again after an interrupt:
    eigentree tag en.eig texts/ -o annotated/ --resume")]
pub(crate) struct TagArgs {
    /// Tagger or pipeline
    model: PathBuf,
    #[command(flatten)]
    inputs: InputArgs,
    /// Input format [default: from the file name; else text for pipelines, detected for taggers]
    #[arg(long, value_parser = read_formats(&INPUTS), value_name = "FORMAT")]
    input: Option<Format>,
    /// Output format [default: conllu; bio for entities of words that are not in CoNLL-U]
    #[arg(long, value_parser = write_formats(&FORMATS), value_name = "FORMAT")]
    format: Option<Target>,
    /// Write the K best label sequences of the first column, or the K best trees of a pipeline, each as a sentence with its
    /// rank and score
    #[arg(long, value_name = "K", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    nbest: u32,
    /// Write the probability of each label, entity and head
    #[arg(long, alias = "marginals")]
    confidence: bool,
    /// Skip sentences that cannot be read, and report them
    #[arg(long)]
    skip_bad: bool,
}

/// Input formats.
const INPUTS: [Format; 7] =
    [Format::Text, Format::Words, Format::Tagged, Format::Slashed, Format::Conllu, Format::Bio, Format::Ptb];

/// Validated options of `tag`, and of `parse` for models that annotate words.
pub(crate) struct TagJob {
    /// The name of the stage.
    pub(crate) stage: &'static str,
    pub(crate) model: PathBuf,
    pub(crate) inputs: Inputs,
    pub(crate) input: Option<Format>,
    pub(crate) format: Option<Target>,
    pub(crate) nbest: usize,
    pub(crate) confidences: Confidences,
    pub(crate) bad_items: BadItems,
    /// What head automata choose trees by.
    pub(crate) objective: Objective,
}

impl TagArgs {
    pub(crate) fn build(self) -> Result<TagJob, UsageError> {
        Ok(TagJob {
            stage: "tag",
            inputs: self.inputs.build(&self.model)?,
            model: self.model,
            input: self.input,
            format: self.format,
            nbest: self.nbest as usize,
            confidences: if self.confidence { Confidences::Compute } else { Confidences::Skip },
            bad_items: bad_items(self.skip_bad),
            objective: Objective::default(),
        })
    }
}
