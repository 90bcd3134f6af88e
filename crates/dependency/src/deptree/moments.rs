//! The averages from which the operators are estimated.

use corpus::dependency::Direction;
use faer::Mat;
use rayon::prelude::*;

use super::{Representation, TreeSites};

/// Number of trees per parallel task.
const CHUNK: usize = 256;

/// Averages over roots, over arcs, and over heads with children on both sides. They can also be filled in from a known
/// model.
#[derive(Clone, Debug)]
pub struct TreeMoments {
    /// The number of roots, and `E[U_x | root]`.
    pub root: (f64, Vec<f64>),
    /// By side of the child: the number of arcs, `E[U_child]`, `E[U_head U_childᵀ]`.
    pub arcs: [(f64, Vec<f64>, Mat<f64>); 2],
    /// The number of heads with children on both sides. Below, `left` and `right` are the means over a head's children
    /// on a side.
    pub triples: f64,
    /// `Λ_L = E[U_left U_rightᵀ]`.
    pub siblings: Mat<f64>,
    /// By side: `E[U_head U_childᵀ]` over the same heads.
    pub heads: [Mat<f64>; 2],
    /// `K`: by index of the head, `E[U_left (U_head)_i U_rightᵀ]`.
    pub third: Vec<Mat<f64>>,
    /// By side of the child at its head, then by side of that head at its own.
    pub chains: [[ChainMoments; 2]; 2],
}

/// Averages over words with a head that has a head itself; over a head's children on a side, their means.
#[derive(Clone, Debug)]
pub struct ChainMoments {
    /// The number of heads.
    pub weight: f64,
    /// `E[U_child U_grandparentᵀ]`.
    pub ends: Mat<f64>,
    /// `E[U_head U_grandparentᵀ]`.
    pub heads: Mat<f64>,
    /// By index of the head, `E[U_child (U_head)_i U_grandparentᵀ]`.
    pub third: Vec<Mat<f64>>,
}

impl ChainMoments {
    /// Averages of no trees.
    pub fn empty(k: usize) -> Self {
        let square = || Mat::zeros(k, k);
        Self { weight: 0.0, ends: square(), heads: square(), third: (0..k).map(|_| square()).collect() }
    }

    fn leading(&self, k: usize) -> Self {
        let square = |matrix: &Mat<f64>| matrix.submatrix(0, 0, k, k).to_owned();
        Self {
            weight: self.weight,
            ends: square(&self.ends),
            heads: square(&self.heads),
            third: self.third[..k].iter().map(square).collect(),
        }
    }

    fn matrices(&mut self) -> impl Iterator<Item = &mut Mat<f64>> {
        [&mut self.ends, &mut self.heads].into_iter().chain(&mut self.third)
    }

    fn add(&mut self, other: &Self) {
        self.weight += other.weight;
        let others = [&other.ends, &other.heads].into_iter().chain(&other.third);
        self.matrices().zip(others).for_each(|(sum, part)| *sum += part);
    }

    fn average(&mut self) {
        let scale = faer::Scale(1.0 / self.weight.max(1.0));
        self.matrices().for_each(|matrix| *matrix *= scale);
    }
}

impl TreeMoments {
    /// Averages of no trees.
    pub fn empty(k: usize) -> Self {
        let square = || Mat::zeros(k, k);
        Self {
            root: (0.0, vec![0.0; k]),
            arcs: [(0.0, vec![0.0; k], square()), (0.0, vec![0.0; k], square())],
            triples: 0.0,
            siblings: square(),
            heads: [square(), square()],
            third: (0..k).map(|_| square()).collect(),
            chains: [0, 1].map(|_| [0, 1].map(|_| ChainMoments::empty(k))),
        }
    }

    /// The averages over trees.
    pub fn of_trees(sites: &[TreeSites], words: &Representation) -> Self {
        let parts: Vec<Self> = sites
            .par_chunks(CHUNK)
            .map(|trees| {
                let mut sum = Self::empty(words.dimension);
                let mut below = Below::default();
                trees.iter().for_each(|tree| sum.add_tree(tree, words, &mut below));
                sum
            })
            .collect();
        // In order, so that the number of threads does not matter.
        let mut sum = Self::empty(words.dimension);
        parts.iter().for_each(|part| sum.add(part));
        sum.averaged()
    }

    /// The averages of the first `k` dimensions.
    pub(super) fn leading(&self, k: usize) -> Self {
        let vector = |mean: &[f64]| mean[..k].to_vec();
        let square = |matrix: &Mat<f64>| matrix.submatrix(0, 0, k, k).to_owned();
        Self {
            root: (self.root.0, vector(&self.root.1)),
            arcs: [0, 1].map(|side| {
                let (weight, mean, cross) = &self.arcs[side];
                (*weight, vector(mean), square(cross))
            }),
            triples: self.triples,
            siblings: square(&self.siblings),
            heads: [0, 1].map(|side| square(&self.heads[side])),
            third: self.third[..k].iter().map(square).collect(),
            chains: [0, 1].map(|side| [0, 1].map(|above| self.chains[side][above].leading(k))),
        }
    }

