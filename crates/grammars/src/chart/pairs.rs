//! Rules indexed by both children.

use corpus::ids::Id;

use crate::grammar::{RuleTable, Weights};

/// A rule with known children.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Parent {
    pub(super) parent: u32,
    /// The coarse phrase of the parent.
    pub(super) coarse: u32,
    pub(super) weight: f32,
    /// The weight times the share of the parent in its coarse phrase.
    pub(super) share: f32,
}

/// A grammar compiled for lookup by pairs of children. Few pairs have a rule, so a bit marks those that do.
#[derive(Clone, PartialEq, Debug)]
pub struct Pairs {
    pub(super) phrases: usize,
    pub(super) coarse: usize,
    /// Root probabilities of phrases, then of preterminals.
    pub(super) roots: Vec<f32>,
    /// For each symbol, its number among right children; for other symbols, the count of right children.
    right_numbers: Vec<u32>,
    /// For each left child, `row` words with one bit per right child, each with the number of pairs before it.
    bits: Vec<(u64, u32)>,
    row: usize,
    /// The rules of pair `p` are `starts[p]..starts[p + 1]`.
    starts: Vec<u32>,
    /// One per rule, in the order of rule ids.
    parents: Vec<Parent>,
}

impl Pairs {
    /// Compiles a grammar whose first `phrases` symbols are phrases. `coarse` gives the coarse phrase of each phrase,
    /// and `counts` the expected count of each rule.
    pub fn new(
        table: &RuleTable,
        weights: &Weights,
        counts: &[f64],
        phrases: usize,
        coarse: impl Fn(usize) -> usize,
    ) -> Self {
        let symbols = weights.roots.len();
        let coarse_of: Vec<usize> = (0..phrases).map(coarse).collect();
        let coarse = coarse_of.iter().map(|&coarse| coarse + 1).max().unwrap_or(0);
        let (mut of_phrase, mut of_coarse) = (vec![0.0; phrases], vec![0.0; coarse]);
        let mut is_right = vec![false; symbols];
        for (rule, &count) in table.rules().iter().zip(counts) {
            is_right[rule.right.index()] = true;
            of_phrase[rule.parent.index()] += count;
            of_coarse[coarse_of[rule.parent.index()]] += count;
        }
        let count = is_right.iter().filter(|&&right| right).count();
        let mut next = 0;
        let right_numbers: Vec<u32> = is_right
            .iter()
            .map(|&right| {
                next += u32::from(right);
                if right { next - 1 } else { count as u32 }
            })
            .collect();
        let row = count / 64 + 1;
        let mut bits = vec![(0_u64, 0_u32); symbols * row];
        let (mut starts, mut parents) = (Vec::new(), Vec::new());
        let mut last = None;
        // Rules are sorted by their children, so pairs come in the order of their bits.
        for (rule, &weight) in table.rules().iter().zip(&weights.rules) {
            let (left, right) = (rule.left.index(), right_numbers[rule.right.index()] as usize);
            if last != Some((left, right)) {
                let word = &mut bits[left * row + right / 64];
                if word.0 == 0 {
                    word.1 = starts.len() as u32;
                }
                word.0 |= 1 << (right % 64);
                starts.push(parents.len() as u32);
                last = Some((left, right));
            }
            let parent = rule.parent.index();
            let coarse = coarse_of[parent];
            let share = weight * (of_phrase[parent] / f64::max(of_coarse[coarse], f64::MIN_POSITIVE)) as f32;
            parents.push(Parent { parent: parent as u32, coarse: coarse as u32, weight, share });
        }
        starts.push(parents.len() as u32);
        Self { phrases, coarse, roots: weights.roots.clone(), right_numbers, bits, row, starts, parents }
    }

    /// The number of a symbol among right children.
    #[inline(always)]
    pub(super) fn right_number(&self, symbol: u32) -> u32 {
        self.right_numbers[symbol as usize]
    }

    /// The rules with these children and the id of the first. `right` is a number among right children.
    #[inline(always)]
    pub(super) fn parents(&self, left: u32, right: u32) -> (&[Parent], u32) {
        let (bits, before) = self.bits[left as usize * self.row + right as usize / 64];
        if bits >> (right % 64) & 1 == 0 {
            return (&[], 0);
        }
        let pair = before as usize + (bits & ((1 << (right % 64)) - 1)).count_ones() as usize;
        let (start, end) = (self.starts[pair], self.starts[pair + 1]);
        (&self.parents[start as usize..end as usize], start)
    }
}
