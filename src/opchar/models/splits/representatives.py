"""Test sets with other ratios of the classes than the training set (mullick2020, Sec. 5.2)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from opchar.datasets.problems import draw
from opchar.errors import DataError
from opchar.models.splits.protocols import Split, k_fold
from opchar.ranges import Count, Folds
from opchar.seeds import Spawn

TEST_SETS = ("balanced", "reversed", "halved", "original", "doubled")


def relative_sizes(counts: np.ndarray) -> dict[str, np.ndarray]:
    """Return how the sizes of the classes relate in each of the five test sets.

    With ``r`` the size of a class over that of the smallest class in the training set: all equal;
    reversed (``1 / r``; for two classes the larger one is half the smaller, a ratio of 0.5);
    halved (``r / 2``, the smallest stays 1); original (``r``); doubled (``2 r``, the smallest
    stays 1). All smallest classes stay 1 where there are several.

    Shapes: `counts` (C,); returned (C,).
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

    Shapes: `y` (n,); `relative` (C,).
    """
    available = np.bincount(y[rows], minlength=len(relative))
    factor = (available / relative).min()
    sizes = np.maximum(np.floor(factor * relative * (1 + 1e-12)).astype(int), 1)
    drawn = [rng.permutation(rows[y[rows] == c])[:size] for c, size in enumerate(sizes)]
    return np.sort(np.concatenate(drawn))


def representatives(
    y: np.ndarray, spawn: Spawn, *, folds: Folds, repeats: Count = 1
) -> Iterator[Split]:
    """Yield stratified folds, each tested on five test sets with ratios of their own.

    The ratio of representatives in the test set (RRT) is varied by taking objects out of the fold
    that is tested, never by repeating any. The five test sets of a fold share its training set and
    are called as in `TEST_SETS`.

    `y` (n,); `spawn`: generators by name; folds as in `opchar.models.splits.protocols.k_fold`, test
    sets from ``spawn("test sets", f)``; `folds`, `repeats`: as in
    `opchar.models.splits.protocols.k_fold`. mullick2020, Definition 2 and Sec. 5.2.
    """
    classes = int(y.max()) + 1
    for fold, train, test, *_ in k_fold(y, spawn, folds=folds, repeats=repeats):
        counts = np.bincount(y[train], minlength=classes)
        missing = np.flatnonzero((counts == 0) | (np.bincount(y[test], minlength=classes) == 0))
        if len(missing):
            raise DataError(
                f"class {missing[0]} is missing in fold {fold}: {folds} folds want {folds} objects "
                "or more of each class"
            )
        rng = spawn("test sets", fold)
        for name, relative in relative_sizes(counts).items():
            yield Split(fold, train, drawn_rows(y, test, relative, rng), name)


def drawn_problems(
    y: np.ndarray,
    spawn: Spawn,
    *,
    sizes: Sequence[int],
    ratios: tuple[float, float],
    folds: Folds,
    repeats: Count,
    first: Count | None = None,
) -> Iterator[Split]:
    """Yield the folds and five test sets of imbalanced problems drawn from a set of many classes.

    `y` (n,); `spawn`: generators by name; problem ``p`` is drawn with ``spawn("problem", p)`` by
    `opchar.datasets.problems.draw`; `sizes`: number of classes of each problem; `ratios`: between
    which the imbalance ratios lie; `folds`, `repeats`: as in `representatives`; `first`: only the
    first so many folds of each repetition. Yields: folds are numbered through all problems. Classes
    are called ``class 1``, the smallest of the problem, to ``class C`` with the C of the largest
    problem; `about` says the ``problem``, its number of ``classes``, its imbalance ``ratio``, the
    objects of its ``smallest`` class, and those of each class in ``training``. mullick2020, Secs.
    5.1 and 5.2.
    """
    for number, size in enumerate(sizes):
        try:
            problem = draw(y, size, ratios, spawn("problem", number))
        except ValueError as error:
            raise DataError(f"problem {number + 1}: {error}") from None
        yield from _of_problem(
            y,
            problem.classes[::-1],
            problem.index,
            lambda *names, number=number: spawn("problem", number, *names),
            name=f"{number + 1}",
            number=number,
            most=max(sizes),
            folds=folds,
            repeats=repeats,
            first=first,
        )


def paired_classes(
    y: np.ndarray,
    spawn: Spawn,
    *,
    folds: Folds,
    repeats: Count,
    first: Count | None = None,
    most: int | None = None,
) -> Iterator[Split]:
    """Yield the folds and test sets of two-class problems: classes 0 and 1, 2 and 3, and so on.

    `y` (n,): classes of a collection of problems, the two of each problem next to each other;
    `folds`, `repeats`, `first`: as in `drawn_problems`; `most`: problems of more objects are left
    out.
    """
    for number in range((int(y.max()) + 1) // 2):
        pair = (2 * number, 2 * number + 1)
        rows = np.flatnonzero((y == pair[0]) | (y == pair[1]))
        if most is not None and len(rows) > most:
            continue
        ascending = sorted(pair, key=lambda label: int((y == label).sum()))
        yield from _of_problem(
            y,
            tuple(ascending),
            rows,
            lambda *names, number=number: spawn("problem", number, *names),
            name=f"{number + 1}",
            number=number,
            most=2,
            folds=folds,
            repeats=repeats,
            first=first,
        )


def _of_problem(
    y: np.ndarray,
    classes: tuple[int, ...],
    rows: np.ndarray,
    spawn: Spawn,
    *,
    name: str,
    number: int,
    most: int,
    folds: Folds,
    repeats: int,
    first: int | None,
) -> Iterator[Split]:
    """Yield the splits of the problem of some rows, whose classes are given smallest first."""
    own = np.full(len(y), -1, dtype=np.int64)
    for place, label in enumerate(classes):
        own[y == label] = place
    counts = np.bincount(own[rows])
    about = {
        "problem": name,
        "classes": len(classes),
        "ratio": float(counts.max() / counts.min()),
        "smallest": int(counts.min()),
    }
    names = tuple(f"class {place + 1}" for place in range(most))
    for split in representatives(own[rows], spawn, folds=folds, repeats=repeats):
        if first is None or split.fold % folds < first:
            yield split._replace(
                fold=number * folds * repeats + split.fold,
                train=rows[split.train],
                test=rows[split.test],
                y=own,
                classes=names,
                about=about | {"training": _sizes(own[rows[split.train]], len(classes))},
            )


def _sizes(labels: np.ndarray, classes: int) -> list[int]:
    return [int(size) for size in np.bincount(labels, minlength=classes)]
