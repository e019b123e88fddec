"""The progress of an analysis, shown on a terminal."""

from __future__ import annotations

import sys
from collections.abc import Callable
from time import monotonic
from typing import TextIO

AFTER = 1.0


class Progress:
    """Steps of different lengths, with the time that is left."""

    def __init__(
        self, stream: TextIO | None = None, clock: Callable[[], float] = monotonic
    ) -> None:
        self._stream = sys.stderr if stream is None else stream
        self._shown = bool(self._stream.isatty())
        self._clock, self._start = clock, clock()
        self._whole, self._done = 1.0, 0.0
        self._wide = 0

    def expect(self, whole: float) -> None:
        """Set how much work there is, in any unit."""
        self._whole = max(whole, 1e-9)

    def step(self, says: str, work: float = 0.0) -> None:
        """Show what is done next, after `work` more is done."""
        self._done = min(self._done + work, self._whole)
        spent = self._clock() - self._start
        left = ""
        if self._done > 0 and spent > AFTER:
            left = f", about {spent * (self._whole - self._done) / self._done:.0f} s left"
        self._write(f"{100 * self._done / self._whole:3.0f} %  {says}{left}")

    def close(self) -> None:
        """Clear the line."""
        self._write("")

    def _write(self, text: str) -> None:
        if not self._shown:
            return
        self._stream.write("\r" + text.ljust(self._wide) + ("" if text else "\r"))
        self._stream.flush()
        self._wide = len(text)
