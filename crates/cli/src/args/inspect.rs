//! `inspect`: options and what they mean.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::Args;
use eigentree::reading::{BadItems, Format};

use super::formats::{ReadFormat, bad_items};

const TOP: usize = 15;

/// There are many states, and what matters of each is soon said.
const TOP_OF_STATES: usize = 6;

/// Show what is in a corpus or a model
///
/// Of a corpus: sizes, labels, lengths, unary chains, projectivity. Of a model: its family, its history, its sections; of a
/// grammar also the rules of a symbol and the words of a tag, and what its latent states stand for; of clusters of words the tree.
#[derive(Debug, Args)]
#[command(after_help = "\
EXAMPLES
  eigentree inspect train.ptb
  eigentree inspect dev.ptb --train train.ptb
  eigentree inspect dev.conllu --top 40
  eigentree inspect en.eig
  eigentree inspect en.eig --symbol NP --symbol VBZ
  eigentree inspect latent.eig --symbol NP --member 1 --top 10
  Clusters of words: cut after 5 bits, those below some bits, the neighbours of a word:
    eigentree inspect clusters.eig --prefix 5
    eigentree inspect clusters.eig --cluster 1
    eigentree inspect clusters.eig --word Monday
  Head automata: spectra, and graphs of what hidden states remember, as DOT and SVG:
    eigentree inspect shag.eig --sequences dev.conllu --graphs graphs")]
pub(crate) struct InspectArgs {
    /// A corpus of any format, or a model
    file: PathBuf,
    /// The format of a corpus [default: detected]
    #[arg(long, value_enum, value_name = "FORMAT")]
    format: Option<ReadFormat>,
    /// A corpus to count unknown words against
    #[arg(long, value_name = "FILE")]
    train: Option<PathBuf>,
    /// Show the rules of a phrase, or the words of a tag, of a grammar, and its latent states if it has any
    #[arg(long, value_name = "LABEL")]
    symbol: Vec<String>,
    /// Show the latent states of this member of an ensemble [default: 1]
    #[arg(long, value_name = "N")]
    member: Option<NonZeroUsize>,
    /// Of clusters: show those whose bits begin with BITS, with their words
    #[arg(long, value_name = "BITS", help_heading = "Word clusters")]
    cluster: Vec<String>,
    /// Of clusters: show the cluster of a word, and those next to it in the tree
    #[arg(long, value_name = "WORD", help_heading = "Word clusters")]
    word: Vec<String>,
    /// Of clusters: show the tree cut after N bits [default: 4]
    #[arg(long, value_name = "N", help_heading = "Word clusters")]
    prefix: Option<usize>,
    /// Of head automata: a treebank in CoNLL-U whose modifier sequences the graphs show
    #[arg(long, value_name = "TREEBANK", help_heading = "Head automata")]
    sequences: Option<PathBuf>,
    /// Of head automata: a folder for graphs as DOT and SVG; it is made if need be
    #[arg(long, value_name = "FOLDER", help_heading = "Head automata")]
    graphs: Option<PathBuf>,
    /// Length of the lists [default: 15, and 6 for latent states]
    #[arg(long, value_name = "N")]
    top: Option<usize>,
    /// Go on after sentences that cannot be read, and report them
    #[arg(long)]
    skip_bad: bool,
}

/// What of clusters is to be seen.
pub(crate) struct InspectClusters {
    pub(crate) clusters: Vec<String>,
    pub(crate) words: Vec<String>,
    pub(crate) prefix: Option<usize>,
    prefix_text: Option<String>,
}

impl InspectClusters {
    /// What was asked for; nothing if all is.
    pub(crate) fn asked(&self) -> Vec<&String> {
        self.clusters.iter().chain(&self.words).chain(&self.prefix_text).collect()
    }
}

/// What is to be done.
pub(crate) struct InspectJob {
    pub(crate) file: PathBuf,
    pub(crate) format: Option<Format>,
    pub(crate) train: Option<PathBuf>,
    pub(crate) symbols: Vec<String>,
    /// Numbered from 1, if one was chosen.
    pub(crate) member: Option<NonZeroUsize>,
    pub(crate) top: usize,
    /// For each latent state.
    pub(crate) top_of_states: usize,
    pub(crate) bad_items: BadItems,
    pub(crate) clusters: InspectClusters,
    pub(crate) sequences: Option<PathBuf>,
    pub(crate) graphs: Option<PathBuf>,
}

impl InspectArgs {
    pub(crate) fn build(self) -> InspectJob {
        InspectJob {
            file: self.file,
            format: self.format.map(Format::from),
            train: self.train,
            symbols: self.symbol,
            member: self.member,
            top: self.top.unwrap_or(TOP),
            top_of_states: self.top.unwrap_or(TOP_OF_STATES),
            bad_items: bad_items(self.skip_bad),
            clusters: InspectClusters {
                clusters: self.cluster,
                words: self.word,
                prefix: self.prefix,
                prefix_text: self.prefix.map(|bits| bits.to_string()),
            },
            sequences: self.sequences,
            graphs: self.graphs,
        }
    }
}
