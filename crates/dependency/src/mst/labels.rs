//! Labels of the arcs of a tree, the last stage: a linear classifier that sees the whole tree.
//!
//! Words are labelled from the root downwards and from left to right, so that the labels of the head and of the
//! previous sibling are known. It is learnt on gold trees by averaged multiclass passive–aggressive updates (K. Crammer
//! et al., JMLR 2006).

use corpus::ids::{Id, LabelId};

use super::arc_features::{Clusters, Templates};
use super::hashing::{cross, pair};
use super::network::{self, Networks};
use super::prefetch::prefetch;
use super::weights::{Averaged, Bits};
use super::words::View::{
    Around, BeforeTag, Ending, Feats, Form, FormAfter, FormBefore, FormTag, FullPath, Lemma, MiddlePath,
    Nothing, ShortPath, Tag, TagAfter, TagsAround, Upos,
};
use super::words::{Lemmas, View, Views, distance_class};
use models::log_linear::RoundedWeights;

/// View of the head, view of the modifier.
const TEMPLATES: [(View, View); 26] = [
    (Nothing, FormTag),
    (Nothing, Form),
    (Nothing, TagsAround),
    (Nothing, FormBefore),
    (Nothing, FormAfter),
    (Upos, FormTag),
    (Tag, FormTag),
    (FormTag, Upos),
    (FormTag, Tag),
    (FormTag, FormTag),
    (Form, Form),
    (Tag, Tag),
    (Upos, Upos),
    (Tag, BeforeTag),
    (Tag, TagAfter),
    (TagAfter, Tag),
    (BeforeTag, Tag),
    (Around, Around),
    (Upos, Around),
    (Feats, Feats),
    (Feats, Tag),
    (Tag, Feats),
    (Form, Feats),
    (Feats, Form),
    (Upos, Ending),
    (Ending, Ending),
];
const LEMMA_TEMPLATES: [(View, View); 3] = [(Nothing, Lemma), (Lemma, Lemma), (Lemma, Tag)];
const CLUSTER_TEMPLATES: [(View, View); 8] = [
    (Nothing, FullPath),
    (Nothing, MiddlePath),
    (ShortPath, ShortPath),
    (MiddlePath, MiddlePath),
    (FullPath, Tag),
    (MiddlePath, Tag),
    (Tag, FullPath),
    (Tag, MiddlePath),
];

/// Ids of the features that are not a pair of views.
mod purpose {
    pub(super) const LEMMAS: u64 = 200;
    pub(super) const CLUSTERS: u64 = 300;
    pub(super) const DISTANCE: u64 = 401;
    pub(super) const LEFT_CHILD: u64 = 410;
    pub(super) const RIGHT_CHILD: u64 = 420;
    pub(super) const CHILDREN: u64 = 430;
    pub(super) const SIBLING_BEFORE: u64 = 440;
    pub(super) const SIBLING_AFTER: u64 = 450;
    pub(super) const GRANDPARENT: u64 = 460;
    pub(super) const LABEL_ABOVE: u64 = 470;
    pub(super) const LABEL_BEFORE: u64 = 480;
    pub(super) const PLACE: u64 = 490;
}

/// The modifiers of every position of a tree, and the order from the root downwards.
#[derive(Clone, Default, Debug)]
pub(super) struct Shape {
    ends: Vec<u32>,
    children: Vec<u32>,
    order: Vec<u32>,
}

impl Shape {
    /// Computes the shape of the tree with these heads, numbered from 1.
    pub(super) fn read(&mut self, heads: &[u32]) {
        self.ends.clear();
        self.ends.resize(heads.len() + 2, 0);
        for &head in heads {
            self.ends[head as usize + 1] += 1;
        }
        for at in 1..self.ends.len() {
            self.ends[at] += self.ends[at - 1];
        }
        // The start of each list becomes its end as the list fills.
        self.children.clear();
        self.children.resize(heads.len(), 0);
        for (modifier, &head) in (1..).zip(heads) {
            let place = &mut self.ends[head as usize];
            self.children[*place as usize] = modifier;
            *place += 1;
        }
        self.order.clear();
        self.order.push(0);
        let mut at = 0;
        while at < self.order.len() {
            let head = self.order[at] as usize;
            let start = head.checked_sub(1).map_or(0, |before| self.ends[before] as usize);
            self.order.extend_from_slice(&self.children[start..self.ends[head] as usize]);
            at += 1;
        }
    }

