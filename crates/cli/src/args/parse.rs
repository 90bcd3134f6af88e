//! `parse`: options and what they mean.

use std::path::{Path, PathBuf};
use std::str::FromStr;

use clap::{Args, ValueEnum};
use eigentree::files::STANDARD_STREAM;
use eigentree::models::lpcfg;
use eigentree::models::pcfg::{Decoding, ParserConfig, PrunerConfig, Pruning};
use eigentree::parsing::{Confidences, ParseFormat, ParseInput, ParseSinkConfig, StreamConfig, TagUse};
use eigentree::reading::Format;

use super::formats::{TagColumnArg, TagsArg, bad_items};
use super::overwrite::refuse_overwriting;
use super::tag::{TagInputArg, TagJob};
use crate::failure::UsageError;

/// Parse sentences with a model: a grammar or a dependency parser
///
/// Exactly one tree is written for each sentence, in the order of the input, one line a tree. What the grammar cannot
/// derive comes back in pieces below a node FALLBACK; such sentences are counted. An empty line, and a sentence left out by
/// --skip-bad, gives `(())`, so that the lines of input and output correspond.
#[derive(Debug, Args)]
#[command(after_help = "\
EXAMPLES
  Lines of words from standard input:
    echo 'The dog barks .' | eigentree parse en.eig
  The words of a treebank, to be scored against it:
    eigentree parse en.eig dev.ptb -o parsed.ptb
    eigentree eval dev.ptb parsed.ptb
  The same with the tags of the treebank:
    eigentree parse en.eig dev.ptb --tags given -o parsed.ptb
  Tags of one's own, the five best trees, as JSON:
    echo 'Time_NN flies_VBZ' | eigentree parse en.eig --input tagged --nbest 5 --format json
  A drawing:
    echo 'The dog barks .' | eigentree parse en.eig --format drawing
  How sure the model is of each span, in JSON or beside the trees:
    echo 'The dog barks .' | eigentree parse en.eig --marginals
    eigentree parse latent.eig dev.ptb --marginals -o parsed.ptb
  Raw text through a pipeline, to dependency trees, and with its grammar to trees of phrases:
    eigentree parse pipeline.eig raw.txt -o annotated.conllu
    eigentree parse pipeline.eig raw.txt --format ptb -o phrases.ptb
  With a dependency parser: CoNLL-U with tags in, CoNLL-U out, one sentence a sentence or the 50 best of each:
    eigentree parse mst.eig dev.conllu -o parsed.conllu
    eigentree parse mst.eig dev.conllu --nbest 50 --marginals -o lists.conllu")]
pub(crate) struct ParseArgs {
    /// The model, as `train` wrote it
    model: PathBuf,
    /// The sentences to parse
    #[arg(default_value = "-")]
    file: PathBuf,
    /// Where the trees go
    #[arg(long, short, value_name = "FILE", default_value = "-")]
    output: PathBuf,
    /// What the input is [default: by the name of the file, else words]
    #[arg(long, value_enum, value_name = "WHAT")]
    input: Option<InputArg>,
    /// Whose tags are used; given are those of the input, or of the tagger of a pipeline [default: given for tagged and tags, predicted otherwise]
    #[arg(long, value_enum, value_name = "WHOSE")]
    tags: Option<TagsArg>,
    /// The column of CoNLL-U that given tags are taken from
    #[arg(long, value_enum, value_name = "COLUMN", default_value = "xpos")]
    tag_column: TagColumnArg,
    /// How trees are written [default: ptb; conllu with a dependency parser]
    #[arg(long, value_enum, value_name = "FORMAT")]
    format: Option<FormatArg>,
    /// Columns of a drawing before it becomes an outline
    #[arg(long, value_name = "COLUMNS", default_value_t = 100)]
    width: usize,
    /// The K best trees of each sentence; above 1, a blank line ends each list
    #[arg(long, value_name = "K", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    nbest: u32,
    /// Tell how sure the model is of each span: in json as `spans`, in drawings behind the labels, with ptb in a file of JSON
    /// lines beside the output, FILE.marginals.jsonl, in conllu under Confidence in MISC [default format on standard output: json]
    #[arg(long)]
    marginals: bool,
    /// Go on after sentences that cannot be read, and report them
    #[arg(long)]
    skip_bad: bool,

