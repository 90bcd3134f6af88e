//! Clusters from the top down: the alternative that Stratos et al. (2014, section 7) propose for further work.
//!
//! All words start as one cluster. The cluster with the largest sum of squared distances to its mean is divided by 2-means,
//! until there are `m`. A division looks at the vectors of one cluster, a few times, so that all of them take `O(k V log m)`
//! where the divisions are even; Ward's clustering with a window takes `O(k V m)`. Words have no tree inside clusters.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use corpus::ids::Id;
use models::learn::{LearnError, Progress};

use super::{ClusterId, Embedding, Hierarchy};

/// Most rounds of 2-means; it mostly stops earlier, when no word moves.
const ROUNDS: usize = 30;

/// A cluster that may be divided.
struct Part {
    /// The sum of weighted squared distances to the mean.
    spread: f64,
    /// Its number in the order of creation.
    number: usize,
    words: Vec<u32>,
}

impl PartialEq for Part {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Part {}

impl Ord for Part {
    fn cmp(&self, other: &Self) -> Ordering {
        self.spread.total_cmp(&other.spread).then(other.number.cmp(&self.number))
    }
}

impl PartialOrd for Part {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// Divides words into `clusters` clusters, or as many as there are different vectors if these are fewer, each word with its
/// weight.
pub fn bisect(
    embedding: &Embedding,
    weights: &[u64],
    clusters: usize,
    progress: &mut Progress<'_>,
) -> Result<Hierarchy, LearnError> {
    let words: Vec<u32> = (0..embedding.words() as u32).collect();
    progress.stage("bisect", Some(clusters.min(words.len()) as u64))?;
    let space = Space { embedding, weights };
    let mut parts = BinaryHeap::from([Part { spread: space.spread(&words), number: 0, words }]);
    let mut whole: Vec<Part> = Vec::new();
    // By number: the two parts that a part was divided into.
    let mut divided: Vec<Option<[usize; 2]>> = vec![None];
    while parts.len() + whole.len() < clusters {
        let Some(mut part) = parts.pop() else { break };
        let [zero, one] = space.divide(&part.words);
        if zero.is_empty() || one.is_empty() {
            // All its vectors are equal.
            part.spread = 0.0;
            whole.push(part);
            continue;
        }
        divided[part.number] = Some([divided.len(), divided.len() + 1]);
        for words in [zero, one] {
            parts.push(Part { spread: space.spread(&words), number: divided.len(), words });
            divided.push(None);
        }
        progress.advance(1)?;
    }
    whole.extend(parts);
    whole.sort_by_key(|part| part.words.first().copied());
    hierarchy(embedding.words(), &whole, &divided)
        .ok_or_else(|| LearnError::bad_data("the words could not be divided into clusters"))
}

/// The clusters with the divisions read backwards: the last was the first merge.
fn hierarchy(words: usize, parts: &[Part], divided: &[Option<[usize; 2]>]) -> Option<Hierarchy> {
    let mut assignment = vec![ClusterId::new(0)?; words];
    let mut node_of = vec![0_u32; divided.len()];
    for (cluster, part) in parts.iter().enumerate() {
        node_of[part.number] = cluster as u32;
        for &word in &part.words {
            assignment[word as usize] = ClusterId::new(cluster)?;
        }
    }
    let mut merges = Vec::new();
    // A part was created before the parts of it.
    for (number, halves) in divided.iter().enumerate().rev() {
        if let Some([zero, one]) = *halves {
            node_of[number] = (parts.len() + merges.len()) as u32;
            merges.push([node_of[zero], node_of[one]]);
        }
    }
    Hierarchy::new(assignment, merges)
}

struct Space<'e> {
    embedding: &'e Embedding,
    weights: &'e [u64],
}

impl Space<'_> {
    fn weight(&self, word: u32) -> f64 {
        self.weights.get(word as usize).map_or(0.0, |&weight| weight as f64)
    }

    fn row(&self, word: u32) -> &[f32] {
        self.embedding.row(word as usize)
    }

    /// The weighted mean of some words; words without weight count as little as possible.
    fn mean(&self, words: &[u32]) -> Vec<f64> {
        let mut mean = vec![0.0; self.embedding.dimension()];
        let mut total = 0.0;
        for &word in words {
            let weight = self.weight(word).max(f64::MIN_POSITIVE);
            mean.iter_mut().zip(self.row(word)).for_each(|(sum, &entry)| *sum += weight * f64::from(entry));
            total += weight;
        }
        mean.iter_mut().for_each(|sum| *sum /= total);
        mean
    }

