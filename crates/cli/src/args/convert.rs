//! Options of `convert`.

use std::path::PathBuf;

use clap::Args;
use eigentree::conversion::{
    Binarization, DependencyTransforms, HeadChange, RootLabel, SinkConfig, Step, TagColumn, Target,
    TreeLayout, TreeTransforms,
};
use eigentree::corpus::tree::binarize::Horizontal;
use eigentree::corpus::tree::strip::StripConfig;
use eigentree::reading::{BadItems, Format};

use super::formats::{TagColumnArg, bad_items, read_formats, write_formats};
use super::heads::{BinarizeArg, rules_of};

/// Convert between formats and transform trees
///
/// The input format is inferred from the file name and contents, the output format from the file name; without an
/// output name the format stays the same. Transforms are applied in the order in which they are listed below. Most of
/// them have an inverse.
#[derive(Debug, Args)]
#[command(after_help = "\
EXAMPLES
  The words of a treebank, one sentence per line:
    eigentree convert dev.ptb --to words -o dev.txt
  Without function tags and empty elements, as most parsers expect:
    eigentree convert wsj.mrg --strip -o wsj.ptb.gz
  The binary trees from which a grammar is read, and back again:
    eigentree convert dev.ptb --root none --collapse --binarize left --horizontal 1 -o binary.ptb
    eigentree convert binary.ptb --unbinarize --expand --root ROOT -o same-as-dev.ptb
  The first trees drawn in the terminal, or one tree as a picture:
    head -3 dev.ptb | eigentree convert - --to drawing
    head -1 dev.ptb | eigentree convert - -o tree.svg
  Phrase structure to dependencies, with head rules for English or for any label set:
    eigentree convert dev.ptb -o dev.conllu
    eigentree convert dev.ptb --head-rules similarity -o dev.conllu
  Function words as heads, and back again:
    eigentree convert dev.conllu --function-heads -o function.conllu
    eigentree convert function.conllu --content-heads -o same-as-dev.conllu")]
pub(crate) struct ConvertArgs {
    /// Input file; `-` is standard input
    input: PathBuf,
    /// Output file
    #[arg(long, short, value_name = "FILE", default_value = "-")]
    output: PathBuf,
    /// Input format [default: detected]
    #[arg(long, value_parser = read_formats(&Format::CONVERTIBLE), value_name = "FORMAT")]
    from: Option<Format>,
    /// Output format [default: from the output file name, else the input format]
    #[arg(long, value_parser = write_formats(&Target::ALL), value_name = "FORMAT")]
    to: Option<Target>,
    /// Skip sentences that cannot be read, and report them
    #[arg(long)]
    skip_bad: bool,
    /// Write each tree over several lines
    #[arg(long)]
    pretty: bool,
    /// Width of a drawing, in columns; wider trees are drawn as outlines
    #[arg(long, value_name = "COLUMNS", default_value_t = 100)]
    width: usize,
    /// CoNLL-U column to take tags from
    #[arg(long, value_enum, value_name = "COLUMN", default_value = "upos")]
    tag_column: TagColumnArg,

    /// Undo --binarize and --vertical
    #[arg(long, conflicts_with_all = ["binarize", "vertical"], help_heading = "Transforms of trees")]
    unbinarize: bool,
    /// Undo --collapse
    #[arg(long, conflicts_with = "collapse", help_heading = "Transforms of trees")]
    expand: bool,
    /// Remove function tags, indices and empty elements
    #[arg(long, help_heading = "Transforms of trees")]
    strip: bool,
    /// Label of the root above each tree: `none` removes the root, any other label is added where it is missing
    /// [default: as it is]
    #[arg(long, value_name = "LABEL", help_heading = "Transforms of trees")]
    root: Option<String>,
    /// Collapse unary chains: (S (VP (VB go))) becomes (S|VP|VB go)
    #[arg(long, help_heading = "Transforms of trees")]
    collapse: bool,
    /// Annotate labels with N - 1 ancestors: 2 gives NP^S [default: 1]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(1..=16), help_heading = "Transforms of trees")]
    vertical: Option<u8>,
    /// Binarise nodes with more than two children [default: no]
    #[arg(long, value_enum, value_name = "DIRECTION", help_heading = "Transforms of trees")]
    binarize: Option<BinarizeArg>,
    /// Number of siblings that nodes created by --binarize remember [default: all]
    #[arg(long, value_name = "N", requires = "binarize", help_heading = "Transforms of trees")]
    horizontal: Option<usize>,
    /// Head rules for --binarize head and for dependencies: `english`, `similarity` for any label set, or a file with a
    /// table [default: english]
    #[arg(long, value_name = "RULES", help_heading = "Transforms of trees")]
    head_rules: Option<PathBuf>,

