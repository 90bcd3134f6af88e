"""Exceptions of the package. Each is also one of Python's own, so that either can be caught."""

__all__ = [
    "DataError",
    "EigentreeError",
    "FileError",
    "MissingFileError",
    "ModelError",
    "OptionError",
]


class EigentreeError(Exception):
    """Anything that went wrong. The message says what to do about it."""


class FileError(EigentreeError, OSError):
    """A file that cannot be read or written."""


class MissingFileError(FileError, FileNotFoundError):
    """A file that does not exist."""


class ModelError(EigentreeError, ValueError):
    """A file that is no model, a damaged model, or a model of another family than is needed."""


class DataError(EigentreeError, ValueError):
    """Data that does not follow its format, or that nothing can be learnt from."""


class OptionError(EigentreeError, ValueError):
    """Options with wrong values, or that contradict each other."""
