"""Writes the modules whose functions are commands of the program: their keyword arguments are its options.

    python generate.py            writes them
    python generate.py --check    fails if they differ from what would be written
"""

from __future__ import annotations

import argparse
import re
import sys
import textwrap
from pathlib import Path
from typing import Any, NamedTuple

from eigentree import _native

PACKAGE = Path(__file__).parent / "python" / "eigentree"
# Options that have their own meaning in Python, or none.
SHARED = {"output", "threads", "quiet", "json", "summary", "report", "format", "max-memory"}
WIDTH = 110


class Function(NamedTuple):
    """A function that runs a command."""

    command: list[str]
    data: str
    kind: str
    result: str
    # Options that the function takes care of itself.
    without: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        return self.command[-1].replace("-", "_")


# The modules of `train`, by what is learnt, each with its title.
TRAIN = {
    "grammars": (
        "grammars",
        [
            Function(["train", "lpcfg"], "trees", "trees", "Parser"),
            Function(["train", "pcfg"], "trees", "trees", "Parser"),
        ],
    ),
    "dependency": (
        "dependency parsers and models of dependency trees",
        [
            Function(["train", "mst"], "treebank", "sentences", "Parser"),
            Function(["train", "head-automata"], "treebank", "sentences", "Parser"),
            Function(["train", "deptree"], "treebank", "sentences", "Model"),
            Function(["train", "reranker"], "treebank", "sentences", "Model"),
        ],
    ),
    "tagging": (
        "taggers and pipelines",
        [
            Function(["train", "tagger"], "treebank", "labels", "Tagger"),
            Function(["train", "ner"], "sentences", "entities", "Tagger"),
            Function(["train", "pipeline"], "treebank", "sentences", "Pipeline"),
        ],
    ),
    "sequences": (
        "sequence models",
        [
            Function(["train", "automaton"], "sequences", "text", "SequenceModel"),
            Function(["train", "hmm"], "sequences", "text", "SequenceModel"),
        ],
    ),
    # The model is the output here.
    "words": (
        "word clusters",
        [Function(["cluster"], "texts", "text", "tuple[Clusters, Vectors | None]", ("model",))],
    ),
}
COMPARE = [
    Function(["compare", "lpcfg"], "trees", "trees", "Report"),
    Function(["compare", "clusters"], "texts", "text", "Report"),
    Function(["compare", "dependency"], "folders", "file", "Report"),
    Function(["compare", "deptree"], "folders", "file", "Report"),
    Function(["compare", "head-automata"], "treebank", "sentences", "Report"),
    Function(["compare", "recovery"], "grammar", "file", "Report"),
    Function(["compare", "sequence"], "sequences", "text", "Report"),
    Function(["compare", "tagging"], "folders", "file", "Report"),
]


def options_of(command: list[str]) -> tuple[str, list[dict[str, Any]]]:
    found = _native.definition(command)
    if found is None:
        raise SystemExit(f"there is no command {' '.join(command)}")
    return found["about"], [option for option in found["options"] if option["name"] not in SHARED]


def type_of(option: dict[str, Any]) -> str:
    values = option["values"]
    if isinstance(values, dict):
        one = "Literal[" + ", ".join(f'"{value}"' for value in values["choice"]) + "]"
    else:
        one = {"flag": "bool", "integer": "int", "number": "float", "path": "Data", "text": "str | float"}[values]
    if one == "bool":
        return "bool"
    if one == "Data":
        return "Data | None"
    return f"{one} | Sequence[{one}] | None" if option["repeated"] else f"{one} | None"


def keyword(name: str) -> str:
    return name.replace("-", "_")


def parameter(option: dict[str, Any]) -> str:
    default = "False" if option["values"] == "flag" else "None"
    return f"    {keyword(option['name'])}: {type_of(option)} = {default},"


def entries(options: list[dict[str, Any]]) -> list[str]:
    """The dictionary of options, several per line."""
    pairs = " ".join(f'"{name}":{name},' for name in (keyword(option["name"]) for option in options))
    lines = textwrap.wrap(pairs, WIDTH - 20, initial_indent=" " * 8, subsequent_indent=" " * 8)
    return [line.replace(":", ": ") for line in lines]


def describe(option: dict[str, Any]) -> list[str]:
    text = option["help"].replace("--", "").replace("\\", "\\\\")
    if option["default"] is not None and "[default" not in text:
        text += f" [default: {option['default']}]"
    return textwrap.wrap(f"{keyword(option['name'])}: {text}", WIDTH - 8, initial_indent="    ", subsequent_indent="        ")


def docstring(about: str, options: list[dict[str, Any]], extra: list[str]) -> list[str]:
    lines: list[str] = []
    for number, paragraph in enumerate(about.split("\n\n")):
        text = " ".join(paragraph.split()).replace("--", "").replace("\\", "\\\\")
        if number == 0:
            text = text if text.endswith(".") else text + "."
        lines += [*textwrap.wrap(text, WIDTH - 4), ""]
    lines.append("Args:")
    lines += extra
    for option in options:
        lines += describe(option)
    lines[0] = '"""' + lines[0]
    return ["    " + line if line else "" for line in [*lines, '"""']]


SHARED_DOC = [
    "    threads: Number of threads; 0 means one per core",
    "    progress: True shows a bar; a function is called with stage, units done, total, note",
]


