"""Data in whatever form Python has it, as files that the library reads.

A `Workspace` gives a path for everything: paths stay as they are, and data in memory is written to a temporary file in
the format that the command expects. So data in memory takes the same way as files do, down to the messages about bad
lines.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, Literal, TypeAlias

from ._native import Clusters, Counts, Document, Model, Sentence
from .exceptions import DataError
from .vectors import Vectors

StrPath: TypeAlias = "str | os.PathLike[str]"
Kind: TypeAlias = Literal["trees", "sentences", "labels", "entities", "text", "model", "clusters", "vectors", "file"]

Data: TypeAlias = Any
"""A path, several paths, a string with a line break, or objects: see the guide for what each function takes."""

_SUFFIX: dict[Kind, str] = {
    "trees": ".ptb",
    "sentences": ".conllu",
    "labels": ".conllu",
    "entities": ".bio",
    "text": ".txt",
    "model": ".eig",
    "clusters": ".txt",
    "vectors": ".npy",
    "file": ".txt",
}

_COLUMNS = ("form", "lemma", "upos", "xpos", "feats", "head", "deprel", "deps", "misc")


class Workspace:
    """Temporary files of one call."""

    def __init__(self) -> None:
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        self._count = 0

    def __enter__(self) -> Workspace:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._folder is not None:
            self._folder.cleanup()

    def new(self, suffix: str) -> str:
        """The name of a new file."""
        if self._folder is None:
            self._folder = tempfile.TemporaryDirectory(prefix="eigentree-")
        self._count += 1
        return os.path.join(self._folder.name, f"data{self._count}{suffix}")

    def paths(self, data: Data, kind: Kind) -> list[str]:
        """The files of some data."""
        if _is_list(data):
            items = list(data)
            if items and all(_is_path(item, kind, alone=False) for item in items):
                return [os.fspath(item) for item in items]
            return [self._write(items, kind)]
        return [self.path(data, kind)]

    def path(self, data: Data, kind: Kind) -> str:
        """The one file of some data."""
        if _is_path(data, kind, alone=True):
            return os.fspath(data)
        return self._write(data, kind)

    def _write(self, data: Data, kind: Kind) -> str:
        suffix = ".ptb" if kind == "labels" and _holds_trees(data) else _SUFFIX[kind]
        path = self.new(suffix)
        if kind == "model" and isinstance(data, Model):
            data.save(path)
        elif kind == "text" and isinstance(data, Counts):
            data.save(path)
        elif kind == "clusters" and isinstance(data, Clusters):
            data.write_paths(path)
        elif kind == "vectors" and isinstance(data, Vectors):
            data.save(path)
        else:
            with open(path, "w", encoding="utf-8", errors="strict", newline="\n") as file:
                try:
                    for part in _parts(data, kind):
                        file.write(part)
                except UnicodeEncodeError:
                    told = "replace them first, for example with text.encode('utf-8', 'replace').decode()"
                    raise DataError(f"the data has lone surrogates, which are no characters; {told}") from None
        return path


def _is_list(data: Data) -> bool:
    plain = (str, bytes, os.PathLike, Mapping, Counts, Document, Sentence, Model, Vectors)
    return isinstance(data, Iterable) and not isinstance(data, plain) and not _is_table(data)


def _is_path(data: Data, kind: Kind, *, alone: bool) -> bool:
    if isinstance(data, os.PathLike):
        return True
    if not isinstance(data, str) or "\n" in data:
        return False
    if data.lstrip().startswith("("):
        return False
    # In a list, a string is a sentence where sentences are expected.
    return alone or kind not in ("text",)


def _is_table(data: Data) -> bool:
    return hasattr(data, "column_names") or (hasattr(data, "columns") and hasattr(data, "to_dict"))


def _holds_trees(data: Data) -> bool:
    first = next(iter(data), None) if isinstance(data, list) else data
    return _is_tree(first)


def _is_tree(item: object) -> bool:
    if isinstance(item, str):
        return item.lstrip().startswith("(")
    return hasattr(item, "label") and hasattr(item, "__getitem__")


def _parts(data: Data, kind: Kind) -> Iterator[str]:
    """The text of the file, in parts."""
    if isinstance(data, str):
        yield data if data.endswith("\n") else data + "\n"
    elif kind == "trees":
        yield from (_tree(item) + "\n" for item in _items(data))
    elif kind == "clusters" and isinstance(data, Mapping):
        yield from (f"{bits}\t{word}\t1\n" for word, bits in data.items())
    elif kind in ("sentences", "labels"):
        if _is_table(data):
            yield from _table_sentences(data, _COLUMNS)
        elif _holds_trees(data):
            yield from (_tree(item) + "\n" for item in _items(data))
        else:
            yield from (_sentence(item) for item in _items(data))
    elif kind == "entities":
        if _is_table(data):
            yield from _table_entities(data)
        else:
            yield from (_entities(item) for item in _items(data))
    elif kind in ("text", "file"):
        yield from (_line(item) + "\n" for item in _items(data))
    else:
        raise TypeError(f"expected a path, not {type(data).__name__}")


def _items(data: Data) -> Iterable[Any]:
    return [data] if isinstance(data, (Document, Sentence)) or not isinstance(data, Iterable) else data


def _tree(item: Any) -> str:
    if isinstance(item, str):
        return item
    # nltk.Tree has a method of one line without margins; ours is one line anyway.
    flat = getattr(item, "pformat", None)
    text = flat(margin=10**9) if callable(flat) else str(item)
    return " ".join(str(text).split())


def _line(item: Any) -> str:
    text = item if isinstance(item, str) else " ".join(str(token) for token in item)
    return " ".join(text.split())


def _cell(value: object) -> str:
    if value is None or repr(value) in ("nan", "<NA>"):
        return "_"
    if isinstance(value, Mapping):
        return "|".join(f"{name}={item}" for name, item in value.items()) or "_"
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return str(value).replace("\t", " ").replace("\n", " ") or "_"


def _row(number: int, cells: Mapping[str, object]) -> str:
    return "\t".join([str(number), *(_cell(cells.get(name)) for name in _COLUMNS)])


def _sentence(item: Any) -> str:
    if isinstance(item, (Document, Sentence)):
        return item.to_conllu()
    if isinstance(item, str):
        return item if item.endswith("\n\n") else item.rstrip("\n") + "\n\n"
    rows = []
    for number, word in enumerate(item, 1):
        if isinstance(word, Mapping):
            rows.append(_row(number, word))
        elif isinstance(word, str):
            rows.append(_row(number, {"form": word}))
        else:
            form, tag = word
            rows.append(_row(number, {"form": form, "upos": tag, "xpos": tag}))
    return "\n".join(rows) + "\n\n"


def _entities(item: Any) -> str:
    if isinstance(item, Document):
        return "".join(_entities(sentence) for sentence in item)
    if isinstance(item, Sentence):
        tags = [word.misc.get("NER") or "O" for word in item]
        return "".join(f"{word.form}\t{tag}\n" for word, tag in zip(item, tags)) + "\n"
    if isinstance(item, str):
        return item if item.endswith("\n\n") else item.rstrip("\n") + "\n\n"
    return "".join(f"{word}\t{tag}\n" for word, tag in item) + "\n"


def _records(data: Data) -> list[dict[str, Any]]:
    """The rows of a table of pandas, polars or pyarrow."""
    if hasattr(data, "to_pylist"):
        rows: list[dict[str, Any]] = data.to_pylist()
    elif hasattr(data, "to_dicts"):
        rows = data.to_dicts()
    else:
        rows = data.to_dict("records")
    if rows and "form" not in rows[0]:
        found = ", ".join(str(name) for name in rows[0])
        raise ValueError(f"the table has no column `form` (it has {found}); rename the column with the words")
    if rows and "sentence" not in rows[0]:
        raise ValueError("the table has no column `sentence`, which tells the sentence of each word; add it")
    return rows


def _grouped(rows: list[dict[str, Any]]) -> Iterator[list[dict[str, Any]]]:
    group: list[dict[str, Any]] = []
    place: object = None
    for row in rows:
        here = (row.get("document"), row["sentence"])
        if group and here != place:
            yield group
            group = []
        place = here
        group.append(row)
    if group:
        yield group


def _table_sentences(data: Data, columns: tuple[str, ...]) -> Iterator[str]:
    for group in _grouped(_records(data)):
        yield "\n".join(_row(number, row) for number, row in enumerate(group, 1)) + "\n\n"


def _table_entities(data: Data) -> Iterator[str]:
    for group in _grouped(_records(data)):
        yield "".join(f"{row['form']}\t{row.get('entity') or 'O'}\n" for row in group) + "\n"
