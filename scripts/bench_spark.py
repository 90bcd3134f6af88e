#!/usr/bin/env python3
"""Counting and annotating on Spark against the program: seconds, processor seconds, throughput per core.

    pip install eigentree[spark]
    python scripts/bench_spark.py --program target/release/eigentree --text en.txt --model en.eig --raw raw.txt

The cluster has two executors with one core each, on this machine. Processor seconds are those of every process of the
cluster and the driver, from the start of a job to its end. Each job runs twice; the second time everything is warm.
Counts of all ways must be equal, and are compared.
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
import tempfile
import time
import uuid
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1] / "bindings/python/tests"))

from spark_cluster import session  # noqa: E402

import eigentree as et  # noqa: E402

MARK = f"EIGENTREE_BENCH={uuid.uuid4().hex}"
TICKS = os.sysconf("SC_CLK_TCK")


def marked() -> list[int]:
    """This process and those that it started, directly or not."""
    found = [os.getpid()]
    for entry in Path("/proc").iterdir():
        try:
            if entry.name.isdigit() and MARK.encode() in (entry / "environ").read_bytes():
                found.append(int(entry.name))
        except OSError:
            continue
    return sorted(set(found))


def processor() -> float:
    """Processor seconds of these processes and of the children they have outlived."""
    total = 0
    for pid in marked():
        try:
            fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
        except OSError:
            continue
        total += sum(int(field) for field in fields[11:15])
    return total / TICKS


def peak() -> float:
    """The largest memory of a Python process of an executor so far, in megabytes."""
    largest = 0
    for pid in marked():
        try:
            if b"pyspark.daemon" in Path(f"/proc/{pid}/cmdline").read_bytes():
                status = Path(f"/proc/{pid}/status").read_text()
                largest = max(largest, int(status.split("VmHWM:")[1].split()[0]))
        except (OSError, IndexError):
            continue
    return largest / 1000


class Table:
    """Rows of the result, printed as they come."""

    def __init__(self, unit: str) -> None:
        print(f"\n| job | s | CPU s | million {unit} per CPU s | MB in a worker, so far |\n|---|---|---|---|---|")

    def add(self, name: str, units: int, wall: float, cpu: float) -> None:
        print(f"| {name} | {wall:.1f} | {cpu:.1f} | {units / cpu / 1e6:.3f} | {peak():.0f} |", flush=True)


def of_program(arguments: list[str]) -> tuple[float, float]:
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    subprocess.run(arguments, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    wall, after = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    return wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def timed(work: Callable[[], Any]) -> tuple[float, float, Any]:
    before, start = processor(), time.perf_counter()
    result = work()
    return time.perf_counter() - start, processor() - before, result


def counting(spark: Any, options: argparse.Namespace, folder: Path) -> None:
    from pyspark.sql import functions as f

    table = Table("tokens")
    output = folder / "program.eigc"
    limits = {"vocab": options.vocab}
    for name, given, keywords in (
        ("all words", [], {}),
        (f"{options.vocab} words", [f"--vocab={options.vocab}"], limits),
    ):
        command = [options.program, "count", str(options.text), "-o", str(output), "--threads=1", *given]
        wall, cpu = of_program([*command, "--distance=1"])
        wanted = et.Counts.load(output)
        tokens = wanted.tokens
        table.add(f"`eigentree count`, {name}", tokens, wall, cpu)
        df = et.spark.read_lines(spark, str(options.text))
        for passes in (1, 2) if keywords else (1,):
            for round in ("first", "warm"):
                wall, cpu, counts = timed(lambda: et.spark.count(df, distance=1, passes=passes, **keywords))
                assert counts == wanted, "the counts differ"
                table.add(f"Spark, our kernel, {name}, {passes} passes, {round}", tokens, wall, cpu)
    words = f.filter(f.split("value", "[ \t]+"), lambda word: word != "")
    pairs = f.arrays_zip(f.expr("slice(w, 1, size(w) - 1)").alias("l"), f.expr("slice(w, 2, size(w) - 1)").alias("r"))
    lines = et.spark.read_lines(spark, str(options.text)).select(words.alias("w")).where("size(w) > 1")
    grouped = lines.select(f.explode(pairs).alias("p")).groupBy("p.l", "p.r").count()
    if options.sql:
        wall, cpu, number = timed(grouped.count)
        table.add("Spark SQL, explode and groupBy", tokens, wall, cpu)
        print(f"{number} pairs by Spark SQL, {et.Counts.from_files([options.text], distance=1).n_pairs} by us")


def annotating(spark: Any, options: argparse.Namespace, folder: Path) -> None:
    table = Table("words")
    texts = options.raw.read_text(encoding="utf-8").split("\n\n")
    output = folder / "program.conllu"
    # The same documents: one per block, which blank lines separate.
    wall, cpu = of_program([options.program, "tag", options.model, str(options.raw), "-o", str(output), "--threads=1"])
    with output.open(encoding="utf-8") as lines:
        words = sum(line[:1].isdigit() and "-" not in line.split("\t")[0] for line in lines)
    table.add("`eigentree tag`, one thread", words, wall, cpu)
    model = et.load(options.model)
    wall, cpu, _ = timed(lambda: sum(1 for _ in model.pipe(texts)))
    table.add("`nlp.pipe`, one thread", words, wall, cpu)
    import pyarrow as pa

    batches = pa.table({"text": texts}).to_batches(max_chunksize=1000)
    wall, cpu, _ = timed(lambda: sum(1 for _ in model.pipe_arrow(batches)))
    table.add("`nlp.pipe_arrow`, one thread", words, wall, cpu)
    pieces = [texts[at::16] for at in range(16)]
    rows = spark.sparkContext.parallelize(pieces, 16).flatMap(lambda texts: [(text,) for text in texts])
    df = spark.createDataFrame(rows, "text string").persist()
    df.count()
    annotated = et.spark.annotate(df, model=options.model)
    for round in ("first", "warm", "warm again"):
        wall, cpu, _ = timed(lambda: annotated.write.format("noop").mode("overwrite").save())
        table.add(f"Spark, {round}", words, wall, cpu)
    found = annotated.selectExpr("sum(size(flatten(annotation.sentences.words))) as n").collect()[0]["n"]
    print(f"{words} words by the program, {found} on Spark")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default="target/release/eigentree")
    parser.add_argument("--text", type=Path, help="tokenised text, not compressed, to count")
    parser.add_argument("--vocab", type=int, default=20_000)
    parser.add_argument("--sql", action="store_true", help="count with Spark SQL too, which is slow")
    parser.add_argument("--model", help="a pipeline")
    parser.add_argument("--raw", type=Path, help="raw text to annotate, with blank lines between documents")
    parser.add_argument("--master", default="local-cluster[2,1,2048]")
    options = parser.parse_args()
    name, value = MARK.split("=")
    os.environ[name] = value
    with tempfile.TemporaryDirectory() as folder, session(options.master) as spark:
        if options.text:
            counting(spark, options, Path(folder))
        if options.model and options.raw:
            annotating(spark, options, Path(folder))


if __name__ == "__main__":
    main()
