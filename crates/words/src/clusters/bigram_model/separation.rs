//! When word vectors separate the clusters: what Theorem 5.2 and appendix C of Stratos et al. (2014) depend on.
//!
//! In the Brown model `Ω = √O Ãᵀ` with orthonormal columns of `√O`, so Ω has the singular values of the m × m matrix of
//! cluster pairs, `P(c,d) / √(P(c) P(d))`. All quantities of the theorem follow from the counts of a model.

use corpus::cooccurrence::Boundaries;
use corpus::ids::Id;
use faer::Mat;
use linalg::{DenseError, thin_svd};

use super::BrownModel;

/// The share of `√min o` that the error of Ω may have in Theorem 5.2.
const SHARE: f64 = 0.07;

/// The quantities of the theorem, of the model with these clusters.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Separation {
    /// m, without the border.
    pub clusters: usize,
    /// n, with the border if there is one.
    pub words: usize,
    /// N, the number of pairs of adjacent words.
    pub pairs: f64,
    /// `σ_m`.
    pub least_singular_value: f64,
    /// `κ_m = σ_1 / σ_m`.
    pub condition: f64,
    /// `n₁ = max_x Σ_x′ P(C(x′) | C(x)) / P(C(x′))`.
    pub n1: f64,
    /// `n₂ = max_x′ Σ_x P(C(x′) | C(x)) / P(C(x′))`.
    pub n2: f64,
    /// The probability of the rarest word, as the first of a pair.
    pub u_min: f64,
    /// The same as the second of a pair.
    pub v_min: f64,
    /// The least probability of a word in its cluster.
    pub least_emission: f64,
}

impl Separation {
    /// The largest `‖Ω̂ − Ω‖ / σ_m` for which every word is closer to all words of its cluster than to any other.
    pub fn tolerance(&self) -> f64 {
        SHARE * self.least_emission.sqrt()
    }

    /// The number of words for which `‖Ω̂ − Ω‖ / σ_m ≤ ε` with probability 1 − δ, up to a constant factor that the paper
    /// does not give.
    pub fn samples(&self, epsilon: f64, delta: f64) -> f64 {
        let most = self.n1.max(self.n2).max(1.0 / self.u_min).max(1.0 / self.v_min);
        self.condition.powi(2) * (self.words as f64 / delta).ln() * most / (epsilon * epsilon)
    }
}

impl BrownModel {
    /// The quantities of Theorem 5.2; `None` if there are no pairs. The theorem is about one endless sequence: where sequences
    /// end with lines, their border counts as one more word in a cluster of its own.
    ///
    /// # Errors
    /// If the decomposition does not converge.
    pub fn separation(&self) -> Result<Option<Separation>, DenseError> {
        let clusters = self.hierarchy.clusters();
        let border = usize::from(self.boundaries == Boundaries::Lines);
        let states = clusters + border;
        let mut joint = Mat::<f64>::zeros(states, states);
        let (mut first, mut second, mut total) = (vec![0.0; states], vec![0.0; states], 0.0);
        for (left, right, count) in self.transitions.iter() {
            let (left, right, count) = (left as usize, right as usize, count as f64);
            if left < states && right < states {
                joint[(left, right)] = count;
                first[left] += count;
                second[right] += count;
                total += count;
            }
        }
        if total == 0.0 {
            return Ok(None);
        }
        let mut sizes = vec![0.0; states];
        sizes[clusters..].fill(1.0);
        let mut least = [f64::INFINITY; 3];
        for (word, cluster) in self.hierarchy.assignment().iter().enumerate() {
            let cluster = cluster.index();
            sizes[cluster] += 1.0;
            let emission = self.words[word] as f64 / self.weights[cluster] as f64;
            let values = [emission, first[cluster] / total * emission, second[cluster] / total * emission];
            for (least, value) in least.iter_mut().zip(values) {
                *least = least.min(value);
            }
        }
        // P(d | c) / P(d), summed over the words of d, and over the words of c.
        let (mut n1, mut n2) = (vec![0.0; states], vec![0.0; states]);
        for left in 0..states {
            for right in 0..states {
                if joint[(left, right)] > 0.0 {
                    let ratio = joint[(left, right)] * total / (first[left] * second[right]);
                    n1[left] += sizes[right] * ratio;
                    n2[right] += sizes[left] * ratio;
                    joint[(left, right)] /= (first[left] * second[right]).sqrt();
                }
            }
        }
        let values = thin_svd(joint.as_ref())?.s;
        let most = |values: &[f64]| values.iter().copied().fold(0.0, f64::max);
        let (largest, last) = (most(&values), values.iter().copied().fold(f64::INFINITY, f64::min));
        Ok(Some(Separation {
            clusters,
            words: self.words.len() + border,
            pairs: total,
            least_singular_value: last,
            condition: largest / last,
            n1: most(&n1),
            n2: most(&n2),
            u_min: least[1],
            v_min: least[2],
            least_emission: least[0],
        }))
    }
}

