"""Progress of long work: a bar, or a function of yours."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import Any, TypeAlias

__all__ = ["Bar", "Listener", "Progress"]

Listener: TypeAlias = Callable[[str, int, "int | None", "str | None"], object]
"""Called with the name of the stage, the units done, their total or None, and a note or None."""

Progress: TypeAlias = "bool | Listener | None"
"""True shows a bar, a function is called, None and False are silent."""


def listener(progress: Progress) -> tuple[Listener | None, Callable[[], None]]:
    """The function to call, and one to call at the end."""
    if progress is None or progress is False:
        return None, lambda: None
    if progress is True:
        bar = Bar()
        return bar, bar.close
    return progress, lambda: None


class Bar:
    """A bar on standard error, or in the notebook if tqdm is installed."""

    def __init__(self) -> None:
        self._stage: str | None = None
        self._bar: Any = None
        self._start = time.monotonic()
        try:
            from tqdm.auto import tqdm  # type: ignore[import-untyped, unused-ignore]

            self._tqdm: Any = tqdm
        except ImportError:
            self._tqdm = None

    def __call__(self, stage: str, done: int, total: int | None, note: str | None) -> None:
        if note is not None:
            self._tell(note)
            return
        if stage != self._stage or done == 0:
            self._begin(stage, total)
        if self._tqdm is not None:
            self._bar.update(done - self._bar.n)
        else:
            self._draw(done, total)

    def close(self) -> None:
        """Ends the last stage."""
        if self._tqdm is not None and self._bar is not None:
            self._bar.close()
        elif self._stage is not None:
            sys.stderr.write("\n")
            sys.stderr.flush()
        self._stage = None

    def _begin(self, stage: str, total: int | None) -> None:
        if self._stage is not None:
            self.close()
        self._stage, self._start = stage, time.monotonic()
        if self._tqdm is not None:
            self._bar = self._tqdm(desc=stage, total=total)

    def _draw(self, done: int, total: int | None) -> None:
        elapsed = time.monotonic() - self._start
        if total:
            full = min(30, 30 * done // total)
            shown = f"{'━' * full}{'╌' * (30 - full)} {done}/{total}"
        else:
            shown = f"{done}"
        sys.stderr.write(f"\r{self._stage:<16} {shown} {elapsed:.1f} s\x1b[K")
        sys.stderr.flush()

    def _tell(self, note: str) -> None:
        if self._tqdm is not None:
            self._tqdm.write(note, file=sys.stderr)
        else:
            sys.stderr.write(f"\r{note}\x1b[K\n")
