"""Runs the notebooks of the book, and writes the pages of the book from them.

    python notebooks.py            runs them; fails if a cell fails, shows nothing, or the page has other cells
    python notebooks.py --write    also writes their pages and pictures

Notebooks are kept without output. A page has the cells with the output of the last `--write`; output that has changed
since is reported, and is no error, as learners improve. What must hold, the cells assert.
"""

from __future__ import annotations

import argparse
import re
import sys
from pathlib import Path
from typing import Any

import nbformat
from nbclient import NotebookClient

FOLDER = Path(__file__).resolve().parents[2] / "docs" / "notebooks"
SECONDS = 120


class Page:
    """A notebook as Markdown, and its pictures by file name."""

    def __init__(self, path: Path, notebook: Any) -> None:
        self.name = path.stem
        self.pictures: dict[str, str] = {}
        self.shown = 0
        parts = []
        for number, cell in enumerate(notebook.cells):
            if cell.cell_type == "markdown":
                parts.append(cell.source)
            else:
                parts.append(f"```python\n{cell.source}\n```")
                parts += [self._output(output) for output in joined(cell.outputs)]
            if number == 0:
                parts.append(f"This page is a [notebook]({path.name}).")
        self.text = "\n\n".join(part for part in parts if part) + "\n"

    def _output(self, output: Any) -> str:
        if output.output_type == "stream":
            if output.name == "stderr":
                raise SystemExit(f"{self.name}: a cell wrote to standard error:\n{output.text}")
            text = output.text
        else:
            data = output.data
            if "image/svg+xml" in data:
                name = f"{self.name}-{len(self.pictures) + 1}.svg"
                self.pictures[name] = data["image/svg+xml"].rstrip("\n") + "\n"
                self.shown += 1
                return f"![{data.get('text/plain', 'picture').splitlines()[0][:40].strip('<>[]')}]({name})"
            text = data.get("text/plain", "")
        self.shown += 1
        lines = "\n".join(line.rstrip() for line in text.rstrip("\n").split("\n"))
        return f"```text\n{lines}\n```"

    def cells(self) -> str:
        """The page without output."""
        return without_output(self.text)


def joined(outputs: list[Any]) -> list[Any]:
    """The outputs of a cell; what it printed arrives in parts, and is joined."""
    found: list[Any] = []
    for output in outputs:
        if found and output.output_type == found[-1].output_type == "stream" and output.name == found[-1].name:
            found[-1].text += output.text
        else:
            found.append(output)
    return found


def without_output(text: str) -> str:
    text = re.sub(r"```text\n.*?\n```\n", "", text, flags=re.DOTALL)
    text = re.sub(r"!\[.*?\]\(.*?\.svg\)\n", "", text)
    return re.sub(r"\n{2,}", "\n", text)


def executed(path: Path) -> Any:
    notebook = nbformat.read(path, as_version=4)  # type: ignore[no-untyped-call]
    if any(cell.get("outputs") for cell in notebook.cells):
        raise SystemExit(f"{path.name} has output; clear it")
    NotebookClient(notebook, timeout=SECONDS, kernel_name="python3", extra_arguments=["--log-level=ERROR"]).execute()
    return notebook


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true", help="write pages and pictures")
    parser.add_argument("names", nargs="*", help="notebooks; all by default")
    arguments = parser.parse_args()
    paths = [path for path in sorted(FOLDER.glob("*.ipynb")) if not arguments.names or path.stem in arguments.names]
    if not paths:
        print(f"there are no notebooks in {FOLDER}", file=sys.stderr)
        return 1
    wrong = 0
    for path in paths:
        page = Page(path, executed(path))
        kept = path.with_suffix(".md")
        if arguments.write:
            kept.write_text(page.text, encoding="utf-8")
            for name, picture in page.pictures.items():
                (FOLDER / name).write_text(picture, encoding="utf-8")
        text = kept.read_text(encoding="utf-8") if kept.exists() else ""
        if page.shown == 0 or without_output(text) != page.cells():
            wrong += 1
            print(f"{kept.name}: nothing is shown, or the page has other cells: run `python notebooks.py --write`")
        elif text != page.text:
            print(f"{kept.name}: the output has changed since the page was written: `python notebooks.py --write` renews it")
        print(f"{path.name}: {page.shown} outputs, {len(page.pictures)} of them pictures")
    return 1 if wrong else 0


if __name__ == "__main__":
    raise SystemExit(main())
