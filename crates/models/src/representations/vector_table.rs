//! Word vectors.

use corpus::format::word_vectors::WordVectors;
use corpus::ids::{Id, WordId};
use corpus::vocab::{Vocab, VocabBuilder};

use super::cluster_paths::ClusterPaths;
use super::lookup::find;
use crate::persist::{Container, ContainerWriter, LoadError, Storage};

/// Why vectors cannot be used as features.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum VectorError {
    /// There are no vectors, or they are empty.
    #[error("there are no word vectors, or they have dimension 0")]
    Empty,
    /// A number is infinite or NaN.
    #[error("the vector of the word {word:?} has a number that is not finite; compute the vectors again")]
    NotFinite {
        /// The word.
        word: String,
    },
}

/// One vector per word, all of the same length.
#[derive(Clone, Debug)]
pub struct VectorTable {
    words: Vocab<WordId>,
    dimension: usize,
    /// The vectors, word by word.
    values: Storage<f32>,
}

impl VectorTable {
    /// Creates a table from vectors as written by `cluster --vectors`. If a word occurs twice, its first vector counts.
    /// The numbers are divided by their standard deviation, so that vectors from any source have the same range
    /// (Turian, Ratinov and Bengio 2010).
    ///
    /// ```
    /// use corpus::format::word_vectors::WordVectors;
    /// use eigentree_models::representations::VectorTable;
    /// let vectors = WordVectors::new(vec!["dog".to_owned(), "cat".to_owned()], 2, vec![3.0, -1.0, 1.0, 1.0])?;
    /// let table = VectorTable::new(&vectors)?;
    /// assert_eq!(table.of("Dog").map(|row| row[0] / row[1]), Some(-3.0));
    /// assert_eq!(table.of("bird"), None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new(vectors: &WordVectors) -> Result<Self, VectorError> {
        let mut words: VocabBuilder<WordId> = VocabBuilder::new();
        let mut values = Vec::with_capacity(vectors.values().len());
        let dimension = vectors.dimension();
        for (word, vector) in vectors.iter() {
            if vector.iter().any(|value| !value.is_finite()) {
                return Err(VectorError::NotFinite { word: word.to_owned() });
            }
            if words.intern(word).index() * dimension == values.len() {
                values.extend_from_slice(vector);
            }
        }
        if values.is_empty() {
            return Err(VectorError::Empty);
        }
        standardise(&mut values);
        Ok(Self { words: words.freeze(), dimension, values: Storage::from(values) })
    }

    /// Number of words with a vector.
    pub fn len(&self) -> usize {
        self.words.len()
    }

    /// Whether there are no words; never true.
    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    /// Dimension of the vectors.
    pub fn dimension(&self) -> usize {
        self.dimension
    }

    /// The vector of a word.
    pub fn of(&self, word: &str) -> Option<&[f32]> {
        self.find(word).map(|row| self.row(row))
    }

    /// The row of a word, for [`row`](Self::row).
    pub fn find(&self, word: &str) -> Option<u32> {
        find(&self.words, word).map(|row| row as u32)
    }

    /// The vector of a row below [`len`](Self::len).
    pub fn row(&self, row: u32) -> &[f32] {
        &self.values[row as usize * self.dimension..][..self.dimension]
    }

    /// Word classes from the signs of the leading dimensions: each bit says whether a number is above the median of all
    /// words. The dimensions of a spectral decomposition are ordered by importance, so prefixes are coarser classes,
    /// like those of paths in a hierarchy. Linear models with sparse features profit more from such classes than from
    /// the numbers themselves (J. Guo, W. Che, H. Wang and T. Liu, Revisiting embedding features for simple
    /// semi-supervised learning, EMNLP 2014).
    pub fn signs(&self, bits: usize) -> ClusterPaths {
        let medians: Vec<f32> = (0..bits.min(self.dimension)).map(|at| self.median(at)).collect();
        let path = |row: &[f32]| -> String {
            row.iter().zip(&medians).map(|(value, median)| if value > median { '1' } else { '0' }).collect()
        };
        let rows = self.words.iter().zip(self.values.chunks_exact(self.dimension));
        ClusterPaths::from_pairs(rows.map(|((_, word), row)| (word, path(row))))
    }

    fn median(&self, at: usize) -> f32 {
        let mut column: Vec<f32> = self.values.iter().skip(at).step_by(self.dimension).copied().collect();
        let middle = column.len() / 2;
        *column.select_nth_unstable_by(middle, f32::total_cmp).1
    }

    /// Writes the sections `words` and `vectors`.
    pub fn save<'a>(&'a self, writer: &mut ContainerWriter<'a>) {
        writer.vocab("words", &self.words);
        writer.tensor("vectors", &[self.words.len(), self.dimension], &self.values[..]);
    }

    /// Reads the sections.
    pub fn load(container: &Container) -> Result<Self, LoadError> {
        let words: Vocab<WordId> = container.vocab("words")?;
        let shape = container.section("vectors")?.shape().to_vec();
        let bad = |what: &str| LoadError::invalid("vectors", what);
        let &[rows, dimension] = shape.as_slice() else { return Err(bad("the vectors are not a matrix")) };
        if rows != words.len() || rows == 0 || dimension == 0 {
            return Err(bad("the number of vectors differs from the number of words"));
        }
        let values = container.finite("vectors", &shape)?;
        Ok(Self { words, dimension, values })
    }
}

