//! Distances between the active clusters, and the bounds that lead to the smallest one.

use super::lanes::{LANES, distances, smallest, unite};
use crate::clusters::kernel::Kernel;

/// The distances between clusters, by slot.
///
/// A slot without a cluster has weight 1 and an infinite squared norm, so that nothing is near it.
#[derive(Debug)]
pub(super) struct Table {
    kernel: Kernel,
    /// The number of slots, padded.
    width: usize,
    /// One row per slot.
    distances: Vec<f32>,
    pub(super) weights: Vec<f32>,
    /// The squared norms of the means.
    pub(super) squares: Vec<f32>,
    /// Lower bound of the distance to clusters that were added before or merged since.
    bounds: Vec<f32>,
    nearest: Vec<u32>,
    /// Whether the nearest one is at the bound.
    tight: Vec<bool>,
    /// How often the smallest bound was searched.
    pub(super) searches: u64,
}

impl Table {
    pub(super) fn new(places: usize, kernel: Kernel) -> Self {
        let width = places.next_multiple_of(LANES);
        Self {
            kernel,
            width,
            distances: vec![f32::INFINITY; places * width],
            weights: vec![1.0; width],
            squares: vec![f32::INFINITY; width],
            bounds: vec![f32::INFINITY; width],
            nearest: vec![0; width],
            tight: vec![true; width],
            searches: 0,
        }
    }

    /// The number of slots, padded.
    pub(super) fn width(&self) -> usize {
        self.width
    }

    /// Puts a cluster into a free slot, given the inner products of its mean with all others.
    pub(super) fn add(&mut self, place: usize, weight: f32, square: f32, products: &[f32]) {
        let row = &mut self.distances[place * self.width..][..self.width];
        distances(self.kernel, row, weight, square, products, &self.weights, &self.squares);
        row[place] = f32::INFINITY;
        self.weights[place] = weight;
        self.squares[place] = square;
        self.copy_to_column(place);
        self.tighten(place);
    }

    fn copy_to_column(&mut self, place: usize) {
        let places = self.distances.len() / self.width;
        for other in 0..places {
            self.distances[other * self.width + place] = self.distances[place * self.width + other];
        }
    }

    fn tighten(&mut self, place: usize) {
        let mut found = (0.0, 0);
        smallest(self.kernel, &self.distances[place * self.width..][..self.width], &mut found);
        self.bounds[place] = found.0;
        self.nearest[place] = found.1 as u32;
        self.tight[place] = true;
    }

    /// The two nearest clusters; `None` if there are fewer than two.
    pub(super) fn closest(&mut self) -> Option<(usize, usize)> {
        loop {
            let mut found = (0.0, 0);
            smallest(self.kernel, &self.bounds, &mut found);
            let (bound, place) = found;
            self.searches += 1;
            if bound == f32::INFINITY {
                return None;
            }
            if self.tight[place] {
                return Some((place, self.nearest[place] as usize));
            }
            self.tighten(place);
        }
    }

    /// Merges two clusters into the slot `kept` and frees the slot `gone`. `square` is the squared norm of the new
    /// mean.
    pub(super) fn merge(&mut self, kept: usize, gone: usize, square: f32) {
        let width = self.width;
        let between = self.distances[kept * width + gone];
        let pair = [self.weights[kept], self.weights[gone]];
        let (head, tail) = self.distances.split_at_mut(kept.max(gone) * width);
        let (low, high) = (&mut head[kept.min(gone) * width..][..width], &mut tail[..width]);
        let (row, other) = if kept < gone { (low, high) } else { (high, low) };
        unite(self.kernel, row, other, pair, between, &self.weights);
        row[kept] = f32::INFINITY;
        row[gone] = f32::INFINITY;
        other.fill(f32::INFINITY);
        self.copy_to_column(kept);
        self.copy_to_column(gone);
        self.weights[kept] = pair[0] + pair[1];
        self.weights[gone] = 1.0;
        self.squares[kept] = square;
        self.squares[gone] = f32::INFINITY;
        self.bounds[gone] = f32::INFINITY;
        for (tight, &nearest) in self.tight.iter_mut().zip(&self.nearest) {
            *tight &= nearest != kept as u32 && nearest != gone as u32;
        }
        self.tighten(kept);
    }
}
