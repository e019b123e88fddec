"""Test sets with other ratios of the classes than the training set (mullick2020, Sec. 5.2)."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from opchar.errors import DataError
from opchar.models.protocols import Split, k_fold
from opchar.seeds import Spawn

TEST_SETS = ("balanced", "reversed", "halved", "original", "doubled")


def relative_sizes(counts: np.ndarray) -> dict[str, np.ndarray]:
    """Return how the sizes of the classes relate in each of the five test sets.

    With ``r`` the size of a class over that of the smallest class in the training set: all equal;
    reversed (``1 / r``; for two classes the larger one is half the smaller, a ratio of 0.5);
    halved (``r / 2``, the smallest stays 1); original (``r``); doubled (``2 r``, the smallest
    stays 1). All smallest classes stay 1 where there are several.

    Parameters
    ----------
    counts : ndarray of int, shape (C,)
        Training objects of each class, all positive.

    Returns
    -------
    dict of str to ndarray of float, shape (C,)
        By the names of `TEST_SETS`.
    """
    ratios = counts / counts.min()
    smallest = counts == counts.min()
    reversed_ = 1 / ratios
    if len(counts) == 2:
        reversed_ = np.where(smallest, 1.0, 0.5)
    return {
        "balanced": np.ones(len(counts)),
        "reversed": reversed_,
        "halved": np.where(smallest, 1.0, ratios / 2),
        "original": ratios,
        "doubled": np.where(smallest, 1.0, 2 * ratios),
    }


def drawn_rows(
    y: np.ndarray, rows: np.ndarray, relative: np.ndarray, rng: np.random.Generator
) -> np.ndarray:
    """Draw the largest test set in which the sizes of the classes relate as wanted.

    Parameters
    ----------
    y : ndarray of int, shape (n,)
        Classes of all objects.
    rows : ndarray of int
        Objects that may be tested, some of each class.
    relative : ndarray of float, shape (C,)
        Wanted sizes up to a factor, positive.
    rng : numpy.random.Generator
        Draws without replacement, class by class.

    Returns
    -------
    ndarray of int
        Ascending. A class has the whole part of its share of the largest possible set, but at least
        one object.
    """
    available = np.bincount(y[rows], minlength=len(relative))
    factor = (available / relative).min()
    sizes = np.maximum(np.floor(factor * relative * (1 + 1e-12)).astype(int), 1)
    drawn = [rng.permutation(rows[y[rows] == c])[:size] for c, size in enumerate(sizes)]
    return np.sort(np.concatenate(drawn))


def representatives(
    y: np.ndarray, spawn: Spawn, *, folds: int, repeats: int = 1
) -> Iterator[Split]:
    """Yield stratified folds, each tested on five test sets with ratios of their own.

    The ratio of representatives in the test set (RRT) is varied by taking objects out of the fold
    that is tested, never by repeating any. Split ``5 f + s`` tests fold ``f`` with the test set
    ``TEST_SETS[s]``; the five share one training set.

    Parameters
    ----------
    y : ndarray of int, shape (n,)
        Classes ``0`` to ``C - 1``.
    spawn : callable
        Generators by name; folds as in `opchar.models.protocols.k_fold`, test sets from
        ``spawn("test sets", f)``.
    folds, repeats : int
        As in `opchar.models.protocols.k_fold`.

    Yields
    ------
    fold, train, test

    Raises
    ------
    DataError
        If a class is missing in a training or a test fold.

    References
    ----------
    mullick2020, Definition 2 and Sec. 5.2.
    """
    classes = int(y.max()) + 1
    for fold, train, test in k_fold(y, spawn, folds=folds, repeats=repeats):
        counts = np.bincount(y[train], minlength=classes)
        missing = np.flatnonzero((counts == 0) | (np.bincount(y[test], minlength=classes) == 0))
        if len(missing):
            raise DataError(
                f"class {missing[0]} is missing in fold {fold}: {folds} folds want {folds} objects "
                "or more of each class"
            )
        rng = spawn("test sets", fold)
        for number, relative in enumerate(relative_sizes(counts).values()):
            yield (
                len(TEST_SETS) * fold + number,
                train,
                drawn_rows(y, test, relative, rng),
            )
