"""Sec. 3.2: dominance and crossings of F curves, on grids and random sets of crisp classifiers."""

import numpy as np

from opchar.ranges import Rate
from opchar.seeds import Spawn
from opchar.spaces.f_measure import crossing_prior, f_measure, upper_envelope
from opchar.spaces.points import from_rates
from opchar_reproduction.percent import per_cent
from opchar_reproduction.publications.f_measure_space.crisp_classifiers import (
    add_single_crossings,
    all_pairs,
)
from opchar_reproduction.publications.f_measure_space.repeats import add_cases
from opchar_reproduction.results import Results
from opchar_reproduction.statements.measurements import Finding, Measurements, conjunction
from opchar_reproduction.study import statement, study

_ROUNDING = 1e-12


@study("crossing-rules", basis="exact", profiles={"tiny": {"sets": 30}})
def crossing_rules(
    *,
    rates: list[Rate] = [0.05, 0.1, 0.2, 0.3, 0.45, 0.6, 0.75, 0.9, 0.97],
    weights: list[float] = [0.05, 0.5, 0.9],
    priors: list[Rate] = [0.001, 0.01, 0.1, 0.3, 0.5, 0.7, 0.9, 0.99, 0.999],
    sets: int = 300,
    spawn: Spawn,
) -> Results:
    """Evaluate Eq. 11 and the conditions of Sec. 3.2 on all pairs of crisp classifiers of a grid.

    rates: TPR and FPR values, inside (0, 1).
    weights: alpha values, inside (0, 1).
    priors: Priors in (0, 1) on which the curves are compared.
    sets: Number of random sets of crisp classifiers whose best ones are looked up on the ROC hull.
    """
    results = Results()
    pair = all_pairs(rates)
    _dominance(results, pair, weights, priors)
    add_single_crossings(results, rates, weights[0])
    _sides(results, pair, weights)
    _equal_ratios(results, pair, weights, priors)
    _printed_crossings(results, pair, weights)
    _hulls(results, weights, priors, sets, spawn("crisp sets"))
    return results


Pair = tuple[np.ndarray, ...]


def _dominance(results: Results, pair: Pair, weights: list[float], priors: list[float]) -> None:
    """Add the frame ``dominance``: least gain of F under conditions (i) to (iii) of Sec. 3.2."""
    tpr_i, fpr_i, tpr_j, fpr_j = pair
    conditions = {
        "i": (fpr_j == fpr_i) & (tpr_j > tpr_i),
        "ii": (fpr_j < fpr_i) & (tpr_j == tpr_i),
        "iii": (fpr_j < fpr_i) & (tpr_j > tpr_i),
    }
    alpha, prior = (a.ravel() for a in np.meshgrid(weights, [*priors, 1.0], indexing="ij"))
    for name, chosen in conditions.items():
        i, j = (tpr_i[chosen], fpr_i[chosen]), (tpr_j[chosen], fpr_j[chosen])
        cells = prior[:, None], alpha[:, None]
        gain = f_measure(*j, *cells) - f_measure(*i, *cells)
        who = {"condition": name, "alpha": alpha, "prior": prior}
        results.add_frame("dominance", who | {"gain": gain.min(axis=1)})


def _sides(results: Results, pair: Pair, weights: list[float]) -> None:
    """Add the frame ``sides``: the gain of the larger TPR halfway below and above each crossing."""
    tpr_i, fpr_i, tpr_j, fpr_j = pair
    for alpha in weights:
        at = crossing_prior(tpr_i, fpr_i, tpr_j, fpr_j, alpha)
        larger = np.isfinite(at) & (tpr_j > tpr_i) & (at > 1e-6) & (at < 1 - 1e-6)
        i, j = (tpr_i[larger], fpr_i[larger]), (tpr_j[larger], fpr_j[larger])
        below, above = at[larger] / 2, (1 + at[larger]) / 2
        gains = [f_measure(*j, p, alpha) - f_measure(*i, p, alpha) for p in (below, above)]
        add_cases(results, "sides", alpha=alpha, below=gains[0], above=gains[1])


