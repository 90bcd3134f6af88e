"""Arrow tables of counts and of annotation, and their schemas. Needs pyarrow.

Numbers have the signed types that every engine knows. Buffers pass between the library and pyarrow without a copy,
except the left words of pairs, which the library keeps as compressed rows.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa  # type: ignore[import-untyped, unused-ignore]

from ._native import Annotator, Counts, annotate_rows
from .exceptions import DataError

__all__ = ["ANNOTATION", "PAIRS", "VOCABULARY", "annotation", "counts_from_arrow", "counts_to_arrow", "plain", "text_buffers"]

VOCABULARY = pa.schema([("id", pa.int32()), ("word", pa.string()), ("count", pa.int64())])
"""One row per word. `id` counts from 0 by decreasing count, ties by code point."""

PAIRS = pa.schema([("distance", pa.int32()), ("left", pa.int32()), ("right", pa.int32()), ("count", pa.int64())])
"""One row per pair of words: `count` times, the word `right` stands `distance` positions after `left`."""

_WORD = pa.struct(
    [
        ("id", pa.int32()),
        *((name, pa.string()) for name in ("form", "lemma", "upos", "xpos", "feats")),
        ("head", pa.int32()),
        *((name, pa.string()) for name in ("deprel", "deps", "misc")),
        ("start_char", pa.int32()),
        ("end_char", pa.int32()),
        ("confidence", pa.float64()),
    ]
)
_ENTITY = pa.struct(
    [
        ("label", pa.string()),
        *((name, pa.int32()) for name in ("start", "end", "start_char", "end_char")),
        ("confidence", pa.float64()),
    ]
)
_SENTENCE = pa.struct(
    [
        ("start_char", pa.int32()),
        ("end_char", pa.int32()),
        ("tree", pa.string()),
        ("confidence", pa.float64()),
        ("words", pa.list_(_WORD)),
        ("entities", pa.list_(_ENTITY)),
    ]
)

ANNOTATION = pa.struct([("sentences", pa.list_(_SENTENCE)), ("error", pa.string())])
"""The annotation of one document. A document that cannot be annotated has an error and no sentences."""

_BOUNDARIES, _DISTANCE, _UNKNOWN = b"eigentree.boundaries", b"eigentree.distance", b"eigentree.unknown"


def counts_to_arrow(counts: Counts) -> tuple[Any, Any]:
    """The vocabulary and the pairs as tables. Their metadata says what else `counts_from_arrow` must know."""
    offsets, data = counts.word_buffers()
    size = len(counts)
    words = pa.Array.from_buffers(pa.string(), size, [None, pa.py_buffer(offsets), pa.py_buffer(data)])
    metadata = {_BOUNDARIES: counts.boundaries.encode(), _DISTANCE: str(counts.distance).encode()}
    if counts.unknown is not None:
        metadata[_UNKNOWN] = counts.unknown.encode()
    ids = pa.array(np.arange(size, dtype=np.int32))
    vocabulary = pa.table([ids, words, pa.array(counts.counts.view(np.int64))], VOCABULARY.with_metadata(metadata))
    schema = PAIRS.with_metadata(metadata)
    batches = []
    for distance in range(1, counts.distance + 1):
        rows, right, count = counts.rows(distance)
        lengths: Any = np.diff(rows.view(np.int64))
        left = np.repeat(np.arange(size, dtype=np.int32), lengths)
        columns = [np.full(len(left), distance, np.int32), left, right.view(np.int32), count.view(np.int64)]
        batches.append(pa.record_batch([pa.array(column) for column in columns], schema))
    return vocabulary, pa.Table.from_batches(batches, schema)


def counts_from_arrow(vocabulary: Any, pairs: Any, boundaries: str | None = None, unknown: str | None = None) -> Counts:
    """Counts from tables of pyarrow, pandas, polars or DuckDB; rows may come in any order.

    What the metadata of the tables does not say must be given: where sequences ended, "lines" if it is not said, and the
    word that stands for all others, if there is one.
    """
    words, table = pa.table(vocabulary), pa.table(pairs)
    metadata = {**(table.schema.metadata or {}), **(words.schema.metadata or {})}
    for name, found in (("id", words), ("word", words), ("count", words), *((name, table) for name in PAIRS.names)):
        if name not in found.column_names:
            raise DataError(f"the table has no column `{name}`; its columns are {', '.join(found.column_names)}")
    ids = _numbers(words, "id", np.int64)
    order = np.argsort(ids, kind="stable")
    if not np.array_equal(ids[order], np.arange(len(ids))):
        raise DataError(f"the ids of the vocabulary are not 0 to {len(ids) - 1}, each once")
    texts = words.column("word").cast(pa.large_string()).take(pa.array(order)).to_pylist()
    if None in texts:
        raise DataError("the vocabulary has a row without a word")
    counts = _numbers(words, "count", np.int64)[order]
    apart = _numbers(table, "distance", np.int64)
    left, right = _numbers(table, "left", np.int64), _numbers(table, "right", np.int64)
    count = _numbers(table, "count", np.int64)
    if len(apart) and apart.min() < 1:
        raise DataError(f"there is a pair {apart.min()} positions apart; distances begin with 1")
    if min((column.min() for column in (counts, left, right, count) if len(column)), default=0) < 0:
        raise DataError("there is a negative number among the words or counts")
    if max((column.max() for column in (left, right) if len(column)), default=0) >= 2**32:
        raise DataError("a pair has a word beyond the vocabulary")
    most = max(int(metadata.get(_DISTANCE, b"1")), int(apart.max()) if len(apart) else 1)
    columns = []
    for distance in range(1, most + 1):
        chosen = apart == distance
        columns.append(
            (left[chosen].astype(np.uint32), right[chosen].astype(np.uint32), count[chosen].astype(np.uint64))
        )
    return Counts.from_columns(
        texts,
        counts.astype(np.uint64),
        columns,
        boundaries=boundaries or metadata.get(_BOUNDARIES, b"lines").decode(),
        unknown=unknown or (metadata[_UNKNOWN].decode() if _UNKNOWN in metadata else None),
    )


def _numbers(table: Any, name: str, kind: Any) -> Any:
    column = table.column(name)
    if column.null_count:
        raise DataError(f"the column `{name}` has rows without a value")
    return column.cast(pa.from_numpy_dtype(kind)).to_numpy()


def plain(texts: Any) -> Any:
    """A column of texts as one array with offsets: views and dictionaries are copied."""
    if isinstance(texts, pa.ChunkedArray):
        texts = texts.combine_chunks()
    kinds = (pa.types.is_string, pa.types.is_binary, pa.types.is_large_string, pa.types.is_large_binary)
    return texts if any(kind(texts.type) for kind in kinds) else texts.cast(pa.large_string())


def text_buffers(texts: Any) -> tuple[Any, Any, Any]:
    """A column of texts as numpy arrays: offsets, bytes, and marks of rows that have a text, or None if all have."""
    texts = plain(texts)
    short = pa.types.is_string(texts.type) or pa.types.is_binary(texts.type)
    width = np.dtype(np.int32 if short else np.int64)
    _, ends, data = texts.buffers()
    if len(texts) == 0:
        return np.zeros(1, np.int64), np.zeros(0, np.uint8), None
    offsets = np.frombuffer(ends, width, len(texts) + 1, texts.offset * width.itemsize).astype(np.int64)
    content = np.zeros(0, np.uint8) if data is None else np.frombuffer(data, np.uint8)
    valid = texts.is_valid().to_numpy(zero_copy_only=False).view(np.uint8) if texts.null_count else None
    return offsets, content, valid


def annotation(
    model: Annotator, buffers: tuple[Any, Any, Any], *, threads: int = 1, confidence: bool = False, phrases: bool = False
) -> Any:
    """The annotation of a column of texts, given as `text_buffers` returns it: an array of the type `ANNOTATION`."""
    found = annotate_rows(model, *buffers, threads=threads, confidence=confidence, phrases=phrases)

    def column(kind: Any, name: str) -> Any:
        valid, *parts = found[name]
        size = len(parts[0]) - (1 if len(parts) == 2 else 0)
        return pa.Array.from_buffers(kind, size, [_buffer(valid), *map(_buffer, parts)])

    def rows(kind: Any, prefix: str, lists: dict[str, Any]) -> Any:
        fields = [lists[field.name] if field.name in lists else column(field.type, prefix + field.name) for field in kind]
        return pa.Array.from_buffers(kind, len(fields[0]), [None], children=fields)

    def lists(name: str, items: Any) -> Any:
        valid, ends = found[name]
        return pa.Array.from_buffers(
            pa.list_(items.type), len(ends) - 1, [_buffer(valid), _buffer(ends)], children=[items]
        )

    words = lists("words", rows(_WORD, "word.", {}))
    entities = lists("entities", rows(_ENTITY, "entity.", {}))
    sentences = lists("sentences", rows(_SENTENCE, "sentence.", {"words": words, "entities": entities}))
    return rows(ANNOTATION, "", {"sentences": sentences})


def _buffer(array: Any) -> Any:
    return None if array is None else pa.py_buffer(array)
