"""Classification against rejection for known densities (Sec. 5.3.2)."""

from __future__ import annotations

import numpy as np
import pandas as pd

from opchar.reject.analytic import (
    Density,
    Gaussian,
    RejectRates,
    Rule,
    Uniform,
    reject_rates,
    target_regions,
)
from opchar.results import Results


def known_densities(
    *,
    target: list[float],
    outlier: list[float],
    unseen: list[float],
    rule: Rule,
    theta_range: list[float],
    thetas: int,
    shown: float,
    distances: list[float],
    surface_distances: int,
) -> Results:
    """Operating characteristics of a distance reject-option on known densities (5.3.2).

    Parameters
    ----------
    target, outlier : [mean, variance]
        The known Gaussian classes, priors equal.
    unseen : [low, high]
        Domain of the uniform class met only in use.
    rule : {"ratio", "difference"}
        What theta is a threshold of; see `opchar.reject.analytic.target_regions`.
    theta_range : [low, high]
        Range of theta, symmetric about zero so that zero is among an odd number of them.
    thetas : int
        Number of classification thresholds.
    shown : float
        The rejection threshold t_d of Figure 5.7.
    distances : list of float
        The rejection thresholds of Figure 5.8, ascending from zero.
    surface_distances : int
        Number of rejection thresholds of the surface, from zero to the target's mode.

    Returns
    -------
    Results
        Lines of figure-5.7 and figure-5.8; curves ``densities``, ``regions``, ``roc``, ``surface``.
    """
    results = Results()
    known, other, new = Gaussian(*target), Gaussian(*outlier), Uniform(*unseen)
    x = np.linspace(new.low, new.high, 601)
    named: dict[str, Density] = {"target": known, "outlier": other, "unseen": new}
    for name, density in named.items():
        results.curve("densities", {"class": name, "x": x, "density": density.pdf(x)})
    _accepted(results, known, other, rule, [*distances, shown], shown)
    theta = np.linspace(theta_range[0], theta_range[1], thetas)
    rates = reject_rates(known, other, new, theta, distances, rule=rule)
    _curves(results, "roc", rates)
    mode = float(known.pdf(np.array(known.mean)))
    levels = np.linspace(0, mode, surface_distances)
    _curves(results, "surface", reject_rates(known, other, new, theta, levels, rule=rule))
    _trade_off(results, rates)
    return results


def _accepted(
    results: Results,
    target: Gaussian,
    outlier: Gaussian,
    rule: Rule,
    distances: list[float],
    shown: float,
) -> None:
    """Add the regions called target at theta = 0."""
    levels = sorted(set(distances))
    classified, accepted = target_regions(target, outlier, [0.0], levels, rule=rule)
    regions = {}
    for level, intervals in zip(levels, accepted, strict=True):
        both = [
            (max(a, c), min(b, d))
            for a, b in intervals
            for c, d in classified[0]
            if max(a, c) < min(b, d)
        ]
        regions[level] = both
        for low, high in both:
            ends = target.pdf(np.array([low, high]))
            results.curve(
                "regions",
                {"t_d": [level], "low": low, "high": high, "least density": ends.min()},
            )
    row, (low, high) = f"t_d={shown:g}, theta=0", regions[shown][0]
    results.number("figure-5.7", row, "lower end of the target region", low, unit="x")
    results.number("figure-5.7", row, "upper end of the target region", high, unit="x")


def _curves(results: Results, name: str, rates: RejectRates) -> None:
    """Add the operating characteristic as a long table."""
    results.curve(
        name,
        pd.DataFrame(
            {
                "t_d": np.repeat(rates.distances, len(rates.thetas)),
                "theta": np.tile(rates.thetas, len(rates.distances)),
                "tpr": rates.tpr.ravel(),
                "fpr_o": rates.fpr_outlier.ravel(),
                "fpr_r": rates.fpr_reject.ravel(),
                "mean_performance": rates.mean_performance().ravel(),
            }
        ),
    )


def _trade_off(results: Results, rates: RejectRates) -> None:
    """Add both performances at each rejection threshold."""
    middle = int(np.abs(rates.thetas).argmin())
    rejected = rates.fpr_reject[:, middle]
    best = rates.mean_performance().max(axis=1)
    for level, share, performance in zip(rates.distances, rejected, best, strict=True):
        row = f"t_d={level:g}"
        results.number("figure-5.8", row, "FPr_r at theta=0", share, unit="fraction")
        results.number("figure-5.8", row, "best p_mean", performance, unit="fraction")
