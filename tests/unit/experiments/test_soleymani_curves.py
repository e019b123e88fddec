"""The analytic artefacts of both F-measure papers, run as configured."""

import inspect
from functools import cache
from importlib import import_module
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import yaml

from opchar.experiments.soleymani2018.synthetic import draw_round, subset
from opchar.figures import style
from opchar.seeds import generator, spawner
from opchar.spaces.roc import auc

ROOT = Path(__file__).parents[3]
PAPERS = ("soleymani2018", "soleymani2020")
# Labels of other parts of the journal paper: faces, combination and its appendix.
ELSEWHERE = r"figure-(8|9|10|11|A\.1[23]c?)|eq-A\.\d+|text-A\.1|text-3\.4\.2|algorithm-1"


def configured(kind):
    return {
        address: entry
        for paper in PAPERS
        for address, entry in yaml.safe_load(
            (ROOT / f"config/{kind}/{paper}.yaml").read_text()
        ).items()
    }


EXPERIMENTS = {
    address: entry
    for address, entry in configured("experiments").items()
    if entry["kind"] == "metric" and not {"scores", "features", "data"} & set(entry)
}
ARTEFACTS = {
    address: entry
    for address, entry in configured("artefacts").items()
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
def test_every_published_line_has_a_result_of_its_kind(paper):
    published = pd.read_csv(ROOT / f"data/published/{paper}.csv", dtype=str, keep_default_na=False)
    published = published[~published["artefact"].str.fullmatch(ELSEWHERE)]
    ours = lines(paper)
    for line in published.to_dict("records"):
        key = (line["artefact"], line["row"], line["column"])
        assert key in ours.index, key
        assert ours.loc[key, "kind"] == line["kind"], key


@pytest.mark.parametrize("paper", PAPERS)
def test_exactly_the_statements_known_to_be_wrong_fail(paper):
    wrong = {
        "soleymani2018": {
            "eq-8 | PC(+) in terms of m",
            "text-3 | end point",
            "text-3 | threshold direction",
            "eq-11 | single crossing",
            "figure-4 | PC(+)<0.6",
        },
        "soleymani2020": {
            "text-2.1 | EC vs Pr under imbalance",
            "eq-2 | Pr and lambda",
            "text-3.1 | end point",
            "text-3.1 | soft classifier",
            "text-3.1 | slope of the ROC towards (1,1)",
            "figure-3a | (0.98,0.5) vs (0.93,0.6), alpha=0.5",
            "eq-11 | single crossing",
            "text-3.2 | dominance conditions",
            "text-3.2 | equal TPR/FPR: highest TPR and lowest FPR wins",
            "text-3.2 | condition (i): P* = 0",
            "figure-4c | PC(+) < 0.6",
            "eq-12 | m and alpha",
            "eq-15 | cost crossing in P(+)",
            "figure-6 | crisp pairs, alpha=m=0.5",
            "text-3.3 | dF/dFPR",
            "text-3.3 | dF/dTPR",
            "text-3.4.1 | Neyman-Pearson bounds",
        },
    }[paper]
    ours = lines(paper)
    claims = ours[(ours["kind"] == "claim") & ours["data"].str.contains("analytic")]
    failed = claims[claims["value"] == 0].index
    assert {f"{artefact} | {row}" for artefact, row, _ in failed} == wrong


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
    with style.styled():
        figure = function(entry["renderer"])(
            results.frame(), results.curves, **entry.get("parameters", {})
        )
        assert all(panel.get_xlabel() and panel.get_ylabel() for panel in figure.axes)
        assert any(panel.get_legend() for panel in figure.axes)
        style.save(figure, {"png": tmp_path / "figure.png"})
    assert (tmp_path / "figure.png").stat().st_size > 10_000


def test_envelopes_drawn_bound_the_single_curves():
    curves = run("soleymani2020/soft-classifier").curves
    envelope = curves["f-envelope"]
    highest = curves["f-curves"].groupby("prior")["f"].max().to_numpy()
    np.testing.assert_allclose(envelope["f"], highest, atol=1e-14)


def test_rounds_of_the_synthetic_experiment_hold_out_half_of_each_class():
    cloud = {"mean": [0.5, 0.5], "std": 0.33, "delta": 0.15, "low": -0.5, "high": 1.5}
    tested, trained = draw_round(100, cloud, 5, {"C": 1.0, "gamma": "scale"}, generator(1, "round"))
    for part in (tested, trained):
        assert part.is_positive.sum() == 50
        assert [len(score) for score in part.scores] == [100, 100, 100]
        assert all(((score >= 0) & (score <= 1)).all() for score in part.scores)
    votes = np.unique(tested.scores[1] * 5)
    np.testing.assert_allclose(votes, np.round(votes))
    rates = tested.crisp()
    for (tpr, fpr), score in zip(rates, tested.scores, strict=True):
        assert tpr == (score >= 0.5)[tested.is_positive].mean()
        assert fpr == (score >= 0.5)[~tested.is_positive].mean()


def test_a_test_subset_has_the_class_sizes_asked_for():
    is_positive = np.repeat([True, False], [40, 60])
    chosen = subset(is_positive, 10, 30, generator(1, "subset"))
    assert is_positive[chosen].sum() == 10
    assert len(set(chosen.tolist())) == 40


def test_nearest_neighbours_lead_only_where_they_were_trained():
    cloud = {"mean": [0.5, 0.5], "std": 0.33, "delta": 0.15, "low": -0.5, "high": 1.5}
    halves = draw_round(1000, cloud, 5, {"C": 1.0, "gamma": "scale"}, generator(1, "lead"))
    tested, trained = ([auc(points) for points in half.points()] for half in halves)
    assert tested[1] < min(tested[0], tested[2])
    assert trained[1] > max(trained[0], trained[2])
