"""Files that executors need, shipped once by Spark."""

from __future__ import annotations

import os
import tempfile
from typing import Any

from .. import _native
from .._native import Annotator, Model
from ..kernels import shared_model

__all__ = ["Shipped", "ship"]

# Executors fetch files when their first task runs, so that they must exist as long as this process does.
_folder: tempfile.TemporaryDirectory[str] | None = None


class Shipped:
    """A model that executors find under a name of its own. Two models with equal file names do not meet."""

    def __init__(self, name: str, checksum: int) -> None:
        self.name = name
        self.checksum = checksum

    def load(self) -> Any:
        """The model, in a task: mapped once per process."""
        from pyspark import SparkFiles

        return shared_model(SparkFiles.get(self.name), self.checksum)


def ship(spark: Any, model: str | os.PathLike[str] | Model) -> Shipped:
    """Adds a model to the files of a Spark session."""
    global _folder
    loaded = model if isinstance(model, Model) else _native.load(model)
    if not isinstance(loaded, Annotator):
        raise TypeError(f"expected a model that annotates text, not {loaded.description}")
    name = f"eigentree-{loaded.checksum:08x}-{loaded.nbytes}.eig"
    if _folder is None:
        _folder = tempfile.TemporaryDirectory(prefix="eigentree-spark-")
    path = os.path.join(_folder.name, name)
    if not os.path.exists(path):
        loaded.save(path)
    spark.sparkContext.addFile(path)
    return Shipped(name, loaded.checksum)
