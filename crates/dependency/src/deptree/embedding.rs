//! Representation of symbols in k dimensions.
//!
//! ```text
//! Ω̂ = diag(û)^{-1/2} [B̂_1 … B̂_p] diag(v̂)^{-1/2} ≈ Û Σ̂ V̂ᵀ,     U = diag(û)^{-1/2} Û,     Y = diag(û)^{1/2} Û
//! ```
//!
//! is the canonical correlation analysis of a symbol with its neighbours in trees: heads to the right and to the left,
//! left and right children. The probabilities `o(x|h)` lie in the span of `diag(û)^{1/2} Û`, not in that of `U`. So
//! `δ_x` is recovered by the dual `y_x = (UᵀWU)⁻¹ Uᵀ W δ_x` with `W = diag(û)`, which for this `U` is the row of `Y`;
//! the formula of the paper has `W = I`.

use corpus::cooccurrence::PairCounts;
use corpus::dependency::Direction;
use linalg::pseudo_inverse;
use spectral::decompose::{Block, BlockMoment, SquareCounts};
use spectral::moments::CountTransform;

use super::{DeptreeConfig, Estimator, Neighbours, Observations, TreeSites};
use models::learn::{LearnError, Progress};
use models::representations::VectorTable;

/// Largest residual of a singular vector, relative to the first singular value. The inverses that follow need
/// vectors this exact.
const TOLERANCE: f64 = 1e-6;

/// `U` and its dual, one row of each per symbol.
#[derive(Clone, PartialEq, Debug)]
pub struct Representation {
    pub(super) dimension: usize,
    /// By symbol, `dimension` values each.
    pub(super) rows: Vec<f64>,
    pub(super) duals: Vec<f64>,
    /// The singular values of the decomposition, if the rows come from one.
    pub(super) spectrum: Vec<f64>,
}

impl Representation {
    /// Builds a representation from the rows of `U`, `dimension` values each, and the weights `W` of the symbols.
    /// `None` if their sizes do not match or the rows do not have full rank.
    pub fn new(dimension: usize, rows: Vec<f64>, weights: &[f64]) -> Option<Self> {
        if dimension == 0 || rows.len() != dimension * weights.len() {
            return None;
        }
        let row = |symbol: usize| &rows[symbol * dimension..][..dimension];
        let mut gram = faer::Mat::<f64>::zeros(dimension, dimension);
        for (symbol, &weight) in weights.iter().enumerate() {
            let row = row(symbol);
            for i in 0..dimension {
                for j in 0..dimension {
                    gram[(i, j)] += weight * row[i] * row[j];
                }
            }
        }
        let inverse =
            pseudo_inverse(gram.as_ref(), 1e-14).ok().filter(|inverse| inverse.rank == dimension)?;
        let mut duals = vec![0.0; rows.len()];
        for (symbol, &weight) in weights.iter().enumerate() {
            for i in 0..dimension {
                let entry: f64 = (0..dimension).map(|j| inverse.matrix[(i, j)] * row(symbol)[j]).sum();
                duals[symbol * dimension + i] = weight * entry;
            }
        }
        Some(Self { dimension, rows, duals, spectrum: Vec::new() })
    }

    /// The first `dimension` values of each row, for rows whose columns are orthogonal under the weights: the duals are
    /// truncated likewise.
    pub(super) fn leading(&self, dimension: usize) -> Self {
        let dimension = dimension.min(self.dimension);
        let cut = |numbers: &[f64]| {
            numbers.chunks_exact(self.dimension).flat_map(|row| &row[..dimension]).copied().collect()
        };
        Self { dimension, rows: cut(&self.rows), duals: cut(&self.duals), spectrum: self.spectrum.clone() }
    }

    /// The dimension k.
    pub fn dimension(&self) -> usize {
        self.dimension
    }

    /// The number of symbols.
    pub fn symbols(&self) -> usize {
        self.rows.len() / self.dimension
    }

    /// The singular values of the decomposition that gave the rows; empty if they were given.
    pub fn spectrum(&self) -> &[f64] {
        &self.spectrum
    }

    /// `U_x`.
    pub fn row(&self, symbol: usize) -> &[f64] {
        &self.rows[symbol * self.dimension..][..self.dimension]
    }
}

