//! What taggers and tokenisers learn from.

use std::io::Read;
use std::path::Path;

use corpus::error::{ReadError, SyntaxError};
use corpus::format::bio::{BioReader, Scheme, lenient_entities};
use corpus::format::conllu::{Column, ConlluReader, Sentence};
use models::learn::Observer;
use models::tagger::{ColumnKind, Gazetteer, Resources, TaggedSentence, TaggerData};

use crate::Error;
use crate::files::Input;
use crate::reading::{BadItems, Forgiving, Format, Source};

/// Sentences, and the places where there was something else.
#[derive(Debug)]
pub struct ReadSentences<T> {
    /// In the order of the files.
    pub sentences: Vec<T>,
    /// What was left out.
    pub skipped: Vec<SyntaxError>,
}

/// Reads all sentences of some files of one format, under the stage `read`. An error if there is not a single one.
fn read_all<T>(
    paths: &[impl AsRef<Path>],
    format: Format,
    purpose: &'static str,
    bad_items: BadItems,
    observer: &mut dyn Observer,
    open: impl Fn(Source, String) -> Box<dyn Iterator<Item = Result<T, ReadError>>>,
) -> Result<ReadSentences<T>, Error> {
    observer.stage("read", None);
    let mut all = ReadSentences { sentences: Vec::new(), skipped: Vec::new() };
    for path in paths {
        let source = Source::open_as(path, format, purpose)?;
        let name = source.name().to_owned();
        let before = all.sentences.len();
        let mut items = Forgiving::new(open(source, name.clone()), bad_items);
        for sentence in &mut items {
            all.sentences.push(sentence?);
        }
        all.skipped.append(&mut items.into_skipped());
        observer.advance((all.sentences.len() - before) as u64);
        if observer.cancelled() {
            return Err(Error::Cancelled);
        }
        if all.sentences.len() == before && all.skipped.is_empty() {
            return Err(Error::Empty { name, wanted: "sentences with labels" });
        }
    }
    match all.sentences.is_empty() {
        true => Err(Error::NothingReadable { skipped: all.skipped }),
        false => Ok(all),
    }
}

/// Reads treebanks in CoNLL-U.
pub fn read_treebank(
    paths: &[impl AsRef<Path>],
    bad_items: BadItems,
    observer: &mut dyn Observer,
) -> Result<ReadSentences<Sentence>, Error> {
    read_all(paths, Format::Conllu, "read a treebank", bad_items, observer, |source, name| {
        Box::new(ConlluReader::new(source, name))
    })
}

/// Sentences with the labels that some columns give. A column without a single label is an error.
pub fn tagged_sentences(sentences: &[Sentence], columns: &[Column]) -> Result<Vec<TaggedSentence>, Error> {
    for &column in columns {
        if is_empty_column(sentences, column) {
            return Err(Error::Data(format!(
                "there is nothing to learn in the column {column}: it is `_` everywhere; leave it out with --columns"
            )));
        }
    }
    Ok(sentences.iter().map(|sentence| labelled(sentence, columns)).collect())
}

fn labelled(sentence: &Sentence, columns: &[Column]) -> TaggedSentence {
    TaggedSentence {
        words: sentence.words().map(|word| word.form().to_owned()).collect(),
        labels: columns
            .iter()
            .map(|&column| sentence.words().map(|word| word.column(column).to_owned()).collect())
            .collect(),
    }
}

fn is_empty_column(sentences: &[Sentence], column: Column) -> bool {
    sentences.iter().flat_map(Sentence::words).all(|word| word.column(column) == "_")
}

/// Those of some columns that have at least one label.
pub fn filled_columns(sentences: &[Sentence], columns: &[Column]) -> Vec<Column> {
    columns.iter().copied().filter(|&column| !is_empty_column(sentences, column)).collect()
}

/// Data for the columns of a tagger.
pub fn column_data<'s>(
    sentences: impl IntoIterator<Item = &'s Sentence>,
    columns: &[Column],
    resources: Resources,
) -> TaggerData {
    TaggerData {
        columns: columns
            .iter()
            .map(|column| (column.name().to_ascii_lowercase(), ColumnKind::Plain))
            .collect(),
        sentences: sentences.into_iter().map(|sentence| labelled(sentence, columns)).collect(),
        resources,
    }
}

/// Reads treebanks as data for the columns of a tagger. A column without a single label is an error.
pub fn read_columns(
    paths: &[impl AsRef<Path>],
    columns: &[Column],
    resources: Resources,
    bad_items: BadItems,
    observer: &mut dyn Observer,
) -> Result<(TaggerData, Vec<SyntaxError>), Error> {
    let read = read_treebank(paths, bad_items, observer)?;
    let sentences = tagged_sentences(&read.sentences, columns)?;
    Ok((TaggerData { sentences, ..column_data([], columns, resources) }, read.skipped))
}

/// Reads two-column files as sentences with labels of the scheme BIOES, whatever their own scheme is.
pub fn read_entities(
    paths: &[impl AsRef<Path>],
    bad_items: BadItems,
    observer: &mut dyn Observer,
) -> Result<ReadSentences<TaggedSentence>, Error> {
    let read = read_all(paths, Format::Bio, "read entities", bad_items, observer, |source, name| {
        Box::new(BioReader::new(source, name))
    })?;
    let mut sentences = Vec::with_capacity(read.sentences.len());
    for sentence in &read.sentences {
        let entities = lenient_entities(sentence.tags());
        let labels = Scheme::Bioes
            .tags(&entities, sentence.len())
            .map_err(|error| Error::Data(format!("cannot learn from these entities: {error}")))?;
        let words = sentence.tokens().map(str::to_owned).collect();
        sentences.push(TaggedSentence { words, labels: vec![labels] });
    }
    Ok(ReadSentences { sentences, skipped: read.skipped })
}

/// Data for a tagger of entities.
pub fn entity_data(sentences: Vec<TaggedSentence>, resources: Resources) -> TaggerData {
    TaggerData { columns: vec![("entities".to_owned(), ColumnKind::Spans)], sentences, resources }
}

/// Reads lists of names, one name a line. Each file is a list, called by the name of the file.
pub fn read_gazetteer(paths: &[impl AsRef<Path>]) -> Result<Option<Gazetteer>, Error> {
    if paths.is_empty() {
        return Ok(None);
    }
    let mut lists = Vec::new();
    for path in paths {
        let mut input = Input::open(path)?;
        let name = input.name().to_owned();
        let mut text = String::new();
        input
            .read_to_string(&mut text)
            .map_err(|error| Error::Data(format!("cannot read the list of names {name}: {error}")))?;
        lists.push((name, text));
    }
    let entries = lists.iter().flat_map(|(name, text)| text.lines().map(move |line| (name.as_str(), line)));
    Ok(Some(Gazetteer::new(entries)))
}
