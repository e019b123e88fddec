"""Which protocols, and which sizes of one test set, leave a printed table possible."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import combinations, product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from opchar.printed.checking import check_row
from opchar.printed.exact_indices import exact_index
from opchar.printed.headings import SIZES
from opchar.printed.numbers import Limits, Printed
from opchar.printed.parts import set_of
from opchar.printed.protocol import Answer, FoldsError, Protocol
from opchar.printed.row import OF_CLASS, SHARES, Row, of_other_class
from opchar.printed.tables import Table
from opchar.seeds import generator

MOST_SIZES = 15_000
_LARGEST = 2**40


@dataclass(frozen=True)
class SharedSizes:
    """Sizes that one test set of all rows may have.

    Attributes
    ----------
    objects : list of int
        Possible sizes below `every_from`.
    every_from : int or None
        From this size on every one is possible, up to 15,000; None where the greatest is not.
    scores : int
        How many shares were compared.
    error : float
        Standard error of the first share at the smallest size, sqrt(a (1 - a) / n).
    alike : list of (str, str, str)
        Labels of two rows whose difference is below that error, and what it is below:
        ``"one object"`` or ``"the standard error"``.
    stated : bool
        Whether the size is stated, not found.
    """

    objects: list[int]
    every_from: int | None = None
    scores: int = 0
    error: float = math.nan
    alike: tuple[tuple[str, str, str], ...] = ()
    stated: bool = False


def sizes_of_shares(limits: Sequence[Limits], most: int = MOST_SIZES) -> NDArray[np.int64]:
    """Return the sizes, up to the greatest, of which multiples of one lie between all limits."""
    sizes = np.arange(1, most + 1)
    for low, high in limits:
        numbers: NDArray = sizes
        if max(*low.as_integer_ratio(), *high.as_integer_ratio()) > _LARGEST:
            numbers = sizes.astype(object)
        first = -(-numbers * low.numerator // low.denominator)
        last = numbers * high.numerator // high.denominator
        sizes = sizes[(first <= last).astype(bool)]
    return sizes


def least_of(answers: Mapping[str, Answer]) -> int | None:
    """Return the least size that all rows need; None where a row is impossible."""
    if any(answer.refutes for answer in answers.values()):
        return None
    return max((answer.least_objects or 1 for answer in answers.values()), default=1)


def shared_test_set(
    table: Table, protocol: Protocol, most: int = MOST_SIZES, least: int | None = 1
) -> SharedSizes:
    """Return the sizes of one test set that the shares of all rows allow.

    Parameters
    ----------
    table : Table
    protocol : Protocol
        With sizes of each row, or means over folds, nothing is asked; a stated size is taken.
    most : int
        The greatest size that is tried.
    least : int or None
        The least size that the rows need (`least_of`); with None nothing is asked.

    Returns
    -------
    SharedSizes
    """
    known = _stated_size(table, protocol)
    told = set(SIZES) & {*table.taken.values(), *table.stated}
    of_parts = told or protocol.classes or protocol.parts
    if least is None or not protocol.pooled or (of_parts and not known):
        return SharedSizes([])
    labels = table.labels("row", "overall")
    last = set_of(labels[-1]) if labels else ""
    labels = [label for label in labels if set_of(label) == last]
    rows = {label: Row(table, table.rows[label], protocol) for label in labels}
    shares = {
        (label, heading): row.limits[heading]
        for label, row in rows.items()
        for heading, name in row.names.items()
        if name in SHARES
    }
    if not shares:
        return SharedSizes([])
    first = next(iter(shares.values()))
    if known:
        error, alike = _error(first, known), _alike(shares, known)
        return SharedSizes([known], None, len(shares), error, alike, stated=True)
    least = max(least, (protocol.positives or 1) + (protocol.negatives or 1))
    found = sizes_of_shares(list(shares.values()), most)
    found = found[found >= least]
    if not len(found):
        return SharedSizes([], None, len(shares))
    size = int(found[0])
    gaps = np.flatnonzero(np.diff(found) > 1)
    start = int(gaps[-1]) + 1 if len(gaps) else 0
    every = int(found[start]) if found[-1] == most else None
    listed = found[:start] if every else found
    error = _error(first, size)
    return SharedSizes(listed.tolist(), every, len(shares), error, _alike(shares, size))


def _error(share: Limits, size: int) -> float:
    """Return the standard error of a share of so many objects."""
    middle = float(sum(share)) / 2
    return math.sqrt(max(middle * (1 - middle), 0) / size)


def _alike(shares: dict[tuple[str, str], Limits], size: int) -> tuple[tuple[str, str, str], ...]:
    """Return pairs of rows that one object, or the standard error, does not tell apart."""
    heading = next(iter(shares))[1]
    of_one = {label: ends for (label, h), ends in shares.items() if h == heading}
    found = []
    for (one, (a, b)), (other, (c, d)) in combinations(of_one.items(), 2):
        gap = float(abs((a + b) - (c + d)) / 2)
        if Fraction(math.floor(max(b, d) * size) - math.ceil(min(a, c) * size)) < 1:
            found.append((one, other, "one object"))
        elif gap < _error((a, b), size):
            found.append((one, other, "the standard error"))
    return tuple(found)


def _stated_size(table: Table, protocol: Protocol) -> int | None:
    """Return the stated number of objects of one test set of all rows."""
    if set(SIZES) & set(table.taken.values()) or protocol.classes or protocol.parts:
        return None
    if protocol.positives and protocol.negatives:
        return protocol.positives + protocol.negatives
    return protocol.objects or table.stated.get("objects")


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
    by_chance : list of float or None
        For each of `left`, the share of random tables of the same digits that it leaves possible;
        None for means over folds, where a row was not decided, and where the number of objects
        alone is stated; empty without draws.
    deciding : tuple of str
        Choices in which those that are left differ: what the authors would have to state.
    same : list of list of dict
        For each of `left`, then of `refuted`, other choices that give every score of the table the
        same value, as micro and weighted averages of recall: no such table tells them apart.
    objects : list of int
        Sizes of one test set of which all accuracies and other shares are multiples, as
        `shared_test_set` lists them; empty if there are none of these, or the size is stated.
    unfilled : list of dict
        Choices that were left out, since the objects of a class do not fill the folds.
    options : dict of str to list
        The values of each attribute, of which all combinations were tried.
    """

    left: list[dict[str, Any]]
    refuted: list[tuple[dict[str, Any], str]]
    undecided: list[dict[str, Any]]
    by_chance: list[float | None]
    deciding: tuple[str, ...]
    same: list[list[dict[str, Any]]] = field(default_factory=list)
    objects: list[int] = field(default_factory=list)
    unfilled: list[dict[str, Any]] = field(default_factory=list)
    options: dict[str, list[Any]] = field(default_factory=dict)


