"""What Secs. 3.1 and 3.2 say of F curves in general, checked on grids of crisp classifiers."""

from __future__ import annotations

import numpy as np

from opchar.experiments.soleymani2020.evidence import largest_gap
from opchar.results import Results
from opchar.seeds import Spawn
from opchar.spaces.f_measure import crossing_prior, f_measure, upper_envelope
from opchar.spaces.points import OperatingPoints, from_rates
from opchar.spaces.precision_recall import precision

_ROUNDING = 1e-12


def shape_claim(
    results: Results,
    artefact: str,
    row: str,
    rates: list[float],
    weights: list[float],
    priors: int,
) -> None:
    """Judge: F rises from 0 to TPR/(alpha(TPR-1)+1) over the prior, concave, if TPR > FPR."""
    tpr, fpr = _better_than_chance(rates)
    prior = np.linspace(0, 1, priors)
    start = end = 0.0
    least_slope, most_bend = np.inf, -np.inf
    for alpha in weights:
        value = f_measure(tpr[:, None], fpr[:, None], prior, alpha)
        start = max(start, float(value[:, 0].max()))
        end = max(end, largest_gap(value[:, -1], tpr / (alpha * (tpr - 1) + 1)))
        least_slope = min(least_slope, float(np.diff(value).min()))
        most_bend = max(most_bend, float(np.diff(value, 2).max()))
    results.claim(
        artefact,
        row,
        start == 0 and end < _ROUNDING and least_slope > 0 and most_bend < 0,
        f"{len(tpr) * len(weights)} curves on {priors} priors: largest F at 0 is {start:g}, gap "
        f"at 1 {end:.1e}, least first difference {least_slope:.1e}, largest second {most_bend:.1e}",
    )


def end_point_claim(results: Results, artefact: str, row: str, example: list[float]) -> None:
    """Judge: for 0 < alpha < 1 the curve ends in F = Pr at P(+) = 1."""
    tpr, fpr, alpha = example
    ends, pr = float(f_measure(tpr, fpr, 1.0, alpha)), float(precision(tpr, fpr, 1.0))
    results.claim(
        artefact,
        row,
        abs(ends - pr) < _ROUNDING,
        f"TPR={tpr}, FPR={fpr}, alpha={alpha}: F ends in {ends:.4f}, Pr is {pr:g}",
    )


def common_crossing_claim(
    results: Results, artefact: str, row: str, rates: list[float], weights: list[float]
) -> None:
    """Judge: dF/dalpha vanishes at P(+) = FPR/(FPR-TPR+1), is negative below, positive above."""
    tpr, fpr = _better_than_chance(rates)
    crossing = fpr / (fpr - tpr + 1)
    alpha = np.asarray(weights)[:, None]
    at = f_measure(tpr, fpr, crossing, alpha)
    below = np.diff(f_measure(tpr, fpr, 0.9 * crossing, alpha), axis=0).max()
    above = np.diff(f_measure(tpr, fpr, 0.1 + 0.9 * crossing, alpha), axis=0).min()
    gap = largest_gap(at, np.broadcast_to(tpr, at.shape))
    results.claim(
        artefact,
        row,
        bool(gap < _ROUNDING and below < 0 < above),
        f"{len(tpr)} classifiers: at the crossing |F - TPR| <= {gap:.1e} for all alpha; with "
        f"alpha, F changes by at most {below:.1e} below it and at least {above:.1e} above",
    )


def threshold_movement_claims(
    results: Results, points: OperatingPoints, alpha: float, grid: int
) -> None:
    """Judge: with lower thresholds F curves leave the Y axis and close in on the diagonal."""
    prior = np.linspace(0, 1, grid)
    curves = f_measure(points.tpr[:, None], points.fpr[:, None], prior, alpha)
    distance = np.abs(curves - prior).mean(axis=1)
    initial_slope = points.tpr / (alpha * points.fpr)
    last = float((curves[-1] - prior).max())
    results.claim(
        "text-3.1",
        "soft classifier",
        bool((np.diff(initial_slope) < 0).all() and last < _ROUNDING),
        f"slopes at P(+) = 0 are {', '.join(f'{s:.1f}' for s in initial_slope)} from high to low "
        f"thresholds: the first curve lies on the P(+) axis (F <= {curves[0].max():.0e}), and the "
        f"last, 2P/(1+P) for alpha = 1/2, stays up to {last:.3f} above the diagonal (mean gaps "
        f"{', '.join(f'{d:.3f}' for d in distance)})",
    )
    hull = points.hull
    slopes = np.diff(hull.tpr) / np.diff(hull.fpr)
    results.claim(
        "text-3.1",
        "slope of the ROC towards (1,1)",
        bool((np.diff(slopes) > 0).all()),
        f"said to become steeper; the hull's slopes are {', '.join(f'{s:.2f}' for s in slopes)}",
    )


