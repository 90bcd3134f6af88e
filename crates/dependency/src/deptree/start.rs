//! Start of EM from the embedding: symbols are clustered by their rows, each cluster is a state, and states are counted.
//!
//! The rows of `Û Σ`, scaled to length 1, are clustered by k-means, weighted by the counts of the symbols. A symbol then has
//! one state everywhere. A part of every distribution is spread, so that EM can change its mind.

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use spectral::kmeans;

use super::em::Table;
use super::{DeptreeConfig, EmConfig, TreeSites, embed_trees};
use models::learn::{LearnError, Progress};

/// The share of each distribution that is spread.
const SPREAD: f64 = 0.1;

/// Parameters from the clusters of the symbols, with the κ of the embedding.
pub(super) fn clustered(
    sites: &[TreeSites],
    symbols: usize,
    (em, kappa): (&EmConfig, f64),
    progress: &mut Progress<'_>,
) -> Result<Table, LearnError> {
    let states = em.states;
    let config = DeptreeConfig { dimension: states.min(symbols), kappa, ..DeptreeConfig::default() };
    let words = embed_trees(sites, symbols, &config, progress)?;
    progress.stage("cluster", None)?;
    let dims = words.dimension();
    let mut points = Vec::with_capacity(symbols * dims);
    for symbol in 0..symbols {
        let row: Vec<f64> = words.row(symbol).iter().zip(words.spectrum()).map(|(u, s)| u * s).collect();
        let length = row.iter().map(|entry| entry * entry).sum::<f64>().sqrt();
        points.extend(row.iter().map(|entry| if length > 0.0 { entry / length } else { 0.0 }));
    }
    let mut counts = vec![0.0; symbols];
    sites.iter().flat_map(|tree| &tree.symbols).for_each(|&symbol| counts[symbol as usize] += 1.0);
    let state = kmeans(&points, dims, &counts, states, &mut ChaCha8Rng::seed_from_u64(em.seed));

    let k = states;
    let mut table = Table::zero(k, symbols, em.children);
    let of = |symbol: u32| state[symbol as usize] as usize;
    for tree in sites {
        let Some(root) = tree.root() else { continue };
        table.root[of(tree.symbols[root])] += 1.0;
        for &symbol in &tree.symbols {
            table.shows[symbol as usize * k + of(symbol)] += 1.0;
        }
        if let Some(valences) = &mut table.valences {
            for (&symbol, &children) in tree.symbols.iter().zip(&tree.children) {
                let own = of(symbol);
                let posterior: Vec<f64> = (0..k).map(|h| f64::from(u8::from(h == own))).collect();
                valences.count(&posterior, children);
            }
        }
        for (word, head, side) in tree.arcs() {
            let step = tree.step(word, side, table.steps.len());
            table.steps[step][of(tree.symbols[word]) * k + of(tree.symbols[head])] += 1.0;
        }
    }
    spread(&mut table.root, 1);
    table.steps.iter_mut().for_each(|steps| spread(steps, k));
    // A symbol keeps its own frequency in all states.
    let total: f64 = counts.iter().sum();
    let mut used = vec![0.0; k];
    table
        .shows
        .chunks_exact(k)
        .for_each(|row| used.iter_mut().zip(row).for_each(|(sum, count)| *sum += count));
    for (row, count) in table.shows.chunks_exact_mut(k).zip(&counts) {
        let share = count / f64::max(total, 1.0);
        for (entry, used) in row.iter_mut().zip(&used) {
            *entry = (1.0 - SPREAD) * *entry + SPREAD * (used + 1.0) * share;
        }
    }
    table.normalise();
    Ok(table)
}

/// Spreads a part of each column's sum over its entries.
fn spread(matrix: &mut [f64], columns: usize) {
    let rows = matrix.len() / columns;
    let mut sums = vec![0.0; columns];
    matrix
        .chunks_exact(columns)
        .for_each(|row| sums.iter_mut().zip(row).for_each(|(sum, count)| *sum += count));
    for row in matrix.chunks_exact_mut(columns) {
        for (entry, sum) in row.iter_mut().zip(&sums) {
            *entry = (1.0 - SPREAD) * *entry + SPREAD * (sum + 1.0) / rows as f64;
        }
    }
}
