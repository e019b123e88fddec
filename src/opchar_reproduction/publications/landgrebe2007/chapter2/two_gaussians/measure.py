"""Two known Gaussian classes: errors, ROC and the equations of chapter 2 (Secs. 2.2.2 to 2.3.4)."""

import numpy as np
from scipy.integrate import quad
from scipy.optimize import brentq
from scipy.special import ndtr, ndtri

from opchar.metrics.indices.costs import acc_sens, prior_sensitivity
from opchar.multiclass.gaussians import Floats, confusion_rates, densities
from opchar.ranges import Rate, Span
from opchar.spaces.p_roc import exact_auprec, exact_iauprec
from opchar.spaces.points import OperatingPoints, from_rates
from opchar.spaces.precision_recall import auprec, precision
from opchar.spaces.roc import auc, partial_auc
from opchar_reproduction.results import Results
from opchar_reproduction.study import study

FINE = 4001


@study("two-gaussians", basis="exact")
def two_gaussians(
    *,
    means: list[float] = [-1.6, 1.6],
    variance: float = 2.0,
    costs: list[float] = [0.2, 0.8],
    thetas: list[float] = [0.1, 0.3, 0.5, 0.7, 0.9],
    prior_ranges: list[Span] = [[0.05, 0.9], [0.1, 0.9], [0.3, 0.7]],
    printed: dict[str, list[float]] = {
        "A of Table 2.1": [0.942, 0.34],
        "B of Table 2.1": [0.945, 0.131],
    },
    weights: list[list[float]] = [[1.0, 1.0], [2.0, 1.0], [1.0, 2.0], [1.0, 0.0], [0.0, 1.0]],
    resolutions: list[int] = [6, 11, 51, 101, 1001],
    priors: list[Rate] = [0.5, 0.1, 0.01],
    iauprec_range: Span = [0.05, 0.2],
) -> Results:
    """Compute the one-dimensional example of Figs. 2.1 and 2.2, and each equation on it.

    `means`, `variance`: Of w1 and w2; w1 lies lower.
    `costs`: At point B, of a missed object of w1 and of a false alarm.
    `thetas`: Classification weights theta_w of Eq. 2.1, in (0, 1).
    `prior_ranges`: Ranges of the prior of w1 for Eqs. 2.2 and 2.3.
    `resolutions`: Numbers of thresholds of the sums of Eqs. 2.6 and 2.8.
    `priors`: Of the positive class in Eqs. 2.7 and 2.8.
    `iauprec_range`: Range of the prior in Eq. 2.9.

    landgrebe2007, Secs. 2.2.2 to 2.2.5 and 2.3.3 to 2.3.4.
    """
    results = Results()
    _figures(results, means, variance, costs)
    _error_rates(results, means, variance, thetas)
    _areas_over_ranges(results, means, variance, prior_ranges)
    _weighted_measures(results, printed, weights)
    _trapezoids(results, means, variance, resolutions)
    _precision_areas(results, means, variance, resolutions[-1], priors, iauprec_range)
    return results


def rates(means: list[float], variance: float, theta: Floats) -> tuple[Floats, Floats]:
    """Return ``(fnr, fpr)`` under classification weights, shape (n,), at equal priors.

    landgrebe2007, Eq. 2.1 as rates: without the factors before the integrals.

    `theta`: weights of w1, in (0, 1); those of w2 are ``1 - theta``.
    """
    found = confusion_rates(means, variance, np.column_stack([theta, 1 - theta]))
    return found[:, 0, 1], found[:, 1, 0]


def roc(means: list[float], variance: float, number: int) -> OperatingPoints:
    """Return operating points at `number` weights that are evenly spaced in their log odds."""
    reach = 12 * abs(means[1] - means[0]) / np.sqrt(variance)
    theta = 1 / (1 + np.exp(-np.linspace(-reach, reach, number)))
    fnr, fpr = rates(means, variance, theta)
    return from_rates(1 - fnr, fpr)


def equal_weighted(means: list[float], variance: float, prior: float) -> float:
    """Return the weight theta_w at which ``prior FN_r = (1 - prior) FP_r``."""

    def excess(log_odds: float) -> float:
        fnr, fpr = rates(means, variance, np.array([1 / (1 + np.exp(-log_odds))]))
        return float(prior * fnr[0] - (1 - prior) * fpr[0])

    return float(1 / (1 + np.exp(-brentq(excess, -30, 30))))


def _figures(results: Results, means: list[float], variance: float, costs: list[float]) -> None:
    """Add the densities with both errors, and the ROC with points A and B."""
    fnr, fpr = rates(means, variance, np.array([0.5]))
    boundary = float(np.mean(means))
    results.number("figure-2.1", "theta_d", "boundary", boundary)
    results.number("figure-2.1", "theta_d", "FN_r", fnr[0], unit="rate")
    results.number("figure-2.1", "theta_d", "FP_r", fpr[0], unit="rate")
    x = np.linspace(min(means) - 5, max(means) + 5, 601)
    for index, density in enumerate(densities(means, variance, x), start=1):
        results.add_frame("densities", {"class": index, "x": x, "density": density})
    steps = roc(means, variance, FINE)
    results.add_frame("roc", {"fpr": steps.fpr, "fnr": 1 - steps.tpr})
    best = np.array([costs[0] / sum(costs)])
    b_fnr, b_fpr = rates(means, variance, best)
    for point, missed, alarmed in (("A", fnr, fpr), ("B", b_fnr, b_fpr)):
        results.number("figure-2.2", f"point {point}", "FN_r", missed[0], unit="rate")
        results.number("figure-2.2", f"point {point}", "FP_r", alarmed[0], unit="rate")
    least = float(costs[0] * b_fnr[0] + costs[1] * b_fpr[0]) / 2
    results.number("figure-2.2", "point B", "loss", least, unit="loss")


