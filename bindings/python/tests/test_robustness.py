"""What goes wrong says what to do."""

from __future__ import annotations

import gc
import json
import os
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

import eigentree as et


def test_files_that_are_no_models(tmp_path: Path, pipeline: et.Pipeline) -> None:
    with pytest.raises(FileNotFoundError, match="no such file") as missing:
        et.load(tmp_path / "gone.eig")
    assert isinstance(missing.value, et.EigentreeError)
    text = tmp_path / "a.txt"
    text.write_text("(S (NP dogs))\n")
    with pytest.raises(et.ModelError, match="not an Eigentree model"):
        et.load(text)
    assert pipeline.path is not None
    data = bytearray(Path(pipeline.path).read_bytes())
    bad = tmp_path / "bad.eig"
    for place in range(0, len(data), max(1, len(data) // 97)):
        damaged = data.copy()
        damaged[place] ^= 0x55
        bad.write_bytes(damaged)
        with pytest.raises(et.ModelError):
            et.load(bad)
    for length in (0, 1, 63, len(data) // 2, len(data) - 1):
        bad.write_bytes(data[:length])
        with pytest.raises(et.ModelError):
            et.load(bad)
    with pytest.raises(et.FileError):
        et.load(tmp_path)


@pytest.mark.parametrize(
    ("wrong", "advice"),
    [
        (b"bytes", "decode it first"),
        (bytearray(b"bytes"), "decode it first"),
        (["a", "list"], "pipe"),
        (None, "give a string"),
        (3, "give a string"),
    ],
)
def test_what_is_no_text(pipeline: et.Pipeline, wrong: object, advice: str) -> None:
    with pytest.raises(TypeError, match=advice):
        pipeline(wrong)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=advice):
        list(pipeline.pipe([wrong]))  # type: ignore[list-item]


def test_pipes_need_several_texts(pipeline: et.Pipeline) -> None:
    with pytest.raises(TypeError, match="several texts"):
        pipeline.pipe("one text")
    with pytest.raises(TypeError):
        pipeline.pipe(3)  # type: ignore[arg-type]


def test_lone_surrogates(pipeline: et.Pipeline) -> None:
    with pytest.raises(et.DataError, match="lone surrogates"):
        pipeline("a \ud800 b")


def test_lone_surrogates_anywhere(
    tmp_path: Path, pipeline: et.Pipeline, grammar: et.Parser, text: list[str]
) -> None:
    bad = "a\ud800"
    clusters, vectors = et.train.cluster(text, clusters=5, min_count=1)
    calls: list[Callable[[], object]] = [
        lambda: et.Document.from_conllu(bad),
        lambda: et.Document.from_json(bad),
        lambda: et.Tree(f"(S {bad})"),
        lambda: et.load(bad),
        lambda: pipeline.save(tmp_path / bad),
        lambda: list(pipeline.pipe([bad])),
        lambda: pipeline.annotate_tokens([[bad]]),
        lambda: grammar.inspect(bad),
        lambda: grammar.inspect(words=[bad]),
        lambda: grammar.array(bad),
        lambda: et.train.ner([[(bad, "O")]]),
        lambda: et.train.lpcfg(f"(S (NN {bad}))\n"),
        lambda: et.train.lpcfg(bad),
        lambda: et.train.lpcfg("(S (NN a))\n", quality=bad),  # type: ignore[arg-type]
        lambda: et.train.mst([[{"form": bad, "head": 0, "deprel": "root"}]]),
        lambda: et.train.cluster([bad]),
        lambda: et.evaluate(f"(S (NN {bad}))\n", "(S (NN a))\n"),
        lambda: et.Counts.from_texts([bad]),
        lambda: et.Counts.load(bad),
        lambda: clusters.get(bad),
        lambda: clusters.score([bad]),
        lambda: et.Vectors([bad], np.ones((1, 2))).save(tmp_path / "v.txt"),
        lambda: et.Vectors([bad], np.ones((1, 2))).save(tmp_path / "v.npy"),
        lambda: et.Vectors.load(tmp_path / bad),
    ]
    for number, call in enumerate(calls):
        try:
            call()
        except et.EigentreeError:
            continue
        except Exception as error:
            pytest.fail(f"call {number}: {type(error).__name__}: {error}")
        pytest.fail(f"call {number} took it")
    assert not list(tmp_path.iterdir())


def test_batches_that_are_none(pipeline: et.Pipeline) -> None:
    pa = pytest.importorskip("pyarrow")
    with pytest.raises(TypeError, match="record batches"):
        list(pipeline.pipe_arrow("abc"))
    batch = pa.record_batch({"other": ["a"], "number": [1]})
    with pytest.raises(et.OptionError, match="there are other, number"):
        list(pipeline.pipe_arrow([batch]))
    with pytest.raises(et.DataError, match="int64"):
        list(pipeline.pipe_arrow([batch], "number"))


def test_a_stream_that_two_threads_ask(pipeline: et.Pipeline) -> None:
    count = 2_000
    stream = pipeline.pipe(["Dogs bark."] * count, threads=2)
    found: list[et.Document] = []
    wrong: list[BaseException] = []

    def ask() -> None:
        while True:
            try:
                found.append(next(stream))
            except StopIteration:
                return
            except et.EigentreeError as error:
                assert "another thread" in str(error)
            except BaseException as error:
                wrong.append(error)
                return

    threads = [threading.Thread(target=ask) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong and len(found) == count

    # Texts that ask the stream that reads them.
    def texts() -> Iterator[str]:
        yield "Dogs bark."
        yield next(own).text

    own = pipeline.pipe(texts())
    with pytest.raises(et.EigentreeError, match="its own texts"):
        list(own)


def test_vectors_keep_nothing_of_the_caller(tmp_path: Path) -> None:
    matrix = np.ones((1, 2), dtype=np.float32)
    vectors = et.Vectors(["a"], matrix)
    matrix[0, 0] = 5
    assert vectors["a"].tolist() == [1, 1]
    for name in ("v.txt", "v.bin", "v.npy"):
        vectors.save(tmp_path / name)
        assert et.Vectors.load(tmp_path / name) == vectors


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("v.bin", b""),
        ("v.bin", b"1\n"),
        ("v.bin", b"x y\n"),
        ("v.bin", b"-1 2\n"),
        ("v.bin", b"1000000000 1000000000\n"),
        ("v.bin", b"1 1\nab"),
        ("v.bin", b"1 1\n\xff \0\0\0\0"),
        ("v.bin", b"1 2\na \0\0\0\0"),
        ("v.npy", b""),
        ("v.npy", b"\x93NUMPY\x01\x00"),
        ("v.txt", b"\xff 1\n"),
    ],
)
def test_damaged_vectors(tmp_path: Path, name: str, data: bytes) -> None:
    (tmp_path / "v.words").write_text("a\n")
    (tmp_path / name).write_bytes(data)
    with pytest.raises(et.EigentreeError):
        et.Vectors.load(tmp_path / name)


@pytest.mark.parametrize("text", ["", " ", "\n\n", "\t \u2003"])
def test_empty_texts_are_empty_documents(pipeline: et.Pipeline, grammar: et.Parser, text: str) -> None:
    assert len(pipeline(text)) == 0 and pipeline(text).text == text
    assert len(grammar(text)) == 0
    assert pipeline(text).words == [] and pipeline(text).to_conllu() == ""


@pytest.mark.parametrize(
    "text",
    ["\x00", "a\x00b \x07.", "\ufeffDogs bark.", "🦮🦮 bark 𝔘𝔫𝔦𝔠𝔬𝔡𝔢.", "e\u0301 \u200d\u200f\u202e", "a\r\nb\rc\u2028d", "_ _ # = |"],
)
def test_strange_texts_are_annotated(pipeline: et.Pipeline, text: str) -> None:
    document = pipeline(text)
    for word in document.words:
        assert word.start_char is not None
    assert et.Document.from_json(document.to_json()) == document


def test_places_that_end_before_they_start_are_no_text() -> None:
    word = {"id": 1, "form": "a", "start_char": 5, "end_char": 2}
    assert len(et.Document.from_json(json.dumps({"sentences": [{"words": [word]}]}))) == 1


def test_vectors_that_cannot_be_read_again_are_not_written(tmp_path: Path) -> None:
    for word in ["a b", "a\n", ""]:
        with pytest.raises(et.DataError):
            et.Vectors([word], np.ones((1, 2))).save(tmp_path / "v.txt")
    with pytest.raises(et.MissingFileError):
        et.Vectors.load(tmp_path / "nowhere.txt")
    with pytest.raises(et.DataError):
        et.Vectors(["a"], np.ones((2, 2)))
    (tmp_path / "v.txt").write_text("a 1 2\nb 3 x\n")
    with pytest.raises(et.DataError, match="line 2"):
        et.Vectors.load(tmp_path / "v.txt")


def test_ten_megabytes_in_one_string(pipeline: et.Pipeline) -> None:
    text = "The old man saw a dog in the park. Dogs bark.\n\n" * (10_000_000 // 47)
    document = pipeline(text)
    assert len(document) == 2 * (10_000_000 // 47)
    last = document[-1][0]
    assert last.start_char is not None and text[last.start_char : last.end_char] == "Dogs"


def test_options_are_checked_with_their_python_names(trees: Path) -> None:
    with pytest.raises(et.OptionError, match="'states <M>': 999 is not in 1..=256"):
        et.train.lpcfg(trees, states=999)
    with pytest.raises(et.OptionError, match="invalid value 'worst' for 'quality"):
        et.train.lpcfg(trees, quality="worst")  # type: ignore[arg-type]
    with pytest.raises(et.OptionError, match="^em_steps|^states does not apply to learner pcfg"):
        et.train.lpcfg(trees, learner="pcfg", states=3)
    with pytest.raises(TypeError, match="unexpected keyword"):
        et.train.lpcfg(trees, stats=3)  # type: ignore[call-arg]


def test_data_is_checked(tmp_path: Path) -> None:
    with pytest.raises(et.DataError, match=":2"):
        et.train.lpcfg("(S (NP (NN dogs)) (VP (VBP bark)))\n(S (NP\n")
    with pytest.raises(FileNotFoundError):
        et.train.lpcfg(tmp_path / "gone.ptb")
    with pytest.raises(et.DataError):
        et.train.mst("1\tdogs\n\n")
    with pytest.raises(ValueError, match="no column `form`"):
        et.train.mst(Table())


class Table:
    """Looks like a table of pandas."""

    columns = ["word"]

    def to_dict(self, orient: str) -> list[dict[str, str]]:
        return [{"word": "dogs"}]


def test_models_of_another_family(tmp_path: Path, text: list[str]) -> None:
    clusters, _ = et.train.cluster(text, clusters=5, min_count=1)
    with pytest.raises(TypeError):
        clusters("text")  # type: ignore[operator]
    with pytest.raises(et.DataError, match="no array"):
        clusters.array("nothing")


def resident() -> float:
    """Megabytes of memory that the process holds."""
    gc.collect()
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="the system does not tell the memory of a process")
def test_memory_does_not_grow(pipeline: et.Pipeline) -> None:
    def documents(count: int) -> None:
        for _ in range(count):
            pipeline("The old man saw a dog in the park. Dogs bark.").to_dict()

    def loads(count: int) -> None:
        assert pipeline.path is not None
        for _ in range(count):
            et.load(pipeline.path)

    for work, first, all_together in ((documents, 2_000, 10_000), (loads, 200, 1_000)):
        work(first)
        before = resident()
        work(all_together - first)
        # A leak of one small document or of one model each time would be many times as much.
        assert resident() - before < 3, work.__name__


def test_there_is_no_member_0(grammar: et.Parser) -> None:
    with pytest.raises(et.EigentreeError, match="from 1"):
        grammar.inspect(member=0)
