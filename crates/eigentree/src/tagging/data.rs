//! Training data for taggers and tokenizers.

use std::io::Read;
use std::path::Path;
use std::sync::Arc;

use corpus::error::SyntaxError;
use corpus::format::bio::{BioReader, Scheme, lenient_entities};
use corpus::format::conllu::{Column, Sentence};
use corpus::tree::Tree;
use models::learn::Observer;
use tagging::lemmatizer::Lexicon;
use tagging::tagger::{ColumnKind, Gazetteer, Resources, TaggedSentence, TaggerData};

use crate::Error;
use crate::files::{Input, plain};
use crate::reading::{BadItems, Format, Source, read_all, read_sentences, read_trees};
use crate::training::{Annotation, prepare};

/// Labelled sentences, and those that were skipped.
#[derive(Debug)]
pub struct ReadSentences {
    /// In the order of the files.
    pub sentences: Vec<TaggedSentence>,
    /// The skipped sentences.
    pub skipped: Vec<SyntaxError>,
}

/// Sentences with the labels of some columns. A column without any label is an error.
pub fn tagged_sentences(sentences: &[Sentence], columns: &[Column]) -> Result<Vec<TaggedSentence>, Error> {
    for &column in columns {
        if is_empty_column(sentences, column) {
            return Err(Error::Data(format!(
                "nothing to learn in column {column}: it is `_` everywhere; leave it out with --columns"
            )));
        }
    }
    Ok(sentences.iter().map(|sentence| labelled(sentence, columns)).collect())
}

/// The columns with lemmas, which are made from the labels of the others, at the end.
fn lemmas_last(columns: &[Column]) -> impl Iterator<Item = Column> {
    let (lemmas, labels): (Vec<Column>, Vec<Column>) =
        columns.iter().partition(|column| **column == Column::Lemma);
    labels.into_iter().chain(lemmas)
}

fn labelled(sentence: &Sentence, columns: &[Column]) -> TaggedSentence {
    TaggedSentence {
        words: sentence.words().map(|word| word.form().to_owned()).collect(),
        labels: lemmas_last(columns)
            .map(|column| sentence.words().map(|word| word.column(column).to_owned()).collect())
            .collect(),
    }
}

fn is_empty_column(sentences: &[Sentence], column: Column) -> bool {
    sentences.iter().flat_map(Sentence::words).all(|word| word.column(column) == "_")
}

/// The columns that have at least one label.
pub fn filled_columns(sentences: &[Sentence], columns: &[Column]) -> Vec<Column> {
    columns.iter().copied().filter(|&column| !is_empty_column(sentences, column)).collect()
}

/// Columns in the form and the order that a tagger needs.
pub fn label_columns(columns: &[Column]) -> Vec<(String, ColumnKind)> {
    let kind = |column: Column| match column {
        Column::Lemma => ColumnKind::Lemmas,
        _ => ColumnKind::Plain,
    };
    lemmas_last(columns).map(|column| (column.name().to_ascii_lowercase(), kind(column))).collect()
}

/// Training data for the columns of a tagger.
pub fn column_data<'s>(
    sentences: impl IntoIterator<Item = &'s Sentence>,
    columns: &[Column],
    resources: Resources,
) -> TaggerData {
    TaggerData {
        columns: label_columns(columns),
        sentences: sentences.into_iter().map(|sentence| labelled(sentence, columns)).collect(),
        resources,
    }
}

/// Reads the labels of some columns from treebanks in CoNLL-U. A column without any label is an error.
pub fn read_columns(
    paths: &[impl AsRef<Path>],
    columns: &[Column],
    bad_items: BadItems,
    observer: &mut dyn Observer,
) -> Result<ReadSentences, Error> {
    let read = read_sentences(paths, bad_items, observer)?;
    Ok(ReadSentences { sentences: tagged_sentences(&read.sentences, columns)?, skipped: read.skipped })
}

/// Reads words with their preterminals from trees, without function tags and empty elements: one column of labels.
pub fn read_preterminals(
    paths: &[impl AsRef<Path>],
    bad_items: BadItems,
    observer: &mut dyn Observer,
) -> Result<ReadSentences, Error> {
    let read = read_trees(paths, bad_items, observer)?;
    let sentence = |tree: &Tree| TaggedSentence {
        words: tree.words().map(str::to_owned).collect(),
        labels: vec![tree.tags().map(str::to_owned).collect()],
    };
    let trees = prepare(read.trees, Annotation::Remove);
    Ok(ReadSentences { sentences: trees.iter().map(sentence).collect(), skipped: read.skipped })
}

/// Reads two-column files as sentences with labels of the BIOES scheme, whatever their own scheme.
pub fn read_entities(
    paths: &[impl AsRef<Path>],
    bad_items: BadItems,
    observer: &mut dyn Observer,
) -> Result<ReadSentences, Error> {
    entities_of(&plain(paths), bad_items, observer)
}

fn entities_of(
    paths: &[&Path],
    bad_items: BadItems,
    observer: &mut dyn Observer,
) -> Result<ReadSentences, Error> {
    let (read, skipped) = read_all(paths, bad_items, observer, "sentences with labels", |path| {
        let source = Source::open_as(path, Format::Bio, "read entities")?;
        let name = source.name().to_owned();
        Ok((BioReader::new(source, &name), name))
    })?;
    let mut sentences = Vec::with_capacity(read.len());
    for sentence in &read {
        let entities = lenient_entities(sentence.tags());
        let labels = Scheme::Bioes
            .tags(&entities, sentence.len())
            .map_err(|error| Error::Data(format!("cannot learn from these entities: {error}")))?;
        let words = sentence.tokens().map(str::to_owned).collect();
        sentences.push(TaggedSentence { words, labels: vec![labels] });
    }
    Ok(ReadSentences { sentences, skipped })
}

/// The column of an entity tagger.
pub fn entity_columns() -> Vec<(String, ColumnKind)> {
    vec![("entities".to_owned(), ColumnKind::Spans)]
}

/// Reads a lexicon: lines of form, lemma, UPOS and optionally FEATS, separated by tabs.
pub fn read_lexicon(path: impl AsRef<Path>) -> Result<Arc<Lexicon>, Error> {
    lexicon_at(path.as_ref())
}

fn lexicon_at(path: &Path) -> Result<Arc<Lexicon>, Error> {
    let (name, text) = read_text(path, "lexicon")?;
    let lexicon =
        Lexicon::parse(&text).map_err(|(line, what)| Error::Data(format!("{name}:{line}: {what}")))?;
    Ok(Arc::new(lexicon))
}

/// The name and the whole text of a file.
fn read_text(path: &Path, what: &str) -> Result<(String, String), Error> {
    let mut input = Input::open(path)?;
    let name = input.name().to_owned();
    let mut text = String::new();
    input
        .read_to_string(&mut text)
        .map_err(|error| Error::Data(format!("cannot read the {what} {name}: {error}")))?;
    Ok((name, text))
}

/// Reads lists of names, one name per line. Each file is a list with the name of the file.
pub fn read_gazetteer(paths: &[impl AsRef<Path>]) -> Result<Option<Gazetteer>, Error> {
    if paths.is_empty() {
        return Ok(None);
    }
    let mut lists = Vec::new();
    for path in paths {
        lists.push(read_text(path.as_ref(), "list of names")?);
    }
    let entries = lists.iter().flat_map(|(name, text)| text.lines().map(move |line| (name.as_str(), line)));
    Ok(Some(Gazetteer::new(entries)))
}
