"""Small models, trained once."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

import eigentree as et
from eigentree import _native

PATTERNS = [
    ("the old man saw a dog in the park .", "DET ADJ NOUN VERB DET NOUN ADP DET NOUN PUNCT", "3 3 4 0 6 4 9 9 4 4"),
    ("she gave him the red book .", "PRON VERB PRON DET ADJ NOUN PUNCT", "2 0 2 6 6 2 2"),
    ("dogs bark .", "NOUN VERB PUNCT", "2 0 2"),
    ("Anna lives in Berlin .", "PROPN VERB ADP PROPN PUNCT", "2 0 4 2 2"),
]
RELATIONS = {"DET": "det", "ADJ": "amod", "ADP": "case", "PUNCT": "punct", "PRON": "nsubj", "PROPN": "nsubj"}


def sentence(pattern: tuple[str, str, str]) -> str:
    """A sentence of CoNLL-U, without a space before the full stop."""
    words, tags, heads = (part.split() for part in pattern)
    text = " ".join(words[:-1]) + words[-1]
    rows = [f"# text = {text[0].upper() + text[1:]}"]
    for number, (word, tag, head) in enumerate(zip(words, tags, heads), 1):
        form = word[0].upper() + word[1:] if number == 1 else word
        relation = "root" if head == "0" else RELATIONS.get(tag, "obj")
        misc = "SpaceAfter=No" if number == len(words) - 1 else "_"
        rows.append(f"{number}\t{form}\t{word.lower()}\t{tag}\t{tag}\t_\t{head}\t{relation}\t_\t{misc}")
    return "\n".join(rows) + "\n\n"


@pytest.fixture(scope="session")
def conllu() -> str:
    """A treebank of a few patterns in random order."""
    chance = random.Random(1)
    return "".join(sentence(chance.choice(PATTERNS)) for _ in range(150))


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("models")


@pytest.fixture(scope="session")
def trees(folder: Path) -> Path:
    """Trees from the embedded grammar of English."""
    path = folder / "sample.ptb"
    _native.call(["sample", "english", "-n", "400", f"--output={path}"])
    return path


@pytest.fixture(scope="session")
def grammar(folder: Path, trees: Path) -> et.Parser:
    return et.train.lpcfg(trees, quality="fast", output=folder / "grammar.eig")


@pytest.fixture(scope="session")
def pipeline(folder: Path, conllu: str) -> et.Pipeline:
    return et.train.pipeline(conllu, parser="fast", folds=2, output=folder / "pipeline.eig")


@pytest.fixture(scope="session")
def text(trees: Path) -> list[str]:
    """The words of the trees, one sentence per item."""
    return [" ".join(et.Tree(line).words) for line in trees.read_text().splitlines()]