def crossing_rules(
    *, rates: list[float], weights: list[float], priors: list[float], sets: int, spawn: Spawn
) -> Results:
    """Check Eq. 11 and the conditions of Sec. 3.2 on all pairs of crisp classifiers of a grid.

    Parameters
    ----------
    rates : list of float
        TPR and FPR values, inside (0, 1).
    weights : list of float
        alpha values, inside (0, 1).
    priors : list of float
        Priors in (0, 1) on which the curves are compared.
    sets : int
        Number of random sets of crisp classifiers whose best ones are looked up on the ROC hull.
    spawn : Spawn
        Where the random sets come from.

    Returns
    -------
    Results

    References
    ----------
    soleymani2020, Sec. 3.2 and Eq. 11.
    """
    results = Results()
    tpr_i, fpr_i, tpr_j, fpr_j = (
        each.ravel() for each in np.meshgrid(rates, rates, rates, rates, indexing="ij")
    )
    dominance_claim(results, (tpr_i, fpr_i, tpr_j, fpr_j), weights, priors)
    single_crossing_claim(results, "eq-11", "single crossing", rates, weights)
    _side_claim(results, (tpr_i, fpr_i, tpr_j, fpr_j), weights)
    _equal_ratio_claim(results, (tpr_i, fpr_i, tpr_j, fpr_j), weights, priors)
    _printed_crossing_claims(results, (tpr_i, fpr_i, tpr_j, fpr_j), weights)
    _hull_claim(results, weights, priors, sets, spawn("crisp sets"))
    return results


def dominance_claim(
    results: Results, pair: tuple[np.ndarray, ...], weights: list[float], priors: list[float]
) -> None:
    """Judge conditions (i) to (iii) of Sec. 3.2: F_j > F_i for all P(+) > 0."""
    tpr_i, fpr_i, tpr_j, fpr_j = pair
    dominated = (fpr_j <= fpr_i) & (tpr_j >= tpr_i) & ((fpr_j < fpr_i) | (tpr_j > tpr_i))
    i, j = (tpr_i[dominated], fpr_i[dominated]), (tpr_j[dominated], fpr_j[dominated])
    alpha, prior = np.meshgrid(weights, priors, indexing="ij")
    cells = alpha.ravel()[:, None], prior.ravel()[:, None]
    gain = f_measure(*j, cells[1], cells[0]) - f_measure(*i, cells[1], cells[0])
    at_one = f_measure(*j, 1.0, alpha[:, :1]) - f_measure(*i, 1.0, alpha[:, :1])
    equal_tpr = i[0] == j[0]
    results.claim(
        "text-3.2",
        "dominance conditions",
        bool(gain.min() > 0 and at_one.min() > 0),
        f"{len(i[0])} pairs, {len(weights)} alpha, priors {min(priors)} to {max(priors)}: least "
        f"gain {gain.min():.1e}; at P(+) = 1 it is {at_one[:, ~equal_tpr].min():.1e}, but "
        f"{at_one[:, equal_tpr].max():g} for the {int(equal_tpr.sum())} pairs of condition (ii)",
    )


def single_crossing_claim(
    results: Results, artefact: str, row: str, rates: list[float], weights: list[float]
) -> None:
    """Judge: with larger TPR and larger FPR the two F curves cross exactly once in (0, 1)."""
    tpr_i, fpr_i, tpr_j, fpr_j = (
        each.ravel() for each in np.meshgrid(rates, rates, rates, rates, indexing="ij")
    )
    both = (tpr_j > tpr_i) & (fpr_j > fpr_i)
    i, j = (tpr_i[both], fpr_i[both]), (tpr_j[both], fpr_j[both])
    at = crossing_prior(*i, *j, weights[0])
    crosses = np.isfinite(at)
    precision_rises = j[0] * i[1] - i[0] * j[1] > _ROUNDING
    gap = largest_gap(
        f_measure(*i, at, weights[0])[crosses], f_measure(*j, at, weights[0])[crosses]
    )
    first = int(np.argmax(~crosses & precision_rises))
    results.claim(
        artefact,
        row,
        bool(crosses.all()),
        f"of {len(crosses)} pairs with larger TPR and FPR {int((~crosses).sum())} do not "
        f"cross inside (0, 1), as ({i[0][first]:g}, {i[1][first]:g}) and ({j[0][first]:g}, "
        f"{j[1][first]:g}): TPR/FPR must fall as well; where they cross, F is equal to {gap:.1e}",
    )


