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
    /// A label that scores higher than every other by at least this is taken without looking at features; none if `None`.
    #[serde(default)]
    pub sure: Option<f32>,
}

impl Default for Mix {
    fn default() -> Self {
        Self { arcs: 0.12, labels: 0.1, margin: 6.0, sure: Some(4.0) }
    }
}

impl Mix {
    /// The best label by these weighted scores, if it is far better than any other.
    fn sure_label(&self, scores: &[f32]) -> Option<SureLabel> {
        let sure = self.sure?;
        let (mut best, mut next, mut label) = (f32::NEG_INFINITY, f32::NEG_INFINITY, 0);
        for (&score, number) in scores.iter().zip(0..) {
            if score > best {
                (best, next, label) = (score, best, number);
            } else if score > next {
                next = score;
            }
        }
        let lead = (best - next) / self.labels;
        (lead >= sure).then(|| SureLabel { label, probability: 1.0 / (1.0 + (-lead).exp()) })
    }
}

/// A label that features need not confirm.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(in super::super) struct SureLabel {
    pub(in super::super) label: u32,
    pub(in super::super) probability: f32,
}

/// Scratch memory for a sentence.
#[derive(Clone, Default, Debug)]
pub(in super::super) struct Scratch {
    members: Vec<model::Scratch>,
    /// Weighted scores of the candidate arcs.
    pub(in super::super) arcs: ArcScores,
    scores: Vec<f32>,
    order: Vec<u32>,
    thinner: Candidates,
    labels: LabelScores,
}

/// The weighted scores of labels for one head of each word.
#[derive(Clone, Default, Debug)]
struct LabelScores {
    /// The head of each word whose labels were scored.
    heads: Vec<Option<u32>>,
    /// By word, then by label.
    scores: Vec<f32>,
    /// By word.
    sure: Vec<Option<SureLabel>>,
    /// The arcs to be scored next, and their scores.
    arcs: Vec<(u32, u32)>,
    new: Vec<f32>,
}

/// Heads that are kept although they score far below the best.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in super::super) enum Kept {
    /// The word before: there is always a tree.
    WordBefore,
    Nothing,
}

impl Networks {
    /// Reads a sentence.
    pub(in super::super) fn read(&self, views: &Views, scratch: &mut Scratch) {
        scratch.members.resize_with(self.members.len(), model::Scratch::default);
        for (member, scratch) in self.members.iter().zip(&mut scratch.members) {
            member.read(views, scratch);
        }
        scratch.labels.heads.clear();
        scratch.labels.heads.resize(views.words(), None);
    }

    /// Scores the candidate arcs of the sentence that was read.
    pub(in super::super) fn score(&self, views: &Views, candidates: &Candidates, scratch: &mut Scratch) {
        let weight = self.mix.arcs / self.members.len() as f32;
        let Scratch { members, arcs, scores, .. } = scratch;
        arcs.reset(views.words());
        for modifier in 1..=views.words() {
            let heads = candidates.of(modifier);
            scores.clear();
            scores.resize(heads.len(), 0.0);
            for (member, scratch) in self.members.iter().zip(members.iter()) {
                member.add_arcs(views, modifier, heads, scratch, scores);
            }
            for (&head, score) in heads.iter().zip(scores.iter()) {
                arcs.set(head as usize, modifier - 1, score * weight);
            }
        }
    }

    /// Leaves the best candidates of each word, at most `most` and none that scores far below the best.
    pub(in super::super) fn thin(
        &self,
        most: usize,
        kept: Kept,
        candidates: &mut Candidates,
        scratch: &mut Scratch,
    ) {
        let Scratch { arcs, thinner, order, .. } = scratch;
        let margin = self.mix.margin * self.mix.arcs;
        thinner.clear();
        for modifier in 1..=candidates.words() {
            let heads = candidates.of(modifier);
            let score = |head: u32| arcs.get(head as usize, modifier - 1);
            let best = heads.iter().map(|&head| score(head)).fold(f32::NEG_INFINITY, f32::max);
            let is_kept = |head: u32| kept == Kept::WordBefore && head as usize + 1 == modifier;
            let stays = |head: u32| is_kept(head) || score(head) >= best - margin;
            order.clear();
            order.extend(heads.iter().copied().filter(|&head| stays(head)));
            if order.len() > most.max(1) {
                order.sort_by(|&a, &b| is_kept(b).cmp(&is_kept(a)).then(score(b).total_cmp(&score(a))));
                order.truncate(most.max(1));
            }
            thinner.push(order.iter().copied());
        }
        std::mem::swap(candidates, thinner);
    }

    /// Scores the labels of the arcs of a tree over the sentence that was read, as far as they are not known.
    pub(in super::super) fn score_labels(&self, views: &Views, heads: &[u32], scratch: &mut Scratch) {
        let weight = self.mix.labels / self.members.len() as f32;
        let Scratch { members, labels: LabelScores { heads: known, scores, sure, arcs, new }, .. } = scratch;
        let Some(labels) = self.members.first().map(|member| member.shape.labels) else { return };
        scores.resize(scores.len().max(heads.len() * labels), 0.0);
        sure.resize(sure.len().max(heads.len()), None);
        arcs.clear();
        for ((known, &head), modifier) in known.iter_mut().zip(heads).zip(1..) {
            if *known != Some(head) {
                *known = Some(head);
                arcs.push((head, modifier));
            }
        }
        new.clear();
        new.resize(arcs.len() * labels, 0.0);
        for (member, scratch) in self.members.iter().zip(members) {
            member.add_labels(views, arcs, weight, scratch, new);
        }
        for ((_, modifier), new) in arcs.iter().zip(new.chunks_exact(labels)) {
            let word = *modifier as usize - 1;
            scores[word * labels..][..labels].copy_from_slice(new);
            sure[word] = self.mix.sure_label(new);
        }
    }

    /// The label of a word's arc, among those that were scored last, if there is no doubt about it.
    pub(in super::super) fn sure_label(&self, modifier: usize, scratch: &Scratch) -> Option<SureLabel> {
        scratch.labels.sure[modifier - 1]
    }

    /// The weighted scores of the labels of a word's arc, among those that were scored last.
    pub(in super::super) fn labels<'s>(&self, modifier: usize, scratch: &'s Scratch) -> &'s [f32] {
        let labels = self.members.first().map_or(0, |member| member.shape.labels);
        &scratch.labels.scores[(modifier - 1) * labels..][..labels]
    }
}
