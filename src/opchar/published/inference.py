"""Which protocols leave a printed table possible, and how often chance would."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np

from opchar.published.checking import OF_CLASS, Protocol, check_row, matrices_of
from opchar.published.matrices import Demand, UndecidedError
from opchar.published.numbers import Printed, printed
from opchar.published.tables import SIZES, Table
from opchar.seeds import generator

# Random tables redraw each number within so many units of its last digit.
REDRAWN = 50
_FOLDS = (5, 10)


@dataclass(frozen=True)
class Inference:
    """Protocols that leave a table possible.

    Attributes
    ----------
    left : list of dict
        Choices, by the attributes of `Protocol`, under which no row is impossible.
    refuted : list of (dict, str)
        Choices and the row that is impossible under them.
    undecided : list of dict
        Those of `left` under which a row was not decided.
    by_chance : list of float
        For each of `left`, the share of random tables of the same digits that it leaves possible.
    deciding : tuple of str
        Choices in which those that are left differ: what the authors would have to state.
    """

    left: list[dict[str, Any]]
    refuted: list[tuple[dict[str, Any], str]]
    undecided: list[dict[str, Any]]
    by_chance: list[float]
    deciding: tuple[str, ...]


def infer(
    table: Table,
    protocol: Protocol,
    vary: Mapping[str, Sequence[Any]] | None = None,
    draws: int = 20,
) -> Inference:
    """Check a table under each combination of choices that are not stated.

    Parameters
    ----------
    table : Table
    protocol : Protocol
        What is stated.
    vary : mapping of str to sequence, optional
        Attributes of `Protocol` and their values; `open_choices` when not given.
    draws : int
        Random rows for each row, for the share by chance; rows are taken as independent.

    Returns
    -------
    Inference
    """
    options = open_choices(table, protocol) if vary is None else dict(vary)
    left: list[dict[str, Any]] = []
    undecided, refuted = [], []
    for values in product(*options.values()):
        choice = dict(zip(options, values, strict=True))
        chosen = replace(protocol, **choice)
        if chosen.averages == "pooled" and (chosen.f != protocol.f or chosen.folds > 1):
            continue
        statuses = []
        for label, row in table.rows.items():
            statuses.append(check_row(row, table.taken, table.units, chosen).status)
            if statuses[-1] == "impossible":
                refuted.append((choice, label))
                break
        else:
            left.append(choice)
            if "not decided" in statuses:
                undecided.append(choice)
    chances = [_by_chance(table, replace(protocol, **choice), draws) for choice in left]
    deciding = tuple(name for name in options if len({choice[name] for choice in left}) > 1)
    return Inference(left, refuted, undecided, chances, deciding)


def open_choices(
    table: Table, protocol: Protocol, stated: Sequence[str] = ()
) -> dict[str, list[Any]]:
    """Return the choices that a table leaves open, with the values that matter for it.

    Parameters
    ----------
    table : Table
    protocol : Protocol
        Its own value of each choice comes first.
    stated : sequence of str
        Attributes of `Protocol` that the publication states.

    Returns
    -------
    dict of str to list
    """
    names = {name.partition(" ")[0] for name in table.taken.values()}
    values = [value for row in table.rows.values() for value in row.values()]
    found: dict[str, list[Any]] = {"rounding": ["nearest", "cut"]}
    if names & set(OF_CLASS):
        found["average"] = ["class", "macro", "weighted", "micro"]
    if names & {"precision", "f1", "f_beta", "jaccard"}:
        found["of_class"] = ["positive", "negative"]
    found["folds"] = sorted(
        {1, protocol.folds, *_FOLDS} if protocol.folds == 1 else {1, protocol.folds}
    )
    found["averages"] = ["pooled", "fold-means"]
    if {"precision", "tpr", "f1"} <= names:
        found["f"] = ["mean of F", "F of means"]
    if any(value.spread for value in values):
        found |= {"spread": ["sd", "se"], "sd": ["sample", "population"]}
    return {name: options for name, options in found.items() if name not in stated}


def _by_chance(table: Table, protocol: Protocol, draws: int) -> float:
    """Return the share of random tables that a protocol leaves possible."""
    share = 1.0
    for label, row in table.rows.items():
        spawn = generator(0, "published", label, str(protocol))
        possible = 0
        for _ in range(draws):
            drawn = {h: _redrawn(v, table.taken[h], spawn) for h, v in row.items()}
            found = check_row(drawn, table.taken, table.units, protocol)
            possible += found.status != "impossible"
        share *= possible / draws
    return share


def _redrawn(value: Printed, taken: str, spawn: np.random.Generator) -> Printed:
    if taken in SIZES:
        return value
    digits = len(value.text.partition(".")[2])
    moved = Fraction(value.text) + int(spawn.integers(-REDRAWN, REDRAWN + 1)) * value.step
    top = 1 if Fraction(value.text) <= 1 else 100
    moved = min(abs(moved), max(Fraction(top), Fraction(value.text)))
    return Printed(f"{float(moved):.{digits}f}", value.spread, value.percent)


def sizes(
    demands: list[Demand], protocol: Protocol, until: float = math.inf
) -> Iterator[tuple[int, int]]:
    """Yield numbers of positives and negatives that leave scores possible.

    Parameters
    ----------
    demands : list of Demand
    protocol : Protocol
        Its sizes that are None are tried, up to `most_objects`.
    until : float
        Time of `time.monotonic` after which the search is given up.

    Yields
    ------
    tuple of int

    Raises
    ------
    UndecidedError
        When time is over.
    """
    pooled = protocol.folds == 1 or protocol.averages == "pooled"
    shares = {
        part: [d.limits for d in demands if d.index.name in names] if pooled else []
        for part, names in _SHARES.items()
    }
    totals = [protocol.objects] if protocol.objects else range(2, protocol.most_objects + 1)
    for total in totals:
        if not _multiples(shares["all"], total):
            continue
        for p in range(1, total):
            n = total - p
            if protocol.positives not in (None, p) or protocol.negatives not in (None, n):
                continue
            if min(p, n) < protocol.folds or not _multiples(shares["positives"], p):
                continue
            if time.monotonic() > until:
                raise UndecidedError
            if _multiples(shares["negatives"], n) and matrices_of(demands, p, n, protocol):
                yield p, n


_SHARES = {
    "all": ("accuracy", "error_rate", "posfrac"),
    "positives": ("tpr", "fnr"),
    "negatives": ("tnr", "fpr"),
}


def _multiples(limits: Sequence[tuple[Fraction, Fraction]], size: int) -> bool:
    return all(math.ceil(low * size) <= math.floor(high * size) for low, high in limits)


def object_counts(
    scores: Sequence[Printed | str],
    counts: Sequence[int],
    *,
    percent: bool = False,
    rounding: Any = "nearest",
) -> list[int]:
    """Return numbers of objects of which all printed shares are multiples of one object.

    Parameters
    ----------
    scores : sequence of Printed or str
        Accuracies, or other shares of the same objects.
    counts : sequence of int
        Numbers to try.
    percent : bool
        Whether the scores are percentages.
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
    limits = [printed(score).limits(rounding, percent=percent) for score in scores]
    return [count for count in counts if _multiples(limits, count)]
