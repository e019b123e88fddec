"""Many objects are counted by class, score and fold: the answers are those of rows."""

import json

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import roc_auc_score

import opchar
from opchar.analysis.kept_limits import kept_limits
from opchar.analysis.tables import many
from opchar.analysis.tables.reading import read_models
from opchar.cli import main
from opchar.spaces import auc

KEYS = ("aim", "model", "measure", "limit", "at most", "rule", "prior")


def table(n, seed=0, digits=3):
    rng = np.random.default_rng(seed)
    y = (rng.random(n) < 0.3).astype(int)
    return pd.DataFrame({"y": y, "score": (rng.normal(size=n) + y).round(digits)})


def answers(capsys, *words):
    assert main(["analyse", *map(str, words), "--json", "--quiet", "--resamples", "50"]) == 0
    found = json.loads(capsys.readouterr().out)
    return {key: found[key] for key in ("decision", "findings", "tables")} | {
        "rows": found["read"]["rows"]
    }


@pytest.fixture
def few(monkeypatch):
    monkeypatch.setattr(many, "MANY", 1000)


def test_answers_are_those_of_rows(monkeypatch):
    rows = table(20_000)
    rows["score"] = 1 / (1 + np.exp(-rows["score"]))
    given = {"cost_fn": 3, "prior": 0.1, "resamples": 50}
    by_rows = opchar.analyse(rows["y"], rows["score"], **given)
    monkeypatch.setattr(many, "MANY", 1000)
    by_counts = opchar.analyse(rows["y"], rows["score"], **given)
    assert by_counts.scored.counted
    assert not by_rows.scored.counted
    assert by_counts.tables.keys() == by_rows.tables.keys()
    area = roc_auc_score(rows["y"], rows["score"])
    areas = [found.tables["areas"].set_index("measure") for found in (by_rows, by_counts)]
    assert areas[1].loc["AUC", "value"] == pytest.approx(area, abs=1e-12)
    np.testing.assert_allclose(
        *(each.loc["AUC", ["low", "high"]].astype(float) for each in areas), rtol=1e-10
    )
    # What no fold and no draw decides is the same.
    for name in ("calibration", "rejecting", "needed"):
        one, two = (found.tables[name] for found in (by_rows, by_counts))
        numbers = one.select_dtypes("number").columns
        rough = 0.1 if name == "needed" else 1e-9
        np.testing.assert_allclose(one[numbers], two[numbers], rtol=rough)
    one, two = (found.tables["limits"] for found in (by_rows, by_counts))
    for name in ("threshold", "optimistic error", "promised threshold", "other error there"):
        np.testing.assert_allclose(one[name], two[name], rtol=1e-9)
    assert (one["promised of"] == two["promised of"]).all()
    one, two = (found.tables["thresholds"] for found in (by_rows, by_counts))
    np.testing.assert_allclose(one["optimistic"], two["optimistic"], rtol=1e-9)
    np.testing.assert_allclose(one["value"], two["value"], rtol=0.01)
    width = [(each["high"] - each["low"]).to_numpy() for each in (one, two)]
    np.testing.assert_allclose(*width, rtol=0.15)


@pytest.mark.parametrize("several", [False, True])
def test_guarantees_are_of_single_rows_and_groups_end_at_the_threshold(monkeypatch, several):
    rows = table(20_000, digits=9)
    models = {"a": rows["score"], "b": rows["score"] + np.random.default_rng(1).normal(size=20_000)}
    scores = models if several else rows["score"]
    given = {"max_fpr": 0.05, "max_alert_rate": 0.1, "threshold": 1.2345, "resamples": 50}
    by_rows = opchar.analyse(rows["y"], scores, **given)
    for name, value in (("MANY", 1000), ("CELLS", 3000), ("READ", 5000)):
        monkeypatch.setattr(many, name, value)
    found = opchar.analyse(rows["y"], scores, **given)
    assert found.scored.counted != several
    assert all(len(np.unique(each)) <= 3001 for each in found.scored.models.values())
    assert "AUC of these scores lies surely" in found.scored.notes[-1]
    pd.testing.assert_frame_equal(found.tables["promises"], by_rows.tables["promises"])
    assert kept_limits(found) == kept_limits(by_rows)
    one, two = (each.tables["in-use"].set_index("measure") for each in (found, by_rows))
    np.testing.assert_allclose(*(each[["value", "low", "high"]] for each in (one, two)), rtol=1e-12)
    for name in ("difference low", "difference high"):
        np.testing.assert_allclose(one.loc["cost", name], two.loc["cost", name], atol=0.02)


