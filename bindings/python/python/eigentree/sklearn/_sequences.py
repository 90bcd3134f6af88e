"""Models of sequences."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
from sklearn.base import BaseEstimator, DensityMixin  # type: ignore[import-untyped, unused-ignore]
from sklearn.utils.validation import check_is_fitted  # type: ignore[import-untyped, unused-ignore]

from .. import train
from .._native import SequenceModel
from ._shared import seed_of, sequences_of, text_tags, threads_of

__all__ = ["SpectralSequenceModel"]


class SpectralSequenceModel(DensityMixin, BaseEstimator):  # type: ignore[misc, unused-ignore]
    """The probability of sequences of symbols, by automata with hidden states and n-grams.

    Args:
        n_states: Number of states; None chooses it by the likelihood of held-out sequences
        max_states: The most states that are tried
        learner: How the automaton is learnt, or "ngram" for none
        order: Maximum length of n-grams
        min_count: Symbols with fewer occurrences are replaced by one symbol
        random_state: Seed
        n_jobs: Number of threads; None means 1, -1 one per core

    >>> model = SpectralSequenceModel(n_states=2).fit([["a", "b"] * n for n in range(1, 9)] * 10)
    >>> model.predict([["a"], ["a", "b", "a"]])
    ['b', 'b']
    """

    model_: SequenceModel

    def __init__(
        self,
        n_states: int | None = None,
        *,
        max_states: int = 60,
        learner: Literal["spectral", "em", "spectral-em", "all", "reduced", "ngram"] = "spectral",
        order: int = 6,
        min_count: int = 1,
        random_state: Any = None,
        n_jobs: int | None = None,
    ) -> None:
        self.n_states = n_states
        self.max_states = max_states
        self.learner = learner
        self.order = order
        self.min_count = min_count
        self.random_state = random_state
        self.n_jobs = n_jobs

    def fit(self, X: Any, y: Any = None) -> SpectralSequenceModel:
        """Learns from sequences: lists of symbols, or strings whose symbols are separated by white space."""
        X = list(X) if isinstance(X, Iterable) and not isinstance(X, (str, bytes)) else X
        sequences = sequences_of(X, "sequences")
        # Predictions are symbols as they were given, which need not be strings.
        self.symbols_ = {str(symbol): symbol for item in X if not isinstance(item, str) for symbol in item}
        self.model_ = train.automaton(
            sequences,
            input="tokens",
            rank=self.n_states,
            max_rank=None if self.learner == "ngram" or self.n_states is not None else self.max_states,
            learner=self.learner,
            order=self.order,
            min_count=self.min_count,
            seed=seed_of(self.random_state),
            threads=threads_of(self.n_jobs),
        )
        return self

    def score_samples(self, X: Any) -> npt.NDArray[np.float64]:
        """The natural logarithm of the probability of each sequence, including its end."""
        check_is_fitted(self, "model_")
        return np.array([self.model_.log_probability(sequence) for sequence in sequences_of(X, "sequences")])

    def score(self, X: Any, y: Any = None) -> float:
        """The mean logarithm of the probability of a symbol, ends included: minus the logarithm of the perplexity."""
        symbols = sum(len(sequence) + 1 for sequence in sequences_of(X, "sequences"))
        return float(self.score_samples(X).sum() / symbols)

    def predict(self, X: Any) -> list[Any]:
        """The most probable symbol after each prefix; None means that the sequence ends."""
        check_is_fitted(self, "model_")
        best = (self.model_.predict(prefix, 1)[0][0] for prefix in sequences_of(X, "prefixes"))
        return [None if symbol is None else self.symbols_.get(symbol, symbol) for symbol in best]

    def __sklearn_tags__(self) -> Any:
        return text_tags(super().__sklearn_tags__())
