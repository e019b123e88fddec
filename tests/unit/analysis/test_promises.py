"""A promised threshold says which scorer it is promised of."""

import argparse
import re
from typing import Any

import numpy as np
import pandas as pd
import pytest

import opchar
from checkout import ROOT
from opchar.analysis.answers.judging import one_against_rest
from opchar.analysis.answers.limits import ANEW, limit_table
from opchar.analysis.answers.promises import promise_table
from opchar.analysis.asking import Asked
from opchar.analysis.kept_limits import kept_limits
from opchar.analysis.options import add_options
from opchar.analysis.page import page
from opchar.analysis.run import analyse
from opchar.analysis.tables.reading import read_models
from opchar.analysis.tables.scored_sample import ScoredSample


def test_the_page_says_that_a_model_trained_anew_is_another(tmp_path) -> None:
    pd.DataFrame({"y": [0, 1] * 20, "score": np.arange(40) % 7}).to_csv(
        tmp_path / "s.csv", index=False
    )
    answers = analyse(read_models([tmp_path / "s.csv"]), Asked(resamples=50))
    assert "promised of" in answers.tables["limits"]
    assert ANEW in page(answers, {})


@pytest.mark.parametrize(
    ("columns", "said"),
    [
        ({}, "the model of these scores, if it was trained on none of these.*not a retrained one"),
        (
            {"fold": np.arange(200) // 2 % 5},
            "the 5 models of the folds, on average; a retrained model is not covered$",
        ),
        ({"weight": 1 + np.arange(200) % 3}, "objects count once each$"),
    ],
)
def test_a_limit_is_promised_of_the_scorers_that_gave_the_scores(tmp_path, columns, said) -> None:
    rng = np.random.default_rng(0)
    y = np.arange(200) % 2
    table = pd.DataFrame({"y": y, "score": rng.normal(size=200) + y, **columns})
    table.to_csv(tmp_path / "scores.csv", index=False)
    scored = read_models([tmp_path / "scores.csv"])
    found = limit_table(one_against_rest(scored, scored.positive, Asked()), scored.fold)
    (told,) = set(found["promised of"])
    assert re.search(said, told)


@pytest.mark.parametrize("name", ["measures", "promises"])
def test_the_examples_of_a_page_run(name: str) -> None:
    text = (ROOT / f"docs/{name}.md").read_text(encoding="utf-8")
    names: dict[str, Any] = {}
    examples = re.findall(r"```python\n(.*?)```", text, flags=re.DOTALL)
    assert examples
    for example in examples:
        exec(example, names)
    if name == "measures":
        assert names["cost"].low < names["cost"].cost < names["cost"].high
        assert (names["curve"].best >= names["curve"].net_benefit - 1e-12).all()


def test_limits_are_promised_alone_and_together_as_the_function_does() -> None:
    rng = np.random.default_rng(3)
    y = np.arange(3000) % 5 == 0
    score = rng.normal(size=3000) + 2 * y
    limits = {"max_alert_rate": 0.15, "min_precision": 0.6}
    asked = Asked(resamples=50, **limits)  # type: ignore[arg-type]
    table = promise_table(one_against_rest(_one(y, score), 1, asked), "it")
    assert len(table) == 3 and set(table["promised of"]) == {"it"}
    for row, kept in zip(
        table.to_dict("records"),
        ({"max_alert_rate": 0.15}, {"min_precision": 0.6}, limits),
        strict=True,
    ):
        found = opchar.controlled_threshold(y, score, **kept)  # type: ignore[arg-type]
        accepted = score >= row["threshold"]
        np.testing.assert_array_equal(accepted, score >= found.threshold)
        assert row["alerts"] == accepted.mean() and row["precision"] == y[accepted].mean()
        assert row["kept"]
    whole = table.iloc[-1]
    assert whole["alerts"] <= 0.15 and whole["precision"] >= 0.6


def test_limits_that_cannot_be_kept_are_told() -> None:
    y = np.arange(60) % 2 == 0
    asked = Asked(resamples=50, max_fpr=0.01, min_precision=0.99)
    table = promise_table(one_against_rest(_one(y, np.arange(60.0) % 7), 1, asked), "it")
    assert not table["kept"].any() and (table["why not"] != "").all()
    asked = Asked(resamples=50, max_fnr=0.01, max_fpr=0.2)
    table = promise_table(one_against_rest(_one(y, np.arange(60.0) % 7), 1, asked), "it")
    assert "another only by accepting all;" in table["why not"].iloc[-1]
    assert not table["why not"].str.contains("inf").any()


@pytest.mark.parametrize(("text", "rate"), [("50/2000", 0.025), ("0.1", 0.1)])
def test_alerts_are_a_share_or_a_number_of_a_number(text: str, rate: float) -> None:
    parser = argparse.ArgumentParser()
    add_options(parser)
    assert parser.parse_args(["s.csv", "--alerts", text]).max_alert_rate == rate
    for wrong in ("50", "0", "50/20", "x"):
        with pytest.raises(SystemExit):
            parser.parse_args(["s.csv", "--alerts", wrong])


def _one(y: np.ndarray, score: np.ndarray) -> ScoredSample:
    return ScoredSample(("no", "yes"), y.astype(np.intp), {"m": score[:, None]}, 1)


@pytest.mark.parametrize(("positives", "is_all"), [(20, True), (60, False)])
def test_a_limit_that_accepting_all_alone_keeps_is_no_advice(positives: int, is_all: bool) -> None:
    """No miss among n promises at most 10 % with 95 % confidence from n = 29 on: 0.9^29 < 0.05."""
    rng = np.random.default_rng(1)
    y = np.arange(300) < positives
    score = rng.normal(size=300) + 9 * y
    answers = opchar.analyse(y, score, max_fnr=0.1, resamples=50)
    (said,) = kept_limits(answers)
    assert ("only by accepting all objects" in said) == is_all
    assert "a retrained model is not covered" in said
    assert ("of all objects." in said) != is_all


@pytest.mark.parametrize("limit", [{"min_precision": 0.5}, {"max_alert_rate": 0.2}])
def test_a_limit_says_what_it_is_at_another_prior(limit: dict[str, float]) -> None:
    """By Bayes' rule: of 2 % positives, the precision is .02 TPR / (.02 TPR + .98 FPR)."""
    rng = np.random.default_rng(0)
    y = (rng.random(900) < 0.2).astype(int)
    score = rng.normal(size=900) + 2 * y
    found = opchar.analyse(y, score, prior=0.02, resamples=50, **limit)
    (sentence,) = kept_limits(found)
    threshold = found.tables["promises"]["threshold"].iloc[0]
    tpr, fpr = (float((score[y == label] >= threshold).mean()) for label in (1, 0))
    told = re.search(r"Where 2 % are, the precision is ([\d.]+) %, and ([\d.]+) %", sentence)
    assert told is not None
    alerts = 0.02 * tpr + 0.98 * fpr
    assert float(told[1]) == pytest.approx(2 * tpr / alerts, rel=0.01)
    assert float(told[2]) == pytest.approx(100 * alerts, rel=0.01)
    (same,) = kept_limits(opchar.analyse(y, score, resamples=50, **limit))
    assert "It holds where" not in same


@pytest.mark.parametrize("weight", [None, 2.0])
def test_a_limit_says_that_rows_count_once(weight: float | None) -> None:
    y = np.arange(200) % 2
    weights = None if weight is None else np.where(y, weight, 1.0)
    score = np.random.default_rng(0).normal(size=200) + y
    (said,) = kept_limits(
        opchar.analyse(y, score, sample_weight=weights, max_fpr=0.2, resamples=50)
    )
    assert ("; rows count once each, without weights" in said) == (weight is not None)


def _answers(weight: bool = False) -> Any:
    """Return answers on 1,500 objects with as many scores, and the objects themselves."""
    rng = np.random.default_rng(3)
    y = (rng.random(1500) < 0.3).astype(int)
    score = rng.normal(size=1500) + 1.5 * y
    weights = rng.uniform(0.5, 3, size=1500) if weight else None
    asked: Any = {"prior": 0.05, "cost_fn": 10, "threshold": 0.25, "max_fpr": 0.1}
    asked |= {"resamples": 50, "rule": "search"}
    return opchar.analyse(y, score, sample_weight=weights, **asked), y, score, weights


@pytest.mark.parametrize("weight", [False, True])
def test_every_threshold_of_the_answer_is_among_the_points_with_its_rates(weight: bool) -> None:
    """A curve of more points than the table holds lacked the recommended threshold."""
    found, y, score, weights = _answers(weight)
    points = found.tables["points"]
    assert set(points["points in all"]) == {len(np.unique(score)) + 1}
    assert len(points) < len(np.unique(score))
    wanted = {found.decision.advice.threshold, 0.25}
    for name in ("thresholds", "limits", "promises", "rules", "in-use"):
        wanted |= set(found.tables[name]["threshold"])
    wanted |= set(found.tables["limits"]["promised threshold"])
    assert wanted <= set(points["threshold"])
    assert points["threshold"].is_monotonic_decreasing
    for row in points.to_dict("records"):
        accepted = score >= row["threshold"]
        tpr, fpr = (
            np.average(accepted[y == c], weights=None if weights is None else weights[y == c])
            for c in (1, 0)
        )
        assert (row["tpr"], row["fpr"]) == pytest.approx((tpr, fpr))
    few = opchar.analyse(y[:300], score[:300], resamples=50, rule="search").tables["points"]
    assert len(few) >= 301
    assert set(few["points in all"]) == {301}


def test_a_limit_that_held_out_folds_exceed_is_marked() -> None:
    found, *_ = _answers()
    limits = found.tables["limits"]
    exceeded = limits["error"] > limits["at most"] + 1e-12
    assert 0 < exceeded.sum() < len(limits)
    np.testing.assert_array_equal(limits["error exceeds limit"], exceeded)
    (said,) = re.findall(r"thresholds without a guarantee exceed (\d+) limits?\.", page(found, {}))
    assert int(said) == exceeded.sum()


@pytest.mark.parametrize("groups", [None, np.arange(600) // 2])
def test_one_rate_of_one_threshold_has_one_interval(groups) -> None:
    """False alarms of the recommendation had another interval than the same ones of a limit."""
    rng = np.random.default_rng(0)
    y = (rng.random(600) < 0.3).astype(int)
    y = y if groups is None else y[groups]
    score = np.clip(np.round(rng.normal(size=600) + 2 * y), -1, 3)
    limits = (float((score[y == 0] >= 2).mean()) + 0.03,)
    asked: Any = {"prior": 0.3, "rule": "search", "limits": limits, "groups": groups}
    found = opchar.analyse(y, score, resamples=50, **asked)
    best, row = found.decision.best, found.tables["limits"].iloc[0]
    assert (row["limit"], row["threshold"]) == ("false alarms", best.threshold)
    alarms, missed = best.false_alarms.times(1 / 700), best.missed.times(1 / 300)
    of_limit = row[["error", "error low", "error high"]].to_numpy(float)
    assert of_limit == pytest.approx((alarms.value, alarms.low, alarms.high))
    other = row[["other error", "other low", "other high"]].to_numpy(float)
    assert other == pytest.approx((missed.value, missed.low, missed.high))
