"""The analytic artefacts of both F-measure papers, run as configured."""

import inspect
from functools import cache
from importlib import import_module
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from checkout import configured
from leads import values_of
from measuring import entries
from opchar.datasets.features import FeatureTable
from opchar.datasets.surrounding import surrounded
from opchar.figures import style
from opchar.models.training import train
from opchar.seeds import generator, spawner
from opchar.spaces.roc import auc
from opchar_reproduction.publications.soleymani2018.synthetic.measure import (
    rounds_of,
    subset,
    three_classifiers,
)

ROOT = Path(__file__).parents[3]
PAPERS = ("soleymani2018", "soleymani2020")
# Labels of other parts of the journal paper: faces, combination and its appendix.
ELSEWHERE = r"figure-(5[ef]|8|9|10|11|A\.1[23]c?)|eq-A\.\d+|text-A\.1|text-3\.4\.2|algorithm-1"


def entries_of_all(kind):
    return {address: entry for paper in PAPERS for address, entry in entries(kind, paper).items()}


EXPERIMENTS = {
    address: entry
    for address, entry in entries_of_all("experiments").items()
    if entry["kind"] == "metric" and not {"scores", "features", "data"} & set(entry)
}
ARTEFACTS = {
    address: entry
    for address, entry in entries_of_all("artefacts").items()
    if entry["experiment"] in EXPERIMENTS
}


def function(address):
    module, name = address.split(":")
    return getattr(import_module(module), name)


@cache
def run(address):
    entry = EXPERIMENTS[address]
    experiment = function(entry["function"])
    given = entry["parameters"] | entry.get("profiles", {}).get("tiny", {})
    if "spawn" in inspect.signature(experiment).parameters:
        given["spawn"] = spawner(1, address)
    return experiment(**given)


def lines(paper):
    frames = [
        run(address).frame().assign(experiment=address)
        for address in EXPERIMENTS
        if address.startswith(paper)
    ]
    return pd.concat(frames).set_index(["artefact", "row", "column"])


@pytest.mark.parametrize("paper", PAPERS)
def test_every_published_number_has_a_result(paper):
    published = pd.read_csv(values_of(paper), dtype=str, keep_default_na=False)
    published = published[~published["artefact"].str.fullmatch(ELSEWHERE)]
    ours = lines(paper)
    for line in published.query("kind != 'claim'").to_dict("records"):
        key = (line["artefact"], line["row"], line["column"])
        assert key in ours.index, key
        assert ours.loc[key, "kind"] == line["kind"], key
    assert not (ours["kind"] == "claim").any()


@pytest.mark.parametrize(
    ("address", "key", "value"),
    [
        ("soleymani2020/two-soft-classifiers", ("figure-4a", "FPR of crossing"), 0.28),
        ("soleymani2020/two-soft-classifiers", ("figure-4c", "equal from PC(+)"), 0.19 / 0.34),
        ("soleymani2020/two-soft-classifiers", ("figure-4c", "PC(+) of crossing"), 0.22 / 0.32),
        ("soleymani2020/two-soft-classifiers", ("figure-4d", "equal up to P(+)"), 0.1656 / 0.2656),
        ("soleymani2020/crisp-pairs", ("figure-3b", "P(+)"), 0.0235 / 0.0735),
        ("soleymani2018/crisp-curves", ("text-3", "P(+)"), 0.15 / 0.35),
    ],
)
def test_read_offs_are_the_exact_fractions(address, key, value):
    frame = run(address).frame()
    chosen = frame[(frame["artefact"] == key[0]) & (frame["column"] == key[1])]
    assert chosen["value"].item() == pytest.approx(value, abs=1e-12)


def test_figure_6_shows_one_crossing_in_one_space_only():
    crossing = run("soleymani2020/differing-pairs").curves["crossing"]
    places = crossing.groupby(["panel", "space"]).size().to_dict()
    assert places == {("a", "f"): 1, ("a", "cost"): 1, ("b", "cost"): 1}
    at = crossing[(crossing["panel"] == "a") & (crossing["space"] == "cost")].iloc[0]
    assert at["y"] >= min(at["x"], 1 - at["x"])


@pytest.mark.parametrize(
    "address", [address for address, entry in ARTEFACTS.items() if entry["kind"] == "figure"]
)
def test_figures_draw_with_labels_and_legends(address, tmp_path):
    entry = ARTEFACTS[address]
    results = run(entry["experiment"])
    with style.figure_style():
        figure = function(entry["renderer"])(
            results.frame(), results.curves, **entry.get("parameters", {})
        )
        assert all(panel.get_xlabel() and panel.get_ylabel() for panel in figure.axes)
        named = any(panel.get_legend() or panel.texts for panel in figure.axes)
        assert named or figure.legends
        style.save(figure, {"png": tmp_path / "figure.png"})
    assert (tmp_path / "figure.png").stat().st_size > 10_000


