//! Options of `check`.

use std::path::PathBuf;

use clap::Args;
use eigentree::checking::CheckConfig;
use eigentree::reading::Format;

use super::formats::read_formats;
use super::overwrite::refuse_overwriting;
use crate::failure::UsageError;

/// Check treebanks for errors before training on them
///
/// Reports invalid trees (cycles, several roots, unbalanced brackets), rare labels and labels that the training data
/// lacks, duplicate sentences across files, and inconsistent labels: the same word within the same words, labelled
/// differently. The first file is the training data, the others are held out. Exit code: 0 if there are no errors, 1 if
/// there are, or warnings with --strict.
#[derive(Debug, Args)]
#[command(after_help = "\
EXAMPLES
  All splits of a treebank together:
    eigentree check train.conllu dev.conllu test.conllu
  Trees, with shorter contexts for inconsistent tags:
    eigentree check train.ptb --context 1
  For a script, with all findings:
    eigentree check train.conllu --report json -o findings.json --strict")]
pub(crate) struct CheckArgs {
    /// Files of one format: trees (ptb), dependencies (conllu, conllx) or entities (bio)
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Format of all files [default: detected]
    #[arg(long, value_parser = read_formats(&Format::CORPORA), value_name = "FORMAT")]
    format: Option<Format>,
    /// Report labels that occur less often
    #[arg(long, value_name = "N", default_value_t = CheckConfig::default().rare)]
    rare: usize,
    /// Number of equal words on each side of a word whose label varies
    #[arg(long, value_name = "WORDS", default_value_t = CheckConfig::default().context as u16,
        value_parser = clap::value_parser!(u16).range(1..=20))]
    context: u16,
    /// Shortest sentence that is reported as a duplicate
    #[arg(long, value_name = "WORDS", default_value_t = CheckConfig::default().duplicate_words)]
    duplicate_words: usize,
    /// Findings of each kind to show in text
    #[arg(long, value_name = "N", default_value_t = 10)]
    show: usize,
    /// Treat warnings like errors
    #[arg(long)]
    strict: bool,
    /// Report style
    #[arg(long, value_enum, value_name = "STYLE", default_value = "text")]
    report: CheckStyle,
    /// Output file for the report
    #[arg(long, short, value_name = "FILE", default_value = "-")]
    output: PathBuf,
}

/// Report style.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
pub(crate) enum CheckStyle {
    /// Findings grouped by kind
    Text,
    /// Indented JSON with all findings
    Json,
}

/// What makes the command fail.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Strictness {
    /// Errors.
    Errors,
    /// Errors and warnings.
    Warnings,
}

/// Validated options of `check`.
pub(crate) struct CheckJob {
    pub(crate) files: Vec<PathBuf>,
    pub(crate) config: CheckConfig,
    pub(crate) show: usize,
    pub(crate) strictness: Strictness,
    pub(crate) report: CheckStyle,
    pub(crate) output: PathBuf,
}

impl CheckArgs {
    pub(crate) fn build(self) -> Result<CheckJob, UsageError> {
        refuse_overwriting(&self.output, self.files.iter().map(PathBuf::as_path))?;
        let defaults = CheckConfig::default();
        let context = usize::from(self.context);
        Ok(CheckJob {
            config: CheckConfig {
                format: self.format,
                rare: self.rare,
                duplicate_words: self.duplicate_words,
                context,
                longest_context: defaults.longest_context.max(context),
            },
            files: self.files,
            show: self.show,
            strictness: if self.strict { Strictness::Warnings } else { Strictness::Errors },
            report: self.report,
            output: self.output,
        })
    }
}
