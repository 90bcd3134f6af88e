//! Labels of the arcs of a tree, the last stage: a linear classifier that sees the whole tree.
//!
//! Words are labelled from the root downwards and from left to right, so that the labels of the head and of the
//! previous sibling are known. It is learnt on gold trees by averaged multiclass passive–aggressive updates (K. Crammer
//! et al., JMLR 2006).

use corpus::ids::{Id, LabelId};

use super::arc_features::{Clusters, Templates};
use super::hashing::{cross, pair};
use super::label_rows::{add, ask_rows, rows};
use super::network::{self, Networks};
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
    /// What was found for each word of the sentence last.
    known: Vec<Known>,
}

/// The label of a word, which is the same as long as its head and its features are.
#[derive(Clone, Default, Debug)]
struct Known {
    head: u32,
    /// The table positions of the features; none if nothing is known.
    places: Vec<u32>,
    label: u32,
    probability: Option<Probability>,
}

/// The probability of a label at a temperature.
#[derive(Clone, Copy, Debug)]
struct Probability {
    temperature: f32,
    value: f32,
}

impl Scratch {
    /// Prepares for another sentence.
    pub(super) fn forget(&mut self) {
        self.known.iter_mut().for_each(|known| known.places.clear());
    }
}

impl Known {
    /// The probability of the known label at the wanted temperature, or 0 if none is wanted. `None` if the label is not
    /// known for this head and these features, or not its probability.
    #[inline]
    fn answer(&self, head: u32, places: &[u32], wanted: Option<f32>) -> Option<f32> {
        if self.head != head || self.places != places {
            return None;
        }
        match wanted {
            None => Some(0.0),
            Some(temperature) => {
                let known = self.probability.filter(|known| known.temperature == temperature);
                known.map(|known| known.value)
            }
        }
    }
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
        more: Option<More<'_>>,
        labels: &mut Vec<LabelId>,
        mut confidences: Option<(&mut Vec<f32>, f32)>,
    ) {
        scratch.shape.read(heads);
        scratch.known.resize_with(scratch.known.len().max(heads.len()), Known::default);
        let more = more.map(|More { model, scratch }| {
            model.score_labels(views, heads, scratch);
            (model, &*scratch)
        });
        scratch.labels.clear();
        scratch.labels.resize(heads.len() + 1, 0);
        if let Some((confidences, _)) = &mut confidences {
            confidences.clear();
            confidences.resize(heads.len(), 0.0);
        }
        for at in 1..scratch.shape.order.len() {
            let modifier = scratch.shape.order[at] as usize;
            if let Some(sure) = more.and_then(|(model, networks)| model.sure_label(modifier, networks)) {
                scratch.labels[modifier] = sure.label;
                if let Some((confidences, _)) = &mut confidences {
                    confidences[modifier - 1] = sure.probability;
                }
                continue;
            }
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
            let (head, wanted) =
                (heads[modifier - 1], confidences.as_ref().map(|&(_, temperature)| temperature));
            let known = &scratch.known[modifier - 1];
            if let Some(probability) = known.answer(head, &scratch.places, wanted) {
                scratch.labels[modifier] = known.label;
                if let Some((confidences, _)) = &mut confidences {
                    confidences[modifier - 1] = probability;
                }
                continue;
            }
            let step = self.weights.step;
            ask_rows(&self.weights.values, &scratch.places, self.labels);
            rows(&self.weights.values, &scratch.places, self.labels, &mut scratch.sums);
            scratch.scores.clear();
            scratch.scores.extend(scratch.sums.iter().map(|&sum| sum as f32 * step));
            if let Some((model, networks)) = more {
                add(&mut scratch.scores, model.labels(modifier, networks));
            }
            let best = first_best(&scratch.scores);
            scratch.labels[modifier] = best as u32;
            let score = scratch.scores[best];
            let probability = wanted.map(|temperature| {
                let sum: f32 = scratch.scores.iter().map(|other| ((other - score) / temperature).exp()).sum();
                Probability { temperature, value: 1.0 / sum }
            });
            if let (Some((confidences, _)), Some(probability)) = (&mut confidences, probability) {
                confidences[modifier - 1] = probability.value;
            }
            let known = &mut scratch.known[modifier - 1];
            (known.head, known.label, known.probability) = (head, best as u32, probability);
            known.places.clone_from(&scratch.places);
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
