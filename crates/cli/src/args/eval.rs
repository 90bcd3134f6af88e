//! Options of `eval`.

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

use super::formats::{bad_items, read_formats};
use super::overwrite::refuse_overwriting;
use crate::failure::UsageError;

/// Score predicted trees, dependencies or entities against gold ones, and word clusters against tags or text
///
/// Trees are scored by the conventions of EVALB (COLLINS.prm), dependencies by those of the CoNLL 2018 shared task,
/// entities by those of conlleval. Both files must contain the same sentences in the same order. The format is inferred
/// from the names and contents of the files. Brown paths or a cluster model are scored by V-measure and many-to-one
/// accuracy if the gold file has tags, and by the mutual information of adjacent clusters if it is plain text.
#[derive(Debug, Args)]
#[command(after_help = "\
EXAMPLES
  Brackets of a constituency parser, for all sentences and for those of up to 40 words:
    eigentree eval dev.ptb parsed.ptb
  Compare two parsers by the paired bootstrap:
    eigentree eval dev.ptb parsed-a.ptb --compare parsed-b.ptb
  Dependencies without punctuation, as a Markdown table:
    eigentree eval dev.conllu parsed.conllu --no-punct --report markdown
  What is wrong, as tables and as a page with the worst sentences drawn:
    eigentree eval dev.conllu parsed.conllu --errors --train train.conllu
    eigentree eval dev.conllu parsed.conllu --html errors.html --sentences scores.tsv
  Word clusters against tags, and on plain text:
    eigentree eval dev.conllu paths.txt --prefix 8
    eigentree eval news.txt paths.txt
  One line of JSON for a script:
    eigentree eval dev.ptb parsed.ptb --json --quiet | tail -1 | jq .brackets.f1")]
pub(crate) struct EvalArgs {
    /// Gold file (ptb, conllu, conllx, bio or tagged; plain text for clusters); `-` is standard input
    gold: PathBuf,
    /// Predicted file; `(())` stands for a sentence without a tree
    predicted: PathBuf,
    /// A second prediction, to test whether it is better than the first
    #[arg(long, value_name = "FILE")]
    compare: Option<PathBuf>,
    /// Format of all files [default: detected]
    #[arg(long, value_parser = read_formats(&Format::CORPORA), value_name = "FORMAT")]
    format: Option<Format>,
    /// Report style
    #[arg(long, value_enum, value_name = "STYLE", default_value = "text")]
    report: ReportStyle,
    /// Output file for the report
    #[arg(long, short, value_name = "FILE", default_value = "-")]
    output: PathBuf,
    /// Skip what cannot be read: a bad gold sentence together with its prediction; a bad prediction counts as wrong
    #[arg(long)]
    skip_bad: bool,

    /// Longest sentence of the second table, in words including punctuation
    #[arg(long, alias = "max-length", value_name = "WORDS", default_value_t = 40, help_heading = "Trees")]
    max_words: usize,
    /// Score punctuation like other words
    #[arg(long, help_heading = "Trees")]
    keep_punct: bool,
    /// Punctuation tags, separated by spaces [default: , : `` '' .]
    #[arg(long, value_name = "TAGS", conflicts_with = "keep_punct", help_heading = "Trees")]
    punct_tags: Option<String>,
    /// Read the scoring conventions from an EVALB parameter file
    #[arg(long, value_name = "PRM", conflicts_with_all = ["keep_punct", "punct_tags"], help_heading = "Trees")]
    params: Option<PathBuf>,
    /// Compare spans without labels
    #[arg(long, help_heading = "Trees")]
    unlabelled: bool,
    /// Compare full labels, including function tags
    #[arg(long, help_heading = "Trees")]
    keep_functions: bool,
    /// Count a sentence with different words as a failure instead of stopping with an error
    #[arg(long, help_heading = "Trees")]
    allow_mismatch: bool,

    /// Exclude punctuation from UAS and LAS
    #[arg(long, help_heading = "Dependencies")]
    no_punct: bool,
    /// Compare full relations such as nsubj:pass instead of universal ones
    #[arg(long, help_heading = "Dependencies")]
    subtypes: bool,
    /// Allow tokens and sentences that differ from the gold file: compare what covers the same text
    #[arg(long, conflicts_with = "compare", help_heading = "Dependencies")]
    align: bool,

