"""Three classes, one of them bimodal, at two operating points (Eqs. 4.38, 4.39, Figure 4.16)."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from scipy.optimize import brentq
from scipy.stats import norm

from opchar.multiclass.gaussians import Floats
from opchar_reproduction.publications.landgrebe2007.known_classes import matrix_curve
from opchar_reproduction.results import Results
from opchar_reproduction.study import study

Component = Mapping[str, Any]


def density(x: Floats, components: list[Component], sd: float) -> Floats:
    """Return the density of a mixture of Gaussians of one standard deviation."""
    parts = [part["weight"] * norm.pdf(x, part["mean"], sd) for part in components]
    return np.sum(parts, axis=0)


def rates(classes: list[list[Component]], sd: float, phi: Floats, step: float) -> Floats:
    """Return the confusion rates of mixtures of Gaussians at a weight vector.

    Shapes: `phi` (C,); returned (C, C).

    Returned: integrals of the densities over the regions of the classes (landgrebe2007, Eq. 4.21).
    """
    means = [part["mean"] for components in classes for part in components]
    x = np.arange(min(means) - 10 * sd, max(means) + 10 * sd, step)
    heights = np.array([w * density(x, part, sd) for w, part in zip(phi, classes, strict=True)])
    winner = heights.argmax(axis=0)
    turns = np.flatnonzero(np.diff(winner))
    edges = [_edge(classes, sd, phi, winner[t], winner[t + 1], x[t], x[t + 1]) for t in turns]
    owners = [*winner[turns], winner[-1]]
    bounds = np.array([-np.inf, *edges, np.inf])
    found = np.zeros((len(classes), len(classes)))
    for i, components in enumerate(classes):
        for part in components:
            shares = part["weight"] * np.diff(norm.cdf(bounds, part["mean"], sd))
            np.add.at(found[i], owners, shares)
    return found


def _edge(
    classes: list[list[Component]],
    sd: float,
    phi: Floats,
    left: int,
    right: int,
    low: float,
    high: float,
) -> float:
    """Return where one class gives way to another."""

    def lead(x: float) -> float:
        first, second = (
            phi[c] * float(density(np.array(x), classes[c], sd)) for c in (left, right)
        )
        return first - second

    return low if lead(low) * lead(high) >= 0 else float(brentq(lead, low, high))


def weight_for(
    classes: list[list[Component]],
    sd: float,
    phi: Floats,
    moved: int,
    cell: tuple[int, int],
    rate: float,
    step: float,
) -> float:
    """Return the weight of a class at which one rate has a value, the others held."""

    def excess(log_weight: float) -> float:
        trial = phi.copy()
        trial[moved] = np.exp(log_weight)
        return rates(classes, sd, trial, step)[cell] - rate

    return float(np.exp(brentq(excess, np.log(1e-4), np.log(1e4))))


@study(
    "costs-two-operating-points",
    kind="costs",
    basis="exact",
    nothing_open="""Section 4.3.5 states the densities; a printed rate fixes the weights of each
        point; that the other printed rates are of a sample, and how large that was, is not
        said.""",
)
def two_operating_points(
    *,
    classes: list[list[Component]] = [
        [{"mean": 0.0, "weight": 0.95}, {"mean": 7.5, "weight": 0.05}],
        [{"mean": -3.0, "weight": 1.0}],
        [{"mean": 8.0, "weight": 1.0}],
    ],
    variance: float = 0.5,
    points: Mapping[str, Mapping[str, Any]] = {
        "eq-4.38": {
            "title": "near-balanced weights",
            "anchors": [{"class": 2, "from": 2, "to": 1, "rate": 0.0142}],
        },
        "eq-4.39": {
            "title": "imbalanced weights",
            "anchors": [
                {"class": 2, "from": 2, "to": 1, "rate": 0.1016},
                {"class": 3, "from": 3, "to": 1, "rate": 0.0119},
            ],
        },
    },
    step: float = 0.01,
) -> Results:
    """Confuse three classes at operating points whose weights follow from printed rates.

    `classes`: Components of each class.
    `variance`: Of all components.
    `points`: By artefact: ``title`` and ``anchors``, for each weight that moves the ``class``, the
    rate's classes ``from`` and ``to``, all from 1, and the printed ``rate``.
    """
    results, sd = Results(), float(np.sqrt(variance))
    x = np.linspace(-6.0, 11.0, 681)
    for artefact, point in points.items():
        phi = np.ones(len(classes))
        anchors = {(a["from"] - 1, a["to"] - 1): a for a in point["anchors"]}
        for _ in range(3):
            for cell, anchor in anchors.items():
                moved = anchor["class"] - 1
                phi[moved] = weight_for(classes, sd, phi, moved, cell, anchor["rate"], step)
        found = rates(classes, sd, phi, step)
        note = "weights, which are not stated: Phi = " + ", ".join(f"{w:.4g}" for w in phi)
        for (i, j), rate in np.ndenumerate(found):
            row, column = f"xi_{{{i + 1},j}}", f"xi_{{i,{j + 1}}}"
            basis = "input" if (i, j) in anchors else "exact"
            results.number(artefact, row, column, rate, unit="fraction", basis=basis, note=note)
        matrix_curve(results, point["title"], found)
        for number, (weight, components) in enumerate(zip(phi, classes, strict=True), 1):
            heights = weight * density(x, components, sd)
            where = {"series": point["title"], "class": number, "x": x}
            results.add_frame("densities", where | {"weighted": heights})
    return results
