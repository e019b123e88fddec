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

    Parameters
    ----------
    total : int
        Not negative.
    parts : int
        At least 1; zeros are allowed.

    Returns
    -------
    ndarray of float, shape (comb(total + parts - 1, parts - 1), parts)
        In lexicographic order.
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

    Parameters
    ----------
    sizes : tuple of int, length C
        Objects of each class, not negative.

    Returns
    -------
    int
        ``prod(comb(n_i + C - 1, C - 1))``.
    """
    parts = len(sizes)
    return prod(comb(n + parts - 1, parts - 1) for n in sizes)


def matrices_with_sizes(sizes: tuple[int, ...]) -> Array:
    """Return all confusion matrices with classes of the given sizes.

    Parameters
    ----------
    sizes : tuple of int, length C
        Test objects of each class, all positive.

    Returns
    -------
    ndarray of float, shape (number_with_sizes(sizes), C, C)
        Whole counts, rows true classes; in lexicographic order.

    Raises
    ------
    ValueError
        When a class is empty, or the matrices have more than `CELLS` cells.
    """
    if len(sizes) < 2 or any(n != int(n) or n < 1 for n in sizes):
        raise ValueError(f"sizes are whole numbers of at least 1 for two or more classes: {sizes}")
    number = number_with_sizes(sizes)
    if not searchable(number, len(sizes)):
        raise ValueError(f"classes of {sizes} objects have {number} matrices, too many to search")
    return _all_of([compositions(int(n), len(sizes)) for n in sizes])


def number_up_to(objects: int, classes: int) -> int:
    """Return how many confusion matrices without empty classes have at most so many objects.

    Parameters
    ----------
    objects : int
        Largest sum of a matrix, not negative.
    classes : int
        Number of classes.

    Returns
    -------
    int
        Number of matrices, of any size; 0 for fewer objects than classes.
    """
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

    Parameters
    ----------
    classes : int
        Number of classes.
    budget : int
        Most matrices.

    Returns
    -------
    int
        At least ``classes + 1``: the smallest test sets of two different ratios.
    """
    objects = classes + 1
    while number_up_to(objects + 1, classes) <= budget:
        objects += 1
    return objects


def matrices_up_to(objects: int, classes: int) -> Array:
    """Return all confusion matrices without empty classes of at most so many objects.

    Parameters
    ----------
    objects : int
        Largest sum of a matrix, at least `classes`.
    classes : int
        Number C of classes, at least 2.

    Returns
    -------
    ndarray of float, shape (number_up_to(objects, classes), C, C)
        By number of objects, ascending.

    Raises
    ------
    ValueError
        When `classes` is less than 2, `objects` less than `classes`, or the matrices have more than
        `CELLS` cells.
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
    """Return whether so many matrices fit an exhaustive search.

    Parameters
    ----------
    number : int
        How many matrices there are.
    classes : int
        Number of classes.

    Returns
    -------
    bool
        True up to `CELLS` cells in all.
    """
    return number * classes**2 <= CELLS


def small_matrices(classes: int, objects: int | None = None) -> tuple[Array, int]:
    """Return all small matrices, or, for many classes, those in which three classes err freely.

    Parameters
    ----------
    classes : int
        Number of classes.
    objects : int, optional
        Largest sum of a matrix; if not given, as `most_objects`, and where these are too many the
        other classes are all right, or each taken for the next, with one object each.

    Returns
    -------
    matrices : ndarray of float, shape (n, C, C)
        By number of objects, ascending.
    complete : int
        They are all matrices of at most so many objects; 0 when they are not.
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

    Parameters
    ----------
    classes : int
        Number of classes.
    draws : int
        Number of matrices.
    rng : numpy.random.Generator
        Source of all random numbers.
    largest : int
        Largest size of a class; sizes are drawn evenly on a logarithmic scale.

    Returns
    -------
    ndarray of float, shape (draws, C, C)
        Rates of a row are Dirichlet with concentrations from 0.05, nearly one cell only, to 5,
        nearly even.
    """
    sizes = np.exp(rng.uniform(0, np.log(largest), (draws, classes))).astype(np.int64)
    weights = np.exp(rng.uniform(np.log(0.05), np.log(5), (draws, 1, 1)))
    gammas = rng.gamma(np.broadcast_to(weights, (draws, classes, classes))) + 1e-300
    rates = gammas / gammas.sum(axis=-1, keepdims=True)
    return rng.multinomial(sizes, rates).astype(np.float64)


def called_as(targets: NDArray[np.intp], sizes: Array) -> Array:
    """Return the matrices of classifiers that call all objects of a class the same.

    Parameters
    ----------
    targets : ndarray of int, shape (n, C)
        What each class is called.
    sizes : ndarray, shape (n, C)
        Objects of each class.

    Returns
    -------
    ndarray of float, shape (n, C, C)
        One cell a row that is not zero: the size of the class, in the column it is called.
    """
    classes = targets.shape[-1]
    return np.asarray(np.eye(classes)[targets] * sizes[..., None])
