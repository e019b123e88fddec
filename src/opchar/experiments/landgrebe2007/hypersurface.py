"""The multi-class ROC and Neyman-Pearson optimisation on known classes (Secs. 3.2.2 to 3.2.4)."""

from __future__ import annotations

import numpy as np
from scipy.special import ndtri

from opchar.experiments.landgrebe2007.operating_points import density_curves
from opchar.models.gaussian import qdc
from opchar.multiclass.gaussians import (
    Floats,
    confusion_rates,
    decision_regions,
    threshold_rates,
    weight_grid,
)
from opchar.multiclass.volume import ordered_gaussian_volume
from opchar.results import Results
from opchar.seeds import Spawn

UNNAMED = "stand-in for data and a classifier that the work does not name (two Gaussian classes)"


def five_classes(
    *,
    spawn: Spawn,
    means: list[float],
    objects: int,
    r: int,
    shown: int,
    weights: list[float],
    limit: float,
) -> Results:
    """Confusion rates, ROC and limits on errors of five Gaussian classes (3.2.2 to 3.2.4).

    Parameters
    ----------
    spawn : callable
        Source of the sampled objects.
    means : list of float
        Means of the unit-variance classes.
    objects : int
        Objects a class of the sampled confusion matrix.
    r : int
        Steps a weight of the full ROC, which is counted.
    shown : int
        Steps a weight of the ROC that is drawn and searched.
    weights : [low, high]
        Range of the logarithmic weight grid.
    limit : float
        The largest error of the search for operating points that meet limits.

    Returns
    -------
    Results
        Lines of table-3.1, table-3.2, eq-3.5, eq-3.15, text-3.2.3 and text-3.2.4; curves
        ``densities`` and ``roc``.
    """
    results = Results()
    c = len(means)
    density_curves(results, "five classes", means, 1.0, [1.0] * c)
    exact = confusion_rates(means, 1.0, np.ones((1, c)))[0]
    _matrices(results, means, exact, spawn, objects)
    count = r ** (c - 1)
    results.number(
        "text-3.2.3",
        "5-class Gaussian example",
        "number of weight combinations",
        count,
        unit="count",
    )
    results.number(
        "text-3.2.3", "5-class Gaussian example", "ROC dimensions", c * c - c, unit="count"
    )
    grid = weight_grid(c, shown, weights[0], weights[1])
    rates = confusion_rates(means, 1.0, grid)
    seen = np.unique(rates[:, [0, 1, 1], [1, 0, 2]].round(3), axis=0)
    results.curve("roc", {"xi_12": seen[:, 0], "xi_21": seen[:, 1], "xi_23": seen[:, 2]})
    _guarantee(results, rates, limit)
    for number in range(2, c + 1):
        volume = ordered_gaussian_volume(means[:number])[0]
        results.number("eq-3.15", f"first {number} classes", "VUS exact", volume, unit="volume")
    return results


def _matrices(
    results: Results, means: list[float], exact: Floats, spawn: Spawn, objects: int
) -> None:
    """Add the confusion matrix of a sample, the exact rates, and their rows' sums."""
    c = len(means)
    x = spawn("objects").normal(np.array(means)[:, None], 1.0, (c, objects))
    edges, winners = decision_regions(means, 1.0, np.ones((1, c)))
    assigned = winners[0][np.searchsorted(edges[0], x) - 1]
    for i, row in enumerate(assigned):
        counts = np.bincount(row, minlength=c)
        for j in range(c):
            results.number(
                "table-3.1", f"true {i + 1}", f"assigned {j + 1}", counts[j], unit="objects"
            )
            results.number(
                "table-3.2", f"true {i + 1}", f"assigned {j + 1}", exact[i, j], unit="fraction"
            )
        results.number("table-3.1", f"true {i + 1}", "N", objects, unit="objects")
        results.number("eq-3.5", f"row {i + 1}", "sum of the rates", exact[i].sum(), unit="rate")
        results.number(
            "eq-3.5",
            f"row {i + 1}",
            "sum with the printed factors",
            exact[i].sum() / c,
            unit="rate",
            note="phi_i = 1, p(w_i) = 1/C",
        )


def _guarantee(results: Results, rates: Floats, limit: float) -> None:
    """Add the claim that one limited error can always be met, and several need not."""
    c = rates.shape[1]
    errors = rates[:, ~np.eye(c, dtype=bool)]
    met = errors <= limit
    single = int(met.any(axis=0).sum())
    together = int(met.all(axis=1).sum())
    results.claim(
        "text-3.2.4",
        "guarantee",
        single == errors.shape[1] and together == 0,
        f"a limit of {limit:g} on one error is met for {single} of {errors.shape[1]} errors; on "
        f"all at once by {together} of {len(rates)} operating points",
    )


def fixed_false_negatives(*, means: list[float], alpha: float, nodes: int) -> Results:
    """Read the false positive rate at a fixed false negative rate from a two-class ROC (3.2.4).

    Parameters
    ----------
    means : list of float
        Means of the two unit-variance classes, ascending.
    alpha : float
        The false negative rate xi_{1,2}.
    nodes : int
        Points of the curve.

    Returns
    -------
    Results
        Lines of figure-3.4; curve ``roc``.
    """
    results = Results()
    share = np.linspace(0, 1, nodes)
    recognised = threshold_rates(means, (means[0] - ndtri(share))[:, None])
    results.curve("roc", {"xi_12": share, "xi_21": 1 - recognised[:, 1]})
    at_alpha = threshold_rates(means, [[means[0] - ndtri(alpha)]])[0]
    results.number(
        "figure-3.4",
        f"xi_{{1,2}} fixed at {alpha:.2%}",
        "xi_{2,1}",
        100 * (1 - at_alpha[1]),
        unit="%",
        data=UNNAMED,
        note=f"unit-variance classes at {means[0]:g} and {means[1]:g}",
    )
    return results


def five_class_scatter(
    *, spawn: Spawn, means: list[list[float]], objects: int, nodes: int
) -> Results:
    """Draw objects of five planar classes and the decision of a quadratic classifier (3.2.2).

    Parameters
    ----------
    spawn : callable
        Source of the objects.
    means : list of [x, y]
        Means of the unit-variance classes.
    objects : int
        Objects a class.
    nodes : int
        Points along each side of the map of decisions.

    Returns
    -------
    Results
        Lines of figure-3.1; curves ``objects`` and ``decisions``.
    """
    results = Results()
    rng = spawn("objects")
    y = np.repeat(np.arange(len(means)), objects)
    x = rng.normal(np.array(means)[y], 1.0)
    classifier = qdc().fit(x, y)
    results.curve("objects", {"x": x[:, 0], "y": x[:, 1], "class": y + 1})
    low, high = x.min(axis=0) - 0.5, x.max(axis=0) + 0.5
    axes = np.meshgrid(*np.linspace(low, high, nodes).T, indexing="xy")
    decision = classifier.predict(np.stack([axis.ravel() for axis in axes], axis=1))
    results.curve("decisions", {"x": axes[0].ravel(), "y": axes[1].ravel(), "class": decision + 1})
    error = float(np.mean(classifier.predict(x) != y))
    results.number(
        "figure-3.1",
        "quadratic classifier",
        "error on the objects drawn",
        error,
        unit="fraction",
        data="five Gaussian classes, generated",
    )
    results.number(
        "figure-3.1", "quadratic classifier", "degrees of freedom", len(means) - 1, unit="count"
    )
    return results
