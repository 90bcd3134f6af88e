//! Options of `parse`.

use std::path::{Path, PathBuf};
use std::str::FromStr;

use clap::{Args, ValueEnum};
use eigentree::conversion::{Drawing, Target};
use eigentree::files::STANDARD_STREAM;
use eigentree::models::head_automata::{HeadAutomata, Objective};
use eigentree::models::lpcfg;
use eigentree::models::pcfg::{Decoding, ParserConfig, PrunerConfig, Pruning};
use eigentree::parsing::{Confidences, ParseSinkConfig, StreamConfig, TagUse};
use eigentree::reading::Format;

use super::formats::{TagColumnArg, TagsArg, bad_items, read_formats, write_formats};
use super::inputs::{InputArgs, Inputs};
use super::overwrite::refuse_overwriting;
use super::tag::TagJob;
use crate::failure::UsageError;

/// Parse sentences with a grammar, a dependency parser or a pipeline
///
/// Writes exactly one tree per sentence, in input order, one tree per line. A sentence that the grammar cannot derive
/// is returned in pieces below a node FALLBACK; such sentences are counted. An empty line, or a sentence skipped by
/// --skip-bad, gives `(())`, so input and output lines correspond.
#[derive(Debug, Args)]
#[command(after_help = "\
EXAMPLES
  Tokenised sentences from standard input:
    echo 'The dog barks .' | eigentree parse en.eig
  The words of a treebank, to be scored against its trees:
    eigentree parse en.eig dev.ptb -o parsed.ptb
    eigentree eval dev.ptb parsed.ptb
  The same with the gold tags of the treebank:
    eigentree parse en.eig dev.ptb --tags given -o parsed.ptb
  Your own tags, the five best trees, as JSON:
    echo 'Time_NN flies_VBZ' | eigentree parse en.eig --input tagged --nbest 5 --format json
  A drawing:
    echo 'The dog barks .' | eigentree parse en.eig --format drawing
  Confidence of each span, as JSON or in a file beside the trees:
    echo 'The dog barks .' | eigentree parse en.eig --confidence
    eigentree parse latent.eig dev.ptb --confidence -o parsed.ptb
  Raw text through a pipeline to dependency trees, or with its grammar to phrase-structure trees:
    eigentree parse pipeline.eig raw.txt -o annotated.conllu
    eigentree parse pipeline.eig raw.txt --format ptb -o phrases.ptb
  Dependency parser: tagged CoNLL-U in, CoNLL-U out, with the best tree or the 50 best trees per sentence:
    eigentree parse mst.eig dev.conllu -o parsed.conllu
    eigentree parse mst.eig dev.conllu --nbest 50 --confidence -o lists.conllu
  All files of a folder into another, again after an interrupt:
    eigentree parse pipeline.eig texts/ -o annotated/ --resume")]
pub(crate) struct ParseArgs {
    /// Model written by `train`
    model: PathBuf,
    #[command(flatten)]
    inputs: InputArgs,
    /// Input format [default: from the file name, else words]
    #[arg(long, value_parser = read_formats(&INPUTS), value_name = "FORMAT")]
    input: Option<Format>,
    /// Source of the tags: `given` takes them from the input or from the tagger of a pipeline [default: given for
    /// tagged and tags, else predicted]
    #[arg(long, value_enum, value_name = "SOURCE")]
    tags: Option<TagsArg>,
    /// CoNLL-U column of the given tags
    #[arg(long, value_enum, value_name = "COLUMN", default_value = "xpos")]
    tag_column: TagColumnArg,
    /// Output format [default: ptb; conllu for dependency parsers and pipelines]
    #[arg(long, value_parser = write_formats(&OUTPUTS), value_name = "FORMAT")]
    format: Option<Target>,
    /// Width of a drawing, in columns; wider trees are drawn as outlines
    #[arg(long, value_name = "COLUMNS", default_value_t = 100)]
    width: usize,
    /// Write the K best trees per sentence; above 1, a blank line ends each list
    #[arg(long, value_name = "K", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    nbest: u32,
    /// Write the model's confidence in each span: in json as `spans`, in drawings after the labels, for ptb as JSON
    /// lines in FILE.marginals.jsonl beside the output, in conllu as Confidence in MISC [default format on standard
    /// output: json]
    #[arg(long, visible_alias = "marginals")]
    confidence: bool,
    /// Skip sentences that cannot be read, and report them
    #[arg(long)]
    skip_bad: bool,

