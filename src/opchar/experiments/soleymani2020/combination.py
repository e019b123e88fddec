"""Boolean combination of two soft classifiers: Figures A.12 and A.13, Appendix A.4."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from opchar.combination.formulas import dependent, independent
from opchar.combination.functions import NAMES, decide
from opchar.combination.pairwise import pairwise
from opchar.combination.rules import Detector, Rule
from opchar.combination.selection import Selection, apply_rules
from opchar.results import Results
from opchar.seeds import Spawn
from opchar.spaces.f_measure import f_measure, upper_envelope
from opchar.spaces.points import OperatingPoints, from_rates, operating_points
from opchar.spaces.roc import auc

Sample = tuple[dict[str, np.ndarray], np.ndarray]

TWO_SCORES = "stand-in for two unpublished score sets (correlated Gaussian scores)"
FAMILIES = {"AND": ("AND",), "OR": ("OR",), "IBC": NAMES}


def gaussian_scores(
    rng: np.random.Generator,
    *,
    positives: int,
    negatives: int,
    shifts: Sequence[float],
    correlation: float,
) -> Sample:
    """Draw scores of soft classifiers: equally correlated Gaussians, positives shifted.

    Parameters
    ----------
    rng : numpy.random.Generator
    positives, negatives : int
        Sizes of the classes.
    shifts : sequence of float, length E
        Mean of each classifier's scores of positives; negatives have mean 0, both variance 1.
    correlation : float
        Between any two classifiers within a class, in [0, 1].

    Returns
    -------
    scores : dict of str to ndarray
        ``C1`` to ``CE``.
    is_positive : ndarray of bool
    """
    is_positive = np.arange(positives + negatives) < positives
    shared = np.sqrt(correlation) * rng.normal(size=len(is_positive))
    scores = {}
    for number, shift in enumerate(shifts, start=1):
        own = np.sqrt(1 - correlation) * rng.normal(size=len(is_positive))
        scores[f"C{number}"] = shared + own + shift * is_positive
    return scores, is_positive


def two_classifiers(
    *,
    spawn: Spawn,
    gaussians: dict[str, Any],
    alpha: float,
    prior_steps: int,
    low_prior: float,
    pair_fpr: float,
    fresh: list[int],
    repeats: int,
) -> Results:
    """Combine two soft classifiers directly and by formula (Figures A.12 and A.13, App. A.4).

    Parameters
    ----------
    spawn : Spawn
    gaussians : dict
        Parameters of `gaussian_scores`; the paper does not give its scores.
    alpha : float
        Weight of precision.
    prior_steps : int
        Number of P(+) of the F curves, evenly inside (0, 1).
    low_prior : float
        "Low P(+)" of the claims is at most this.
    pair_fpr : float
        The example of Figure A.13 takes on each ROC curve the point nearest to this FPR.
    fresh : [int, int]
        Positives and negatives of the samples on which the rules of further drawings are judged.
    repeats : int
        Further drawings; the claims are evaluated on the mean of their F curves.

    Returns
    -------
    Results
    """
    grid = np.arange(1, prior_steps + 1) / (prior_steps + 1)
    results = Results()
    sample = gaussian_scores(spawn("scores"), **gaussians)
    families = _families(sample)
    _family_curves(results, families, alpha, grid)
    gains, drawn_curves = [], []
    for number in range(repeats):
        drawn = _families(gaussian_scores(spawn("again", number), **gaussians))
        drawn_curves.append(_f_curves(drawn, alpha, grid))
        sizes = {"positives": fresh[0], "negatives": fresh[1]}
        other = gaussian_scores(spawn("fresh", number), **{**gaussians, **sizes})
        gains.append(_gains_on(other, drawn, alpha, grid))
    mean = {key: np.mean([f[key] for f in drawn_curves], axis=0) for key in drawn_curves[0]}
    shown = _claims(_f_curves(families, alpha, grid), grid, low_prior)
    single = [_claims(f, grid, low_prior) for f in drawn_curves]
    for (artefact, row), (holds, evidence) in _claims(mean, grid, low_prior).items():
        held = sum(claims[artefact, row][0] for claims in single)
        in_figure = "holds" if shown[artefact, row][0] else "fails"
        note = (
            f"mean F curves of {repeats} drawings: {evidence}; of single drawings it holds in "
            f"{held}; it {in_figure} on the drawing of the figure"
        )
        results.claim(artefact, row, holds, note, data=TWO_SCORES)
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
        results.curve("roc", {**labels, "fpr": fpr, "tpr": tpr})
        results.curve("f", {**labels, "prior": grid, "f": upper_envelope(hull, alpha)(grid)})
        results.number(
            "figure-A.12", f"{series} ({method})", "AUC of the hull", auc(hull), data=TWO_SCORES
        )


def _f_curves(
    families: dict[tuple[str, str], Any], alpha: float, grid: np.ndarray
) -> dict[tuple[str, str], np.ndarray]:
    return {key: upper_envelope(_points(family), alpha)(grid) for key, family in families.items()}


def _claims(
    f: dict[tuple[str, str], np.ndarray], grid: np.ndarray, low_prior: float
) -> dict[tuple[str, str], tuple[bool, str]]:
    """Evaluate the claims of Sec. 3.4.2 and App. A.4 on F curves over the prior."""
    low, best, ibc = grid <= low_prior, f["direct", "single"], f["direct", "IBC"]
    gain, above_single = (f["direct", "AND"] - best)[low], ibc - best
    leads = {m: (f[m, "AND"] - f[m, "OR"])[low] for m in ("direct", "independent")}
    above = {name: ibc - f["direct", name] for name in ("AND", "OR")}
    above_both = np.minimum(above["AND"], above["OR"])
    return {
        ("figure-A.12c", "AND and IBC"): (
            bool((gain > 0).all() and (above_single > 0).all()),
            f"gain of AND over the best single threshold for P(+) <= {low_prior:g}: "
            f"{_from_to(gain)}; gain of all ten functions over the whole range: "
            f"{_from_to(above_single)}",
        ),
        ("figure-A.12", "AND vs OR"): (
            all(bool((lead > 0).all()) for lead in leads.values()),
            f"F of AND minus F of OR for P(+) <= {low_prior:g}: "
            + ", ".join(f"{_from_to(lead)} ({method})" for method, lead in leads.items()),
        ),
        ("figure-A.12c", "all functions"): (
            all(bool((x >= 0).all() and (x > 0).any()) for x in above.values()),
            "F of all ten minus F of AND: "
            + ", minus F of OR: ".join(_from_to(x) for x in above.values())
            + f"; above the better of both at {(above_both > 0).mean():.0%} of the priors, by at "
            f"most {above_both.max():.4f}; all on the sample that chose the rules",
        ),
    }


def _from_to(values: np.ndarray) -> str:
    return f"{values.min():.4f} to {values.max():.4f}"


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
            results.number(
                "figure-A.12",
                f"{family} (direct)",
                f"mean gain of F on fresh samples, {name}",
                means.mean(),
                std=means.std(ddof=1) if len(means) > 1 else None,
                n=len(means),
                data=TWO_SCORES,
                note="over the best single threshold; all rules chosen on another sample",
            )


def f_of_rules(
    rules: Sequence[Rule], sample: Sample, priors: np.ndarray, alpha: float
) -> np.ndarray:
    """Return the F-measure of one rule a prior on a sample that need not have chosen them.

    Parameters
    ----------
    rules : sequence of Rule, length n
    sample : (dict of str to ndarray, ndarray of bool)
        Scores and labels.
    priors : ndarray of float, shape (n,)
    alpha : float
        Weight of precision.
    """
    tpr, fpr = apply_rules(rules, *sample)
    return f_measure(tpr, fpr, priors, alpha)


def _dependent_range(
    results: Results,
    sample: Sample,
    families: dict[tuple[str, str], Any],
    pair_fpr: float,
    rng: np.random.Generator,
) -> None:
    """Give the range of ROC points of AND and OR that the two ROC curves allow (App. A.2, A.4)."""
    scores, is_positive = sample
    first, second = (operating_points(is_positive, score) for score in scores.values())
    evidence, holds = [], True
    near = [int(np.argmin(np.abs(curve.fpr - pair_fpr))) for curve in (first, second)]
    chosen = [
        Detector(name, curve.thresholds[at]).decide(scores)
        for name, curve, at in zip(scores, (first, second), near, strict=True)
    ]
    shuffled = _with_the_same_curves(sample, rng)
    for function in ("AND", "OR"):
        tpr = dependent(function, first.tpr[:, np.newaxis], second.tpr)
        fpr = dependent(function, first.fpr[:, np.newaxis], second.fpr)
        for end, fpr_end, tpr_end in (("best", fpr.low, tpr.high), ("worst", fpr.high, tpr.low)):
            hull = from_rates(tpr_end.ravel(), fpr_end.ravel()).hull
            corner = np.append(0.0, hull.fpr), np.append(0.0, hull.tpr)
            results.curve(
                "range", {"function": function, "end": end, "fpr": corner[0], "tpr": corner[1]}
            )
            results.number(
                "figure-A.13", function, f"AUC of the {end} hull", auc(hull), data=TWO_SCORES
            )
        at = near[0], near[1]
        decision = decide(function, *chosen)
        results.curve(
            "pair",
            {
                "function": function,
                "fpr_low": [fpr.low[at]],
                "fpr_high": [fpr.high[at]],
                "tpr_low": [tpr.low[at]],
                "tpr_high": [tpr.high[at]],
                "fpr": [decision[~is_positive].mean()],
                "tpr": [decision[is_positive].mean()],
                "fpr_1": [first.fpr[at[0]]],
                "tpr_1": [first.tpr[at[0]]],
                "fpr_2": [second.fpr[at[1]]],
                "tpr_2": [second.tpr[at[1]]],
            },
        )
        wide = float(((tpr.high > tpr.low) & (fpr.high > fpr.low)).mean())
        as_drawn = auc(families["direct", function].points.hull)
        as_shuffled = auc(pairwise(shuffled, is_positive, functions=[function]).points.hull)
        holds &= wide > 0 and as_drawn != as_shuffled
        evidence.append(
            f"{function}: {wide:.0%} of the pairs of points allow a range of both rates; AUC "
            f"{as_drawn:.4f} as drawn, {as_shuffled:.4f} after shuffling C2 within the classes, "
            "which leaves both ROC curves as they are"
        )
    results.claim(
        "figure-A.13", "dependent combination", holds, "; ".join(evidence), data=TWO_SCORES
    )


def _with_the_same_curves(sample: Sample, rng: np.random.Generator) -> dict[str, np.ndarray]:
    """Return scores with the same ROC curves and another dependence: C2 shuffled in each class."""
    scores, is_positive = sample
    shuffled = {name: score.copy() for name, score in scores.items()}
    for members in (is_positive, ~is_positive):
        shuffled["C2"][members] = rng.permutation(shuffled["C2"][members])
    return shuffled
