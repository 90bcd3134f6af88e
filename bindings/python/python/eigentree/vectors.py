"""Word vectors: a matrix with a row per word."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
import numpy.typing as npt

from .exceptions import DataError, EigentreeError, FileError, MissingFileError

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
        # A copy: what becomes of the caller's array must not change these vectors.
        self._keep(list(words), np.array(matrix, dtype=np.float32))

    def _keep(self, words: list[str], array: npt.NDArray[np.float32]) -> None:
        if array.ndim != 2 or len(array) != len(words):
            raise DataError(f"expected one row per word: {len(words)} words, but an array of shape {array.shape}")
        self.words: list[str] = words
        self.matrix: npt.NDArray[np.float32] = array.view()
        self.matrix.flags.writeable = False
        self._rows = {word: row for row, word in reversed(list(enumerate(self.words)))}
        self._unit: npt.NDArray[np.float32] | None = None

    @classmethod
    def _of(cls, words: list[str], array: npt.NDArray[np.float32]) -> Vectors:
        """Vectors that keep this very array."""
        vectors = cls.__new__(cls)
        vectors._keep(words, array)
        return vectors

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Vectors:
        """Reads `.npy` (mapped into memory, with the words in a second file ending in `.words`), or word2vec's text or
        binary format (`.bin`)."""
        path = Path(path)
        try:
            if path.suffix == ".npy":
                words = path.with_suffix(".words").read_text(encoding="utf-8").split("\n")
                if words and not words[-1]:
                    words.pop()
                return cls._of(words, np.asanyarray(np.load(path, mmap_mode="r"), dtype=np.float32))
            if path.suffix == ".bin":
                return cls._load_binary(path)
            return cls._load_text(path)
        except EigentreeError:
            raise
        except FileNotFoundError as error:
            raise MissingFileError(f"there is no file {error.filename}; check the name") from None
        except OSError as error:
            raise FileError(f"cannot read {path}: {error}") from None
        except (EOFError, ValueError) as error:
            # Names and texts that cannot be decoded are among them.
            raise DataError(f"{path} does not hold word vectors: {error}") from None

    @classmethod
    def _load_text(cls, path: Path) -> Vectors:
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
        return cls._of(found, np.stack(rows) if rows else np.zeros((0, 0), dtype=np.float32))

    @classmethod
    def _load_binary(cls, path: Path) -> Vectors:
        data = path.read_bytes()
        end = data.index(b"\n")
        count, size = (int(number) for number in data[:end].split())
        # A row has at least a word of one byte, a blank and its numbers.
        if count < 0 or size < 0 or count * (4 * size + 2) > len(data):
            raise DataError(f"{path} announces {count} vectors of {size} numbers, more than it can hold")
        words, matrix, at = [], np.empty((count, size), dtype=np.float32), end + 1
        for row in range(count):
            space = data.index(b" ", at)
            words.append(data[at:space].decode("utf-8").lstrip("\n"))
            at = space + 1 + 4 * size
            if at > len(data):
                raise DataError(f"{path} ends within vector {row + 1} of {count}")
            matrix[row] = np.frombuffer(data[space + 1 : at], dtype="<f4")
        return cls._of(words, matrix)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes `.npy` with `.words` beside it, `.bin`, or else the text format of word2vec; gensim reads the last two.

        A file appears under its name when it is complete."""
        path = Path(path)
        breaks = "\n" if path.suffix == ".npy" else " \n"
        encoded = []
        for word in self.words:
            if not word or any(character in word for character in breaks):
                told = "it is empty, or the format separates words there"
                raise DataError(f"the word {word!r} cannot be written: {told}")
            try:
                encoded.append(word.encode())
            except UnicodeEncodeError:
                told = "it has lone surrogates, which are no characters"
                raise DataError(f"the word {word!r} cannot be written: {told}") from None
        try:
            if path.suffix == ".npy":
                _write(path, lambda file: np.save(file, self.matrix))
                _write(path.with_suffix(".words"), lambda file: file.writelines(word + b"\n" for word in encoded))
                return
            binary = path.suffix == ".bin"
            _write(path, lambda file: self._write_rows(file, encoded, binary))
        except OSError as error:
            raise FileError(f"cannot write {path}: {error}") from None

    def _write_rows(self, file: BinaryIO, words: list[bytes], binary: bool) -> None:
        file.write(f"{len(words)} {self.dimension}\n".encode())
        for word, row in zip(words, self.matrix):
            numbers = row.astype("<f4").tobytes() if binary else " ".join(map(repr, row.tolist())).encode()
            file.write(word + b" " + numbers + b"\n")

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


def _write(path: Path, write: Callable[[BinaryIO], object]) -> None:
    """Writes a file beside its place and moves it there."""
    if path.exists() and not path.is_file():
        # A device or a pipe is written, not replaced.
        with open(path, "wb") as file:
            write(file)
        return
    handle, name = tempfile.mkstemp(dir=path.resolve().parent, prefix=".eigentree-", suffix=".part")
    try:
        with open(handle, "wb") as file:
            write(file)
        # Temporary files are private; this one gets the rights of a new file, or of the one that it replaces.
        mask = os.umask(0)
        os.umask(mask)
        os.chmod(name, path.stat().st_mode if path.exists() else 0o666 & ~mask)
        os.replace(name, path.resolve())
    except BaseException:
        os.unlink(name)
        raise