@pytest.mark.usefixtures("few")
def test_parts_in_any_order_answer_to_the_byte(tmp_path, capsys, monkeypatch):
    whole, *others = answers_of_forms(table(5000, digits=9), tmp_path, capsys, monkeypatch)
    assert whole["rows"] == 5000
    assert others == [whole] * 3


@pytest.mark.check
def test_a_million_in_parts_answer_to_the_byte(tmp_path, capsys, monkeypatch):
    whole, *others = answers_of_forms(table(1_000_000, digits=9), tmp_path, capsys, monkeypatch)
    assert whole["rows"] == 1_000_000
    assert others == [whole] * 3


def answers_of_forms(rows, folder, capsys, monkeypatch):
    """Return the answers of one table whole, in parts, as counts and as text."""
    monkeypatch.setattr(many, "READ", len(rows) // 5)
    monkeypatch.setattr(many, "CELLS", len(rows) // 20)
    whole, parts = folder / "whole/scores.parquet", folder / "scores"
    whole.parent.mkdir(), parts.mkdir()
    rows.to_parquet(whole)
    shuffled = rows.sample(frac=1, random_state=1)
    for number, part in enumerate(np.array_split(np.arange(len(rows)), 4)):
        shuffled.iloc[part].to_parquet(parts / f"part-{number}.parquet", index=False)
    of_score = rows.groupby("score")["y"].agg(positives="sum", negatives="size").reset_index()
    of_score["negatives"] -= of_score["positives"]
    (folder / "counts").mkdir()
    of_score.to_parquet(folder / "counts/scores.parquet")
    rows.to_csv(folder / "scores.csv", index=False)
    forms = (whole,), (parts,), (folder / "counts/scores.parquet", "--counts")
    return [answers(capsys, *form) for form in (*forms, (folder / "scores.csv",))]


@pytest.mark.usefixtures("few")
def test_what_is_certain_of_groups_is_told(tmp_path, monkeypatch):
    monkeypatch.setattr(many, "CELLS", 50)
    rows = table(4000, digits=9)
    found = opchar.analyse(rows["y"], rows["score"], resamples=50)
    said = found.scored.notes[-1]
    low, high = map(float, said.split("surely from ")[1].split(". ")[0].split(" to "))
    assert low < roc_auc_score(rows["y"], rows["score"]) < high < low + 0.02
    assert found.scored.sizes.tolist() == np.bincount(rows["y"]).tolist()


@pytest.mark.usefixtures("few")
@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"id": np.arange(4000) // 2}, {}),
        ({"y": np.arange(4000) % 3 % 2, "extra": np.arange(4000)}, {}),
        ({"score": np.arange(4000)}, {}),
        ({"score": np.where(np.arange(4000) == 7, np.nan, 0.5)}, {}),
    ],
)
def test_anything_else_is_read_by_rows(tmp_path, change, words):
    path = tmp_path / "scores.parquet"
    table(4000).assign(**change).to_parquet(path)
    assert many.read_counts([path], many.Columns(**words)) is None


@pytest.mark.usefixtures("few")
def test_the_rarer_class_is_so_by_objects(tmp_path):
    rows = table(4000)
    rows["score"] = np.where(rows["y"] == 0, 0.25 + rows["score"].round(0), rows["score"])
    rows["y"] = np.where(rows["y"] == 1, "ant", "bee")
    path = tmp_path / "scores.parquet"
    rows.to_parquet(path)
    found = read_models([path], by_counts=True)
    assert found.counted
    assert found.classes[found.positive] == "ant"
    sizes = dict(zip(found.classes, found.sizes.tolist(), strict=True))
    assert sizes == dict(rows["y"].value_counts())


def test_fewer_bits_depend_on_no_order_and_bound_the_area():
    rng = np.random.default_rng(4)
    score = np.concatenate([rng.normal(size=3000), rng.normal(size=900) * 1e-9, [0.0, -0.0, 1.0]])
    y = rng.random(len(score)) < 0.4
    whole = opchar.ScoreCounts.from_arrays(y, score).with_fewer_bits(200)
    for seed in range(3):
        order = np.random.default_rng(seed).permutation(len(score))
        split = np.split(order, [1, 4, 60, 70, 2000])
        parts = (opchar.ScoreCounts.from_arrays(y[part], score[part]) for part in split)
        found = opchar.ScoreCounts.sum_of(parts, 200)
        for name in ("score", "positives", "negatives"):
            np.testing.assert_array_equal(getattr(found, name), getattr(whole, name))
    assert 50 < len(whole.score) <= 200
    low, high = whole.certain(auc)
    assert low < roc_auc_score(y, score) < high
    assert whole.positives.sum() == y.sum()
