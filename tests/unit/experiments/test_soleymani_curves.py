"""The analytic artefacts of both F-measure papers, run as configured."""

import inspect
from functools import cache
from importlib import import_module

import numpy as np

from checkout import configured
from measuring import entries
from opchar.datasets.features import FeatureTable
from opchar.datasets.surrounding import surrounded
from opchar.models.training import train
from opchar.seeds import generator, spawner
from opchar.spaces.roc import auc
from opchar_reproduction.publications.soleymani2018.synthetic.measure import (
    rounds_of,
    subset,
    three_classifiers,
)

PAPERS = ("soleymani2018", "soleymani2020")


def entries_of_all(kind):
    return {address: entry for paper in PAPERS for address, entry in entries(kind, paper).items()}


EXPERIMENTS = {
    address: entry
    for address, entry in entries_of_all("experiments").items()
    if entry["kind"] == "metric" and not {"scores", "features", "data"} & set(entry)
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


def test_figure_6_shows_one_crossing_in_one_space_only():
    crossing = run("soleymani2020/differing-pairs").curves["crossing"]
    places = crossing.groupby(["panel", "space"]).size().to_dict()
    assert places == {("a", "f"): 1, ("a", "cost"): 1, ("b", "cost"): 1}
    at = crossing[(crossing["panel"] == "a") & (crossing["space"] == "cost")].iloc[0]
    assert at["y"] >= min(at["x"], 1 - at["x"])


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
