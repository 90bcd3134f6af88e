//! Sample sizes that the theorems ask for.
//!
//! Cohen et al. (2012), theorem 3: with probability at least 1 − δ the probability of a tree of N nodes is within a factor
//! 1 ± ε if every symbol has at least
//!
//! ```text
//! M ≥ 128 m² / ( ((1 + ε)^{1/(2N+1)} − 1)² Λ² σ⁴ ) · ln(2 m R / δ)
//! ```
//!
//! nodes, where Λ is the least magnitude of a parameter, σ the least m-th singular value of a symbol and R the number of
//! rules. The constants are worst cases: the number says how the need grows with 1/σ and 1/Λ, not how much data is enough.

/// What the bound for grammars with latent states depends on.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct TreeBound {
    /// m, the number of states.
    pub states: usize,
    /// R, the number of rules, lexical ones included.
    pub rules: usize,
    /// Λ, the least magnitude of a parameter that is not 0.
    pub least_parameter: f64,
    /// σ, the least m-th singular value.
    pub least_singular_value: f64,
}

impl TreeBound {
    /// The number of nodes that every symbol needs for trees of `nodes` nodes; infinite if σ or Λ is 0.
    ///
    /// ```
    /// use spectral::TreeBound;
    /// let bound = TreeBound { states: 1, rules: 1, least_parameter: 1.0, least_singular_value: 1.0 };
    /// // A tree without nodes is within ε as soon as its one number is: 128 / ε² ln(2/δ).
    /// assert!((bound.samples(0, 0.5, 0.1) - 512.0 * 20.0_f64.ln()).abs() < 1e-9);
    /// ```
    pub fn samples(&self, nodes: usize, epsilon: f64, delta: f64) -> f64 {
        let Self { states, rules, least_parameter, least_singular_value } = *self;
        let slack = (1.0 + epsilon).powf(1.0 / (2.0 * nodes as f64 + 1.0)) - 1.0;
        let (m, r) = (states as f64, rules as f64);
        let divisor = (slack * least_parameter).powi(2) * least_singular_value.powi(4);
        128.0 * m * m / divisor * (2.0 * m * r / delta).ln()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_need_grows_with_the_tree_and_with_one_over_sigma_to_the_fourth() {
        let bound = TreeBound { states: 4, rules: 100, least_parameter: 0.1, least_singular_value: 0.2 };
        let weaker = TreeBound { least_singular_value: 0.1, ..bound };
        let ratio = weaker.samples(10, 0.1, 0.05) / bound.samples(10, 0.1, 0.05);
        assert!((ratio - 16.0).abs() < 1e-9, "{ratio}");
        assert!(bound.samples(20, 0.1, 0.05) > 3.0 * bound.samples(10, 0.1, 0.05));
        let none = TreeBound { least_singular_value: 0.0, ..bound };
        assert_eq!(none.samples(10, 0.1, 0.05), f64::INFINITY);
    }
}
