//! Interning of strings: a growing [`VocabBuilder`] becomes a frozen [`Vocab`].
//!
//! There are two types, so that a model cannot extend its vocabulary by accident while parsing. Ids are assigned in
//! order of first appearance and depend only on the data.

use std::marker::PhantomData;

use hashbrown::HashTable;

use crate::ids::Id;

/// The strings, concatenated in one buffer, with a hash index over them.
#[derive(Clone, Debug)]
struct Interner {
    text: String,
    /// `text[ends[i - 1]..ends[i]]` is string `i`.
    ends: Vec<usize>,
    index: HashTable<u32>,
    hasher: foldhash::fast::FixedState,
}

impl Interner {
    fn new() -> Self {
        Self {
            text: String::new(),
            ends: Vec::new(),
            index: HashTable::new(),
            // The ids do not depend on the hash, so a fixed seed costs nothing and keeps runs comparable.
            hasher: foldhash::fast::FixedState::with_seed(0x5eed),
        }
    }

    fn hash(&self, text: &str) -> u64 {
        use std::hash::BuildHasher;
        self.hasher.hash_one(text)
    }

    fn get(&self, index: usize) -> &str {
        let start = if index == 0 { 0 } else { self.ends[index - 1] };
        &self.text[start..self.ends[index]]
    }

    fn find(&self, text: &str) -> Option<usize> {
        let hash = self.hash(text);
        self.index.find(hash, |&i| self.get(i as usize) == text).map(|&i| i as usize)
    }
}

/// A growing vocabulary.
#[derive(Clone, Debug)]
pub struct VocabBuilder<I> {
    strings: Interner,
    marker: PhantomData<I>,
}

impl<I: Id> Default for VocabBuilder<I> {
    fn default() -> Self {
        Self { strings: Interner::new(), marker: PhantomData }
    }
}

impl<I: Id> VocabBuilder<I> {
    /// Creates an empty vocabulary.
    pub fn new() -> Self {
        Self::default()
    }

    /// The id of `text`, which is added if it is new.
    ///
    /// # Panics
    /// Beyond `u32::MAX - 1` different strings, more than fit into memory.
    pub fn intern(&mut self, text: &str) -> I {
        let hash = self.strings.hash(text);
        let found = self.strings.index.find(hash, |&i| self.strings.get(i as usize) == text).copied();
        let index = match found {
            Some(index) => index as usize,
            None => {
                let index = self.strings.ends.len();
                self.strings.text.push_str(text);
                self.strings.ends.push(self.strings.text.len());
                let Interner { text, ends, index: table, hasher } = &mut self.strings;
                let raw = u32::try_from(index).expect("fewer than u32::MAX strings");
                table.insert_unique(hash, raw, |&i| {
                    use std::hash::BuildHasher;
                    let start = if i == 0 { 0 } else { ends[i as usize - 1] };
                    hasher.hash_one(&text[start..ends[i as usize]])
                });
                index
            }
        };
        I::new(index).expect("fewer than u32::MAX strings")
    }

    /// The id of `text`, if it has one.
    pub fn get(&self, text: &str) -> Option<I> {
        self.strings.find(text).and_then(I::new)
    }

    /// Number of strings.
    pub fn len(&self) -> usize {
        self.strings.ends.len()
    }

    /// Whether there are no strings.
    pub fn is_empty(&self) -> bool {
        self.strings.ends.is_empty()
    }

    /// The string of `id`.
    pub fn text(&self, id: I) -> &str {
        self.strings.get(id.index())
    }

    /// Freezes the vocabulary.
    pub fn freeze(self) -> Vocab<I> {
        Vocab { strings: self.strings, marker: PhantomData }
    }
}

/// A fixed set of strings with ids `0..len`.
///
/// ```
/// use eigentree_corpus::{ids::WordId, vocab::VocabBuilder};
/// let mut builder = VocabBuilder::<WordId>::new();
/// let dog = builder.intern("dog");
/// let vocab = builder.freeze();
/// assert_eq!(vocab.get("dog"), Some(dog));
/// assert_eq!(vocab.text(dog), "dog");
/// ```
#[derive(Clone, Debug)]
pub struct Vocab<I> {
    strings: Interner,
    marker: PhantomData<I>,
}

impl<I: Id> Vocab<I> {
    /// The id of `text`, if it is known.
    pub fn get(&self, text: &str) -> Option<I> {
        self.strings.find(text).and_then(I::new)
    }

    /// The string of `id`.
    ///
    /// # Panics
    /// If `id` belongs to another, larger vocabulary.
    pub fn text(&self, id: I) -> &str {
        self.strings.get(id.index())
    }

    /// Number of strings.
    pub fn len(&self) -> usize {
        self.strings.ends.len()
    }

    /// Whether there are no strings.
    pub fn is_empty(&self) -> bool {
        self.strings.ends.is_empty()
    }

    /// All ids with their strings, in order.
    pub fn iter(&self) -> impl Iterator<Item = (I, &str)> {
        (0..self.len()).filter_map(|index| Some((I::new(index)?, self.strings.get(index))))
    }

    /// Turns the vocabulary back into a growing one.
    pub fn thaw(self) -> VocabBuilder<I> {
        VocabBuilder { strings: self.strings, marker: PhantomData }
    }
}

impl<I: Id> PartialEq for Vocab<I> {
    fn eq(&self, other: &Self) -> bool {
        self.strings.ends == other.strings.ends && self.strings.text == other.strings.text
    }
}

impl<I: Id> Eq for Vocab<I> {}

impl<I: Id, S: AsRef<str>> FromIterator<S> for Vocab<I> {
    /// The distinct strings in order of first appearance.
    fn from_iter<T: IntoIterator<Item = S>>(strings: T) -> Self {
        let mut builder = VocabBuilder::new();
        for text in strings {
            builder.intern(text.as_ref());
        }
        builder.freeze()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ids::WordId;

    #[test]
    fn ids_follow_first_appearance() {
        let vocab: Vocab<WordId> = ["b", "a", "b", "", "c"].into_iter().collect();
        let texts: Vec<&str> = vocab.iter().map(|(_, text)| text).collect();
        assert_eq!(texts, ["b", "a", "", "c"]);
        assert_eq!(vocab.get("").map(Id::index), Some(2));
        assert!(vocab.get("d").is_none());
    }

    #[test]
    fn thousands_of_strings_are_found_again() {
        let mut builder = VocabBuilder::<WordId>::new();
        for i in 0..20_000 {
            builder.intern(&format!("w{i}"));
        }
        let vocab = builder.freeze();
        for i in (0..20_000).step_by(7) {
            assert_eq!(vocab.get(&format!("w{i}")).map(Id::index), Some(i));
        }
    }
}
