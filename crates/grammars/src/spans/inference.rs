//! Posteriors and the best tree of a lattice with scores.
//!
//! With `s(x)` the score of a node and `s(e)` that of a branch `e` from `x` to its children,
//!
//! ```text
//! β(x) = e^{s(x)} Σ_e e^{s(e)} β(left e) β(right e)            Z = Σ_roots β(x)
//! µ(e) = µ(x) e^{s(x) + s(e)} β(left e) β(right e) / β(x)      µ(child) = Σ_e µ(e),   µ(root) = β(root) / Z
//! ```
//!
//! The sums are formed from logarithms, so that scores of any size neither underflow nor overflow.

use super::lattice::Lattice;

/// Scores of the parts of a lattice.
#[derive(Clone, Debug, Default)]
pub(super) struct Scores {
    pub(super) nodes: Vec<f32>,
    pub(super) branches: Vec<f32>,
}

/// Posteriors of the parts of a lattice.
#[derive(Clone, Debug, Default)]
pub(super) struct Posteriors {
    pub(super) nodes: Vec<f32>,
    pub(super) branches: Vec<f32>,
    /// Logarithms of β.
    inside: Vec<f64>,
    /// µ of the nodes.
    sums: Vec<f64>,
}

/// Nothing below a node with a smaller posterior is visited.
const NEGLIGIBLE: f64 = 1e-12;

impl Posteriors {
    /// Computes the posteriors; returns log Z.
    pub(super) fn fill(&mut self, lattice: &Lattice, scores: &Scores) -> f64 {
        let Self { nodes, branches, inside, sums } = self;
        inside.clear();
        for (node, &own) in scores.nodes.iter().enumerate() {
            let below = if node < lattice.preterminals {
                0.0
            } else {
                log_sum(lattice.range(node).map(|at| derivation(lattice, scores, inside, at)))
            };
            inside.push(f64::from(own) + below);
        }
        let total = log_sum(lattice.roots.iter().map(|&root| inside[root as usize]));
        sums.clear();
        sums.resize(lattice.nodes.len(), 0.0);
        branches.clear();
        branches.resize(lattice.branches.len(), 0.0);
        for &root in &lattice.roots {
            sums[root as usize] = (inside[root as usize] - total).exp();
        }
        for node in (lattice.preterminals..lattice.nodes.len()).rev() {
            let posterior = sums[node];
            if posterior < NEGLIGIBLE || posterior.is_nan() {
                continue;
            }
            let below = inside[node] - f64::from(scores.nodes[node]);
            for at in lattice.range(node) {
                let own = posterior * (derivation(lattice, scores, inside, at) - below).exp();
                branches[at] = own as f32;
                sums[lattice.branches[at].left as usize] += own;
                sums[lattice.branches[at].right as usize] += own;
            }
        }
        nodes.clear();
        nodes.extend(sums.iter().map(|&sum| sum as f32));
        total
    }
}

/// The logarithm of what a branch adds to the inside value of its parent, without the parent's own score.
#[inline]
fn derivation(lattice: &Lattice, scores: &Scores, inside: &[f64], at: usize) -> f64 {
    let branch = lattice.branches[at];
    f64::from(scores.branches[at]) + inside[branch.left as usize] + inside[branch.right as usize]
}

fn log_sum(values: impl Iterator<Item = f64> + Clone) -> f64 {
    let most = values.clone().fold(f64::NEG_INFINITY, f64::max);
    if most == f64::NEG_INFINITY {
        return most;
    }
    most + values.map(|value| (value - most).exp()).sum::<f64>().ln()
}

const NONE: u32 = u32::MAX;

/// The best tree of a lattice.
#[derive(Clone, Debug, Default)]
pub(super) struct Choice {
    values: Vec<f32>,
    /// The best branch of each node, or none.
    ways: Vec<u32>,
    pub(super) root: Option<u32>,
}

/// Finds the tree with the largest sum of scores.
pub(super) fn best_tree(lattice: &Lattice, scores: &Scores, choice: &mut Choice) {
    let Choice { values, ways, root } = choice;
    values.clear();
    ways.clear();
    for (node, &own) in scores.nodes.iter().enumerate() {
        let mut top = (if node < lattice.preterminals { 0.0 } else { f32::NEG_INFINITY }, NONE);
        for at in lattice.range(node) {
            let branch = lattice.branches[at];
            let value = scores.branches[at] + values[branch.left as usize] + values[branch.right as usize];
            if value > top.0 || top.1 == NONE {
                top = (value, at as u32);
            }
        }
        values.push(top.0 + own);
        ways.push(top.1);
    }
    let value = |node: u32| values[node as usize];
    *root = lattice.roots.iter().copied().max_by(|&a, &b| value(a).total_cmp(&value(b)).then(b.cmp(&a)));
}

impl Choice {
    /// The branch of a node in its best tree; none for a preterminal.
    pub(super) fn branch(&self, node: u32) -> Option<usize> {
        let way = self.ways[node as usize];
        (way != NONE).then_some(way as usize)
    }

    /// Calls `each` with every node of the best tree and its branch.
    pub(super) fn walk(&self, lattice: &Lattice, mut each: impl FnMut(usize, Option<usize>)) {
        let mut open: Vec<u32> = self.root.into_iter().collect();
        while let Some(node) = open.pop() {
            let branch = self.branch(node);
            each(node as usize, branch);
            if let Some(branch) = branch {
                let branch = lattice.branches[branch];
                open.extend([branch.right, branch.left]);
            }
        }
    }
}
