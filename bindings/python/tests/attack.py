"""An attack on the boundary between Python and the library, under atheris: `cargo xtask fuzz --minutes 10 python`.

Bytes of the fuzzer become strings (with lone surrogates), lists, numbers and files, and go to the functions of the package. They may
raise the exceptions of the package, `TypeError`, `KeyError`, `IndexError` or `OverflowError`; anything else is a defect, and so
is a crash.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import Any

import atheris  # type: ignore[import-not-found, import-untyped, unused-ignore]

with atheris.instrument_imports(include=["eigentree"]):
    import eigentree as et
    from eigentree import _native

import numpy as np

ALLOWED = (et.EigentreeError, TypeError, KeyError, IndexError, OverflowError)
FOLDER = Path(tempfile.mkdtemp(prefix="eigentree-attack-"))


def models() -> list[Any]:
    trees = et.sample("english", 60)
    grammar = et.train.lpcfg(trees, quality="fast")
    words = [" ".join(tree.words) for tree in trees]
    clusters, _ = et.train.cluster(words, clusters=5, min_count=1)
    sentences = [
        [{"form": word, "upos": "X", "head": at, "deprel": "dep" if at else "root"} for at, word in enumerate(line.split())]
        for line in words[:20]
    ]
    return [grammar, clusters, et.train.tagger(sentences), et.train.automaton(words, rank=2)]


GRAMMAR, CLUSTERS, TAGGER, AUTOMATON = models()
FILES = [Path(FOLDER / f"{number}.eig") for number in range(4)]
for model, path in zip((GRAMMAR, CLUSTERS, TAGGER, AUTOMATON), FILES):
    model.save(path)
BYTES = [path.read_bytes() for path in FILES]


def texts(data: Any) -> list[str]:
    return [data.ConsumeUnicode(data.ConsumeIntInRange(0, 40)) for _ in range(data.ConsumeIntInRange(0, 6))]


def number(data: Any) -> int:
    return int(data.PickValueInList([0, 1, -1, 2, 100, 2**31, 2**32, 2**63, 2**64, -(2**63)]))


def vectors(data: Any) -> None:
    path = FOLDER / str(data.PickValueInList(["v.txt", "v.bin", "v.npy"]))
    (FOLDER / "v.words").write_bytes(data.ConsumeBytes(20))
    path.write_bytes(data.ConsumeBytes(200))
    et.Vectors.load(path).nearest(data.ConsumeUnicode(5), 3)


def damaged(data: Any) -> None:
    content = bytearray(data.PickValueInList(BYTES))
    for _ in range(data.ConsumeIntInRange(1, 4)):
        content[data.ConsumeIntInRange(0, len(content) - 1)] ^= data.ConsumeIntInRange(1, 255)
    _native.model_from_bytes(bytes(content))


def counts(data: Any) -> None:
    made = et.Counts.from_texts(texts(data), distance=data.ConsumeIntInRange(0, 5), vocab=number(data))
    made.pair(data.ConsumeUnicode(3), data.ConsumeUnicode(3), number(data))
    et.Counts.from_bytes(made.to_bytes())


def columns(data: Any) -> None:
    array = np.array([data.ConsumeIntInRange(0, 4) for _ in range(data.ConsumeIntInRange(0, 5))], dtype=np.uint32)
    et.Counts.from_columns(texts(data), array.astype(np.uint64), [(array, array[::-1].copy(), array.astype(np.uint64))])


def rows(data: Any) -> None:
    offsets = np.array([data.ConsumeIntInRange(-2, 12) for _ in range(4)], dtype=np.int64)
    _native.annotate_rows(TAGGER, offsets, np.frombuffer(data.ConsumeBytes(10), dtype=np.uint8), None)


ATTACKS = [
    lambda data: et.Document.from_conllu(data.ConsumeUnicode(300)).to_json(),
    lambda data: et.Document.from_json(data.ConsumeUnicode(300)).to_conllu(),
    lambda data: et.Document.from_conllu(data.ConsumeBytes(300).decode("utf-8", "surrogateescape")),
    lambda data: et.Tree(data.ConsumeUnicode(200)).to_svg(),
    lambda data: et.Tree("(S " + "(A " * data.ConsumeIntInRange(0, 2000) + ")"),
    lambda data: GRAMMAR(data.ConsumeUnicode(100), nbest=data.ConsumeIntInRange(0, 5), confidence=data.ConsumeBool()).to_dict(),
    lambda data: TAGGER(data.ConsumeUnicode(200)).to_columns(),
    lambda data: list(TAGGER.pipe(texts(data), threads=data.ConsumeIntInRange(1, 2))),
    lambda data: GRAMMAR.annotate_tokens([texts(data)]),
    lambda data: GRAMMAR.inspect(*texts(data), member=number(data), words=texts(data), top=number(data)),
    lambda data: GRAMMAR.active_states(texts(data)),
    lambda data: CLUSTERS.get(data.ConsumeUnicode(5), length=number(data)),
    lambda data: CLUSTERS.below(data.ConsumeUnicode(5)),
    lambda data: CLUSTERS.score(texts(data)),
    lambda data: CLUSTERS.to_svg(depth=data.ConsumeIntInRange(0, 9), words=data.ConsumeIntInRange(0, 9)),
    lambda data: AUTOMATON.predict(texts(data), number(data)),
    lambda data: AUTOMATON.log_probability(texts(data)),
    lambda data: TAGGER.array(data.ConsumeUnicode(5)),
    lambda data: _native.model_from_bytes(data.ConsumeBytes(200)),
    lambda data: et.load(data.ConsumeUnicode(10)),
    vectors,
    damaged,
    counts,
    columns,
    rows,
]


def attack(given: bytes) -> None:
    data = atheris.FuzzedDataProvider(given)
    try:
        ATTACKS[data.ConsumeIntInRange(0, len(ATTACKS) - 1)](data)
    except ALLOWED:
        pass


if __name__ == "__main__":
    atheris.Setup(sys.argv, attack)
    atheris.Fuzz()
