//! An update of the weights: features of the gold tree minus features of the predicted tree.

use super::search::{Scoring, part_places};
use super::weights::Averaged;
use super::words::Views;
use crate::arcs::Part;
use crate::arcs::parts::for_each_part;

/// Scratch memory for updates.
#[derive(Clone, Default, Debug)]
pub(super) struct Difference {
    gold: Vec<Part>,
    found: Vec<Part>,
    places: Vec<u32>,
    parts: Vec<(u32, f32)>,
}

impl Difference {
    /// Compares two trees over a sentence.
    pub(super) fn read(&mut self, scoring: &Scoring<'_, [f32]>, views: &Views, gold: &[u32], found: &[u32]) {
        for (parts, heads) in [(&mut self.gold, gold), (&mut self.found, found)] {
            parts.clear();
            for_each_part(heads, |part| {
                if scoring.order.scores(&part) {
                    parts.push(part);
                }
            });
            parts.sort_unstable();
        }
        self.parts.clear();
        for (one, other, times) in [(&self.gold, &self.found, 1.0), (&self.found, &self.gold, -1.0)] {
            // Parts that both trees have cancel.
            for &part in one.iter().filter(|part| other.binary_search(part).is_err()) {
                self.places.clear();
                part_places(views, part, scoring.templates, scoring.bits, &mut self.places);
                self.parts.extend(self.places.iter().map(|&place| (place, times)));
            }
        }
        self.parts.sort_unstable_by_key(|&(place, _)| place);
        self.parts.dedup_by(|next, kept| {
            let same = next.0 == kept.0;
            if same {
                kept.1 += next.1;
            }
            same
        });
    }

    /// The passive–aggressive step, where the predicted tree costs `cost`.
    pub(super) fn update(&self, cost: f32, most: f32, weights: &mut Averaged) {
        let margin: f32 = self.parts.iter().map(|&(place, times)| times * weights.now[place as usize]).sum();
        let norm: f32 = self.parts.iter().map(|(_, times)| times * times).sum();
        let loss = cost - margin;
        if norm > 0.0 && loss > 0.0 {
            let step = (loss / norm).min(most);
            for &(place, times) in self.parts.iter().filter(|&&(_, times)| times != 0.0) {
                weights.change(place, step * times);
            }
        }
    }
}