    /// The modifiers of a position, from left to right.
    pub(super) fn children(&self, head: usize) -> &[u32] {
        let start = head.checked_sub(1).map_or(0, |before| self.ends[before] as usize);
        &self.children[start..self.ends[head] as usize]
    }
}

/// The classifier.
#[derive(Clone, Debug)]
pub(super) struct Labeler {
    /// The row of a feature begins at its table position and has one weight per label. Rows overlap: most of their
    /// weights are 0.
    pub(super) weights: RoundedWeights,
    pub(super) bits: Bits,
    pub(super) labels: usize,
}

/// Scratch memory for one sentence.
#[derive(Clone, Default, Debug)]
pub(super) struct Scratch {
    pub(super) shape: Shape,
    places: Vec<u32>,
    scores: Vec<f32>,
    /// The same in units of the quantised weights.
    sums: Vec<i32>,
    /// Labels by position; that of the root is ignored.
    labels: Vec<u32>,
}

/// Networks whose scores are added, and the sentence they have read.
#[derive(Debug)]
pub(super) struct More<'a> {
    pub(super) model: &'a Networks,
    pub(super) scratch: &'a mut network::Scratch,
}

impl Labeler {
    /// Writes the best label of every word to `labels`. `confidences`, if given, gets the posterior of each by a softmax
    /// at this temperature.
    #[expect(clippy::too_many_arguments, reason = "everything a label depends on")]
    pub(super) fn label(
        &self,
        views: &Views,
        heads: &[u32],
        templates: Templates,
        scratch: &mut Scratch,
        mut more: Option<More<'_>>,
        labels: &mut Vec<LabelId>,
        mut confidences: Option<(&mut Vec<f32>, f32)>,
    ) {
        scratch.shape.read(heads);
        scratch.labels.clear();
        scratch.labels.resize(heads.len() + 1, 0);
        if let Some((confidences, _)) = &mut confidences {
            confidences.clear();
            confidences.resize(heads.len(), 0.0);
        }
        for at in 1..scratch.shape.order.len() {
            let modifier = scratch.shape.order[at] as usize;
            features(
                views,
                heads,
                modifier,
                &scratch.shape,
                &scratch.labels,
                templates,
                self.bits,
                &mut scratch.places,
            );
            let step = self.weights.step;
            ask_rows(&self.weights.values, &scratch.places, self.labels);
            rows(&self.weights.values, &scratch.places, self.labels, &mut scratch.sums);
            scratch.scores.clear();
            scratch.scores.extend(scratch.sums.iter().map(|&sum| sum as f32 * step));
            if let Some(More { model, scratch: networks }) = &mut more {
                let head = heads[modifier - 1] as usize;
                model.add_labels(views, head, modifier, networks, &mut scratch.scores);
            }
            let best = first_best(&scratch.scores);
            scratch.labels[modifier] = best as u32;
            let score = scratch.scores[best];
            if let Some((confidences, temperature)) = &mut confidences {
                let sum: f32 =
                    scratch.scores.iter().map(|other| ((other - score) / *temperature).exp()).sum();
                confidences[modifier - 1] = 1.0 / sum;
            }
        }
        labels.clear();
        labels.extend(scratch.labels[1..].iter().filter_map(|&label| LabelId::new(label as usize)));
    }
}

/// The classifier in training.
pub(super) struct LabelTraining {
    weights: Averaged,
    bits: Bits,
    labels: usize,
    aggressiveness: f32,
    scratch: Scratch,
}

impl LabelTraining {
    pub(super) fn new(bits: Bits, labels: usize, aggressiveness: f32) -> Self {
        let weights = Averaged::new(bits.len() + labels);
        Self { weights, bits, labels, aggressiveness, scratch: Scratch::default() }
    }

