"""How far an index moves when only the test set changes (mullick2020, Type 1 and 2 distortion).

Throughout, a classifier has constant class rates (Assumption 1 of the work): on a test set of other
class sizes its matrix is the same rates times these sizes, on average. What drawing the test set
adds to that, most of all for a tiny class, is the sampling spread.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.stats import kendalltau, multinomial, multivariate_hypergeom

from opchar.arguments import floats
from opchar.metrics.class_sizes import with_class_sizes
from opchar.metrics.conditions.metric import MatrixIndex, values_of
from opchar.metrics.conditions.search import compositions, matrices_with_sizes, number_with_sizes
from opchar.metrics.counts import Array, as_matrices, class_rates

EXACT = 200_000
"""Up to how many matrices a sampling distribution is summed exactly."""


@dataclass(frozen=True)
class Sampling:
    """Distribution of an index over test sets drawn at constant class rates.

    `at_expected` is the index of the expected matrix: what only the class sizes do. `mean` and
    `std` are over the test sets on which it is defined; NaN if there are none. `undefined` is the
    probability that it is undefined, `draws` how many were drawn; 0 when all were summed by their
    probability.
    """

    at_expected: float
    mean: float
    std: float
    undefined: float
    draws: int


@dataclass(frozen=True)
class SpreadOverTestSets:
    """Why an index varies over test sets with different class sizes, at constant class rates.

    `distortion` is the standard deviation of the index at the expected matrices (Type 1 distortion
    alone; 0 for an index that meets Condition 1), `sampling` the root of the mean variance from
    drawing the test sets. `expected` is the root of the expected variance (divisor T) of the T
    values when each test set is drawn once: ``var(means) + (1 - 1/T) sampling**2``.
    """

    each: tuple[Sampling, ...]
    distortion: float
    sampling: float
    expected: float


@dataclass(frozen=True)
class Power:
    """How well an index tells two classifiers apart on test sets of given class sizes.

    `gap` is the first minus the second at the expected matrices. `order` is the share of pairs of
    test sets on which the classifier with the higher value at these is ahead; ties and undefined
    values count one half. `power` is the share on which the difference exceeds what equal
    classifiers, with the mean of both rates, exceed at the level of the test; `draws` is the number
    of pairs.
    """

    gap: float
    order: float
    power: float
    draws: int


def at_test_ratio(matrices: ArrayLike, ratio: ArrayLike, minority: int = 0) -> Array:
    """Rescale two-class matrices to a ratio of representatives in the test set.

    Shapes: `matrices`, returned (..., 2, 2); `ratio` (...).

    `ratio`: RRT: majority over minority, named by the training set, so that it may be below 1.

    mullick2020, Definition 2 and Example 1.
    """
    stack = as_matrices(matrices)
    if stack.shape[-1] != 2 or minority not in (0, 1):
        raise ValueError("at_test_ratio takes (..., 2, 2) matrices and minority 0 or 1")
    wanted = floats(ratio, "ratio")
    if not np.isfinite(wanted).all():
        raise ValueError("a ratio must be finite")
    rare = stack.sum(axis=-1)[..., minority]
    common = rare * wanted
    rows = (rare + 0 * common, common)
    return with_class_sizes(stack, np.stack(rows if minority == 0 else rows[::-1], axis=-1))


def sampling_of(
    index: MatrixIndex,
    matrix: ArrayLike,
    sizes: tuple[int, ...],
    *,
    replace: bool = True,
    rng: np.random.Generator | None = None,
    draws: int = 2_000,
) -> Sampling:
    """Return the distribution of an index over test sets of given class sizes.

    Shapes: `matrix` (C, C); `sizes` length C.
    """
    stack = _one_matrix(matrix, sizes, replace)
    expected = float(values_of(index, with_class_sizes(stack, sizes)[None])[0])
    if number_with_sizes(sizes) <= EXACT:
        matrices, weights = matrices_with_sizes(sizes), _probabilities(stack, sizes, replace)
        possible = weights > 0
        matrices, weights, drawn = matrices[possible], weights[possible], 0
    elif rng is None:
        raise ValueError(f"test sets of {sizes} objects are too many to sum over: give an rng")
    else:
        matrices, drawn = _draw(stack, sizes, replace, rng, draws), draws
        weights = np.full(draws, 1 / draws)
    values = values_of(index, matrices)
    known = ~np.isnan(values)
    if not known.any():
        return Sampling(expected, np.nan, np.nan, 1.0, drawn)
    share = float(weights[known].sum() / weights.sum())
    mean = float(np.average(values[known], weights=weights[known]))
    variance = np.average((values[known] - mean) ** 2, weights=weights[known])
    return Sampling(expected, mean, float(np.sqrt(variance)), 1 - share, drawn)


def spread_over_test_sets(
    index: MatrixIndex,
    matrix: ArrayLike,
    test_sets: list[tuple[int, ...]],
    *,
    replace: bool = True,
    rng: np.random.Generator | None = None,
    draws: int = 2_000,
) -> SpreadOverTestSets:
    """Divide the spread of an index over test sets into distortion and sampling.

    `test_sets` has the class sizes of each; they are drawn independently. All else is as in
    `sampling_of`. NaN stands where the index is undefined on a whole test set.

    Shapes: `matrix` (C, C), whose rows give the class rates.
    """
    if not test_sets:
        raise ValueError("there is no test set")
    each = tuple(
        sampling_of(index, matrix, sizes, replace=replace, rng=rng, draws=draws)
        for sizes in test_sets
    )
    means = np.array([part.mean for part in each])
    sampling = float(np.sqrt(np.mean([part.std**2 for part in each])))
    expected = float(np.sqrt(means.var() + (1 - 1 / len(each)) * sampling**2))
    distortion = float(np.std([part.at_expected for part in each]))
    return SpreadOverTestSets(each, distortion, sampling, expected)


def rank_stability(values: ArrayLike) -> Array:
    """Return Kendall's tau-b of the order of classifiers between test sets.

    Shapes: `values` (T, K); returned (T, T).

    `values`: An index of K classifiers on T test sets; NaN where it is undefined.
    Returns: Classifiers undefined on either test set are left out; NaN where fewer than two remain
    or all are tied on one.
    """
    table = floats(values, "values")
    if table.ndim != 2 or table.shape[1] < 2:
        raise ValueError(f"values are (test sets, classifiers), not of shape {table.shape}")
    taus = np.full((len(table), len(table)), np.nan)
    for i, j in np.ndindex(taus.shape):
        known = ~np.isnan(table[i]) & ~np.isnan(table[j])
        distinct = [np.ptp(table[k, known]) if known.any() else 0 for k in (i, j)]
        if i <= j and min(distinct) > 0:
            taus[i, j] = taus[j, i] = kendalltau(table[i, known], table[j, known]).statistic
    return taus


def power(
    index: MatrixIndex,
    first: ArrayLike,
    second: ArrayLike,
    sizes: tuple[int, ...],
    *,
    rng: np.random.Generator,
    draws: int = 2_000,
    level: float = 0.05,
) -> Power:
    """Return how often an index tells two classifiers apart on test sets of given class sizes.

    Each classifier is drawn on a test set of its own, at its class rates.

    Shapes: `first`, `second` (C, C); `sizes` length C.

    `level`: Of the two-sided test, in (0, 1).
    Returns: Gap in units of the index, and shares of the drawn pairs, in [0, 1].
    """
    if not 0 < level < 1:
        raise ValueError(f"level lies in (0, 1), not {level}")
    pair = [class_rates(_one_matrix(matrix, sizes, replace=True)) for matrix in (first, second)]
    equal = (pair[0] + pair[1]) / 2
    drawn = [_draw(rates, sizes, True, rng, draws) for rates in (*pair, equal, equal)]
    expected = [with_class_sizes(rates, sizes)[None] for rates in pair]
    # All in one call: of a few hundred matrices calls take longer than the matrices.
    values = values_of(index, np.concatenate([*drawn, *expected]))
    gap = float(values[-2] - values[-1])
    one, other, null, again = values[:-2].reshape(4, draws)
    difference = one - other
    ahead = np.sign(gap) * np.sign(np.nan_to_num(difference))
    critical = np.quantile(np.nan_to_num(np.abs(null - again)), 1 - level, method="higher")
    beyond = np.nan_to_num(np.abs(difference)) > critical
    return Power(gap, float(np.mean((1 + ahead) / 2)), float(beyond.mean()), draws)


def _one_matrix(matrix: ArrayLike, sizes: tuple[int, ...], replace: bool) -> Array:
    stack = as_matrices(matrix)
    if stack.ndim != 2 or len(sizes) != len(stack) or any(n != int(n) or n < 1 for n in sizes):
        raise ValueError(f"{sizes} are not whole class sizes for a matrix of shape {stack.shape}")
    have = stack.sum(axis=1)
    if not (have > 0).all():
        raise ValueError("every class needs an object for its rates to be known")
    if not replace and ((stack != np.floor(stack)).any() or (have < sizes).any()):
        raise ValueError(
            f"without replacement the matrix holds whole counts, of at least {sizes} objects; "
            f"its classes have {', '.join(f'{n:g}' for n in have)}"
        )
    return stack


def _probabilities(stack: Array, sizes: tuple[int, ...], replace: bool) -> Array:
    """Return the probability of each matrix of `matrices_with_sizes`."""
    weights = np.ones(1)
    for row, size in zip(stack, sizes, strict=True):
        cells = compositions(int(size), len(stack))
        if replace:
            chance = multinomial.pmf(cells, size, row / row.sum())
        else:
            chance = multivariate_hypergeom.pmf(cells.astype(int), row.astype(int), int(size))
        weights = np.multiply.outer(weights, np.nan_to_num(chance)).ravel()
    return weights


def _draw(
    stack: Array, sizes: tuple[int, ...], replace: bool, rng: np.random.Generator, draws: int
) -> Array:
    rates = class_rates(stack)
    rows = [
        rng.multinomial(size, rate, draws)
        if replace
        else rng.multivariate_hypergeometric(row.astype(np.int64), size, draws)
        for row, rate, size in zip(stack, rates, sizes, strict=True)
    ]
    return np.stack(rows, axis=1).astype(np.float64)
