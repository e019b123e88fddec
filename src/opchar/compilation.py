"""Code that numba compiles (``opchar[fast]``), loaded once it is worth the time that this takes."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from types import ModuleType


class Compiled:
    """A module of compiled code that gives the same numbers as the arrays it stands in for."""

    def __init__(self, load: Callable[[], ModuleType], worth: int) -> None:
        self.load, self.worth, self.steps = load, worth, 0

    def module_after(self, steps: int) -> ModuleType | None:
        """Return the module if it is worth its start and numba is installed."""
        self.steps += steps
        return self._module if self.steps > self.worth else None

    @cached_property
    def _module(self) -> ModuleType | None:
        try:
            return self.load()
        except ImportError:
            return None
