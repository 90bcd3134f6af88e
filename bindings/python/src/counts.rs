//! Counts of words and of pairs of words.

use std::path::PathBuf;
use std::sync::Arc;

use eigentree::corpus::cooccurrence::{
    Boundaries, CountConfig, CountedPart, CountedText, Edges, Encoding, MemoryEstimate, TextCounts, TextSize,
    VocabLimit,
};
use eigentree::corpus::ids::Id;
use eigentree::counting::{
    PairColumns, PartCounter, count_texts, counts_from_columns, open_counts, part_from_bytes, part_to_bytes,
    save_counts,
};
use eigentree::files::Output;
use numpy::{IntoPyArray, PyArray1, PyReadonlyArray1};
use pyo3::exceptions::PyKeyError;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedStr;
use pyo3::types::PyBytes;

use crate::exception::{self, Exception};
use crate::sound::Sound;
use crate::views::view;
use crate::watch::watched;

/// The pairs of one distance as numpy arrays: left, right, count.
type Columns<'py> = (PyReadonlyArray1<'py, u32>, PyReadonlyArray1<'py, u32>, PyReadonlyArray1<'py, u64>);

/// A column of texts as numpy arrays: offsets, bytes.
type TextBuffers<'py> = (Bound<'py, PyArray1<i32>>, Bound<'py, PyArray1<u8>>);

/// Words and pairs of nearby words with their counts: what word clusters are learnt from.
///
/// Words are numbered by decreasing count, ties by code point. Counts are immutable and add up: `one + other`.
#[pyclass(frozen, module = "eigentree")]
pub(crate) struct Counts {
    part: Arc<CountedPart>,
}

impl Counts {
    fn new(part: CountedPart) -> Self {
        Self { part: Arc::new(part) }
    }

    fn of(counted: CountedText) -> Self {
        Self::new(CountedPart { counted, edges: Edges::default() })
    }

    fn counted(&self) -> &CountedText {
        &self.part.counted
    }

    fn table(&self) -> &TextCounts {
        &self.counted().counts
    }

    /// Long work on counts, on a thread that ends with it.
    fn work<E: Into<eigentree::Error> + Send>(
        py: Python<'_>,
        work: impl FnOnce() -> Result<CountedPart, E> + Send,
    ) -> PyResult<Self> {
        let part = watched(py, 1, None, |_| work())?;
        Ok(Self::new(part.map_err(|error| exception::of(py, &error.into()))?))
    }
}

#[pymethods]
impl Counts {
    /// Counts texts in memory: strings with tokens separated by blanks, each one or several lines.
    #[staticmethod]
    #[pyo3(signature = (texts, *, distance=2, vocab=None, min_count=None, unknown="<unk>", boundaries="lines", threads=1))]
    #[expect(clippy::too_many_arguments, reason = "keywords of one function in Python")]
    fn from_texts(
        py: Python<'_>,
        texts: Sound<Vec<PyBackedStr>>,
        distance: usize,
        vocab: Option<usize>,
        min_count: Option<u64>,
        unknown: &str,
        boundaries: &str,
        threads: usize,
    ) -> PyResult<Self> {
        let config = config(py, distance, boundaries, false)?;
        let limit = limit(py, vocab, min_count, unknown)?;
        let part = watched(py, threads, None, |mut observer| {
            let mut counter = PartCounter::new(&config)?;
            counter.add_rows(texts.0.iter().map(|text| text.as_bytes()), "texts", &mut observer)?;
            Ok::<_, eigentree::Error>(counter.finish()?.finish(limit.as_ref())?)
        })?;
        Ok(Self::of(part.map_err(|error| exception::of(py, &error))?))
    }

