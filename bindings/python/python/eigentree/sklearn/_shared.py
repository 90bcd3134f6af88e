"""What the estimators share."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np


def seed_of(state: Any) -> int:
    """The seed of a `random_state`."""
    if state is None:
        return 0
    if isinstance(state, (int, np.integer)):
        return int(state)
    return int(state.randint(2**31))


def threads_of(jobs: int | None) -> int:
    """The number of threads of `n_jobs`: 0 means one per core."""
    return 1 if jobs is None else 0 if jobs < 0 else jobs


def sequences_of(X: Any, what: str) -> list[list[str]]:
    """Sequences of tokens; strings are divided at white space."""
    if isinstance(X, (str, bytes)) or not isinstance(X, Iterable):
        raise ValueError(f"expected several {what}, not {type(X).__name__}; give a list")
    sequences = [_tokens(item, what) for item in X]
    if not sequences:
        raise ValueError(f"there are no {what}: Found array with 0 sample(s) while a minimum of 1 is required")
    return sequences


def _tokens(item: Any, what: str) -> list[str]:
    if isinstance(item, str):
        return item.split()
    if isinstance(item, bytes) or not isinstance(item, Iterable):
        raise ValueError(f"expected {what} as strings or lists of tokens, not {type(item).__name__}")
    tokens = [str(token) for token in item]
    for token in tokens:
        if not token or any(character.isspace() for character in token):
            raise ValueError(f"a token must have characters and no white space, unlike {token!r}; divide or replace it")
    return tokens


def text_tags(tags: Any) -> Any:
    """Tags of an estimator whose samples are texts or sequences."""
    tags.input_tags.two_d_array = False
    tags.input_tags.one_d_array = False
    tags.input_tags.string = True
    return tags
