"""Which protocols leave a printed table possible, and how often chance would."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np

from opchar.published.checking import OF_CLASS, Protocol, check_row
from opchar.published.numbers import Printed
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
    left, undecided : list of dict
        Choices, by the attributes of `Protocol`, under which no row is impossible; of these,
        choices under which a row was not decided.
    refuted : list of (dict, str)
        Choices and the row that is impossible under them.
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

    `vary` names attributes of `Protocol` and their values, `open_choices` when not given; `draws`
    is the number of random rows for each row, which the share by chance takes as independent.
    """
    options = open_choices(table, protocol) if vary is None else dict(vary)
    left: list[dict[str, Any]] = []
    undecided, refuted = [], []
    for values in product(*options.values()):
        choice = dict(zip(options, values, strict=True))
        chosen = replace(protocol, **choice)
        if _repeats(chosen, options):
            continue
        decided = True
        for label, row in table.rows.items():
            status = check_row(table, row, chosen).status
            decided &= status != "not decided"
            if status == "impossible":
                refuted.append((choice, label))
                break
        else:
            left.append(choice)
            undecided += [] if decided else [choice]
    chances = [_by_chance(table, replace(protocol, **choice), draws) for choice in left]
    deciding = tuple(name for name in options if len({choice[name] for choice in left}) > 1)
    return Inference(left, refuted, undecided, chances, deciding)


def open_choices(
    table: Table, protocol: Protocol, stated: Sequence[str] = ()
) -> dict[str, list[Any]]:
    """Return the choices that are not `stated`, with the values that matter for a table."""
    names = {name.partition(" ")[0] for name in table.taken.values()}
    values = [value for row in table.rows.values() for value in row.values()]
    found: dict[str, list[Any]] = {"rounding": ["nearest", "cut"]}
    if names & set(OF_CLASS):
        found["average"] = ["class", "macro", "weighted", "micro"]
    if names & {"precision", "f1", "f_beta", "jaccard"}:
        found["of_class"] = ["positive", "negative"]
    found["folds"] = [1, *_FOLDS] if protocol.folds == 1 else [1, protocol.folds]
    found["averages"] = ["pooled", "fold-means"]
    if {"precision", "tpr", "f1"} <= names:
        found["f"] = ["mean of F", "F of means"]
    if any(value.spread for value in values):
        found |= {"spread": ["sd", "se"], "sd": ["sample", "population"]}
    return {name: options for name, options in found.items() if name not in stated}


def _repeats(chosen: Protocol, options: Mapping[str, Sequence[Any]]) -> bool:
    """Tell whether a combination says the same as one with earlier values."""
    idle = {
        "averages": chosen.folds == 1,
        "folds": chosen.averages == "pooled",
        "f": chosen.pooled,
        "of_class": chosen.average != "class",
        "sd": chosen.folds == 1,
        "spread": chosen.folds == 1,
    }
    return any(
        without_effect and name in options and getattr(chosen, name) != options[name][0]
        for name, without_effect in idle.items()
    )


def _by_chance(table: Table, protocol: Protocol, draws: int) -> float:
    """Return the share of random tables that a protocol leaves possible."""
    possible = dict.fromkeys(table.rows, 0)
    quick = replace(protocol, seconds=min(protocol.seconds, 1.0))
    for label, row in table.rows.items():
        spawn = generator(0, "published", label, str(protocol))
        for _ in range(draws):
            drawn = {h: _redrawn(v, table.taken[h], spawn) for h, v in row.items()}
            possible[label] += check_row(table, drawn, quick).status != "impossible"
    return float(np.prod([count / draws for count in possible.values()]))


def _redrawn(value: Printed, taken: str, spawn: np.random.Generator) -> Printed:
    if taken in SIZES:
        return value
    digits = len(value.text.partition(".")[2])
    moved = Fraction(value.text) + int(spawn.integers(-REDRAWN, REDRAWN + 1)) * value.step
    top = 1 if Fraction(value.text) <= 1 else 100
    moved = min(abs(moved), max(Fraction(top), Fraction(value.text)))
    return Printed(f"{float(moved):.{digits}f}", value.spread, value.percent)
