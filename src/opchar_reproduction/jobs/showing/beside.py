"""Figures saved by two processes, where one figure is waited for."""

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from opchar.figures import style
from opchar_reproduction.jobs.copies import begin, end


def save_side_by_side() -> None:
    """Let this process save a figure as PDF, which takes longest, in a copy of itself."""
    style.save = partial(_save, style.save)


def _save(
    save: Callable[..., None], figure: Any, paths: Mapping[str, Path], note: str = ""
) -> None:
    pdf = begin(lambda: save(figure, {"pdf": paths["pdf"]}, note))
    save(figure, {kind: path for kind, path in paths.items() if kind != "pdf"}, note)
    end(*pdf)
