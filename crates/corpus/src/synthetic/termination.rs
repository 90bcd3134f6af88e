//! Termination and expected size of a branching process.
//!
//! Let `M[s][t]` be the expected number of children `t` of a node `s`. The expected number of descendants is finite if
//! and only if the spectral radius of every recursive component of `M` is below 1 (T. E. Harris, *The Theory of
//! Branching Processes*, 1963, chapter II). A component is irreducible, so power iteration on `I + M` converges, and
//! the Collatz–Wielandt bounds `min (Mx)_i / x_i ≤ ρ(M) ≤ max (Mx)_i / x_i` decide the question before convergence.

/// Sparse rows of expected child counts.
pub(crate) type MeanRows = Vec<Vec<(usize, f64)>>;

/// A component whose recursion does not terminate.
#[derive(Debug, PartialEq)]
pub(crate) struct Explosion {
    /// A node of the component.
    pub(crate) node: usize,
    /// Upper bound of its spectral radius.
    pub(crate) growth: f64,
}

/// Maximum number of steps; a radius not yet known to be below 1 then counts as too close to it.
const STEPS: usize = 20_000;

/// Checks that the expected number of descendants of every node is finite.
pub(crate) fn check_termination(means: &MeanRows) -> Result<(), Explosion> {
    let component_of = components(means);
    let count = component_of.iter().max().map_or(0, |&c| c + 1);
    let mut members: Vec<Vec<usize>> = vec![Vec::new(); count];
    for (node, &component) in component_of.iter().enumerate() {
        members[component].push(node);
    }
    let mut local = vec![0usize; means.len()];
    for (component, nodes) in members.iter().enumerate() {
        for (index, &node) in nodes.iter().enumerate() {
            local[node] = index;
        }
        let rows: MeanRows = nodes
            .iter()
            .map(|&node| {
                let inside = means[node].iter().filter(|(to, _)| component_of[*to] == component);
                inside.map(|&(to, mean)| (local[to], mean)).collect()
            })
            .collect();
        let growth = radius_bound(&rows);
        if growth >= 1.0 {
            return Err(Explosion { node: nodes[0], growth });
        }
    }
    Ok(())
}

/// An upper bound of the spectral radius of an irreducible matrix, refined until it is on one side of 1.
fn radius_bound(rows: &MeanRows) -> f64 {
    let mut x = vec![1.0; rows.len()];
    let mut upper = 0.0;
    for _ in 0..STEPS {
        let y: Vec<f64> = rows
            .iter()
            .zip(&x)
            .map(|(row, own)| own + row.iter().map(|&(t, m)| m * x[t]).sum::<f64>())
            .collect();
        let ratios = y.iter().zip(&x).map(|(y, x)| y / x - 1.0);
        let (lower, high) = ratios.fold((f64::INFINITY, 0.0f64), |(l, h), r| (l.min(r), h.max(r)));
        upper = high;
        if upper < 1.0 || lower >= 1.0 {
            return upper;
        }
        let largest = y.iter().copied().fold(f64::MIN_POSITIVE, f64::max);
        // A node far below the others must not reach 0, where its ratio would be undefined.
        x = y.iter().map(|value| (value / largest).max(1e-200)).collect();
    }
    upper.max(1.0)
}

/// Solves `x = own + M x` by iteration; requires a terminating process.
pub(crate) fn expected_totals(means: &MeanRows, own: &[f64]) -> Vec<f64> {
    let mut x = own.to_vec();
    for _ in 0..STEPS {
        let mut change = 0.0f64;
        for node in 0..x.len() {
            let new = own[node] + means[node].iter().map(|&(to, mean)| mean * x[to]).sum::<f64>();
            change = change.max((new - x[node]).abs());
            x[node] = new;
        }
        if change < 1e-12 {
            break;
        }
    }
    x
}

/// Strongly connected components by Tarjan's algorithm with an explicit stack.
fn components(edges: &MeanRows) -> Vec<usize> {
    const UNSEEN: usize = usize::MAX;
    let n = edges.len();
    let (mut order, mut low, mut component) = (vec![UNSEEN; n], vec![0; n], vec![UNSEEN; n]);
    let (mut stack, mut work) = (Vec::new(), Vec::new());
    let (mut clock, mut found) = (0, 0);
    for start in 0..n {
        if order[start] != UNSEEN {
            continue;
        }
        work.push((start, 0));
        while let Some((node, next)) = work.pop() {
            if next == 0 {
                order[node] = clock;
                low[node] = clock;
                clock += 1;
                stack.push(node);
            }
            if let Some(&(to, _)) = edges[node].get(next) {
                work.push((node, next + 1));
                if order[to] == UNSEEN {
                    work.push((to, 0));
                } else if component[to] == UNSEEN {
                    low[node] = low[node].min(order[to]);
                }
                continue;
            }
            if low[node] == order[node] {
                while let Some(member) = stack.pop() {
                    component[member] = found;
                    if member == node {
                        break;
                    }
                }
                found += 1;
            }
            if let Some(&(parent, _)) = work.last() {
                low[parent] = low[parent].min(low[node]);
            }
        }
    }
    component
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn components_follow_cycles() {
        let edges =
            vec![vec![(1, 1.0)], vec![(2, 1.0), (3, 1.0)], vec![(0, 1.0)], vec![(3, 0.5)], vec![(0, 1.0)]];
        let found = components(&edges);
        assert_eq!(found[0], found[1]);
        assert_eq!(found[1], found[2]);
        assert_ne!(found[0], found[3]);
        assert_ne!(found[0], found[4]);
    }

    #[test]
    fn the_limit_lies_at_one() {
        // 0 -> 1 -> 0 with product of means p: the radius is the square root of p.
        let cycle = |p: f64| vec![vec![(1, p)], vec![(0, 1.0)]];
        assert!(check_termination(&cycle(0.98)).is_ok());
        assert!(check_termination(&cycle(1.0)).is_err());
        let explosion = check_termination(&cycle(1.44)).unwrap_err();
        assert!(explosion.growth > 1.0 && explosion.growth < 1.45);
    }

    #[test]
    fn totals_of_a_geometric_chain() {
        // One word per node, 0.75 of itself on average: four nodes.
        let totals = expected_totals(&vec![vec![(0, 0.75)]], &[1.0]);
        assert!((totals[0] - 4.0).abs() < 1e-9);
    }
}