def test_envelopes_drawn_bound_the_single_curves():
    curves = run("soleymani2020/soft-classifier").curves
    envelope = curves["f-envelope"]
    highest = curves["f-curves"].groupby("prior")["f"].max().to_numpy()
    np.testing.assert_allclose(envelope["f"], highest, atol=1e-14)


MODELS = ("bayes", "sklearn.neighbors:KNeighborsClassifier", "sklearn.svm:SVC")


@cache
def scores(objects=100, draws=2):
    """Score tables of a few small draws of the synthetic set, by data set and model."""
    vocabulary = configured("models")
    parts = [
        surrounded(2 * objects, generator(1, draw, part), low=-0.5, high=1.5)
        for draw in range(draws)
        for part in ("train", "test")
    ]
    X, y = (np.concatenate(each) for each in zip(*parts, strict=True))
    groups = {
        "draw": np.repeat(np.arange(draws), 4 * objects),
        "part": np.tile(np.repeat(np.array(["train", "test"], object), 2 * objects), draws),
    }
    features = FeatureTable(X, y, ("negative", "positive"), ("x1", "x2"), {"data": "drawn"}, groups)
    return {
        (data, model): train(
            features,
            model,
            vocabulary,
            {"function": "opchar.models.splits.protocols:drawn", "parameters": {"own": own}},
            spawner(1, data),
        )
        for data, own in (("primary", True), ("other", False))
        for model in MODELS
    }


def test_rounds_are_draws_with_the_scores_of_three_classifiers():
    tested, trained = (rounds_of(scores(), "primary", part) for part in ("test", "train"))
    assert len(tested) == len(trained) == 2
    for part in (*tested, *trained):
        assert part.is_positive.sum() == 100
        assert [len(score) for score in part.scores] == [200, 200, 200]
        assert all(((score >= 0) & (score <= 1)).all() for score in part.scores)
    votes = np.unique(tested[0].scores[1] * 5)
    np.testing.assert_allclose(votes, np.round(votes))
    rates = tested[0].crisp()
    for (tpr, fpr), score in zip(rates, tested[0].scores, strict=True):
        assert tpr == (score >= 0.5)[tested[0].is_positive].mean()
        assert fpr == (score >= 0.5)[~tested[0].is_positive].mean()


def test_the_synthetic_experiment_measures_every_set_and_variant():
    results = three_classifiers(
        scores=scores(),
        shown="primary",
        other_sets={"other": "another variant"},
        own=1,
        weights={"alphas": [0.1, 0.5, 0.9], "ms": [0.1, 0.5, 0.9], "alpha": 0.5, "m": 0.5},
        subsets={"size": 50, "shares": [0.2], "priors": [0.1, 0.5], "draws": 3},
        compared={"grid": 21, "low": 0.1, "high": 0.9, "small": 0.02},
        spawn=spawner(1, "synthetic"),
    )
    curves = results.curves
    rates = curves["crisp-rates"]
    assert rates.groupby("set").size().tolist() == [3, 3]
    assert len(curves["areas"]) == 2 * 2 * 3 and len(curves["envelopes"]) == 2 * 17
    rounds = rounds_of(scores(), "primary", "test")
    assert rates[rates["set"] == 1]["tpr"].tolist() == rounds[1].crisp()[:, 0].tolist()
    rows = results.frame().set_index(["row", "column"])["n"]
    assert rows["another variant", "C_1 and C_3 apart, EC"] == 2
    assert rows["tested on the objects that trained", "C_1 and C_3 apart, EC"] == 1


def test_a_test_subset_has_the_class_sizes_asked_for():
    is_positive = np.repeat([True, False], [40, 60])
    chosen = subset(is_positive, 10, 30, generator(1, "subset"))
    assert is_positive[chosen].sum() == 10
    assert len(set(chosen.tolist())) == 40


def test_nearest_neighbours_lead_only_where_they_were_trained():
    halves = [rounds_of(scores(1000, 1), "primary", part)[0] for part in ("test", "train")]
    tested, trained = ([auc(points) for points in half.points()] for half in halves)
    assert tested[1] < min(tested[0], tested[2])
    assert trained[1] > max(trained[0], trained[2])
