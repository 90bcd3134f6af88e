//! Sections of a count file: the input of training, which can be merged.
//!
//! | section | content |
//! |---|---|
//! | `form` | where sequences end, the largest distance, the class of other words |
//! | `words`, `counts` | the words by decreasing count, with their counts |
//! | `distance-d/offsets`, `/right`, `/count` | counts of pairs `d` positions apart, as compressed rows |

use super::count_sections::{SavedBoundaries, load_pairs, save_pairs, unknown_word};
use corpus::cooccurrence::{CountedText, PairCounts, TextCounts};
use corpus::ids::{Id, WordId};
use serde::{Deserialize, Serialize};

use models::persist::{Container, ContainerWriter, LoadError, Metadata};

/// The family name of count files.
pub const COUNTS_FAMILY: &str = "counts";
/// The version of the sections.
const FORMAT: u32 = 1;
/// Far beyond any use; no file is read with a larger distance.
const MAX_DISTANCE: usize = 1 << 10;

/// The part of the file that is not an array.
#[derive(Serialize, Deserialize)]
struct Form {
    boundaries: SavedBoundaries,
    distance: usize,
    /// The id of the word that stands for all others.
    unknown: Option<u32>,
}

/// The metadata of a count file.
pub fn counts_metadata(counted: &CountedText) -> Metadata {
    Metadata::new(COUNTS_FAMILY, FORMAT)
        .with_note("tokens", counted.counts.tokens())
        .with_note("types", counted.counts.words.len())
        .with_note("pairs", counted.counts.distinct_pairs())
}

/// Writes the sections.
///
/// ```
/// use corpus::cooccurrence::{CountConfig, TextCounter};
/// use eigentree_words::clusters::{counts_metadata, load_counts, save_counts};
/// use models::persist::{Container, ContainerWriter};
/// let mut counter = TextCounter::new(CountConfig::default())?;
/// counter.read("a b a b\n".as_bytes(), "-")?;
/// let counted = counter.finish()?;
/// let mut writer = ContainerWriter::new(&counts_metadata(&counted));
/// save_counts(&counted, &mut writer);
/// let mut file = Vec::new();
/// writer.write_to(&mut file)?;
/// assert_eq!(load_counts(&Container::from_bytes(file)?)?, counted);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn save_counts<'a>(counted: &'a CountedText, writer: &mut ContainerWriter<'a>) {
    let TextCounts { vocab, words, pairs } = &counted.counts;
    let boundaries = counted.boundaries.into();
    let unknown = counted.unknown.map(|word| word.index() as u32);
    writer.json("form", &Form { boundaries, distance: pairs.len(), unknown });
    writer.vocab("words", vocab);
    writer.array("counts", &words[..]);
    for (index, pairs) in pairs.iter().enumerate() {
        save_pairs(&scope_of(index), pairs, writer);
    }
}

/// Reads the sections and checks that they are consistent.
pub fn load_counts(container: &Container) -> Result<CountedText, LoadError> {
    container.metadata().expect_family(COUNTS_FAMILY, FORMAT)?;
    let form: Form = container.json("form")?;
    let vocab = container.vocab::<WordId>("words")?;
    let words: Vec<u64> = container.array("counts")?.into_vec();
    if words.len() != vocab.len() {
        return Err(LoadError::invalid("counts", "the number of counts differs from the number of words"));
    }
    if words.iter().try_fold(0u64, |sum, &count| sum.checked_add(count)).is_none() {
        return Err(LoadError::invalid("counts", "the sum of the counts is too large"));
    }
    if !(1..=MAX_DISTANCE).contains(&form.distance) {
        return Err(LoadError::invalid("form", format!("invalid distance {}", form.distance)));
    }
    let unknown = unknown_word(form.unknown, words.len())?;
    let pairs = (0..form.distance)
        .map(|index| load_bounded(container, &scope_of(index), &words))
        .collect::<Result<_, _>>()?;
    let boundaries = form.boundaries.into();
    Ok(CountedText { counts: TextCounts { vocab, words, pairs }, boundaries, unknown })
}

fn scope_of(index: usize) -> String {
    format!("distance-{}", index + 1)
}

fn load_bounded(container: &Container, name: &str, words: &[u64]) -> Result<PairCounts, LoadError> {
    let pairs = load_pairs(container, name)?;
    if pairs.words() != words.len() {
        return Err(LoadError::invalid(name, "the pairs are not those of the words"));
    }
    // A word is followed at most as often as it occurs. This also bounds all sums.
    let possible = (0..words.len()).all(|left| {
        let sum = pairs.row(left).try_fold(0u64, |sum, (_, count)| sum.checked_add(count));
        sum.is_some_and(|sum| sum <= words[left])
    });
    if possible {
        Ok(pairs)
    } else {
        Err(LoadError::invalid(name, "a word is followed more often than it occurs"))
    }
}

#[cfg(test)]
mod tests {
    use corpus::cooccurrence::{Boundaries, CountConfig, TextCounter, VocabLimit};

    use super::*;

    fn counted(vocab: Option<VocabLimit>) -> CountedText {
        let config =
            CountConfig { distance: 2, boundaries: Boundaries::None, vocab, ..CountConfig::default() };
        let mut counter = TextCounter::new(config).unwrap();
        counter.read("der Hund sieht die Katze , die Katze sieht den Hund".as_bytes(), "-").unwrap();
        counter.finish().unwrap()
    }

    fn saved(counted: &CountedText) -> Container {
        let mut writer = ContainerWriter::new(&counts_metadata(counted));
        save_counts(counted, &mut writer);
        let mut bytes = Vec::new();
        writer.write_to(&mut bytes).unwrap();
        Container::from_bytes(bytes).unwrap()
    }

    #[test]
    fn what_is_saved_is_loaded() {
        for vocab in [None, Some(VocabLimit::most_frequent(3))] {
            let counted = counted(vocab);
            let container = saved(&counted);
            assert_eq!(container.metadata().notes["tokens"], 11);
            assert_eq!(load_counts(&container).unwrap(), counted);
        }
    }

    #[test]
    fn what_does_not_fit_together_is_refused() {
        let whole = counted(None);
        let refused = |change: &dyn Fn(&mut CountedText)| {
            let mut counted = whole.clone();
            change(&mut counted);
            let error = load_counts(&saved(&counted)).unwrap_err();
            assert!(error.is_invalid(), "{error}");
        };
        refused(&|counted| {
            counted.counts.words.pop();
        });
        refused(&|counted| counted.counts.words[0] = 0);
        refused(&|counted| counted.counts.words[0] = u64::MAX);
        refused(&|counted| counted.counts.pairs.clear());
        refused(&|counted| counted.counts.pairs[1] = PairCounts::empty(3));
        refused(&|counted| counted.unknown = WordId::new(100));
        let metadata = Metadata::new("pcfg", 1);
        let mut bytes = Vec::new();
        ContainerWriter::new(&metadata).write_to(&mut bytes).unwrap();
        assert!(load_counts(&Container::from_bytes(bytes).unwrap()).unwrap_err().is_wrong_family());
    }
}
