"""Taggers of sentences."""

from __future__ import annotations

from typing import Any, Literal

from sklearn.base import BaseEstimator  # type: ignore[import-untyped, unused-ignore]
from sklearn.utils.validation import check_is_fitted  # type: ignore[import-untyped, unused-ignore]

from .. import train
from .._native import Clusters, Tagger
from ._shared import seed_of, sequences_of, text_tags, threads_of

__all__ = ["LatentVariableTagger"]


class LatentVariableTagger(BaseEstimator):  # type: ignore[misc, unused-ignore]
    """Labels every word of a sentence: a chain over words, suffixes, shapes and the latent classes of words.

    The classes are spectral word clusters, learnt from the training sentences and from `texts`.

    Args:
        n_clusters: Number of latent classes; 0 for none
        texts: More sentences, without tags, to learn classes from
        objective: Training objective
        passes: Passes over the sentences
        random_state: Seed
        n_jobs: Number of threads; None means 1, -1 one per core

    >>> tagger = LatentVariableTagger(n_clusters=0).fit([["dogs", "bark"], ["cats", "sleep"]] * 5, [["N", "V"]] * 10)
    >>> tagger.predict([["dogs", "sleep"]])
    [['N', 'V']]
    """

    model_: Tagger
    clusters_: Clusters | None

    def __init__(
        self,
        n_clusters: int = 100,
        *,
        texts: Any = None,
        objective: Literal["likelihood", "perceptron", "greedy"] = "likelihood",
        passes: int = 10,
        random_state: Any = None,
        n_jobs: int | None = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.texts = texts
        self.objective = objective
        self.passes = passes
        self.random_state = random_state
        self.n_jobs = n_jobs

    def fit(self, X: Any, y: Any) -> LatentVariableTagger:
        """Learns from sentences, which are lists of words, and from a list of tags for each."""
        sentences, tags = _tagged(X, y)
        self.tags_ = {str(tag): tag for row in y for tag in row}
        seed, threads = seed_of(self.random_state), threads_of(self.n_jobs)
        self.clusters_ = None
        if self.n_clusters:
            texts = [*sentences, *([] if self.texts is None else sequences_of(self.texts, "texts"))]
            words = {word for text in texts for word in text}
            # A corpus of few words has fewer clusters.
            count = max(2, min(self.n_clusters, len(words) // 2))
            self.clusters_, _ = train.cluster(texts, clusters=count, min_count=1, seed=seed, threads=threads)
        rows = [
            [{"form": word, "xpos": tag} for word, tag in zip(words, row)] for words, row in zip(sentences, tags) if words
        ]
        self.model_ = train.tagger(
            rows,
            columns="xpos",
            clusters=self.clusters_,
            objective=self.objective,
            passes=self.passes,
            seed=seed,
            threads=threads,
        )
        return self

    def predict(self, X: Any) -> list[list[Any]]:
        """A list of tags for each sentence."""
        check_is_fitted(self, "model_")
        sentences = sequences_of(X, "sentences")
        found = iter(self.model_.annotate_tokens([words for words in sentences if words]))
        return [[self._tag(word.xpos) for word in next(found)] if words else [] for words in sentences]

    def _tag(self, tag: str | None) -> Any:
        return self.tags_.get(tag or "_", tag)

    def score(self, X: Any, y: Any) -> float:
        """The share of words whose tag is right."""
        pairs = [pair for found, gold in zip(self.predict(X), y) for pair in zip(found, gold, strict=True)]
        return sum(found == gold for found, gold in pairs) / len(pairs) if pairs else 0.0

    def __sklearn_tags__(self) -> Any:
        tags = text_tags(super().__sklearn_tags__())
        tags.target_tags.required = True
        return tags


def _tagged(X: Any, y: Any) -> tuple[list[list[str]], list[list[str]]]:
    if y is None:
        raise ValueError("This LatentVariableTagger estimator requires y to be passed, but the target y is None")
    sentences, tags = sequences_of(X, "sentences"), sequences_of(y, "lists of tags")
    if len(sentences) != len(tags):
        raise ValueError(f"there are {len(sentences)} sentences, but {len(tags)} lists of tags")
    for number, (words, row) in enumerate(zip(sentences, tags)):
        if len(words) != len(row):
            raise ValueError(f"sentence {number} has {len(words)} words, but {len(row)} tags")
        if "_" in row:
            raise ValueError(f"sentence {number} has the tag '_', which stands for no tag; choose another name")
    return sentences, tags
