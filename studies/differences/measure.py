"""What the printed values of chapter 4 would need: laws, areas of pairs, orders of groups."""

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any, get_args

import numpy as np

from opchar.multiclass.cost_weights.algorithms import lachiche_flach
from opchar.multiclass.cost_weights.pairs import Competitors, pair_auc
from opchar.multiclass.cost_weights.problem import cost_problem, losses, mean_subjective_utilities
from opchar.multiclass.perturbation import groups, largest_by_class, score_sensitivities
from opchar.scores import ScoreTable
from opchar.seeds import Spawn
from opchar_reproduction.publications.landgrebe2007.chapter4.scenarios import (
    Law,
    mean_error,
    of_set,
    random_costs,
    share_wrong,
)
from opchar_reproduction.publications.landgrebe2007.chapter4.section3.decomposed_lines import (
    order_of,
)
from opchar_reproduction.results import Results
from opchar_reproduction.study import settings, study

DECOMPOSED = settings(__file__, "decomposed.csv")
SYSTEMS = settings(__file__, "systems.csv")

PAIRS, ORDERS = "table-4.3-pairs", "table-4.4-lachiche"
GROUPS, ERRORS = "table-4.8-groups", "table-4.8-errors"
Tables = Mapping[str, ScoreTable]
Sets = Sequence[Mapping[str, Any]]


@study(
    "costs-differences",
    kind="costs",
    scores=[
        "prtools8; prtools16 | shuffled-half-10-own | qdc",
        "letter-recognition | first-16000-own | fisher qdc",
        "chromosome-bands | half-10-own | pca10 mogc2",
        "mfeat-fou | half-10-own | ldc",
        "delve-segmentation | holdout-10-own | fisher qdc",
        "soybean-large | holdout-10-own | ldc",
        "dermatology | holdout-10-own | fisher ldc",
        "statlog-satimage | holdout-10-own | fisher mogc2; pca17 fisher mogc2; fisher softmogc2",
        "image-segmentation | holdout-10-own | fisher qdc",
        "nist16 | holdout-10-own | nlfisher mogc2",
    ],
    profiles={"tiny": {"matrices": 3, "orders": 2, "r": 12}},
)
def differences(
    *,
    scores: dict[tuple[str, str], ScoreTable],
    spawn: Spawn,
    pairs: Sets = [
        {"data": "prtools16", "row": "PRTools16", "t_p": 0.996, "pairs": 17},
        {"data": "letter-recognition", "row": "Letter", "t_p": 0.98, "pairs": 22},
        {"data": "chromosome-bands", "row": "CBands", "t_p": 0.975, "pairs": 34},
        {"data": "mfeat-fou", "row": "Digits", "t_p": 0.98, "pairs": 10},
    ],
    climbs: Sets = [
        {"data": "prtools8", "row": "PRTools8"},
        {"data": "prtools16", "row": "PRTools16"},
        {"data": "mfeat-fou", "row": "Digits"},
        {"data": "statlog-satimage", "row": "Satellite"},
    ],
    decomposed: Sets = DECOMPOSED,
    systems: Sets = SYSTEMS,
    matrices: int = 50,
    orders: int = 20,
    r: int = 80,
) -> Results:
    """Measure what would give the printed values that the tables do not reach.

    `scores`: one table a data set; `pairs`:
    ``data``, ``row``, ``t_p`` and the printed number of ``pairs`` (Table 4.3); `climbs`: ``data``
    and ``row`` of the sets on which orders of Lachiche are tried, on the first split; `decomposed`:
    ``data``, ``row``, ``t_s``, ``model`` and the printed ``order`` (Table 4.8); `systems`:
    ``data``, ``model`` and ``row`` of further classifiers whose errors stand beside these;
    `matrices`, `orders`: cost matrices, and orders of the classes; `r`: steps a weight.
    Returns: lines of table-4.3-pairs,
    table-4.4-lachiche, table-4.8-groups and table-4.8-errors.
    """
    results = Results()
    tables = {data: table for (data, _), table in scores.items()}
    for setting in decomposed:
        tables[setting["data"]] = scores[setting["data"], setting["model"]]
    for setting in pairs:
        _pairs(results, setting, tables[setting["data"]])
    for setting in climbs:
        _climbs(results, setting, tables[setting["data"]], matrices, orders, spawn)
    for setting in decomposed:
        _groups(results, setting, tables[setting["data"]], r)
        _errors(results, setting, tables[setting["data"]])
    for setting in systems:
        _errors(results, setting, scores[setting["data"], setting["model"]])
    return results