    /// Which tree is best
    #[arg(long, value_enum, value_name = "HOW", default_value = "max-rule-product", help_heading = "Search")]
    decode: DecodeArg,
    /// Leave out what a coarser grammar finds less probable than this, or `none` for an exhaustive search without states
    /// [default: 3e-6; 1e-4 with latent states]
    #[arg(long, value_name = "THRESHOLD", help_heading = "Search")]
    prune: Option<PruneArg>,
    /// Longer sentences get a flat fallback
    #[arg(long, value_name = "WORDS", default_value_t = ParserConfig::default().max_words, help_heading = "Search")]
    max_words: usize,
}

/// What the input is.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum InputArg {
    /// One sentence a line, words between blanks
    Words,
    /// The same with word_TAG
    Tagged,
    /// One sentence a line, tags instead of words
    Tags,
    /// Trees, of which words and, with --tags given, tags are used
    Ptb,
    /// CoNLL-U
    Conllu,
}

/// How trees are written.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum FormatArg {
    /// Penn brackets, one line a tree
    Ptb,
    /// One JSON object a line, with log-probabilities
    Json,
    /// One SVG document
    Svg,
    /// Box characters, for the terminal
    Drawing,
    /// CoNLL-U, for dependency parsers
    Conllu,
}

/// What kind of trees the format is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Wanted {
    /// Those that the model makes.
    Any,
    /// Trees of phrases.
    Phrases,
    /// Dependency trees.
    Dependencies,
}

/// Which tree is best.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum DecodeArg {
    /// The most probable derivation
    Viterbi,
    /// The largest sum of rule posteriors (Goodman 1996)
    MaxRuleSum,
    /// The largest product of rule posteriors (Petrov and Klein 2007)
    #[value(alias = "max-rule")]
    MaxRuleProduct,
}

/// A threshold, or `none`.
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

/// How it is known what the input is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum InputKnown {
    /// The user or the name of the file says it.
    Told,
    /// Nobody says it, and so it is words.
    Assumed,
}

/// What is to be done.
pub(crate) struct ParseJob {
    pub(crate) wanted: Wanted,
    pub(crate) known: InputKnown,
    pub(crate) model: PathBuf,
    pub(crate) file: PathBuf,
    pub(crate) output: PathBuf,
    /// Where confidences go that the format has no place for.
    pub(crate) beside: Option<PathBuf>,
    pub(crate) stream: StreamConfig,
    pub(crate) sink: ParseSinkConfig,
    pub(crate) search: Search,
}

/// How the best tree is found; each family makes of it what it can.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Search {
    decode: DecodeArg,
    prune: Option<Pruning>,
    pub(crate) max_words: usize,
}

impl Search {
    /// For grammars without latent states.
    pub(crate) fn pcfg(self) -> ParserConfig {
        ParserConfig {
            decoding: match self.decode {
                DecodeArg::Viterbi => Decoding::Viterbi,
                DecodeArg::MaxRuleSum => Decoding::MaxRuleSum,
                DecodeArg::MaxRuleProduct => Decoding::MaxRuleProduct,
            },
            pruning: self.prune.unwrap_or_default(),
            max_words: self.max_words,
            ..ParserConfig::default()
        }
    }