    /// Learns from one sentence; returns the number of labels that were wrong before.
    pub(super) fn learn(
        &mut self,
        views: &Views,
        heads: &[u32],
        gold: &[LabelId],
        templates: Templates,
    ) -> usize {
        let scratch = &mut self.scratch;
        scratch.shape.read(heads);
        scratch.labels.clear();
        scratch.labels.push(0);
        scratch.labels.extend(gold.iter().map(|label| label.index() as u32));
        let mut wrong = 0;
        for at in 1..scratch.shape.order.len() {
            let modifier = scratch.shape.order[at] as usize;
            features(
                views,
                heads,
                modifier,
                &scratch.shape,
                &scratch.labels,
                templates,
                self.bits,
                &mut scratch.places,
            );
            ask_rows(&self.weights.now, &scratch.places, self.labels);
            rows(&self.weights.now, &scratch.places, self.labels, &mut scratch.scores);
            let right = scratch.labels[modifier] as usize;
            wrong += usize::from(first_best(&scratch.scores) != right);
            let right_score = std::mem::replace(&mut scratch.scores[right], f32::NEG_INFINITY);
            let rival = first_best(&scratch.scores);
            let margin = right_score - scratch.scores[rival];
            if margin < 1.0 && self.labels > 1 {
                let norm = 2.0 * scratch.places.len() as f32;
                let step = ((1.0 - margin) / norm).min(self.aggressiveness);
                for &place in &scratch.places {
                    self.weights.change(place + right as u32, step);
                    self.weights.change(place + rival as u32, -step);
                }
            }
            self.weights.step();
        }
        wrong
    }

    /// The weights, averaged over all steps.
    pub(super) fn average(self) -> Vec<f32> {
        self.weights.average()
    }
}

/// Prefetches all cache lines of the rows that begin at `places`.
#[inline]
fn ask_rows<W>(values: &[W], places: &[u32], labels: usize) {
    let line = (64 / size_of::<W>()) as u32;
    for first in (0..labels as u32).step_by(line as usize) {
        prefetch(values, places.iter().map(|place| place + first));
    }
}

/// Number of labels whose sums stay in registers.
const BLOCK: usize = 16;

/// The sum of the rows that begin at `places`. It is taken block by block over all rows, in the order of the rows. The
/// last block ends with the last label and may overlap the one before.
fn rows<W: Copy, S: Copy + Default + From<W> + std::ops::AddAssign>(
    values: &[W],
    places: &[u32],
    labels: usize,
    scores: &mut Vec<S>,
) {
    scores.clear();
    scores.resize(labels, S::default());
    let Some(last) = labels.checked_sub(BLOCK) else {
        for &place in places {
            add(scores, &values[place as usize..][..labels]);
        }
        return;
    };
    for first in (0..last).step_by(BLOCK).chain([last]) {
        let mut sums = [S::default(); BLOCK];
        for &place in places {
            add(&mut sums, &values[place as usize + first..][..BLOCK]);
        }
        scores[first..][..BLOCK].copy_from_slice(&sums);
    }
}

#[inline]
fn add<W: Copy, S: From<W> + std::ops::AddAssign>(sums: &mut [S], row: &[W]) {
    for (sum, &weight) in sums.iter_mut().zip(row) {
        *sum += S::from(weight);
    }
}

fn first_best(scores: &[f32]) -> usize {
    let mut best = 0;
    for (at, score) in scores.iter().enumerate() {
        if *score > scores[best] {
            best = at;
        }
    }
    best
}

