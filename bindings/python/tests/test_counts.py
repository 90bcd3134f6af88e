"""Counts, their tables, and the partition kernels."""

from __future__ import annotations

import pickle
import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import eigentree as et
from eigentree import _native

pa = pytest.importorskip("pyarrow")


def lines(number: int = 300, seed: int = 1) -> list[str]:
    """Lines with many ties, empty ones, and words beyond ASCII."""
    chance = random.Random(seed)
    words = [f"w{index}" for index in range(40)] + ["é", "ß", "日本", "🦮", "<unk>x", "_"]
    weights = [1 / (1 + index) for index in range(len(words))]
    return [" ".join(chance.choices(words, weights, k=chance.randrange(9))) for _ in range(number)]


def batches(rows: list[str | None], size: int = 37, kind: Any = None) -> list[Any]:
    array = pa.array(rows, kind or pa.string())
    table = pa.table({"text": array})
    return list(table.to_batches(max_chunksize=size))


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("counts") / "text.txt"
    path.write_text("\n".join(lines()) + "\n", encoding="utf-8")
    return path


def command(file: Path, *options: str) -> et.Counts:
    """What `eigentree count` makes."""
    output = file.with_suffix(".eigc")
    _native.call(["count", str(file), f"--output={output}", *options])
    return et.Counts.load(output)


LIMITS: list[dict[str, Any]] = [{}, {"vocab": 7}, {"min_count": 9}, {"vocab": 12, "min_count": 3, "unknown": "other"}]


def options(limit: dict[str, Any]) -> list[str]:
    return [f"--{name.replace('_', '-')}={value}" for name, value in limit.items()]


@pytest.mark.parametrize("limit", LIMITS)
@pytest.mark.parametrize("boundaries", ["lines", "none"])
@pytest.mark.parametrize("distance", [1, 3])
def test_counts_are_those_of_the_program(file: Path, limit: dict[str, Any], boundaries: str, distance: int) -> None:
    wanted = command(file, f"--distance={distance}", f"--boundaries={boundaries}", *options(limit))
    common: dict[str, Any] = {"distance": distance, "boundaries": boundaries}
    assert et.Counts.from_files([file], **common, **limit) == wanted
    assert et.Counts.from_texts(lines(), **common, **limit) == wanted
    assert et.Counts.from_texts(["\n".join(lines())], **common, **limit, threads=2) == wanted
    # In partitions of uneven sizes, one of them empty, over all words and over a vocabulary known beforehand.
    text = lines()
    parts = [text[:1], text[1:200], [], text[200:]]
    counted = [et.kernels.count(batches([*part]), **common) for part in parts]
    total = et.kernels.join(counted)
    assert total is not None and total.limited(**limit) == wanted
    words = et.kernels.join(part.without_pairs() for part in counted)
    assert words is not None
    kept = words.limited(**limit)
    limited = et.kernels.join(et.kernels.count(batches([*part]), kept=kept, **common) for part in parts)
    assert limited == wanted and limited is not None and limited.unknown == wanted.unknown


def test_saved_counts_are_the_file_of_the_program(file: Path, tmp_path: Path) -> None:
    wanted = command(file, "--vocab=10")
    size = et.Counts.from_files([file], vocab=10).save(tmp_path / "a.eigc")
    assert (tmp_path / "a.eigc").read_bytes() == file.with_suffix(".eigc").read_bytes()
    assert size == file.with_suffix(".eigc").stat().st_size
    assert pickle.loads(pickle.dumps(wanted)) == wanted
    paths = []
    for data in (wanted, file.with_suffix(".eigc"), str(tmp_path / "a.eigc")):
        clusters, _ = et.train.cluster(data, clusters=4)
        paths.append(clusters.paths())
    assert paths[0] == paths[1] == paths[2]


