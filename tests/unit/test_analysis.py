"""A user's own scores: what comes out is what the library says."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import f1_score, roc_auc_score

from checkout import ROOT
from opchar import cli
from opchar.analysis import analyse
from opchar.scores import ScoreTable


def scored(classes: int, rows: int = 240) -> ScoreTable:
    rng = np.random.default_rng(classes)
    y = np.concatenate([np.arange(classes), rng.integers(0, classes, rows - classes)])
    scores = rng.random((rows, classes)) + 0.7 * np.eye(classes)[y]
    names = tuple("abcdef"[:classes])
    return ScoreTable(np.zeros(rows, int), np.arange(rows), y, scores, names)


def test_two_classes_agree_with_scikit_learn() -> None:
    table = scored(2)
    results = analyse(table)
    found = {line["column"]: line["value"] for line in results.lines}
    name = results.lines[0]["row"]
    is_positive, score = table.binary(name)
    assert is_positive.sum() == found["positives"] <= found["negatives"]
    assert found["AUC"] == pytest.approx(roc_auc_score(is_positive, score), abs=1e-12)
    chosen = score >= found["threshold of best F (alpha 0.5) there"]
    best = found["best F (alpha 0.5) at the prior of the scores"]
    assert f1_score(is_positive, chosen) == pytest.approx(best, abs=1e-12)
    every = [f1_score(is_positive, score >= threshold) for threshold in np.unique(score)]
    assert best == pytest.approx(max(every), abs=1e-12)


def test_thresholds_cover_all_priors_in_order() -> None:
    thresholds = analyse(scored(2)).curves["thresholds"]
    for _, part in thresholds.groupby("space"):
        assert part["from"].iloc[0] == 0.0
        assert part["to"].iloc[-1] == 1.0
        np.testing.assert_array_equal(part["to"].iloc[:-1], part["from"].iloc[1:])


def test_more_classes_give_one_against_the_rest_and_the_volume() -> None:
    results = analyse(scored(3), weights=12)
    assert {line["row"] for line in results.lines} == {"a", "b", "c", "all classes"}
    volume = next(line["value"] for line in results.lines if line["column"] == "VUS")
    assert 1 / 6 < volume <= 1.0


def test_the_command_writes_summary_thresholds_and_figure(tmp_path, monkeypatch, capsys) -> None:
    monkeypatch.chdir(ROOT)
    table = scored(2)
    frame = pd.DataFrame(table.scores, columns=list(table.classes))
    frame["y"] = np.array(table.classes)[table.y]
    frame.to_csv(tmp_path / "mine.csv", index=False)
    assert cli.main(["analyse", str(tmp_path / "mine.csv"), "--alpha", "0.25"]) == 0
    assert "best F (alpha 0.25)" in capsys.readouterr().out
    names = {path.name for path in (tmp_path / "mine").iterdir()}
    figures = {f"four-spaces.{kind}" for kind in ("svg", "pdf", "png")}
    assert names == {"summary.csv", "thresholds.csv"} | figures


def test_unreadable_scores_are_one_line(tmp_path, monkeypatch, capsys) -> None:
    monkeypatch.chdir(ROOT)
    (tmp_path / "bad.csv").write_text("y,a,b\na,0.5,x\n")
    assert cli.main(["analyse", str(tmp_path / "bad.csv")]) == 1
    said = capsys.readouterr().err
    assert said.startswith("opchar: ")
    assert said.count("\n") == 1
    assert "row 1, column 'b'" in said
    assert not (tmp_path / "bad").exists()
