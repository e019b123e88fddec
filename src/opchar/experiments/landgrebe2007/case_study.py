"""Two classifiers of similar error and unlike sensitivity to the prior (Secs. 2.2.4, 2.2.5)."""

from __future__ import annotations

import numpy as np
import pandas as pd
from scipy.stats import ttest_rel

from opchar.datasets.generators import prior_case_study
from opchar.metrics.costs import acc_sens
from opchar.metrics.drift import drift, equal_error_points, least_error_points
from opchar.models.mixture import mogc
from opchar.models.posterior import PosteriorClassifier
from opchar.models.support import svc
from opchar.models.training import seeded
from opchar.results import Results
from opchar.scores import ScoreTable
from opchar.seeds import Spawn
from opchar.spaces.det import equal_error_rate
from opchar.spaces.points import OperatingPoints, operating_points

TABLE = "table-2.1"
READINGS = {"": least_error_points, ", equal weighted errors": equal_error_points}
DATA = "drawn from the densities of Sec. 2.2.4"
FNR = "max variation of FN_r over prior range"
MARKS = ["lo", "e", "hi"]
OTHER_CLASS = ", the other banana class"


def case_study(
    *,
    spawn: Spawn,
    objects: int,
    draws: int,
    banana_class: str,
    components: list[int],
    degree: int,
    prior_range: list[float],
    alpha: float,
    close: float,
    far: float,
    weights: list[list[float]],
    nodes: int,
) -> Results:
    """Train classifiers A and B on many draws of the case study, and judge what is said of them.

    Parameters
    ----------
    spawn : callable
        Generators by name.
    objects : int
        Of a training set and of a test set, both classes together.
    draws : int
        Independent training and test sets; the first is drawn.
    banana_class : {"A", "B"}
        Which class of the banana set w2 is; the other is reported beside.
    components : [int, int]
        Gaussians of w1 and w2 in the mixture classifier A.
    degree : int
        Of the polynomial kernel of the support vector classifier B.
    prior_range : [float, float]
        Range of the prior of w1.
    alpha : float
        Level of significance of paired t-tests over draws.
    close : float
        Largest difference of means that counts as nearly the same.
    far : float
        Smallest ratio of mean sensitivities that counts as far more sensitive.
    weights : list of [w_e, w_s]
        Weights under which AccSens is given.
    nodes : int
        Points along each side of the grid on which decisions are drawn.

    Returns
    -------
    Results
        table-2.1, text-2.2.4, text-2.2.5 and figure-2.3; curves ``objects``, ``decisions``, ``roc``
        and ``marks``.

    References
    ----------
    landgrebe2007, Secs. 2.2.4 and 2.2.5.
    """
    low, high = prior_range
    other = {"A": "B", "B": "A"}[banana_class]
    results = Results()
    measured: list[tuple[str, int, str, float]] = []
    places: dict[str, list[np.ndarray]] = {"A": [], "B": []}
    for suffix, banana in (("", banana_class), (OTHER_CLASS, other)):
        for draw in range(draws):
            training = prior_case_study(
                objects, spawn("training", banana, draw), banana_class=banana
            )
            test = prior_case_study(objects, spawn("test", banana, draw), banana_class=banana)
            for name, model in _models(components, degree).items():
                seeded(model, spawn("model", name, banana, draw)).fit(*training)
                points = _points(model, *test)
                measured += _measured(name + suffix, draw, points, low, high)
                if not suffix:
                    places[name].append(_places(points, low, high))
                    if draw == 0:
                        _draw(results, name, model, test, points, nodes)
    for name, found in places.items():
        fpr, fnr = found[0].T
        results.curve("marks", {"model": name, "mark": MARKS, "fpr": fpr, "fnr": fnr})
    table = pd.DataFrame(measured, columns=["model", "draw", "measure", "value"])
    _numbers(results, table, weights)
    spots = {name: np.array(found) for name, found in places.items()}
    _claims(results, table, spots, alpha, close, far)
    return results


def _models(components: list[int], degree: int) -> dict[str, PosteriorClassifier]:
    return {"A": mogc(*components), "B": svc("p", degree)}


def _points(model: PosteriorClassifier, X: np.ndarray, y: np.ndarray) -> OperatingPoints:
    """Return the operating points of w1 on a test set."""
    zeros = np.zeros(len(y), dtype=int)
    scored = ScoreTable(zeros, np.arange(len(y)), y, model.predict_proba(X), ("w1", "w2"))
    return operating_points(*scored.log_odds("w1"))


def _measured(
    name: str, draw: int, points: OperatingPoints, low: float, high: float
) -> list[tuple[str, int, str, float]]:
    """Return the measures of one model on one test set, by both readings."""
    lines = []
    for suffix, reading in READINGS.items():
        moved = drift(points, reading, low, high)
        found = {
            "error rate eps": equal_error_rate(points).rate,
            "AUC": moved.auc,
            "Sens": moved.sens,
            "AccSens": moved.acc_sens,
            FNR: 100 * moved.fnr_range,
        }
        lines += [(name + suffix, draw, measure, value) for measure, value in found.items()]
    return lines


