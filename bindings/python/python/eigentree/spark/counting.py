"""Counting on Spark: partitions are counted where they lie, and the counts joined as a tree on the executors."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from typing import Any

import pyarrow as pa  # type: ignore[import-untyped, unused-ignore]

from .. import kernels
from .._native import Counts
from ..arrow import PAIRS, VOCABULARY
from ..exceptions import EigentreeError, OptionError

__all__ = ["count", "count_tables", "read_files", "read_lines"]

_PART = pa.schema([("number", pa.int64()), ("part", pa.binary())])
_PART_DDL = "number bigint, part binary"
_PIECE = pa.schema([("number", pa.int64()), ("piece", pa.int32()), ("bytes", pa.binary())])
_PIECE_DDL = "number bigint, piece int, bytes binary"
_PIECE_BYTES = 16_000_000


def read_lines(spark: Any, paths: str | list[str]) -> Any:
    """Text files as a DataFrame with one line per row, column `value`. Lines end as `eigentree count` ends them."""
    return spark.read.option("lineSep", "\n").text(paths)


def read_files(spark: Any, paths: str | list[str]) -> Any:
    """Text files as a DataFrame with one file per row, column `content`, decompressed by the library when it counts.

    For files that Spark cannot divide or read, such as those of zstd. A file may have up to 2 GB.
    """
    return spark.read.format("binaryFile").load(paths).select("path", "content")


def count(
    df: Any,
    column: str = "value",
    *,
    distance: int = 2,
    vocab: int | None = None,
    min_count: int | None = None,
    unknown: str = "<unk>",
    boundaries: str = "lines",
    lossy: bool = False,
    passes: int = 1,
    fan_in: int = 4,
) -> Counts:
    """The counts of a column of text, the same that `eigentree count` makes of the same lines.

    With `passes=2` and a limit on the vocabulary, a first pass chooses the vocabulary and the second counts over it, so
    that the sums of pairs stay small. `fan_in` partial counts are joined by one task. With `boundaries="none"` the rows
    are one sequence in the order of the partitions.
    """
    limits: dict[str, Any] = {"vocab": vocab, "min_count": min_count, "unknown": unknown}
    parts = _sum(df, column, distance, vocab, min_count, unknown, boundaries, lossy, passes, fan_in)
    if vocab is not None or min_count is not None:
        parts = parts.mapInArrow(partial(_limit, **limits), _PART_DDL)
    total = _collect(parts)
    return _nothing(distance, boundaries).limited(**limits) if total is None else total


def count_tables(
    df: Any,
    column: str = "value",
    *,
    distance: int = 2,
    vocab: int | None = None,
    min_count: int | None = None,
    unknown: str = "<unk>",
    boundaries: str = "lines",
    lossy: bool = False,
    passes: int = 1,
    fan_in: int = 4,
) -> tuple[Any, Any]:
    """The same counts as two DataFrames, the vocabulary and the pairs, which executors make: nothing passes the driver.

    Their columns are those of `eigentree.arrow.VOCABULARY` and `PAIRS`. The sum is kept on the disk of an executor until
    the session ends.
    """
    from pyspark import StorageLevel

    parts = _sum(df, column, distance, vocab, min_count, unknown, boundaries, lossy, passes, fan_in)
    if vocab is not None or min_count is not None:
        parts = parts.mapInArrow(partial(_limit, vocab=vocab, min_count=min_count, unknown=unknown), _PART_DDL)
    parts = parts.persist(StorageLevel.DISK_ONLY)
    vocabulary = parts.mapInArrow(partial(_rows, table=0), "id int, word string, count bigint")
    pairs = parts.mapInArrow(partial(_rows, table=1), "distance int, left int, right int, count bigint")
    assert vocabulary.columns == VOCABULARY.names and pairs.columns == PAIRS.names
    return vocabulary, pairs


def _sum(
    df: Any,
    column: str,
    distance: int,
    vocab: int | None,
    min_count: int | None,
    unknown: str,
    boundaries: str,
    lossy: bool,
    passes: int,
    fan_in: int,
) -> Any:
    """A DataFrame with one part, the counts of all; none if there is no text."""
    if passes not in (1, 2):
        raise OptionError(f"passes: {passes} is neither 1 nor 2")
    if fan_in < 2:
        raise OptionError(f"fan_in: {fan_in} is less than 2")
    texts = df.select(column)
    partitions = texts.rdd.getNumPartitions()
    options: dict[str, Any] = {"column": column, "distance": distance, "boundaries": boundaries, "lossy": lossy}
    # Refuses bad options here rather than on an executor.
    kernels.count([], **{**options, "column": column}).limited(vocab=vocab, min_count=min_count, unknown=unknown)
    kept = None
    if passes == 2 and (vocab is not None or min_count is not None):
        words = _tree(texts.mapInArrow(partial(_words, **options), _PART_DDL), partitions, fan_in)
        whole = _collect(words) or _nothing(distance, boundaries)
        chosen = whole.limited(vocab=vocab, min_count=min_count, unknown=unknown)
        kept = df.sparkSession.sparkContext.broadcast(chosen.to_bytes())
    parts = texts.mapInArrow(partial(_count, kept=kept, **options), _PART_DDL)
    return _tree(parts, partitions, fan_in)


def _tree(parts: Any, partitions: int, fan_in: int) -> Any:
    """Joins `fan_in` neighbours at a time until one part is left."""
    from pyspark.sql.functions import expr

    left = partitions
    while left > 1:
        left = -(-left // fan_in)
        grouped = parts.withColumn("group", expr(f"cast(number div {fan_in} as int)"))
        # A partition number seen at run time may lie beyond the number of partitions that was planned.
        shuffled = grouped.repartition(left, "group") if left > 1 else grouped.repartition(1)
        parts = shuffled.select("number", "part").mapInArrow(partial(_join, fan_in=fan_in), _PART_DDL)
    return parts


def _collect(parts: Any) -> Counts | None:
    """The sum, on the driver."""
    pieces = parts.mapInArrow(_pieces, _PIECE_DDL)
    found = _whole(pieces.toArrow())
    if found is None and pieces.rdd.getNumPartitions() > 0:
        raise _lost()
    return kernels.join(Counts.from_bytes(part) for part in found or [])


def _nothing(distance: int, boundaries: str) -> Counts:
    return kernels.count([], distance=distance, boundaries=boundaries)


def _pieces(batches: Iterable[Any]) -> Iterator[Any]:
    """Parts as rows of a size that the driver's Java process can handle. The last row says how many came before it."""
    sent = 0
    for number, part in _parts(batches):
        view = part.as_buffer()
        for at in range(0, view.size, _PIECE_BYTES):
            yield _piece(number, at // _PIECE_BYTES, view.slice(at, min(_PIECE_BYTES, view.size - at)).to_pybytes())
            sent += 1
    yield _piece(-1, sent, b"")


def _piece(number: int, piece: int, content: bytes) -> Any:
    columns = [pa.array([number], pa.int64()), pa.array([piece], pa.int32()), pa.array([content], pa.binary())]
    return pa.record_batch(columns, schema=_PIECE)


def _whole(table: Any) -> list[bytes] | None:
    """The parts of which these are the pieces; None if there is nothing at all.

    A driver that runs out of memory may hand over fewer rows than it was sent, without an error.
    """
    rows = sorted(zip(*(table.column(name).to_pylist() for name in _PIECE.names)), key=lambda row: row[:2])
    sent = sum(piece for number, piece, _ in rows if number < 0)
    arrived = [(number, content) for number, _, content in rows if number >= 0]
    if sent != len(arrived):
        raise _lost()
    if not rows:
        return None
    parts: dict[int, list[bytes]] = {}
    for number, content in arrived:
        parts.setdefault(number, []).append(content)
    return [b"".join(contents) for contents in parts.values()]


def _lost() -> EigentreeError:
    return EigentreeError(
        "the counts did not reach the driver whole; give it more memory (spark.driver.memory), limit the vocabulary, or use "
        "count_tables, which leaves them on the executors"
    )


def _partition() -> int:
    from pyspark import TaskContext

    context = TaskContext.get()
    return 0 if context is None else int(context.partitionId())


def _row(number: int, counts: Counts) -> Any:
    return pa.record_batch([pa.array([number], pa.int64()), pa.array([counts.to_bytes()], pa.binary())], schema=_PART)


def _count(batches: Iterable[Any], kept: Any, **options: Any) -> Iterator[Any]:
    number = _partition()
    vocabulary = None if kept is None else Counts.from_bytes(kept.value)
    counts = kernels.count(batches, kept=vocabulary, name=f"partition {number}", **options)
    if counts.tokens:
        yield _row(number, counts)


def _words(batches: Iterable[Any], **options: Any) -> Iterator[Any]:
    number = _partition()
    counts = kernels.count(batches, name=f"partition {number}", **{**options, "distance": 1})
    if counts.tokens:
        yield _row(number, counts.without_pairs())


def _parts(batches: Iterable[Any]) -> Iterator[tuple[int, Any]]:
    for batch in batches:
        yield from zip(batch.column("number").to_pylist(), batch.column("part"))


def _join(batches: Iterable[Any], fan_in: int) -> Iterator[Any]:
    groups: dict[int, list[tuple[int, Any]]] = {}
    for number, part in _parts(batches):
        groups.setdefault(number // fan_in, []).append((number, part))
    for group in sorted(groups):
        parts = sorted(groups.pop(group), key=lambda part: part[0])
        total = kernels.join(Counts.from_bytes(part.as_py()) for _, part in parts)
        assert total is not None
        yield _row(group, total)


def _limit(batches: Iterable[Any], **options: Any) -> Iterator[Any]:
    for number, part in _parts(batches):
        yield _row(number, Counts.from_bytes(part.as_py()).limited(**options))


def _rows(batches: Iterable[Any], table: int) -> Iterator[Any]:
    for _, part in _parts(batches):
        found = Counts.from_bytes(part.as_py()).to_arrow()[table]
        for batch in found.replace_schema_metadata(None).to_batches(max_chunksize=100_000):
            yield batch