def test_counts_as_objects(file: Path) -> None:
    counts = et.Counts.from_texts(["a b a b", "a c"])
    assert counts.words == ["a", "b", "c"] and counts["a"] == 3 and "c" in counts and len(counts) == 3
    assert counts.counts.tolist() == [3, 2, 1] and counts.tokens == 6 and counts.n_pairs == 5
    assert counts.pair("a", "b") == 2 and counts.pair("a", "a", 2) == 1 and counts.pair("x", "a") == 0
    assert (counts + counts)["a"] == 6
    offsets, right, count = counts.rows(1)
    assert offsets.tolist() == [0, 2, 3, 3] and right.tolist() == [1, 2, 0] and count.tolist() == [2, 1, 1]
    assert not right.flags.writeable
    with pytest.raises(KeyError):
        counts["x"]
    with pytest.raises(et.DataError, match="distances 1 to 2"):
        counts.rows(3)
    with pytest.raises(et.OptionError, match="at least 1"):
        et.Counts.from_texts([], distance=0)
    with pytest.raises(et.OptionError, match="neither"):
        et.Counts.from_texts([], boundaries="words")
    with pytest.raises(et.DataError, match="different words"):
        counts.limited(vocab=1) + counts
    with pytest.raises(et.DataError, match="not a count file"):
        et.Counts.load(file)
    with pytest.raises(et.DataError, match="not in the vocabulary"):
        counts.over(et.Counts.from_texts(["a"]))
    data = bytearray(counts.to_bytes())
    for place in range(0, len(data), 41):
        damaged = data.copy()
        damaged[place] ^= 0x55
        with pytest.raises(et.DataError):
            et.Counts.from_bytes(bytes(damaged))
    sample = "the dog saw a cat\n".encode() * 1000
    assert et.Counts.estimate_memory(sample, 10**9) > et.Counts.estimate_memory(sample, 10**6) > 10**6


@pytest.mark.parametrize("limit", [{}, {"vocab": 7}])
def test_tables_round_trip(limit: dict[str, Any]) -> None:
    counts = et.Counts.from_texts(lines(), distance=3, boundaries="none", **limit)
    vocabulary, pairs = counts.to_arrow()
    assert vocabulary.schema.equals(et.arrow.VOCABULARY) and pairs.schema.equals(et.arrow.PAIRS)
    assert vocabulary.num_rows == len(counts) and pairs.num_rows == counts.n_pairs
    vocabulary.validate(full=True)
    pairs.validate(full=True)
    assert et.Counts.from_arrow(vocabulary, pairs) == counts
    # In any order, without metadata, in the types of other libraries.
    order = np.random.default_rng(1).permutation(pairs.num_rows)
    mixed = pairs.take(pa.array(order)).replace_schema_metadata(None)
    named = {"boundaries": "none", "unknown": counts.unknown}
    assert et.Counts.from_arrow(vocabulary.replace_schema_metadata(None).slice(0), mixed, **named) == counts
    polars = pytest.importorskip("polars")
    frames = polars.from_arrow(vocabulary).sort("word"), polars.from_arrow(mixed)
    assert et.Counts.from_arrow(*frames, **named) == counts
    pandas = pytest.importorskip("pandas")
    assert et.Counts.from_arrow(vocabulary.to_pandas(), mixed.to_pandas(), **named) == counts
    assert pandas is not None


