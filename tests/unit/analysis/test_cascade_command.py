"""`opchar cascade`: a cheap model accepts and rejects alone, and asks a costly one between."""

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from opchar import cli

# Issue 88 of techlab-innov/llmtrace asks the slow judge where the fast one is 0.3 to 0.7 sure.
FAST = np.repeat([0.1, 0.3, 0.5, 0.7, 0.9], 40)
Y = np.where(FAST == 0.1, 0, np.where(FAST == 0.9, 1, np.arange(200) % 5 < 2))
SLOW = np.where(Y == 1, 0.8, 0.2)


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    rows = pd.DataFrame({"id": np.arange(200), "y": Y})
    rows.assign(score=FAST).to_csv("fast.csv", index=False)
    rows.assign(score=SLOW)[::-1].to_csv("slow.csv", index=False)
    return tmp_path


def ask(capsys: pytest.CaptureFixture[str], *more: str) -> dict:
    given = ["cascade", "fast.csv", "slow.csv", "--json", *more]
    assert cli.main(given) == 0
    return json.loads(capsys.readouterr().out)


def test_the_band_of_a_public_issue_is_found(files: Path, capsys) -> None:
    found = ask(capsys, "--cost-of-asking", "0.1")
    assert 0.1 < found["reject_below"] <= 0.3
    assert 0.7 < found["accept_from"] <= 0.9
    assert found["asked"] == pytest.approx(0.6)
    assert found["cost"]["value"] == pytest.approx(0.06)  # 0.6 asked at 0.1, no error
    # The fast one alone is wrong in 48 of the 120 unclear cases; all asked cost 0.1 each.
    others = found["alternatives"]
    assert others["first stage alone"] == pytest.approx(0.24)
    assert others["second stage for all"] == pytest.approx(0.1)
    assert others["accept none"] == pytest.approx(Y.mean())
    assert (found["tpr"], found["fpr"]) == pytest.approx((1, 0))
    assert 0.2 < found["accept_costly_from"] <= 0.8
    assert found["cheapest"] == "cascade"
    assert ask(capsys, "--cost-of-asking", "0.9")["cheapest"] == "fast alone"


def test_the_terminal_says_the_same(files: Path, capsys) -> None:
    assert cli.main(["cascade", "fast.csv", "slow.csv", "--cost-of-asking", "0.1"]) == 0
    said = capsys.readouterr().out
    for part in (
        "Reject without asking: fast below 0.2.",
        "Accept without asking: fast at or above 0.8.",
        "ask slow, accept at or above 0.5.",
        "Asked: 60 % of the objects.",
        "fast alone 0.240; slow for all 0.100; accept all 0.560; accept none 0.440.",
        "(the default)",
    ):
        assert part in said
    assert "No cascade" not in said


@pytest.mark.parametrize(("price", "asked"), [("0.9", 0.0), ("0.35", 0.6)])
def test_a_dear_model_is_not_asked(files: Path, capsys, price: str, asked: float) -> None:
    assert ask(capsys, "--cost-of-asking", price)["asked"] == pytest.approx(asked)
    assert cli.main(["cascade", "fast.csv", "slow.csv", "--cost-of-asking", price]) == 0
    said = capsys.readouterr().out
    assert ("No cascade is needed" in said) == (price == "0.9")
    assert ("All others" in said) == (price == "0.35")


def test_a_cascade_that_asks_nobody_is_none(tmp_path: Path, monkeypatch, capsys) -> None:
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(21)
    y = rng.random(500) < 0.3
    table = pd.DataFrame({"y": y, "a": rng.normal(size=500) + y, "b": rng.normal(size=500) + 2 * y})
    table.to_csv("both.csv", index=False)
    given = ["cascade", "both.csv", "--scores", "a,b", "--cost-of-asking", "100"]
    assert cli.main([*given, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["asked"] == 0 and found["cheapest"] == "a alone"
    assert cli.main(given) == 0
    assert "No cascade is needed: " in capsys.readouterr().out


def test_answers_of_people_are_scores_of_0_and_1(files: Path, capsys) -> None:
    answers = pd.DataFrame({"id": np.arange(200), "score": Y})[::-1]
    answers.to_csv("slow.csv", index=False)
    found = ask(capsys, "--cost-of-asking", "0.1")
    assert found["cost"]["value"] == pytest.approx(0.06)
    assert 0 < found["accept_costly_from"] <= 1


def test_prior_and_weights_count(files: Path, capsys) -> None:
    found = ask(capsys, "--cost-of-asking", "0.1", "--prior", "0.1", "--cost", "1,3")
    asked = 0.1 * 48 / 88 + 0.9 * 72 / 112
    assert found["asked"] == pytest.approx(asked)
    assert found["cost"]["value"] == pytest.approx(0.1 * asked)
    assert found["alternatives"]["accept none"] == pytest.approx(0.3)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (["fast.csv"], "two models"),
        (["fast.csv", "slow.csv", "slow.csv"], "model"),
        (["fast.csv", "slow.csv", "--cost-of-asking", "-1"], "from 0"),
        (["fast.csv", "slow.csv", "--prior", "2"], "between 0 and 1"),
        (["fast.csv", "slow.csv", "--prior", "0.1,0.2"], "give one"),
        (["fast.csv", "slow.csv", "--cost", "0,1"], "positive"),
        (["three.csv", "--scores", "a,b,c"], "two models"),
        (["costs.csv", "--scores", "a,b"], "mean costs"),
        (["several.csv", "--scores", "a,b", "--id", "patient"], "one row"),
    ],
)
def test_what_cannot_be_answered_is_refused(files: Path, capsys, given, said: str) -> None:
    table = pd.DataFrame({"y": Y, "a": FAST, "b": SLOW, "c": FAST})
    table.to_csv("three.csv", index=False)
    table.assign(cost_fn=1 + Y).to_csv("costs.csv", index=False)
    table.assign(patient=Y * 100 + np.arange(200) // 20).to_csv("several.csv", index=False)
    assert cli.main(["cascade", "--cost-of-asking", "0.1", *given]) == 1
    assert said in capsys.readouterr().err