def _pairs(results: Results, setting: Mapping[str, Any], table: ScoreTable) -> None:
    """Add the pairs up to t_p, and the area of the pair at the printed number."""
    _, part = next(table.folds())
    test, c = of_set(part, "test"), len(part.classes)
    problem = cost_problem(test.y, test.scores, np.zeros((c, c)))
    for competitors in get_args(Competitors):
        areas = np.sort(
            [pair_auc(problem, pair, competitors=competitors) for pair in combinations(range(c), 2)]
        )
        row = f"{setting['row']} / {'others compete' if competitors == 'all' else 'two alone'}"
        about: dict[str, Any] = {"data": table.data, "basis": "data"}
        kept = int((areas <= setting["t_p"]).sum())
        results.number(PAIRS, row, "pairs at the printed t_p", kept, unit="count", **about)
        needed = float(areas[setting["pairs"] - 1])
        results.number(PAIRS, row, "t_p for the printed pairs", needed, unit="AUC", **about)
        results.number(PAIRS, row, "least area", float(areas[0]), unit="AUC", **about)


def _climbs(
    results: Results,
    setting: Mapping[str, Any],
    table: ScoreTable,
    matrices: int,
    orders: int,
    spawn: Spawn,
) -> None:
    """Add mean improvements over random orders of the classes, and of two other searches."""
    _, part = next(table.folds())
    test, c = of_set(part, "test"), len(part.classes)
    for law in get_args(Law):
        costs = random_costs(law, matrices, c, spawn("costs", setting["data"]))
        problem = cost_problem(test.y, test.scores, costs)
        default = mean_subjective_utilities(problem, losses(problem, np.zeros(c)))
        rng = spawn("orders", setting["data"])
        gains = []
        for _ in range(orders):
            order = rng.permutation(c).tolist()
            found = lachiche_flach(problem, order=order, search="grid").losses
            gains.append(np.maximum(mean_subjective_utilities(problem, found) - default, 0).mean())
        row = f"{setting['row']} / {law} costs"
        about: dict[str, Any] = {"data": table.data, "n": orders}
        for column, value in {"least mean": min(gains), "largest mean": max(gains)}.items():
            results.number(ORDERS, row, column, float(value), unit="MSU", **about)
        about["n"] = matrices
        others = {
            "against the first class alone": lachiche_flach(
                problem, search="grid", against="first"
            ),
            "over all cuts": lachiche_flach(problem, search="exact"),
        }
        for name, weighting in others.items():
            gain = mean_subjective_utilities(problem, weighting.losses) - default
            gain = np.maximum(gain, 0)
            results.number(ORDERS, row, f"mean {name}", float(gain.mean()), unit="MSU", **about)
            results.number(ORDERS, row, f"best {name}", float(gain.max()), unit="MSU", **about)


def _groups(results: Results, setting: Mapping[str, Any], table: ScoreTable, r: int) -> None:
    """Add in how many splits some threshold gives the printed order, and which one."""
    at, low, high = 0, [], []
    for _, part in table.folds():
        test = of_set(part, "test")
        largest = largest_by_class(score_sensitivities(test.y, test.scores, r))
        thresholds = np.unique(np.append(largest, 0.0))
        found = [order_of(groups(largest, t)) == setting["order"] for t in thresholds]
        at += order_of(groups(largest, setting["t_s"])) == setting["order"]
        if any(found):
            low.append(thresholds[np.flatnonzero(found)[0]])
            high.append(thresholds[np.flatnonzero(found)[-1]])
    row, n = f"{setting['row']} / {setting['order']}", len(list(table.folds()))
    about: dict[str, Any] = {"data": table.data}
    unit = f"of {n} splits"
    results.number(GROUPS, row, "printed order at the printed t_s", at, unit=unit, **about)
    results.number(GROUPS, row, "printed order at some t_s", len(low), unit=unit, **about)
    if low:
        results.number(GROUPS, row, "least such t_s", float(min(low)), unit="rate", **about)
        results.number(GROUPS, row, "largest such t_s", float(max(high)), unit="rate", **about)


def _errors(results: Results, setting: Mapping[str, Any], table: ScoreTable) -> None:
    """Add both definitions of the error, and how it varies over the splits."""
    parts = [of_set(part, "test") for _, part in table.folds()]
    measures = {"over the classes": mean_error, "over the objects": share_wrong}
    for name, measure in measures.items():
        found = 100 * np.array([measure(part) for part in parts])
        about: dict[str, Any] = {"unit": "%", "data": table.data}
        results.mean(ERRORS, setting["row"], name, found, **about)
        for column, value in {"least": found.min(), "largest": found.max()}.items():
            results.number(ERRORS, setting["row"], f"{column} {name}", float(value), **about)
