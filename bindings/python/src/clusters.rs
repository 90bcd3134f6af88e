//! Clusters of words.

use eigentree::clustering::{
    Group, PictureConfig, draw_svg, groups_at, groups_below, neighbours_of, paths_of, write_paths,
};
use eigentree::corpus::ids::{Id, WordId};
use eigentree::files::Output;
use eigentree::models::clusters::BrownModel;
use pyo3::prelude::*;
use std::path::PathBuf;

use crate::exception;
use crate::model::Model;
use crate::sound::Sound;
use crate::views::view;

/// Words in clusters, and a binary tree over the clusters.
///
/// A mapping from words to the bits of their cluster: `clusters["dog"]`, `"dog" in clusters`, `len(clusters)`.
#[pyclass(frozen, extends = Model, module = "eigentree")]
pub(crate) struct Clusters {}

/// A cluster, or several with a common prefix: bits, number of clusters, count of occurrences, words by frequency.
type Part = (String, usize, u64, Vec<String>);

#[pymethods]
impl Clusters {
    /// The words by decreasing frequency.
    #[getter]
    fn words(slf: PyRef<'_, Self>) -> PyResult<Vec<String>> {
        Ok(brown(&slf)?.vocab().iter().map(|(_, word)| word.to_owned()).collect())
    }

    /// How often each word occurs, as a read-only view.
    #[getter]
    fn counts<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        let borrowed = slf.borrow();
        let counts = brown(&borrowed)?.word_counts();
        view(counts, &[counts.len()], slf.as_any())
    }

    /// Number of clusters.
    #[getter]
    fn n_clusters(slf: PyRef<'_, Self>) -> PyResult<usize> {
        Ok(brown(&slf)?.hierarchy().clusters())
    }

    /// The words with the bits of their clusters and their counts, cluster by cluster.
    fn paths(slf: PyRef<'_, Self>) -> PyResult<Vec<(String, String, u64)>> {
        Ok(paths_of(brown(&slf)?).map(|path| (path.word, path.bits, path.count)).collect())
    }

    /// The bits of the cluster of a word, cut after `length` bits if given; `default` for words without a cluster.
    #[pyo3(signature = (word, default=None, *, length=None))]
    fn get(
        slf: PyRef<'_, Self>,
        word: Sound<&str>,
        default: Option<String>,
        length: Option<usize>,
    ) -> PyResult<Option<String>> {
        Ok(path(brown(&slf)?, word.0).map(|bits| cut(bits, length)).or(default))
    }

    /// Features for any tagger: the first bits of the cluster of a word, as a dictionary such as `{"path4": "0110"}`.
    #[pyo3(signature = (word, lengths=vec![4, 6, 10, 20]))]
    fn features(
        slf: PyRef<'_, Self>,
        word: Sound<&str>,
        lengths: Vec<usize>,
    ) -> PyResult<Vec<(String, String)>> {
        let Some(bits) = path(brown(&slf)?, word.0) else { return Ok(Vec::new()) };
        let feature = |length: usize| (format!("path{length}"), cut(bits.clone(), Some(length)));
        Ok(lengths.into_iter().map(feature).collect())
    }

    /// The tree cut after `depth` bits: for each part its bits, clusters, occurrences and words.
    fn at_depth(slf: PyRef<'_, Self>, depth: usize) -> PyResult<Vec<Part>> {
        let model = brown(&slf)?;
        Ok(groups_at(model, depth).into_iter().map(|group| part(model, group)).collect())
    }

    /// The clusters whose bits begin with `bits`.
    fn below(slf: PyRef<'_, Self>, bits: Sound<&str>) -> PyResult<Vec<Part>> {
        let model = brown(&slf)?;
        Ok(groups_below(model, bits.0).into_iter().map(|group| part(model, group)).collect())
    }

    /// The cluster of a word and the clusters nearest to it in the tree.
    #[pyo3(signature = (word, n=5))]
    fn neighbours(slf: PyRef<'_, Self>, word: Sound<&str>, n: usize) -> PyResult<Vec<Part>> {
        let model = brown(&slf)?;
        let groups = neighbours_of(model, word.0, n).unwrap_or_default();
        Ok(groups.into_iter().map(|group| part(model, group)).collect())
    }

    /// The log-probability of a sequence of words under the language model of the clusters.
    fn score(slf: PyRef<'_, Self>, words: Sound<Vec<String>>) -> PyResult<f64> {
        Ok(brown(&slf)?.score(words.0.iter().map(String::as_str)))
    }

    /// Writes Brown paths, one word per line: bits, word, count.
    fn write_paths(slf: PyRef<'_, Self>, path: Sound<PathBuf>) -> PyResult<()> {
        let py = slf.py();
        let model = brown(&slf)?;
        let mut output = Output::create(path.0).map_err(|error| exception::of_file(py, &error))?;
        let written = write_paths(model, &mut output).map_err(|error| output.error(error));
        written.and_then(|()| output.finish()).map_err(|error| exception::of_file(py, &error))
    }

    /// The tree with its most frequent words, as SVG.
    #[pyo3(signature = (*, depth=None, words=10))]
    fn to_svg(slf: PyRef<'_, Self>, depth: Option<usize>, words: usize) -> PyResult<String> {
        Ok(draw_svg(brown(&slf)?, &PictureConfig { depth, words: words.max(1) }))
    }

    fn _repr_svg_(slf: PyRef<'_, Self>) -> PyResult<String> {
        Self::to_svg(slf, None, 10)
    }

    fn __len__(slf: PyRef<'_, Self>) -> PyResult<usize> {
        Ok(brown(&slf)?.vocab().len())
    }

    fn __contains__(slf: PyRef<'_, Self>, word: Sound<&str>) -> PyResult<bool> {
        Ok(brown(&slf)?.vocab().get(word.0).is_some())
    }

    fn __getitem__(slf: PyRef<'_, Self>, word: Sound<&str>) -> PyResult<String> {
        path(brown(&slf)?, word.0).ok_or_else(|| pyo3::exceptions::PyKeyError::new_err(word.0.to_owned()))
    }

    fn __iter__<'py>(slf: PyRef<'py, Self>) -> PyResult<Bound<'py, pyo3::types::PyIterator>> {
        let py = slf.py();
        pyo3::types::PyList::new(py, Self::words(slf)?)?.try_iter()
    }
}

fn brown<'a>(slf: &'a PyRef<'_, Clusters>) -> PyResult<&'a BrownModel> {
    slf.as_super().get_model().clusters().map_err(|error| exception::of(slf.py(), &error))
}

/// The bits of the cluster of a word that was counted.
fn path(model: &BrownModel, word: &str) -> Option<String> {
    model
        .vocab()
        .get(word)
        .map(|word| model.hierarchy().cluster_path(model.hierarchy().assignment()[word.index()]))
}

fn cut(mut bits: String, length: Option<usize>) -> String {
    bits.truncate(length.unwrap_or(usize::MAX).min(bits.len()));
    bits
}

fn part(model: &BrownModel, group: Group) -> Part {
    let word = |word: WordId| model.vocab().text(word).to_owned();
    (group.bits, group.clusters, group.count, group.words.into_iter().map(word).collect())
}