    /// Search as the paper behind the model does, for models learnt with --paper: the largest sum of absolute posteriors,
    /// pruned at 0.00005
    #[arg(long, conflicts_with_all = ["decode", "prune"], help_heading = "Search")]
    paper: bool,
    /// Criterion for the best tree; the rules of head automata are arcs, and other dependency parsers have their own
    #[arg(
        long,
        value_enum,
        value_name = "CRITERION",
        default_value = "max-rule-product",
        help_heading = "Search"
    )]
    decode: DecodeArg,
    /// Prune what a coarser grammar finds less probable than this; `none` searches exhaustively (models without latent
    /// states only) [default: 3e-6; 1e-4 with latent states]
    #[arg(long, value_name = "THRESHOLD", help_heading = "Search")]
    prune: Option<PruneArg>,
    /// Longest sentence to parse; longer ones get a flat fallback tree
    #[arg(long, value_name = "WORDS", default_value_t = ParserConfig::default().max_words, help_heading = "Search")]
    max_words: usize,
}

/// Input formats.
const INPUTS: [Format; 7] = [
    Format::Words,
    Format::Tagged,
    Format::Slashed,
    Format::Tags,
    Format::Ptb,
    Format::Conllu,
    Format::Conllx,
];

/// Output formats: brackets and drawings for grammars, the others for all models.
const OUTPUTS: [Target; 9] = [
    Target::Ptb,
    Target::Json,
    Target::Drawing(Drawing::Svg),
    Target::Drawing(Drawing::Html),
    Target::Drawing(Drawing::Terminal),
    Target::Conllu,
    Target::Jsonl,
    Target::Tsv,
    Target::Spans,
];

/// Kind of trees an output format can hold.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Wanted {
    /// Whatever the model produces.
    Any,
    /// JSON, which holds either, but not alike.
    Json,
    /// Phrase-structure trees alone.
    Phrases,
    /// Words with their annotation.
    Words,
}

/// Criterion for the best tree.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum DecodeArg {
    /// The most probable derivation, for models without latent states
    Viterbi,
    /// The largest sum of rule posteriors (Goodman 1996)
    MaxRuleSum,
    /// The largest product of rule posteriors (Petrov and Klein 2007)
    #[value(alias = "max-rule")]
    MaxRuleProduct,
    /// The largest sum of posteriors of labelled spans (Goodman 1996); for grammars
    MaxConstituentSum,
}

/// A pruning threshold, or `none`.
#[derive(Clone, Copy, Debug)]
struct PruneArg(Pruning);

impl FromStr for PruneArg {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match (text, text.parse::<f32>()) {
            ("none", _) => Ok(Self(Pruning::None)),
            (_, Ok(threshold)) if threshold > 0.0 && threshold < 1.0 => {
                Ok(Self(Pruning::Posterior(threshold)))
            }
            _ => Err("give a probability between 0 and 1, such as 1e-5, or `none`".to_owned()),
        }
    }
}

/// How the input format was determined.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum InputKnown {
    /// By an option or by the file name.
    Told,
    /// By default: plain words.
    Assumed,
}

/// Validated options of `parse`.
pub(crate) struct ParseJob {
    pub(crate) wanted: Wanted,
    pub(crate) known: InputKnown,
    pub(crate) model: PathBuf,
    pub(crate) inputs: Inputs,
    /// The formats as asked for.
    pub(crate) input: Option<Format>,
    pub(crate) format: Option<Target>,
    pub(crate) stream: StreamConfig,
    pub(crate) sink: ParseSinkConfig,
    pub(crate) search: Search,
}

/// Whose search it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum SearchMethod {
    Own,
    Published,
}

/// Search options, which each family translates into its own configuration.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Search {
    method: SearchMethod,
    decode: DecodeArg,
    prune: Option<Pruning>,
    pub(crate) max_words: usize,
}

