"""Runs the Python code of a document, such as the README of the package, in an empty folder.

    python examples/readme.py README.md
"""

from __future__ import annotations

import os
import re
import sys
import tempfile
from pathlib import Path


def main() -> None:
    text = Path(sys.argv[1]).read_text(encoding="utf-8")
    blocks = re.findall(r"```python\n(.*?)```", text, flags=re.DOTALL)
    if not blocks:
        raise SystemExit(f"{sys.argv[1]} has no Python code")
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for block in blocks:
            exec(compile(block, sys.argv[1], "exec"), {"__name__": "__main__"})
        os.chdir("/")


if __name__ == "__main__":
    main()
