"""The prior in use from unlabelled scores: read, estimated, carried into the decision, told."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import opchar
from opchar import cli
from opchar.analysis.answers.decision import Estimate
from opchar.analysis.asking import Asked
from opchar.analysis.first_screen import question
from opchar.analysis.run import Answers, analyse
from opchar.analysis.tables.scored_sample import ScoredSample
from opchar.decisions.priors import CELLS, likeliest_prior, prior_by_confusion
from opchar.errors import ScoresError

ASKED = Asked(cost=(1.0, 5.0), resamples=50)


def drawn(prior: float, rows: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    y = (rng.random(rows) < prior).astype(int)
    return y, rng.normal(size=rows) + 2 * y


def scored(prior: float = 0.1, rows: int = 1500) -> ScoredSample:
    y, score = drawn(0.3, 800, 0)
    _, new = drawn(prior, rows, 1)
    noise = np.random.default_rng(2).normal(size=(2, 1500))
    models = {"good": score[:, None], "poor": score[:, None] + noise[0, :800, None]}
    unlabelled = {"good": new[:, None], "poor": new[:, None] + noise[1, :rows, None]}
    return ScoredSample(("0", "1"), y, models, 1, unlabelled=unlabelled)


@pytest.fixture(scope="module")
def answers() -> Answers:
    return analyse(scored(), ASKED)


def test_the_decision_is_made_at_the_estimate_of_the_best_model(answers: Answers) -> None:
    found, table = answers.decision, answers.tables["priors"]
    assert found is not None
    assert found.in_use is not None
    row = table[table["used"]].iloc[0]
    assert (row["model"], row["method"]) == ("good", "em")
    assert found.prior == row["prior"] == pytest.approx(0.1, abs=0.04)
    assert row["low"] < 0.1 < row["high"]
    assert len(table) == 4
    alone = opchar.estimate_prior(
        answers.scored.y, answers.scored.models["good"][:, 0],
        answers.scored.unlabelled["good"][:, 0], repeats=2,
    )  # fmt: skip
    assert found.prior == pytest.approx(alone.prior, abs=1e-9)


def test_intervals_are_wider_than_for_a_known_prior(answers: Answers) -> None:
    found = answers.decision
    assert found is not None
    assert found.in_use is not None
    data = replace(answers.scored, unlabelled={})
    known = analyse(data, replace(ASKED, priors=(found.prior,))).decision
    assert known is not None
    for name in ("cost", "found", "missed", "false_alarms", "precision"):
        ours, theirs = getattr(found.best, name), getattr(known.best, name)
        assert ours.value == pytest.approx(theirs.value)
        assert ours.low < theirs.low <= theirs.value <= theirs.high < ours.high, name
    assert found.saved.low < known.saved.low
    assert found.saved.high > known.saved.high
    ends = found.in_use.low, found.in_use.high
    spread = 1000 * (ends[1] - ends[0]) * found.best.found.value / (1000 * found.prior)
    assert found.best.found.high - found.best.found.low > spread
    assert found.best.threshold_low < found.best.threshold < found.best.threshold_high


def test_the_estimate_is_told_on_page_and_in_json(answers: Answers) -> None:
    assert answers.decision is not None
    assert "estimated from 1,500 unlabelled objects" in question(answers.decision)
    told = json.loads(answers.to_json())
    known = told["decision"]["prior_estimated"]
    assert known["low"] < known["value"] == told["decision"]["prior"] < known["high"]
    assert "OPC042" in {each["code"] for each in told["findings"]}
    assert {row["method"] for row in told["tables"]["priors"]} == {"em", "confusion"}


@pytest.mark.parametrize("new", [np.full((40, 1), -9.0), np.full((40, 1), 9.0)])
def test_none_or_all_positive_in_use_still_has_a_decision(new: np.ndarray) -> None:
    y, score = drawn(0.3, 300, 0)
    found = analyse(
        ScoredSample(("0", "1"), y, {"m": score[:, None]}, 1, unlabelled={"m": new}), ASKED
    )
    assert found.decision is not None
    assert 0 < found.decision.prior < 1
    json.loads(found.to_json())


def test_an_interval_within_both_holds_both() -> None:
    known = Estimate(0.5, 0.4, 0.7)
    assert known.widened_by_prior((0.5, 0.5)) == known
    wide = known.widened_by_prior((0.2, 0.5))
    assert wide.low == pytest.approx(0.5 - np.hypot(0.1, 0.3))
    assert wide.high == pytest.approx(0.7)
    assert known.widened_by_prior((0.6,)).high == pytest.approx(0.5 + np.hypot(0.2, 0.1))


def test_numbers_of_objects_are_repeated_objects() -> None:
    rng = np.random.default_rng(0)
    ratios, often = rng.normal(size=30), rng.integers(1, 5, 30)
    repeated = np.repeat(ratios, often)
    assert likeliest_prior(ratios, often) == pytest.approx(likeliest_prior(repeated), abs=1e-12)
    y, score = drawn(0.4, 100, 3)
    points = opchar.points_of(y, score)
    assert prior_by_confusion(points, ratios, often) == prior_by_confusion(points, repeated)


def test_many_objects_are_joined_for_the_resamples_only() -> None:
    y, score = drawn(0.4, 3 * CELLS, 4)
    _, new = drawn(0.2, 2 * CELLS, 5)
    found = opchar.estimate_prior(y, score, new, resamples=60)
    assert found.low < 0.2 < found.high
    assert abs(np.mean(found.draws) - found.prior) < 0.005
    doubled = opchar.estimate_prior(y, score, new, resamples=2, sample_weight=np.full(len(y), 2.0))
    assert doubled.prior == pytest.approx(found.prior, abs=1e-3)


def test_the_command_reads_a_file_without_labels(tmp_path: Path, monkeypatch, capsys) -> None:
    monkeypatch.chdir(tmp_path)
    data = scored(rows=400)
    columns = {name: values[:, 0] for name, values in data.models.items()}
    pd.DataFrame({"y": data.y} | columns).to_csv("old.csv", index=False)
    new = {name: values[:, 0] for name, values in data.unlabelled.items()}
    pd.DataFrame(new).to_csv("new.csv", index=False)
    words = ["analyse", "old.csv", "--scores", "good,poor", "--resamples", "50"]
    assert cli.main([*words, "--unlabelled", "new.csv"]) == 0
    said = capsys.readouterr().out
    assert "estimated from 400 unlabelled objects" in said
    assert (tmp_path / "old-analysis/priors.csv").is_file()
    pd.DataFrame({"good": new["good"]}).to_csv("less.csv", index=False)
    for file, message in (("less.csv", "no column 'poor'"), ("none.csv", "none.csv: no such file")):
        assert cli.main([*words, "--unlabelled", file]) == 1
        assert message in capsys.readouterr().err
    assert cli.main([*words, "--unlabelled", "new.csv", "--unlabelled", "new.csv"]) == 1
    assert "2 files of unlabelled objects for 1 of scores" in capsys.readouterr().err


def test_arrays_of_unlabelled_scores_must_fit() -> None:
    y, score = drawn(0.3, 100, 0)
    found = opchar.analyse(y, score, unlabelled=score[:50], resamples=50)
    assert found.decision is not None
    assert found.decision.in_use is not None
    with pytest.raises(ValueError, match="unlabelled has models"):
        opchar.analyse(y, {"a": score}, unlabelled={"b": score}, resamples=50)
    with pytest.raises(ValueError, match="one or more"):
        opchar.analyse(y, score, unlabelled=[], resamples=50)
    many = np.arange(90) % 3
    told = opchar.analyse(many, {"m": np.eye(3)[many]}, unlabelled={"m": np.eye(3)}, resamples=50)
    assert any("--unlabelled" in each.text for each in told.findings)
    with pytest.raises(ScoresError, match="cost"):
        opchar.analyse(y, score, object_costs={"cost": y, "cost_fp": y}, resamples=50)