def _side_claim(results: Results, pair: tuple[np.ndarray, ...], weights: list[float]) -> None:
    tpr_i, fpr_i, tpr_j, fpr_j = pair
    wrong = total = 0
    for alpha in weights:
        at = crossing_prior(tpr_i, fpr_i, tpr_j, fpr_j, alpha)
        larger = np.isfinite(at) & (tpr_j > tpr_i) & (at > 1e-6) & (at < 1 - 1e-6)
        i, j = (tpr_i[larger], fpr_i[larger]), (tpr_j[larger], fpr_j[larger])
        below, above = at[larger] / 2, (1 + at[larger]) / 2
        wrong += int((f_measure(*j, above, alpha) <= f_measure(*i, above, alpha)).sum())
        wrong += int((f_measure(*j, below, alpha) >= f_measure(*i, below, alpha)).sum())
        total += len(below)
    results.claim(
        "text-3.2",
        "side of crossing",
        wrong == 0,
        f"{total} crossings, each judged below and above: {wrong} on the wrong side",
    )


def _equal_ratio_claim(
    results: Results, pair: tuple[np.ndarray, ...], weights: list[float], priors: list[float]
) -> None:
    """Judge: where FPR_i TPR_j = FPR_j TPR_i, the highest TPR with the lowest FPR wins."""
    tpr_i, fpr_i, tpr_j, fpr_j = pair
    equal = (np.abs(fpr_i * tpr_j - fpr_j * tpr_i) < _ROUNDING) & (tpr_j > tpr_i)
    i, j = (tpr_i[equal], fpr_i[equal]), (tpr_j[equal], fpr_j[equal])
    alpha, prior = (each.ravel()[:, None] for each in np.meshgrid(weights, priors))
    gain = f_measure(*j, prior, alpha) - f_measure(*i, prior, alpha)
    lower = int((j[1] < i[1]).sum())
    results.claim(
        "text-3.2",
        "equal TPR/FPR: highest TPR and lowest FPR wins",
        lower == len(i[0]),
        f"of {len(i[0])} such pairs {lower} have the higher TPR with the lower FPR; the higher "
        f"TPR, which has the higher FPR too, gains at least {gain.min():.1e} at all P(+)",
    )


def _printed_crossing_claims(
    results: Results, pair: tuple[np.ndarray, ...], weights: list[float]
) -> None:
    """Judge: condition (i) comes with P* = 0, and both papers print the same Eq. 11."""
    tpr_i, fpr_i, tpr_j, fpr_j = pair
    below = fpr_i * tpr_j - fpr_j * tpr_i
    dominates = (fpr_j < fpr_i) & (tpr_j > tpr_i)
    values, gap = [], 0.0
    for alpha in weights:
        journal = (alpha - 1) / alpha * (tpr_j - tpr_i) + below
        conference = (1 - 1 / alpha) * (tpr_j - tpr_i) + below
        gap = max(gap, largest_gap(journal, conference))
        solvable = dominates & (np.abs(journal) > _ROUNDING)
        values.append(below[solvable] / journal[solvable])
    printed = np.concatenate(values)
    inside = int(((printed >= 0) & (printed <= 1)).sum())
    results.claim(
        "text-3.2",
        "condition (i): P* = 0",
        bool((printed == 0).all()),
        f"of {len(printed)} values of Eq. 11 for a dominating classifier "
        f"{int((printed == 0).sum())} are 0 and {inside} lie in [0, 1]: the curves do not cross",
    )
    results.claim(
        "eq-11",
        "journal and conference form",
        gap < 1e-9,
        f"(alpha - 1)/alpha and 1 - 1/alpha are the same; denominators differ by {gap:.1e}",
    )


def _hull_claim(
    results: Results,
    weights: list[float],
    priors: list[float],
    sets: int,
    random: np.random.Generator,
) -> None:
    """Judge: whatever is best in F, found by trying all, is a vertex of the ROC hull."""
    outside = subsets = 0
    for _ in range(sets):
        size = int(random.integers(2, 30))
        points = from_rates(random.random(size), random.random(size))
        hull = set(zip(points.hull.tpr.tolist(), points.hull.fpr.tolist(), strict=True))
        for alpha in weights:
            value = f_measure(points.tpr, points.fpr, np.asarray(priors)[:, None], alpha)
            best = np.unique(value.argmax(axis=1))
            used = set(zip(points.tpr[best].tolist(), points.fpr[best].tolist(), strict=True))
            outside += len(used - hull)
            subsets += len(upper_envelope(points, alpha).points) < len(hull)
    results.claim(
        "text-3.2",
        "ROC hull",
        outside == 0,
        f"{sets} random sets of 2 to 29 classifiers, {len(weights)} alpha, {len(priors)} priors: "
        f"{outside} best classifiers off the hull; in {subsets} of {sets * len(weights)} cases the "
        "envelope needs a true subset of the hull",
    )


def _better_than_chance(rates: list[float]) -> tuple[np.ndarray, np.ndarray]:
    tpr, fpr = (each.ravel() for each in np.meshgrid(rates, rates, indexing="ij"))
    return tpr[tpr > fpr], fpr[tpr > fpr]
