//! Statistics of a corpus in any format.

use std::collections::HashSet;

use corpus::error::SyntaxError;
use corpus::format::bio::lenient_entities;
use corpus::format::plain_text::BlankLines;
use models::learn::Observer;
use serde_json::{Map, Value, json};

use super::counter::Counter;
use super::dependencies::DependencyCounts;
use super::trees::TreeCounts;
use crate::Error;
use crate::conversion::{Item, items};
use crate::inspection::figures;
use crate::reading::{BadItems, Forgiving, Format, Source};

/// Number of sentences between two calls of the observer.
const CHUNK: usize = 1024;

/// Figures and tables about a corpus.
#[derive(Clone, Debug)]
pub struct CorpusStatistics {
    /// Its format.
    pub format: Format,
    /// Named values, in display order.
    pub figures: Vec<(&'static str, f64)>,
    /// Tables with a title: names with their counts, the most frequent first.
    pub tables: Vec<(&'static str, Vec<(String, u64)>)>,
    /// Sentences that could not be read.
    pub skipped: Vec<SyntaxError>,
}

impl CorpusStatistics {
    /// The figure `name`.
    pub fn figure(&self, name: &str) -> Option<f64> {
        self.figures.iter().find(|(figure, _)| *figure == name).map(|&(_, value)| value)
    }

    /// Format, figures, and the first `top` rows of each table as a JSON object.
    pub fn to_json(&self, top: usize) -> Value {
        let table = |(title, ranked): &(&'static str, Vec<(String, u64)>)| {
            ((*title).to_owned(), json!(&ranked[..ranked.len().min(top)]))
        };
        let tables: Map<String, Value> = self.tables.iter().map(table).collect();
        json!({ "format": self.format.name(), "figures": figures(&self.figures), "tables": tables })
    }
}

/// Calls `visit` with every word.
fn visit_words(item: &Item, mut visit: impl FnMut(&str)) {
    match item {
        Item::Tree(tree) => tree.words().for_each(visit),
        Item::Dependencies(sentence) => sentence.words().for_each(|word| visit(word.form())),
        Item::Entities(sentence) => sentence.tokens().for_each(visit),
        Item::Plain(sentence) => sentence.words().for_each(visit),
    }
}

/// The different words of a corpus.
pub fn vocabulary(source: Source, bad_items: BadItems) -> Result<HashSet<String>, Error> {
    let mut words = HashSet::new();
    for item in Forgiving::new(items(source, BlankLines::Skip), bad_items) {
        visit_words(&item?, |word| {
            if !words.contains(word) {
                words.insert(word.to_owned());
            }
        });
    }
    Ok(words)
}

/// Computes the statistics of `source`. With the vocabulary of a training corpus, also reports how many words are
/// unknown.
pub fn of_corpus(
    source: Source,
    bad_items: BadItems,
    known: Option<&HashSet<String>>,
    observer: &mut dyn Observer,
) -> Result<CorpusStatistics, Error> {
    observer.stage("count", None);
    let (format, name) = (source.format(), source.name().to_owned());
    let mut sentences = Forgiving::new(items(source, BlankLines::Skip), bad_items);
    let (mut words, mut entities) = (Counter::default(), Counter::default());
    let (mut trees, mut dependencies) = (TreeCounts::default(), DependencyCounts::default());
    let mut lengths: Vec<usize> = Vec::new();
    let mut unknown = 0_u64;
    for item in &mut sentences {
        let item = item?;
        visit_words(&item, |word| {
            words.add(word);
            unknown += u64::from(known.is_some_and(|known| !known.contains(word)));
        });
        lengths.push(item.word_count());
        match &item {
            Item::Tree(tree) => trees.add(tree),
            Item::Dependencies(sentence) => dependencies.add(sentence),
            Item::Entities(sentence) => {
                lenient_entities(sentence.tags()).iter().for_each(|entity| entities.add(entity.class));
            }
            Item::Plain(_) => {}
        }
        if lengths.len().is_multiple_of(CHUNK) {
            observer.advance(CHUNK as u64);
            if observer.cancelled() {
                return Err(Error::Cancelled);
            }
        }
    }
    observer.advance((lengths.len() % CHUNK) as u64);
    let skipped = sentences.into_skipped();
    if lengths.is_empty() {
        return Err(match skipped.is_empty() {
            true => Error::Empty { name, wanted: "at least one sentence" },
            false => Error::NothingReadable { skipped },
        });
    }
    let mut figures = length_figures(&mut lengths);
    let total: usize = lengths.iter().sum();
    figures.push(("word types", words.types() as f64));
    figures.push(("words that occur once", words.hapaxes() as f64));
    if known.is_some() {
        figures.push(("unknown words, %", 100.0 * unknown as f64 / (total.max(1)) as f64));
    }
    let mut tables = Vec::new();
    match format {
        Format::Ptb => {
            figures.extend(trees.figures());
            tables.push(("labels at the top", trees.tops.ranked()));
            tables.push(("phrases", trees.phrases.ranked()));
            tables.push(("tags", trees.tags.ranked()));
        }
        Format::Conllu | Format::Conllx | Format::Json => {
            figures.extend(dependencies.figures());
            tables.push(("relations", dependencies.relations.ranked()));
            tables.push(("UPOS", dependencies.upos.ranked()));
        }
        Format::Bio => tables.push(("entities", entities.ranked())),
        Format::Words | Format::Tagged | Format::Slashed | Format::Tags | Format::Text => {}
    }
    tables.push(("words", words.ranked()));
    Ok(CorpusStatistics { format, figures, tables, skipped })
}

fn length_figures(lengths: &mut [usize]) -> Vec<(&'static str, f64)> {
    lengths.sort_unstable();
    let total: usize = lengths.iter().sum();
    let at = |share: f64| lengths[((lengths.len() - 1) as f64 * share) as usize] as f64;
    vec![
        ("sentences", lengths.len() as f64),
        ("words", total as f64),
        ("words a sentence", total as f64 / lengths.len() as f64),
        ("median length", at(0.5)),
        ("longest sentence", at(1.0)),
        ("sentences above 40 words", lengths.iter().filter(|&&length| length > 40).count() as f64),
    ]
}
