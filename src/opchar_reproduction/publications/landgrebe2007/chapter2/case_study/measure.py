"""Two classifiers of similar error and unlike sensitivity to the prior (Secs. 2.2.4, 2.2.5)."""

from functools import partial

import numpy as np
import pandas as pd

from opchar.datasets.features import FeatureTable
from opchar.metrics.drift import drift, equal_error_points
from opchar.metrics.indices.costs import acc_sens
from opchar.ranges import Span
from opchar.scores import ScoreTable
from opchar.spaces.det import equal_error_rate
from opchar.spaces.points import OperatingPoints, operating_points
from opchar_reproduction.publications.landgrebe2007.chapter2.variants import (
    LEAST,
    POINTS,
    equal_prior_error,
)
from opchar_reproduction.publications.landgrebe2007.mean_lines import add_mean
from opchar_reproduction.publications.landgrebe2007.planes import on_grid
from opchar_reproduction.results import Results
from opchar_reproduction.study import study

TABLE = "table-2.1"
RULES = {"": POINTS[LEAST], ", equal weighted errors": equal_error_points}
DATA = "drawn from the densities of Sec. 2.2.4"
FNR = "max variation of FN_r over prior range"
MARKS = ["lo", "e", "hi"]
FIRST = "w1"


@study(
    "case-study",
    basis="illustration",
    scores=[
        "prior-case-study; prior-case-study-a | drawn-20 | mogc2,1; svc p2",
        "prior-case-study-plane | drawn | mogc2,1; svc p2",
    ],
    features=["prior-case-study-plane"],
    profiles={"tiny": {"nodes": 31}},
    nothing_open="""The printed density is none: its weights do not add up to one, a symbol of it is
        not defined, and the class of the banana set is not named. Of 64 densities that it may
        stand for none gave the printed values of both classifiers, so that no choice of a protocol
        can be weighed.""",
    units="draw",
)
def case_study(
    *,
    scores: dict[tuple[str, str], ScoreTable],
    features: dict[str, FeatureTable],
    letters: dict[str, str] = {"mogc2,1": "A", "svc p2": "B"},
    suffixes: dict[str, str] = {
        "prior-case-study": "",
        "prior-case-study-a": ", the other banana class",
    },
    shown: str = "prior-case-study-plane",
    prior_range: Span = [0.05, 0.9],
    weights: list[list[float]] = [[2.0, 1.0], [1.0, 2.0]],
    nodes: int = 151,
) -> Results:
    """Measure classifiers A and B on many draws of the case study (Secs. 2.2.4 and 2.2.5).

    `suffixes`: What rows add to the letter of a model, by data set; the main one adds nothing.
    `weights`: Weights under which AccSens is given.
    """
    results = Results()
    measured: list[tuple[str, int, str, float]] = []
    for (data, model), each in scores.items():
        if data == shown:
            _draw(results, letters[model], each, features[shown], prior_range, nodes)
            continue
        for draw, part in each.folds():
            points = operating_points(*part.log_odds(FIRST))
            name = letters[model] + suffixes[data]
            measured += _measures(name, draw, points, prior_range)
            if not suffixes[data]:
                marked = _places(points, prior_range).assign(model=letters[model], draw=draw)
                results.add_frame("places", marked)
    lines = pd.DataFrame(measured, columns=["model", "draw", "measure", "value"])
    _numbers(results, lines, list(letters.values()), weights)
    results.add_frame("measured", lines[lines["model"].isin(list(letters.values()))])
    return results


def _measures(
    name: str, draw: int, points: OperatingPoints, prior_range: list[float]
) -> list[tuple[str, int, str, float]]:
    """Return the measures of one model on one test set, by both rules."""
    lines = []
    for suffix, rule in RULES.items():
        moved = drift(points, rule, *prior_range)
        found = {
            "error rate eps": equal_prior_error(points),
            "AUC": moved.auc,
            "Sens": moved.sens,
            "AccSens": moved.acc_sens,
            FNR: 100 * moved.fnr_range,
        }
        lines += [(name + suffix, draw, measure, value) for measure, value in found.items()]
    return lines


def _places(points: OperatingPoints, prior_range: list[float]) -> pd.DataFrame:
    """Return ``fpr`` and ``fnr`` of the operating points lo, e and hi, each a ``mark``."""
    tpr, fpr = POINTS[LEAST](points, np.array(prior_range))
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
    results.add_frame("roc", {"model": name, "fpr": points.fpr, "fnr": 1 - points.tpr})
    results.add_frame("marks", _places(points, prior_range).assign(model=name))
    X = features.X[test.index]
    if name == "A":
        results.add_frame("objects", {"x1": X[:, 0], "x2": X[:, 1], "class": test.y + 1})
    excess = table.log_odds(FIRST)[1] - equal_error_rate(points).threshold
    first, second, excess = on_grid(features.X[table.index], excess, X, nodes)
    results.add_frame("decisions", {"model": name, "x1": first, "x2": second, "excess": excess})


def _numbers(
    results: Results, table: pd.DataFrame, letters: list[str], weights: list[list[float]]
) -> None:
    """Add means and standard deviations over draws."""
    note = "which class of the banana set is meant is not stated; the other one is given beside"
    add = partial(add_mean, results, data=DATA, note=note)
    for (model, measure), part in table.groupby(["model", "measure"], sort=False)["value"]:
        unit = "%" if measure == FNR else "fraction"
        add(TABLE, str(model), str(measure), part, unit=unit)
    for model in letters:
        of_model = table[table["model"] == model].groupby("measure")["value"]
        area, moved, varied = (of_model.get_group(name).to_numpy() for name in ("AUC", "Sens", FNR))
        row = f"classifier {model}"
        add("text-2.2.4", row, FNR, varied, unit="%")
        add("text-2.2.5", row, "AccSens (unit weights)", acc_sens(area, moved), unit="score")
        for error, sens in weights:
            column = f"AccSens (w_e={error:g}, w_s={sens:g})"
            add("text-2.2.5", row, column, acc_sens(area, moved, error, sens), unit="score")
