//! Sizes and weights.

use serde::{Deserialize, Serialize};

use models::network::window::{Parameters, WINDOW};

/// Which of a word's characters have embeddings.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Characters {
    /// Those at both ends. Networks of earlier versions are of this kind.
    #[default]
    Ends,
    /// Those inside as well, in groups of three, where languages such as Turkish have voice and negation.
    Inner,
}

/// Configuration of the networks of a tagger.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct NetworkConfig {
    /// Number of networks, which differ in their first weights and in the order of sentences; their scores are averaged.
    pub members: usize,
    /// Numbers per embedding.
    pub embedded: usize,
    /// Numbers per hidden layer.
    pub hidden: usize,
    /// Embeddings are stored in a table of 2ᵇ rows.
    pub bits: u32,
    /// Which of a word's characters have embeddings.
    #[serde(default)]
    pub characters: Characters,
    /// Training epochs.
    pub epochs: usize,
    /// Step size at the start; it falls to 0.
    pub rate: f32,
    /// Share of hidden numbers that are left out of a training step.
    pub dropout: f32,
    /// Share of words whose form is left out of a training step.
    pub form_dropout: f32,
    /// Weight of the scores beside those of features.
    pub weight: f32,
}

impl Default for NetworkConfig {
    fn default() -> Self {
        Self {
            members: 1,
            embedded: 32,
            hidden: 64,
            bits: 17,
            characters: Characters::Inner,
            epochs: 8,
            rate: 5e-3,
            dropout: 0.1,
            form_dropout: 0.3,
            weight: 0.5,
        }
    }
}

/// The sizes of a network.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(super) struct Shape {
    pub(super) embedded: usize,
    pub(super) hidden: usize,
    pub(super) bits: u32,
    #[serde(default)]
    pub(super) characters: Characters,
    /// The number of parts of labels.
    pub(super) parts: usize,
}

/// All weights but those of embeddings, or as many numbers for another purpose. Matrices are stored row by row.
#[derive(Clone, Debug)]
pub(super) struct Weights {
    /// From the embeddings of a window to the hidden numbers of a word.
    pub(super) window: Vec<f32>,
    pub(super) window_bias: Vec<f32>,
    /// From the hidden numbers of a window to what is added to those of a word.
    pub(super) second: Vec<f32>,
    pub(super) second_bias: Vec<f32>,
    /// From hidden numbers to the scores of parts.
    pub(super) parts: Vec<f32>,
    pub(super) part_bias: Vec<f32>,
}

/// Number of tables of [`Weights`].
pub(super) const TABLES: usize = 6;

impl Weights {
    /// The name of each table in a model file.
    pub(super) const NAMES: [&str; TABLES] =
        ["window", "window_bias", "second", "second_bias", "parts", "part_bias"];

    /// The length of each table.
    pub(super) fn lengths(shape: Shape) -> [usize; TABLES] {
        let Shape { embedded, hidden, parts, .. } = shape;
        [WINDOW * embedded * hidden, hidden, WINDOW * hidden * hidden, hidden, hidden * parts, parts]
    }

    /// The number of inputs of each table that begins at random; the others begin at 0.
    pub(super) fn inputs(shape: Shape) -> [Option<usize>; TABLES] {
        let Shape { embedded, hidden, .. } = shape;
        [Some(WINDOW * embedded), None, Some(WINDOW * hidden), None, Some(hidden), None]
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

    pub(super) fn zeros(shape: Shape) -> Self {
        Self::from_tables(Self::lengths(shape).map(|length| vec![0.0; length]))
    }

    pub(super) fn from_tables(tables: [Vec<f32>; TABLES]) -> Self {
        let [window, window_bias, second, second_bias, parts, part_bias] = tables;
        Self { window, window_bias, second, second_bias, parts, part_bias }
    }

    pub(super) fn tables(&self) -> [&Vec<f32>; TABLES] {
        let Self { window, window_bias, second, second_bias, parts, part_bias } = self;
        [window, window_bias, second, second_bias, parts, part_bias]
    }

    pub(super) fn tables_mut(&mut self) -> [&mut Vec<f32>; TABLES] {
        let Self { window, window_bias, second, second_bias, parts, part_bias } = self;
        [window, window_bias, second, second_bias, parts, part_bias]
    }
}
