"""Synthetic data: trees of a grammar whose hidden states are known, text of a model."""

from __future__ import annotations

from typing import Any

from . import _commands
from ._data import Data
from ._native import Clusters, SequenceModel, Tree

__all__ = ["sample"]


def sample(
    source: Data = "english",
    count: int = 1000,
    *,
    keep_states: bool = False,
    max_words: int | None = None,
    seed: int | None = None,
    threads: int = 1,
) -> list[Any]:
    """Samples trees from a grammar, or lines of words from a model of word clusters or sequences.

    The built-in grammar of English has categories with hidden states (number, verb frames, preferences of attachment) that
    the trees do not show. It gives data where there is no treebank, and hidden states to compare with.

    Args:
        source: "english", a file with a grammar, or a model of word clusters or sequences
        count: Number of trees or lines
        keep_states: Show the hidden states in the labels, such as `NP[sg]`
        max_words: Maximum length: longer sentences of a grammar are sampled again, longer lines are cut
        seed: Random seed; the same seed always gives the same result
        threads: Number of threads; 0 means one per core

    >>> trees = sample(count=3)
    >>> trees[0].label, len(trees)
    ('ROOT', 3)
    """
    options: dict[str, Any] = {"count": count, "keep_states": keep_states, "max_words": max_words, "seed": seed}
    lines = _commands.sample(source, options, threads)
    if isinstance(source, (Clusters, SequenceModel)) or not all(line.startswith("(") for line in lines):
        return lines
    return [Tree(line) for line in lines]
