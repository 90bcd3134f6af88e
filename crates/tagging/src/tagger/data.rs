//! What taggers learn from.

use super::gazetteer::Gazetteer;
use super::labels::ColumnKind;
use models::representations::{ClusterPaths, VectorTable};

/// A sentence with its labels.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct TaggedSentence {
    /// Its words.
    pub words: Vec<String>,
    /// For each column the labels of all words.
    pub labels: Vec<Vec<String>>,
}

/// What is known beyond the sentences.
#[derive(Clone, Debug, Default)]
pub struct Resources {
    /// Clusters of words.
    pub clusters: Option<ClusterPaths>,
    /// Vectors of words.
    pub vectors: Option<VectorTable>,
    /// Lists of names.
    pub gazetteer: Option<Gazetteer>,
}

/// Sentences to learn from.
#[derive(Clone, Debug, Default)]
pub struct TaggerData {
    /// The names of the columns, and what their labels are.
    pub columns: Vec<(String, ColumnKind)>,
    /// The sentences.
    pub sentences: Vec<TaggedSentence>,
    /// Clusters, vectors and lists.
    pub resources: Resources,
}
