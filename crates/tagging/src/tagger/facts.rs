//! The properties of a single word used by features.

use corpus::ids::WordId;

use super::clusters::{CLUSTER_FEATURES, cluster_features};
use super::data::Resources;
use super::dictionary::Dictionary;
use super::vectors::NO_VECTOR;
use models::log_linear::{BEGINNINGS, Case, ENDINGS, Key, WordFacts};

/// Parts of features that depend on the word alone, not on its neighbours.
#[derive(Clone, Copy, Debug)]
pub(super) struct Facts {
    pub(super) word: WordFacts,
    pub(super) clusters: [u64; CLUSTER_FEATURES],
    /// The row of its vector, or [`NO_VECTOR`].
    pub(super) vector: u32,
    pub(super) known: Option<WordId>,
}

impl Facts {
    pub(super) fn of(word: &str, dictionary: &Dictionary, resources: &Resources) -> Self {
        Self {
            word: WordFacts::of(word, |word| dictionary.class(word)),
            clusters: resources
                .clusters
                .as_ref()
                .map_or([0; CLUSTER_FEATURES], |clusters| cluster_features(clusters, word)),
            vector: resources.vectors.as_ref().and_then(|vectors| vectors.find(word)).unwrap_or(NO_VECTOR),
            known: dictionary.find(word),
        }
    }
}

/// Stands for the positions beyond the ends of a sentence.
pub(super) const OUTSIDE: Facts = {
    let edge = Key::of(8).value();
    Facts {
        word: WordFacts {
            word: edge,
            lower: edge,
            endings: [edge; ENDINGS],
            beginnings: [edge; BEGINNINGS],
            shape: edge,
            class: edge,
            lower_class: 0,
            stem: 0,
            part: 0,
            case: Case::None,
        },
        clusters: [0; CLUSTER_FEATURES],
        vector: NO_VECTOR,
        known: None,
    }
};