    /// For grammars with latent states.
    pub(crate) fn lpcfg(self) -> Result<lpcfg::ParserConfig, UsageError> {
        let mut config = lpcfg::ParserConfig::default();
        config.base.max_words = self.max_words;
        config.decoding = match self.decode {
            DecodeArg::MaxRuleSum => lpcfg::Decoding::RuleSum,
            DecodeArg::MaxRuleProduct => lpcfg::Decoding::RuleProduct,
            DecodeArg::Viterbi => {
                return Err(UsageError(
                    "--decode viterbi is for models without latent states; take max-rule-product or max-rule-sum"
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
    /// The same for a pipeline, which reads raw text unless it is told of something else, and tags words itself.
    pub(crate) fn for_pipeline(&self) -> Result<TagJob, UsageError> {
        if self.wanted == Wanted::Phrases {
            return Err(UsageError(
                "the pipeline has no grammar and writes CoNLL-U; drop the other format, or train it with --grammar"
                    .to_owned(),
            ));
        }
        // What the name tells, the name tells again.
        let told = self.known == InputKnown::Told && Format::of_path(&self.file).is_none();
        let input = match self.stream.input {
            _ if !told => None,
            ParseInput::Words => Some(TagInputArg::Words),
            ParseInput::Ptb => Some(TagInputArg::Ptb),
            ParseInput::Conllu => Some(TagInputArg::Conllu),
            ParseInput::Tagged | ParseInput::Tags => {
                return Err(UsageError(
                    "the pipeline has its own tagger; give it text, words or CoNLL-U".to_owned(),
                ));
            }
        };
        Ok(TagJob {
            model: self.model.clone(),
            file: self.file.clone(),
            output: self.output.clone(),
            input,
            nbest: self.stream.trees,
            confidences: self.stream.confidences,
            bad_items: self.stream.bad_items,
        })
    }
}

/// The error of `--tags given` where there are none.
pub(crate) fn no_tags_in_words() -> UsageError {
    UsageError(
        "plain words have no tags to be given; say what the input is: --input tagged, ptb or conllu"
            .to_owned(),
    )
}

impl ParseArgs {
    pub(crate) fn build(self) -> Result<ParseJob, UsageError> {
        if self.model == Path::new(STANDARD_STREAM) && self.file == Path::new(STANDARD_STREAM) {
            return Err(UsageError(
                "the model and the sentences cannot both come from standard input".to_owned(),
            ));
        }
        refuse_overwriting(&self.output, [self.model.as_path(), self.file.as_path()])?;
        let input = match self.input {
            Some(InputArg::Words) => ParseInput::Words,
            Some(InputArg::Tagged) => ParseInput::Tagged,
            Some(InputArg::Tags) => ParseInput::Tags,
            Some(InputArg::Ptb) => ParseInput::Ptb,
            Some(InputArg::Conllu) => ParseInput::Conllu,
            None => match Format::of_path(&self.file) {
                Some(Format::Ptb) => ParseInput::Ptb,
                Some(Format::Conllu) => ParseInput::Conllu,
                Some(Format::Tagged) => ParseInput::Tagged,
                _ => ParseInput::Words,
            },
        };
        let known = match (self.input, Format::of_path(&self.file)) {
            (None, None) => InputKnown::Assumed,
            _ => InputKnown::Told,
        };
        // What is only taken for words may be text for a pipeline, whose tagger has tags to give.
        let words = known == InputKnown::Told && input == ParseInput::Words;
        if words && matches!(self.tags, Some(TagsArg::Given)) {
            return Err(no_tags_in_words());
        }
        let tags = match (self.tags, input) {
            (Some(TagsArg::Predicted), ParseInput::Tags) => {
                return Err(UsageError(
                    "--input tags has nothing but tags; drop --tags predicted".to_owned(),
                ));
            }
            (Some(tags), _) => tags.into(),
            (None, ParseInput::Tagged | ParseInput::Tags) => TagUse::Given,
            (None, _) => TagUse::Predicted,
        };
        let trees = self.nbest as usize;
        let to_file = self.output != Path::new(STANDARD_STREAM);
        let format = match (self.format, self.marginals) {
            (Some(FormatArg::Ptb), true) if !to_file => {
                return Err(UsageError(
                    "brackets have no place for --marginals; take --format json, or give a file with -o to have them beside it"
                        .to_owned(),
                ));
            }
            (Some(FormatArg::Ptb), _) | (None, false) => ParseFormat::Ptb,
            (None, true) if to_file => ParseFormat::Ptb,
            (Some(FormatArg::Json), _) | (None, true) => ParseFormat::Json,
            (Some(FormatArg::Svg), _) => ParseFormat::Svg,
            (Some(FormatArg::Drawing), _) => ParseFormat::Drawing,
            // Only a dependency parser will take this, and it asks for no other.
            (Some(FormatArg::Conllu), _) => ParseFormat::Json,
        };
        let wanted = match self.format {
            None => Wanted::Any,
            Some(FormatArg::Conllu) => Wanted::Dependencies,
            Some(_) => Wanted::Phrases,
        };
        let beside = (self.marginals && format == ParseFormat::Ptb).then(|| {
            let mut name = self.output.clone().into_os_string();
            name.push(".marginals.jsonl");
            PathBuf::from(name)
        });
        if let Some(beside) = &beside {
            refuse_overwriting(beside, [self.model.as_path(), self.file.as_path()])?;
        }
        Ok(ParseJob {
            wanted,
            known,
            model: self.model,
            file: self.file,
            output: self.output,
            beside,
            stream: StreamConfig {
                input,
                tags,
                tag_column: self.tag_column.into(),
                trees,
                confidences: if self.marginals { Confidences::Compute } else { Confidences::Skip },
                bad_items: bad_items(self.skip_bad),
            },
            sink: ParseSinkConfig { format, trees, width: self.width },
            search: Search {
                decode: self.decode,
                prune: self.prune.map(|prune| prune.0),
                max_words: self.max_words,
            },
        })
    }
}
