//! Sizes and weights.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use super::super::hashing::cross;
use super::super::words::{Mark, View, Views, distance_class};
use super::ensemble::Mix;
use models::network::window::{Parameters, WINDOW};

/// Configuration of a network.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct NetworkConfig {
    /// Numbers per embedding.
    pub embedded: usize,
    /// Numbers per hidden layer.
    pub hidden: usize,
    /// Embeddings are stored in a table of 2ᵇ rows.
    pub bits: u32,
    /// Training epochs.
    pub epochs: usize,
    /// Step size at the start; it falls to 0.
    pub rate: f32,
    /// Share of hidden numbers that are left out of a training step.
    pub dropout: f32,
    /// Share of words whose form is left out of a training step.
    pub form_dropout: f32,
    /// Number of networks, which differ in their first weights and in the order of sentences; their scores are averaged.
    pub members: usize,
    /// The use of their scores.
    pub mix: Mix,
}

impl Default for NetworkConfig {
    fn default() -> Self {
        Self {
            embedded: 64,
            hidden: 128,
            bits: 15,
            epochs: 8,
            rate: 5e-3,
            dropout: 0.2,
            form_dropout: 0.2,
            members: 1,
            mix: Mix::default(),
        }
    }
}

/// The sizes of a network.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(super) struct Shape {
    pub(super) embedded: usize,
    pub(super) hidden: usize,
    pub(super) bits: u32,
    pub(super) labels: usize,
}

/// Classes of distance, in both directions.
pub(super) const DISTANCES: usize = 16;
/// Numbers of marks that are told apart.
const MOST_MARKS: u32 = 3;
/// Kinds of marks.
const MARKS: [Mark; 3] = [Mark::Verb, Mark::Punctuation, Mark::Conjunction];
/// Numbers of all marks together that are told apart.
pub(super) const COMBINATIONS: usize = (MOST_MARKS as usize + 1).pow(MARKS.len() as u32);
/// Rows for what lies between two words.
const BETWEEN: usize = DISTANCES + MARKS.len() * (MOST_MARKS as usize + 1);

/// The views of a word that have embeddings.
pub(super) const EMBEDDED: [View; 8] = [
    View::Form,
    View::Tag,
    View::Upos,
    View::Feats,
    View::Ending,
    View::ShortPath,
    View::MiddlePath,
    View::FullPath,
];

impl Shape {
    /// The row of a view of a word in the table of embeddings; `None` for a view that is missing.
    #[inline]
    pub(super) fn row(self, views: &Views, at: usize, view: View) -> Option<u32> {
        let hash = views.of(at, view);
        (hash != 0).then(|| (cross(hash, view as u64, 1) & ((1 << self.bits) - 1)) as u32)
    }
}

/// What lies between a head and a modifier: a row for the distance, then one for each kind of mark.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Between([usize; 1 + MARKS.len()]);

/// What lies between two words.
#[inline]
pub(super) fn between(views: &Views, head: usize, modifier: usize) -> Between {
    let (left, right) = (head.min(modifier), head.max(modifier));
    let distance = 2 * distance_class(left, right) as usize + usize::from(head < modifier);
    let mark = |kind: usize| {
        let count = views.between(left, right, MARKS[kind]).min(MOST_MARKS) as usize;
        DISTANCES + kind * (MOST_MARKS as usize + 1) + count
    };
    Between([distance, mark(0), mark(1), mark(2)])
}

impl Between {
    /// The class of the distance.
    #[inline]
    pub(super) fn distance(self) -> usize {
        self.0[0]
    }

    /// The number of these marks among all [`COMBINATIONS`].
    #[inline]
    pub(super) fn combination(self) -> usize {
        let first = |kind: usize| DISTANCES + kind * (MOST_MARKS as usize + 1);
        (0..MARKS.len())
            .rev()
            .fold(0, |number, kind| number * (MOST_MARKS as usize + 1) + self.0[kind + 1] - first(kind))
    }

    /// The combination of marks with this number, at the first distance.
    pub(super) fn of_combination(number: usize) -> Self {
        let counts = MOST_MARKS as usize + 1;
        let row = |kind: usize| DISTANCES + kind * counts + number / counts.pow(kind as u32) % counts;
        Self([0, row(0), row(1), row(2)])
    }

    /// Where the weights for the score of an arc lie.
    #[inline]
    pub(super) fn arc_rows(self, hidden: usize) -> [Range<usize>; 1 + MARKS.len()] {
        self.0.map(|row| row * 2 * hidden..(row * 2 + 1) * hidden)
    }

