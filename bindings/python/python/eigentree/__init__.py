"""Latent-variable models of language learnt by spectral methods: parsers, taggers, word clusters, sequence models.

    import eigentree as et

    parser = et.train.lpcfg("train.ptb")                  # or load a model: et.load("en.eig")
    document = parser("the dog saw a cat .")
    print(document[0].tree)

Models are immutable and shared by threads. Work releases the interpreter lock, runs on one thread unless told otherwise,
and stops at Ctrl-C.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from ._native import (
    Alternative,
    Annotator,
    Clusters,
    Counts,
    Document,
    Entity,
    Model,
    Parser,
    Pipeline,
    Sentence,
    SequenceModel,
    Tagger,
    Tree,
    Word,
    __version__,
    load,
)
from .exceptions import DataError, EigentreeError, FileError, MissingFileError, ModelError, OptionError

if TYPE_CHECKING:
    from . import compare, train
    from .evaluation import evaluate
    from .report import Report
    from .sampling import sample
    from .vectors import Vectors

__all__ = [
    "Alternative",
    "Annotator",
    "Clusters",
    "Counts",
    "DataError",
    "Document",
    "EigentreeError",
    "Entity",
    "FileError",
    "MissingFileError",
    "Model",
    "ModelError",
    "OptionError",
    "Parser",
    "Pipeline",
    "Report",
    "Sentence",
    "SequenceModel",
    "Tagger",
    "Tree",
    "Vectors",
    "Word",
    "__version__",
    "compare",
    "evaluate",
    "load",
    "sample",
    "train",
]

# Imported when they are first used, so that `import eigentree` stays fast: numpy alone takes longer than all the rest.
_LATER = {
    "train": ("eigentree.train", None),
    "compare": ("eigentree.compare", None),
    "evaluate": ("eigentree.evaluation", "evaluate"),
    "Report": ("eigentree.report", "Report"),
    "sample": ("eigentree.sampling", "sample"),
    "Vectors": ("eigentree.vectors", "Vectors"),
    "sklearn": ("eigentree.sklearn", None),
    "spacy": ("eigentree.spacy", None),
    "nltk": ("eigentree.nltk", None),
    "arrow": ("eigentree.arrow", None),
    "kernels": ("eigentree.kernels", None),
    "spark": ("eigentree.spark", None),
}


def __getattr__(name: str) -> Any:
    if name not in _LATER:
        raise AttributeError(f"module 'eigentree' has no attribute {name!r}")
    module, attribute = _LATER[name]
    found = importlib.import_module(module)
    value = found if attribute is None else getattr(found, attribute)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
