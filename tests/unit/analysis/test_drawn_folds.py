"""Rows of a fold that are alike widen the intervals where folds are drawn."""

from typing import Any

import numpy as np
import pytest
from sklearn.metrics import roc_auc_score

import opchar
from opchar.analysis.asking import Asked
from opchar.analysis.run import Answers, analyse
from opchar.analysis.tables.scored_sample import ScoredSample
from opchar.errors import ScoresError
from opchar.statistics.fold_widening import widening_factor

PATIENTS, ROWS, AT = 20, 20, 0.7
NAMES = ("AUC", "tpr", "cost", "precision")
RNG = np.random.default_rng(1)
WHO = np.repeat(np.arange(PATIENTS), ROWS)
Y = RNG.random(len(WHO)) < 0.4
A = RNG.normal(size=len(WHO)) + np.where(Y, RNG.normal(1.5, 1, PATIENTS)[WHO], 0)
B = A + RNG.normal(size=len(WHO)) * (1 + WHO % 3)


def asked(unit: str) -> Answers:
    scores = {"a": A[:, None], "b": B[:, None]}
    group = "sex", np.where(np.arange(len(WHO)) % 2, "f", "m")
    scored = ScoredSample(("0", "1"), Y.astype(np.intp), scores, 1, WHO, by=group)
    return analyse(scored, Asked(resamples=50, unit=unit, thresholds=(("a", AT),)))


def bootstrap_of_patients() -> dict[str, float]:
    """Return widths of percentile intervals."""
    prior = Y.mean()
    found: list[tuple[float, ...]] = []
    while len(found) < 1000:
        rows = np.concatenate([np.flatnonzero(k == WHO) for k in RNG.integers(0, PATIENTS, 20)])
        y, accepted = Y[rows], A[rows] >= AT
        tpr, fpr = accepted[y].mean(), accepted[~y].mean()
        cost = prior * (1 - tpr) + (1 - prior) * fpr
        found.append((roc_auc_score(y, A[rows]), tpr, cost, y[accepted].mean()))
    low, high = np.quantile(found, [0.025, 0.975], axis=0)
    return dict(zip(NAMES, (high - low).tolist(), strict=True))


def widths(answers: Answers) -> dict[str, float]:
    areas, in_use = answers.tables["areas"], answers.tables["in-use"].set_index("measure")
    area = areas[(areas["model"] == "a") & (areas["measure"] == "AUC")].iloc[0]
    assert answers.decision is not None
    rival, best = answers.decision.rivals[0].more, answers.decision.saved
    group = answers.tables["by-group"].query("measure == 'tpr'").iloc[0]
    return {
        "AUC": area["high"] - area["low"],
        **{name: in_use["high"][name] - in_use["low"][name] for name in NAMES[1:]},
        "saved": best.high - best.low,
        "rival": rival.high - rival.low,
        "group": group["high"] - group["low"],
    }


def test_intervals_are_as_wide_as_those_of_a_bootstrap_of_patients() -> None:
    answers = asked("folds")
    found, rows, expected = widths(answers), widths(asked("objects")), bootstrap_of_patients()
    for name, width in expected.items():
        assert 0.85 < found[name] / width < 1.4, name
    for name in ("AUC", "tpr", "saved", "rival", "group"):
        assert found[name] > 1.2 * rows[name], name
    assert not [each.text for each in answers.findings if each.code == "OPC015"]


@pytest.mark.parametrize(
    ("moved", "least", "most"),
    [(np.repeat([1.0, -1.0], 200), 4.4, 4.9), (np.zeros(400), 4.4, 4.5), (Y - Y.mean(), 1, 1.3)],
)
def test_rows_that_move_together_widen_most(moved: np.ndarray, least: float, most: float) -> None:
    assert least < widening_factor(moved, WHO) < most or widening_factor(moved, WHO) == least == 1