    /// Column of gold tags for clusters [default: upos, or xpos for words without upos]
    #[arg(long, value_enum, value_name = "COLUMN", help_heading = "Word clusters")]
    tags: Option<TagsArg>,
    /// Cut cluster paths after this many bits [default: whole paths]
    #[arg(long, value_name = "BITS", help_heading = "Word clusters")]
    prefix: Option<usize>,
    /// Treat a gold file without tags as one sequence: lines are not boundaries
    #[arg(long, help_heading = "Word clusters")]
    one_sequence: bool,

    /// Also report errors: by relation, tag, label and length, confusions, and the worst sentences
    #[arg(long, help_heading = "Errors")]
    errors: bool,
    /// Write the errors as an HTML page, with the worst sentences drawn side by side
    #[arg(long, value_name = "FILE", help_heading = "Errors")]
    html: Option<PathBuf>,
    /// Write one line per sentence with its scores, separated by tabs
    #[arg(long, value_name = "FILE", help_heading = "Errors")]
    sentences: Option<PathBuf>,
    /// Training data, to tell known from unknown words and entities
    #[arg(long, value_name = "FILE", help_heading = "Errors")]
    train: Option<PathBuf>,
    /// Number of worst sentences to show
    #[arg(long, value_name = "N", default_value_t = 20, help_heading = "Errors")]
    worst: usize,

    /// Number of bootstrap samples
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

/// Column of tags.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum TagsArg {
    /// Universal tags
    Upos,
    /// Language-specific tags
    Xpos,
}

/// How to score clusters.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct ClusterScoring {
    pub(crate) column: Option<TagColumn>,
    pub(crate) prefix: Option<usize>,
    pub(crate) boundaries: Boundaries,
}

/// Report style.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum ReportStyle {
    /// Tables aligned with spaces
    Text,
    /// Indented JSON
    Json,
    /// Markdown tables
    Markdown,
}

/// Validated options of `eval`.
pub(crate) struct EvalJob {
    pub(crate) gold: PathBuf,
    pub(crate) predicted: PathBuf,
    pub(crate) compare: Option<PathBuf>,
    pub(crate) format: Option<Format>,
    pub(crate) report: ReportStyle,
    pub(crate) output: PathBuf,
    /// An EVALB parameter file that replaces the default conventions for trees.
    pub(crate) params: Option<PathBuf>,
    pub(crate) scoring: ScoringConfig,
    /// Used if the prediction is a file of clusters.
    pub(crate) clusters: ClusterScoring,
    /// The analysis of errors, if it is wanted.
    pub(crate) errors: Option<ErrorsJob>,
}

/// Options of the analysis of errors.
pub(crate) struct ErrorsJob {
    pub(crate) tables: ErrorTables,
    pub(crate) html: Option<PathBuf>,
    pub(crate) sentences: Option<PathBuf>,
    pub(crate) train: Option<PathBuf>,
    pub(crate) worst: usize,
}

/// Whether the report has tables of errors.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ErrorTables {
    Show,
    Hide,
}

impl EvalArgs {
    pub(crate) fn build(self, seed: u64) -> Result<EvalJob, UsageError> {
        let files = [Some(&self.gold), Some(&self.predicted), self.compare.as_ref()];
        let from_stdin =
            files.into_iter().flatten().filter(|path| path.as_os_str() == STANDARD_STREAM).count();
        // A comparison reads the gold file twice.
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
        brackets.cutoff = Some(self.max_words);
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
        let errors = if self.errors || self.html.is_some() || self.sentences.is_some() || self.train.is_some()
        {
            let inputs = files.into_iter().flatten().chain(&self.train).map(PathBuf::as_path);
            for written in self.html.iter().chain(&self.sentences) {
                refuse_overwriting(written, inputs.clone())?;
            }
            if from_stdin > 0 {
                return Err(UsageError(
                    "the analysis of errors reads both files twice; give files instead of standard input"
                        .to_owned(),
                ));
            }
            if self.align {
                return Err(UsageError(
                    "--errors compares word by word and needs the same tokens; drop --align".to_owned(),
                ));
            }
            let quiet = !self.errors && (self.html.is_some() || self.sentences.is_some());
            Some(ErrorsJob {
                tables: if quiet { ErrorTables::Hide } else { ErrorTables::Show },
                html: self.html.clone(),
                sentences: self.sentences.clone(),
                train: self.train.clone(),
                worst: self.worst,
            })
        } else {
            None
        };
        Ok(EvalJob {
            errors,
            gold: self.gold,
            predicted: self.predicted,
            compare: self.compare,
            format: self.format,
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
