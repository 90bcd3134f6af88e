//! Weights during training: one row per feature.
//!
//! Training visits the rows in random order, so memory latency dominates. Therefore everything that a step needs of a
//! row is stored together, and a row is addressed directly, without a lookup.

/// Rows with at least 1/`DENSE` of all labels are stored densely and are added to the scores without looking at the
/// labels.
const DENSE: usize = 4;

/// Marks the numbers of dense rows.
const DENSE_BIT: u32 = 1 << 31;

/// θ(f, y) during training.
#[derive(Clone, Copy, Debug)]
struct Entry {
    label: u16,
    place: Place,
    weight: f32,
    /// h(f, y).
    squares: f32,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Place {
    /// Another entry of the row follows.
    Inner,
    /// The last entry of the row.
    Last,
}

/// The weights of all features. A row has the labels that its feature was seen with.
#[derive(Debug)]
pub struct Rows {
    /// Number of labels: the length of a dense row.
    all: usize,
    /// The sparse rows, concatenated. The number of a row is its start.
    entries: Vec<Entry>,
    /// The dense rows, concatenated. The number of a row, without the marker bit, is its start.
    weights: Vec<f32>,
    /// h(f, y) of the dense rows. Infinite for labels that the feature was not seen with, so that their weights remain
    /// 0.
    squares: Vec<f32>,
    /// Sums of the weights over the passes that are averaged.
    sums: Vec<f32>,
    dense_sums: Vec<f32>,
}

impl Rows {
    /// Creates weights of 0 for pairs of feature and label, given in ascending order without gaps. Also returns the row
    /// number of each feature.
    pub fn new(pairs: &[(u32, u16)], all: usize) -> (Self, Vec<u32>) {
        let (mut entries, mut squares, mut numbers) = (Vec::new(), Vec::new(), Vec::new());
        for row in pairs.chunk_by(|one, other| one.0 == other.0) {
            if row.len() * DENSE >= all {
                let start = squares.len();
                numbers.push(start as u32 | DENSE_BIT);
                squares.resize(start + all, f32::INFINITY);
                row.iter().for_each(|&(_, label)| squares[start + usize::from(label)] = 0.0);
            } else {
                numbers.push(entries.len() as u32);
                entries.extend(row.iter().enumerate().map(|(at, &(_, label))| {
                    let place = if at + 1 == row.len() { Place::Last } else { Place::Inner };
                    Entry { label, place, weight: 0.0, squares: 0.0 }
                }));
            }
        }
        let (sums, weights) = (vec![0.0; entries.len()], vec![0.0; squares.len()]);
        let dense_sums = weights.clone();
        (Self { all, entries, weights, squares, sums, dense_sums }, numbers)
    }

    /// Adds θ(f, ·) to the scores of all labels.
    #[inline]
    pub fn add_weights(&self, row: u32, scores: &mut [f32]) {
        if row & DENSE_BIT != 0 {
            let weights = &self.weights[(row ^ DENSE_BIT) as usize..][..self.all];
            scores.iter_mut().zip(weights).for_each(|(score, weight)| *score += weight);
        } else {
            for entry in &self.entries[row as usize..] {
                scores[usize::from(entry.label)] += entry.weight;
                if entry.place == Place::Last {
                    break;
                }
            }
        }
    }

    /// Updates the weights of one feature. `active` lists the labels with nonzero gradient; `slopes` has the gradient
    /// by label.
    #[inline]
    pub fn descend(&mut self, row: u32, slopes: &[f32], active: &[(u16, f32)], rate: f32, damping: f32) {
        let step = |weight: &mut f32, squares: &mut f32, slope: f32| {
            *squares += slope * slope;
            *weight -= rate * slope / (*squares + damping).sqrt();
        };
        if row & DENSE_BIT != 0 {
            let start = (row ^ DENSE_BIT) as usize;
            let (weights, squares) =
                (&mut self.weights[start..][..self.all], &mut self.squares[start..][..self.all]);
            for &(label, slope) in active {
                step(&mut weights[usize::from(label)], &mut squares[usize::from(label)], slope);
            }
        } else {
            for entry in &mut self.entries[row as usize..] {
                let slope = slopes[usize::from(entry.label)];
                if slope != 0.0 {
                    step(&mut entry.weight, &mut entry.squares, slope);
                }
                if entry.place == Place::Last {
                    break;
                }
            }
        }
    }

    /// Adds the current weights to the sums.
    pub fn sum(&mut self) {
        self.sums.iter_mut().zip(&self.entries).for_each(|(sum, entry)| *sum += entry.weight);
        self.dense_sums.iter_mut().zip(&self.weights).for_each(|(sum, weight)| *sum += weight);
    }

    /// Largest absolute value of a sum.
    pub fn largest_sum(&self) -> f32 {
        self.sums.iter().chain(&self.dense_sums).map(|sum| sum.abs()).fold(0.0, f32::max)
    }

    /// Calls `each` with the labels of a row and their sums.
    pub fn each_sum(&self, row: u32, mut each: impl FnMut(u16, f32)) {
        if row & DENSE_BIT != 0 {
            let sums = &self.dense_sums[(row ^ DENSE_BIT) as usize..][..self.all];
            sums.iter().enumerate().for_each(|(label, &sum)| each(label as u16, sum));
        } else {
            let start = row as usize;
            for (entry, &sum) in self.entries[start..].iter().zip(&self.sums[start..]) {
                each(entry.label, sum);
                if entry.place == Place::Last {
                    break;
                }
            }
        }
    }
}
