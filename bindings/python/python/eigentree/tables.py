"""Documents as tables: one row per word.

Tables of several documents have a column `document` with their numbers. Training takes such tables back.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ._native import Document

__all__ = ["to_arrow", "to_pandas", "to_polars"]

_TEXT = ("form", "lemma", "upos", "xpos", "feats", "deprel", "deps", "misc")


def to_arrow(documents: Document | Iterable[Document]) -> Any:
    """The words as a pyarrow Table."""
    import pyarrow  # type: ignore[import-untyped, unused-ignore]

    columns = _columns(documents)
    kinds = {name: pyarrow.string() if name in _TEXT else pyarrow.int64() for name in columns}
    return pyarrow.table({name: pyarrow.array(values, kinds[name]) for name, values in columns.items()})


def to_pandas(documents: Document | Iterable[Document]) -> Any:
    """The words as a pandas DataFrame. Numbers that may be missing have the type Int64."""
    import pandas

    columns = _columns(documents)
    kinds: dict[str, Any] = {name: "string" if name in _TEXT else "Int64" for name in columns}
    series = {name: pandas.array(values, dtype=kinds[name]) for name, values in columns.items()}
    return pandas.DataFrame(series)


def to_polars(documents: Document | Iterable[Document]) -> Any:
    """The words as a polars DataFrame."""
    import polars

    columns = _columns(documents)
    return polars.DataFrame(columns, schema={name: polars.String if name in _TEXT else polars.Int64 for name in columns})


def _columns(documents: Document | Iterable[Document]) -> dict[str, list[Any]]:
    if isinstance(documents, Document):
        return documents.to_columns()
    columns: dict[str, list[Any]] = {"document": []}
    for number, document in enumerate(documents):
        for name, values in document.to_columns().items():
            columns.setdefault(name, []).extend(values)
        columns["document"].extend([number] * (len(columns["form"]) - len(columns["document"])))
    return columns