    /// Counts text files, plain or compressed, as `eigentree count` does.
    #[staticmethod]
    #[pyo3(signature = (paths, *, distance=2, vocab=None, min_count=None, unknown="<unk>", boundaries="lines", lossy=false, threads=1))]
    #[expect(clippy::too_many_arguments, reason = "keywords of one function in Python")]
    fn from_files(
        py: Python<'_>,
        paths: Sound<Vec<PathBuf>>,
        distance: usize,
        vocab: Option<usize>,
        min_count: Option<u64>,
        unknown: &str,
        boundaries: &str,
        lossy: bool,
        threads: usize,
    ) -> PyResult<Self> {
        let vocab = limit(py, vocab, min_count, unknown)?;
        let config = CountConfig { vocab, ..config(py, distance, boundaries, lossy)? };
        let counting =
            watched(py, threads, None, |mut observer| count_texts(&paths.0, &config, &mut observer))?;
        Ok(Self::of(counting.map_err(|error| exception::of(py, &error))?.counted))
    }

    /// Counts from arrays: words, how often each occurs, and for each distance 1, 2, … the pairs as three arrays: number of
    /// the left word, number of the right one, count.
    #[staticmethod]
    #[pyo3(signature = (words, counts, pairs, *, boundaries="lines", unknown=None))]
    fn from_columns(
        py: Python<'_>,
        words: Sound<Vec<PyBackedStr>>,
        counts: PyReadonlyArray1<'_, u64>,
        pairs: Vec<Columns<'_>>,
        boundaries: &str,
        unknown: Option<&str>,
    ) -> PyResult<Self> {
        let boundaries = boundaries_of(py, boundaries)?;
        let columns = pairs.iter().map(|(left, right, count)| -> PyResult<PairColumns<'_>> {
            Ok(PairColumns { left: left.as_slice()?, right: right.as_slice()?, count: count.as_slice()? })
        });
        let (columns, counts) = (columns.collect::<PyResult<Vec<_>>>()?, counts.as_slice()?);
        let words: Vec<&str> = words.0.iter().map(|word| &**word).collect();
        let made =
            watched(py, 1, None, |_| counts_from_columns(&words, counts, &columns, boundaries, unknown))?;
        Ok(Self::of(made.map_err(|error| exception::of(py, &error))?))
    }

    /// Counts from the two tables that `to_arrow` returns, or from tables of other programs with the same columns.
    #[staticmethod]
    #[pyo3(signature = (vocabulary, pairs, *, boundaries=None, unknown=None))]
    fn from_arrow<'py>(
        vocabulary: &Bound<'py, PyAny>,
        pairs: &Bound<'py, PyAny>,
        boundaries: Option<&str>,
        unknown: Option<&str>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let module = vocabulary.py().import("eigentree.arrow")?;
        module.getattr("counts_from_arrow")?.call1((vocabulary, pairs, boundaries, unknown))
    }

    /// Loads a count file.
    #[staticmethod]
    fn load(py: Python<'_>, path: Sound<PathBuf>) -> PyResult<Self> {
        let counted = py.detach(|| open_counts(&path.0)).map_err(|error| exception::of(py, &error))?;
        Ok(Self::of(counted))
    }

    /// Loads counts from what `to_bytes` returned.
    #[staticmethod]
    fn from_bytes(py: Python<'_>, data: &[u8]) -> PyResult<Self> {
        let part = py.detach(|| part_from_bytes(data.to_vec())).map_err(|error| exception::of(py, &error))?;
        Ok(Self::new(part))
    }

    /// The counts as bytes: a count file, with the words at the ends of the text that `joined` needs.
    fn to_bytes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let bytes = py.detach(|| part_to_bytes(&self.part)).map_err(|error| exception::of(py, &error))?;
        Ok(PyBytes::new(py, &bytes))
    }

    /// Saves a count file, the same that `eigentree count` writes; returns its size.
    fn save(&self, py: Python<'_>, path: Sound<PathBuf>) -> PyResult<u64> {
        let saved = py.detach(|| save_counts(self.counted(), Output::create(&path.0)?));
        saved.map_err(|error| exception::of_file(py, &error))
    }

    /// The words, by decreasing count.
    #[getter]
    fn words(&self) -> Vec<&str> {
        self.table().vocab.iter().map(|(_, word)| word).collect()
    }

    /// How often each word occurs, as a read-only view.
    #[getter]
    fn counts<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        let counts = &slf.get().table().words;
        view(counts, &[counts.len()], slf.as_any())
    }

    /// Number of tokens.
    #[getter]
    fn tokens(&self) -> u64 {
        self.table().tokens()
    }

    /// Number of distinct pairs, over all distances.
    #[getter]
    fn n_pairs(&self) -> usize {
        self.table().distinct_pairs()
    }

    /// Largest distance of pairs.
    #[getter]
    fn distance(&self) -> usize {
        self.table().pairs.len()
    }

    /// Where sequences of words end: "lines" or "none".
    #[getter]
    fn boundaries(&self) -> &'static str {
        match self.counted().boundaries {
            Boundaries::Lines => "lines",
            Boundaries::None => "none",
        }
    }

    /// The word that stands for all words that were not kept; None if all were kept.
    #[getter]
    fn unknown(&self) -> Option<&str> {
        self.counted().unknown_name()
    }

    /// The pairs of a distance as compressed rows, three read-only views: the pairs of left word `w` are those from
    /// `offsets[w]` to `offsets[w + 1]`, with right words in ascending order.
    #[pyo3(signature = (distance=1))]
    fn rows<'py>(
        slf: &Bound<'py, Self>,
        distance: usize,
    ) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyAny>, Bound<'py, PyAny>)> {
        let table = distance.checked_sub(1).and_then(|index| slf.get().table().pairs.get(index));
        let Some(table) = table else {
            let most = slf.get().distance();
            let advice = format!("there are pairs of distances 1 to {most}, not {distance}");
            return Err(Exception::Data.with(slf.py(), advice));
        };
        let (offsets, right, count) = (table.offsets(), table.right(), table.counts());
        Ok((
            view(offsets, &[offsets.len()], slf.as_any())?,
            view(right, &[right.len()], slf.as_any())?,
            view(count, &[count.len()], slf.as_any())?,
        ))
    }

    /// The words as a column of Arrow: offsets and bytes.
    fn word_buffers<'py>(&self, py: Python<'py>) -> PyResult<TextBuffers<'py>> {
        let mut offsets = Vec::with_capacity(self.table().words.len() + 1);
        let mut data = Vec::new();
        offsets.push(0);
        for (_, word) in self.table().vocab.iter() {
            data.extend_from_slice(word.as_bytes());
            offsets.push(i32::try_from(data.len())?);
        }
        Ok((offsets.into_pyarray(py), data.into_pyarray(py)))
    }

    /// How often `right` stands `distance` positions after `left`.
    #[pyo3(signature = (left, right, distance=1))]
    fn pair(&self, left: Sound<&str>, right: Sound<&str>, distance: usize) -> u64 {
        let table = distance.checked_sub(1).and_then(|index| self.table().pairs.get(index));
        let words = self.counted().word(left.0).zip(self.counted().word(right.0));
        table.zip(words).map_or(0, |(table, (left, right))| table.get(left, right))
    }

    /// The counts over the most frequent words; all others form the class `unknown`.
    #[pyo3(signature = (*, vocab=None, min_count=None, unknown="<unk>"))]
    fn limited(
        &self,
        py: Python<'_>,
        vocab: Option<usize>,
        min_count: Option<u64>,
        unknown: &str,
    ) -> PyResult<Self> {
        let Some(limit) = limit(py, vocab, min_count, unknown)? else {
            return Ok(Self { part: Arc::clone(&self.part) });
        };
        Self::work(py, || {
            let counted = self.counted().restricted(&limit)?;
            Ok::<_, eigentree::Error>(CountedPart { counted, edges: self.part.edges.clone() })
        })
    }

    /// The counts over the words of `kept`, which has the vocabulary of the whole corpus. Counts over the same vocabulary
    /// can be added.
    fn over(&self, py: Python<'_>, kept: &Self) -> PyResult<Self> {
        Self::work(py, || self.part.over(kept.counted()))
    }

    /// The counts of words only, from which a vocabulary can be chosen.
    fn without_pairs(&self, py: Python<'_>) -> PyResult<Self> {
        Self::work(py, || Ok::<_, eigentree::Error>(CountedPart::clone(&self.part).without_pairs()))
    }

    /// Memory in bytes that counting needs at most for ordinary text: a text of `nbytes` bytes that begins like `sample`, of
    /// which a good one has a megabyte. Engines count one partition at a time.
    #[staticmethod]
    #[pyo3(signature = (sample, nbytes, *, distance=2, threads=1))]
    fn estimate_memory(
        py: Python<'_>,
        sample: &[u8],
        nbytes: u64,
        distance: usize,
        threads: usize,
    ) -> PyResult<u64> {
        let config = config(py, distance, "lines", true)?;
        let estimate = watched(py, 1, None, |_| {
            MemoryEstimate::new(&TextSize::of_sample(sample, nbytes), &config, threads)
        })?;
        Ok(estimate.bytes)
    }

    /// The counts of this part of a text and the next one. If sequences end with lines, that is the sum; otherwise the
    /// pairs across the two parts are counted too.
    fn joined(&self, py: Python<'_>, next: &Self) -> PyResult<Self> {
        Self::work(py, || self.part.joined(&next.part))
    }

    /// The vocabulary and the pairs, each as a pyarrow Table.
    fn to_arrow<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("eigentree.arrow")?.getattr("counts_to_arrow")?.call1((slf,))
    }

    fn __add__(&self, py: Python<'_>, other: &Self) -> PyResult<Self> {
        Self::work(py, || {
            let counted = self.counted().plus(other.counted())?;
            Ok::<_, eigentree::Error>(CountedPart { counted, edges: Edges::default() })
        })
    }

    fn __len__(&self) -> usize {
        self.table().words.len()
    }

    fn __contains__(&self, word: Sound<&str>) -> bool {
        self.counted().word(word.0).is_some()
    }

    /// How often a word occurs.
    fn __getitem__(&self, word: Sound<&str>) -> PyResult<u64> {
        let found = self.table().vocab.get(word.0).map(|id| self.table().words[id.index()]);
        found.ok_or_else(|| PyKeyError::new_err(word.0.to_owned()))
    }

    fn __eq__(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.part, &other.part) || self.counted() == other.counted()
    }

    fn __hash__(&self) -> u64 {
        self.tokens() ^ (self.table().distinct_pairs() as u64).rotate_left(32)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (Bound<'py, PyBytes>,))> {
        Ok((py.get_type::<Self>().getattr("from_bytes")?, (self.to_bytes(py)?,)))
    }

    fn __repr__(&self) -> String {
        let (tokens, words, pairs) = (self.tokens(), self.__len__(), self.n_pairs());
        format!("<Counts of {tokens} tokens, {words} words, {pairs} pairs>")
    }
}

