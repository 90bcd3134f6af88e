//! The lemmas of known words.

use corpus::ids::{Id, WordId};
use corpus::vocab::{Vocab, VocabBuilder};

use super::data::{Entry, LemmatizerData, SEPARATOR, first_tag};
use models::persist::{Container, ContainerWriter, LoadError, rows_fit};

/// Forms with their tags and lemmas.
#[derive(Clone, Debug)]
pub(super) struct Table {
    forms: Vocab<WordId>,
    contexts: Vocab<WordId>,
    lemmas: Vocab<WordId>,
    /// `starts[f]..starts[f + 1]` are the entries of form `f`, by ascending context.
    starts: Vec<u32>,
    entries: Vec<Known>,
}

/// The lemma of a form with certain tags.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Known {
    context: u32,
    lemma: u32,
    /// How often the treebank has it; 0 for entries of a lexicon.
    count: u32,
}

impl Table {
    /// The table of all words; of several lemmas for the same tags, the most frequent one.
    pub(super) fn of(data: &LemmatizerData) -> Self {
        let (mut seen, mut listed) = (data.seen.clone(), data.listed.clone());
        seen.sort_unstable();
        listed.sort_unstable();
        listed.dedup();
        let counted = seen.chunk_by(|one, other| one == other).map(|group| (group[0], group.len() as u32));
        let mut all: Vec<(Entry, u32)> = counted.chain(listed.into_iter().map(|entry| (entry, 0))).collect();
        all.sort_by_key(|&(Entry { form, context, lemma }, count)| {
            (form, context, std::cmp::Reverse(count), lemma)
        });
        all.dedup_by_key(|(entry, _)| (entry.form, entry.context));
        let freeze = |vocab: &VocabBuilder<WordId>| vocab.clone().freeze();
        let (forms, contexts, lemmas) = (freeze(&data.forms), freeze(&data.contexts), freeze(&data.lemmas));
        let mut starts = vec![0; forms.len() + 1];
        for (at, (entry, _)) in all.iter().enumerate() {
            starts[entry.form as usize + 1] = at as u32 + 1;
        }
        let known =
            |(entry, count): (Entry, u32)| Known { context: entry.context, lemma: entry.lemma, count };
        Self { forms, contexts, lemmas, starts, entries: all.into_iter().map(known).collect() }
    }

    /// The number of forms.
    pub(super) fn len(&self) -> usize {
        self.forms.len()
    }

    /// Whether a form has an entry.
    pub(super) fn contains(&self, form: &str) -> bool {
        self.forms.get(form).is_some()
    }

    /// All forms with their entries.
    pub(super) fn iter(&self) -> impl Iterator<Item = (&str, &[Known])> {
        self.forms.iter().map(|(form, text)| (text, self.entries_of(form)))
    }

    fn entries_of(&self, form: WordId) -> &[Known] {
        &self.entries[self.starts[form.index()] as usize..self.starts[form.index() + 1] as usize]
    }

    pub(super) fn lemma(&self, known: Known) -> &str {
        WordId::new(known.lemma as usize).map_or("_", |id| self.lemmas.text(id))
    }

    pub(super) fn context(&self, known: Known) -> &str {
        WordId::new(known.context as usize).map_or("", |id| self.contexts.text(id))
    }

    /// The lemma of a form with exactly these tags.
    pub(super) fn exact(&self, form: &str, context: &str) -> Option<&str> {
        let entries = self.entries_of(self.forms.get(form)?);
        let context = self.contexts.get(context)?.index() as u32;
        let at = entries.binary_search_by_key(&context, |known| known.context).ok()?;
        Some(self.lemma(entries[at]))
    }

    /// The lemma of a form with the same first tag: that of the entry that shares the most tags, then the most frequent
    /// one.
    pub(super) fn near(&self, form: &str, context: &str) -> Option<&str> {
        let entries = self.entries_of(self.forms.get(form)?);
        let first = first_tag(context);
        let shared = |known: &Known| {
            let other = self.context(*known).split(SEPARATOR);
            context.split(SEPARATOR).zip(other).filter(|(one, other)| one == other).count()
        };
        let same_first = entries.iter().filter(|known| first_tag(self.context(**known)) == first);
        let best = same_first.rev().max_by_key(|known| (shared(known), known.count))?;
        Some(self.lemma(*best))
    }

    pub(super) fn save<'a>(&'a self, writer: &mut ContainerWriter<'a>) {
        writer.vocab("forms", &self.forms);
        writer.vocab("contexts", &self.contexts);
        writer.vocab("lemmas", &self.lemmas);
        writer.array("starts", &self.starts[..]);
        let entries = self.entries.iter().flat_map(|known| [known.context, known.lemma, known.count]);
        writer.array("entries", entries.collect::<Vec<u32>>());
    }

    pub(super) fn load(container: &Container) -> Result<Self, LoadError> {
        let forms: Vocab<WordId> = container.vocab("forms")?;
        let contexts: Vocab<WordId> = container.vocab("contexts")?;
        let lemmas: Vocab<WordId> = container.vocab("lemmas")?;
        let starts: Vec<u32> = container.array("starts")?.into_vec();
        let flat: Vec<u32> = container.array("entries")?.into_vec();
        let (triples, rest) = flat.as_chunks::<3>();
        let entries: Vec<Known> =
            triples.iter().map(|&[context, lemma, count]| Known { context, lemma, count }).collect();
        let in_range = |known: &Known| {
            (known.context as usize) < contexts.len() && (known.lemma as usize) < lemmas.len()
        };
        let sound = rest.is_empty()
            && rows_fit(&starts, forms.len(), entries.len())
            && entries.iter().all(in_range)
            && starts.windows(2).all(|row| {
                let own = &entries[row[0] as usize..row[1] as usize];
                own.windows(2).all(|pair| pair[0].context < pair[1].context)
            });
        if !sound {
            return Err(LoadError::invalid(
                "entries",
                "the forms, tags and lemmas of the table do not match",
            ));
        }
        if lemmas.iter().any(|(_, lemma)| lemma.is_empty() || lemma.contains(['\t', '\n', '\r'])) {
            return Err(LoadError::invalid("lemmas", "a lemma is empty or has a tab or line end"));
        }
        Ok(Self { forms, contexts, lemmas, starts, entries })
    }
}
