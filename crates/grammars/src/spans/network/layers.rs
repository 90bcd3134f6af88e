//! Sizes and weights.

use serde::{Deserialize, Serialize};

use models::network::scan::{BLOCKS, DIRECTIONS};
use models::network::window::{Parameters, WINDOW};

/// Configuration of the networks of a span model.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct NetworkConfig {
    /// Number of networks, which differ in their first weights and in the order of sentences; their scores are averaged.
    pub members: usize,
    /// Numbers per embedding.
    pub embedded: usize,
    /// Numbers per layer, and per direction of those that remember.
    pub hidden: usize,
    /// Numbers per span and per rule application.
    pub part: usize,
    /// Embeddings are stored in a table of 2ᵇ rows.
    pub bits: u32,
    /// Weights of labels and of rules are stored in tables of 2ᵇ rows.
    pub label_bits: u32,
    /// Number of passes over the trees.
    pub epochs: usize,
    /// Step size at the start; it falls to 0.
    pub rate: f32,
    /// Share of hidden numbers that are left out of a training step.
    pub dropout: f32,
    /// Share of words whose form is left out of a training step.
    pub form_dropout: f32,
}

impl Default for NetworkConfig {
    /// No network, and the sizes that networks have.
    fn default() -> Self {
        Self {
            members: 0,
            embedded: 48,
            hidden: 64,
            part: 64,
            bits: 16,
            label_bits: 13,
            epochs: 8,
            rate: 4e-3,
            dropout: 0.3,
            form_dropout: 0.5,
        }
    }
}

/// The sizes of a network.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(super) struct Shape {
    pub(super) embedded: usize,
    pub(super) hidden: usize,
    pub(super) part: usize,
    pub(super) bits: u32,
    pub(super) label_bits: u32,
}

/// What a place between two words is to a part of a tree.
#[derive(Clone, Copy, Debug)]
pub(super) enum Role {
    /// The beginning of a span.
    SpanStart,
    /// Its end.
    SpanEnd,
    /// The beginning of a rule application.
    RuleStart,
    /// Where its children meet.
    RuleSplit,
    /// Its end.
    RuleEnd,
}

/// Number of [`Role`]s.
pub(super) const ROLES: usize = 5;

impl Shape {
    pub(super) fn of(config: &NetworkConfig) -> Self {
        let NetworkConfig { embedded, hidden, part, bits, label_bits, .. } = *config;
        Self { embedded, hidden, part, bits, label_bits }
    }

    /// Numbers per word that all later layers see: both directions.
    pub(super) fn context(self) -> usize {
        DIRECTIONS * self.hidden
    }

    /// Numbers per place between two words: those of the word before and of the word after it.
    pub(super) fn place(self) -> usize {
        2 * self.context()
    }

    /// Numbers per place in all roles.
    pub(super) fn roles(self) -> usize {
        ROLES * self.part
    }
}

/// All weights but those of embeddings, labels and rules, or as many numbers for another purpose. Matrices are stored row by row.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Weights {
    /// From the embeddings of a window to the hidden numbers of a word.
    pub(super) window: Vec<f32>,
    pub(super) window_bias: Vec<f32>,
    /// The layers that remember.
    pub(super) first: Vec<f32>,
    pub(super) first_bias: Vec<f32>,
    pub(super) second: Vec<f32>,
    pub(super) second_bias: Vec<f32>,
    /// From the numbers of a place to its roles.
    pub(super) places: Vec<f32>,
    /// Biases of the numbers of spans and rule applications.
    pub(super) span_bias: Vec<f32>,
    pub(super) rule_bias: Vec<f32>,
}

/// Number of tables of [`Weights`].
pub(super) const TABLES: usize = 9;

impl Weights {
    /// The name of each table in a model file.
    pub(super) const NAMES: [&str; TABLES] = [
        "window",
        "window_bias",
        "first",
        "first_bias",
        "second",
        "second_bias",
        "places",
        "span_bias",
        "rule_bias",
    ];

    /// The length of each table.
    pub(super) fn lengths(shape: Shape) -> [usize; TABLES] {
        let Shape { embedded, hidden, part, .. } = shape;
        [
            WINDOW * embedded * hidden,
            hidden,
            hidden * BLOCKS * hidden,
            BLOCKS * hidden,
            shape.context() * BLOCKS * hidden,
            BLOCKS * hidden,
            shape.place() * shape.roles(),
            part,
            part,
        ]
    }

    /// The number of inputs of each table that begins at random; the others begin at 0.
    pub(super) fn inputs(shape: Shape) -> [Option<usize>; TABLES] {
        let Shape { embedded, hidden, .. } = shape;
        [
            Some(WINDOW * embedded),
            None,
            Some(2 * hidden),
            None,
            Some(2 * shape.context()),
            None,
            Some(2 * shape.place()),
            None,
            None,
        ]
    }

    /// The layer over windows.
    pub(super) fn window(&self) -> Parameters<&[f32]> {
        Parameters { matrix: &self.window, bias: &self.window_bias }
    }

    /// Biases of the numbers of spans and of rule applications.
    pub(super) fn part_biases(&self) -> [&[f32]; 2] {
        [&self.span_bias, &self.rule_bias]
    }

    /// The layers that remember.
    pub(super) fn scans(&self) -> [Parameters<&[f32]>; 2] {
        let Self { first, first_bias, second, second_bias, .. } = self;
        [Parameters { matrix: first, bias: first_bias }, Parameters { matrix: second, bias: second_bias }]
    }

    /// All layers below places.
    pub(super) fn layers_mut(&mut self) -> [Parameters<&mut [f32]>; 3] {
        let Self { window, window_bias, first, first_bias, second, second_bias, .. } = self;
        [
            Parameters { matrix: window, bias: window_bias },
            Parameters { matrix: first, bias: first_bias },
            Parameters { matrix: second, bias: second_bias },
        ]
    }

    pub(super) fn zeros(shape: Shape) -> Self {
        Self::from_tables(Self::lengths(shape).map(|length| vec![0.0; length]))
    }

    pub(super) fn from_tables(tables: [Vec<f32>; TABLES]) -> Self {
        let [window, window_bias, first, first_bias, second, second_bias, places, span_bias, rule_bias] =
            tables;
        Self { window, window_bias, first, first_bias, second, second_bias, places, span_bias, rule_bias }
    }

    pub(super) fn tables(&self) -> [&Vec<f32>; TABLES] {
        let Self {
            window,
            window_bias,
            first,
            first_bias,
            second,
            second_bias,
            places,
            span_bias,
            rule_bias,
        } = self;
        [window, window_bias, first, first_bias, second, second_bias, places, span_bias, rule_bias]
    }

    pub(super) fn tables_mut(&mut self) -> [&mut Vec<f32>; TABLES] {
        let Self {
            window,
            window_bias,
            first,
            first_bias,
            second,
            second_bias,
            places,
            span_bias,
            rule_bias,
        } = self;
        [window, window_bias, first, first_bias, second, second_bias, places, span_bias, rule_bias]
    }
}