/// Counts one part of a corpus, batch by batch.
#[pyclass(module = "eigentree")]
pub(crate) struct Counter {
    counter: Option<PartCounter>,
}

#[pymethods]
impl Counter {
    #[new]
    #[pyo3(signature = (*, distance=2, boundaries="lines", lossy=false))]
    fn new(py: Python<'_>, distance: usize, boundaries: &str, lossy: bool) -> PyResult<Self> {
        let config = config(py, distance, boundaries, lossy)?;
        let counter = watched(py, 1, None, |_| PartCounter::new(&config))?;
        Ok(Self { counter: Some(counter.map_err(|error| exception::of(py, &error))?) })
    }

    /// Counts rows of text: row `i` has the bytes from `offsets[i]` to `offsets[i + 1]`. Errors call the rows `name`.
    #[pyo3(signature = (offsets, data, *, name="rows"))]
    fn add(
        &mut self,
        py: Python<'_>,
        offsets: PyReadonlyArray1<'_, i64>,
        data: PyReadonlyArray1<'_, u8>,
        name: &str,
    ) -> PyResult<()> {
        let rows = rows_of(py, offsets.as_slice()?, data.as_slice()?)?;
        self.with(py, |counter, observer| counter.add_rows(rows.iter().copied(), name, observer))
    }

