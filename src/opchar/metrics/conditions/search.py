"""Stacks of confusion matrices to search: all small ones, and large ones drawn at random.

Every class has at least one object (mullick2020, Property 1). Stacks are ordered by their number of
objects, so that the first match is a smallest one.
"""

from __future__ import annotations

from math import comb, prod

import numpy as np
from numpy.typing import NDArray

from opchar.metrics.counts import Array

CELLS = 20_000_000
"""Most cells of all matrices of one exhaustive search (160 MB)."""


def compositions(total: int, parts: int) -> Array:
    """Return every way to write a number as an ordered sum of counts.

    Shapes: returned (comb(total + parts - 1, parts - 1), parts).
    """
    rows = np.zeros((1, 0))
    left = np.array([total])
    for _ in range(parts - 1):
        choices = left + 1
        parent = np.repeat(np.arange(len(left)), choices)
        chosen = np.arange(choices.sum()) - np.repeat(choices.cumsum() - choices, choices)
        rows = np.column_stack([rows[parent], chosen])
        left = left[parent] - chosen
    return np.column_stack([rows, left])


def number_with_sizes(sizes: tuple[int, ...]) -> int:
    """Return how many confusion matrices have classes of the given sizes.

    Returned: ``prod(comb(n_i + C - 1, C - 1))``.
    """
    parts = len(sizes)
    return prod(comb(n + parts - 1, parts - 1) for n in sizes)


def matrices_with_sizes(sizes: tuple[int, ...]) -> Array:
    """Return all confusion matrices with classes of the given sizes.

    Shapes: returned (number_with_sizes(sizes), C, C).
    """
    if len(sizes) < 2 or any(n != int(n) or n < 1 for n in sizes):
        raise ValueError(f"sizes are whole numbers of at least 1 for two or more classes: {sizes}")
    number = number_with_sizes(sizes)
    if not searchable(number, len(sizes)):
        raise ValueError(f"classes of {sizes} objects have {number} matrices, too many to search")
    return _all_of([compositions(int(n), len(sizes)) for n in sizes])


def number_up_to(objects: int, classes: int) -> int:
    """Return how many confusion matrices without empty classes have at most so many objects."""
    row = [0, *(comb(n + classes - 1, classes - 1) for n in range(1, objects + 1))]
    series = [1]
    for _ in range(classes):
        product = [0] * (objects + 1)
        for i, a in enumerate(series):
            for j in range(min(len(row), objects + 1 - i)):
                product[i + j] += a * row[j]
        series = product
    return sum(series)


def most_objects(classes: int, budget: int = 100_000) -> int:
    """Return up to how many objects an exhaustive search stays within a budget of matrices.

    Returned: at least ``classes + 1``: the smallest test sets of two different ratios.
    """
    objects = classes + 1
    while number_up_to(objects + 1, classes) <= budget:
        objects += 1
    return objects


def matrices_up_to(objects: int, classes: int) -> Array:
    """Return all confusion matrices without empty classes of at most so many objects.

    Shapes: returned (number_up_to(objects, classes), C, C).
    """
    if classes < 2 or objects < classes:
        raise ValueError(
            f"a search needs two classes and an object of each, not {classes} classes and "
            f"{objects} objects"
        )
    number = number_up_to(objects, classes)
    if not searchable(number, classes):
        raise ValueError(
            f"{classes} classes of at most {objects} objects in all have {number} matrices, too "
            "many to search"
        )
    rows = [compositions(n, classes) for n in range(1, objects - classes + 2)]
    stacks = [
        _all_of([rows[int(n)] for n in extra])
        for total in range(classes, objects + 1)
        for extra in compositions(total - classes, classes)
    ]
    return np.concatenate(stacks)


def searchable(number: int, classes: int) -> bool:
    """Return whether so many matrices fit an exhaustive search."""
    return number * classes**2 <= CELLS


def small_matrices(classes: int, objects: int | None = None) -> tuple[Array, int]:
    """Return all small matrices, or, for many classes, those in which three classes err freely.

    Shapes: `matrices` (n, C, C).
    """
    most = most_objects(classes) if objects is None else objects
    if objects is not None or searchable(number_up_to(most, classes), classes):
        return matrices_up_to(most, classes), most
    core = matrices_up_to(7, 3)
    rest = np.eye(classes - 3)
    stacks = []
    for block in (rest, np.roll(rest, 1, axis=1)):
        wide = np.zeros((len(core), classes, classes))
        wide[:, :3, :3], wide[:, 3:, 3:] = core, block
        stacks.append(wide)
    both = np.concatenate(stacks)
    return both[np.argsort(both.sum(axis=(1, 2)), kind="stable")], 0


def _all_of(rows: list[Array]) -> Array:
    """Return every matrix whose rows are one of each list."""
    indices = np.unravel_index(np.arange(prod(map(len, rows))), [len(row) for row in rows])
    return np.stack([row[index] for row, index in zip(rows, indices, strict=True)], axis=1)


def random_matrices(
    classes: int, draws: int, rng: np.random.Generator, largest: int = 10_000
) -> Array:
    """Draw large confusion matrices of every kind: sizes, rates and sparsity vary.

    Shapes: returned (draws, C, C).
    """
    sizes = np.exp(rng.uniform(0, np.log(largest), (draws, classes))).astype(np.int64)
    weights = np.exp(rng.uniform(np.log(0.05), np.log(5), (draws, 1, 1)))
    gammas = rng.gamma(np.broadcast_to(weights, (draws, classes, classes))) + 1e-300
    rates = gammas / gammas.sum(axis=-1, keepdims=True)
    return rng.multinomial(sizes, rates).astype(np.float64)


def called_as(targets: NDArray[np.intp], sizes: Array) -> Array:
    """Return the matrices of classifiers that call all objects of a class the same.

    Shapes: `targets` (n, C); `sizes` (n, C); returned (n, C, C).
    """
    classes = targets.shape[-1]
    return np.asarray(np.eye(classes)[targets] * sizes[..., None])
