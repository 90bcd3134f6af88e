//! The words of the table as training examples: the scripts that they share, their features.

use std::borrow::Cow;

use hashbrown::HashMap;

use super::accents::seen;
use super::candidates::Candidates;
use super::config::{Accents, LemmatizerConfig};
use super::features::features;
use super::script::{Letters, Script};
use super::table::{Known, Table};
use models::log_linear::Cases;

/// Maximum number of scripts that the model chooses from.
const MOST_SCRIPTS: usize = 8000;

/// Words with frequent scripts.
pub(super) struct Examples {
    /// The frequent scripts, the most frequent one first.
    pub(super) scripts: Vec<Script>,
    pub(super) candidates: Candidates,
    /// The features and script of each word.
    pub(super) cases: Cases,
    /// For each word, the range of its scripts in `fitting`.
    pub(super) words: Vec<std::ops::Range<usize>>,
    /// The scripts that fit the words.
    fitting: Vec<u16>,
}

/// An entry of the table with its script.
struct Found<'t> {
    form: &'t str,
    known: Known,
    script: usize,
}

/// A script, and the number of forms with it.
struct Counted<'t> {
    script: Script,
    forms: u32,
    last: &'t str,
}

impl Examples {
    pub(super) fn of(table: &Table, config: &LemmatizerConfig) -> Self {
        let (found, counted) = scripts_of(table, config.accents);
        let mut order: Vec<usize> =
            (0..counted.len()).filter(|&at| counted[at].forms >= config.least_words).collect();
        order.sort_by_key(|&at| (std::cmp::Reverse(counted[at].forms), at));
        order.truncate(MOST_SCRIPTS);
        let mut rank: Vec<Option<u16>> = vec![None; counted.len()];
        order.iter().zip(0..).for_each(|(&at, number)| rank[at] = Some(number));
        let scripts: Vec<Script> = order.iter().map(|&at| counted[at].script.clone()).collect();
        let words = found.iter().filter_map(|word| {
            Some((word, Letters::of(&seen(word.form, config.accents)), rank[word.script]?))
        });
        let words: Vec<(&Found<'_>, Letters, u16)> = words.collect();
        let candidates = Candidates::of(
            words.iter().map(|(_, letters, script)| (letters.lower(), *script)),
            scripts.len(),
        );
        let mut examples =
            Self { scripts, candidates, cases: Cases::default(), words: Vec::new(), fitting: Vec::new() };
        for (word, letters, script) in &words {
            examples.push(word.form, table.context(word.known), letters, *script);
        }
        examples
    }

    fn push(&mut self, form: &str, context: &str, letters: &Letters, script: u16) {
        let start = self.fitting.len();
        // The candidates contain the script, as they were made from the same words.
        let own = self.candidates.of_form(letters.lower()).iter().copied();
        self.fitting.extend(own.filter(|&number| self.scripts[usize::from(number)].apply(letters).is_some()));
        self.words.push(start..self.fitting.len());
        self.cases.push(script, |feature| features(form, letters.lower(), context, feature));
    }

    /// The scripts that fit a word.
    pub(super) fn fitting(&self, word: usize) -> &[u16] {
        &self.fitting[self.words[word].clone()]
    }
}

/// The entries that have a script, and the scripts.
fn scripts_of(table: &Table, accents: Accents) -> (Vec<Found<'_>>, Vec<Counted<'_>>) {
    let mut numbers: HashMap<Script, usize, foldhash::fast::FixedState> = HashMap::default();
    let (mut found, mut counted) = (Vec::new(), Vec::new());
    let mut letters = Letters::default();
    for (form, entries) in table.iter() {
        let own = seen(form, accents);
        letters.read(&own);
        for &known in entries {
            let lemma = table.lemma(known);
            // A mark can only take the place of another.
            let lemma = if own == form { Cow::Borrowed(lemma) } else { seen(lemma, accents) };
            let Some(script) = Script::of(&letters, &lemma) else { continue };
            let number = *numbers.entry(script).or_insert_with_key(|script| {
                counted.push(Counted { script: script.clone(), forms: 0, last: "" });
                counted.len() - 1
            });
            let own = &mut counted[number];
            if own.forms == 0 || own.last != form {
                own.forms += 1;
                own.last = form;
            }
            found.push(Found { form, known, script: number });
        }
    }
    (found, counted)
}
