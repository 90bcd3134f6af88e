//! Options of `cluster`.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use eigentree::clustering::{GatherConfig, PictureConfig, VocabChoice};
use eigentree::conversion::Drawing;
use eigentree::corpus::cooccurrence::{CountConfig, Encoding, UNKNOWN};
use eigentree::files::STANDARD_STREAM;
use eigentree::models::clusters::{Growth, Method, Ward};
use eigentree::training::{ClusterRecipe, ClustersJob, CountReuse};

use super::count::{BoundariesArg, vocab_limit};
use super::numbers::{MAX_RANK, numbers};
use super::overwrite::refuse_overwriting;
use super::spectrum::SpectrumArgs;
use crate::failure::UsageError;

/// Cluster words by their neighbours, and arrange the clusters in a tree
///
/// The input is tokenised text, one sentence per line with tokens separated by spaces, or count files written by
/// `count` or `merge`. The output lists Brown paths, one word per line: the bit string of its cluster, the word, and
/// its count. Quality is measured as the mutual information of adjacent clusters, in nats.
#[derive(Debug, Args)]
#[command(after_help = "\
EXAMPLES
  eigentree cluster news.txt.zst wiki.txt.gz -o paths.txt
  eigentree cluster news.txt --clusters 200 --vocab 10000 -o paths.txt --picture clusters.html
  Count once, cluster several times:
    eigentree cluster news.txt --counts news.eigc --clusters 100 -o paths100.txt
    eigentree cluster news.eigc --clusters 1000 -o paths1000.txt
  Exactly the published spectral algorithm:
    eigentree cluster news.txt --paper --clusters 100 --context lr1 --kappa 200 -o paths.txt
  The classic algorithm on one long sequence, with a cluster-based language model:
    eigentree cluster news.txt --method brown --boundaries none -o paths.txt --model news.eig
    eigentree score news.eig held-out.txt")]
pub(crate) struct ClusterArgs {
    /// Text files, plain or compressed, or count files; `-` is standard input
    #[arg(required = true, value_name = "TEXT")]
    inputs: Vec<PathBuf>,
    /// Output file for the paths
    #[arg(long, short, value_name = "FILE", default_value = "-")]
    output: PathBuf,
    /// Number of clusters
    #[arg(long, short, value_name = "M", default_value = "1000", value_parser = numbers(1..=10_000_000))]
    clusters: usize,
    /// Clustering algorithm
    #[arg(long, value_enum, value_name = "METHOD", default_value = "spectral+exchange")]
    method: MethodArg,
    /// Exactly the method of Stratos et al. (2014), without our extensions; the report names all constants
    #[arg(long, conflicts_with_all = ["method", "rank", "ward", "transform", "hierarchy"])]
    paper: bool,

    /// Also save a cluster-based language model, for `score`, `sample` and `inspect`
    #[arg(long, value_name = "FILE", help_heading = "Other outputs")]
    model: Option<PathBuf>,
    /// Also save the counts; `cluster` accepts them instead of the text
    #[arg(long, value_name = "FILE", help_heading = "Other outputs")]
    counts: Option<PathBuf>,
    /// Keep counts and vectors in this folder, so that an interrupted run resumes from them
    #[arg(long, value_name = "FOLDER", help_heading = "Other outputs")]
    work: Option<PathBuf>,
    /// Also write the word vectors of a spectral method: word2vec text, word2vec binary for names ending in .bin, or
    /// NumPy for names ending in .npy with the words in a second file ending in .words
    #[arg(long, value_name = "FILE", help_heading = "Other outputs")]
    vectors: Option<PathBuf>,
    /// Also write the tree with all words as JSON
    #[arg(long, value_name = "FILE", help_heading = "Other outputs")]
    tree: Option<PathBuf>,
    /// Also draw the tree with the top words of each cluster, as SVG or, for names ending in .html, as a web page
    #[arg(long, value_name = "FILE", help_heading = "Other outputs")]
    picture: Option<PathBuf>,
    /// Draw the tree to this depth [default: as deep as it remains readable]
    #[arg(long, value_name = "BITS", requires = "picture", help_heading = "Other outputs")]
    picture_depth: Option<usize>,
    /// Number of words to draw per cluster
    #[arg(
        long,
        value_name = "N",
        default_value_t = 10,
        requires = "picture",
        help_heading = "Other outputs"
    )]
    picture_words: usize,

    /// Keep the N most frequent words, with ties broken by code point; all others form one class [default: 50000; for
    /// count files that already have such a class, all words]
    #[arg(long, value_name = "N", help_heading = "Text")]
    vocab: Option<NonZeroUsize>,
    /// Keep words with at least N occurrences; all others form one class. 1 keeps every word [default: the limit of
    /// --vocab]
    #[arg(long, value_name = "N", help_heading = "Text")]
    min_count: Option<u64>,
    /// Name of the class of all other words
    #[arg(long, value_name = "NAME", default_value = UNKNOWN, help_heading = "Text")]
    unknown: String,
    /// Where a sequence of words ends
    #[arg(long, value_enum, value_name = "BOUNDARY", default_value = "lines", help_heading = "Text")]
    boundaries: BoundariesArg,
    /// Replace bytes that are not valid UTF-8 instead of stopping with an error
    #[arg(long, help_heading = "Text")]
    lossy: bool,

    #[command(flatten)]
    spectrum: SpectrumArgs,
    /// Number of singular vectors [default: the number of clusters; 100 for spectral+exchange]
    #[arg(long, value_name = "N", help_heading = "Spectral methods", value_parser = numbers(1..=MAX_RANK))]
    rank: Option<usize>,
    /// Weight of each word when the vectors are clustered [default: plain; weighted for spectral+exchange]
    #[arg(long, value_enum, value_name = "WEIGHTING", help_heading = "Spectral methods")]
    ward: Option<WardArg>,
    /// Whether clusters of the vectors are merged or divided [default: bottom-up]
    #[arg(long, value_enum, value_name = "DIRECTION", help_heading = "Spectral methods")]
    hierarchy: Option<HierarchyArg>,
}

