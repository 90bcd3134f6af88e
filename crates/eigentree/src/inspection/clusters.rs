//! Contents of a model of word clusters.

use serde::Serialize;
use serde_json::{Value, json};
use words::clusters::BrownModel;

use super::error::InspectionError;
use super::request::Request;
use crate::clustering::{Group, groups_at, groups_below, neighbours_of};

/// Default depth at which the tree is cut.
const PREFIX: usize = 4;

/// How clusters were chosen.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(untagged)]
#[non_exhaustive]
pub enum ClusterSelection {
    /// The tree cut after a number of bits, from left to right.
    Cut {
        /// The number of bits.
        prefix: usize,
    },
    /// A subtree, from left to right.
    Below {
        /// The bits that all its paths begin with.
        below: String,
    },
    /// The cluster of a word, then its neighbours in the tree.
    Around {
        /// The word.
        word: String,
        /// Whether the word is in the vocabulary. If not, the class of other words is shown.
        known: bool,
    },
}

/// Clusters with a common prefix of bits.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[non_exhaustive]
pub struct ClusterGroup {
    /// The common bits.
    pub path: String,
    /// Number of clusters.
    pub clusters: usize,
    /// Number of words.
    pub words: usize,
    /// Total count of the words.
    pub count: u64,
    /// The most frequent words.
    pub top: Vec<String>,
}

/// One answer.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[non_exhaustive]
pub struct SelectedClusters {
    /// What was asked for.
    #[serde(flatten)]
    pub selection: ClusterSelection,
    /// The clusters.
    pub clusters: Vec<ClusterGroup>,
}

/// The answers: the cut tree if it was requested or nothing else was, then subtrees, then words.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct ClusterContents {
    /// The answers.
    pub shown: Vec<SelectedClusters>,
}

impl ClusterContents {
    pub(super) fn of(model: &BrownModel, request: &Request) -> Result<Self, InspectionError> {
        let describe =
            |groups: Vec<Group>| groups.iter().map(|group| of_group(model, group, request.top)).collect();
        let mut shown = Vec::new();
        let mut show = |selection, groups| {
            shown.push(SelectedClusters { selection, clusters: describe(groups) });
        };
        if request.prefix.is_some() || (request.clusters.is_empty() && request.words.is_empty()) {
            let prefix = request.prefix.unwrap_or(PREFIX);
            show(ClusterSelection::Cut { prefix }, groups_at(model, prefix));
        }
        for below in &request.clusters {
            let groups = groups_below(model, below);
            if groups.is_empty() {
                return Err(InspectionError::NoCluster(below.clone()));
            }
            show(ClusterSelection::Below { below: below.clone() }, groups);
        }
        for word in &request.words {
            let groups = neighbours_of(model, word, request.top)
                .ok_or_else(|| InspectionError::UnknownWord(word.clone()))?;
            let known = model.vocab().get(word).is_some();
            show(ClusterSelection::Around { word: word.clone(), known }, groups);
        }
        Ok(Self { shown })
    }

    /// The contents as a JSON object.
    pub fn to_json(&self) -> Value {
        json!({ "shown": self.shown })
    }
}

fn of_group(model: &BrownModel, group: &Group, top: usize) -> ClusterGroup {
    ClusterGroup {
        path: group.bits.clone(),
        clusters: group.clusters,
        words: group.words.len(),
        count: group.count,
        top: group.words.iter().take(top).map(|&word| model.vocab().text(word).to_owned()).collect(),
    }
}