    /// Counts the content of a file, maybe compressed.
    #[pyo3(signature = (content, *, name="file"))]
    fn add_file(&mut self, py: Python<'_>, content: PyReadonlyArray1<'_, u8>, name: &str) -> PyResult<()> {
        let content = content.as_slice()?;
        self.with(py, |counter, observer| counter.add_file(content, name, observer))
    }

    /// The counts of all that was added. The counter is empty afterwards and cannot be used again.
    fn finish(&mut self, py: Python<'_>) -> PyResult<Counts> {
        let counter = self.counter.take().ok_or_else(|| finished(py))?;
        Counts::work(py, || counter.finish())
    }
}

impl Counter {
    fn with(
        &mut self,
        py: Python<'_>,
        add: impl FnOnce(&mut PartCounter, &mut crate::watch::Watched) -> Result<(), eigentree::Error> + Send,
    ) -> PyResult<()> {
        let counter = self.counter.as_mut().ok_or_else(|| finished(py))?;
        let added = watched(py, 1, None, |mut observer| add(counter, &mut observer))?;
        added.map_err(|error| exception::of(py, &error))
    }
}

fn finished(py: Python<'_>) -> PyErr {
    Exception::Data.with(py, "the counter has finished; make a new one")
}

/// The rows of a column of texts.
pub(crate) fn rows_of<'a>(py: Python<'_>, offsets: &[i64], data: &'a [u8]) -> PyResult<Vec<&'a [u8]>> {
    let row = |bounds: &[i64]| {
        let range = usize::try_from(bounds[0]).ok()?..usize::try_from(bounds[1]).ok()?;
        data.get(range)
    };
    let rows: Option<Vec<&[u8]>> = offsets.windows(2).map(row).collect();
    rows.ok_or_else(|| Exception::Data.with(py, "the offsets of the rows do not ascend within the data"))
}

