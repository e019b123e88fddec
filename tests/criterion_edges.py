"""Comparisons of a statement that cannot turn its verdict round, whatever they answer."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from criterion_watch import Seen, Watch
from opchar_reproduction.statements.measurements import Finding, Measurements

Judge = Callable[[Watch, Measurements], Finding]


def idle_comparisons(judge: Judge, measured: Measurements, changed: Measurements) -> list[str]:
    """Return the comparisons of numbers that decide nothing, here or on the control.

    One that the evidence tells of is not idle, nor one that moves the bound of another.
    """
    plain = Watch()
    here, on_control = judge(plain, measured), judge(Watch(), changed)
    deciding = {
        site
        for site, seen in plain.seen.items()
        for index in _nearest(seen)
        if _turns(here, _finding_with(judge, Watch(site, index), measured))
    }
    idle = []
    for site in plain.seen.keys() - deciding:
        watch = Watch(site)
        after = _finding_with(judge, watch, measured)
        noticed = (
            after is None
            or _turns(here, after)
            or _turns(on_control, _finding_with(judge, Watch(site), changed))
            or any(_others(plain.seen[one], watch.seen[one]) for one in deciding)
            or after.evidence != here.evidence
        )
        if not noticed and _of_numbers(watch.seen[site]):
            idle.append(site.text)
    return sorted(idle)


def _finding_with(judge: Judge, watch: Watch, given: Measurements) -> Finding | None:
    """Return what a statement finds; nothing where an answer turned round breaks it."""
    try:
        return judge(watch, given)
    except Exception:
        return None


def _turns(before: Finding, after: Finding | None) -> bool:
    return after is None or bool(after.holds) != bool(before.holds)


def _others(before: list[Seen], after: list[Seen]) -> bool:
    """Tell whether a comparison has other sides, so that its bound is elsewhere."""
    return len(before) != len(after) or not all(
        _same(one.left, other.left) and _same(one.right, other.right)
        for one, other in zip(before, after, strict=True)
    )


def _same(one: NDArray[Any], other: NDArray[Any]) -> bool:
    return np.array_equal(one, other, equal_nan=one.dtype.kind == other.dtype.kind == "f")


def _of_numbers(seen: list[Seen]) -> bool:
    return any(one.left.dtype.kind in "biuf" for one in seen)


def _nearest(seen: list[Seen]) -> list[int]:
    """Return the answer nearest its bound among the true ones, and that among the false ones."""
    answers = np.concatenate([one.answers.ravel() for one in seen])
    gaps = np.abs(np.concatenate([one.clearances.ravel() for one in seen]))
    gaps = np.where(np.isfinite(gaps), gaps, np.inf)
    return [
        int(indices[np.argmin(gaps[indices])])
        for indices in (np.flatnonzero(answers), np.flatnonzero(~answers))
        if len(indices)
    ]
