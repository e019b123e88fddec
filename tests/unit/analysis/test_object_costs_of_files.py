"""Costs of each object in files and arrays, against brute force."""

import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy.special import expit, logit

import opchar
from opchar.analysis.asking import Asked
from opchar.analysis.first_screen import answer_lines
from opchar.analysis.page import page
from opchar.analysis.run import Answers, analyse
from opchar.analysis.tables.columns import Columns
from opchar.analysis.tables.reading import read_models
from opchar.errors import ScoresError
from opchar.statistics.calibration import calibration

ROWS, FOLDS = 300, 5


def table() -> pd.DataFrame:
    rng = np.random.default_rng(0)
    y = (rng.random(ROWS) < 0.3).astype(int)
    return pd.DataFrame(
        {
            "y": y,
            "score": expit(rng.normal(size=ROWS) + 2 * y - 1),
            "fold": np.arange(ROWS) % FOLDS,
            "cost_fn": rng.lognormal(3, 1, ROWS).round(2),
            "cost_fp": rng.integers(1, 9, ROWS).astype(float),
            "cost_tp": 0.5,
        }
    )


def asked(data: pd.DataFrame, **more: object) -> Answers:
    costs = {name: data[name] for name in data if name.startswith("cost")}
    return opchar.analyse(
        data["y"], data["score"], folds=data["fold"], object_costs=costs, resamples=50, **more
    )


def by_brute_force(data: pd.DataFrame, prior: float, rule: str) -> float:
    """Choose on four folds among all thresholds, or object by object, and count on the fifth."""
    share = data["y"].mean()
    data = data.assign(w=np.where(data["y"] == 1, prior / share, (1 - prior) / (1 - share)))
    total = 0.0

    def paid(part: pd.DataFrame, accepted: np.ndarray) -> float:
        wrong = np.where(part["y"] == 1, part["cost_fn"], 0.0)
        return float(
            (part["w"] * np.where(accepted, np.where(part["y"] == 1, part["cost_tp"],
                                                     part["cost_fp"]), wrong)).sum()
        )  # fmt: skip

    for fold in range(FOLDS):
        own, others = data[data["fold"] == fold], data[data["fold"] != fold]
        if rule == "one threshold":
            tried = [-np.inf, *np.sort(others["score"]), np.inf]
            best = min(tried, key=lambda at: paid(others, (others["score"] >= at).to_numpy()))
            total += paid(own, (own["score"] >= best).to_numpy())
        else:
            fitted = calibration(others["y"] == 1, others["score"], "sigmoid")
            for _, row in own.iterrows():
                p = float(fitted.probabilities([row["score"]], prior)[0])
                accept = p * row["cost_tp"] + (1 - p) * row["cost_fp"] <= p * row["cost_fn"]
                total += paid(row.to_frame().T, np.array([accept]))
    return total / data["w"].sum()


@pytest.mark.parametrize("prior", [None, 0.1])
def test_costs_on_other_folds_are_those_of_brute_force(prior: float | None) -> None:
    data = table()
    found = asked(data, **({} if prior is None else {"prior": prior})).tables["object-costs"]
    at = float(data["y"].mean()) if prior is None else prior
    assert set(found["rule"]) == {"recommended threshold", "one threshold", "a threshold each"}
    for row in found[found["rule"] != "recommended threshold"].to_dict("records"):
        assert row["value"] == pytest.approx(by_brute_force(data, at, row["rule"])), row["rule"]
        assert row["low"] < row["value"] < row["high"]
        assert row["saved"] == pytest.approx(1 - row["value"] / row["trivial"])


def test_a_fraud_smaller_than_its_check_is_never_looked_at() -> None:
    data = table().assign(cost_fp=15.0, cost_tp=15.0)  # the price of a check; the amount is lost
    small = data["cost_fn"] < 15
    assert 0.2 < small.mean() < 0.8
    answers = asked(data)
    found = answers.tables["object-costs"].set_index("rule")["value"]
    for rule in ("one threshold", "a threshold each"):
        assert found[rule] == pytest.approx(by_brute_force(data, data["y"].mean(), rule))
    assert answers.decision is not None
    assert answers.decision.best.cost.value == pytest.approx(found["recommended threshold"])
    costs = {"cost_fn": data["cost_fn"], "cost_fp": 15.0, "cost_tp": 15.0}
    assert (opchar.bayes_threshold(**costs)[small] == 1).all()
    accepted = opchar.object_rule(data["y"], data["score"]).accept(data["score"], **costs)
    assert accepted.any() and not accepted[small].any()
    at = opchar.spaces.object_costs.object_cost_threshold(data["y"], data["score"], **costs)
    tried = (
        opchar.object_cost(data["y"], data["score"], threshold=t, **costs).cost
        for t in [*data["score"], np.inf]
    )
    assert at.cost == pytest.approx(min(tried))


