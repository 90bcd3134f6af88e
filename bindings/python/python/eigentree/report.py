"""Results of evaluations and comparisons: figures by name, and tables."""

from __future__ import annotations

import html
from collections.abc import Iterator, Mapping
from typing import Any

__all__ = ["Report"]


class Report(Mapping[str, Any]):
    """Figures by name, as the program writes them with `--json`; printed, the tables of the program.

    >>> report = Report({"brackets": {"f1": 85.0, "exact": 20.0}}, "a table")
    >>> report["brackets"]["f1"]
    85.0
    >>> print(report)
    a table
    >>> report.rows()
    [{'measure': 'brackets', 'f1': 85.0, 'exact': 20.0}]
    """

    def __init__(self, figures: Mapping[str, Any], text: str = "") -> None:
        self._figures = dict(figures)
        self.text = text

    def rows(self) -> list[dict[str, Any]]:
        """The figures as rows of one table: those of lists if there are any, else one row per measure."""
        listed = [
            {"table": name, **row}
            for name, value in self._figures.items()
            if isinstance(value, list)
            for row in value
            if isinstance(row, dict)
        ]
        if listed:
            return listed
        measures = [(name, value) for name, value in self._figures.items() if isinstance(value, dict)]
        return [
            {"measure": name, **_flat(value)} for name, value in measures if name not in ("stages", "skipped")
        ]

    def to_pandas(self) -> Any:
        """The rows as a pandas DataFrame."""
        import pandas

        return pandas.json_normalize(self.rows())

    def to_arrow(self) -> Any:
        """The rows as a pyarrow Table."""
        import pyarrow  # type: ignore[import-untyped, unused-ignore]

        return pyarrow.Table.from_pandas(self.to_pandas())

    def __getitem__(self, name: str) -> Any:
        return self._figures[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._figures)

    def __len__(self) -> int:
        return len(self._figures)

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        names = ", ".join(name for name in self._figures if name not in ("stages", "skipped"))
        return f"<Report: {names}>"

    def _repr_html_(self) -> str:
        return f"<pre>{html.escape(self.text)}</pre>"


def _flat(figures: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in figures.items() if not isinstance(value, (dict, list))}
