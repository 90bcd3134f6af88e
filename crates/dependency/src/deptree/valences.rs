//! Numbers of children: how many a word has on each side, given its state.
//!
//! ```text
//! p(tree, x) = Σ_h π(h_root) Π_{j ≠ root} t_{d(j)}(h_j | h_pa(j)) Π_j v_L(l_j | h_j) v_R(r_j | h_j) o(x_j | h_j)
//! ```
//!
//! where `l_j` and `r_j` are the numbers of left and right children, three standing for three or more. Children on one side
//! are drawn independently, so that this is the probability of the words *and* of the shape of the tree.

use super::sites::MOST_CHILDREN;

/// Numbers that are told apart.
pub(super) const VALENCES: usize = MOST_CHILDREN as usize + 1;

/// `v_d(n | h)`, or the expected counts it is estimated from; by side, number and state.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Valences {
    k: usize,
    table: Vec<f64>,
}

impl Valences {
    /// Zeros for k states.
    pub(super) fn zero(k: usize) -> Self {
        Self { k, table: vec![0.0; 2 * VALENCES * k] }
    }

    /// From all numbers, in order.
    pub(super) fn from_table(k: usize, table: Vec<f64>) -> Self {
        debug_assert_eq!(table.len(), 2 * VALENCES * k);
        Self { k, table }
    }

    /// All numbers, in order.
    pub(super) fn table(&self) -> &[f64] {
        &self.table
    }

    /// Multiplies a row, one value per state, by the probabilities of these numbers of children.
    pub(super) fn multiply(&self, row: &mut [f64], children: [u8; 2]) {
        for (side, count) in children.into_iter().enumerate() {
            row.iter_mut().zip(&self.table[self.start(side, count)..]).for_each(|(row, v)| *row *= v);
        }
    }

    /// Adds a posterior over states to the counts of these numbers of children.
    pub(super) fn count(&mut self, posterior: &[f64], children: [u8; 2]) {
        for (side, count) in children.into_iter().enumerate() {
            let start = self.start(side, count);
            self.table[start..].iter_mut().zip(posterior).for_each(|(sum, p)| *sum += p);
        }
    }

    /// Adds the counts of another table.
    pub(super) fn add(&mut self, other: &Self) {
        self.table.iter_mut().zip(&other.table).for_each(|(sum, count)| *sum += count);
    }

    /// Turns counts into probabilities by `columns`, which normalises a matrix with one column per state.
    pub(super) fn normalise(&mut self, columns: impl Fn(&mut [f64])) {
        self.table.chunks_exact_mut(VALENCES * self.k).for_each(columns);
    }

    fn start(&self, side: usize, count: u8) -> usize {
        (side * VALENCES + usize::from(count.min(MOST_CHILDREN))) * self.k
    }
}