def _places(points: OperatingPoints, low: float, high: float) -> np.ndarray:
    """Return ``(fpr, fnr)`` of the operating points lo, e and hi, shape (3, 2)."""
    tpr, fpr = least_error_points(points, np.array([low, high]))
    error = equal_error_rate(points).rate
    return np.array([[fpr[0], 1 - tpr[0]], [error, error], [fpr[1], 1 - tpr[1]]])


def _draw(
    results: Results,
    name: str,
    model: PosteriorClassifier,
    test: tuple[np.ndarray, np.ndarray],
    points: OperatingPoints,
    nodes: int,
) -> None:
    """Add test objects, decisions at the equal-error threshold, and the ROC of the first draw."""
    X, y = test
    if name == "A":
        results.curve("objects", {"x1": X[:, 0], "x2": X[:, 1], "class": y + 1})
    low, high = X.min(axis=0) - 0.5, X.max(axis=0) + 0.5
    first, second = np.meshgrid(
        np.linspace(low[0], high[0], nodes), np.linspace(low[1], high[1], nodes), indexing="ij"
    )
    posterior = model.predict_proba(np.column_stack([first.ravel(), second.ravel()]))
    log_odds = np.log(np.maximum(posterior, np.finfo(float).tiny)) @ [1.0, -1.0]
    excess = log_odds - equal_error_rate(points).threshold
    grid = {"model": name, "x1": first.ravel(), "x2": second.ravel(), "excess": excess}
    results.curve("decisions", grid)
    results.curve("roc", {"model": name, "fpr": points.fpr, "fnr": 1 - points.tpr})


def _numbers(results: Results, table: pd.DataFrame, weights: list[list[float]]) -> None:
    """Add means and standard deviations over draws."""
    note = "which class of the banana set is meant is not stated; the other one is given beside"

    def add(artefact: str, row: str, column: str, values: np.ndarray, unit: str) -> None:
        mean, std = float(values.mean()), float(values.std(ddof=1))
        results.number(
            artefact,
            row,
            column,
            mean,
            std=std,
            n=len(values),
            unit=unit,
            data=DATA,
            note=note,
        )

    for (model, measure), part in table.groupby(["model", "measure"], sort=False)["value"]:
        unit = "%" if measure == FNR else "fraction"
        add(TABLE, str(model), str(measure), part.to_numpy(), unit)
    for model in ("A", "B"):
        of_model = table[table["model"] == model].groupby("measure")["value"]
        area, moved, varied = (of_model.get_group(name).to_numpy() for name in ("AUC", "Sens", FNR))
        row = f"classifier {model}"
        add("text-2.2.4", row, FNR, varied, "%")
        add("text-2.2.5", row, "AccSens (unit weights)", acc_sens(area, moved), "score")
        for error, sens in weights:
            found = acc_sens(area, moved, error, sens)
            add("text-2.2.5", row, f"AccSens (w_e={error:g}, w_s={sens:g})", found, "score")


def _claims(
    results: Results,
    table: pd.DataFrame,
    places: dict[str, np.ndarray],
    alpha: float,
    close: float,
    far: float,
) -> None:
    """Judge the statements on A and B by all draws."""
    values = table.groupby(["measure", "model"])["value"]

    def both(measure: str) -> tuple[float, float, float]:
        a, b = (values.get_group((measure, model)).to_numpy() for model in ("A", "B"))
        return float(a.mean()), float(b.mean()), float(ttest_rel(a, b).pvalue)

    error, area, sens, combined = (
        both(name) for name in ("error rate eps", "AUC", "Sens", "AccSens")
    )
    results.claim(
        "text-2.2.4",
        "A vs B, equal priors",
        abs(error[0] - error[1]) <= close and abs(area[0] - area[1]) <= close,
        f"eps {error[0]:.4f} and {error[1]:.4f} (p = {error[2]:.2g}), AUC {area[0]:.4f} and "
        f"{area[1]:.4f} (p = {area[2]:.2g}); nearly the same is {close:g} or less",
        data=DATA,
    )
    ratio = sens[0] / sens[1]
    means = values.mean()
    others = [means["Sens", f"{model}{OTHER_CLASS}"] for model in ("A", "B")]
    results.claim(
        "text-2.2.4",
        "A vs B, sensitivity",
        ratio >= far and sens[2] < alpha,
        f"Sens {sens[0]:.4f} and {sens[1]:.4f} (p = {sens[2]:.2g}), a ratio of {ratio:.2f}; far "
        f"more is {far:g} or more; with the other banana class {others[0]:.4f} and "
        f"{others[1]:.4f}",
        data=DATA,
    )
    results.claim(
        "text-2.2.5",
        "A vs B, AccSens",
        combined[0] > combined[1] and combined[2] < alpha,
        f"AccSens {combined[0]:.4f} and {combined[1]:.4f} (p = {combined[2]:.2g})",
        data=DATA,
    )
    lengths = {
        name: float(np.linalg.norm(found[:, 2] - found[:, 0], axis=1).mean())
        for name, found in places.items()
    }
    gap = float(np.linalg.norm(places["A"][:, 1] - places["B"][:, 1], axis=1).mean())
    results.claim(
        "figure-2.3",
        "ROC panel",
        lengths["A"] >= far * lengths["B"] and gap <= close,
        f"from lo to hi {lengths['A']:.3f} on A and {lengths['B']:.3f} on B, equal-error points "
        f"{gap:.3f} apart, means over draws; much wider is {far:g} times, close {close:g}",
        data=DATA,
    )