fn boundaries_of(py: Python<'_>, name: &str) -> PyResult<Boundaries> {
    match name {
        "lines" => Ok(Boundaries::Lines),
        "none" => Ok(Boundaries::None),
        _ => {
            let advice = format!("boundaries: `{name}` is neither \"lines\" nor \"none\"");
            Err(Exception::Option.with(py, advice))
        }
    }
}

fn config(py: Python<'_>, distance: usize, boundaries: &str, lossy: bool) -> PyResult<CountConfig> {
    if distance == 0 {
        return Err(Exception::Option.with(py, "distance must be at least 1"));
    }
    let encoding = if lossy { Encoding::Lossy } else { Encoding::Strict };
    let boundaries = boundaries_of(py, boundaries)?;
    Ok(CountConfig { distance, boundaries, encoding, ..CountConfig::default() })
}

fn limit(
    py: Python<'_>,
    vocab: Option<usize>,
    min_count: Option<u64>,
    unknown: &str,
) -> PyResult<Option<VocabLimit>> {
    if unknown.is_empty() || unknown.contains(char::is_whitespace) {
        return Err(Exception::Option.with(py, "unknown must be one word without spaces"));
    }
    if vocab == Some(0) {
        return Err(Exception::Option.with(py, "vocab must be at least 1"));
    }
    let limit = VocabLimit { size: vocab, min_count: min_count.unwrap_or(1), unknown: unknown.to_owned() };
    Ok((vocab.is_some() || min_count.is_some()).then_some(limit))
}