    /// The same for labels.
    #[inline]
    pub(super) fn label_rows(self, hidden: usize) -> [Range<usize>; 1 + MARKS.len()] {
        self.0.map(|row| (row * 2 + 1) * hidden..(row + 1) * 2 * hidden)
    }
}

/// What a word is in an arc.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Role {
    Head,
    Modifier,
    LabelledHead,
    LabelledModifier,
}

/// Number of roles.
pub(super) const ROLES: usize = Role::LabelledModifier as usize + 1;

impl Role {
    /// Where the numbers of a position in this role lie.
    #[inline]
    pub(super) fn of(self, position: usize, hidden: usize) -> Range<usize> {
        let start = (position * ROLES + self as usize) * hidden;
        start..start + hidden
    }
}

/// All weights but those of embeddings, or as many numbers for another purpose. Matrices are stored row by row.
#[derive(Clone, Debug)]
pub(super) struct Layers {
    /// From the embeddings of a window to the hidden numbers of a word.
    pub(super) window: Vec<f32>,
    pub(super) window_bias: Vec<f32>,
    /// From the hidden numbers of a window to what is added to those of a word.
    pub(super) second: Vec<f32>,
    pub(super) second_bias: Vec<f32>,
    /// From hidden numbers to those of the roles.
    pub(super) roles: Vec<f32>,
    /// What lies between two words: for arcs, then for labels.
    pub(super) between: Vec<f32>,
    /// From the hidden numbers of an arc to its score.
    pub(super) arc: Vec<f32>,
    /// From the hidden numbers of an arc to the scores of labels.
    pub(super) labels: Vec<f32>,
    pub(super) label_bias: Vec<f32>,
}

/// Number of tables of [`Layers`].
pub(super) const TABLES: usize = 9;

impl Layers {
    /// The name of each table in a model file.
    pub(super) const NAMES: [&str; TABLES] =
        ["window", "window_bias", "second", "second_bias", "roles", "between", "arc", "labels", "label_bias"];

    /// The length of each table.
    pub(super) fn lengths(shape: Shape) -> [usize; TABLES] {
        let Shape { embedded, hidden, labels, .. } = shape;
        [
            WINDOW * embedded * hidden,
            hidden,
            WINDOW * hidden * hidden,
            hidden,
            hidden * ROLES * hidden,
            BETWEEN * 2 * hidden,
            hidden,
            hidden * labels,
            labels,
        ]
    }

    /// The number of inputs of each table that begins at random; the others begin at 0.
    pub(super) fn inputs(shape: Shape) -> [Option<usize>; TABLES] {
        let Shape { embedded, hidden, .. } = shape;
        let (window, second) = (WINDOW * embedded, WINDOW * hidden);
        // Two words meet in an arc.
        let (roles, arc) = (2 * hidden, hidden);
        [Some(window), None, Some(second), None, Some(roles), None, Some(arc), Some(arc), None]
    }

    /// Both layers over windows.
    pub(super) fn windows(&self) -> [Parameters<&[f32]>; 2] {
        let Self { window, window_bias, second, second_bias, .. } = self;
        [Parameters { matrix: window, bias: window_bias }, Parameters { matrix: second, bias: second_bias }]
    }

    pub(super) fn windows_mut(&mut self) -> [Parameters<&mut [f32]>; 2] {
        let Self { window, window_bias, second, second_bias, .. } = self;
        [Parameters { matrix: window, bias: window_bias }, Parameters { matrix: second, bias: second_bias }]
    }

    pub(super) fn from_tables(tables: [Vec<f32>; TABLES]) -> Self {
        let [window, window_bias, second, second_bias, roles, between, arc, labels, label_bias] = tables;
        Self { window, window_bias, second, second_bias, roles, between, arc, labels, label_bias }
    }

    pub(super) fn zeros(shape: Shape) -> Self {
        Self::from_tables(Self::lengths(shape).map(|length| vec![0.0; length]))
    }

    pub(super) fn tables(&self) -> [&Vec<f32>; TABLES] {
        let Self { window, window_bias, second, second_bias, roles, between, arc, labels, label_bias } = self;
        [window, window_bias, second, second_bias, roles, between, arc, labels, label_bias]
    }

    pub(super) fn tables_mut(&mut self) -> [&mut Vec<f32>; TABLES] {
        let Self { window, window_bias, second, second_bias, roles, between, arc, labels, label_bias } = self;
        [window, window_bias, second, second_bias, roles, between, arc, labels, label_bias]
    }
}