def test_tables_survive_parquet(tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    counts = et.Counts.from_texts(lines(), vocab=9, boundaries="none")
    for name, table in zip(("vocabulary", "pairs"), counts.to_arrow()):
        parquet.write_table(table, tmp_path / name)
    read = [parquet.read_table(tmp_path / name) for name in ("vocabulary", "pairs")]
    assert et.Counts.from_arrow(*read) == counts


def test_tables_are_checked() -> None:
    vocabulary, pairs = et.Counts.from_texts(["a b", "a c"]).to_arrow()
    with pytest.raises(et.DataError, match="no column `word`"):
        et.Counts.from_arrow(vocabulary.drop_columns(["word"]), pairs)
    with pytest.raises(et.DataError, match="each once"):
        et.Counts.from_arrow(vocabulary.slice(1), pairs)
    with pytest.raises(et.DataError, match="has the word 9"):
        bad = pairs.set_column(2, "right", pa.array([9] * len(pairs), pa.int32()))
        et.Counts.from_arrow(vocabulary, bad)
    with pytest.raises(et.DataError, match="negative"):
        et.Counts.from_arrow(vocabulary, pairs.set_column(1, "left", pa.array([-1] * len(pairs), pa.int32())))
    with pytest.raises(et.DataError, match="is the left one of"):
        et.Counts.from_arrow(vocabulary, pairs.set_column(3, "count", pa.array([5] * len(pairs), pa.int64())))
    with pytest.raises(et.DataError, match="0 positions apart"):
        et.Counts.from_arrow(vocabulary, pairs.set_column(0, "distance", pa.array([0] * len(pairs), pa.int32())))


@pytest.mark.parametrize("kind", ["string", "large_string", "string_view", "binary", "large_binary"])
def test_kernels_take_every_column_of_text(kind: str, pipeline: et.Pipeline) -> None:
    rows: list[Any] = ["The dogs bark. She gave him the red book.", None, "", "Anna lives in Berlin."]
    of_kind = [row.encode() if "binary" in kind and row is not None else row for row in rows]
    made = batches(of_kind, 3, getattr(pa, kind)())
    # A slice begins within its buffers.
    made = [made[0].slice(1), *made[1:]]
    assert et.kernels.count(made).tokens == len("Anna lives in Berlin.".split())
    found = pa.Table.from_batches(list(pipeline.pipe_arrow(made)))
    found.validate(full=True)
    assert found.column("annotation").to_pylist()[0] == {"sentences": None, "error": None}
    assert found.column("annotation").to_pylist()[1] == {"sentences": [], "error": None}
    words = found.column("annotation").to_pylist()[2]["sentences"][0]["words"]
    assert [word["form"] for word in words] == [word.form for word in pipeline(rows[3]).words]


def test_annotation_in_tables_is_that_of_documents(pipeline: et.Pipeline) -> None:
    texts = ["The old man saw a dog in the park. Dogs bark.", "", "Anna lives in Berlin.\n\nÉ 🦮 bark."] * 5
    found = list(pipeline.pipe_arrow(batches([*texts], 4), confidence=True, threads=2))
    rows = pa.Table.from_batches(found)
    assert rows.schema.field("annotation").type == et.arrow.ANNOTATION
    rows.validate(full=True)
    assert rows.column("text").to_pylist() == texts
    for text, row in zip(texts, rows.column("annotation").to_pylist()):
        document = pipeline(text, confidence=True)
        assert row["error"] is None and len(row["sentences"]) == len(document)
        for sentence, other in zip(row["sentences"], document):
            assert (sentence["start_char"], sentence["end_char"]) == (other.start_char, other.end_char)
            assert sentence["confidence"] == other.confidence
            for word, one in zip(sentence["words"], other, strict=True):
                names = ("id", "form", "lemma", "upos", "xpos", "head", "deprel", "start_char", "end_char", "confidence")
                assert [word[name] for name in names] == [getattr(one, name) for name in names]
    words = pa.Table.from_batches(list(et.kernels.explode(found, drop=["text"])))
    flat = et.Document.to_columns
    assert words.column("form").to_pylist() == [form for text in texts for form in flat(pipeline(text))["form"]]
    assert words.column("sentence").to_pylist() == [n for text in texts for n in flat(pipeline(text))["sentence"]]


def test_trees_and_entities_in_tables(grammar: et.Parser, text: list[str]) -> None:
    found = pa.Table.from_batches(list(grammar.pipe_arrow(batches([*text[:20]]), output="parsed")))
    trees = [row["sentences"][0]["tree"] for row in found.column("parsed").to_pylist()]
    assert trees == [str(grammar(line)[0].tree) for line in text[:20]]


def test_bad_documents_have_rows(pipeline: et.Pipeline) -> None:
    data = [b"Dogs bark.", b"D\xffgs bark.", b"Dogs bark."]
    texts = pa.array(data, pa.binary()).view(pa.string())
    made = [pa.record_batch({"document": pa.array([1, 2, 3]), "text": texts})]
    rows = pa.Table.from_batches(list(pipeline.pipe_arrow(made))).column("annotation").to_pylist()
    assert [row["error"] for row in rows] == [None, "byte 1 of the text is not valid UTF-8; convert the text to UTF-8", None]
    assert rows[1]["sentences"] is None and rows[0] == rows[2] and len(rows[0]["sentences"]) == 1
    words = pa.Table.from_batches(list(et.kernels.explode(pipeline.pipe_arrow(made), drop=["text"])))
    assert words.column("document").to_pylist() == [1, 1, 1, 3, 3, 3, 2]
    assert words.column("form").to_pylist()[-1] is None and "UTF-8" in words.column("error").to_pylist()[-1]
    with pytest.raises(et.OptionError, match="column `id`"):
        list(et.kernels.explode([batch.rename_columns(["id", *batch.schema.names[1:]]) for batch in pipeline.pipe_arrow(made)]))
    with pytest.raises(et.DataError, match="rows:2:2.*not valid UTF-8"):
        et.kernels.count(made)
    assert et.kernels.count(made, lossy=True)["D\ufffdgs"] == 1


def test_models_are_loaded_once(pipeline: et.Pipeline, tmp_path: Path) -> None:
    assert pipeline.path is not None
    one = et.kernels.shared_model(pipeline.path, pipeline.checksum)
    assert et.kernels.shared_model(pipeline.path, pipeline.checksum) is one
    with pytest.raises(et.ModelError, match="has changed"):
        et.kernels.shared_model(pipeline.path, pipeline.checksum ^ 1)