#[cfg(test)]
mod tests {
    use corpus::cooccurrence::{Boundaries, CountConfig, TextCounter};
    use models::learn::Silent;

    use super::*;
    use crate::clusters::{ClusterConfig, Method, learn};

    fn model(text: &str, clusters: usize) -> BrownModel {
        bounded(text, clusters, Boundaries::None)
    }

    fn bounded(text: &str, clusters: usize, boundaries: Boundaries) -> BrownModel {
        let config = CountConfig { boundaries, ..CountConfig::default() };
        let mut counter = TextCounter::new(config).unwrap();
        counter.read(text.as_bytes(), "-").unwrap();
        let counted = counter.finish().unwrap();
        let config = ClusterConfig { method: Method::Brown, clusters, ..ClusterConfig::default() };
        let hierarchy = learn(&counted.counts.pairs, None, &config, &mut Silent).unwrap().model;
        BrownModel::new(counted, hierarchy).unwrap()
    }

    /// a and c alternate with b and d, so that the clusters {a, c} and {b, d} follow each other without exception.
    #[test]
    fn two_alternating_clusters_by_hand() {
        let found = model(&"a b c d a d c b ".repeat(50), 2).separation().unwrap().unwrap();
        assert_eq!((found.clusters, found.words, found.pairs), (2, 4, 399.0));
        // Ω of the clusters is a permutation: both singular values are 1.
        assert!((found.condition - 1.0).abs() < 1e-9 && (found.least_singular_value - 1.0).abs() < 1e-9);
        assert!((found.least_emission - 0.5).abs() < 1e-9);
        assert!((found.tolerance() - 0.07 * 0.5_f64.sqrt()).abs() < 1e-9);
        // P(d | c) / P(d) is 1 / P(d), about 2, for both words of the other cluster.
        assert!((found.n1 - 4.0).abs() < 0.02 && (found.n2 - 4.0).abs() < 0.02, "{found:?}");
        assert!((found.u_min - 0.25).abs() < 0.01 && (found.v_min - 0.25).abs() < 0.01);
        let needed = found.samples(0.5, 0.1);
        assert!((needed / (40.0_f64.ln() * 4.0 / 0.25) - 1.0).abs() < 0.02, "{needed}");
    }

    #[test]
    fn clusters_that_say_nothing_of_the_next_one_are_badly_conditioned() {
        // Every pair of the four words equally often: the second singular value is all but 0.
        let text = "a a b a c a d b b c b d c c d d ".repeat(40);
        let found = model(&text, 2).separation().unwrap().unwrap();
        assert!(found.condition > 20.0, "{found:?}");
    }

    #[test]
    fn the_border_of_lines_is_one_more_word() {
        // Border, a or b, c, border: no cluster is without a successor.
        let found = bounded(&"a c\nb c\n".repeat(30), 2, Boundaries::Lines).separation().unwrap().unwrap();
        assert_eq!((found.clusters, found.words, found.pairs), (2, 4, 180.0));
        assert!((found.condition - 1.0).abs() < 1e-9, "{found:?}");
        assert!((found.u_min - 1.0 / 6.0).abs() < 1e-9, "{found:?}");
    }

    #[test]
    fn a_text_of_one_word_has_no_pairs() {
        assert_eq!(model("a", 1).separation().unwrap(), None);
    }
}