def infer(
    table: Table,
    protocol: Protocol,
    vary: Mapping[str, Sequence[Any]] | None = None,
    draws: int = 10,
) -> Inference:
    r"""Check a table under each combination of choices that are not stated.

    Folds that the objects of a class do not fill are left out: scores would be undefined in some.

    Parameters
    ----------
    table : Table
        As `read_table` returns it.
    protocol : Protocol
        What is stated.
    vary : mapping of str to sequence, optional
        Attributes of `Protocol` and the values to try; `open_choices` when not given.
    draws : int
        Random rows for each row, which the share by chance takes as independent; 0 leaves it out.

    Returns
    -------
    Inference

    Raises
    ------
    DataError
        If the protocol contradicts itself, or no folds that are left could be filled.

    Examples
    --------
    >>> from opchar.printed import Protocol, infer, read_table
    >>> table = read_table("Model,Accuracy\nA,0.333")
    >>> infer(table, Protocol(10, 20), {"rounding": ["nearest", "cut"]}, draws=0).left
    [{'rounding': 'nearest'}, {'rounding': 'cut'}]
    """
    options = open_choices(table, protocol) if vary is None else dict(vary)
    alike: dict[tuple[Any, ...], list[dict[str, Any]]] = {}
    for values in product(*options.values()):
        choice = dict(zip(options, values, strict=True))
        alike.setdefault(_effective_protocol(table, replace(protocol, **choice)), []).append(choice)
    left, undecided, refuted, same, same_of_refuted = [], [], [], [], []
    unfilled: list[dict[str, Any]] = []
    for choice, *others in alike.values():
        try:
            label, decided = _impossible_row(table, replace(protocol, **choice))
        except FoldsError:
            if len(unfilled) == len(alike) - 1:
                raise  # no folds are left that could be filled
            unfilled.append(choice)
            continue
        if label is not None:
            refuted.append((choice, label))
            same_of_refuted.append(others)
            continue
        left.append(choice)
        same.append(others)
        undecided += [] if decided else [choice]
    chances = [
        None if choice in undecided else _by_chance(table, replace(protocol, **choice), draws)
        for choice in (left if draws else [])
    ]
    deciding = tuple(name for name in options if len({choice[name] for choice in left}) > 1)
    shared = shared_test_set(table, protocol, protocol.most_objects)
    sizes = [] if shared.stated else shared.objects
    same += same_of_refuted
    tried = {name: list(values) for name, values in options.items()}
    return Inference(left, refuted, undecided, chances, deciding, same, sizes, unfilled, tried)


