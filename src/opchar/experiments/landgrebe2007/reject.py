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
    """Add the regions called target at theta = 0, and the claim on the reject threshold."""
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
            results.curve("regions", {"t_d": [level], "low": [low], "high": [high]})
    (low, high), (open_low, open_high) = regions[shown][0], regions[0.0][0]
    ends = target.pdf(np.array([low, high]))
    results.number(
        "figure-5.7", f"t_d={shown:g}, theta=0", "lower end of the target region", low, unit="x"
    )
    results.number(
        "figure-5.7", f"t_d={shown:g}, theta=0", "upper end of the target region", high, unit="x"
    )
    results.claim(
        "figure-5.7",
        "synthetic example",
        bool(ends.min() >= shown - 1e-9 and (low > open_low or high < open_high)),
        f"theta = 0 alone calls [{open_low:.3f}, {open_high:.3f}] target; with t_d = {shown:g} "
        f"[{low:.3f}, {high:.3f}], where p(x|w_t) is {ends[0]:.4f} and {ends[1]:.4f}",
    )


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
    """Add the numbers at theta = 0 and the claim on how both performances move with t_d."""
    middle = int(np.abs(rates.thetas).argmin())
    rejected = rates.fpr_reject[:, middle]
    best = rates.mean_performance().max(axis=1)
    for level, share, performance in zip(rates.distances, rejected, best, strict=True):
        row = f"t_d={level:g}"
        results.number("figure-5.8", row, "FPr_r at theta=0", share, unit="fraction")
        results.number("figure-5.8", row, "best p_mean", performance, unit="fraction")
    drop = -np.diff(rejected) / np.diff(rates.distances)
    loss = -np.diff(best)
    falls = bool(
        np.all(np.diff(rejected) < 0) and np.all(np.diff(rates.fpr_reject, axis=0) <= 1e-12)
    )
    sharp = drop[0] == drop.max() and rejected[1] < 0.75 * rejected[0]
    late = loss[-1] == loss.max() and loss[0] < 0.1 * loss.sum()
    extremes = best[0] == best.max() and rejected[0] == rejected.max()
    evidence = "; ".join(
        f"t_d={level:g}: FPr_r {share:.3f}, best p_mean {performance:.4f}"
        for level, share, performance in zip(rates.distances, rejected, best, strict=True)
    )
    results.claim(
        "figure-5.8",
        "t_d increasing",
        bool(falls and sharp and late and extremes),
        f"at theta=0, {evidence}",
    )
