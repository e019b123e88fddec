"""Two classifiers of similar error and unlike sensitivity to the prior (Secs. 2.2.4, 2.2.5)."""

from __future__ import annotations

import numpy as np
import pandas as pd

from opchar.datasets.features import FeatureTable
from opchar.experiments.landgrebe2007.chapter2.readings import ERROR, HEIGHT, LEAST, POINTS
from opchar.experiments.landgrebe2007.planes import on_grid
from opchar.metrics.drift import drift, equal_error_points, mean_weighted_error, sampled
from opchar.metrics.indices.costs import acc_sens
from opchar.results import Results
from opchar.scores import ScoreTable
from opchar.spaces.det import equal_error_rate
from opchar.spaces.points import OperatingPoints, operating_points

TABLE = "table-2.1"
BESIDE = {", equal weighted errors": equal_error_points}
DATA = "drawn from the densities of Sec. 2.2.4"
FNR = "max variation of FN_r over prior range"
MARKS = ["lo", "e", "hi"]
FIRST = "w1"


def case_study(
    *,
    scores: dict[tuple[str, str], ScoreTable],
    features: dict[str, FeatureTable],
    letters: dict[str, str],
    suffixes: dict[str, str],
    shown: str,
    prior_range: list[float],
    weights: list[list[float]],
    nodes: int,
    point: str = LEAST,
    area: str = HEIGHT,
    thresholds: int | None = None,
) -> Results:
    """Measure classifiers A and B on many draws of the case study.

    Parameters
    ----------
    scores : dict of (data set, model) to ScoreTable
        Folds are draws; the data set `shown` has the test sets ``test`` and ``plane``.
    features : dict of str to FeatureTable
        Of the data set `shown`.
    letters : dict of str to str
        What the work calls each model.
    suffixes : dict of str to str
        What rows add to the letter of a model, by data set; the main one adds nothing. Data sets
        that are not named are those of other readings.
    shown : str
        Data set of Fig. 2.3.
    prior_range : [float, float]
        Range of the prior of w1.
    weights : list of [w_e, w_s]
        Weights under which AccSens is given.
    nodes : int
        Points along each side of the grid on which decisions are drawn.
    point, area, thresholds
        The reading of the table, as the fields of
        `opchar.experiments.landgrebe2007.chapter2.readings.Reading`.

    Returns
    -------
    Results
        table-2.1, text-2.2.4 and text-2.2.5; curves ``objects``, ``decisions``, ``roc`` and
        ``marks`` of the data set `shown`; ``measured``: the measures of each ``model`` and ``draw``
        of the main data set, and ``places``: its operating points lo, e and hi.

    References
    ----------
    landgrebe2007, Secs. 2.2.4 and 2.2.5.
    """
    low, high = prior_range
    results = Results()
    measured: list[tuple[str, int, str, float]] = []
    for (data, model), table in scores.items():
        if data == shown:
            _draw(results, letters[model], table, features[shown], prior_range, nodes)
            continue
        if data not in suffixes:
            continue
        for draw, part in table.folds():
            points = operating_points(*part.log_odds(FIRST))
            if thresholds is not None:
                points = sampled(points, thresholds)
            name = letters[model] + suffixes[data]
            measured += _measured(name, draw, points, low, high, point, area)
            if not suffixes[data]:
                places = _places(points, low, high, point).assign(model=letters[model], draw=draw)
                results.curve("places", places)
    lines = pd.DataFrame(measured, columns=["model", "draw", "measure", "value"])
    _numbers(results, lines, list(letters.values()), weights)
    results.curve("measured", lines[lines["model"].isin(list(letters.values()))])
    return results


def _measured(
    name: str,
    draw: int,
    points: OperatingPoints,
    low: float,
    high: float,
    point: str,
    area: str,
) -> list[tuple[str, int, str, float]]:
    """Return the measures of one model on one test set, by both readings."""
    lines = []
    for suffix, reading in {"": POINTS[point], **BESIDE}.items():
        moved = drift(points, reading, low, high)
        if area == ERROR:
            error = mean_weighted_error(points, reading, low, high)
            combined = float(acc_sens(1 - error, moved.sens))
            moved = moved._replace(auc=1 - error, acc_sens=combined)
        found = {
            "error rate eps": equal_error_rate(points).rate,
            "AUC": moved.auc,
            "Sens": moved.sens,
            "AccSens": moved.acc_sens,
            FNR: 100 * moved.fnr_range,
        }
        lines += [(name + suffix, draw, measure, value) for measure, value in found.items()]
    return lines


def _places(points: OperatingPoints, low: float, high: float, point: str = LEAST) -> pd.DataFrame:
    """Return ``fpr`` and ``fnr`` of the operating points lo, e and hi, each a ``mark``."""
    tpr, fpr = POINTS[point](points, np.array([low, high]))
    error = equal_error_rate(points).rate
    rates = {"fpr": [fpr[0], error, fpr[1]], "fnr": [1 - tpr[0], error, 1 - tpr[1]]}
    return pd.DataFrame({"mark": MARKS, **rates})


def _draw(
    results: Results,
    name: str,
    table: ScoreTable,
    features: FeatureTable,
    prior_range: list[float],
    nodes: int,
) -> None:
    """Add test objects, operating points, and decisions at the equal-error threshold."""
    test = dict(table.test_sets())["test"]
    points = operating_points(*test.log_odds(FIRST))
    results.curve("roc", {"model": name, "fpr": points.fpr, "fnr": 1 - points.tpr})
    results.curve("marks", _places(points, prior_range[0], prior_range[1]).assign(model=name))
    X = features.X[test.index]
    if name == "A":
        results.curve("objects", {"x1": X[:, 0], "x2": X[:, 1], "class": test.y + 1})
    excess = table.log_odds(FIRST)[1] - equal_error_rate(points).threshold
    first, second, between = on_grid(features.X[table.index], excess, X, nodes)
    grid = {"model": name, "x1": first, "x2": second, "excess": between}
    results.curve("decisions", grid)


def _numbers(
    results: Results, table: pd.DataFrame, letters: list[str], weights: list[list[float]]
) -> None:
    """Add means and standard deviations over draws."""
    note = "which class of the banana set is meant is not stated; the other one is given beside"

    def add(artefact: str, row: str, column: str, values: np.ndarray, unit: str) -> None:
        mean, std, n = float(values.mean()), float(values.std(ddof=1)), len(values)
        results.number(artefact, row, column, mean, std=std, n=n, unit=unit, data=DATA, note=note)

    for (model, measure), part in table.groupby(["model", "measure"], sort=False)["value"]:
        unit = "%" if measure == FNR else "fraction"
        add(TABLE, str(model), str(measure), part.to_numpy(), unit)
    for model in letters:
        of_model = table[table["model"] == model].groupby("measure")["value"]
        area, moved, varied = (of_model.get_group(name).to_numpy() for name in ("AUC", "Sens", FNR))
        row = f"classifier {model}"
        add("text-2.2.4", row, FNR, varied, "%")
        add("text-2.2.5", row, "AccSens (unit weights)", acc_sens(area, moved), "score")
        for error, sens in weights:
            found = acc_sens(area, moved, error, sens)
            add("text-2.2.5", row, f"AccSens (w_e={error:g}, w_s={sens:g})", found, "score")
