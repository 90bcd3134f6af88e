"""What an engine runs on each partition: plain functions on iterators of Arrow record batches.

Spark, Ray, Dask, polars or DuckDB divide the data and call them. They hold no state but the models of this process.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
import pyarrow as pa  # type: ignore[import-untyped, unused-ignore]
import pyarrow.compute as pc  # type: ignore[import-untyped, unused-ignore]

from . import _native
from ._native import Annotator, Counter, Counts
from .arrow import ANNOTATION, annotation, plain, text_buffers
from .exceptions import DataError, OptionError

__all__ = ["annotate", "count", "explode", "join", "shared_model"]

# Enough text per round that the work on columns does not show, and little enough that annotation stays small.
_ROUND_BYTES = 400_000

_models: dict[tuple[str, int], Any] = {}


def shared_model(path: str | os.PathLike[str], checksum: int) -> Any:
    """The model at `path`, loaded once per process. A file with another checksum is refused."""
    key = (os.fspath(path), checksum)
    if key not in _models:
        _models[key] = _native.model_from_file(path, checksum)
    return _models[key]


def count(
    batches: Iterable[Any],
    column: str = "text",
    *,
    distance: int = 2,
    boundaries: str = "lines",
    lossy: bool = False,
    kept: Counts | None = None,
    name: str = "rows",
) -> Counts:
    """The counts of a partition: of every word, or of the words of `kept`.

    Rows of a text column are lines, or several lines each. Rows of a binary column are the contents of text files, which
    may be compressed. `join` makes the counts of the corpus from those of its partitions.
    """
    counter = Counter(distance=distance, boundaries=boundaries, lossy=lossy)
    for batch in batches:
        texts = plain(_column(batch, column)).drop_null()
        offsets, data, _ = text_buffers(texts)
        if pa.types.is_binary(texts.type) or pa.types.is_large_binary(texts.type):
            for start, end in zip(offsets, offsets[1:]):
                counter.add_file(data[start:end], name=name)
        elif len(texts):
            counter.add(offsets, data, name=name)
    counts = counter.finish()
    return counts if kept is None else counts.over(kept)


def _column(batch: Any, name: str) -> Any:
    """The column of texts of a batch."""
    if not isinstance(batch, (pa.RecordBatch, pa.Table)):
        raise TypeError(f"expected record batches of pyarrow, not {type(batch).__name__}")
    if name not in batch.schema.names:
        found = ", ".join(batch.schema.names)
        raise OptionError(f"there is no column `{name}` (there are {found}); give its name with `column`")
    column = batch.column(name)
    kinds = (pa.types.is_string, pa.types.is_large_string, pa.types.is_binary, pa.types.is_large_binary)
    text = column.type.value_type if pa.types.is_dictionary(column.type) else column.type
    views = (getattr(pa.types, "is_string_view", None), getattr(pa.types, "is_binary_view", None))
    if not any(kind is not None and kind(text) for kind in (*kinds, *views, pa.types.is_null)):
        raise DataError(f"the column `{name}` holds {column.type}, not texts")
    return column


def join(parts: Iterable[Counts]) -> Counts | None:
    """The counts of consecutive partitions together; None if there are none.

    The order matters only if sequences cross lines (`boundaries="none"`).
    """
    total: Counts | None = None
    for part in parts:
        total = part if total is None else total.joined(part)
    return total


def annotate(
    batches: Iterable[Any],
    model: Annotator,
    column: str = "text",
    *,
    output: str = "annotation",
    threads: int = 1,
    confidence: bool = False,
    phrases: bool = False,
) -> Iterator[Any]:
    """The batches with one more column, the annotation of the texts.

    A row without a text has an annotation without sentences and error. A text that cannot be annotated, such as bytes
    that are not UTF-8, has an error.
    """
    for batch in batches:
        texts = _column(batch, column)
        schema = batch.schema.append(pa.field(output, ANNOTATION))
        offsets, data, valid = text_buffers(texts)
        start = 0
        while start < batch.num_rows:
            end = int(np.searchsorted(offsets, offsets[start] + _ROUND_BYTES, side="right")) - 1
            end = min(max(end, start + 1), batch.num_rows)
            buffers = (offsets[start : end + 1], data, None if valid is None else valid[start:end])
            found = annotation(model, buffers, threads=threads, confidence=confidence, phrases=phrases)
            columns = batch.slice(start, end - start).columns
            yield pa.RecordBatch.from_arrays([*columns, found], schema=schema)
            start = end


def explode(batches: Iterable[Any], column: str = "annotation", *, drop: Iterable[str] = ()) -> Iterator[Any]:
    """One row per word, from batches that `annotate` made: the other columns but those of `drop`, then `sentence`, the
    columns of the word, and `error`. A document with an error has one row, without a word.
    """
    left_out = {column, *drop}
    for batch in batches:
        names = [name for name in batch.schema.names if name not in left_out]
        taken = {field.name for field in word_fields()}.intersection(names)
        if taken:
            raise OptionError(f"there is a column `{min(taken)}`, which words have too; rename it, or drop it")
        found = batch.column(column)
        lists = found.field("sentences")
        sentences = pc.list_flatten(lists)
        of_document = pc.list_parent_indices(lists)
        words = pc.list_flatten(sentences.field("words"))
        of_sentence = pc.list_parent_indices(sentences.field("words"))
        document = of_document.take(of_sentence)
        first = pc.index_in(document, of_document)
        number = pc.subtract(of_sentence, first.cast(of_sentence.type)).cast(pa.int32())
        failed = pc.indices_nonzero(found.field("error").is_valid())
        rows = pa.concat_arrays([document.cast(pa.int64()), failed.cast(pa.int64())])
        missing = len(failed)

        def padded(values: Any) -> Any:
            return pa.concat_arrays([values, pa.nulls(missing, values.type)])

        columns = [batch.column(name).take(rows) for name in names]
        columns += [padded(number), *(padded(words.field(field.name)) for field in words.type)]
        columns.append(found.field("error").take(rows))
        fields = [batch.schema.field(name) for name in names]
        schema = pa.schema([*fields, *word_fields()])
        yield pa.RecordBatch.from_arrays(columns, schema=schema)


def word_fields() -> list[Any]:
    """The columns that `explode` adds."""
    word = ANNOTATION.field("sentences").type.value_type.field("words").type.value_type
    return [pa.field("sentence", pa.int32()), *word, pa.field("error", pa.string())]
