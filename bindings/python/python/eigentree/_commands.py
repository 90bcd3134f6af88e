"""Runs commands of the program with keyword arguments."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from typing import Any

from . import _native
from ._data import Data, Kind, Workspace
from .progress import Progress, listener
from .report import Report
from .vectors import Vectors

# Options that name files, and what the files hold. The others are passed on as they are.
_FILES: dict[str, Kind] = {
    "clusters": "clusters",
    "vectors": "vectors",
    "grammar": "model",
    "gazetteer": "file",
    "entities": "entities",
    "text": "text",
    "held_out": "text",
    "source": "sentences",
}


def train(
    family: str,
    data: Data,
    kind: Kind,
    output: str | os.PathLike[str] | None,
    options: Mapping[str, Any],
    threads: int,
    progress: Progress,
) -> Any:
    """Trains a model; returns it, loaded from `output` or kept in memory."""
    with Workspace() as work:
        path = work.new(".eig") if output is None else os.fspath(output)
        arguments = ["train", family, f"--output={path}", *_arguments(options, kind, work)]
        summary = _run([*arguments, "--", *work.paths(data, kind)], threads, progress)
        return _open(path, output is None, summary)


def cluster(
    data: Data, output: str | os.PathLike[str] | None, options: Mapping[str, Any], threads: int, progress: Progress
) -> Any:
    """Clusters words; returns clusters and, of the spectral methods, vectors."""
    with Workspace() as work:
        path = work.new(".eig") if output is None else os.fspath(output)
        rest = dict(options)
        spectral = (rest.get("method") or "spectral+exchange").startswith("spectral")
        vectors = rest.pop("vectors", None)
        name = None
        if vectors or (vectors is None and spectral):
            name = work.new(".npy") if vectors is None or vectors is True else os.fspath(vectors)
        paths = rest.pop("paths", None)
        arguments = ["cluster", f"--model={path}", f"--output={work.new('.txt') if paths is None else os.fspath(paths)}"]
        if name is not None:
            arguments.append(f"--vectors={name}")
        arguments += _arguments(rest, "text", work)
        summary = _run([*arguments, "--", *work.paths(data, "text")], threads, progress)
        clusters = _open(path, output is None, summary)
        if name is None:
            return clusters, None
        loaded = Vectors.load(name)
        if name != vectors:
            # The file goes with the workspace.
            loaded = Vectors(loaded.words, loaded.matrix)
        return clusters, loaded


def evaluate(gold: Data, predicted: Data, kind: Kind, options: Mapping[str, Any], threads: int, progress: Progress) -> Report:
    """Scores a prediction."""
    with Workspace() as work:
        rest = dict(options)
        compared = rest.pop("compare", None)
        text = work.new(".txt")
        arguments = ["eval", f"--output={text}", *_arguments(rest, kind, work)]
        if compared is not None:
            arguments.append(f"--compare={work.path(compared, kind)}")
        arguments += ["--", work.path(gold, kind), work.path(predicted, kind)]
        return _report(arguments, text, threads, progress)


def compare(family: str, data: Data, kind: Kind, options: Mapping[str, Any], threads: int, progress: Progress) -> Report:
    """Compares learners."""
    with Workspace() as work:
        text = work.new(".txt")
        arguments = ["compare", family, f"--output={text}", *_arguments(options, kind, work)]
        return _report([*arguments, "--", *work.paths(data, kind)], text, threads, progress)


def sample(grammar: Data, options: Mapping[str, Any], threads: int) -> list[str]:
    """Sampled lines."""
    with Workspace() as work:
        text = work.new(".txt")
        source = grammar if isinstance(grammar, (str, os.PathLike)) else work.path(grammar, "model")
        arguments = ["sample", f"--output={text}", *_arguments(options, "file", work), "--", os.fspath(source)]
        _run(arguments, threads, None)
        with open(text, encoding="utf-8", newline="\n") as file:
            return file.read().splitlines()


def _report(arguments: list[str], text: str, threads: int, progress: Progress) -> Report:
    summary = _run(arguments, threads, progress)
    with open(text, encoding="utf-8") as file:
        return Report(summary, file.read())


def _run(arguments: list[str], threads: int, progress: Progress) -> dict[str, Any]:
    listening, end = listener(progress)
    try:
        return _native.call(arguments, threads=threads, progress=listening)
    finally:
        end()


def _open(path: str, temporary: bool, summary: dict[str, Any]) -> Any:
    if not temporary:
        return _native.load(path, report=summary)
    with open(path, "rb") as file:
        return _native.model_from_bytes(file.read(), report=summary)


def _arguments(options: Mapping[str, Any], kind: Kind, work: Workspace) -> list[str]:
    """Options as the command line takes them."""
    arguments = []
    for name, value in options.items():
        flag = "--" + name.replace("_", "-")
        if value is None or value is False:
            continue
        if value is True:
            arguments.append(flag)
        elif name in ("dev", "test"):
            arguments.append(f"{flag}={work.path(value, kind)}")
        elif name in _FILES and not isinstance(value, (int, float)):
            paths = work.paths(value, _FILES[name])
            arguments += [f"{flag}={path}" for path in paths]
        elif isinstance(value, Iterable) and not isinstance(value, (str, os.PathLike)):
            arguments += [f"{flag}={item}" for item in value]
        else:
            arguments.append(f"{flag}={os.fspath(value) if isinstance(value, os.PathLike) else value}")
    return arguments
