//! Annotated documents as buffers of Arrow, one row per document.
//!
//! The layout is that of Arrow's columnar format: offsets and bytes for text, values for numbers, one bit per row that
//! tells whether there is a value. Python wraps the buffers without a copy.

use eigentree::Error;
use eigentree::annotation::{AnnotatedSentence, Document};
use eigentree::learn::{Observer, Silent};
use numpy::{Element, IntoPyArray, PyReadonlyArray1};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use rayon::prelude::*;

use crate::annotator::{Annotator, Wanted};
use crate::counts::rows_of;
use crate::exception::{self, Exception};
use crate::watch::{Watched, watched};

/// Rows up to this many bytes are annotated on the calling thread, since that takes a fraction of a second.
const SHORT: usize = 50_000;
/// Offsets are numbers of 31 bits. Longer texts could have annotation that they cannot address.
const LONGEST: usize = 1 << 28;

/// Whether rows have a value, one bit each.
#[derive(Default)]
struct Valid {
    bits: Vec<u8>,
    length: usize,
    missing: usize,
}

impl Valid {
    fn push(&mut self, valid: bool) {
        if self.length.is_multiple_of(8) {
            self.bits.push(0);
        }
        if let (true, Some(last)) = (valid, self.bits.last_mut()) {
            *last |= 1 << (self.length % 8);
        }
        self.missing += usize::from(!valid);
        self.length += 1;
    }

    fn into_python(self, py: Python<'_>) -> Option<Bound<'_, PyAny>> {
        (self.missing > 0).then(|| self.bits.into_pyarray(py).into_any())
    }
}

/// A column of texts, or where the items of lists end.
struct Texts {
    valid: Valid,
    offsets: Vec<i32>,
    data: Vec<u8>,
}

impl Default for Texts {
    fn default() -> Self {
        Self { valid: Valid::default(), offsets: vec![0], data: Vec::new() }
    }
}

impl Texts {
    fn push(&mut self, text: Option<&str>) -> Result<(), Error> {
        self.valid.push(text.is_some());
        self.data.extend_from_slice(text.unwrap_or_default().as_bytes());
        self.offsets.push(offset(self.data.len())?);
        Ok(())
    }
}

/// A column of numbers.
#[derive(Default)]
struct Numbers<T> {
    valid: Valid,
    values: Vec<T>,
}

impl<T: Default> Numbers<T> {
    fn push(&mut self, value: Option<T>) {
        self.valid.push(value.is_some());
        self.values.push(value.unwrap_or_default());
    }
}

fn offset(length: usize) -> Result<i32, Error> {
    i32::try_from(length)
        .map_err(|_| Error::Data("a batch has more than 2 GB of annotation; make smaller batches".to_owned()))
}

/// All columns of some documents.
#[derive(Default)]
struct Columns {
    error: Texts,
    /// Where the sentences of each document end; likewise words and entities of sentences.
    sentences: Numbers<i32>,
    words: Vec<i32>,
    entities: Vec<i32>,
    sentence_text: [Texts; 1],
    sentence_place: [Numbers<i32>; 2],
    sentence_confidence: Numbers<f64>,
    word_id: Numbers<i32>,
    word_text: [Texts; 8],
    word_head: Numbers<i32>,
    word_place: [Numbers<i32>; 2],
    word_confidence: Numbers<f64>,
    entity_label: Texts,
    entity_words: [Numbers<i32>; 2],
    entity_place: [Numbers<i32>; 2],
    entity_confidence: Numbers<f64>,
}

/// The number of the last item, if lists end with it.
fn end(places: &[i32]) -> i32 {
    places.last().copied().unwrap_or(0)
}

impl Columns {
    fn push(&mut self, document: Option<&Result<Document, Error>>) -> Result<(), Error> {
        let before = end(&self.sentences.values);
        match document {
            Some(Ok(document)) => {
                for sentence in document.sentences() {
                    self.sentence(sentence)?;
                }
                self.sentences.push(Some(offset(self.words.len())?));
                self.error.push(None)
            }
            Some(Err(error)) => {
                self.sentences.push(None);
                self.error.push(Some(&error.to_string()))
            }
            None => {
                self.sentences.push(None);
                self.error.push(None)
            }
        }?;
        // A row without a value is an empty list for those who do not look.
        if let Some(last @ 0) = self.sentences.values.last_mut() {
            *last = before;
        }
        Ok(())
    }

