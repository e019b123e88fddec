"""Boolean combination of two soft classifiers: Figures A.12 and A.13, Appendix A.4."""

from typing import Any

import numpy as np

from opchar.combination.formulas import dependent, independent
from opchar.combination.functions import NAMES, decide
from opchar.combination.pairwise import pairwise
from opchar.combination.rules import Detector
from opchar.combination.samples import Sample, gaussian_scores
from opchar.combination.selection import Selection, f_of_rules
from opchar.ranges import Count, Rate
from opchar.seeds import Spawn
from opchar.spaces.f_measure import upper_envelope
from opchar.spaces.points import OperatingPoints, from_rates, operating_points
from opchar.spaces.roc import auc
from opchar_reproduction.results import Results
from opchar_reproduction.study import study

TWO_SCORES = "generated (correlated Gaussian scores; those of the work are not published)"
GAUSSIANS = {"positives": 100, "negatives": 400, "shifts": [1.5, 1.2], "correlation": 0.3}
FEW = {"positives": 30, "negatives": 90, "shifts": [1.5, 1.2], "correlation": 0.3}
FAMILIES = {"AND": ("AND",), "OR": ("OR",), "IBC": NAMES}


@study(
    "two-classifiers",
    kind="ibc",
    basis="illustration",
    profiles={"tiny": {"gaussians": FEW, "repeats": 3}},
)
def two_classifiers(
    *,
    spawn: Spawn,
    gaussians: dict[str, Any] = GAUSSIANS,
    alpha: Rate = 0.5,
    prior_steps: int = 99,
    low_prior: Rate = 0.1,
    pair_fpr: Rate = 0.25,
    fresh: list[int] = [1000, 4000],
    repeats: Count = 50,
) -> Results:
    """Combine two soft classifiers directly and by formula (Figures A.12 and A.13, App. A.4).

    gaussians: Parameters of `gaussian_scores`; the paper does not give its scores.
    prior_steps: Number of P(+) of the F curves, evenly inside (0, 1).
    low_prior: "Low P(+)" is at most this.
    pair_fpr: The example of Figure A.13 takes on each ROC curve the point nearest to this FPR.
    fresh ([int, int]): Positives and negatives of the samples on which the rules of further
        drawings are judged.
    """
    grid = np.arange(1, prior_steps + 1) / (prior_steps + 1)
    results = Results()
    sample = gaussian_scores(spawn("scores"), **gaussians)
    families = _families(sample)
    _family_curves(results, families, alpha, grid)
    gains = []
    for number in range(repeats):
        drawn = _families(gaussian_scores(spawn("again", number), **gaussians))
        _add_families(results, number, drawn, alpha, grid)
        sizes = {"positives": fresh[0], "negatives": fresh[1]}
        other = gaussian_scores(spawn("fresh", number), **{**gaussians, **sizes})
        gains.append(_gains_on(other, drawn, alpha, grid))
    _gain_lines(results, np.array(gains), grid, low_prior)
    _dependent_range(results, sample, families, pair_fpr, spawn("permutation"))
    return results


def _families(sample: Sample) -> dict[tuple[str, str], Any]:
    """Return the ROC points of each classifier and of each family of combinations."""
    scores, is_positive = sample
    curves = {name: operating_points(is_positive, score) for name, score in scores.items()}
    families: dict[tuple[str, str], Any] = {("single", name): c for name, c in curves.items()}
    families["direct", "single"] = pairwise(scores, is_positive, functions=())
    for family, functions in FAMILIES.items():
        families["direct", family] = pairwise(scores, is_positive, functions=functions)
    first, second = (curve.hull for curve in curves.values())
    for function in ("AND", "OR"):
        families["independent", function] = _independent(function, first, second)
    return families


def _independent(function: str, first: OperatingPoints, second: OperatingPoints) -> OperatingPoints:
    """Return the hull of AND or OR of two ROC curves by Eqs. A.1-A.4.

    The rates are linear in those of each classifier, with coefficients of one sign: vertices of
    both hulls are enough.
    """
    tpr = independent(function, first.tpr[:, np.newaxis], second.tpr).ravel()
    fpr = independent(function, first.fpr[:, np.newaxis], second.fpr).ravel()
    return from_rates(np.clip(tpr, 0, 1), np.clip(fpr, 0, 1)).hull


def _points(family: Selection | OperatingPoints) -> OperatingPoints:
    return family.points if isinstance(family, Selection) else family


def _family_curves(
    results: Results, families: dict[tuple[str, str], Any], alpha: float, grid: np.ndarray
) -> None:
    for (method, series), family in families.items():
        hull = _points(family).hull
        labels = {"method": method, "series": series}
        fpr, tpr = np.append(0.0, hull.fpr), np.append(0.0, hull.tpr)
        results.add_frame("roc", {**labels, "fpr": fpr, "tpr": tpr})
        results.add_frame("f", {**labels, "prior": grid, "f": upper_envelope(hull, alpha)(grid)})
        row = f"{series} ({method})"
        results.number("figure-A.12", row, "AUC of the hull", auc(hull), data=TWO_SCORES)


