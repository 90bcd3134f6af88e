//! `eval`: options and what they mean.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use eigentree::conversion::TagColumn;
use eigentree::corpus::cooccurrence::Boundaries;
use eigentree::eval::attachment::{AttachmentConfig, Subtypes};
use eigentree::eval::brackets::{BracketConfig, FunctionTags, Labelling, Mismatch};
use eigentree::eval::significance::BootstrapConfig;
use eigentree::files::STANDARD_STREAM;
use eigentree::reading::Format;
use eigentree::scoring::{Punctuation, ScoringConfig, Tokens};

use super::formats::{ReadFormat, bad_items};
use super::overwrite::refuse_overwriting;
use crate::failure::UsageError;

/// Score predicted trees, dependencies or entities against gold ones, and clusters against tags or text
///
/// Trees are scored by the conventions of EVALB (COLLINS.prm), dependencies by those of the CoNLL 2018 shared task,
/// entities by those of conlleval. Both files must hold the same sentences in the same order. The format is told from
/// the names and the contents of the files. Brown paths, or a model of clusters, are scored by V-measure and many-to-one accuracy against
/// a gold file with tags, and by the mutual information of neighbours on a text without.
#[derive(Debug, Args)]
#[command(after_help = "\
EXAMPLES
  Brackets of a constituency parser, all lengths and up to 40 words:
    eigentree eval dev.ptb parsed.ptb
  Two parsers against each other, by the paired bootstrap:
    eigentree eval dev.ptb parsed-a.ptb --compare parsed-b.ptb
  Dependencies, punctuation left out, as a Markdown table:
    eigentree eval dev.conllu parsed.conllu --no-punct --report markdown
  Clusters of words against tags, and on a text:
    eigentree eval dev.conllu paths.txt --prefix 8
    eigentree eval news.txt paths.txt
  One line of JSON for a script:
    eigentree eval dev.ptb parsed.ptb --json --quiet | tail -1 | jq .brackets.f1")]
pub(crate) struct EvalArgs {
    /// The gold file (ptb, conllu, conllx, bio or tagged; text for clusters; `-` for standard input)
    gold: PathBuf,
    /// The predicted file; `(())` stands for a sentence without a tree
    predicted: PathBuf,
    /// A second prediction: is it better than the first?
    #[arg(long, value_name = "FILE")]
    compare: Option<PathBuf>,
    /// The format of all files [default: detected]
    #[arg(long, value_enum, value_name = "FORMAT")]
    format: Option<ReadFormat>,
    /// How the figures are shown
    #[arg(long, value_enum, value_name = "STYLE", default_value = "text")]
    report: ReportStyle,
    /// Where the figures are written
    #[arg(long, short, value_name = "FILE", default_value = "-")]
    output: PathBuf,
    /// Leave out what cannot be read: a bad gold sentence with its prediction; a bad prediction counts as wrong
    #[arg(long)]
    skip_bad: bool,

    /// Longest sentences of the second table, in words with punctuation
    #[arg(long, value_name = "WORDS", default_value_t = 40, help_heading = "Trees")]
    max_length: usize,
    /// Count punctuation like other words
    #[arg(long, help_heading = "Trees")]
    keep_punct: bool,
    /// Tags of punctuation, separated by blanks [default: , : `` '' .]
    #[arg(long, value_name = "TAGS", conflicts_with = "keep_punct", help_heading = "Trees")]
    punct_tags: Option<String>,
    /// Take the conventions from a parameter file of EVALB
    #[arg(long, value_name = "PRM", conflicts_with_all = ["keep_punct", "punct_tags"], help_heading = "Trees")]
    params: Option<PathBuf>,
    /// Compare spans without labels
    #[arg(long, help_heading = "Trees")]
    unlabelled: bool,
    /// Compare whole labels, with function tags
    #[arg(long, help_heading = "Trees")]
    keep_functions: bool,
    /// Count a sentence whose words differ as a failure instead of stopping
    #[arg(long, help_heading = "Trees")]
    allow_mismatch: bool,

    /// Leave punctuation out of UAS and LAS
    #[arg(long, help_heading = "Dependencies")]
    no_punct: bool,
    /// Compare whole relations, nsubj:pass, instead of universal ones
    #[arg(long, help_heading = "Dependencies")]
    subtypes: bool,
    /// Allow other tokens and sentences than the gold file has: compare what stands at the same place
    #[arg(long, conflicts_with = "compare", help_heading = "Dependencies")]
    align: bool,

