"""Sec. 3.3.5: errors and volumes on real data, and what Table 3.6 cannot mean."""

import os
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from checkout import ROOT
from opchar.config import load
from opchar.datasets.features import read_features
from opchar.experiments.landgrebe2007.volume_measures import (
    BOUND,
    fold_volume,
    measure_fold,
    pair_areas,
    ratio_gap,
)
from opchar.experiments.landgrebe2007.volumes import real_data
from opchar.experiments.landgrebe2007.vus_convergence import gaussian_sample, known_volumes
from opchar.jobs import main
from opchar.models.training import train
from opchar.scores import ScoreTable
from opchar.seeds import spawner

MIRROR = os.environ.get("OPCHAR_MIRROR")
needs_mirror = pytest.mark.skipif(not MIRROR, reason="OPCHAR_MIRROR is not set")
TITLES = ["Banana", "Sat", "Sign", "Vehicle", "Digits"]
MODELS = {
    "Banana": ["a", "b", "c"],
    "Sat": ["ldc", "qdc", "c"],
    "Sign": ["a", "b", "c"],
    "Vehicle": ["fisher nmc", "ldc", "sc-svc p3"],
    "Digits": ["sc-svc p3", "b", "c"],
}


def table(classes: int, signal: float, seed: int, folds: int = 4) -> ScoreTable:
    rng = np.random.default_rng(seed)
    n = 60 * folds
    y = np.arange(n) % classes
    scores = rng.random((n, classes)) + 1e-3
    scores[np.arange(n), y] += signal * rng.random(n)
    names = tuple("abcd"[:classes])
    return ScoreTable(np.arange(n) // 60, np.arange(n), y, scores, names, {"data": "d"})


def reversed_ranks(scores: ScoreTable) -> ScoreTable:
    """Return the same decisions with the other classes, and their doubts, the wrong way round."""
    decided = np.eye(len(scores.classes))[scores.scores.argmax(axis=1)]
    upside_down = 0.9 * (scores.scores.max() + 0.01 - scores.scores) / scores.scores.max()
    return replace(scores, scores=np.where(decided > 0, 1.0, upside_down))


def signals(data: str) -> list[float]:
    return {"Sat": [0.5, 0.6, 3.0], "Vehicle": [1.0, 1.0, 2.0]}.get(data, [0.2, 1.0, 30.0])


@cache
def unchanged() -> pd.DataFrame:
    return run()


def run(alpha: float = 0.005, **changed) -> pd.DataFrame:
    scores, problems = {}, []
    for number, data in enumerate(TITLES):
        classes = 3 if number < 3 else 4
        for place, (model, signal) in enumerate(
            zip(MODELS[data], changed.get(data, signals(data)), strict=True)
        ):
            seed = number if data == "Vehicle" and place < 2 else 10 * number + place
            given = isinstance(signal, ScoreTable)
            scores[data, model] = signal if given else table(classes, signal, seed)
        artefact = "table-3.5" if number < 3 else "table-3.6"
        problems.append({"artefact": artefact, "data": data, "title": data, "models": MODELS[data]})
    problems[0]["stand_in"] = "Banana"
    results = real_data(
        scores=scores,
        problems=problems,
        grids={3: [1e-3, 1e3, 15], 4: [1e-3, 1e3, 9]},
        alpha=alpha,
        misplaced={"Digits / sc-svc p3": "Vehicle / sc-svc p3"},
        same={"Vehicle / fisher nmc": "Vehicle / ldc"},
        ranges={"data": "Sat", "folds": 1, "grids": [[1e-3, 1e3, 9], [1e-6, 1e6, 9]]},
        tracks=-0.7,
        close=0.9,
        poor=0.5,
    )
    return results.frame().set_index(["artefact", "row", "column"])


def test_cells_are_means_over_the_folds():
    lines = unchanged()
    parts = [part for _, part in table(3, 0.5, 10).folds()]
    measured = [measure_fold(part, [1e-3, 1e3, 15]) for part in parts]
    for name in ("Error", "VUS", BOUND):
        cell = lines.loc[("table-3.5", "Sat / ldc", name)]
        assert cell["value"] == pytest.approx(np.mean([one[name] for one in measured]))
        assert cell["std"] == pytest.approx(np.std([one[name] for one in measured], ddof=1))
        assert cell["n"] == 4
    assert lines.loc[("table-3.5", "Banana / a", "VUS"), "data"].startswith("stand-in for Banana")
    assert ("table-3.5-weights", "1e-06 to 1e+06, r = 9", "ldc") in lines.index
    assert ("table-3.5-anova", "Digits, VUS", "F-value") in lines.index


def test_statements_follow_errors_and_volumes():
    lines = unchanged()["value"]
    assert lines["table-3.5", "Banana", ""] == 1
    assert lines["table-3.5", "Sat ldc vs qdc", ""] == 0
    assert lines["table-3.6", "Vehicle fisher nmc vs ldc", ""] == 0
    assert lines["table-3.6", "Digits", ""] == 1
    lines = run(Banana=[3.0, 1.0, 0.2], Vehicle=[0.2, 3.0, 2.0], Digits=[1.0, 1.05, 1.1])["value"]
    assert lines["table-3.5", "Banana", ""] == 0
    assert lines["table-3.6", "Vehicle fisher nmc vs ldc", ""] == 0
    assert lines["table-3.6", "Digits", ""] == 0
    three, four = table(3, 1.5, 1), table(4, 1.5, 2)
    lines = run(
        alpha=0.35,
        Sat=[reversed_ranks(three), three, 3.0],
        Vehicle=[reversed_ranks(four), four, 2.0],
    )["value"]
    assert lines["table-3.5", "Sat / ldc", "Error"] == lines["table-3.5", "Sat / qdc", "Error"]
    assert lines["table-3.5", "Sat ldc vs qdc", ""] == 1
    assert lines["table-3.6", "Vehicle fisher nmc vs ldc", ""] == 1
    assert lines["text-3.3.6", "overall", ""] == 1


def test_the_conclusion_leaves_stand_ins_out():
    told = unchanged().loc[("text-3.3.6", "overall", "")]
    assert "Banana" not in told["note"] and "stand-in" not in told["data"]
    assert "Sat" in told["note"]


def test_notes_say_what_is_known_of_printed_rows():
    notes = unchanged()["note"]
    assert "as Vehicle / sc-svc p3 it would be" in notes["table-3.6", "Digits / sc-svc p3", "Error"]
    assert "same operating points" in notes["table-3.6", "Vehicle / fisher nmc", "VUS"]
    assert "no volume exceeds the AUC of" in notes["table-3.6", "Vehicle / ldc", "VUS"]


@pytest.mark.parametrize("seed", range(6))
def test_no_volume_exceeds_the_area_of_any_two_classes(seed):
    drawn = table(3, 0.3 * seed, seed, folds=1)
    volume = fold_volume(drawn, [1e-4, 1e4, 60])
    least = min(area for area, _, _ in pair_areas(drawn))
    assert volume <= least + 0.02
    assert volume > 0.02


def test_pair_areas_know_a_perfect_pair_and_pairs_without_scores():
    y = np.array([0, 0, 1, 1, 2, 2])
    scores = np.array([[3, 1, 0], [2, 1, 0], [1, 2, 0], [0, 3, 0], [0, 0, 1], [1, 0, 0.0]])
    drawn = ScoreTable(np.zeros(6, int), np.arange(6), y, scores, ("a", "b", "c"))
    areas = {(first, second): area for area, first, second in pair_areas(drawn)}
    assert areas["a", "b"] == 1.0
    assert areas["a", "c"] == pytest.approx(0.75)


def test_ratio_gap_is_zero_for_powers_and_shifts_and_not_for_other_scores():
    one = table(3, 1.0, 1)
    moved = ScoreTable(
        one.fold, one.index, one.y, one.scores**1.5 * np.array([1, 2, 3]), one.classes
    )
    assert ratio_gap(one, moved) < 1e-9
    assert ratio_gap(one, table(3, 1.0, 2)) > 0.1


def test_exact_volumes_lie_in_their_intervals_and_estimates_approach_them():
    rows = ["-0.5; 0.0; 0.5", "-1.5; 0.0; 1.5", "-1.50; -0.50; 0.50; 1.5"]
    lines = known_volumes(
        spawn=spawner(1, "test"),
        rows=rows,
        resolutions={3: [8, 16, 32], 4: [6, 12]},
        weights=[1e-3, 1e3],
        shown=rows,
        objects=150,
        grids={3: [1e-2, 1e2, 30], 4: [1e-2, 1e2, 14]},
        resamples={3: 40, 4: 20},
        level=0.99,
    )
    values = lines.frame().set_index(["artefact", "row", "column"])["value"].sort_index()
    assert values["vus-intervals", "rows with the exact volume inside", "VUS exact"] == 3
    for row in rows:
        inside = values["vus-intervals", row]
        assert inside["99% interval from"] < inside["VUS exact"] < inside["to"]
    missed = lines.curves["convergence"].groupby("series")["missed"]
    assert all((np.diff(part) < 0).all() and part.iloc[-1] < 0.2 for _, part in missed)


def test_samples_are_scored_by_their_posteriors():
    drawn = gaussian_sample(np.array([0.0, 2.0]), 2000, [1e-2, 1e2, 5], np.random.default_rng(1))
    assert drawn.scores.sum(axis=1) == pytest.approx(1)
    assert np.mean(drawn.scores.argmax(axis=1) == drawn.y) == pytest.approx(0.8413, abs=0.02)


@pytest.fixture(scope="module")
def trained(tmp_path_factory):
    """Train models of Table 3.6 on the real data; returns a function of data set and model."""
    config = load(ROOT)
    folder = tmp_path_factory.mktemp("real")
    seed = config.settings["seed"]
    before = Path.cwd()
    os.chdir(ROOT)
    try:
        for data, raw in (("statlog-vehicle", "statlog-vehicle"), ("mfeat-fou-369", "mfeat-fou")):
            at = str(folder / raw / "PROVENANCE.json")
            fetched = ["fetch", "--data", raw, "--policy", "real", "--mirrors", str(MIRROR)]
            assert main([*fetched, "--output", at]) == 0
            made = ["features", "--data", data, "--seed", str(seed), "--raw", at]
            assert main([*made, "--output", str(folder / f"{data}.parquet")]) == 0
    finally:
        os.chdir(before)
    protocol = config.protocol("holdout-10", "quick")
    return lambda data, model: train(
        read_features(folder / f"{data}.parquet"),
        model,
        config.models,
        protocol,
        spawner(seed, data, "holdout-10"),
        {},
    )


def errors(scores: ScoreTable) -> np.ndarray:
    return np.array([np.mean(part.scores.argmax(axis=1) != part.y) for _, part in scores.folds()])


@needs_mirror
@pytest.mark.parametrize(
    ("model", "printed", "volume"), [("sc svc p3", 0.187, 0.727), ("nlfisher qdc", 0.208, 0.724)]
)
def test_erratum_the_label_digits_stands_two_rows_too_high(trained, model, printed, volume):
    """Table 3.6: the two rows are reproduced with Vehicle and far off with Digits."""
    for data, agrees in (("statlog-vehicle", True), ("mfeat-fou-369", False)):
        scores = trained(data, model)
        found = errors(scores)
        standard_error = found.std(ddof=1) / np.sqrt(10)
        assert (abs(found.mean() - printed) < 2 * standard_error) == agrees
        volumes = [fold_volume(part, [1e-6, 1e6, 16]) for _, part in scores.folds()][:4]
        assert (abs(np.mean(volumes) - volume) < 0.1) == agrees


@needs_mirror
@pytest.mark.parametrize(
    ("model", "error", "volume"),
    [
        ("pca10 mogc1,1,1,3", 0.119, 0.985),
        ("pca15 mogc1,1,1,3", 0.114, 0.955),
        ("pca5 mogc1,1,1,3", 0.133, 0.956),
        ("pca10 qdc", 0.127, 0.978),
        ("nlfisher mogc1,1,1,3", 0.158, 0.857),
        ("pca10 ldc", None, 0.704),
    ],
)
def test_erratum_volumes_of_digits_exceed_the_area_of_six_and_nine(trained, model, error, volume):
    """Table 3.6: the errors are reproduced, and with them 6 and 9 can hardly be told apart."""
    scores = trained("mfeat-fou-369", model)
    area, first, second = min(pair_areas(scores))
    assert (first, second) == ("6", "9")
    assert area < 0.65 < volume
    if error is not None:
        found = errors(scores)
        assert abs(found.mean() - error) < 2.5 * found.std(ddof=1) / np.sqrt(10)