def _add_families(
    results: Results,
    number: int,
    families: dict[tuple[str, str], Any],
    alpha: float,
    grid: np.ndarray,
) -> None:
    """Add F of each family of one drawing over the priors."""
    curves = {
        f"{method} {family}": upper_envelope(_points(points), alpha)(grid)
        for (method, family), points in families.items()
        if method != "single"
    }
    results.add_frame("drawings", {"drawing": number, "at": grid} | curves)


def _gains_on(
    other: Sample, families: dict[tuple[str, str], Any], alpha: float, grid: np.ndarray
) -> list[np.ndarray]:
    """Return the gain of each family over single thresholds on a sample that chose nothing."""
    single, *rest = (
        f_of_rules(families["direct", name].choose(grid, alpha), other, grid, alpha)
        for name in ("single", *FAMILIES)
    )
    return [values - single for values in rest]


def _gain_lines(results: Results, gains: np.ndarray, grid: np.ndarray, low_prior: float) -> None:
    ranges = {f"P(+) <= {low_prior:g}": grid <= low_prior, "all P(+)": np.full(len(grid), True)}
    for number, family in enumerate(FAMILIES):
        for name, where in ranges.items():
            means = gains[:, number][:, where].mean(axis=1)
            row, column = f"{family} (direct)", f"mean gain of F on fresh samples, {name}"
            note = "over the best single threshold; all rules chosen on another sample"
            results.mean("figure-A.12", row, column, means, data=TWO_SCORES, note=note)


def _dependent_range(
    results: Results,
    sample: Sample,
    families: dict[tuple[str, str], Any],
    pair_fpr: float,
    rng: np.random.Generator,
) -> None:
    """Give the range of ROC points of AND and OR that the two ROC curves allow (App. A.2, A.4)."""
    scores, is_positive = sample
    curves = [operating_points(is_positive, score) for score in scores.values()]
    near = [int(np.argmin(np.abs(curve.fpr - pair_fpr))) for curve in curves]
    shuffled = _with_the_same_curves(sample, rng)
    for function in ("AND", "OR"):
        first, second = curves
        tpr = dependent(function, first.tpr[:, np.newaxis], second.tpr)
        fpr = dependent(function, first.fpr[:, np.newaxis], second.fpr)
        for end, fpr_end, tpr_end in (("best", fpr.low, tpr.high), ("worst", fpr.high, tpr.low)):
            _range_hull(results, function, end, from_rates(tpr_end.ravel(), fpr_end.ravel()).hull)
        _shown_pair(results, function, sample, curves, near, (tpr, fpr))
        again = pairwise(shuffled, is_positive, functions=[function]).points.hull
        wide = float(((tpr.high > tpr.low) & (fpr.high > fpr.low)).mean())
        drawn = auc(families["direct", function].points.hull)
        areas = {"as drawn": [drawn], "shuffled": [auc(again)]}
        results.add_frame("dependence", {"function": [function], "wide": [wide]} | areas)


def _range_hull(results: Results, function: str, end: str, hull: OperatingPoints) -> None:
    rates = {"fpr": np.append(0.0, hull.fpr), "tpr": np.append(0.0, hull.tpr)}
    results.add_frame("range", {"function": function, "end": end} | rates)
    results.number("figure-A.13", function, f"AUC of the {end} hull", auc(hull), data=TWO_SCORES)


def _shown_pair(
    results: Results,
    function: str,
    sample: Sample,
    curves: list[OperatingPoints],
    near: list[int],
    ranges: tuple[Any, Any],
) -> None:
    """Add the example: one point of each ROC curve, the box they allow, and where AND or OR is."""
    scores, is_positive = sample
    chosen = [
        Detector(name, curve.thresholds[at]).decide(scores)
        for name, curve, at in zip(scores, curves, near, strict=True)
    ]
    decision = decide(function, *chosen)
    at = tuple(near)
    box = {
        f"{rate}_{end}": [getattr(limits, end)[at]]
        for rate, limits in zip(("fpr", "tpr"), reversed(ranges), strict=True)
        for end in ("low", "high")
    }
    found = {"fpr": [decision[~is_positive].mean()], "tpr": [decision[is_positive].mean()]}
    for number, (curve, index) in enumerate(zip(curves, near, strict=True), start=1):
        found |= {f"fpr_{number}": [curve.fpr[index]], f"tpr_{number}": [curve.tpr[index]]}
    results.add_frame("pair", {"function": function} | box | found)


def _with_the_same_curves(sample: Sample, rng: np.random.Generator) -> dict[str, np.ndarray]:
    """Return scores with the same ROC curves and another dependence: C2 shuffled in each class."""
    scores, is_positive = sample
    shuffled = {name: score.copy() for name, score in scores.items()}
    for members in (is_positive, ~is_positive):
        shuffled["C2"][members] = rng.permutation(shuffled["C2"][members])
    return shuffled
