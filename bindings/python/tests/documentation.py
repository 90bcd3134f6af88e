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


def skipped(name: str) -> None:
    print(f"SKIPPED: the examples in {name}")


def docstrings() -> tuple[int, int]:
    """Failures and examples in the docstrings of the package and its extension."""
    failed, tried = 0, 0
    names = [module.name for module in pkgutil.walk_packages(eigentree.__path__, "eigentree.", onerror=skipped)]
    for name in sorted(names):
        try:
            module = importlib.import_module(name)
        except ImportError as error:
            print(f"SKIPPED: the examples of {name}: {error}")
            continue
        finder = doctest.DocTestFinder(exclude_empty=True)
        runner = doctest.DocTestRunner()
        globs = {"et": eigentree, **vars(module)}
        tests = finder.find(module, name, globs=globs)
        if name == "eigentree._native":
            # The finder does not know which classes an extension defines.
            for key in module.__all__:
                tests += finder.find(getattr(module, key), key, module=False, globs=globs)
        for test in tests:
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
