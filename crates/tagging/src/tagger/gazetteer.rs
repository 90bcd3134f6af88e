//! Lists of names: finds words of a sentence that occur, alone or with their neighbours, in a list.

use std::collections::BTreeMap;

use corpus::ids::{Id, WordId};
use corpus::vocab::{Vocab, VocabBuilder};

use models::persist::{Container, ContainerWriter, LoadError};

/// Maximum length of an entry in words.
const LONGEST: usize = 6;

/// Maximum number of lists, since the lists of a word are bits.
const MOST_LISTS: usize = 31;

/// Lists of names. Entries are case-sensitive, with words separated by single spaces.
#[derive(Clone, Debug)]
pub struct Gazetteer {
    lists: Vec<String>,
    entries: Vocab<WordId>,
    /// For each entry its lists, one bit each.
    members: Vec<u32>,
}

impl Gazetteer {
    /// Builds the lists from pairs of list and entry. Lists beyond the 31st and entries of more than six words are
    /// dropped.
    ///
    /// ```
    /// use eigentree_tagging::tagger::Gazetteer;
    /// let gazetteer = Gazetteer::new([("LOC", "New York"), ("LOC", "Paris")]);
    /// assert_eq!(gazetteer.len(), 2);
    /// ```
    pub fn new<'g>(entries: impl IntoIterator<Item = (&'g str, &'g str)>) -> Self {
        let mut lists: BTreeMap<String, u32> = BTreeMap::new();
        let mut names = Vec::new();
        let mut vocab: VocabBuilder<WordId> = VocabBuilder::new();
        let mut members: Vec<u32> = Vec::new();
        for (list, entry) in entries {
            let words: Vec<&str> = entry.split_whitespace().collect();
            let known = lists.get(list).copied();
            let full = names.len() >= MOST_LISTS && known.is_none();
            if full || words.is_empty() || words.len() > LONGEST {
                continue;
            }
            let bit = *lists.entry(list.to_owned()).or_insert_with(|| {
                names.push(list.to_owned());
                names.len() as u32 - 1
            });
            let index = vocab.intern(&words.join(" ")).index();
            if index == members.len() {
                members.push(0);
            }
            members[index] |= 1 << bit;
        }
        Self { lists: names, entries: vocab.freeze(), members }
    }

    /// The number of entries.
    pub fn len(&self) -> usize {
        self.members.len()
    }

    /// Whether there are no entries.
    pub fn is_empty(&self) -> bool {
        self.members.is_empty()
    }

    /// For each word: the lists with an entry that begins at it, and those with an entry that contains it. Longer
    /// matches come first and do not overlap.
    pub(super) fn matches<S: AsRef<str>>(&self, words: &[S], found: &mut Vec<(u32, u32)>) {
        found.clear();
        found.resize(words.len(), (0, 0));
        let mut text = String::new();
        let mut at = 0;
        while at < words.len() {
            let longest = (1..=LONGEST.min(words.len() - at)).rev().find_map(|length| {
                text.clear();
                for word in &words[at..at + length] {
                    if !text.is_empty() {
                        text.push(' ');
                    }
                    text.push_str(word.as_ref());
                }
                Some((length, self.members[self.entries.get(&text)?.index()]))
            });
            let Some((length, lists)) = longest else {
                at += 1;
                continue;
            };
            found[at].0 = lists;
            found[at + 1..at + length].iter_mut().for_each(|inside| inside.1 = lists);
            at += length;
        }
    }

    pub(super) fn save<'a>(&'a self, writer: &mut ContainerWriter<'a>) {
        writer.strings("lists", &self.lists);
        writer.vocab("entries", &self.entries);
        writer.array("members", &self.members[..]);
    }

    pub(super) fn load(container: &Container) -> Result<Self, LoadError> {
        let lists = container.strings("lists")?.iter().map(str::to_owned).collect();
        let entries: Vocab<WordId> = container.vocab("entries")?;
        let members: Vec<u32> = container.array("members")?.into_vec();
        if members.len() != entries.len() {
            return Err(LoadError::invalid("members", "entries and lists do not match"));
        }
        Ok(Self { lists, entries, members })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_entry_wins() {
        let gazetteer = Gazetteer::new([
            ("LOC", "New York"),
            ("ORG", "New York Times"),
            ("LOC", "York"),
            ("PER", "York"),
        ]);
        let mut found = Vec::new();
        gazetteer.matches(&["New", "York", "Times", "of", "York", "New"], &mut found);
        assert_eq!(found, [(2, 0), (0, 2), (0, 2), (0, 0), (5, 0), (0, 0)]);
    }
}