def everything(unit: str) -> Answers:
    rng = np.random.default_rng(5)
    costs = {"cost_fn": rng.gamma(2, 2, len(WHO)) + WHO, "cost_fp": np.ones(len(WHO))}
    scores = {"a": 1 / (1 + np.exp(-A))[:, None]}
    scored = ScoredSample(("0", "1"), Y.astype(np.intp), scores, 1, WHO, costs=costs)
    return analyse(scored, Asked(resamples=50, unit=unit, max_fpr=0.3, cost=(1.0, 5.0)))


def test_costs_of_objects_thresholds_and_limits_count_folds_too() -> None:
    folds, rows = everything("folds"), everything("objects")
    for table, columns, least in (
        ("object-costs", ("low", "high"), 1.3),
        ("object-costs", ("saved low", "saved high"), 1.1),
        ("limits", ("error low", "error high"), 1.05),
        ("calibration", ("low", "high"), 1.05),
    ):
        one, two = (each.tables[table] for each in (folds, rows))
        wider = (one[columns[1]] - one[columns[0]]) / (two[columns[1]] - two[columns[0]])
        assert wider.min() > 0.999 and wider.mean() > least, table
    assert folds.decision is not None and rows.decision is not None
    one, two = folds.decision.best, rows.decision.best
    assert one.threshold_high > two.threshold_high and one.threshold_low <= two.threshold_low
    assert (one.lowest, -one.highest) <= (two.lowest, -two.highest)
    assert "promises" in rows.tables and "promises" not in folds.tables
    said = [each.text for each in folds.findings if each.code == "OPC001"]
    assert len(said) == 1 and "rows of a fold are alike" in said[0]


def test_the_interval_of_object_costs_is_that_of_a_bootstrap_of_patients() -> None:
    folds = everything("folds")
    table = folds.tables["object-costs"].query("rule == 'recommended threshold'").iloc[0]
    rng = np.random.default_rng(5)
    cost = rng.gamma(2, 2, len(WHO)) + WHO
    paid = np.where(Y, cost * (table["threshold"] > 1 / (1 + np.exp(-A))), ~Y & (np.log(
        table["threshold"] / (1 - table["threshold"])) < A))  # fmt: skip
    sums = np.bincount(WHO, paid) / ROWS
    drawn = sums[rng.integers(0, PATIENTS, (2000, PATIENTS))].mean(axis=1)
    low, high = np.quantile(drawn, [0.025, 0.975])
    assert 0.8 < (table["high"] - table["low"]) / (high - low) < 1.4


def test_groups_of_both_classes_are_refused_with_a_cure_that_works() -> None:
    """In Python, too, patients of both classes are judged as folds, as from files."""
    options: Any = {"resamples": 50, "threshold": {"a": AT}, "rule": "search"}
    with pytest.raises(ScoresError, match="several classes; give these groups as folds"):
        opchar.analyse(Y, {"a": A, "b": B}, groups=WHO, **options)
    found = opchar.analyse(Y, {"a": A, "b": B}, folds=WHO, resample="folds", **options)
    plain = opchar.analyse(Y, {"a": A, "b": B}, folds=WHO, **options)
    areas = [
        each.tables["areas"].query("model == 'a' and measure == 'AUC'") for each in (found, plain)
    ]
    wide, narrow = (float((area["high"] - area["low"]).iloc[0]) for area in areas)
    assert wide > 1.5 * narrow
    scored = ScoredSample(("0", "1"), Y.astype(np.intp), {"a": A[:, None]}, 1, WHO)
    asked_of_file = analyse(scored, Asked(resamples=50, unit="folds", rule="search"))
    own = asked_of_file.tables["areas"].query("measure == 'AUC'")
    assert wide == pytest.approx(float((own["high"] - own["low"]).iloc[0]))
    with pytest.raises(ScoresError, match="resample 'rows'"):
        opchar.analyse(Y, A, folds=WHO, resample="rows")  # type: ignore[arg-type]
