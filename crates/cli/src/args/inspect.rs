//! Options of `inspect`.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::Args;
use eigentree::inspection::Request;
use eigentree::models::head_automata::DfaConfig;
use eigentree::reading::{BadItems, Format};

use super::formats::{bad_items, read_formats};
use super::numbers::share;

/// Show statistics of a corpus or the contents of a model
///
/// For a corpus: sizes, labels, sentence lengths, unary chains, projectivity. For a model: its family, training history
/// and contents. For a grammar also the rules of a symbol, the words of a tag, and what its latent states stand for;
/// for word clusters the tree.
#[derive(Debug, Args)]
#[command(after_help = "\
EXAMPLES
  eigentree inspect train.ptb
  eigentree inspect dev.ptb --train train.ptb
  eigentree inspect dev.conllu --top 40
  eigentree inspect en.eig
  eigentree inspect en.eig --symbol NP --symbol VBZ
  eigentree inspect latent.eig --symbol NP --member 1 --top 10
  Word clusters: cut after 5 bits, all clusters below a prefix, the neighbours of a word:
    eigentree inspect clusters.eig --prefix 5
    eigentree inspect clusters.eig --cluster 1
    eigentree inspect clusters.eig --word Monday
  A file from elsewhere, or from an old disk:
    eigentree inspect en.eig --verify
  What the theorems say of a model:
    eigentree inspect latent.eig --theory
  Head automata: singular values, and graphs of what the hidden states remember, as DOT and SVG:
    eigentree inspect heads.eig --sequences dev.conllu --graphs graphs")]
pub(crate) struct InspectArgs {
    /// Corpus in any format, or model
    file: PathBuf,
    /// Corpus format [default: detected]
    #[arg(long, value_parser = read_formats(&Format::CORPORA), value_name = "FORMAT")]
    format: Option<Format>,
    /// Training corpus, to count unknown words
    #[arg(long, value_name = "FILE")]
    train: Option<PathBuf>,
    /// Grammars: show the rules of a phrase label or the words of a tag, with latent states if there are any
    #[arg(long, value_name = "LABEL")]
    symbol: Vec<String>,
    /// Ensembles: show the latent states of this member [default: 1]
    #[arg(long, value_name = "N")]
    member: Option<NonZeroUsize>,
    /// Show the clusters whose paths begin with BITS, with their words
    #[arg(long, value_name = "BITS", help_heading = "Word clusters")]
    cluster: Vec<String>,
    /// Show the cluster of a word and its neighbours in the tree
    #[arg(long, value_name = "WORD", help_heading = "Word clusters")]
    word: Vec<String>,
    /// Show the tree cut after N bits [default: 4]
    #[arg(long, value_name = "N", help_heading = "Word clusters")]
    prefix: Option<usize>,
    /// CoNLL-U treebank whose modifier sequences the graphs show
    #[arg(long, value_name = "TREEBANK", help_heading = "Head automata")]
    sequences: Option<PathBuf>,
    /// Folder for graphs in DOT and SVG; created if missing
    #[arg(long, value_name = "FOLDER", help_heading = "Head automata")]
    graphs: Option<PathBuf>,
    /// Number of clusters of state vectors, at most the number of states of a graph
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u16).range(1..=1000), help_heading = "Head automata")]
    graph_clusters: u16,
    /// Number of prefixes of modifier sequences to cluster, the most frequent first
    #[arg(long, value_name = "N", default_value_t = 300, value_parser = clap::value_parser!(u16).range(1..=1000), help_heading = "Head automata")]
    graph_prefixes: u16,
    /// Merge two states that a symbol leads to if the smaller one has more than this share of the sequences; 0 merges always, as in
    /// Luque et al. (2012)
    #[arg(long, value_name = "SHARE", default_value_t = DfaConfig::default().merge, value_parser = share, help_heading = "Head automata")]
    graph_merge: f64,
    /// Models: also show what the theorems say: singular values, condition numbers, the sample size they ask for
    #[arg(long)]
    theory: bool,
    /// Models: also verify the file: checksums, numbers, whether it loads, and whether it is saved again as it is
    #[arg(long)]
    verify: bool,
    /// Models: also show the layout of the file, section by section
    #[arg(long)]
    layout: bool,
    /// Length of the lists [default: 15; 6 for latent states]
    #[arg(long, value_name = "N")]
    top: Option<usize>,
    /// Skip sentences that cannot be read, and report them
    #[arg(long)]
    skip_bad: bool,
}

/// Validated options of `inspect`.
pub(crate) struct InspectJob {
    pub(crate) file: PathBuf,
    pub(crate) format: Option<Format>,
    pub(crate) train: Option<PathBuf>,
    /// What to show of a model.
    pub(crate) request: Request,
    pub(crate) bad_items: BadItems,
    pub(crate) sequences: Option<PathBuf>,
    pub(crate) graphs: Option<PathBuf>,
    pub(crate) layout: Layout,
    pub(crate) theory: ShowTheory,
    pub(crate) verify: Verify,
}

/// Whether a model file is verified.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Verify {
    Verify,
    Leave,
}

/// Whether the theory of a model is shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ShowTheory {
    Show,
    Leave,
}

/// Whether the layout of a model file is shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Layout {
    Show,
    Leave,
}

impl InspectArgs {
    pub(crate) fn build(self) -> InspectJob {
        let mut request = Request::default();
        if let Some(top) = self.top {
            request = request.top(top);
        }
        request.symbols = self.symbol;
        request.member = self.member;
        request.clusters = self.cluster;
        request.words = self.word;
        request.prefix = self.prefix;
        request.graphs = DfaConfig {
            clusters: usize::from(self.graph_clusters),
            prefixes: usize::from(self.graph_prefixes),
            merge: self.graph_merge,
        };
        InspectJob {
            file: self.file,
            format: self.format,
            train: self.train,
            request,
            bad_items: bad_items(self.skip_bad),
            sequences: self.sequences,
            graphs: self.graphs,
            verify: if self.verify { Verify::Verify } else { Verify::Leave },
            theory: if self.theory { ShowTheory::Show } else { ShowTheory::Leave },
            layout: if self.layout { Layout::Show } else { Layout::Leave },
        }
    }
}
