"""Experiments as Spark tasks: folds, seeds, learning curves, comparisons over many treebanks."""

from __future__ import annotations

import json
import os
import time
import traceback
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

import pyarrow as pa  # type: ignore[import-untyped, unused-ignore]

__all__ = ["local_file", "map_jobs"]

_SCHEMA = pa.schema(
    [
        ("job", pa.int64()),
        ("given", pa.string()),
        ("figures", pa.string()),
        ("error", pa.string()),
        ("seconds", pa.float64()),
        ("cpu_seconds", pa.float64()),
    ]
)
_DDL = "job bigint, given string, figures string, error string, seconds double, cpu_seconds double"


def map_jobs(
    spark: Any,
    function: Callable[[Any], Mapping[str, Any]],
    jobs: Sequence[Any],
    *,
    files: Iterable[str | os.PathLike[str]] = (),
) -> Any:
    """A DataFrame with one row per job: its number, what it was given and the figures it returned, both as JSON, its error
    if it raised one, and its time.

    Each job is one task. `function` gets a job, which JSON must be able to hold, and returns figures, such as a `Report`.
    `files` are shipped to the executors, where `local_file` finds them by their names. A task on a lost executor runs
    again, so that a job should write nothing outside. The DataFrame is computed when it is used, and each time it is used:
    write it, or `persist()` it.
    """
    for file in files:
        spark.sparkContext.addFile(os.fspath(file))
    texts = [json.dumps(job) for job in jobs]
    return spark.range(0, len(texts), 1, max(len(texts), 1)).mapInArrow(partial(_run, function, texts), _DDL)


def local_file(name: str | os.PathLike[str]) -> str:
    """The path of a shipped file, in a job."""
    from pyspark import SparkFiles

    return str(SparkFiles.get(os.path.basename(os.fspath(name))))


def _run(function: Callable[[Any], Mapping[str, Any]], jobs: list[str], batches: Iterable[Any]) -> Iterator[Any]:
    for batch in batches:
        for number in batch.column(0).to_pylist():
            start, begun = time.perf_counter(), time.process_time()
            figures, error = None, None
            try:
                figures = json.dumps(dict(function(json.loads(jobs[number]))))
            except Exception as raised:
                error = "".join(traceback.format_exception_only(type(raised), raised)).strip()
            row = [number, jobs[number], figures, error, time.perf_counter() - start, time.process_time() - begun]
            yield pa.record_batch([pa.array([value], field.type) for value, field in zip(row, _SCHEMA)], schema=_SCHEMA)
