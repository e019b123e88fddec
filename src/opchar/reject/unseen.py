"""Protocols with a class that training does not see: hidden classes and artificial outliers.

All yield the classes ``target``, ``outlier`` and ``unseen``; models are trained on the first two.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count

import numpy as np
from sklearn.cluster import KMeans

from opchar.datasets.generators import grid_points
from opchar.errors import DataError
from opchar.models.splits.protocols import Groups, Split, column, k_fold
from opchar.ranges import Count, Folds
from opchar.reject.outliers import gaussian_outliers, sphere_outliers
from opchar.seeds import Spawn, integer_seed

CLASSES = ("target", "outlier", "unseen")
TARGET, OUTLIER, UNSEEN = range(3)
SPHERES = ("sphere", "sphere of deviations", "sphere of the smallest components")


def artificial_folds(
    y: np.ndarray, spawn: Spawn, *, X: np.ndarray, folds: Folds, artificial: int, tested: int = 0
) -> Iterator[Split]:
    """Yield cross-validation with artificial unseen objects (landgrebe2007, Sec. 5.2.5).

    Shapes: `y` (n,); `X` (n, d).
    """
    targets = X[y == TARGET]
    drawn = [
        sphere_outliers(targets, artificial, spawn("unseen", "sphere")),
        gaussian_outliers(targets, artificial, spawn("unseen", "gaussian")),
    ]
    objects, labels, rows = _with_objects(X, y, drawn)
    for split in k_fold(y, spawn, folds=folds):
        if tested and split.fold >= tested:
            return
        trained = split.train[y[split.train] == TARGET]
        tests = {"known": split.test, "a1": rows[0], "a2": rows[1], "training targets": trained}
        yield from _splits_of_fold(split.fold, split.train, tests, labels, objects)


def hidden_class(
    y: np.ndarray,
    spawn: Spawn,
    *,
    X: np.ndarray,
    repeats: Count,
    artificial: int,
    clusters: int = 0,
    by_size: int | None = None,
    train_at_most: int | None = None,
) -> Iterator[Split]:
    """Yield the two training sets of each experiment of landgrebe2007, Sec. 5.3.4.

    Half of the targets and the whole unseen class are kept for validation. An even fold trains on
    80 % of what remains, and tests on the other 20 % and on artificial objects; the odd fold after
    it trains on all that remains and is validated.

    Shapes: `y` (n,); `X` (n, d).
    """
    labels = _cluster_classes(X, y, clusters, by_size, spawn) if clusters else y
    for repeat in range(repeats):
        rng = spawn("split", repeat)
        kept, left, train, test = _hold_out(labels, rng)
        validation = np.sort(np.append(kept, np.flatnonzero(labels == UNSEEN)))
        drawn = [
            sphere_outliers(X[left], artificial, rng, reach=reach)
            for reach in ("farthest", "deviation")
        ]
        own = spawn("split", repeat, "smallest components")
        drawn.append(sphere_outliers(X[left], artificial, own, kept="smallest"))
        objects, classes, rows = _with_objects(X, labels, drawn)
        tests = {"held out": test, **dict(zip(SPHERES, rows, strict=True))}
        known_rows = [
            _at_most(part, train_at_most, rng) for part in (train, np.union1d(train, test))
        ]
        yield from _splits_of_fold(2 * repeat, known_rows[0], tests, classes, objects)
        tests = {"train": known_rows[1], "validation": validation}
        yield from _splits_of_fold(2 * repeat + 1, known_rows[1], tests, classes, objects)


def _hold_out(
    labels: np.ndarray, rng: np.random.Generator
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Return the targets that are kept, those that are left, and a hold-out of what is known."""
    targets, known = (rng.permutation(np.flatnonzero(labels == k)) for k in (TARGET, OUTLIER))
    kept = len(targets) // 2
    rest = [targets[kept:], known]
    test = np.sort(np.concatenate([part[: round(0.2 * len(part))] for part in rest]))
    train = np.sort(np.concatenate([part[round(0.2 * len(part)) :] for part in rest]))
    return targets[:kept], targets[kept:], train, test


def sphere_radii(
    y: np.ndarray,
    spawn: Spawn,
    *,
    X: np.ndarray,
    repeats: Count,
    artificial: int,
    radii: list[float],
    clusters: int = 0,
    train_at_most: int | None = None,
) -> Iterator[Split]:
    """Yield the hold-outs of `hidden_class` with artificial objects in spheres of several radii.

    Shapes: `y` (n,); `X` (n, d).
    """
    names = [f"sphere {radius:g}" for radius in radii]
    if len(set(names)) < len(names):
        raise ValueError(f"radii {radii}: two of them have the same name; give each once")
    labels = _cluster_classes(X, y, clusters, None, spawn) if clusters else y
    for repeat in range(repeats):
        rng = spawn("split", repeat)
        _, left, train, test = _hold_out(labels, rng)
        drawn = [sphere_outliers(X[left], artificial, rng, radius=radius) for radius in radii]
        objects, classes, rows = _with_objects(X, labels, drawn)
        tests = {"held out": test, **dict(zip(names, rows, strict=True))}
        yield from _splits_of_fold(
            repeat, _at_most(train, train_at_most, rng), tests, classes, objects
        )


