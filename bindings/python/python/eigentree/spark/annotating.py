"""Annotating on Spark."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from functools import partial
from typing import Any, Literal

from .. import kernels
from .._native import Model
from ..arrow import ANNOTATION
from ..exceptions import OptionError
from .files import Shipped, ship

__all__ = ["annotate"]


def annotate(
    df: Any,
    column: str = "text",
    *,
    model: str | os.PathLike[str] | Model,
    output: str = "annotation",
    rows: Literal["documents", "words"] = "documents",
    confidence: bool = False,
    phrases: bool = False,
) -> Any:
    """The DataFrame with the annotation of a column of text.

    `rows="documents"` adds one nested column, `output`, of the type `eigentree.arrow.ANNOTATION`. `rows="words"` gives one
    row per word instead of one per document: the other columns, without the text, then those of the word. A document that
    cannot be annotated has an error in its row, and the job goes on. Each task uses one thread, as Spark expects.
    """
    from pyspark.sql.pandas.types import from_arrow_type
    from pyspark.sql.types import StructField, StructType

    if rows not in ("documents", "words"):
        raise OptionError(f'rows: `{rows}` is neither "documents" nor "words"')
    if column not in df.columns:
        raise OptionError(f"the DataFrame has no column `{column}`; its columns are {', '.join(df.columns)}")
    shipped = ship(df.sparkSession, model)
    fields = [field for field in df.schema.fields if rows == "documents" or field.name != column]
    added = [("annotation", ANNOTATION)] if rows == "documents" else [(f.name, f.type) for f in kernels.word_fields()]
    names = [output] if rows == "documents" else [name for name, _ in added]
    taken = [name for name in names if name in [field.name for field in fields]]
    if taken:
        raise OptionError(f"the DataFrame already has a column `{taken[0]}`; rename it first")
    schema = StructType(fields + [StructField(name, from_arrow_type(kind)) for name, (_, kind) in zip(names, added)])
    work = partial(
        _annotate, shipped=shipped, column=column, output=output, rows=rows, confidence=confidence, phrases=phrases
    )
    return df.mapInArrow(work, schema)


def _annotate(
    batches: Iterable[Any], shipped: Shipped, column: str, output: str, rows: str, confidence: bool, phrases: bool
) -> Iterator[Any]:
    model = shipped.load()
    found = kernels.annotate(batches, model, column, output=output, confidence=confidence, phrases=phrases)
    return found if rows == "documents" else kernels.explode(found, output, drop=[column])