/// Represents symbols by the first `dimension` numbers of the given vectors of their forms; a symbol without a form, or whose
/// form has no vector, by the mean of all vectors. `weights` are those of the symbols in the duals.
pub(super) fn given_vectors(
    vectors: &VectorTable,
    observations: &Observations,
    weights: &[f64],
    dimension: usize,
) -> Result<Representation, LearnError> {
    if vectors.dimension() < dimension {
        return Err(LearnError::bad_config(format!(
            "the vectors have {} dimensions, which is less than the {dimension} states; choose fewer states or longer vectors",
            vectors.dimension()
        )));
    }
    let mut mean = vec![0.0; dimension];
    for row in 0..vectors.len() as u32 {
        for (sum, &value) in mean.iter_mut().zip(vectors.row(row)) {
            *sum += f64::from(value) / vectors.len() as f64;
        }
    }
    let mut rows = Vec::with_capacity(observations.len() * dimension);
    for symbol in 0..observations.len() {
        match observations.form(symbol).and_then(|form| vectors.of(form)) {
            Some(row) => rows.extend(row[..dimension].iter().map(|&value| f64::from(value))),
            None => rows.extend(&mean),
        }
    }
    Representation::new(dimension, rows, weights).ok_or_else(|| {
        LearnError::bad_data(
            "the vectors of the words have fewer dimensions than states; choose fewer states",
        )
    })
}

/// Represents the symbols of a treebank by their neighbours in trees or in sentences. (Both together made the inverses
/// worse.)
pub fn embed_trees(
    sites: &[TreeSites],
    symbols: usize,
    config: &DeptreeConfig,
    progress: &mut Progress<'_>,
) -> Result<Representation, LearnError> {
    progress.stage("represent", None)?;
    let mut counts = vec![config.kappa; symbols];
    let mut pairs: [Vec<(u32, u32)>; 2] = Default::default();
    for tree in sites {
        tree.symbols.iter().for_each(|&symbol| counts[symbol as usize] += 1.0);
        match config.neighbours {
            Neighbours::Trees => tree.arcs().for_each(|(word, head, side)| {
                let (word, head) = (tree.symbols[word], tree.symbols[head]);
                match side {
                    Direction::Left => pairs[0].push((word, head)),
                    Direction::Right => pairs[1].push((head, word)),
                }
            }),
            Neighbours::Sentences | Neighbours::Given => {
                pairs[0].extend(tree.symbols.windows(2).map(|pair| (pair[0], pair[1])));
            }
        }
    }
    let pairs = pairs.map(|pairs| PairCounts::from_pairs(symbols, pairs));
    let tables = pairs.each_ref().map(|pairs| SquareCounts {
        offsets: pairs.offsets(),
        columns: pairs.right(),
        counts: pairs.counts(),
    });
    // In sentences there is one kind of neighbours, in trees there are two.
    let kinds = if config.neighbours == Neighbours::Trees { 2 } else { 1 };
    let blocks = (0..kinds).flat_map(|table| [Block::Transposed(table), Block::Counted(table)]).collect();
    let failed = |error: Box<dyn std::error::Error + Send + Sync>| LearnError::failed("represent", error);
    let moment = BlockMoment::<f64>::new(&tables, blocks, config.kappa, CountTransform::Identity)
        .map_err(|error| failed(error.into()))?;
    let rank = config.dimension.min(symbols);
    let svd = progress.watched(|watch| moment.decompose(rank, TOLERANCE, watch))?;
    let Some(svd) = svd.map_err(|error| failed(error.into()))? else {
        return Err(LearnError::bad_data("no word has a neighbour; give sentences of more than one word"));
    };
    let dimension = svd.s.len();
    let total: f64 = counts.iter().sum();
    let mut rows = Vec::with_capacity(symbols * dimension);
    for (symbol, count) in counts.iter().enumerate() {
        // Without κ a symbol that does not occur, such as that of unknown words, has no row.
        let scale = if *count > 0.0 { (total / count).sqrt() } else { 0.0 };
        rows.extend((0..dimension).map(|at| svd.u[(symbol, at)] * scale));
    }
    let weights: Vec<f64> = match config.estimator {
        Estimator::BySite => counts.iter().map(|count| count / total).collect(),
        Estimator::OnePrior => vec![1.0; symbols],
    };
    let words = Representation::new(dimension, rows, &weights).ok_or_else(|| {
        LearnError::bad_data("the data has fewer dimensions than requested; choose a smaller dimension")
    })?;
    Ok(Representation { spectrum: svd.s.to_vec(), ..words })
}