def _equal_ratios(results: Results, pair: Pair, weights: list[float], priors: list[float]) -> None:
    """Add the frame ``equal-ratios``: pairs with FPR_i TPR_j = FPR_j TPR_i and a larger TPR_j."""
    tpr_i, fpr_i, tpr_j, fpr_j = pair
    equal = (np.abs(fpr_i * tpr_j - fpr_j * tpr_i) < _ROUNDING) & (tpr_j > tpr_i)
    i, j = (tpr_i[equal], fpr_i[equal]), (tpr_j[equal], fpr_j[equal])
    alpha, prior = (each.ravel()[:, None] for each in np.meshgrid(weights, priors))
    gain = f_measure(*j, prior, alpha) - f_measure(*i, prior, alpha)
    add_cases(results, "equal-ratios", fpr_i=i[1], fpr_j=j[1], gain=gain.min(axis=0))


def _printed_crossings(results: Results, pair: Pair, weights: list[float]) -> None:
    """Add the frame ``dominated-crossing``: Eq. 11 for a dominating classifier, said to be 0."""
    tpr_i, fpr_i, tpr_j, fpr_j = pair
    below = fpr_i * tpr_j - fpr_j * tpr_i
    dominates = (fpr_j < fpr_i) & (tpr_j > tpr_i)
    for alpha in weights:
        whole = (alpha - 1) / alpha * (tpr_j - tpr_i) + below
        solvable = dominates & (np.abs(whole) > _ROUNDING)
        computed = below[solvable] / whole[solvable]
        add_cases(results, "dominated-crossing", said=0.0, computed=computed)


def _hulls(
    results: Results,
    weights: list[float],
    priors: list[float],
    sets: int,
    random: np.random.Generator,
) -> None:
    """Add the frame ``hulls``: of random sets, which are best in F, found by trying all.

    One set and weight per row. Columns: set, alpha, best (number of classifiers that are best
    somewhere), off the hull (of these); inside (classifiers within the hull of the set), saved
    (vertices that the envelope does not need).
    """
    for number in range(sets):
        size = int(random.integers(2, 30))
        points = from_rates(random.random(size), random.random(size))
        hull = set(zip(points.hull.tpr.tolist(), points.hull.fpr.tolist(), strict=True))
        everything = set(zip(points.tpr.tolist(), points.fpr.tolist(), strict=True))
        for alpha in weights:
            value = f_measure(points.tpr, points.fpr, np.asarray(priors)[:, None], alpha)
            best = np.unique(value.argmax(axis=1))
            used = set(zip(points.tpr[best].tolist(), points.fpr[best].tolist(), strict=True))
            columns = {
                "best": [len(used)],
                "off the hull": [len(used - hull)],
                "inside": [len(everything - hull)],
                "saved": [len(hull) - len(upper_envelope(points, alpha).points)],
            }
            results.add_frame("hulls", {"set": number, "alpha": alpha} | columns)


@statement("0034")
def dominance(measured: Measurements) -> Finding:
    """Judge: under each of the conditions (i) to (iii) F_j > F_i for all P(+) > 0."""
    table = measured.frame("dominance")
    least = table.groupby("condition")["gain"].min()
    inside = table[table["prior"] < 1]["gain"].min()
    return conjunction(
        {f"higher F under ({name})": gain > 0 for name, gain in least.items()},
        "least gain of F: "
        + ", ".join(f"{gain:.1g} under ({name})" for name, gain in least.items())
        + f"; {inside:.1g} for P(+) < 1",
    )


@statement("0036")
def side_of_crossing(measured: Measurements) -> Finding:
    """Judge: the larger TPR and FPR is better above the crossing, worse below."""
    table = measured.frame("sides")
    above, below = int((table["above"] <= 0).sum()), int((table["below"] >= 0).sum())
    return conjunction(
        {"better above the crossing": above == 0, "worse below": below == 0},
        f"{len(table)} crossings, judged below and above: {above + below} on the wrong side",
    )


@statement("0037")
def best_lie_on_the_hull(measured: Measurements) -> Finding:
    """Judge: whatever is best in F for some P(+) is a vertex of the ROC convex hull."""
    table = measured.frame("hulls")
    off, best = int(table["off the hull"].sum()), int(table["best"].sum())
    subset = float((table["saved"] > 0).mean())
    return Finding(
        off == 0,
        f"{off} of {best} best classifiers lie off the hull; a true subset of the hull is enough "
        f"in {per_cent(subset)} of the cases",
    )
