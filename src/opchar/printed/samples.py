"""Shares and means of whole numbers: of how many objects they may be."""

from __future__ import annotations

import math
from collections.abc import Sequence

from opchar.printed.numbers import Printed, Rounding
from opchar.printed.reported_values import SECONDS, Kind, Limits, Spread, sample_counts


def multiples(limits: Sequence[Limits], size: int) -> bool:
    """Tell whether multiples of one over `size` lie between all limits."""
    return all(math.ceil(low * size) <= math.floor(high * size) for low, high in limits)


def object_counts(
    scores: Sequence[str],
    counts: Sequence[int],
    *,
    percent: bool = False,
    rounding: Rounding = "nearest",
) -> list[int]:
    """Return numbers of objects of which all printed shares are multiples of one object.

    Parameters
    ----------
    scores : sequence of str
        As printed.
    counts : sequence of int
        What is tried.
    percent : bool
        Whether the shares are in percent.
    rounding : {"nearest", "cut"}

    Returns
    -------
    list of int

    Examples
    --------
    >>> scores = ["22.4", "27.2", "52.0", "31.2", "29.6", "41.6"]
    >>> object_counts(scores, range(20, 400), percent=True)
    [125, 250, 375]
    """
    limits = [Printed(score).limits(rounding, percent=percent) for score in scores]
    return [count for count in counts if multiples(limits, count)]


def sample_with(
    mean: str,
    sd: str | None,
    n: int,
    low: int,
    high: int,
    *,
    rounding: Rounding = "nearest",
    spread: Spread = "sd",
    kind: Kind = "sample",
    seconds: float = SECONDS,
) -> dict[int, int] | None:
    """Return a sample of whole numbers with a printed mean and spread, or None.

    As `opchar.printed.reported_values.sample_counts` (GRIM, GRIMMER, SPRITE), for printed numbers.

    Parameters
    ----------
    mean, sd : str
        As printed; the spread may be None.
    n, low, high : int
        Size of the sample, least and greatest value.
    rounding, spread, kind, seconds
        As `Protocol` has them; `kind` is its `sd`.

    Returns
    -------
    dict or None
        How often each value occurs.

    Raises
    ------
    UndecidedError
        If a search ends without an answer.

    Examples
    --------
    >>> sample_with("3.45", None, 20, 1, 5) is not None, sample_with("3.47", None, 20, 1, 5)
    (True, None)
    """
    ends = Printed(mean).limits(rounding)
    spreads = None if sd is None else Printed(sd).limits(rounding)
    return sample_counts(ends, spreads, n, low, high, spread, kind, seconds)
