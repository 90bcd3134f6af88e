//! Training data of taggers.

use std::sync::Arc;

use super::gazetteer::Gazetteer;
use super::labels::ColumnKind;
use crate::lemmatizer::Lexicon;
use models::representations::{ClusterPaths, VectorTable};

/// A sentence with its labels.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct TaggedSentence {
    /// Its words.
    pub words: Vec<String>,
    /// For each column, the labels of all words.
    pub labels: Vec<Vec<String>>,
}

/// Resources besides the sentences.
#[derive(Clone, Debug, Default)]
pub struct Resources {
    /// Word clusters.
    pub clusters: Option<ClusterPaths>,
    /// Word vectors.
    pub vectors: Option<VectorTable>,
    /// Lists of names.
    pub gazetteer: Option<Gazetteer>,
    /// Words with their lemmas. The model keeps the lemmas only.
    pub lexicon: Option<Arc<Lexicon>>,
}

/// Training data.
#[derive(Clone, Debug, Default)]
pub struct TaggerData {
    /// The names of the columns, and the kind of their labels. A column of lemmas is the last one.
    pub columns: Vec<(String, ColumnKind)>,
    /// The sentences.
    pub sentences: Vec<TaggedSentence>,
    /// Clusters, vectors and name lists.
    pub resources: Resources,
}