def test_each_threshold_accepts_what_costs_less_to_accept() -> None:
    data = table()
    found = asked(data, prior=0.1).tables["object-thresholds"]
    fitted = calibration(data["y"] == 1, data["score"], "sigmoid")
    at = fitted.probabilities(found["threshold"].to_numpy(), 0.1)
    accepting = at * found["cost_tp"] + (1 - at) * found["cost_fp"]
    np.testing.assert_allclose(accepting, at * found["cost_fn"], rtol=1e-9)
    np.testing.assert_allclose(logit(at), logit(found["probability at or above"]), atol=1e-9)


def test_the_page_shows_no_threshold_where_each_object_has_its_own() -> None:
    text = page(asked(table()), {})
    assert "a threshold each</td>" in text and ">nan<" not in text
    assert not re.search(r">\d*\.\d{8,}<", text)


def test_one_threshold_is_for_the_mean_costs() -> None:
    data = table()
    found = asked(data)
    assert found.decision is not None
    mean = data[data["y"] == 0]["cost_fp"].mean()
    assert found.decision.cost_fp == pytest.approx(mean)
    assert found.decision.cost_fn == pytest.approx((data["cost_fn"] - 0.5)[data["y"] == 1].mean())
    said = {each.code: each.text for each in found.findings}
    assert "more than a right decision" in said["OPC044"]
    for stated in ({"cost_fn": 3.0}, {"cost_fp": 1.0, "cost_fn": 1.0}):
        given = asked(data, **stated).decision
        assert given is not None
        assert (given.cost_fp, given.cost_fn) == (1.0, stated["cost_fn"])


def test_no_more_is_saved_than_by_deciding_right() -> None:
    rng = np.random.default_rng(9)
    y = (np.arange(40) < 3).astype(int)
    amounts = np.where(y == 1, [100, 5, 30] + [0] * 37, 20.0)
    data = pd.DataFrame({"y": y, "score": rng.normal(size=40) + 0.5 * y, "fold": np.arange(40) % 3})
    data = data.assign(cost_fn=amounts, cost_fp=2.0, cost_tp=1.0)
    table = asked(data).tables["object-costs"]
    least = 1 - np.where(y == 1, np.minimum(amounts, 1.0), 0).mean() / table["trivial"]
    assert (table["saved high"] <= least + 1e-12).all()
    assert (table["saved high"] >= table["saved"]).all()


def test_a_cost_that_is_not_of_the_objects_says_so() -> None:
    said = "\n".join(answer_lines(asked(table(), prior=0.1)))
    assert "as in these scores: least cost of an object at mean costs " in said
    assert page(asked(table()), {}).count("at the mean costs of the objects") == 4
    assert "at the mean costs" not in page(asked(table(), cost_fn=3), {})


def test_one_column_is_the_cost_of_either_error(tmp_path: Path) -> None:
    data = table().rename(columns={"cost_fn": "Cost"}).drop(columns=["cost_fp", "cost_tp"])
    data.to_csv(tmp_path / "a.csv", index=False)
    scored = read_models([tmp_path / "a.csv"])
    assert list(scored.costs) == ["cost"]
    assert list(scored.models) == ["a"]
    assert "costs of each object in 'Cost'" in scored.notes[0]
    found = opchar.analyse(
        data["y"], data["score"], folds=data["fold"], object_costs=scored.costs, resamples=50
    )
    assert (found.tables["object-thresholds"]["probability at or above"] == 0.5).all()


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"cost_fn": -1.0}, "a cost is not negative"),
        ({"cost": 2.0}, "'cost' holds for any wrong decision"),
        ({"cost_fn": "x"}, "'x' is no number"),
    ],
)
def test_costs_that_cannot_be_are_refused(tmp_path: Path, change: dict, said: str) -> None:
    table().assign(**change).to_csv(tmp_path / "a.csv", index=False)
    with pytest.raises(ScoresError, match=said):
        read_models([tmp_path / "a.csv"])


