//! The lemmatizer model.

use hashbrown::HashMap;

use super::accents::{decode, seen};
use super::candidates::Candidates;
use super::config::LemmatizerConfig;
use super::data::{SEPARATOR, write_context};
use super::features::features;
use super::script::{Letters, Script};
use super::table::Table;
use models::log_linear::{Lookup, SparseWeights};

/// Gives words their lemmas. It is immutable and shared by threads; each thread has its own [`Scratch`].
#[derive(Clone, Debug)]
pub struct Lemmatizer {
    pub(super) config: LemmatizerConfig,
    pub(super) table: Table,
    /// The scripts for words that are not in the table.
    pub(super) scripts: Vec<Script>,
    pub(super) candidates: Candidates,
    pub(super) weights: SparseWeights,
}

/// Scratch memory, reused between words. It remembers lemmas, which only affects speed.
#[derive(Clone, Debug, Default)]
pub struct Scratch {
    /// Lemmas by the tags and the form of the word.
    lemmas: HashMap<Box<str>, Box<str>, foldhash::fast::FixedState>,
    key: String,
    letters: Letters,
    lookup: Lookup,
    sums: Vec<i32>,
}

/// Maximum number of remembered lemmas.
const MOST_REMEMBERED: usize = 1 << 16;

impl Lemmatizer {
    /// Its training configuration.
    pub fn config(&self) -> &LemmatizerConfig {
        &self.config
    }

    /// The number of forms whose lemmas are known.
    pub fn known_forms(&self) -> usize {
        self.table.len()
    }

    /// The number of edit scripts for words that are not known.
    pub fn scripts(&self) -> usize {
        self.scripts.len()
    }

    /// Whether a form has a known lemma.
    pub fn knows(&self, form: &str) -> bool {
        self.table.contains(form)
    }

    /// Scratch memory for one thread.
    pub fn scratch(&self) -> Scratch {
        Scratch::default()
    }

    /// The lemma of a form with its tags, which must be as many, in the same order, as in training.
    pub fn lemma<'s, 't>(
        &self,
        form: &str,
        tags: impl IntoIterator<Item = &'t str>,
        scratch: &'s mut Scratch,
    ) -> &'s str {
        let mut key = std::mem::take(&mut scratch.key);
        write_context(tags, &mut key);
        let context = key.len();
        key.push(SEPARATOR);
        key.push_str(form);
        if scratch.lemmas.len() >= MOST_REMEMBERED {
            scratch.lemmas.clear();
        }
        if !scratch.lemmas.contains_key(key.as_str()) {
            let lemma = self.find(form, &key[..context], scratch);
            scratch.lemmas.insert(key.as_str().into(), lemma.into());
        }
        scratch.key = key;
        scratch.lemmas.get(scratch.key.as_str()).map_or("_", |lemma| lemma)
    }

    fn find(&self, form: &str, context: &str, scratch: &mut Scratch) -> String {
        if let Some(lemma) = self.table.exact(form, context) {
            return lemma.to_owned();
        }
        let lower = form.to_lowercase();
        let known = match lower == form {
            true => None,
            false => self.table.exact(&lower, context),
        };
        match known.or_else(|| self.table.near(form, context)) {
            Some(lemma) => lemma.to_owned(),
            None => self.by_script(form, context, scratch),
        }
    }

    /// The lemma by the best script that fits; the form itself if none does.
    fn by_script(&self, form: &str, context: &str, scratch: &mut Scratch) -> String {
        let Scratch { letters, lookup, sums, .. } = scratch;
        let own = seen(form, self.config.accents);
        letters.read(&own);
        lookup.names.clear();
        features(form, letters.lower(), context, |name| lookup.names.push(name));
        sums.clear();
        sums.resize(self.scripts.len(), 0);
        self.weights.add_all(lookup, sums);
        let mut left = self.candidates.of_form(letters.lower()).to_vec();
        // Nearly always the first or the second one fits, so that sorting them would be a waste.
        while let Some(place) = best(&left, sums) {
            if let Some(lemma) = self.scripts[usize::from(left[place])].apply(letters) {
                return if own == form { lemma } else { decode(&lemma) };
            }
            left.swap_remove(place);
        }
        form.to_owned()
    }
}

/// The place of the script with the highest sum; ties go to the smaller number, which is the more frequent script.
fn best(scripts: &[u16], sums: &[i32]) -> Option<usize> {
    let value = |place: usize| (sums[usize::from(scripts[place])], std::cmp::Reverse(scripts[place]));
    (0..scripts.len()).max_by_key(|&place| value(place))
}