    fn distance(&self, word: u32, point: &[f64]) -> f64 {
        let differences = self.row(word).iter().zip(point).map(|(&entry, mean)| f64::from(entry) - mean);
        differences.map(|difference| difference * difference).sum()
    }

    fn spread(&self, words: &[u32]) -> f64 {
        let mean = self.mean(words);
        words.iter().map(|&word| self.weight(word) * self.distance(word, &mean)).sum()
    }

    /// The word that adds most to the spread around a point; of equal ones the first.
    fn farthest(&self, words: &[u32], point: &[f64]) -> Option<u32> {
        let far = |&word: &u32| self.weight(word) * self.distance(word, point);
        words.iter().copied().max_by(|a, b| far(a).total_cmp(&far(b)).then(b.cmp(a)))
    }

    /// Two parts by 2-means, the first with the first word; one is empty if all vectors are equal. The means start at the word
    /// that is farthest from the mean of all, and at the one farthest from that.
    fn divide(&self, words: &[u32]) -> [Vec<u32>; 2] {
        let start = |word: Option<u32>| -> Option<Vec<f64>> {
            Some(self.row(word?).iter().map(|&entry| f64::from(entry)).collect())
        };
        let first = start(self.farthest(words, &self.mean(words)));
        let second = first.as_ref().and_then(|first| start(self.farthest(words, first)));
        let (Some(first), Some(second)) = (first, second) else { return [words.to_vec(), Vec::new()] };
        let mut means = [first, second];
        let mut parts = [Vec::new(), Vec::new()];
        for _ in 0..ROUNDS {
            let nearer = |word: &u32| self.distance(*word, &means[1]) < self.distance(*word, &means[0]);
            let (one, zero): (Vec<u32>, Vec<u32>) = words.iter().copied().partition(|word| nearer(word));
            let same = parts[0].len() == zero.len() && parts[0] == zero;
            parts = [zero, one];
            if same || parts.iter().any(Vec::is_empty) {
                break;
            }
            means = [self.mean(&parts[0]), self.mean(&parts[1])];
        }
        if parts[0].first() > parts[1].first() && !parts[1].is_empty() {
            parts.reverse();
        }
        parts
    }
}

#[cfg(test)]
mod tests {
    use models::learn::Silent;

    use super::*;

    fn clusters(rows: &[[f64; 2]], weights: &[u64], clusters: usize) -> Hierarchy {
        let embedding = Embedding::from_rows(rows.len(), 2, |word, entry| rows[word][entry]);
        bisect(&embedding, weights, clusters, &mut Progress::new(&mut Silent)).unwrap()
    }

    #[test]
    fn words_in_the_same_direction_are_one_cluster() {
        let rows = [[1.0, 0.0], [0.77, 0.64], [0.999, 0.03], [-1.0, 0.0], [1.5, 1.32], [-3.0, 0.1]];
        let found = clusters(&rows, &[1; 6], 3);
        let ids: Vec<usize> = found.assignment().iter().map(|cluster| cluster.index()).collect();
        assert_eq!(ids, [0, 1, 0, 2, 1, 2]);
        assert_eq!(found.merges().len(), 2);
        // One cluster, one per word, and no more clusters than there are different vectors.
        assert_eq!(clusters(&rows, &[1; 6], 1).clusters(), 1);
        assert_eq!(clusters(&rows, &[1; 6], 9).clusters(), 6);
        assert_eq!(clusters(&[[1.0, 0.0]; 4], &[1; 4], 3).clusters(), 1);
    }

    #[test]
    fn heavy_words_are_divided_first() {
        // Two pairs at equal angles; the heavier pair is divided.
        let rows = [[1.0, 0.3], [1.0, -0.3], [-1.0, 0.3], [-1.0, -0.3]];
        let found = clusters(&rows, &[1, 1, 5, 5], 3);
        let ids: Vec<usize> = found.assignment().iter().map(|cluster| cluster.index()).collect();
        assert_eq!(ids, [0, 0, 1, 2]);
        assert_eq!(found.cluster_paths()[0].len(), 1);
    }
}
