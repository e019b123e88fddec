"""How data are split into training and test objects: hold-outs, folds, fixed and drawn splits."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from inspect import signature
from typing import Any, NamedTuple

import numpy as np

from opchar.errors import ConfigError, DataError, first_line
from opchar.functions import import_function
from opchar.ranges import Count, Folds
from opchar.seeds import Spawn

Groups = Mapping[str, np.ndarray]


class Split(NamedTuple):
    """One training set and one of its test sets.

    Shapes: `y` (n,); `X` (m, d).
    """

    fold: int
    train: np.ndarray
    test: np.ndarray
    test_set: str | None = None
    y: np.ndarray | None = None
    classes: tuple[str, ...] | None = None
    about: Mapping[str, Any] | None = None
    X: np.ndarray | None = None


def splits(
    protocol: Mapping[str, Any],
    y: np.ndarray,
    spawn: Spawn,
    groups: Groups | None = None,
    X: np.ndarray | None = None,
) -> Iterator[Split]:
    """Yield the splits of a protocol.

    Shapes: `y`, `groups` (n,); `X` (n, d).

    `protocol`: An entry of ``config/protocols.yaml`` in the profile that runs: ``function`` and
    ``parameters``.
    `spawn`: Generators by name; names the data set and protocol but not the model, so that all
    models meet the same splits.
    `X`: The objects, for functions that have an argument `X` because they draw others around them.
    """
    name = str(protocol["function"])
    try:
        function = import_function(name)
        offered = {"groups": groups or {}, "X": X}
        wanted = signature(function).parameters
        if "X" in wanted and X is None:
            raise ConfigError(f"'{name}' draws objects around others and was given none")
        supplied = {name: given for name, given in offered.items() if name in wanted}
        made = function(np.asarray(y), spawn, **supplied, **protocol.get("parameters", {}))
    except (ConfigError, TypeError) as error:
        raise ConfigError(f"config/protocols.yaml: {str(error).splitlines()[0]}") from None
    split = None
    for split in _splits_of(name, made):
        trained = len(np.unique((y if split.y is None else split.y)[split.train]))
        if not len(split.test) or trained < 2:
            raise DataError(
                f"split {split.fold} has {len(split.test)} test objects and {trained} classes "
                f"to train on; '{name}' does not suit these {len(y)} objects"
            )
        yield split
    if split is None:
        raise DataError(f"'{name}' makes no split of these {len(y)} objects")


def _splits_of(name: str, made: Iterator[Split]) -> Iterator[Split]:
    """Yield splits; what the function says of objects that it cannot split names it."""
    try:
        for one in made:
            yield Split(*one)
    except (TypeError, ValueError) as error:
        raise DataError(f"'{name}': {first_line(error)}") from error


def column(groups: Groups, name: str) -> np.ndarray:
    """Return a group column.

    Shapes: returned (n,).
    """
    if name not in groups:
        known = ", ".join(f"'{known}'" for known in sorted(groups)) or "none"
        raise DataError(
            f"the protocol wants objects with the group column '{name}'; there is {known}"
        )
    return np.asarray(groups[name])


def holdout(
    y: np.ndarray,
    spawn: Spawn,
    *,
    repeats: Count,
    test: float,
    stratified: bool = True,
    train_at_most: int | None = None,
    own: bool = False,
) -> Iterator[Split]:
    """Yield random hold-outs (landgrebe2007, Secs. 2.2.6, 2.3.6, 3.3.5).

    `y` (n,); `repeats`: number of hold-outs; `test`: fraction in (0, 1), or number of test objects;
    `stratified`: whether each class gives its rounded share of the test objects, keeping at least
    one object for training. The share of a number of test objects is that number over n, so that
    rounding may change it by a few; `train_at_most`: thin larger training sets at random to about
    this number, class by class, keeping at least one object of each; `own`: whether the training
    objects are a test set ``train``, too; the others are then ``test``.
    """
    fraction = test / len(y) if test >= 1 else test
    for repeat in range(repeats):
        rng = spawn("split", repeat)
        if stratified:
            drawn = [_share(np.flatnonzero(y == group), fraction, rng) for group in np.unique(y)]
            held = np.sort(np.concatenate(drawn))
        else:
            held = np.sort(rng.permutation(len(y))[: round(fraction * len(y))])
        kept = np.setdiff1d(np.arange(len(y)), held)
        if train_at_most is not None and len(kept) > train_at_most:
            kept = _subsample(kept, y, train_at_most / len(kept), rng)
        yield from _with_training_set(repeat, kept, held, own)


def _with_training_set(
    fold: int, train: np.ndarray, test: np.ndarray, own: bool
) -> Iterator[Split]:
    """Yield the split of a training set, and before it the training set as its own test set."""
    if own:
        yield Split(fold, train, train, "train")
    yield Split(fold, train, test, "test" if own else None)


def _share(members: np.ndarray, fraction: float, rng: np.random.Generator) -> np.ndarray:
    number = min(round(fraction * len(members)), len(members) - 1)
    return rng.permutation(members)[:number]


def _subsample(
    rows: np.ndarray, y: np.ndarray, share: float, rng: np.random.Generator
) -> np.ndarray:
    groups = [rows[y[rows] == group] for group in np.unique(y[rows])]
    drawn = [rng.permutation(group)[: max(round(share * len(group)), 1)] for group in groups]
    return np.sort(np.concatenate(drawn))


def fixed(
    y: np.ndarray, spawn: Spawn, *, train: int, own: bool = False, repeats: Count = 1
) -> Iterator[Split]:
    """Yield the one split into the first `train` objects and the rest.

    `own` is as for `holdout`. `repeats` is how often it is given, each time as a fold of its own:
    models whose training draws are trained as often. All protocols have `spawn`; this one does not
    use it.

    Shapes: `y` (n,).
    """
    for repeat in range(repeats):
        first, rest = np.arange(min(train, len(y))), np.arange(train, len(y))
        yield from _with_training_set(repeat, first, rest, own)


def k_fold(
    y: np.ndarray, spawn: Spawn, *, folds: Folds, repeats: Count = 1, stratified: bool = True
) -> Iterator[Split]:
    """Yield the splits of repeated cross-validation (mullick2020, Sec. 5.2).

    `y` (n,); `spawn`: generators by name; repetition ``r`` uses ``spawn("split", r)``; `folds`:
    parts, each once the test set; at least two; `repeats`: repetitions, each with its own shuffle.
    Splits are numbered through; `stratified`: whether classes are dealt out to the folds one after
    another. A class of one object is then without training objects in the split that tests it.
    """
    for repeat in range(repeats):
        order = spawn("split", repeat).permutation(len(y))
        if stratified:
            order = order[np.argsort(y[order], kind="stable")]
        part = np.empty(len(y), dtype=int)
        part[order] = np.arange(len(y)) % folds
        for fold in range(folds):
            rows = np.flatnonzero(part != fold), np.flatnonzero(part == fold)
            yield Split(repeat * folds + fold, *rows)


def drawn(
    y: np.ndarray, spawn: Spawn, *, groups: Groups, draws: Count | None = None, own: bool = False
) -> Iterator[Split]:
    """Yield the splits that a set of several draws brings along in its columns ``draw``, ``part``.

    Each draw is a fold: its part ``train`` trains, every other part is a test set. Sets that are
    generated with ``draws`` and ``parts`` in ``config/datasets.yaml`` have these columns.

    `y` (n,); `groups` (n,): ``draw``, numbers, and ``part``, names; `draws`: only the first so many
    draws; all without it; `own`: whether the training objects are a test set ``train``, too.
    Yields: with the name of the part as `test_set` where there is more than one.
    """
    draw, part = column(groups, "draw"), column(groups, "part")
    names, codes = np.unique(part, return_inverse=True)
    for number in np.unique(draw)[:draws].tolist():
        rows = np.flatnonzero(draw == number)
        parts = {name: rows[codes[rows] == code] for code, name in enumerate(names)}
        if not len(parts.get("train", [])):
            raise DataError(f"draw {number} has no objects in the part 'train'")
        tested = [name for name, rows in parts.items() if len(rows) and (own or name != "train")]
        for name in tested:
            named = str(name) if len(tested) > 1 else None
            yield Split(int(number), parts["train"], parts[name], named)
