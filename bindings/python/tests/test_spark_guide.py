"""Runs the examples of the guide on engines other than one machine."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest
from spark_cluster import session

import eigentree as et

GUIDE = Path(__file__).parents[3] / "docs/guides/outgrowing.md"


def examples(engine: str) -> str:
    """The blocks of the guide whose first line names the engine."""
    blocks = re.findall(r"^```python\n# (\w+)\n(.*?)^```$", GUIDE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    assert {name for name, _ in blocks} == {"spark", "tables", "polars", "duckdb", "dask"}
    return "\n".join(text for name, text in blocks if name == engine)


@pytest.fixture
def place(tmp_path: Path, pipeline: et.Pipeline, trees: Path, text: list[str]) -> Path:
    """A folder with the files that the examples name."""
    pipeline.save(tmp_path / "en.eig")
    lines = trees.read_text().splitlines(keepends=True)
    (tmp_path / "train.ptb").write_text("".join(lines[:300]))
    (tmp_path / "test.ptb").write_text("".join(lines[300:]))
    (tmp_path / "text.txt").write_text("\n".join(text) + "\n")
    return tmp_path


@pytest.mark.parametrize("engine", ["tables", "polars", "duckdb", "dask", "spark"])
def test_the_guide(engine: str, place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip({"tables": "pyarrow", "spark": "pyspark"}.get(engine, engine))
    pytest.importorskip("pyarrow")
    monkeypatch.chdir(place)
    code = compile(examples(engine), f"{GUIDE.name}: {engine}", "exec")
    if engine != "spark":
        exec(code, {"__name__": engine})
        return
    with session("local[2]"):
        exec(code, {"__name__": engine})
    assert et.Counts.load("counts.eigc") == et.Counts.from_files(["text.txt"], vocab=50_000)
    assert list(Path("pairs").glob("*.parquet")) and os.path.exists("words/_SUCCESS")