    /// Compare clusters with this column of tags [default: upos, and xpos for words without]
    #[arg(long, value_enum, value_name = "COLUMN", help_heading = "Word clusters")]
    tags: Option<TagsArg>,
    /// Cut the paths of clusters after so many bits
    #[arg(long, value_name = "BITS", help_heading = "Word clusters")]
    prefix: Option<usize>,
    /// Take a gold file without tags for one sequence, whose lines do not end anything
    #[arg(long, help_heading = "Word clusters")]
    one_sequence: bool,

    /// Resamples of the bootstrap
    #[arg(
        long,
        value_name = "N",
        default_value_t = 10_000,
        value_parser = clap::value_parser!(u32).range(1..=100_000_000),
        requires = "compare",
        help_heading = "Comparison"
    )]
    resamples: u32,
}

/// A column of tags.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum TagsArg {
    /// Universal tags
    Upos,
    /// Tags of the language
    Xpos,
}

/// How clusters are scored.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct ClusterScoring {
    pub(crate) column: Option<TagColumn>,
    pub(crate) prefix: Option<usize>,
    pub(crate) boundaries: Boundaries,
}

/// How figures are shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum ReportStyle {
    /// Tables lined up with blanks
    Text,
    /// Indented JSON
    Json,
    /// Markdown tables
    Markdown,
}

/// What is to be done.
pub(crate) struct EvalJob {
    pub(crate) gold: PathBuf,
    pub(crate) predicted: PathBuf,
    pub(crate) compare: Option<PathBuf>,
    pub(crate) format: Option<Format>,
    pub(crate) report: ReportStyle,
    pub(crate) output: PathBuf,
    /// A file that replaces the conventions for trees.
    pub(crate) params: Option<PathBuf>,
    pub(crate) scoring: ScoringConfig,
    /// For a prediction that is clusters.
    pub(crate) clusters: ClusterScoring,
}

impl EvalArgs {
    pub(crate) fn build(self, seed: u64) -> Result<EvalJob, UsageError> {
        let files = [Some(&self.gold), Some(&self.predicted), self.compare.as_ref()];
        let from_stdin =
            files.into_iter().flatten().filter(|path| path.as_os_str() == STANDARD_STREAM).count();
        // With a comparison the gold file is read twice.
        if from_stdin > 1 || (self.compare.is_some() && self.gold.as_os_str() == STANDARD_STREAM) {
            return Err(UsageError("standard input can be read once only; give files instead".to_owned()));
        }
        refuse_overwriting(
            &self.output,
            files.into_iter().flatten().chain(&self.params).map(PathBuf::as_path),
        )?;
        let mut brackets = match &self.punct_tags {
            _ if self.keep_punct => BracketConfig::without_deletion(),
            Some(tags) => BracketConfig::collins().with_punctuation(tags.split_whitespace()),
            None => BracketConfig::collins(),
        };
        brackets.cutoff = Some(self.max_length);
        if self.unlabelled {
            brackets.labelling = Labelling::Unlabelled;
        }
        if self.keep_functions {
            brackets.function_tags = FunctionTags::Keep;
        }
        if self.allow_mismatch {
            brackets.mismatch = Mismatch::CountAsFailure;
        }
        let scoring = ScoringConfig {
            brackets,
            attachment: AttachmentConfig {
                subtypes: if self.subtypes { Subtypes::Keep } else { Subtypes::Cut },
            },
            punctuation: if self.no_punct { Punctuation::LeftOut } else { Punctuation::Counts },
            tokens: if self.align { Tokens::Align } else { Tokens::Same },
            bootstrap: BootstrapConfig {
                resamples: self.resamples as usize,
                seed,
                ..BootstrapConfig::default()
            },
            bad_items: bad_items(self.skip_bad),
        };
        Ok(EvalJob {
            gold: self.gold,
            predicted: self.predicted,
            compare: self.compare,
            format: self.format.map(Format::from),
            report: self.report,
            output: self.output,
            params: self.params,
            scoring,
            clusters: ClusterScoring {
                column: self.tags.map(|tags| match tags {
                    TagsArg::Upos => TagColumn::Upos,
                    TagsArg::Xpos => TagColumn::Xpos,
                }),
                prefix: self.prefix,
                boundaries: if self.one_sequence { Boundaries::None } else { Boundaries::Lines },
            },
        })
    }
}