def function(spec: Function, body: str, extra: list[tuple[str, str]]) -> str:
    about, options = options_of(spec.command)
    positional = [option for option in options if option["positional"]]
    named = [option for option in options if not option["positional"] and option["name"] not in spec.without]
    lines = [f"def {spec.name}(", f"    {spec.data}: Data,", "    *,"]
    lines += [line for line, _ in extra]
    lines += [parameter(option) for option in named if not option["required"]]
    lines += ["    threads: int = 1,", "    progress: Progress = None,", f") -> {spec.result}:"]
    for option in named:
        if option["required"]:
            lines.insert(3, f"    {keyword(option['name'])}: Data,")
    data = f"    {spec.data}: " + "; ".join(option["help"] for option in positional).replace("; `-` is standard input", "")
    documented = textwrap.wrap(data, WIDTH - 4, subsequent_indent="        ", drop_whitespace=True)
    documented[0] = "    " + documented[0].strip()
    lines += docstring(about, named, [*documented, *(doc for _, doc in extra), *SHARED_DOC])
    lines.append("    options: dict[str, Any] = {")
    lines += entries(named)
    lines += ["    }", body]
    return "\n".join(lines) + "\n"


HEADER = '''"""{title}

Written by generate.py from the options of the program: do not edit.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

from {package} import _commands
from {package}_data import Data, StrPath
{imports}from {package}progress import Progress
{more}
__all__ = [{names}]

'''


def quoted(names: list[str]) -> str:
    return ", ".join(f'"{name}"' for name in sorted(names))


def train_module(title: str, functions: list[Function]) -> str:
    output = (
        "    output: StrPath | None = None,",
        "    output: File for the model; without it, the model stays in memory until it is saved",
    )
    parts = []
    for spec in functions:
        if spec.name == "cluster":
            parts.append(cluster(spec, output))
            continue
        call = f'_commands.train("{spec.command[-1]}", {spec.data}, "{spec.kind}", output, options, threads, progress)'
        parts.append(function(spec, f"    model: {spec.result} = {call}\n    return model", [output]))
    results = {name for spec in functions for name in re.findall(r"\w+", spec.result)} & NATIVE
    header = HEADER.format(
        title=f"Training of {title}, with the options of the program.",
        package="..",
        imports=f"from .._native import {', '.join(sorted(results))}\n",
        more="from ..vectors import Vectors\n" if any("Vectors" in spec.result for spec in functions) else "",
        names=quoted([spec.name for spec in functions]),
    )
    text = header + "\n" + "\n\n".join(parts)
    return text if "Sequence[" in text else text.replace("from collections.abc import Sequence\n", "")


NATIVE = {"Clusters", "Model", "Parser", "Pipeline", "SequenceModel", "Tagger"}


def train_package() -> str:
    lines = ['"""Training: one function per family, with the options of `eigentree train` and `eigentree cluster`.', ""]
    lines += ["Written by generate.py from the options of the program: do not edit.", '"""', ""]
    names = {module: sorted(spec.name for spec in functions) for module, (_, functions) in TRAIN.items()}
    lines += [f"from ._{module} import {', '.join(names[module])}" for module in sorted(names)]
    every = quoted([name for functions in names.values() for name in functions])
    return "\n".join([*lines, "", f"__all__ = [{every}]", ""])


def cluster(spec: Function, output: tuple[str, str]) -> str:
    paths = ("    paths: StrPath | None = None,", "    paths: File for Brown paths")
    call = "_commands.cluster(texts, output, options, threads, progress)"
    body = f'    options["paths"] = paths\n    found: {spec.result} = {call}\n    return found'
    return function(spec, body, [output, paths])


def compare_module() -> str:
    parts = []
    for spec in COMPARE:
        call = f'_commands.compare("{spec.command[-1]}", {spec.data}, "{spec.kind}", options, threads, progress)'
        parts.append(function(spec, f"    return {call}", []))
    header = HEADER.format(
        title="Comparisons of learners, with the options of `eigentree compare`.",
        package=".",
        imports="",
        more="from .report import Report\n",
        names=quoted([spec.name for spec in COMPARE]),
    )
    return (header + "\n" + "\n\n".join(parts)).replace("from ._data import Data, StrPath\n", "from ._data import Data\n")


def evaluation_module() -> str:
    about, options = options_of(["eval"])
    named = [option for option in options if not option["positional"]]
    lines = ["def evaluate(", "    gold: Data,", "    predicted: Data,", "    *,"]
    lines.append('    kind: Literal["trees", "sentences", "entities", "text", "file"] = "sentences",')
    lines += [parameter(option) for option in named]
    lines += ["    threads: int = 1,", "    progress: Progress = None,", ") -> Report:"]
    extra = [
        "    gold: Gold annotation: a file, or data in memory",
        "    predicted: Predicted annotation",
        "    kind: What data in memory is; files tell it by their names and contents",
    ]
    lines += docstring(about, named, [*extra, *SHARED_DOC])
    lines.append("    options: dict[str, Any] = {")
    lines += entries(named)
    lines += ["    }", "    return _commands.evaluate(gold, predicted, kind, options, threads, progress)", ""]
    header = HEADER.format(
        title="Evaluation, with the options of `eigentree eval`.",
        package=".",
        imports="",
        more="from .report import Report\n",
        names='"evaluate"',
    )
    header = header.replace("from ._data import Data, StrPath\n", "from ._data import Data\n")
    header = header.replace("from collections.abc import Sequence\n", "")
    return header + "\n" + "\n".join(lines)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing; fail if the files differ")
    check = parser.parse_args().check
    written = {f"train/_{module}.py": train_module(*contents) for module, contents in TRAIN.items()}
    written |= {"train/__init__.py": train_package(), "compare.py": compare_module(), "evaluation.py": evaluation_module()}
    stale = []
    for name, text in written.items():
        path = PACKAGE / name
        text = text.rstrip("\n") + "\n"
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            stale.append(name)
            if not check:
                path.parent.mkdir(exist_ok=True)
                path.write_text(text, encoding="utf-8")
    if check and stale:
        print(f"{', '.join(stale)}: run `python generate.py`", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