    /// Remove punctuation; what hangs from it hangs from the next word above
    #[arg(long, help_heading = "Transforms of dependencies")]
    no_punct: bool,
    /// Adpositions, subordinators, auxiliaries and copulas as heads of their content words; relations record it
    #[arg(long, conflicts_with = "content_heads", help_heading = "Transforms of dependencies")]
    function_heads: bool,
    /// Undo --function-heads, also in parses
    #[arg(long, help_heading = "Transforms of dependencies")]
    content_heads: bool,
}

/// Validated options of `convert`.
pub(crate) struct ConvertJob {
    pub(crate) input: PathBuf,
    pub(crate) output: PathBuf,
    pub(crate) from: Option<Format>,
    /// `None` keeps the input format.
    pub(crate) to: Option<Target>,
    pub(crate) transforms: TreeTransforms,
    pub(crate) dependency_transforms: DependencyTransforms,
    pub(crate) sink: SinkConfig,
    pub(crate) bad_items: BadItems,
    /// The first option given that applies to trees only.
    pub(crate) for_trees: Option<&'static str>,
    /// The first option given that applies to dependencies only.
    pub(crate) for_dependencies: Option<&'static str>,
    /// Whether head rules were given that no transform uses.
    pub(crate) heads_for_dependencies: bool,
}

impl ConvertArgs {
    pub(crate) fn build(self) -> Result<ConvertJob, eigentree::Error> {
        let heads = rules_of(self.head_rules.as_deref())?;
        let for_trees = self.option_for_trees();
        let heads_for_dependencies = self.head_rules.is_some() && self.binarize != Some(BinarizeArg::Head);
        let to = self.to.or_else(|| Target::of_path(&self.output));
        let horizontal = self.horizontal.map_or(Horizontal::Unlimited, Horizontal::Order);
        let transforms = TreeTransforms {
            unbinarize: step(self.unbinarize),
            expand: step(self.expand),
            strip: self.strip.then(StripConfig::default),
            root: match self.root.as_deref() {
                None => RootLabel::Keep,
                Some("none") => RootLabel::Remove,
                Some(label) => RootLabel::Add(label.to_owned()),
            },
            collapse: step(self.collapse),
            vertical: self.vertical.map(usize::from),
            binarize: self.binarize.map(|way| Binarization { direction: way.direction(&heads), horizontal }),
        };
        let dependency_transforms = DependencyTransforms {
            remove_punctuation: step(self.no_punct),
            heads: match (self.function_heads, self.content_heads) {
                (true, _) => HeadChange::ToFunctionWords,
                (false, true) => HeadChange::ToContentWords,
                (false, false) => HeadChange::Keep,
            },
        };
        let for_dependencies = self.option_for_dependencies();
        let sink = SinkConfig {
            layout: if self.pretty { TreeLayout::Pretty } else { TreeLayout::Line },
            tag_column: TagColumn::from(self.tag_column),
            width: self.width,
            heads,
        };
        Ok(ConvertJob {
            input: self.input,
            output: self.output,
            from: self.from,
            to,
            transforms,
            dependency_transforms,
            sink,
            bad_items: bad_items(self.skip_bad),
            for_trees,
            for_dependencies,
            heads_for_dependencies,
        })
    }

    fn option_for_trees(&self) -> Option<&'static str> {
        let given = [
            (self.unbinarize, "--unbinarize"),
            (self.expand, "--expand"),
            (self.strip, "--strip"),
            (self.root.is_some(), "--root"),
            (self.collapse, "--collapse"),
            (self.vertical.is_some(), "--vertical"),
            (self.binarize.is_some(), "--binarize"),
            (self.head_rules.is_some(), "--head-rules"),
            (self.pretty, "--pretty"),
        ];
        given.into_iter().find_map(|(given, name)| given.then_some(name))
    }

    fn option_for_dependencies(&self) -> Option<&'static str> {
        let given = [
            (self.no_punct, "--no-punct"),
            (self.function_heads, "--function-heads"),
            (self.content_heads, "--content-heads"),
        ];
        given.into_iter().find_map(|(given, name)| given.then_some(name))
    }
}

fn step(wanted: bool) -> Step {
    if wanted { Step::Apply } else { Step::Leave }
}
