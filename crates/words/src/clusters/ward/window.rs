//! Ward's clustering with a window.

use corpus::ids::Id;

use super::table::Table;
use super::upcoming::Upcoming;
use crate::clusters::kernel::Kernel;
use crate::clusters::{ClusterId, Embedding, Hierarchy};
use models::learn::{LearnError, Progress};

/// Number of words between progress reports.
const REPORT: usize = 64;

/// The active clusters.
struct Window<'a> {
    embedding: &'a Embedding,
    table: Table,
    upcoming: Upcoming,
    /// The mean in each slot.
    means: Vec<f32>,
    /// The node of the tree in each slot.
    nodes: Vec<u32>,
    /// The exact weights.
    weights: Vec<u64>,
}

/// Clusters words by their vectors and weights into `clusters` clusters, with the tree over them and those inside them.
/// Words must be in order of decreasing frequency; words without weight count as if they had weight 1.
pub fn ward(
    embedding: &Embedding,
    weights: &[u64],
    clusters: usize,
    progress: &mut Progress<'_>,
) -> Result<Hierarchy, LearnError> {
    ward_by(embedding, weights, clusters, Kernel::detect(), progress)
}

/// The same with a given kernel.
pub(super) fn ward_by(
    embedding: &Embedding,
    weights: &[u64],
    clusters: usize,
    kernel: Kernel,
    progress: &mut Progress<'_>,
) -> Result<Hierarchy, LearnError> {
    let words = embedding.words();
    if weights.len() != words {
        return Err(LearnError::bad_config(format!(
            "{} words have a weight, but there are {words} words; give one weight per word",
            weights.len()
        )));
    }
    if clusters == 0 {
        return Err(LearnError::bad_config("the number of clusters is 0; it must be at least 1"));
    }
    progress.stage("ward", Some(words as u64))?;
    let clusters = clusters.min(words);
    let places = (clusters + 1).min(words);
    let table = Table::new(places, kernel);
    let mut window = Window {
        embedding,
        upcoming: Upcoming::new(table.width(), kernel),
        table,
        means: vec![0.0; places * embedding.stride()],
        nodes: vec![u32::MAX; places],
        weights: vec![0; places],
    };
    let mut inner: Vec<[u32; 2]> = Vec::with_capacity(words - clusters);
    let mut free = 0;
    for (word, &weight) in weights.iter().enumerate() {
        window.admit(word, free, weight.max(1));
        free += 1;
        if word >= clusters {
            let (kept, gone, merge) = window.merge(word);
            window.nodes[kept] = (words + inner.len()) as u32;
            inner.push(merge);
            free = gone;
        }
        if word % REPORT == REPORT - 1 {
            progress.advance(REPORT as u64)?;
        }
    }
    progress.advance((words % REPORT) as u64)?;

    let mut order: Vec<usize> = (0..places).filter(|&place| window.weights[place] > 0).collect();
    let firsts = first_words(words, &inner);
    order.sort_by_key(|&place| {
        (std::cmp::Reverse(window.weights[place]), firsts[window.nodes[place] as usize])
    });
    let mut names = vec![u32::MAX; words + inner.len()];
    for (name, &place) in order.iter().enumerate() {
        names[window.nodes[place] as usize] = name as u32;
        window.nodes[place] = name as u32;
    }
    // Children come before parents, so in reverse order each node finds its parent's name.
    for (at, merge) in inner.iter().enumerate().rev() {
        for &child in merge {
            names[child as usize] = names[words + at];
        }
    }
    let mut merges = Vec::with_capacity(clusters.saturating_sub(1));
    while merges.len() + 1 < order.len() {
        let (kept, _, merge) = window.merge(words);
        window.nodes[kept] = (order.len() + merges.len()) as u32;
        merges.push(merge);
        progress.check()?;
    }
    let made = (inner.len() + merges.len()).max(1);
    progress.figure("searches per merge", window.table.searches as f64 / made as f64);
    let id = |&name: &u32| ClusterId::new(name as usize).expect("no more clusters than words");
    let assignment = names[..words].iter().map(id).collect();
    let hierarchy = Hierarchy::new(assignment, merges).and_then(|tree| tree.with_inner_merges(inner));
    Ok(hierarchy.expect("merges make one tree of all words"))
}

/// The first word below each node.
fn first_words(words: usize, merges: &[[u32; 2]]) -> Vec<u32> {
    let mut firsts: Vec<u32> = (0..words as u32).collect();
    for &[one, other] in merges {
        firsts.push(firsts[one as usize].min(firsts[other as usize]));
    }
    firsts
}

impl Window<'_> {
    /// Adds a word as a cluster in a free slot.
    fn admit(&mut self, word: usize, place: usize, weight: u64) {
        let vector = self.embedding.padded(word);
        let products = self.upcoming.products(word, self.embedding, &self.means);
        let square = vector.iter().map(|&value| f64::from(value) * f64::from(value)).sum::<f64>();
        self.table.add(place, weight as f32, square as f32, products);
        self.upcoming.placed(word, place);
        self.means[place * vector.len()..][..vector.len()].copy_from_slice(vector);
        self.nodes[place] = word as u32;
        self.weights[place] = weight;
    }

    /// Merges the two nearest clusters after `word` was added; returns the slot of the new one, the freed slot, and the
    /// merged nodes, the heavier first.
    fn merge(&mut self, word: usize) -> (usize, usize, [u32; 2]) {
        let (kept, gone) = self.table.closest().unwrap_or((0, 1));
        let stride = self.embedding.stride();
        let both = self.weights[kept] + self.weights[gone];
        let shares = [kept, gone].map(|place| (self.weights[place] as f64 / both as f64) as f32);
        let mut square = 0.0;
        for at in 0..stride {
            let value =
                shares[0] * self.means[kept * stride + at] + shares[1] * self.means[gone * stride + at];
            self.means[kept * stride + at] = value;
            square += f64::from(value) * f64::from(value);
        }
        self.table.merge(kept, gone, square as f32);
        self.upcoming.merged(word, kept, gone, shares);
        let heavy = (self.weights[kept], self.nodes[gone]) >= (self.weights[gone], self.nodes[kept]);
        let [one, other] = if heavy { [kept, gone] } else { [gone, kept] };
        let merge = [self.nodes[one], self.nodes[other]];
        self.weights[kept] = both;
        self.weights[gone] = 0;
        (kept, gone, merge)
    }
}
