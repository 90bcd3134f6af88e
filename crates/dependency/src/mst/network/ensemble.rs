//! Networks that score together.

use super::super::words::Views;
use super::model::{self, Network};
use crate::arcs::{ArcScores, Candidates};

/// Networks whose scores are averaged, and how these are used.
#[derive(Clone, Debug)]
pub(in super::super) struct Networks {
    pub(in super::super) members: Vec<Network>,
    pub(in super::super) mix: Mix,
}

/// The use of networks' scores beside those of features.
#[derive(Clone, Copy, PartialEq, Debug, serde::Serialize, serde::Deserialize)]
pub struct Mix {
    /// Weight of the scores of arcs.
    pub arcs: f32,
    /// Weight of the scores of labels.
    pub labels: f32,
    /// Heads whose score is lower than the best one's by more than this are not considered.
    pub margin: f32,
}

impl Default for Mix {
    fn default() -> Self {
        Self { arcs: 0.12, labels: 0.1, margin: 7.0 }
    }
}

/// Scratch memory for a sentence.
#[derive(Clone, Default, Debug)]
pub(in super::super) struct Scratch {
    members: Vec<model::Scratch>,
    /// Weighted scores of the candidate arcs.
    pub(in super::super) arcs: ArcScores,
    thinner: Candidates,
}

impl Networks {
    /// Reads a sentence.
    pub(in super::super) fn read(&self, views: &Views, scratch: &mut Scratch) {
        scratch.members.resize_with(self.members.len(), model::Scratch::default);
        for (member, scratch) in self.members.iter().zip(&mut scratch.members) {
            member.read(views, scratch);
        }
    }

    /// Scores the candidate arcs of the sentence that was read.
    pub(in super::super) fn score(&self, views: &Views, candidates: &Candidates, scratch: &mut Scratch) {
        let weight = self.mix.arcs / self.members.len() as f32;
        let Scratch { members, arcs, .. } = scratch;
        arcs.reset(views.words());
        for modifier in 1..=views.words() {
            for head in candidates.of(modifier).iter().map(|&head| head as usize) {
                let each = self.members.iter().zip(members.iter());
                let sum: f32 = each.map(|(member, scratch)| member.arc(views, head, modifier, scratch)).sum();
                arcs.set(head, modifier - 1, sum * weight);
            }
        }
    }

    /// Removes candidates that score far below the best of the same word. The word before stays, so that there is a tree.
    pub(in super::super) fn thin(&self, candidates: &mut Candidates, scratch: &mut Scratch) {
        let Scratch { arcs, thinner, .. } = scratch;
        let margin = self.mix.margin * self.mix.arcs;
        thinner.clear();
        for modifier in 1..=candidates.words() {
            let heads = candidates.of(modifier);
            let score = |head: u32| arcs.get(head as usize, modifier - 1);
            let best = heads.iter().map(|&head| score(head)).fold(f32::NEG_INFINITY, f32::max);
            let stays = |head: u32| head as usize + 1 == modifier || score(head) >= best - margin;
            thinner.push(heads.iter().copied().filter(|&head| stays(head)));
        }
        std::mem::swap(candidates, thinner);
    }

    /// Adds the weighted scores of all labels of an arc of the sentence that was read.
    pub(in super::super) fn add_labels(
        &self,
        views: &Views,
        head: usize,
        modifier: usize,
        scratch: &mut Scratch,
        scores: &mut [f32],
    ) {
        let weight = self.mix.labels / self.members.len() as f32;
        for (member, scratch) in self.members.iter().zip(&mut scratch.members) {
            member.add_labels(views, head, modifier, weight, scratch, scores);
        }
    }
}