/// The table positions of the features of one arc in its tree.
#[expect(clippy::too_many_arguments, reason = "everything a label depends on")]
fn features(
    views: &Views,
    heads: &[u32],
    modifier: usize,
    shape: &Shape,
    labels: &[u32],
    templates: Templates,
    bits: Bits,
    places: &mut Vec<u32>,
) {
    places.clear();
    let head = heads[modifier - 1] as usize;
    let direction = u64::from(head < modifier) + 1;
    let mut put = |hash: u64| places.push(bits.place(cross(hash, direction, 0)));
    let mut pairs = |list: &[(View, View)], first: u64| {
        for (&(of_head, of_modifier), number) in list.iter().zip(first..) {
            put(cross(views.of(head, of_head), views.of(modifier, of_modifier), number));
        }
    };
    pairs(&TEMPLATES, 1);
    if templates.lemmas == Lemmas::Use {
        pairs(&LEMMA_TEMPLATES, purpose::LEMMAS);
    }
    if templates.clusters == Clusters::Present {
        pairs(&CLUSTER_TEMPLATES, purpose::CLUSTERS);
    }
    let (form, tag, upos) = (views.of(modifier, Form), views.of(modifier, Tag), views.of(modifier, Upos));
    let (head_form, head_tag, head_upos) = (views.of(head, Form), views.of(head, Tag), views.of(head, Upos));
    let coarse = pair(head_upos, upos);
    let (left, right) = (head.min(modifier), head.max(modifier));
    put(cross(coarse, distance_class(left, right), purpose::DISTANCE));
    put(cross(tag, distance_class(left, right), purpose::DISTANCE));

    let below = shape.children(modifier);
    for &child in below {
        let child = child as usize;
        let number = if child < modifier { purpose::LEFT_CHILD } else { purpose::RIGHT_CHILD };
        put(cross(upos, views.of(child, Form), number));
        put(cross(tag, views.of(child, Tag), number + 1));
        put(cross(coarse, views.of(child, FormTag), number + 2));
        put(cross(coarse, views.of(child, Upos), number + 3));
        put(cross(head_form, views.of(child, Form), number + 4));
    }
    put(cross(tag, below.len().min(4) as u64, purpose::CHILDREN));
    put(cross(coarse, below.len().min(4) as u64, purpose::CHILDREN + 1));

    let siblings = shape.children(head);
    let place = siblings.partition_point(|&sibling| (sibling as usize) < modifier);
    let before = place.checked_sub(1).map(|at| siblings[at] as usize);
    let after = siblings.get(place + 1).map(|&at| at as usize);
    for (sibling, number) in [(before, purpose::SIBLING_BEFORE), (after, purpose::SIBLING_AFTER)] {
        // A sibling on the other side of the head is a different feature.
        let side = sibling.map_or(0, |sibling| 1 + u64::from((sibling < head) == (modifier < head)));
        let see = |view: View| pair(sibling.map_or(0, |sibling| views.of(sibling, view)), side);
        put(cross(pair(head_tag, tag), see(Tag), number));
        put(cross(coarse, see(Upos), number + 1));
        put(cross(coarse, see(Form), number + 2));
        put(cross(form, see(Upos), number + 3));
    }
    put(cross(coarse, place.min(4) as u64, purpose::PLACE));

    if head > 0 {
        let above = heads[head - 1] as usize;
        put(cross(pair(views.of(above, Upos), coarse), 0, purpose::GRANDPARENT));
        put(cross(views.of(above, Tag), tag, purpose::GRANDPARENT + 1));
    }
    let label_above = if head > 0 { u64::from(labels[head]) + 1 } else { 0 };
    put(cross(label_above, coarse, purpose::LABEL_ABOVE));
    put(cross(label_above, form, purpose::LABEL_ABOVE + 1));
    put(cross(label_above, tag, purpose::LABEL_ABOVE + 2));
    let label_before = before.map_or(0, |before| u64::from(labels[before]) + 1);
    put(cross(label_before, coarse, purpose::LABEL_BEFORE));
    put(cross(label_before, pair(head_form, tag), purpose::LABEL_BEFORE + 1));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_of_rows_are_those_label_by_label() {
        let values: Vec<i16> = (0..400).map(|at| (at * 7919 % 2001 - 1000) as i16).collect();
        for labels in [1, 15, 16, 17, 31, 32, 51] {
            let places: Vec<u32> = (0..40).map(|at| at * 37 % (400 - labels as u32)).collect();
            let mut sums = vec![7; 3];
            rows(&values, &places, labels, &mut sums);
            let expected: Vec<i32> = (0..labels)
                .map(|label| places.iter().map(|&place| i32::from(values[place as usize + label])).sum())
                .collect();
            assert_eq!(sums, expected, "{labels} labels");
        }
    }
}
