"""Edges: the smallest change of a compared number that reverses the verdict of a statement."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from criterion_watch import Seen, Site, Watch, Watched
from opchar_reproduction.statements.measurements import Finding, Measurements

Judge = Callable[[Watch, Measurements], Finding]


class Edges(NamedTuple):
    """What the comparisons of a statement decide."""

    margin: float
    spreads: float
    nearest: str
    deciding: int
    counted: int
    told: str
    unnoticed: str


UNKNOWN = Edges(math.nan, math.nan, "", 0, 0, "", "")


class _Clear(NamedTuple):
    share: float
    said: str


class Compared(NamedTuple):
    """What the comparisons of a statement decide, without resamples."""

    found: Edges
    clear: Mapping[Site, float]

    def with_spreads(self, drawn: Sequence[Watched]) -> Edges:
        """Return the edges with ``spreads``, from what `clear` sees in each resample."""
        return self.found._replace(spreads=_spreads(self.clear, drawn))


def edges(judge: Judge, measured: Measurements, changed: Measurements) -> Compared:
    """Find which comparisons decide a statement, and how far each is from its bound."""
    plain = Watch()
    here, on_control = judge(plain, measured), judge(Watch(), changed)
    deciding: dict[Site, int] = {}
    for site, seen in plain.seen.items():
        for index in _nearest(seen):
            if _turns(here, _finding_with(judge, Watch(site, index), measured)):
                deciding.setdefault(site, index)
    counted = 0
    told: list[str] = []
    unnoticed: list[str] = []
    for site in plain.seen.keys() - deciding.keys():
        watch = Watch(site)
        after = _finding_with(judge, watch, measured)
        if (
            after is None
            or _turns(here, after)
            or _turns(on_control, _finding_with(judge, Watch(site), changed))
            or any(_others(plain.seen[one], watch.seen[one]) for one in deciding)
        ):
            counted += 1
        elif _of_numbers(watch.seen[site]):
            (unnoticed if after.evidence == here.evidence else told).append(site.text)
    clear = {
        site: found
        for site, index in deciding.items()
        if (found := _clearance(plain.seen[site], index))
    }
    least = min(clear, key=lambda site: clear[site].share, default=None)
    told_of = UNKNOWN._replace(
        margin=math.nan if least is None else clear[least].share,
        nearest="" if least is None else f"{least.text}: {clear[least].said}",
        deciding=len(deciding),
        counted=counted,
        told="; ".join(sorted(told)),
        unnoticed="; ".join(sorted(unnoticed)),
    )
    return Compared(told_of, {site: _least(plain.seen[site]) for site in clear})


def larger(first: float, second: float) -> bool:
    """Tell whether the first number is the larger one."""
    return first > second


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


def _clearance(seen: list[Seen], index: int) -> _Clear | None:
    """Return by how much one answer clears its bound; None where order is not asked."""
    for one in seen:
        if index < one.answers.size:
            clearance = abs(float(one.clearances.flat[index]))
            if not np.isfinite(clearance):
                return None
            left, right = (float(side.flat[index]) for side in (one.left, one.right))
            larger = max(abs(left), abs(right))
            return _Clear(clearance / larger if larger else 0.0, f"{left:.6g} against {right:.6g}")
        index -= one.answers.size
    return None


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


def _spreads(clear: Mapping[Site, float], drawn: Sequence[Watched]) -> float:
    """Return the least clearance in standard deviations over resamples."""
    shares = []
    for site, clearance in clear.items():
        found = [_least(seen.get(site, [])) for seen in drawn]
        found = [value for value in found if np.isfinite(value)]
        if len(found) > 1 and np.ptp(found) > 0:
            shares.append(abs(clearance) / float(np.std(found, ddof=1)))
    return min(shares, default=math.nan)


def _least(seen: list[Seen]) -> float:
    """Return the clearance of the answer that clears its bound least, below zero if it is no."""
    finite = [one.clearances[np.isfinite(one.clearances)] for one in seen]
    return min((float(one.min()) for one in finite if one.size), default=float("nan"))