    fn sentence(&mut self, sentence: &AnnotatedSentence) -> Result<(), Error> {
        let tree = sentence.phrases().map(|phrases| phrases.tree().to_string());
        self.sentence_text[0].push(tree.as_deref())?;
        place(&mut self.sentence_place, sentence.chars());
        self.sentence_confidence.push(sentence.confidence());
        for word in sentence.words() {
            let given = |text| Some(text).filter(|text| *text != "_");
            let token = word.token();
            let texts = [
                Some(word.form()),
                word.lemma(),
                word.upos(),
                word.xpos(),
                given(token.feats()),
                word.deprel(),
                word.deps(),
                given(token.misc()),
            ];
            for (column, text) in self.word_text.iter_mut().zip(texts) {
                column.push(text)?;
            }
            self.word_id.push(Some(word.id() as i32));
            self.word_head.push(word.head().map(|head| head as i32));
            place(&mut self.word_place, word.chars());
            self.word_confidence.push(word.confidence());
        }
        for entity in sentence.entities() {
            self.entity_label.push(Some(entity.label()))?;
            place(&mut self.entity_words, Some(entity.words()));
            place(&mut self.entity_place, entity.chars());
            self.entity_confidence.push(entity.confidence());
        }
        self.words.push(offset(self.word_id.values.len())?);
        self.entities.push(offset(self.entity_confidence.values.len())?);
        Ok(())
    }

    fn into_python(self, py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
        let dict = PyDict::new(py);
        let ends = |mut ends: Vec<i32>| {
            ends.insert(0, 0);
            ends.into_pyarray(py)
        };
        dict.set_item("sentences", (self.sentences.valid.into_python(py), ends(self.sentences.values)))?;
        dict.set_item("words", (None::<()>, ends(self.words)))?;
        dict.set_item("entities", (None::<()>, ends(self.entities)))?;
        let texts = |name: &str, column: Texts| {
            let buffers =
                (column.valid.into_python(py), column.offsets.into_pyarray(py), column.data.into_pyarray(py));
            dict.set_item(name, buffers)
        };
        texts("error", self.error)?;
        for (name, column) in ["sentence.tree"].into_iter().zip(self.sentence_text) {
            texts(name, column)?;
        }
        let names = ["form", "lemma", "upos", "xpos", "feats", "deprel", "deps", "misc"];
        for (name, column) in names.into_iter().zip(self.word_text) {
            texts(&format!("word.{name}"), column)?;
        }
        texts("entity.label", self.entity_label)?;
        numbers(&dict, "word.id", self.word_id)?;
        numbers(&dict, "word.head", self.word_head)?;
        for (part, places) in
            [("sentence", self.sentence_place), ("word", self.word_place), ("entity", self.entity_place)]
        {
            for (name, column) in ["start_char", "end_char"].into_iter().zip(places) {
                numbers(&dict, &format!("{part}.{name}"), column)?;
            }
        }
        for (name, column) in ["start", "end"].into_iter().zip(self.entity_words) {
            numbers(&dict, &format!("entity.{name}"), column)?;
        }
        numbers(&dict, "sentence.confidence", self.sentence_confidence)?;
        numbers(&dict, "word.confidence", self.word_confidence)?;
        numbers(&dict, "entity.confidence", self.entity_confidence)?;
        Ok(dict)
    }
}

fn numbers<T: Element>(dict: &Bound<'_, PyDict>, name: &str, column: Numbers<T>) -> PyResult<()> {
    let py = dict.py();
    dict.set_item(name, (column.valid.into_python(py), column.values.into_pyarray(py)))
}

fn place(columns: &mut [Numbers<i32>; 2], range: Option<std::ops::Range<usize>>) {
    let [start, end] = columns;
    start.push(range.as_ref().map(|range| range.start as i32));
    end.push(range.map(|range| range.end as i32));
}

/// Stops the work on one text.
struct Stop<'a>(&'a Watched);

