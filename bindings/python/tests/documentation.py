"""Runs the examples of docstrings and of the README."""

from __future__ import annotations

import doctest
import importlib
import pkgutil
import subprocess
import sys
from pathlib import Path

import eigentree

PACKAGE = Path(__file__).parents[1]


def docstrings() -> tuple[int, int]:
    """Failures and examples in the docstrings of the package and its extension."""
    failed, tried = 0, 0
    names = [module.name for module in pkgutil.iter_modules(eigentree.__path__)]
    for name in sorted(names):
        try:
            module = importlib.import_module(f"eigentree.{name}")
        except ImportError as error:
            print(f"SKIPPED: the examples of eigentree.{name}: {error}")
            continue
        finder = doctest.DocTestFinder(exclude_empty=True)
        runner = doctest.DocTestRunner()
        parts = [(name, module), *((key, getattr(module, key)) for key in dir(module) if name == "_native")]
        for key, part in parts:
            for test in finder.find(part, key, module=False, globs={"et": eigentree, **vars(module)}):
                runner.run(test)
        failed, tried = failed + runner.failures, tried + runner.tries
    return failed, tried


def main() -> int:
    failed, tried = docstrings()
    print(f"{tried} examples in docstrings, {failed} failed")
    readme = subprocess.run([sys.executable, "examples/readme.py", "README.md"], cwd=PACKAGE)
    return 1 if failed or tried == 0 or readme.returncode != 0 else 0


if __name__ == "__main__":
    raise SystemExit(main())
