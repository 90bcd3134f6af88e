//! Training data of lemmatizers: words with their tags and lemmas, counted.

use corpus::ids::{Id, WordId};
use corpus::vocab::VocabBuilder;

/// Separates the tags of a word in the text of its context. CoNLL-U columns do not contain it.
pub(super) const SEPARATOR: char = '\t';

/// A word, the tags that it has, and its lemma, by number.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Entry {
    pub(super) form: u32,
    pub(super) context: u32,
    pub(super) lemma: u32,
}

/// Words with their tags and lemmas.
#[derive(Debug, Default)]
pub struct LemmatizerData {
    pub(super) forms: VocabBuilder<WordId>,
    /// The tags of a word, separated.
    pub(super) contexts: VocabBuilder<WordId>,
    pub(super) lemmas: VocabBuilder<WordId>,
    pub(super) seen: Vec<Entry>,
    /// Entries of a lexicon.
    pub(super) listed: Vec<Entry>,
    text: String,
}

impl LemmatizerData {
    /// Adds a word of the treebank. All words must have the same number of tags.
    pub fn push<'t>(&mut self, form: &str, tags: impl IntoIterator<Item = &'t str>, lemma: &str) {
        let entry = self.entry(form, tags, lemma);
        self.seen.push(entry);
    }

    /// Adds a word of a lexicon. A tag that the lexicon does not tell is empty.
    pub fn push_listed<'t>(&mut self, form: &str, tags: impl IntoIterator<Item = &'t str>, lemma: &str) {
        let entry = self.entry(form, tags, lemma);
        self.listed.push(entry);
    }

    fn entry<'t>(&mut self, form: &str, tags: impl IntoIterator<Item = &'t str>, lemma: &str) -> Entry {
        write_context(tags, &mut self.text);
        Entry {
            form: self.forms.intern(form).index() as u32,
            context: self.contexts.intern(&self.text).index() as u32,
            lemma: self.lemmas.intern(lemma).index() as u32,
        }
    }
}

/// Writes tags as one text.
pub(super) fn write_context<'t>(tags: impl IntoIterator<Item = &'t str>, text: &mut String) {
    text.clear();
    for (number, tag) in tags.into_iter().enumerate() {
        if number > 0 {
            text.push(SEPARATOR);
        }
        text.push_str(tag);
    }
}

/// The first tag of a context.
pub(super) fn first_tag(context: &str) -> &str {
    context.split(SEPARATOR).next().unwrap_or(context)
}
