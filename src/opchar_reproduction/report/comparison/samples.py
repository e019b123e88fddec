"""The noise of numbers that were counted on a finite sample, such as an error rate."""

import math
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from typing import Any, NamedTuple

import pandas as pd

# Random rates are multiples of as large a share as those of a row or column with this probability.
LUCK = 0.001
RATES = {"fraction": 1, "FPR": 1, "%": 100}
Line = Mapping[Any, Any]
_PLAIN = re.compile(r"\d*\.?\d+$")
_SAMPLE = re.compile(r"(?:(%|fraction|area) )?of (\d+)(?: \+ (\d+))?\b")


class Sample(NamedTuple):
    """What a number was counted on."""

    scale: float
    size: int
    negatives: int = 0


def sample_of(unit: str) -> Sample | None:
    """Read the sample of a counted number from its unit.

    `unit`: ``of 50 scenarios`` for a count, ``% of 50 scenarios`` or ``fraction of 800 objects``
    for a rate, ``area of 120 + 80 objects`` for an area under an ROC curve (positives first).
    """
    match = _SAMPLE.match(unit)
    if match is None or int(match[2]) == 0 or (match[1] == "area") != (match[3] is not None):
        return None
    size = int(match[2])
    scale = {"%": 100.0, "fraction": 1.0, "area": 1.0, None: float(size)}[match[1]]
    return Sample(scale, size, int(match[3] or 0))


Samples = tuple[Sample, Sample | None]
"""What the printed number and ours were counted on; None where ours is exact."""


def samples_of(printed_unit: str, unit: str, exact: bool = False) -> Samples | None:
    """Return the samples behind the printed number and ours; one known stands in for the other."""
    theirs, ours = sample_of(printed_unit), sample_of(unit)
    known = theirs or ours
    if known is None:
        return None
    return theirs or known, ours or (None if exact else known)


def counted_on(line: Line, ours: Line) -> Samples | None:
    """Return the samples behind two lines, by their units or as the printed rates show them."""
    if line.get("counted"):
        return Sample(RATES[line["unit"]], line["counted"]), None
    return samples_of(line["unit"], str(ours["unit"]), is_exact(ours))


def last_digit(value: Decimal) -> Decimal:
    """Return one unit of the last printed digit: 0.01 for ``0.70``, 1e4 for ``8.1e5``."""
    exponent = value.as_tuple().exponent
    if not isinstance(exponent, int):
        raise ValueError(f"{value} has no last digit")
    return Decimal(1).scaleb(exponent)


def evident_size(printed: Sequence[str], scale: int = 1) -> int | None:
    """Return the size of the sample on which rates were counted, where their digits show it.

    All are rounded multiples of ``1 / n``, and of no larger share. Random rates must be so for some
    size up to n with a probability of at most `LUCK`. Of all numbers with the last digit u, n
    objects give a share of at most ``(n + 1) u``; the sum of the products of these shares bounds
    the probability. Zero, one, equal rates and complements tell nothing; a row that sums to one
    has one free rate less; one free rate is not enough.
    """
    numbers = [Decimal(text) / scale for text in printed]
    units = [last_digit(Decimal(text)) / scale for text in printed]
    both = zip(numbers, units, strict=True)
    rates = {min(number, 1 - number): unit for number, unit in both if 0 < number < 1}
    whole = abs(sum(numbers, Decimal(-1))) <= sum(units, Decimal(0)) / 2
    told = sorted(rates.values())[int(whole and len(rates) > 1) :]
    chance, size = 0.0, 1
    while len(told) > 1 and chance <= LUCK:
        size += 1
        chance += math.prod(min(1.0, (size + 1) * float(unit)) for unit in told)
        if chance <= LUCK and all(
            abs(round(rate * size) - rate * size) <= unit * size / 2 for rate, unit in rates.items()
        ):
            return size
    return None


def evident_sizes(pairs: Iterable[tuple[Line, Line | None]]) -> dict[str, int]:
    """Return the sizes of samples that rows and columns of printed rates show, by line.

    `pairs`: Each printed line with ours. Only lines of which ours is exact are returned. Where all
    of them are rates of the size too, both sides count one printed list, and nothing was drawn.
    """
    groups: dict[tuple[str, ...], list[tuple[Line, Line | None]]] = defaultdict(list)
    for line, ours in pairs:
        plain = line["kind"] == "number" and not line["std"] and _PLAIN.match(line["value"])
        if plain and line["unit"] in RATES:
            table = line["paper"], line["artefact"], line["unit"]
            for along in ("column", "row"):
                groups[*table, along, line[along]].append((line, ours))
    found: dict[str, int] = {}
    for (*_, unit, _, _), group in groups.items():
        exact = {
            line["id"]: float(ours["value"]) / RATES[unit]
            for line, ours in group
            if ours is not None and is_exact(ours)
        }
        size = evident_size([line["value"] for line, _ in group], RATES[unit]) if exact else None
        if size and any(abs(round(rate * size) - rate * size) > 1e-6 for rate in exact.values()):
            found |= dict.fromkeys(exact, size)
    return found


def is_exact(ours: Line) -> bool:
    """Tell whether ours is a finite number in which nothing is random."""
    one = bool(ours["kind"] == "number" and ours["basis"] == "exact" and pd.isna(ours["n"]))
    return one and math.isnan(float(ours["std"])) and math.isfinite(float(ours["value"]))


def difference_variance(printed: float, value: float, theirs: Sample, ours: Sample | None) -> float:
    """Return the variance of the difference of two numbers counted on samples of their own.

    Ours is exact if it has no sample: a sample drawn from it has the variance.

    J. A. Hanley and B. J. McNeil, "The meaning and use of the area under a receiver operating
    characteristic (ROC) curve", Radiology 143, 1982.
    """
    if ours is None:
        if theirs.negatives:
            return area_variance(_share(value), theirs.size, theirs.negatives)
        rate = _share(value / theirs.scale)
        return theirs.scale**2 * rate * (1 - rate) / theirs.size
    if theirs.negatives:
        area = _share((printed + value) / 2)
        return area_variance(area, theirs.size, theirs.negatives) + area_variance(
            area, ours.size, ours.negatives
        )
    total = theirs.size + ours.size
    rate = _share((printed * theirs.size + value * ours.size) / (theirs.scale * total))
    return theirs.scale**2 * rate * (1 - rate) * (1 / theirs.size + 1 / ours.size)


def area_variance(area: float, positives: int, negatives: int) -> float:
    """Return the variance of an area under an ROC curve, by Hanley and McNeil (1982)."""
    two_positives = area / (2 - area)
    two_negatives = 2 * area**2 / (1 + area)
    return (
        area * (1 - area)
        + (positives - 1) * (two_positives - area**2)
        + (negatives - 1) * (two_negatives - area**2)
    ) / (positives * negatives)


def _share(value: float) -> float:
    return min(max(value, 0.0), 1.0) if math.isfinite(value) else 0.0
