"""Counting, annotating and jobs on a real Spark cluster: two executors, each a process of its own."""

from __future__ import annotations

import os
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from spark_cluster import executors, session, with_a_killed_executor

import eigentree as et
from eigentree import _native

pytest.importorskip("pyspark", reason="the step `spark` of the checks has pyspark")
pa = pytest.importorskip("pyarrow")

DATA = Path(os.environ.get("EIGENTREE_DATA", Path(__file__).parents[4] / "shared/data"))
ENGLISH = DATA / "text/en_small.txt"


@pytest.fixture(scope="module")
def spark() -> Iterator[Any]:
    with session() as spark:
        yield spark


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Half a megabyte of real text where there is some, with carriage returns within lines and a byte order mark."""
    path = tmp_path_factory.mktemp("spark") / "text.txt"
    if ENGLISH.exists():
        text = ENGLISH.read_text(encoding="utf-8")[:500_000]
    else:
        print(f"SKIPPED: real text, since {ENGLISH} does not exist; words made up take its place")
        chance = random.Random(2)
        words = [f"w{index}" for index in range(5000)]
        weights = [1 / (1 + index) for index in range(len(words))]
        text = "".join(" ".join(chance.choices(words, weights, k=chance.randrange(30))) + "\n" for _ in range(6000))
    path.write_text(f"one\rline é\n\n\ufeffmark 🦮\n{text}\nlast line without an end", encoding="utf-8", newline="\n")
    return path


def command(file: Path, name: str = "command", **options: Any) -> tuple[et.Counts, Path]:
    """What `eigentree count` makes, and its file."""
    output = file.with_name(f"{name}.eigc")
    given = [f"--{option.replace('_', '-')}={value}" for option, value in options.items()]
    _native.call(["count", str(file), f"--output={output}", *given])
    return et.Counts.load(output), output


def frame(spark: Any, partitions: list[list[Any]], kind: str = "string") -> Any:
    """A DataFrame with these rows in these partitions."""
    rows = spark.sparkContext.parallelize(partitions, len(partitions)).flatMap(lambda rows: [(row,) for row in rows])
    return spark.createDataFrame(rows, f"text {kind}")


@pytest.mark.parametrize(
    "options",
    [
        {"distance": 1},
        {"distance": 2, "vocab": 500},
        {"distance": 3, "min_count": 3, "boundaries": "none", "unknown": "<other>"},
    ],
)
def test_counts_are_those_of_the_program(spark: Any, file: Path, tmp_path: Path, options: dict[str, Any]) -> None:
    wanted, output = command(file, **options)
    text = et.spark.read_lines(spark, str(file)).repartition(1)
    lines = file.read_bytes().decode().split("\n")
    assert text.count() == len(lines)
    # In order, since sequences may cross lines; 11 partitions need two levels of joining by four.
    step = len(lines) // 10
    parts = [lines[at : at + step] for at in range(0, len(lines), step)]
    df = frame(spark, parts)
    for passes in (1, 2):
        counts = et.spark.count(df, "text", passes=passes, **options)
        assert counts == wanted, passes
        counts.save(tmp_path / "spark.eigc")
        assert (tmp_path / "spark.eigc").read_bytes() == output.read_bytes()
    if options.get("boundaries") != "none":
        assert et.spark.count(text.repartition(5), **options) == wanted


def test_clusters_of_both_are_the_same_bytes(spark: Any, file: Path, tmp_path: Path) -> None:
    _, output = command(file, "clusters", vocab=400)
    et.spark.count(et.spark.read_lines(spark, str(file)), vocab=400).save(tmp_path / "spark.eigc")
    paths = []
    for counts in (output, tmp_path / "spark.eigc"):
        path = tmp_path / f"{counts.stem}.paths"
        _native.call(["cluster", str(counts), "--clusters=20", f"--output={path}"])
        paths.append(path.read_bytes())
    assert paths[0] == paths[1] and len(paths[0].splitlines()) > 300


def test_files_and_tables(spark: Any, file: Path, tmp_path: Path) -> None:
    import gzip

    text = file.read_bytes().decode()
    middle = text.index("\n", len(text) // 2) + 1
    folder = tmp_path / "files"
    folder.mkdir()
    (folder / "a.txt").write_text(text[:middle], encoding="utf-8", newline="\n")
    (folder / "b.txt.gz").write_bytes(gzip.compress(text[middle:].encode()))
    wanted, _ = command(file, vocab=300)
    files = et.spark.read_files(spark, str(folder))
    assert et.spark.count(files, "content", vocab=300) == wanted
    vocabulary, pairs = et.spark.count_tables(files, "content", vocab=300, passes=2)
    pairs.write.parquet(str(tmp_path / "pairs"))
    vocabulary.write.parquet(str(tmp_path / "vocabulary"))
    parquet = pytest.importorskip("pyarrow.parquet")
    tables = [parquet.read_table(tmp_path / name) for name in ("vocabulary", "pairs")]
    assert et.Counts.from_arrow(*tables, unknown="<unk>") == wanted
    assert sum(row["count"] for row in vocabulary.collect()) == wanted.tokens


def test_counts_in_pieces_arrive_whole_or_not_at_all(
    spark: Any, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from eigentree.spark import counting

    pa = pytest.importorskip("pyarrow")
    part = pa.record_batch([pa.array([4, 2], pa.int64()), pa.array([b"abcdefg", b"hi"], pa.binary())], counting._PART)
    monkeypatch.setattr(counting, "_PIECE_BYTES", 3)
    table = pa.Table.from_batches(counting._pieces([part]))
    assert table.column("bytes").to_pylist() == [b"abc", b"def", b"g", b"hi", b""]
    assert counting._whole(table.take([3, 4, 1, 0, 2])) == [b"hi", b"abcdefg"]
    assert counting._whole(pa.Table.from_batches(counting._pieces([]))) == []
    assert counting._whole(table.slice(0, 0)) is None
    for rows in ([0, 1, 2, 4], [0, 1, 2, 3]):
        with pytest.raises(et.EigentreeError, match="more memory"):
            counting._whole(table.take(rows))
    df = et.spark.read_lines(spark, str(file))
    assert et.spark.count(df) == et.Counts.from_files([file])


def test_uneven_partitions(spark: Any, tmp_path: Path) -> None:
    """Empty partitions, one with nearly everything, rows without text."""
    rows = [f"a b {index % 7}" for index in range(20_000)]
    parts: list[list[Any]] = [[], rows[:19_900], [], [None, *rows[19_900:]], []]
    df = frame(spark, parts)
    assert et.spark.count(df, "text") == et.Counts.from_texts(rows)
    assert et.spark.count(frame(spark, [[], []]), "text") == et.Counts.from_texts([])
    assert et.spark.count(frame(spark, [[], []]), "text", vocab=3, passes=2).tokens == 0


def test_one_line_of_fifty_megabytes(spark: Any) -> None:
    times = 50_000_000 // 20

    def long(batches: Any) -> Any:
        import pyarrow  # type: ignore[import-untyped, unused-ignore]

        for batch in batches:
            if batch.num_rows:
                yield pyarrow.record_batch([pyarrow.array(["the dog saw a cat . " * times])], ["text"])

    df = spark.range(0, 1, 1, 1).mapInArrow(long, "text string")
    counts = et.spark.count(df, "text")
    assert counts["dog"] == times and counts.pair(".", "the") == times - 1 and counts.tokens == 6 * times


def test_bad_bytes(spark: Any, pipeline: et.Pipeline) -> None:
    df = frame(spark, [[b"Dogs bark.", b"D\xffgs bark."], [b"Dogs bark."]], "binary")
    df = df.selectExpr("cast(text as string) as text")
    with pytest.raises(Exception, match="partition 0:2:2.*not valid UTF-8"):
        et.spark.count(df, "text")
    assert et.spark.count(df, "text", lossy=True).tokens == 6
    rows = et.spark.annotate(df, model=pipeline).collect()
    errors = [row["annotation"]["error"] for row in rows]
    assert errors == [None, "byte 1 of the text is not valid UTF-8; convert the text to UTF-8", None]
    assert rows[1]["annotation"]["sentences"] is None and len(rows[2]["annotation"]["sentences"]) == 1


TEXTS = ["The old man saw a dog in the park. Dogs bark.", "", "Anna lives in Berlin.", "She gave him the red book."]


def slowly(df: Any) -> Any:
    """The same rows, half a second later per partition, so that there is a middle in which to kill an executor."""

    def wait(batches: Any) -> Any:
        import time

        time.sleep(0.5)
        yield from batches

    return df.mapInArrow(wait, df.schema)


def test_an_executor_is_killed_while_counting(spark: Any) -> None:
    parts = [[f"a b {index} {number}" for index in range(500)] for number in range(12)]
    wanted = et.Counts.from_texts([row for part in parts for row in part], vocab=100)
    counts = with_a_killed_executor(
        spark, lambda: et.spark.count(slowly(frame(spark, [*parts])), "text", vocab=100)
    )
    assert counts == wanted


def test_an_executor_is_killed_while_annotating(spark: Any, pipeline: et.Pipeline) -> None:
    parts = [[f"{text} {number}." for text in TEXTS] for number in range(12)]
    df = frame(spark, [*parts])
    wanted = [row.asDict(True) for row in et.spark.annotate(df, model=pipeline).collect()]
    slowed = et.spark.annotate(slowly(df), model=pipeline)
    rows = with_a_killed_executor(spark, lambda: [row.asDict(True) for row in slowed.collect()])
    assert rows == wanted and len(rows) == 48
    for row in wanted[:4]:
        forms = [word["form"] for sentence in row["annotation"]["sentences"] for word in sentence["words"]]
        assert forms == [word.form for word in pipeline(row["text"]).words]


def test_words_as_rows(spark: Any, pipeline: et.Pipeline) -> None:
    df = spark.createDataFrame([*enumerate(TEXTS)], "document long, text string").coalesce(1)
    assert pipeline.path is not None
    words = et.spark.annotate(df, model=pipeline.path, rows="words", confidence=True)
    assert words.columns == ["document", *(field.name for field in et.kernels.word_fields())]
    rows = words.select("document", "sentence", "form", "head", "start_char").collect()
    columns = [(number, pipeline(text).to_columns()) for number, text in enumerate(TEXTS)]
    wanted = [(n, *row) for n, c in columns for row in zip(c["sentence"], c["form"], c["head"], c["start_char"])]
    assert [tuple(row) for row in rows] == wanted
    with pytest.raises(et.OptionError, match="no column `body`"):
        et.spark.annotate(df, "body", model=pipeline)
    with pytest.raises(et.OptionError, match="already has a column"):
        et.spark.annotate(df.withColumnRenamed("document", "annotation"), model=pipeline)


def test_jobs(spark: Any, trees: Path, tmp_path: Path) -> None:
    def train(job: dict[str, Any]) -> dict[str, Any]:
        import eigentree

        path = eigentree.spark.local_file("sample.ptb")
        if job["seed"] == 2:
            raise ValueError("this one fails")
        model = eigentree.train.pcfg(path)
        return {"checksum": model.checksum, "seed": job["seed"]}

    rows = et.spark.map_jobs(spark, train, [{"seed": seed} for seed in range(4)], files=[trees]).collect()
    assert [row["job"] for row in rows] == [0, 1, 2, 3]
    assert [row["error"] for row in rows] == [None, None, "ValueError: this one fails", None]
    wanted = et.train.pcfg(trees).checksum
    assert rows[3]["figures"] == f'{{"checksum": {wanted}, "seed": 3}}' and rows[2]["figures"] is None
    assert rows[0]["given"] == '{"seed": 0}' and rows[0]["cpu_seconds"] > 0
    assert et.spark.map_jobs(spark, train, []).collect() == []


def test_executors_are_two_processes(spark: Any) -> None:
    assert len(executors(spark)) == 2
