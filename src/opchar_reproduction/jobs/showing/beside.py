"""Figures saved by two processes, where one figure is waited for."""

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from opchar.figures import style
from opchar_reproduction.jobs.copies import Copy, begin, end
from opchar_reproduction.jobs.showing import exhibits


def save_side_by_side() -> None:
    """Let this process save a figure as PDF, which takes longest, in a copy while it goes on."""
    copies: list[Copy] = []
    style.save = partial(_save, style.save, copies)
    exhibits.run = partial(_run, exhibits.run, copies)


def _save(
    save: Callable[..., None],
    copies: list[Copy],
    figure: Any,
    paths: Mapping[str, Path],
    note: str = "",
) -> None:
    if copies:
        end(*copies.pop())
    copies.append(begin(lambda: save(figure, {"pdf": paths["pdf"]}, note)))
    save(figure, {kind: path for kind, path in paths.items() if kind != "pdf"}, note)


def _run(run: Callable[..., None], copies: list[Copy], *given: Any, **files: Any) -> None:
    run(*given, **files)
    if copies:
        end(*copies.pop())