/// Divides by the standard deviation of all numbers, unless it is zero.
fn standardise(values: &mut [f32]) {
    let count = values.len() as f64;
    let mean = values.iter().map(|&value| f64::from(value)).sum::<f64>() / count;
    let variance = values.iter().map(|&value| (f64::from(value) - mean).powi(2)).sum::<f64>() / count;
    if variance > 0.0 {
        let scale = variance.sqrt().recip();
        values.iter_mut().for_each(|value| *value = (f64::from(*value) * scale) as f32);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::persist::Metadata;

    fn vectors(words: &[&str], values: Vec<f32>) -> WordVectors {
        let words: Vec<String> = words.iter().map(|&word| word.to_owned()).collect();
        let dimension = values.len() / words.len().max(1);
        WordVectors::new(words, dimension, values).unwrap()
    }

    #[test]
    fn numbers_have_a_deviation_of_one_and_the_first_row_of_a_word_counts() {
        let table = VectorTable::new(&vectors(&["a", "B", "a"], vec![4.0, 0.0, 4.0, 0.0, 9.0, 9.0])).unwrap();
        assert_eq!((table.len(), table.dimension()), (2, 2));
        assert_eq!(table.of("A"), Some(&[2.0, 0.0][..]));
        assert_eq!(table.of("B"), Some(&[2.0, 0.0][..]));
        assert_eq!(table.of("b"), None);
    }

    #[test]
    fn signs_are_bits_of_the_first_numbers() {
        let table = VectorTable::new(&vectors(
            &["a", "b", "c"],
            vec![1.0, -2.0, 9.0, 3.0, -1.0, 0.0, 2.0, -3.0, 0.0],
        ))
        .unwrap();
        let signs = table.signs(2);
        assert_eq!(
            ["a", "B", "c", "d"].map(|word| signs.of(word)),
            [Some("00"), Some("11"), Some("00"), None]
        );
        assert_eq!(table.signs(9).of("a"), Some("001"));
    }

    #[test]
    fn what_is_no_vector_is_refused() {
        assert_eq!(VectorTable::new(&vectors(&[], vec![])).unwrap_err(), VectorError::Empty);
        assert_eq!(VectorTable::new(&vectors(&["a"], vec![])).unwrap_err(), VectorError::Empty);
        let told = VectorTable::new(&vectors(&["a", "b"], vec![1.0, f32::NAN])).unwrap_err();
        assert_eq!(told, VectorError::NotFinite { word: "b".to_owned() });
    }

    #[test]
    fn saved_vectors_come_back_bit_by_bit() {
        let table = VectorTable::new(&vectors(&["a", "b"], vec![1.0, 2.0, 3.0, 5.0])).unwrap();
        let mut writer = ContainerWriter::new(&Metadata::new("test", 1));
        table.save(&mut writer);
        let mut bytes = Vec::new();
        writer.write_to(&mut bytes).unwrap();
        let loaded = VectorTable::load(&Container::from_bytes(bytes).unwrap()).unwrap();
        assert_eq!((&loaded.words, loaded.dimension), (&table.words, 2));
        assert_eq!(loaded.values[..], table.values[..]);
    }
}
