//! Model file sections of a Brown model.
//!
//! | section | content |
//! |---|---|
//! | `form` | where sequences end, the class of other words |
//! | `words`, `counts` | the words by decreasing count, with their counts |
//! | `clusters` | the cluster of each word |
//! | `merges`, `inner` | the tree over clusters and, if any, those over the words of each: pairs of nodes |
//! | `transitions/offsets`, `/right`, `/count` | its successors, as compressed rows; the last row is the border |

use corpus::cooccurrence::PairCounts;
use corpus::ids::{Id, WordId};
use corpus::vocab::Vocab;
use serde::{Deserialize, Serialize};

use super::BrownModel;
use crate::clusters::count_sections::{SavedBoundaries, load_pairs, save_pairs, unknown_word};
use crate::clusters::{ClusterId, Hierarchy};
use models::persist::{Container, ContainerWriter, LoadError, Metadata, ModelFile};

#[derive(Serialize, Deserialize)]
struct Form {
    boundaries: SavedBoundaries,
    /// The id of the word that stands for all others.
    unknown: Option<u32>,
}

impl ModelFile for BrownModel {
    const FAMILY: &'static str = "clusters";
    const FORMAT: u32 = 1;
    const DESCRIPTION: &'static str = "clusters of words";

    fn metadata(&self) -> Metadata {
        Metadata::new(Self::FAMILY, Self::FORMAT)
            .with_note("clusters", self.hierarchy.clusters())
            .with_note("types", self.words.len())
            .with_note("tokens", self.words.iter().sum::<u64>())
    }

    fn save<'a>(&'a self, writer: &mut ContainerWriter<'a>) {
        let unknown = self.unknown.map(|word| word.index() as u32);
        writer.json("form", &Form { boundaries: self.boundaries.into(), unknown });
        writer.vocab("words", &self.vocab);
        writer.array("counts", &self.words[..]);
        let clusters: Vec<u32> =
            self.hierarchy.assignment().iter().map(|cluster| cluster.index() as u32).collect();
        writer.array("clusters", clusters);
        for (name, merges) in [("merges", self.hierarchy.merges()), ("inner", self.hierarchy.inner_merges())]
        {
            writer.tensor(name, &[merges.len(), 2], merges.as_flattened());
        }
        save_pairs("transitions", &self.transitions, writer);
    }

    fn load_sections(container: &Container) -> Result<Self, LoadError> {
        let form: Form = container.json("form")?;
        let vocab: Vocab<WordId> = container.vocab("words")?;
        let words: Vec<u64> = container.array("counts")?.into_vec();
        let unknown = unknown_word(form.unknown, words.len())?;
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
        let transitions = load_transitions(container)?;
        Self::from_parts(vocab, words, unknown, form.boundaries.into(), hierarchy, transitions)
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

fn load_transitions(container: &Container) -> Result<PairCounts, LoadError> {
    let pairs = load_pairs(container, "transitions")?;
    // This bounds all sums.
    if pairs.counts().iter().try_fold(0u64, |sum, &count| sum.checked_add(count)).is_none() {
        return Err(LoadError::invalid("transitions", "the sum of the counts is too large"));
    }
    Ok(pairs)
}