def leave_class_out(
    y: np.ndarray, spawn: Spawn, *, X: np.ndarray, artificial: int, most: int
) -> Iterator[Split]:
    """Yield for each class as target a split in which another class is hidden from training.

    The class after the target, in a random circle of all classes, is unseen, the others are known
    outliers; 60 % of the known objects train.

    Shapes: `y` (n,); `X` (n, d).
    """
    numbers = np.unique(y)
    if len(numbers) < 3:
        raise DataError(
            f"leaving a class out wants three classes or more; there are {len(numbers)}"
        )
    circle = spawn("circle").permutation(numbers)
    for fold, (target, hidden) in enumerate(zip(circle, np.roll(circle, -1), strict=True)):
        rng = spawn("split", fold)
        members = {k: rng.permutation(np.flatnonzero(y == k))[:most] for k in numbers.tolist()}
        known = [rows for k, rows in members.items() if k != hidden]
        train = np.sort(np.concatenate([rows[: round(0.6 * len(rows))] for rows in known]))
        test = np.sort(np.concatenate([rows[round(0.6 * len(rows)) :] for rows in known]))
        labels = np.where(y == target, TARGET, np.where(y == hidden, UNSEEN, OUTLIER))
        trained = X[train[labels[train] == TARGET]]
        objects, classes, rows = _with_objects(
            X, labels, [sphere_outliers(trained, artificial, rng)]
        )
        tests = {"held out": test, "unseen": np.sort(members[int(hidden)]), "sphere": rows[0]}
        about = {"target": str(target), "unseen": str(hidden)}
        yield from _splits_of_fold(fold, train, tests, classes, objects, about)


def case_study(
    y: np.ndarray, spawn: Spawn, *, X: np.ndarray, groups: Groups, repeats: Count, grid: int
) -> Iterator[Split]:
    """Yield hold-outs of one part of a generated set, then the tests of models of all of it.

    Shapes: `y` (n,); `X` (n, 2).
    """
    part = column(groups, "part")
    whole = np.flatnonzero((part == "train") & (y != UNSEEN))
    unseen = np.flatnonzero((part == "train") & (y == UNSEEN))
    objects, labels, rows = _with_objects(X, y, [grid_points(X, grid)])
    for repeat in range(repeats):
        rng = spawn("split", repeat)
        parts = [rng.permutation(whole[y[whole] == k]) for k in (TARGET, OUTLIER)]
        held = np.concatenate([rows_of[: round(0.2 * len(rows_of))] for rows_of in parts])
        test = np.sort(np.append(held, unseen))
        yield from _splits_of_fold(
            repeat, np.setdiff1d(whole, held), {"held out": test}, labels, objects
        )
    tests = {"train": whole, "grid": rows[0]}
    tests |= {name: np.flatnonzero(part == name) for name in np.unique(part) if name != "train"}
    yield from _splits_of_fold(repeats, whole, tests, labels, objects)


def drawn_and_grid(
    y: np.ndarray,
    spawn: Spawn,
    *,
    X: np.ndarray,
    groups: Groups,
    grid: int,
    draws: Count | None = None,
) -> Iterator[Split]:
    """Yield the draws of a generated set, each tested on all its parts and on a grid.

    Shapes: `y` (n,); `X` (n, 2).
    """
    draw, part = column(groups, "draw"), column(groups, "part")
    objects, labels, rows = _with_objects(X, y, [grid_points(X, grid)])
    for number in np.unique(draw)[:draws].tolist():
        tests = {
            str(name): np.flatnonzero((draw == number) & (part == name)) for name in np.unique(part)
        }
        yield from _splits_of_fold(
            number, tests["train"], tests | {"grid": rows[0]}, labels, objects
        )


def _cluster_classes(
    X: np.ndarray, y: np.ndarray, number: int, by_size: int | None, spawn: Spawn
) -> np.ndarray:
    """Return classes in which one cluster of the outliers, the last or by its size, is unseen."""
    rows = np.flatnonzero(y == OUTLIER)
    means = KMeans(number, n_init=10, random_state=integer_seed(spawn("clusters")))
    found = means.fit_predict(X[rows])
    order = np.arange(number) if by_size is None else np.argsort(np.bincount(found), kind="stable")
    labels = y.copy()
    labels[rows[found == order[-1 if by_size is None else by_size]]] = UNSEEN
    return labels


def _with_objects(
    X: np.ndarray, y: np.ndarray, added: list[np.ndarray]
) -> tuple[np.ndarray, np.ndarray, list[np.ndarray]]:
    """Append unseen objects; return all objects, their classes and the rows of each addition."""
    starts = count(len(X))
    rows = [np.array([next(starts) for _ in part]) for part in added]
    sizes = sum(len(part) for part in added)
    return np.concatenate([X, *added]), np.append(y, np.full(sizes, UNSEEN)), rows


def _at_most(rows: np.ndarray, number: int | None, rng: np.random.Generator) -> np.ndarray:
    return rows if number is None else np.sort(rng.permutation(rows)[:number])


def _splits_of_fold(
    fold: int,
    train: np.ndarray,
    tests: dict[str, np.ndarray],
    y: np.ndarray,
    X: np.ndarray,
    about: dict[str, str] | None = None,
) -> Iterator[Split]:
    for name, rows in tests.items():
        yield Split(fold, np.sort(train), rows, name, y, CLASSES, about, X)