    /// Adds the sums of a tree.
    fn add_tree(&mut self, tree: &TreeSites, words: &Representation, below: &mut Below) {
        let k = words.dimension;
        let row = |word: usize| words.row(tree.symbols[word] as usize);
        let Some(root) = tree.root() else { return };
        self.root.0 += 1.0;
        add(&mut self.root.1, row(root));
        below.reset(tree.len(), k);
        for (word, head, side) in tree.arcs() {
            let (weight, mean, cross) = &mut self.arcs[side as usize];
            *weight += 1.0;
            add(mean, row(word));
            add_product(cross, 1.0, row(head), row(word));
            below.add(head, side, row(word));
        }
        for (head, above, above_side) in tree.arcs() {
            for side in [Direction::Left, Direction::Right] {
                let count = below.count(head, side);
                if count == 0.0 {
                    continue;
                }
                let (sum, above) = (below.sum(head, side), row(above));
                let chains = &mut self.chains[side as usize][above_side as usize];
                chains.weight += 1.0;
                add_product(&mut chains.ends, 1.0 / count, sum, above);
                add_product(&mut chains.heads, 1.0, row(head), above);
                for (matrix, &entry) in chains.third.iter_mut().zip(row(head)) {
                    add_product(matrix, entry / count, sum, above);
                }
            }
        }
        for head in 0..tree.len() {
            let [left, right] = [Direction::Left, Direction::Right].map(|side| below.count(head, side));
            if left == 0.0 || right == 0.0 {
                continue;
            }
            let weight = 1.0 / (left * right);
            let [left_sum, right_sum] = [Direction::Left, Direction::Right].map(|side| below.sum(head, side));
            self.triples += 1.0;
            add_product(&mut self.siblings, weight, left_sum, right_sum);
            add_product(&mut self.heads[0], 1.0 / left, row(head), left_sum);
            add_product(&mut self.heads[1], 1.0 / right, row(head), right_sum);
            for (matrix, &entry) in self.third.iter_mut().zip(row(head)) {
                add_product(matrix, weight * entry, left_sum, right_sum);
            }
        }
    }

    fn add(&mut self, other: &Self) {
        self.root.0 += other.root.0;
        add(&mut self.root.1, &other.root.1);
        for (sum, part) in self.arcs.iter_mut().zip(&other.arcs) {
            sum.0 += part.0;
            add(&mut sum.1, &part.1);
            sum.2 += &part.2;
        }
        self.triples += other.triples;
        self.siblings += &other.siblings;
        self.heads.iter_mut().zip(&other.heads).for_each(|(sum, part)| *sum += part);
        self.third.iter_mut().zip(&other.third).for_each(|(sum, part)| *sum += part);
        let others = other.chains.iter().flatten();
        self.chains.iter_mut().flatten().zip(others).for_each(|(sum, part)| sum.add(part));
    }

    /// Turns sums into means.
    fn averaged(mut self) -> Self {
        let part = |weight: f64| 1.0 / weight.max(1.0);
        let scale = part(self.root.0);
        self.root.1.iter_mut().for_each(|entry| *entry *= scale);
        for (weight, mean, cross) in &mut self.arcs {
            let scale = part(*weight);
            mean.iter_mut().for_each(|entry| *entry *= scale);
            *cross *= faer::Scale(scale);
        }
        let scale = faer::Scale(part(self.triples));
        self.siblings *= scale;
        self.heads.iter_mut().chain(&mut self.third).for_each(|matrix| *matrix *= scale);
        self.chains.iter_mut().flatten().for_each(ChainMoments::average);
        self
    }
}

/// The children of each word of one tree: the number on each side, and the sum of their rows.
#[derive(Default)]
struct Below {
    k: usize,
    counts: Vec<f64>,
    sums: Vec<f64>,
}

impl Below {
    fn reset(&mut self, words: usize, k: usize) {
        self.k = k;
        self.counts.clear();
        self.counts.resize(2 * words, 0.0);
        self.sums.clear();
        self.sums.resize(2 * words * k, 0.0);
    }

    fn add(&mut self, head: usize, side: Direction, row: &[f64]) {
        let place = 2 * head + side as usize;
        self.counts[place] += 1.0;
        add(&mut self.sums[place * self.k..][..self.k], row);
    }

    fn count(&self, head: usize, side: Direction) -> f64 {
        self.counts[2 * head + side as usize]
    }

    fn sum(&self, head: usize, side: Direction) -> &[f64] {
        &self.sums[(2 * head + side as usize) * self.k..][..self.k]
    }
}

fn add(sum: &mut [f64], part: &[f64]) {
    sum.iter_mut().zip(part).for_each(|(sum, part)| *sum += part);
}

/// `sum += weight · left rightᵀ`.
fn add_product(sum: &mut Mat<f64>, weight: f64, left: &[f64], right: &[f64]) {
    for (j, &right) in right.iter().enumerate() {
        for (i, &left) in left.iter().enumerate() {
            sum[(i, j)] += weight * left * right;
        }
    }
}