impl Observer for Stop<'_> {
    fn cancelled(&self) -> bool {
        self.0.cancelled()
    }
}

/// Annotates rows of text and returns the buffers of all columns by their names.
///
/// Row `i` has the bytes from `offsets[i]` to `offsets[i + 1]`; `valid[i]` is 0 if there is no text. A text that cannot be
/// annotated has an error and no sentences.
#[pyfunction]
#[pyo3(signature = (model, offsets, data, valid=None, *, threads=1, confidence=false, phrases=false))]
#[expect(clippy::too_many_arguments, reason = "keywords of one function in Python")]
pub(crate) fn annotate_rows<'py>(
    py: Python<'py>,
    model: &Bound<'py, Annotator>,
    offsets: PyReadonlyArray1<'py, i64>,
    data: PyReadonlyArray1<'py, u8>,
    valid: Option<PyReadonlyArray1<'py, u8>>,
    threads: usize,
    confidence: bool,
    phrases: bool,
) -> PyResult<Bound<'py, PyDict>> {
    let rows = rows_of(py, offsets.as_slice()?, data.as_slice()?)?;
    let valid = valid.as_ref().map(|valid| valid.as_slice()).transpose()?;
    if valid.is_some_and(|valid| valid.len() != rows.len()) {
        return Err(Exception::Data.with(py, "there must be one mark per row"));
    }
    let bytes: usize = rows.iter().map(|row| row.len()).sum();
    let texts: Vec<Option<&[u8]>> = rows
        .into_iter()
        .enumerate()
        .map(|(at, row)| valid.is_none_or(|valid| valid[at] != 0).then_some(row))
        .collect();
    let source = &model.get().source;
    let annotator =
        source.annotator(Wanted::new(confidence, 1, phrases)).map_err(|error| exception::of(py, &error))?;
    let annotate = |text: Option<&[u8]>, observer: &mut dyn Observer| {
        text.map(|text| annotator.annotate_watched(text_of(text)?, observer))
    };
    let columns = |documents: Vec<Option<Result<Document, Error>>>| -> Result<Columns, Error> {
        // A cancelled text is no row with an error but the end of the work.
        if documents.iter().flatten().any(|document| document.as_ref().is_err_and(Error::is_cancelled)) {
            return Err(Error::Cancelled);
        }
        let mut columns = Columns::default();
        for document in &documents {
            columns.push(document.as_ref())?;
        }
        Ok(columns)
    };
    let made = if threads == 1 && bytes <= SHORT {
        py.detach(|| columns(texts.iter().map(|text| annotate(*text, &mut Silent)).collect()))
    } else {
        watched(py, threads, None, |observer| {
            columns(
                texts.par_iter().with_max_len(1).map(|text| annotate(*text, &mut Stop(&observer))).collect(),
            )
        })?
    };
    made.map_err(|error| exception::of(py, &error))?.into_python(py)
}

fn text_of(bytes: &[u8]) -> Result<&str, Error> {
    if bytes.len() > LONGEST {
        let megabytes = bytes.len() >> 20;
        return Err(Error::Data(format!(
            "the text has {megabytes} MB; divide texts of more than {} MB",
            LONGEST >> 20
        )));
    }
    std::str::from_utf8(bytes).map_err(|error| {
        Error::Data(format!(
            "byte {} of the text is not valid UTF-8; convert the text to UTF-8",
            error.valid_up_to()
        ))
    })
}