impl Search {
    /// Search configuration for grammars without latent states.
    pub(crate) fn pcfg(self) -> ParserConfig {
        ParserConfig {
            decoding: match self.decode {
                _ if self.method == SearchMethod::Published => Decoding::MaxRuleSum,
                DecodeArg::Viterbi => Decoding::Viterbi,
                DecodeArg::MaxRuleSum => Decoding::MaxRuleSum,
                DecodeArg::MaxRuleProduct => Decoding::MaxRuleProduct,
                DecodeArg::MaxConstituentSum => Decoding::MaxConstituentSum,
            },
            pruning: self.prune.unwrap_or_default(),
            max_words: self.max_words,
            ..ParserConfig::default()
        }
    }

    /// What head automata choose trees by.
    pub(crate) fn automata(self, model: &HeadAutomata, trees: usize) -> Result<Objective, UsageError> {
        match self.decode {
            DecodeArg::MaxRuleProduct => Ok(Objective::LogMarginals),
            DecodeArg::MaxRuleSum => Ok(Objective::Marginals),
            DecodeArg::Viterbi if !model.is_deterministic() => Err(UsageError(
                "--decode viterbi is for head automata without hidden states (--learner det, det+f or lex); use \
                 max-rule-product or max-rule-sum"
                    .to_owned(),
            )),
            DecodeArg::Viterbi if trees > 1 => Err(UsageError(
                "--decode viterbi gives the best tree of head automata only; drop --nbest".to_owned(),
            )),
            DecodeArg::Viterbi => Ok(Objective::Probability),
            DecodeArg::MaxConstituentSum => Err(UsageError(
                "--decode max-constituent-sum is for grammars; use max-rule-sum, which adds the posteriors of arcs"
                    .to_owned(),
            )),
        }
    }

    /// Search configuration for grammars with latent states.
    pub(crate) fn lpcfg(self) -> Result<lpcfg::ParserConfig, UsageError> {
        if self.method == SearchMethod::Published {
            let mut config = lpcfg::ParserConfig::paper();
            config.base.max_words = self.max_words;
            return Ok(config);
        }
        let mut config = lpcfg::ParserConfig::default();
        config.base.max_words = self.max_words;
        config.decoding = match self.decode {
            DecodeArg::MaxRuleSum => lpcfg::Decoding::RuleSum,
            DecodeArg::MaxRuleProduct => lpcfg::Decoding::RuleProduct,
            DecodeArg::MaxConstituentSum => lpcfg::Decoding::ConstituentSum,
            DecodeArg::Viterbi => {
                return Err(UsageError(
                    "--decode viterbi is for models without latent states; use max-rule-product or max-rule-sum"
                        .to_owned(),
                ));
            }
        };
        match self.prune {
            None => {}
            Some(Pruning::Posterior(threshold)) => {
                let wide = PrunerConfig::default();
                let coarse_threshold = wide.coarse_threshold.min(threshold);
                config.pruner = Some(PrunerConfig { coarse_threshold, edge_threshold: threshold, ..wide });
            }
            Some(Pruning::None) => {
                return Err(UsageError(
                    "--prune none is for models without latent states; give a small probability, such as 1e-7".to_owned(),
                ));
            }
        }
        Ok(config)
    }
}

impl ParseJob {
    /// The file for confidences beside an output, if the format has no place for them.
    pub(crate) fn beside(&self, output: &Path) -> Option<PathBuf> {
        (self.stream.confidences == Confidences::Compute && self.sink.format == Target::Ptb).then(|| {
            let mut name = output.as_os_str().to_owned();
            name.push(".marginals.jsonl");
            PathBuf::from(name)
        })
    }

    /// The same job for a model that annotates words.
    pub(crate) fn for_words(&self, stage: &'static str, input: Option<Format>) -> TagJob {
        TagJob {
            stage,
            model: self.model.clone(),
            inputs: self.inputs.clone(),
            input,
            format: Some(self.format.unwrap_or(Target::Conllu)),
            nbest: self.stream.trees,
            confidences: self.stream.confidences,
            bad_items: self.stream.bad_items,
            objective: Objective::default(),
        }
    }