def _error_rates(
    results: Results, means: list[float], variance: float, thetas: list[float]
) -> None:
    """Add both rates at each weight, integrated numerically too, and with the printed factors."""
    x = np.linspace(min(means) - 12, max(means) + 12, 200_001)
    first, second = densities(means, variance, x)
    for theta in thetas:
        row = f"theta_w={theta:g}"
        fnr, fpr = (float(rate[0]) for rate in rates(means, variance, np.array([theta])))
        accepted = theta * first > (1 - theta) * second
        results.number("eq-2.1", row, "FP_r", fpr, unit="rate")
        results.number("eq-2.1", row, "FN_r", fnr, unit="rate")
        for name, density in (
            ("FP_r", np.where(accepted, second, 0)),
            ("FN_r", np.where(accepted, 0, first)),
        ):
            integral = float(np.trapezoid(density, x))
            results.number("eq-2.1", row, f"{name}, integrated", integral, unit="rate")
        results.number("eq-2.1", row, "FP_r with the printed factors", (1 - theta) * fpr / 2)
        results.number("eq-2.1", row, "FN_r with the printed factors", theta * fnr / 2)


def _areas_over_ranges(
    results: Results, means: list[float], variance: float, prior_ranges: list[list[float]]
) -> None:
    """Add AUC over all of the ROC and over ranges of the prior, and Sens by two variants."""
    apart = abs(means[1] - means[0]) / np.sqrt(variance)
    points = roc(means, variance, FINE)
    results.number("eq-2.2", "all of the ROC", "AUC, closed form", ndtr(apart / np.sqrt(2)))
    results.number("eq-2.2", "all of the ROC", "AUC, trapezoid", auc(points))
    for low, high in prior_ranges:
        row = f"prior {low:g} to {high:g}"
        ends = np.array([low, high])
        fnr, fpr = rates(means, variance, ends)
        exact = quad(lambda f: ndtr(ndtri(f) + apart), fpr[0], fpr[1])[0]
        width = float(fpr[1] - fpr[0])
        results.number("eq-2.2", row, "AUC, closed form", exact / width)
        results.number("eq-2.2", row, "AUC, trapezoid", partial_auc(points, fpr[0], fpr[1]) / width)
        thetas = np.array([equal_weighted(means, variance, prior) for prior in ends])
        for variant, moved in (
            ("least error", (fnr, fpr)),
            ("equal weighted errors", rates(means, variance, thetas)),
        ):
            results.number("eq-2.3", row, f"Sens, {variant}", _sens(*moved))


def _sens(fnr: Floats, fpr: Floats) -> float:
    return float(prior_sensitivity(fnr[0], fpr[0], fnr[1], fpr[1]))


def _weighted_measures(
    results: Results, printed: dict[str, list[float]], weights: list[list[float]]
) -> None:
    """Add AccSens of the printed AUC and Sens under several weights, and the most it can be."""
    for error, sens in weights:
        row = f"w_e={error:g}, w_s={sens:g}"
        for name, (area, moved) in printed.items():
            value = float(acc_sens(area, moved, error, sens))
            results.number("eq-2.4", row, f"AccSens of {name}", value)
        results.number("eq-2.4", row, "largest possible", float(acc_sens(0, 1, error, sens)))


def _trapezoids(
    results: Results, means: list[float], variance: float, resolutions: list[int]
) -> None:
    """Add the sum of Eq. 2.6 by the trapezoid rule, and as printed."""
    apart = abs(means[1] - means[0]) / np.sqrt(variance)
    for number in resolutions:
        points = roc(means, variance, number)
        row, half = f"m={number}", float(np.diff(points.fpr) @ np.diff(points.tpr)) / 2
        upper = float(np.diff(points.fpr) @ points.tpr[1:])
        results.number("eq-2.6", row, "trapezoid", upper - half)
        results.number("eq-2.6", row, "as printed", upper + half)
        results.number("eq-2.6", row, "exact", ndtr(apart / np.sqrt(2)))


def _precision_areas(
    results: Results,
    means: list[float],
    variance: float,
    number: int,
    priors: list[float],
    iauprec_range: list[float],
) -> None:
    """Add precision at the equal-error point, and the areas of Eqs. 2.8 and 2.9."""
    points = roc(means, variance, number)
    fnr, fpr = rates(means, variance, np.array([0.5]))
    for prior in priors:
        row = f"pi_p={prior:g}"
        at_boundary = float(precision(1 - fnr, fpr, prior)[0])
        results.number("eq-2.7", row, "precision at theta_d", at_boundary)
        results.number("eq-2.7", row, f"AUPREC, trapezoid, m={number}", auprec(points, prior))
        results.number("eq-2.7", row, "AUPREC, exact", exact_auprec(points, prior))
        height = precision(points.tpr, points.fpr, prior)
        known = ~np.isnan(height)
        other_line = float(np.trapezoid(points.tpr[known], height[known]))
        results.number("eq-2.7", row, "first line of Eq. 2.8", other_line)
    low, high = iauprec_range
    for over in ("prior", "skew"):
        mean = exact_iauprec(points, low, high, over=over)
        row = f"IAUPREC over {low:g} to {high:g}, equal steps of the {over}"
        results.number("eq-2.7", row, "AUPREC, exact", mean)
