"""Word clusters as transformers of texts."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
import numpy.typing as npt
import scipy.sparse  # type: ignore[import-untyped, unused-ignore]
from sklearn.base import BaseEstimator, TransformerMixin  # type: ignore[import-untyped, unused-ignore]
from sklearn.utils.validation import check_is_fitted  # type: ignore[import-untyped, unused-ignore]

from .. import train
from .._native import Clusters
from ..vectors import Vectors
from ._shared import seed_of, sequences_of, text_tags, threads_of

__all__ = ["BrownClusters", "SpectralClusters"]


class _WordClusters(TransformerMixin, BaseEstimator):  # type: ignore[misc, unused-ignore]
    """Clusters of the words of texts, and texts in terms of clusters."""

    n_clusters: int
    prefixes: tuple[int, ...]
    output: str
    clusters_: Clusters
    vectors_: Vectors | None
    _columns: dict[str, int]

    def _options(self) -> dict[str, Any]:
        raise NotImplementedError

    def fit(self, X: Any, y: Any = None) -> Any:
        """Clusters the words of texts: strings, whose words are separated by white space, or lists of words."""
        texts = sequences_of(X, "texts")
        self.clusters_, self.vectors_ = train.cluster([words for words in texts if words], **self._options())
        names = {f"path{length}={bits[:length]}" for _, bits, _ in self.clusters_.paths() for length in self._lengths()}
        self._columns = {name: column for column, name in enumerate(sorted(names))}
        return self

    def transform(self, X: Any) -> Any:
        """The texts as `output` says: mean vectors, counts of path prefixes, or paths."""
        check_is_fitted(self, "clusters_")
        texts = sequences_of(X, "texts")
        if self.output == "paths":
            return [self.paths(words) for words in texts]
        if self.output == "vectors":
            return np.stack([_mean(self.vectors(words)) for words in texts])
        if self.output == "counts":
            return self._counts(texts)
        raise ValueError(f"output must be 'vectors', 'counts' or 'paths', not {self.output!r}")

    def paths(self, words: list[str]) -> list[str]:
        """The bits of the cluster of each word; an empty string for unknown words."""
        check_is_fitted(self, "clusters_")
        return [self.clusters_.get(word, "") for word in words]

    def vectors(self, words: list[str]) -> npt.NDArray[np.float32]:
        """The vector of each word; zeros for unknown words."""
        check_is_fitted(self, "clusters_")
        if self.vectors_ is None:
            raise ValueError("these clusters have no vectors; use SpectralClusters, or output='counts'")
        return self.vectors_.rows(words)

    def get_feature_names_out(self, input_features: Any = None) -> Any:
        """The names of the columns of vectors or counts."""
        check_is_fitted(self, "clusters_")
        if self.output == "counts":
            return np.array(list(self._columns), dtype=object)
        if self.output == "vectors" and self.vectors_ is not None:
            return np.array([f"vector{column}" for column in range(self.vectors_.dimension)], dtype=object)
        raise ValueError("paths have no columns; choose output='counts' or output='vectors'")

    def _lengths(self) -> tuple[int, ...]:
        return tuple(self.prefixes)

    def _counts(self, texts: list[list[str]]) -> Any:
        rows, columns = [], []
        for row, words in enumerate(texts):
            for bits in filter(None, self.paths(words)):
                for length in self._lengths():
                    rows.append(row)
                    columns.append(self._columns[f"path{length}={bits[:length]}"])
        ones = np.ones(len(rows), dtype=np.float64)
        return scipy.sparse.csr_matrix((ones, (rows, columns)), shape=(len(texts), len(self._columns)))

    def __sklearn_tags__(self) -> Any:
        return text_tags(super().__sklearn_tags__())


def _mean(vectors: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    """The mean of the vectors of known words."""
    known = vectors[np.any(vectors != 0, axis=1)]
    mean: npt.NDArray[np.float32] = known.mean(axis=0) if len(known) else np.zeros(vectors.shape[1], np.float32)
    return mean


class SpectralClusters(_WordClusters):
    """Word clusters and word vectors by one decomposition of the counts of neighbours.

    Args:
        n_clusters: Number of clusters
        n_components: Dimension of the vectors; None means 100, or `n_clusters` without `exchange`
        exchange: Whether words change clusters afterwards while mutual information grows
        context: Words that describe a word: "rK" for the K words after it, "lrK" for K words on each side
        kappa: Pseudo-count where counts are scaled; larger values dampen rare words
        vocab: Keep this many frequent words; None means 50,000
        min_count: Keep words with at least that many occurrences
        output: What `transform` returns: "vectors" (the mean vector of each text), "counts" (how often each prefix of
            a path occurs, a sparse matrix), or "paths" (the bits of each word)
        prefixes: Lengths of the prefixes that are counted
        random_state: Seed
        n_jobs: Number of threads; None means 1, -1 one per core

    >>> texts = ["the dog barks", "a dog sleeps", "the cat sleeps", "a cat barks"] * 5
    >>> SpectralClusters(3, min_count=1, n_components=2).fit_transform(texts).shape
    (20, 2)
    """

    def __init__(
        self,
        n_clusters: int = 1000,
        *,
        n_components: int | None = None,
        exchange: bool = True,
        context: str | None = None,
        kappa: float | None = None,
        vocab: int | None = None,
        min_count: int | None = None,
        output: Literal["vectors", "counts", "paths"] = "vectors",
        prefixes: tuple[int, ...] = (4, 6, 10, 20),
        random_state: Any = None,
        n_jobs: int | None = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.n_components = n_components
        self.exchange = exchange
        self.context = context
        self.kappa = kappa
        self.vocab = vocab
        self.min_count = min_count
        self.output = output
        self.prefixes = prefixes
        self.random_state = random_state
        self.n_jobs = n_jobs

    def _options(self) -> dict[str, Any]:
        return {
            "method": "spectral+exchange" if self.exchange else "spectral",
            "clusters": self.n_clusters,
            "rank": self.n_components,
            "context": self.context,
            "kappa": self.kappa,
            "vocab": self.vocab,
            "min_count": self.min_count,
            "seed": seed_of(self.random_state),
            "threads": threads_of(self.n_jobs),
        }


class BrownClusters(_WordClusters):
    """Word clusters by the algorithm of Brown et al., which merges clusters while it keeps mutual information high.

    Args:
        n_clusters: Number of clusters
        vocab: Keep this many frequent words; None means 50,000
        min_count: Keep words with at least that many occurrences
        output: What `transform` returns: "counts" (how often each prefix of a path occurs, a sparse matrix), or "paths"
            (the bits of each word)
        prefixes: Lengths of the prefixes that are counted
        n_jobs: Number of threads; None means 1, -1 one per core

    >>> texts = ["the dog barks", "a dog sleeps", "the cat sleeps", "a cat barks"] * 5
    >>> clusters = BrownClusters(3, min_count=1, output="paths").fit(texts)
    >>> clusters.paths(["dog"]) == clusters.paths(["cat"])
    True
    """

    def __init__(
        self,
        n_clusters: int = 1000,
        *,
        vocab: int | None = None,
        min_count: int | None = None,
        output: Literal["counts", "paths"] = "counts",
        prefixes: tuple[int, ...] = (4, 6, 10, 20),
        n_jobs: int | None = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.vocab = vocab
        self.min_count = min_count
        self.output = output
        self.prefixes = prefixes
        self.n_jobs = n_jobs

    def _options(self) -> dict[str, Any]:
        return {
            "method": "brown",
            "clusters": self.n_clusters,
            "vocab": self.vocab,
            "min_count": self.min_count,
            "threads": threads_of(self.n_jobs),
        }
