"""How data are split into training and test objects: hold-outs, folds and fixed splits."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from opchar.errors import ConfigError, DataError
from opchar.functions import imported
from opchar.seeds import Spawn

Split = tuple[int, np.ndarray, np.ndarray]


def splits(protocol: Mapping[str, Any], y: np.ndarray, spawn: Spawn) -> Iterator[Split]:
    """Yield the splits of a protocol.

    Parameters
    ----------
    protocol : mapping
        An entry of ``config/protocols.yaml`` in the profile that runs: ``function`` and
        ``parameters``.
    y : ndarray of int, shape (n,)
        Classes of all objects.
    spawn : callable
        Generators by name; names the data set and protocol but not the model, so that all models
        meet the same splits.

    Yields
    ------
    fold : int
        Number of the split, from 0.
    train, test : ndarray of int
        Rows, ascending, without overlap.

    Raises
    ------
    ConfigError
        If the function is unknown or does not take the parameters.
    DataError
        If a training set would be without objects of a second class, or a test set empty.
    """
    name = str(protocol["function"])
    try:
        made = imported(name)(np.asarray(y), spawn, **protocol.get("parameters", {}))
    except (ConfigError, TypeError) as error:
        raise ConfigError(f"config/protocols.yaml: {str(error).splitlines()[0]}") from None
    for fold, train, test in made:
        if not len(test) or len(np.unique(y[train])) < 2:
            raise DataError(
                f"split {fold} has {len(test)} test objects and {len(np.unique(y[train]))} classes "
                f"to train on; '{name}' does not suit these {len(y)} objects"
            )
        yield fold, train, test


def holdout(
    y: np.ndarray,
    spawn: Spawn,
    *,
    repeats: int,
    test: float,
    stratified: bool = True,
    train_at_most: int | None = None,
) -> Iterator[Split]:
    """Yield random hold-outs (landgrebe2007, Secs. 2.2.6, 2.3.6, 3.3.5).

    Parameters
    ----------
    y : ndarray of int, shape (n,)
        Classes.
    spawn : callable
        Generators by name; repeat ``r`` uses ``spawn("split", r)``.
    repeats : int
        Number of hold-outs.
    test : float or int
        Fraction in (0, 1), or number of test objects.
    stratified : bool
        Whether each class gives its rounded share of the test objects, keeping at least one object
        for training. The share of a number of test objects is that number over n, so that rounding
        may change it by a few.
    train_at_most : int, optional
        Thin larger training sets at random to about this number, class by class, keeping at least
        one object of each.

    Yields
    ------
    fold, train, test
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
            kept = _thinned(kept, y, train_at_most / len(kept), rng)
        yield repeat, kept, held


def _share(members: np.ndarray, fraction: float, rng: np.random.Generator) -> np.ndarray:
    number = min(round(fraction * len(members)), len(members) - 1)
    return rng.permutation(members)[:number]


def _thinned(rows: np.ndarray, y: np.ndarray, share: float, rng: np.random.Generator) -> np.ndarray:
    groups = [rows[y[rows] == group] for group in np.unique(y[rows])]
    drawn = [rng.permutation(group)[: max(round(share * len(group)), 1)] for group in groups]
    return np.sort(np.concatenate(drawn))


def fixed(y: np.ndarray, spawn: Spawn, *, train: int) -> Iterator[Split]:
    """Yield the one split into the first `train` objects and the rest.

    Parameters
    ----------
    y : ndarray of int, shape (n,)
        Classes.
    spawn : callable
        Not used; all protocols have it.
    train : int
        Number of training objects.

    Yields
    ------
    fold, train, test
    """
    yield 0, np.arange(min(train, len(y))), np.arange(train, len(y))


def k_fold(
    y: np.ndarray, spawn: Spawn, *, folds: int, repeats: int = 1, stratified: bool = True
) -> Iterator[Split]:
    """Yield the splits of repeated cross-validation (mullick2020, Sec. 5.2).

    Parameters
    ----------
    y : ndarray of int, shape (n,)
        Classes.
    spawn : callable
        Generators by name; repetition ``r`` uses ``spawn("split", r)``.
    folds : int
        Parts, each once the test set; at least two.
    repeats : int
        Repetitions, each with its own shuffle. Splits are numbered through.
    stratified : bool
        Whether classes are dealt out to the folds one after another. A class of one object is then
        without training objects in the split that tests it.

    Yields
    ------
    fold, train, test
    """
    for repeat in range(repeats):
        order = spawn("split", repeat).permutation(len(y))
        if stratified:
            order = order[np.argsort(y[order], kind="stable")]
        part = np.empty(len(y), dtype=int)
        part[order] = np.arange(len(y)) % folds
        for fold in range(folds):
            yield repeat * folds + fold, np.flatnonzero(part != fold), np.flatnonzero(part == fold)
