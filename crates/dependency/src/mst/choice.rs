//! Labels choose among the best trees.
//!
//! Trees are searched by the scores of their arcs and labelled afterwards, so an arc for which no label fits, or a second
//! subject, costs nothing. Of the trees that score best by arcs, the parser therefore takes
//!
//! ```text
//! ŷ = argmax_y s(y) + λ Σ_m log p(l_m | y)
//! ```
//!
//! where `l` are the best labels of a tree and `p` is a softmax of their scores. No logarithm of a probability is above 0:
//! a tree whose arcs alone score less than the best so far, labels included, need not be labelled.

use super::calibration::DEFAULT_LABEL_TEMPERATURE;
use super::parser::{Parser, Scratch};
use super::search::{Found, Trees};

/// Smallest probability of a label: one bad label should not decide about a long sentence.
const LEAST: f32 = 1e-9;

impl Parser<'_> {
    /// The best trees among the pruned arcs, at most `k` but at least one, the chosen one first. Their scores include those
    /// of their labels, if the model has a choice.
    pub(super) fn chosen(&self, trees: Trees, k: usize, scratch: &mut Scratch) -> Vec<Found> {
        let choice = self.model().form.choice;
        if choice.trees <= 1 {
            return self.search(trees, k, scratch);
        }
        let list = self.search(trees, choice.trees, scratch);
        let mut found: Vec<Found> = Vec::with_capacity(list.len());
        let mut best = f64::NEG_INFINITY;
        for mut tree in list {
            if k <= 1 && tree.score <= best {
                break;
            }
            self.add_labels(&mut tree, scratch);
            best = best.max(tree.score);
            found.push(tree);
        }
        found.sort_by(|one, other| other.score.total_cmp(&one.score));
        if k > choice.trees {
            let more = self.search(trees, k, scratch);
            self.join(&mut found, more, k, scratch);
        }
        found.truncate(k.max(1));
        found
    }

    /// Adds trees to a list as far as it has room. The first of it, which must not depend on the length of the list, stays
    /// the first: trees that score higher are left out.
    pub(super) fn join(&self, found: &mut Vec<Found>, mut more: Vec<Found>, k: usize, scratch: &mut Scratch) {
        more.retain(|tree| found.iter().all(|other| other.heads != tree.heads));
        if self.model().form.choice.trees > 1 {
            more.iter_mut().for_each(|tree| self.add_labels(tree, scratch));
        }
        let best = found.first().map_or(f64::INFINITY, |first| first.score);
        more.retain(|tree| tree.score <= best);
        found.extend(more);
        found.sort_by(|one, other| other.score.total_cmp(&one.score));
        found.truncate(k);
    }

    /// Adds the log-probability of its labels to the score of a tree.
    fn add_labels(&self, tree: &mut Found, scratch: &mut Scratch) {
        let model = self.model();
        let Scratch { views, labels, heads, probabilities, networks, .. } = scratch;
        heads.clear();
        heads.extend(tree.heads.iter().map(|head| head.number() as u32));
        // The temperature that was tuned for confidences must not change trees.
        let wanted = Some((&mut *probabilities, DEFAULT_LABEL_TEMPERATURE));
        model.label(views, heads, labels, networks, &mut tree.labels, wanted);
        let sum: f64 = probabilities.iter().map(|&probability| f64::from(probability.max(LEAST)).ln()).sum();
        tree.score += f64::from(model.form.choice.weight) * sum;
    }
}
