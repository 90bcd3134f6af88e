//! Model file sections of a Brown model.
//!
//! | section | content |
//! |---|---|
//! | `form` | where sequences end, the class of other words |
//! | `words`, `counts` | the words by decreasing count, with their counts |
//! | `clusters` | the cluster of each word |
//! | `merges`, `inner` | the tree over clusters and, if any, those over the words of each: pairs of nodes |
//! | `transitions/offsets`, `/right`, `/count` | its successors, as compressed rows; the last row is the border |

use corpus::cooccurrence::{Boundaries, PairCounts};
use corpus::ids::{Id, WordId};
use corpus::vocab::Vocab;
use serde::{Deserialize, Serialize};

use super::BrownModel;
use crate::clusters::{ClusterId, Hierarchy};
use models::persist::{Container, ContainerWriter, LoadError, Metadata};

/// The name of this family in a model file.
pub const FAMILY: &str = "clusters";
/// The version of the sections.
const FORMAT: u32 = 1;

#[derive(Serialize, Deserialize)]
struct Form {
    boundaries: SavedBoundaries,
    /// The id of the word that stands for all others.
    unknown: Option<u32>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum SavedBoundaries {
    Lines,
    None,
}

impl BrownModel {
    /// The metadata of a model file of this family.
    pub fn metadata(&self) -> Metadata {
        Metadata::new(FAMILY, FORMAT)
            .with_note("clusters", self.hierarchy.clusters())
            .with_note("types", self.words.len())
            .with_note("tokens", self.words.iter().sum::<u64>())
    }

    /// Writes the sections.
    pub fn save<'a>(&'a self, writer: &mut ContainerWriter<'a>) {
        let boundaries = match self.boundaries {
            Boundaries::Lines => SavedBoundaries::Lines,
            Boundaries::None => SavedBoundaries::None,
        };
        let unknown = self.unknown.map(|word| word.index() as u32);
        writer.json("form", &Form { boundaries, unknown });
        writer.strings("words", self.vocab.iter().map(|(_, word)| word));
        writer.array("counts", &self.words[..]);
        let clusters: Vec<u32> =
            self.hierarchy.assignment().iter().map(|cluster| cluster.index() as u32).collect();
        writer.array("clusters", clusters);
        for (name, merges) in [("merges", self.hierarchy.merges()), ("inner", self.hierarchy.inner_merges())]
        {
            writer.tensor(name, &[merges.len(), 2], merges.as_flattened());
        }
        writer.scope("transitions", |writer| {
            let offsets: Vec<u64> = self.transitions.offsets().iter().map(|&offset| offset as u64).collect();
            writer.array("offsets", offsets);
            writer.array("right", self.transitions.right());
            writer.array("count", self.transitions.counts());
        });
    }

    /// Reads the sections.
    pub fn load(container: &Container) -> Result<Self, LoadError> {
        container.metadata().expect_family(FAMILY, FORMAT)?;
        let form: Form = container.json("form")?;
        let vocab: Vocab<WordId> = container.vocab("words")?;
        let words: Vec<u64> = container.array("counts")?.into_vec();
        let unknown = form
            .unknown
            .map(|word| {
                WordId::new(word as usize).filter(|word| word.index() < words.len()).ok_or_else(|| {
                    LoadError::invalid("form", "the class of other words is not in the vocabulary")
                })
            })
            .transpose()?;
        let assignment: Option<Vec<ClusterId>> =
            container.array::<u32>("clusters")?.iter().map(|&raw| ClusterId::new(raw as usize)).collect();
        let assignment =
            assignment.ok_or_else(|| LoadError::invalid("clusters", "a cluster number is too large"))?;
        let hierarchy = Hierarchy::new(assignment, load_merges(container, "merges")?)
            .ok_or_else(|| LoadError::invalid("merges", "the merges do not form a tree over the clusters"))?;
        let inner = load_merges(container, "inner")?;
        let hierarchy = match inner.is_empty() {
            true => hierarchy,
            false => hierarchy.with_inner_merges(inner).ok_or_else(|| {
                LoadError::invalid("inner", "the merges do not form trees over the words of clusters")
            })?,
        };
        let transitions = load_transitions(&container.scope("transitions"))?;
        let boundaries = match form.boundaries {
            SavedBoundaries::Lines => Boundaries::Lines,
            SavedBoundaries::None => Boundaries::None,
        };
        Self::from_parts(vocab, words, unknown, boundaries, hierarchy, transitions)
            .ok_or_else(|| LoadError::invalid("counts", "words, clusters and transitions do not match"))
    }
}

fn load_merges(container: &Container, name: &str) -> Result<Vec<[u32; 2]>, LoadError> {
    let flat = container.array::<u32>(name)?;
    let (pairs, rest) = flat.as_chunks::<2>();
    if rest.is_empty() {
        Ok(pairs.to_vec())
    } else {
        Err(LoadError::invalid(name, "a merge has only one part"))
    }
}

fn load_transitions(scope: &Container) -> Result<PairCounts, LoadError> {
    let offsets = scope.array::<u64>("offsets")?;
    let offsets: Vec<usize> =
        offsets.iter().map(|&offset| usize::try_from(offset).unwrap_or(usize::MAX)).collect();
    let counts = scope.array::<u64>("count")?.into_vec();
    // This bounds all sums.
    if counts.iter().try_fold(0u64, |sum, &count| sum.checked_add(count)).is_none() {
        return Err(LoadError::invalid("transitions", "the sum of the counts is too large"));
    }
    PairCounts::from_parts(offsets, scope.array("right")?.into_vec(), counts)
        .ok_or_else(|| LoadError::invalid("transitions", "the rows are inconsistent"))
}