    /// The same job for a pipeline, which tags words itself and reads raw text unless the format is given.
    pub(crate) fn for_pipeline(&self) -> Result<TagJob, UsageError> {
        if self.wanted == Wanted::Phrases {
            return Err(UsageError(
                "this pipeline has no grammar and writes annotated words only; drop --format, or train the pipeline with --grammar"
                    .to_owned(),
            ));
        }
        match self.input {
            None | Some(Format::Words | Format::Ptb | Format::Conllu | Format::Conllx) => {
                Ok(self.for_words("annotate", self.input))
            }
            _ => Err(UsageError(
                "the pipeline has its own tagger; its input must be raw text, words or CoNLL-U".to_owned(),
            )),
        }
    }
}

/// The error for `--tags given` with an input that has no tags.
pub(crate) fn no_tags_in_words() -> UsageError {
    UsageError(
        "--tags given needs tags, and plain words have none; set the input format: --input tagged, ptb or conllu"
            .to_owned(),
    )
}

impl ParseArgs {
    pub(crate) fn build(self) -> Result<ParseJob, UsageError> {
        let inputs = self.inputs.build(&self.model)?;
        let by_name = match self.input {
            Some(_) => None,
            None => inputs.format_by_name()?,
        };
        let input = match self.input.or(by_name) {
            Some(Format::Bio | Format::Text) | None => Format::Words,
            Some(format) => format,
        };
        let known = match (self.input, by_name) {
            (None, None) => InputKnown::Assumed,
            _ => InputKnown::Told,
        };
        // Input taken for words by default may be raw text for a pipeline, whose tagger supplies the tags.
        let words = known == InputKnown::Told && input == Format::Words;
        if words && matches!(self.tags, Some(TagsArg::Given)) {
            return Err(no_tags_in_words());
        }
        let tags = match (self.tags, input) {
            (Some(TagsArg::Predicted), Format::Tags) => {
                return Err(UsageError(
                    "--input tags contains nothing but tags; drop --tags predicted".to_owned(),
                ));
            }
            (Some(tags), _) => tags.into(),
            (None, Format::Tagged | Format::Slashed | Format::Tags) => TagUse::Given,
            (None, _) => TagUse::Predicted,
        };
        let trees = self.nbest as usize;
        let to_file = inputs.output != Path::new(STANDARD_STREAM);
        let format = match (self.format, self.confidence) {
            (Some(Target::Ptb), true) if !to_file => {
                return Err(UsageError(
                    "Penn brackets cannot hold --confidence; use --format json, or give a file with -o to write them beside it"
                        .to_owned(),
                ));
            }
            (Some(format), _) => format,
            (None, true) if !to_file => Target::Json,
            (None, _) => Target::Ptb,
        };
        let wanted = match self.format {
            None => Wanted::Any,
            Some(Target::Json) => Wanted::Json,
            Some(Target::Conllu | Target::Jsonl | Target::Tsv | Target::Spans) => Wanted::Words,
            Some(_) => Wanted::Phrases,
        };
        let by_sum = matches!(self.decode, DecodeArg::MaxRuleSum | DecodeArg::MaxConstituentSum);
        if self.nbest > 1 && by_sum {
            return Err(UsageError(
                "--nbest does not rank trees by --decode max-rule-sum or max-constituent-sum: with latent states it ranks by the \
                 product of rule posteriors, without by the probability of the derivation; drop one of the two options"
                    .to_owned(),
            ));
        }
        let job = ParseJob {
            wanted,
            known,
            model: self.model,
            inputs,
            input: self.input,
            format: self.format,
            stream: StreamConfig {
                input,
                tags,
                tag_column: self.tag_column.into(),
                trees,
                confidences: if self.confidence { Confidences::Compute } else { Confidences::Skip },
                bad_items: bad_items(self.skip_bad),
            },
            sink: ParseSinkConfig { format, trees, width: self.width },
            search: Search {
                method: if self.paper { SearchMethod::Published } else { SearchMethod::Own },
                decode: self.decode,
                prune: self.prune.map(|prune| prune.0),
                max_words: self.max_words,
            },
        };
        if job.inputs.is_one_output()
            && let Some(beside) = job.beside(&job.inputs.output)
        {
            refuse_overwriting(&beside, [job.model.as_path(), job.inputs.first()])?;
        }
        Ok(job)
    }
}
