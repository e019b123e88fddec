"""All spaces of 10^6 scores against sorting and scikit-learn's ROC curve, in one process.

The reference is ``numpy.argsort`` plus ``sklearn.metrics.roc_curve`` on the same scores. Below, the
largest loss of F that a grid of priors costs against the exact envelope, when the threshold chosen
at the nearest grid prior is used, or the mean of the two neighbours' thresholds.

    OMP_NUM_THREADS=1 python benchmarks/spaces.py
"""

from __future__ import annotations

from collections.abc import Callable
from statistics import median
from time import perf_counter

import numpy as np
from sklearn.metrics import roc_curve

from opchar.spaces.brier import brier_curve, brier_score, rates_at
from opchar.spaces.compare import compare_cost, compare_f, compare_roc
from opchar.spaces.cost import lower_envelope
from opchar.spaces.det import equal_error_rate, normal_deviate
from opchar.spaces.f_measure import f_measure, upper_envelope
from opchar.spaces.points import OperatingPoints, operating_points
from opchar.spaces.precision_recall import auprec, auprg, average_precision, iauprec, precision
from opchar.spaces.roc import auc, neyman_pearson, partial_auc, resolve_ties

N, REPEATS = 1_000_000, 7
CONDITIONS = np.linspace(0, 1, 1001)


def sample(n: int, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Return a sample with 30 % positives and probabilities as scores."""
    rng = np.random.default_rng(seed)
    is_positive = rng.random(n) < 0.3
    return is_positive, 1 / (1 + np.exp(-rng.normal(1.5 * is_positive)))


def reference(is_positive: np.ndarray, score: np.ndarray) -> None:
    np.argsort(score)
    roc_curve(is_positive, score)


def structure(is_positive: np.ndarray, score: np.ndarray) -> OperatingPoints:
    points = operating_points(is_positive, score)
    _ = points.hull
    return points


def spaces(points: OperatingPoints, other: OperatingPoints) -> None:
    auc(points), partial_auc(points, 0, 0.1), neyman_pearson(points, 0.1)
    resolve_ties(points, "optimistic"), resolve_ties(points, "pessimistic")
    precision(points.tpr, points.fpr, 0.1), auprec(points, 0.1), iauprec(points, 0.01, 0.5)
    average_precision(points, 0.3), auprg(points, 0.3)
    normal_deviate(points.fpr), normal_deviate(1 - points.tpr), equal_error_rate(points)
    cost = lower_envelope(points)
    cost(CONDITIONS), cost.threshold(CONDITIONS)
    brier_curve(points, CONDITIONS), brier_score(points, 0.5)
    envelope = upper_envelope(points, 0.5)
    envelope(CONDITIONS), envelope.threshold(CONDITIONS)
    compare_f(envelope, upper_envelope(other, 0.5)).where(1)
    compare_cost(cost, lower_envelope(other)).dominates()
    compare_roc(points, other).where(1)


def timed(function: Callable[[], object]) -> tuple[float, object]:
    start = perf_counter()
    value = function()
    return perf_counter() - start, value


def grid_losses(n: int, step: float, alpha: float) -> tuple[float, float]:
    """Return the largest losses of F by nearest and by averaged thresholds of a grid."""
    points = operating_points(*sample(n, seed=1))
    envelope = upper_envelope(points, alpha)
    grid = np.arange(step, 1, step)
    prior = np.linspace(grid[0], grid[-1], 20_001)
    below = np.clip(np.searchsorted(grid, prior, side="right") - 1, 0, len(grid) - 2)
    left, right = envelope.threshold(grid[below]), envelope.threshold(grid[below + 1])
    nearest = np.where(prior - grid[below] < grid[below + 1] - prior, left, right)
    losses = []
    for threshold in (nearest, (left + right) / 2):
        tpr, fpr = rates_at(points, threshold)
        losses.append(float((envelope(prior) - f_measure(tpr, fpr, prior, alpha)).max()))
    return losses[0], losses[1]


def main() -> None:
    is_positive, score = sample(N)
    other = structure(*sample(N, seed=2))
    ratios, parts = [], []
    for _ in range(REPEATS):
        base, _ = timed(lambda: reference(is_positive, score))
        build, points = timed(lambda: structure(is_positive, score))
        rest, _ = timed(lambda points=points: spaces(points, other))
        ratios.append((build + rest) / base)
        parts.append((base, build, rest))
    base, build, rest = (median(column) for column in zip(*parts, strict=True))
    print(f"{N} scores, median of {REPEATS} interleaved rounds on one core")
    print(f"  argsort + scikit-learn roc_curve  {base:.3f} s")
    print(f"  operating points and hull         {build:.3f} s")
    print(f"  all spaces from them              {rest:.3f} s")
    print(f"  ratio of all to the reference     {median(ratios):.2f} (target < 2)")
    for n in (200, 10_000):
        nearest, mean = grid_losses(n, 0.01, 0.5)
        print(
            f"  {n} scores, priors 0.01 to 0.99 by 0.01: F lost against the exact envelope up to "
            f"{nearest:.4f} (nearest prior), {mean:.4f} (mean of neighbouring thresholds)"
        )


if __name__ == "__main__":
    main()
