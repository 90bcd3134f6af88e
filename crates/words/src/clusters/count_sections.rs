//! Sections that count files and cluster models share.

use corpus::cooccurrence::{Boundaries, PairCounts};
use corpus::ids::{Id, WordId};
use models::persist::{Container, ContainerWriter, LoadError};
use serde::{Deserialize, Serialize};

/// Where sequences ended, as files say it.
#[derive(Clone, Copy, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum SavedBoundaries {
    Lines,
    None,
}

impl From<Boundaries> for SavedBoundaries {
    fn from(boundaries: Boundaries) -> Self {
        match boundaries {
            Boundaries::Lines => Self::Lines,
            Boundaries::None => Self::None,
        }
    }
}

impl From<SavedBoundaries> for Boundaries {
    fn from(boundaries: SavedBoundaries) -> Self {
        match boundaries {
            SavedBoundaries::Lines => Self::Lines,
            SavedBoundaries::None => Self::None,
        }
    }
}

/// The word that stands for all others, which must be one of `words`.
pub(super) fn unknown_word(saved: Option<u32>, words: usize) -> Result<Option<WordId>, LoadError> {
    let find = |word: u32| WordId::new(word as usize).filter(|word| word.index() < words);
    saved
        .map(|word| {
            find(word).ok_or_else(|| {
                LoadError::invalid("form", "the class of other words is not in the vocabulary")
            })
        })
        .transpose()
}

/// Writes pair counts as compressed rows in the scope `name`.
pub(super) fn save_pairs<'a>(name: &str, pairs: &'a PairCounts, writer: &mut ContainerWriter<'a>) {
    writer.scope(name, |writer| {
        let offsets: Vec<u64> = pairs.offsets().iter().map(|&offset| offset as u64).collect();
        writer.array("offsets", offsets);
        writer.array("right", pairs.right());
        writer.array("count", pairs.counts());
    });
}

/// Reads what [`save_pairs`] wrote. The sums of the counts are not checked.
pub(super) fn load_pairs(container: &Container, name: &str) -> Result<PairCounts, LoadError> {
    let scope = container.scope(name);
    let offsets = scope.array::<u64>("offsets")?;
    let offsets: Vec<usize> =
        offsets.iter().map(|&offset| usize::try_from(offset).unwrap_or(usize::MAX)).collect();
    PairCounts::from_parts(offsets, scope.array("right")?.into_vec(), scope.array("count")?.into_vec())
        .ok_or_else(|| LoadError::invalid(name, "the rows are inconsistent"))
}