def _impossible_row(table: Table, protocol: Protocol) -> tuple[str | None, bool]:
    """Return the first row that is impossible, if any, and whether all before it were decided.

    Folds are refuted by bounds and sums, without the search for folds that have the scores.
    """
    decided = True
    for label, row in table.rows.items():
        kind = table.kind(label)
        status = check_row(table, row, protocol, explain=False, search=False, kind=kind).status
        if status == "impossible":
            return label, decided
        decided &= status != "not decided"
    return None, decided


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


def _effective_protocol(table: Table, protocol: Protocol) -> tuple[Any, ...]:
    """Return what a protocol makes of a table; equal where every score has the same value."""
    names = [name for name in table.taken.values() if name and name not in SIZES]
    p, n, folds = protocol.positives, protocol.negatives, protocol.folds
    indices = [_index(name, names, protocol) for name in names]
    exact = [exact_index(index) for index in indices if isinstance(index, str)]
    linear = len(exact) == len(indices) and all(index and index.linear for index in exact)
    equal = p is not None and n is not None and not p % folds and not n % folds
    pooled = protocol.pooled or (linear and equal)
    spreads = any(value.spread for row in table.rows.values() for value in row.values())
    return (
        protocol.rounding,
        tuple(indices),
        None if pooled else (folds, protocol.f),
        (folds, protocol.spread, protocol.sd) if spreads and folds > 1 else None,
        *(getattr(protocol, name) for name in ("unit", "positives", "negatives", "objects")),
    )


def _index(name: str, names: Sequence[str], protocol: Protocol) -> tuple[str, str] | str:
    """Return which index a column has under a protocol, one name for indices that are equal."""
    if protocol.average == "class" or name not in OF_CLASS:
        other = protocol.of_class == "negative" and of_other_class(name, names)
        return (name, "negative") if other and protocol.average == "class" else name
    if protocol.average == "micro" or (protocol.average, name) == ("weighted", "tpr"):
        return "accuracy"
    equal = protocol.positives is not None and protocol.positives == protocol.negatives
    kind = "macro" if equal and not protocol.classes else protocol.average
    return f"{kind}_{OF_CLASS[name]}"


def _by_chance(table: Table, protocol: Protocol, draws: int) -> float | None:
    """Return the share of random tables that a protocol leaves possible."""
    known = protocol.positives is not None and protocol.negatives is not None
    if not protocol.pooled or (protocol.objects is not None and not known):
        return None  # each redrawn row would be asked of every number of positives
    possible = dict.fromkeys(table.rows, 0)
    for label, row in table.rows.items():
        spawn = generator(0, "published", label, str(protocol))
        for _ in range(draws):
            drawn = {h: _redrawn(v, table.taken[h], spawn) for h, v in row.items()}
            answer = check_row(table, drawn, protocol, explain=False, search=False)
            possible[label] += not answer.refutes
    return float(np.prod([count / draws for count in possible.values()]))


def _redrawn(value: Printed, taken: str, spawn: np.random.Generator) -> Printed:
    if taken in SIZES:
        return value
    digits = len(value.text.partition(".")[2])
    moved = Fraction(value.text) + int(spawn.integers(-REDRAWN, REDRAWN + 1)) * value.step
    top = 1 if Fraction(value.text) <= 1 else 100
    moved = min(abs(moved), max(Fraction(top), Fraction(value.text)))
    return Printed(f"{float(moved):.{digits}f}", value.spread, value.percent)
