"""Operating points of one trained classifier, and where operating characteristics come in (1.2)."""

from __future__ import annotations

import numpy as np

from opchar.models.gaussian import qdc
from opchar.multiclass.gaussians import Floats
from opchar.results import Results
from opchar.seeds import Spawn


def weighted_outputs(
    *,
    spawn: Spawn,
    means: list[list[float]],
    covariances: list[list[list[float]]],
    objects: int,
    test_objects: int,
    weights: list[float],
    nodes: int,
) -> Results:
    """Train a quadratic classifier on three classes and weight its outputs.

    Parameters
    ----------
    spawn : callable
        Generators by name.
    means, covariances : list
        Of the Gaussian classes, in two dimensions.
    objects, test_objects : int
        A class.
    weights : list of float
        One a class, for the second operating point; the first has equal weights.
    nodes : int
        Points along each side of the grid on which decisions are drawn.

    Returns
    -------
    Results
        figure-1.1 and text-1.2; curves ``objects`` and ``decisions``.

    References
    ----------
    landgrebe2007, Sec. 1.2.
    """
    results = Results()
    X, y = _gaussian_classes(means, covariances, objects, spawn("training"))
    classifier = qdc().fit(X, y)
    results.curve("objects", {"x1": X[:, 0], "x2": X[:, 1], "class": y + 1})
    axes = [np.linspace(column.min() - 0.5, column.max() + 0.5, nodes) for column in X.T]
    first, second = (grid.ravel() for grid in np.meshgrid(*axes, indexing="ij"))
    posterior = classifier.predict_proba(np.column_stack([first, second]))
    points = {"equal weights": np.ones(len(weights)), "weighted": np.array(weights)}
    for series, phi in points.items():
        grid = {"series": series, "x1": first, "x2": second}
        results.curve("decisions", grid | _margins(posterior, phi))
    X, y = _gaussian_classes(means, covariances, test_objects, spawn("test"))
    posterior = classifier.predict_proba(X)
    before, after = ((posterior * phi).argmax(axis=1) for phi in points.values())
    for series, assigned in zip(points, (before, after), strict=True):
        for group in np.unique(y):
            recognised = float((assigned[y == group] == group).mean())
            results.number(
                "figure-1.1", f"class {group + 1}, {series}", "recognised", recognised, unit="rate"
            )
    moved = float((before != after).mean())
    left = float((after[before != after] != weights.index(min(weights))).mean()) if moved else 0.0
    results.claim(
        "text-1.2",
        "figure-1.1",
        moved > 0,
        f"{100 * moved:.1f} % of {len(y)} test objects are assigned to another class by the same "
        f"posteriors, {100 * left:.0f} % of them away from the class of least weight",
    )
    return results


def _margins(posterior: Floats, phi: Floats) -> dict[str, Floats]:
    """Return what is zero on the boundaries: of class 1, and between classes 2 and 3 beyond it."""
    one, two, three = np.log(np.maximum(posterior * phi, np.finfo(float).tiny)).T
    margin = one - np.maximum(two, three)
    return {"margin_1": margin, "margin_23": np.where(margin > 0, np.nan, two - three)}


def _gaussian_classes(
    means: list[list[float]],
    covariances: list[list[list[float]]],
    objects: int,
    rng: np.random.Generator,
) -> tuple[Floats, np.ndarray]:
    """Draw `objects` of each class."""
    parts = [
        rng.multivariate_normal(mean, covariance, size=objects)
        for mean, covariance in zip(means, covariances, strict=True)
    ]
    return np.concatenate(parts), np.repeat(np.arange(len(means)), objects)


def design_chain(*, stages: list[list[str]]) -> Results:
    """Lay out the stages of designing a recognition system.

    Parameters
    ----------
    stages : list of [name, what is done, use of operating characteristics]
        In order; the last is empty where there is none.

    Returns
    -------
    Results
        figure-1.2; curve ``stages``.

    References
    ----------
    landgrebe2007, Sec. 1.2 and Fig. 1.2, in our own words and drawing.
    """
    results = Results()
    names, done, uses = zip(*stages, strict=True)
    results.curve("stages", {"name": names, "done": done, "use": uses})
    for number, (name, what, use) in enumerate(stages, start=1):
        row = f"{number}. {name}"
        results.text("figure-1.2", row, "what is done", what)
        results.text("figure-1.2", row, "operating characteristics", use or "-")
    return results