/// Clustering algorithm.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum MethodArg {
    /// Spectral clusters refined by exchange: best and fast
    #[value(name = "spectral+exchange")]
    SpectralExchange,
    /// Singular vectors and Ward clustering (Stratos et al. 2014)
    Spectral,
    /// Move single words while that raises the mutual information
    Exchange,
    /// Greedy merging (Brown et al. 1992): the classic, slow
    Brown,
}

impl MethodArg {
    pub(crate) fn method(self) -> Method {
        match self {
            MethodArg::SpectralExchange => Method::SpectralExchange,
            MethodArg::Spectral => Method::Spectral,
            MethodArg::Exchange => Method::Exchange,
            MethodArg::Brown => Method::Brown,
        }
    }
}

/// Weight of a word in Ward clustering.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(super) enum WardArg {
    /// All words weigh the same
    Plain,
    /// Words are weighted by their counts
    Weighted,
}

impl WardArg {
    pub(super) fn ward(self) -> Ward {
        match self {
            WardArg::Plain => Ward::Plain,
            WardArg::Weighted => Ward::ByCount,
        }
    }
}

/// How clusters of vectors are made.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum HierarchyArg {
    /// Merge words by Ward's method (Stratos et al. 2014)
    BottomUp,
    /// Divide all words by 2-means again and again
    TopDown,
}

impl HierarchyArg {
    fn growth(self) -> Growth {
        match self {
            HierarchyArg::BottomUp => Growth::BottomUp,
            HierarchyArg::TopDown => Growth::TopDown,
        }
    }
}

/// Files of a run of `cluster`, and the job.
pub(crate) struct ClusterRun {
    pub(crate) inputs: Vec<PathBuf>,
    pub(crate) output: PathBuf,
    pub(crate) model: Option<PathBuf>,
    pub(crate) counts: Option<PathBuf>,
    pub(crate) work: Option<PathBuf>,
    pub(crate) vectors: Option<PathBuf>,
    pub(crate) tree: Option<PathBuf>,
    pub(crate) picture: Option<(PathBuf, Drawing, PictureConfig)>,
    pub(crate) job: ClustersJob,
}

impl ClusterArgs {
    pub(crate) fn build(self) -> Result<ClusterRun, UsageError> {
        let outputs: Vec<&PathBuf> = [Some(&self.output), self.model.as_ref(), self.counts.as_ref()]
            .into_iter()
            .chain([self.tree.as_ref(), self.picture.as_ref(), self.vectors.as_ref()])
            .flatten()
            .collect();
        for output in outputs {
            refuse_overwriting(output, self.inputs.iter().map(PathBuf::as_path))?;
        }
        if self.inputs.iter().filter(|path| path.as_os_str() == STANDARD_STREAM).count() > 1 {
            return Err(UsageError("standard input can be read once only; give files instead".to_owned()));
        }
        let recipe = self.recipe();
        if self.vectors.is_some() {
            recipe.needs_vectors("vectors")?;
        }
        let mut job = ClustersJob::new(recipe.config()?);
        if self.counts.is_some() || self.work.is_some() {
            job.reuse = CountReuse::Later;
        }
        let vocab = match vocab_limit(self.vocab, self.min_count, self.unknown)? {
            (None, unknown) => VocabChoice::Usual { unknown },
            (Some(limit), _) => VocabChoice::Limit(limit),
        };
        let count = CountConfig {
            boundaries: self.boundaries.boundaries(),
            encoding: if self.lossy { Encoding::Lossy } else { Encoding::Strict },
            ..CountConfig::default()
        };
        job.gather = GatherConfig { count, vocab };
        let picture = PictureConfig { depth: self.picture_depth, words: self.picture_words.max(1) };
        Ok(ClusterRun {
            inputs: self.inputs,
            output: self.output,
            model: self.model,
            counts: self.counts,
            work: self.work,
            vectors: self.vectors,
            tree: self.tree,
            picture: self.picture.map(|path| {
                let format = Drawing::of_path(&path).unwrap_or(Drawing::Svg);
                (path, format, picture)
            }),
            job,
        })
    }

    fn recipe(&self) -> ClusterRecipe {
        ClusterRecipe {
            method: if self.paper { Method::Spectral } else { self.method.method() },
            clusters: self.clusters,
            context: self.spectrum.context,
            kappa: self.spectrum.kappa,
            transform: self.spectrum.transform,
            rank: self.rank,
            ward: self.ward.map(WardArg::ward),
            growth: self.hierarchy.map(HierarchyArg::growth),
        }
    }
}
