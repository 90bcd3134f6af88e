"""Word vectors: a matrix with a row per word."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from .exceptions import DataError, MissingFileError

__all__ = ["Vectors"]


class Vectors:
    """Word vectors, read-only.

    >>> import numpy as np
    >>> vectors = Vectors(["dog", "cat", "the"], np.array([[1, 0.1], [1, 0.2], [0, 1]]))
    >>> vectors["cat"]
    array([1. , 0.2], dtype=float32)
    >>> [word for word, similarity in vectors.nearest("dog", 1)]
    ['cat']
    """

    def __init__(self, words: Sequence[str], matrix: npt.ArrayLike) -> None:
        array = np.asarray(matrix, dtype=np.float32)
        if array.ndim != 2 or len(array) != len(words):
            raise DataError(f"expected one row per word: {len(words)} words, but an array of shape {array.shape}")
        self.words: list[str] = list(words)
        self.matrix: npt.NDArray[np.float32] = array.view()
        self.matrix.flags.writeable = False
        self._rows = {word: row for row, word in reversed(list(enumerate(self.words)))}
        self._unit: npt.NDArray[np.float32] | None = None

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Vectors:
        """Reads `.npy` (mapped into memory, with the words in a second file ending in `.words`), or word2vec's text or
        binary format (`.bin`)."""
        path = Path(path)
        if not path.exists():
            raise MissingFileError(f"there is no file {path}; check the name")
        if path.suffix == ".npy":
            words = path.with_suffix(".words").read_text(encoding="utf-8").split("\n")
            if words and not words[-1]:
                words.pop()
            return cls(words, np.load(path, mmap_mode="r"))
        if path.suffix == ".bin":
            return cls._load_binary(path)
        found: list[str] = []
        rows: list[npt.NDArray[np.float32]] = []
        with open(path, encoding="utf-8") as file:
            for number, line in enumerate(file):
                cells = line.rstrip("\n").split(" ")
                if number == 0 and len(cells) == 2:
                    continue
                found.append(cells[0])
                try:
                    rows.append(np.array(cells[1:], dtype=np.float32))
                except ValueError as error:
                    told = f"expected a word and numbers, separated by blanks ({error})"
                    raise DataError(f"{path}, line {number + 1}: {told}") from None
                if len(rows[-1]) != len(rows[0]):
                    told = f"{len(rows[-1])} numbers, but {len(rows[0])} in the lines before"
                    raise DataError(f"{path}, line {number + 1}: {told}")
        return cls(found, np.stack(rows) if rows else np.zeros((0, 0)))

    @classmethod
    def _load_binary(cls, path: Path) -> Vectors:
        data = path.read_bytes()
        end = data.index(b"\n")
        count, size = (int(number) for number in data[:end].split())
        words, matrix, at = [], np.empty((count, size), dtype=np.float32), end + 1
        for row in range(count):
            space = data.index(b" ", at)
            words.append(data[at:space].decode("utf-8").lstrip("\n"))
            at = space + 1 + 4 * size
            matrix[row] = np.frombuffer(data[space + 1 : at], dtype="<f4")
        return cls(words, matrix)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes `.npy` with `.words` beside it, `.bin`, or else the text format of word2vec; gensim reads the last two."""
        path = Path(path)
        breaks = "\n" if path.suffix == ".npy" else " \n"
        for word in self.words:
            if not word or any(character in word for character in breaks):
                told = "it is empty, or the format separates words there"
                raise DataError(f"the word {word!r} cannot be written: {told}")
        if path.suffix == ".npy":
            np.save(path, self.matrix)
            path.with_suffix(".words").write_text("".join(f"{word}\n" for word in self.words), encoding="utf-8")
            return
        header = f"{len(self.words)} {self.dimension}\n".encode()
        with open(path, "wb") as file:
            file.write(header)
            for word, row in zip(self.words, self.matrix):
                if path.suffix == ".bin":
                    file.write(word.encode() + b" " + row.astype("<f4").tobytes() + b"\n")
                else:
                    file.write((word + " " + " ".join(map(repr, row.tolist())) + "\n").encode())

    @property
    def dimension(self) -> int:
        """Length of a vector."""
        return int(self.matrix.shape[1])

    def nearest(self, word: str | npt.ArrayLike, n: int = 10) -> list[tuple[str, float]]:
        """The words with the most similar vectors by the cosine, without the word itself."""
        unit = self._unit
        if unit is None:
            norms = np.linalg.norm(self.matrix, axis=1, keepdims=True)
            unit = (self.matrix / np.where(norms > 0, norms, 1)).astype(np.float32)
            self._unit = unit
        own = self._rows[word] if isinstance(word, str) else None
        target = unit[own] if own is not None else np.asarray(word, dtype=np.float32)
        length = float(np.linalg.norm(target))
        scores = unit @ (target / length if length > 0 else target)
        if own is not None:
            scores[own] = -np.inf
        n = min(n, len(scores) - (own is not None))
        best = np.argpartition(-scores, n - 1)[:n] if 0 < n < len(scores) else np.arange(len(scores))[:n]
        best = best[np.argsort(-scores[best], kind="stable")]
        return [(self.words[row], float(scores[row])) for row in best]

    def get(self, word: str, default: Any = None) -> Any:
        """The vector of a word, or `default`."""
        row = self._rows.get(word)
        return default if row is None else self.matrix[row]

    def rows(self, words: Iterable[str]) -> npt.NDArray[np.float32]:
        """The vectors of some words, zeros for words without one."""
        found = [self._rows.get(word, -1) for word in words]
        matrix = self.matrix[found]
        matrix[[row < 0 for row in found]] = 0
        return matrix

    def __getitem__(self, word: str) -> npt.NDArray[np.float32]:
        vector: npt.NDArray[np.float32] = self.matrix[self._rows[word]]
        return vector

    def __contains__(self, word: object) -> bool:
        return word in self._rows

    def __iter__(self) -> Iterator[str]:
        return iter(self.words)

    def __len__(self) -> int:
        return len(self.words)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Vectors):
            return NotImplemented
        return self.words == other.words and np.array_equal(self.matrix, other.matrix)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"<Vectors of {len(self)} words, dimension {self.dimension}>"
