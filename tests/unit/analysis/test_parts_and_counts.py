"""One table in parts, or counted by score, has the answers of the whole table."""

import json

import numpy as np
import pandas as pd
import pytest

from opchar.analysis.tables import many
from opchar.analysis.tables.columns import Columns
from opchar.analysis.tables.reading import read_models
from opchar.cli import main
from opchar.errors import ScoresError


def table(n=400, seed=0):
    rng = np.random.default_rng(seed)
    y = (rng.random(n) < 0.3).astype(int)
    return pd.DataFrame({"y": y, "score": (rng.normal(size=n) + y).round(2)})


def counts_of(rows, *by):
    found = rows.groupby(["score", *by])["y"].agg(positives="sum", negatives="size").reset_index()
    return found.assign(negatives=found["negatives"] - found["positives"])


def answers(capsys, *words):
    assert main(["analyse", *map(str, words), "--json", "--quiet", "--resamples", "50"]) == 0
    found = json.loads(capsys.readouterr().out)
    return {key: found[key] for key in ("decision", "findings", "tables")}


def test_parts_and_counts_answer_to_the_byte(tmp_path, capsys):
    rows = table().sort_values(["y", "score"], ignore_index=True)
    for folder in ("whole", "counted", "listed"):
        (tmp_path / folder).mkdir()
    parts = tmp_path / "scores.parquet"
    listed = tmp_path / "listed/scores"
    parts.mkdir(), listed.mkdir()
    for number, part in enumerate(np.array_split(np.arange(len(rows)), 3)):
        for folder in (parts, listed):
            rows.iloc[part].to_parquet(folder / f"part-{number:05}.parquet")
    whole = tmp_path / "whole/scores.parquet"
    counted = tmp_path / "counted/scores.csv"
    rows.to_parquet(whole)
    counts_of(rows).sample(frac=1, random_state=3).to_csv(counted, index=False)
    known = answers(capsys, whole)
    assert known["decision"]
    assert answers(capsys, parts) == known
    assert answers(capsys, *sorted(listed.iterdir())) == known
    assert answers(capsys, counted, "--counts") == known


def test_infinite_scores_of_half_width_are_not_counted_as_finite():
    found = [many._are_scores(np.array([0.5, top], dtype=np.float32)) for top in (3e38, np.inf)]
    assert found == [True, False]


@pytest.mark.parametrize("name", ["Total", "D"])
def test_a_row_of_totals_is_no_site_of_counts(tmp_path, name):
    rows = counts_of(table().assign(site=np.resize(list("ABC"), 400)), "site")
    total = rows[["positives", "negatives"]].sum().to_dict()
    path = tmp_path / "counts.csv"
    pd.concat([rows, pd.DataFrame([{"score": 0.5, "site": name, **total}])]).to_csv(path)
    with pytest.raises(ScoresError, match=f"row {len(rows) + 1}.*delete"):
        read_models([path], counted=True)
    rows.to_csv(path)
    assert len(read_models([path], counted=True).y) == 400


@pytest.mark.parametrize("times", [1, 2000])
def test_a_score_of_half_of_all_objects_is_named_to_be_counted(tmp_path, capsys, times):
    score, positives, negatives = [0.1, 0.2, 0.3, 0.4], [1, 2, 6, 3], [60, 25, 100, 15]
    rows = pd.DataFrame({"score": score, "positives": positives, "negatives": negatives})
    path = tmp_path / "counts.csv"
    rows.mul([1, times, times], axis=1).to_csv(path, index=False)
    assert main(["analyse", str(path), "--counts", "--quiet"])
    assert "row 3" in (said := capsys.readouterr().err)
    assert "--scores score if the score of its objects is 0.3" in said
    assert answers(capsys, path, "--counts", "--scores", "score")["decision"]
    assert len(read_models([path], Columns(scores=("score",)), counted=True).y) == 212 * times


def test_classes_and_words_of_that_name_are_no_totals(tmp_path):
    rows = table().replace({"y": {0: "partial", 1: "total"}})
    rows["word"] = ["sum", "all", *"ab" * 199]
    path = tmp_path / "s.csv"
    rows.to_csv(path, index=False)
    assert len(read_models([path]).y) == 400


def test_counts_keep_folds(tmp_path):
    rows = table().assign(fold=np.arange(400) % 4)
    path = tmp_path / "counts.parquet"
    counts_of(rows, "fold").to_parquet(path)
    found = read_models([path], counted=True)
    known = rows.groupby(["y", "fold"]).size()
    assert pd.Series(found.y).groupby([found.y, found.fold]).size().tolist() == known.tolist()


@pytest.mark.parametrize(
    ("columns", "said"),
    [
        ({"score": [1.0], "positives": [1]}, "no column 'negatives'"),
        ({"score": [1.0], "positives": [1.5], "negatives": [1]}, "row 1.*1.5 is no whole"),
        ({"score": [1.0], "positives": [-1], "negatives": [1]}, "not negative"),
        ({"score": [np.nan], "positives": [1], "negatives": [1]}, "row 1, column 'score'"),
        ({"score": [1.0], "positives": [10**9], "negatives": [1]}, "ScoreCounts"),
    ],
)
def test_wrong_counts_are_one_line(tmp_path, columns, said):
    path = tmp_path / "counts.csv"
    pd.DataFrame(columns).to_csv(path, index=False)
    with pytest.raises(ScoresError, match=said):
        read_models([path], counted=True)


def test_parts_with_other_columns_are_refused(tmp_path):
    table().to_parquet(tmp_path / "part-0.parquet")
    table().rename(columns={"score": "p"}).to_parquet(tmp_path / "part-1.parquet")
    with pytest.raises(ScoresError, match=r"part-1.parquet: has other columns"):
        read_models([tmp_path])