def test_right_decisions_that_cost_more_than_wrong_ones_are_refused() -> None:
    with pytest.raises(ScoresError, match=r"cost_tp 1e.06.*: a wrong decision must cost"):
        asked(table().assign(cost_tp=1e6))


def test_groups_have_the_costs_of_their_objects_and_add_up_to_the_whole() -> None:
    data = table().assign(site=np.resize(list("AABC"), ROWS))
    found = asked(data, by=data["site"], threshold=0.5)
    rows = found.tables["by-group"].query("measure == 'cost'").set_index("group")
    accepted, sick = data["score"] >= 0.5, data["y"] == 1
    paid = np.where(sick, np.where(accepted, 0.5, data["cost_fn"]), accepted * data["cost_fp"])
    known = pd.Series(paid).groupby(data["site"]).mean()
    pd.testing.assert_series_equal(rows["value"], known, check_names=False)
    assert (rows["low"] >= 0).all() and (rows["low"] < known).all() and (rows["high"] > known).all()
    advised = asked(data, by=data["site"])
    rows = advised.tables["by-group"].query("measure == 'cost'")
    assert advised.decision is not None
    whole = (rows["value"] * rows["rows"]).sum() / ROWS
    assert whole == pytest.approx(advised.decision.advice.cost.value)


def test_no_error_on_these_objects_is_no_promise_of_none() -> None:
    """Of 80 and 220 objects without an error, Wilson's limits are 4.6 % and 1.7 %."""
    data = table()
    n = np.bincount(data["y"])
    data["score"] += 3 * data["y"]
    found = asked(data, threshold=2.0)
    assert found.decision is not None
    z = 1.959964
    share = z**2 / (n + z**2)
    dear = data.assign(dear=np.where(data["y"], data["cost_fn"] - 0.5, data["cost_fp"]))
    parts = share * dear.groupby("y")["dear"].sum() / ROWS
    cost, saved = found.decision.advice.cost, found.decision.saved
    assert cost.high - cost.value >= np.hypot(*parts) * 0.999
    assert saved.low <= saved.value - np.hypot(*parts) / found.decision.trivial * 0.999
    row = found.tables["in-use"].set_index("measure").loc["cost"]
    assert row["high"] - row["value"] >= np.hypot(*parts) * 0.999


@pytest.mark.parametrize("weighted", [False, True])
def test_intervals_of_costs_draw_all_rows_of_an_object_together(
    tmp_path: Path, weighted: bool
) -> None:
    one = table().drop(columns="fold")[:120]
    rows = pd.concat([one] * 4).reset_index()
    rows["score"] += np.random.default_rng(1).normal(0, 0.01, len(rows))
    rows["w"] = 1.0 + weighted * (rows["index"] % 3)
    (path := tmp_path / "costs.csv").write_text(rows.to_csv(index=False))
    columns = Columns(identity="index", weight="w")
    found = analyse(read_models([path], columns), Asked(thresholds=(("", 0.5),), cost_stated=False))
    at = found.tables["in-use"].set_index("measure").loc["cost"]
    fn, fp = rows["cost_fn"] * (rows["y"] == 1), rows["cost_fp"] * (rows["y"] == 0)
    paid = np.where(rows["score"] >= 0.5, fp + 0.5 * (rows["y"] == 1), fn) * rows["w"]
    sums = pd.DataFrame({"cost": paid, "w": rows["w"]}).groupby(rows["index"]).sum()
    draws = sums.to_numpy()[np.random.default_rng(0).integers(120, size=(2000, 120))].sum(1)
    spread = float((draws[:, 0] / draws[:, 1]).std())
    assert at["value"] == pytest.approx(paid.sum() / rows["w"].sum())
    assert (at["value"] - at["low"]) / 1.98 == pytest.approx(spread, rel=0.1)
    assert {"object-costs", "object-thresholds"} < set(found.tables)
