//! How much features and networks count beside each other.
//!
//! ```text
//! s(part) = α s_features(part) + β s_networks(part)        α, β = argmin −Σ log p(t | x)  over trees that neither learnt from
//! ```
//!
//! Both kinds of scores are those of models of the same trees, so that their plain sum would be too sure of itself; and features,
//! of which there are millions, know their own trees by heart.

use super::examples::Example;
use super::inference::{Posteriors, Scores};
use super::model::{Scratch, SpanModel};

/// The weights where there are no trees to fit them to, and where the search for others begins.
const START: [f32; 2] = [0.7, 0.3];
/// The steps of the search, from long to short.
const STEPS: [f32; 2] = [0.1, 0.05];
/// No weight is larger.
const MOST: f32 = 2.0;

/// The two scores of a sentence.
struct Scored<'e> {
    example: &'e Example,
    features: Scores,
    networks: Scores,
}

/// Fits the weights α and β to held-out examples. The model has no networks yet; `add` adds their scores.
pub(super) fn fit<'e>(
    model: &SpanModel,
    examples: impl Iterator<Item = &'e Example>,
    mut add: impl FnMut(&Example, &mut Scores),
) -> [f32; 2] {
    let mut scratch = Scratch::default();
    let scored: Vec<Scored<'_>> = examples
        .map(|example| {
            scratch.lattice.clone_from(&example.lattice);
            scratch.view.clone_from(&example.view);
            model.score(&mut scratch);
            let mut networks = Scores {
                nodes: vec![0.0; example.lattice.nodes.len()],
                branches: vec![0.0; example.lattice.branches.len()],
            };
            add(example, &mut networks);
            Scored { example, features: scratch.scores.clone(), networks }
        })
        .collect();
    let (mut scores, mut posteriors) = (Scores::default(), Posteriors::default());
    search(|[features, networks]| {
        let mixed = |one: &[f32], other: &[f32], out: &mut Vec<f32>| {
            out.clear();
            out.extend(one.iter().zip(other).map(|(one, other)| features * one + networks * other));
        };
        let loss = scored.iter().map(|own| {
            mixed(&own.features.nodes, &own.networks.nodes, &mut scores.nodes);
            mixed(&own.features.branches, &own.networks.branches, &mut scores.branches);
            posteriors.fill(&own.example.lattice, &scores) - own.example.right_score(&scores)
        });
        loss.sum()
    })
}

/// The weights with the least loss, which is convex: steps to better neighbours until there is none.
fn search(mut loss: impl FnMut([f32; 2]) -> f64) -> [f32; 2] {
    let mut best = (START, loss(START));
    for step in STEPS {
        loop {
            let around = [[step, 0.0], [-step, 0.0], [0.0, step], [0.0, -step]];
            let tried = around.map(|[one, other]| {
                let weights = [best.0[0] + one, best.0[1] + other].map(|weight| weight.clamp(0.0, MOST));
                (weights, loss(weights))
            });
            let Some(better) =
                tried.into_iter().filter(|own| own.1 < best.1).min_by(|a, b| a.1.total_cmp(&b.1))
            else {
                break;
            };
            best = better;
        }
    }
    best.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_least_loss_is_found() {
        let found = search(|[one, other]| {
            f64::from((one - 1.2).powi(2) + (other - 0.45).powi(2) + 0.5 * (one - 1.2) * (other - 0.45))
        });
        assert!((found[0] - 1.2).abs() < 0.03 && (found[1] - 0.45).abs() < 0.03, "{found:?}");
        assert_eq!(search(|_| f64::NAN), START);
        let [one, other] = search(|[one, other]| f64::from(-one - other));
        assert_eq!((one, other), (MOST, MOST));
    }
}
