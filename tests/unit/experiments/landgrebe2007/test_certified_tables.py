"""The distance of the printed tables' algorithms from the best weights."""

import numpy as np
import pytest

from measuring import entries
from opchar.datasets.features import FeatureTable
from opchar.multiclass.cost_weights.problem import mean_subjective_utilities
from opchar.scores import ScoreTable
from opchar.seeds import spawner
from opchar_reproduction.publications.landgrebe2007.chapter4.scenarios import (
    random_costs,
    scenarios,
)
from opchar_reproduction.publications.landgrebe2007.chapter4.section2.pairwise_tables.measure import (  # noqa: E501
    pairwise_tables,
)
from opchar_reproduction.publications.landgrebe2007.chapter4.section3.decomposed_tables.measure import (  # noqa: E501
    decomposed_tables,
)
from opchar_reproduction.publications.studies.certified_tables.gaps import ABOVE, FEW, PROVEN
from opchar_reproduction.publications.studies.certified_tables.measure import (
    decomposed_gaps,
    pairwise_gaps,
)
from opchar_reproduction.study import Shared

SPAWN = spawner(1, "a table")
EFFORT = {"matrices": 3, "nodes": 100_000, "matrices_of_many": 2, "nodes_of_many": 1}
GIVEN = entries("experiments", "landgrebe2007") | entries("experiments", "studies")
SETTING = {"data": "drawn", "row": "Drawn", "model": "none"}
CHANGED = {
    "certified-pairwise": {"sets": [SETTING | {"t_p": 0.9, "pairs": 3}], "matrices": 5, "cap": 9},
    "certified-real": {"sets": [SETTING | {"t_s": 0.2}], "matrices": 5, "r": 8},
}


def scored(classes=4, folds=2, apart=0.6):
    """Return scores of overlapping classes: several folds of a training and a test set."""
    rng = np.random.default_rng(3)
    objects = 30 * classes
    y = np.tile(np.arange(objects) % classes, 2 * folds)
    scores = rng.dirichlet(np.ones(classes), len(y)) + apart * np.eye(classes)[y]
    return ScoreTable(
        np.repeat(np.arange(folds), 2 * objects),
        np.tile(np.arange(2 * objects), folds),
        y,
        scores / scores.sum(axis=1, keepdims=True),
        tuple("abcdefghi"[:classes]),
        {"data": "drawn"},
        test_set=np.tile(np.repeat(np.array(["train", "test"], dtype=object), objects), folds),
    )


def measured(name, table, **changed):
    function = {"certified-pairwise": pairwise_gaps, "certified-real": decomposed_gaps}[name]
    parameters = GIVEN[f"studies/costs-{name}"]["parameters"] | CHANGED[name]
    given = parameters | {"certified": EFFORT} | changed
    return function(scores={("drawn", "none"): table}, spawn=SPAWN, **given)


def printed(function, name, table, changed):
    """Return what makes the printed table, with the same draws."""
    features = FeatureTable(np.zeros((4, 1)), np.arange(4), tuple("abcd"), ("x",), {"data": ""})
    return function(
        scores={("drawn", "none"): table},
        features={"drawn": features},
        spawn=SPAWN,
        shared=Shared(),
        **(GIVEN[f"landgrebe2007/costs-{name}"]["parameters"] | changed),
    ).curves


def by_algorithm(frame, column):
    return frame.set_index(["algorithm", "scenario"])[column].sort_index()


def test_losses_of_the_decomposed_tables_are_those_that_they_rest_on():
    table = scored()
    gaps = measured("certified-real", table).curves["gaps"]
    losses = printed(decomposed_tables, "decomposed-real", table, CHANGED["certified-real"])[
        "losses"
    ]
    first = by_algorithm(losses[losses["fold"] == 0], "loss")
    found = by_algorithm(gaps, "loss")
    assert len(found) == 5 * 3
    assert found.to_numpy() == pytest.approx(first.loc[found.index].to_numpy(), abs=1e-14)


def test_losses_of_the_pairwise_tables_are_those_that_they_rest_on():
    table = scored()
    gaps = measured("certified-pairwise", table).curves["gaps"]
    changed = CHANGED["certified-pairwise"]
    shown = printed(pairwise_tables, "pairwise", table, changed)["scenarios"]
    shown = shown[shown["fold"] == 0].assign(scenario=lambda t: t["scenario"].str[2:].astype(int))
    _, part = next(table.folds())
    costs = random_costs("uniform", 5, 4, SPAWN("costs", "drawn", 0))[:3]
    problem = scenarios(part, costs).judged
    utilities = by_algorithm(shown, "MSU")
    for name, found in gaps.groupby("algorithm"):
        expected = utilities.loc[name].to_numpy()[:3]
        assert mean_subjective_utilities(problem, found["loss"]) == pytest.approx(expected)
    assert gaps["algorithm"].nunique() == 5


@pytest.mark.parametrize("name", list(CHANGED))
def test_gaps_are_between_zero_and_those_of_the_bound(name):
    found = measured(name, scored())
    gaps = found.curves["gaps"]
    assert (gaps[ABOVE] >= 0).all() and (gaps[PROVEN] >= gaps[ABOVE] - 1e-12).all()
    assert gaps[ABOVE].max() > 1e-3
    assert "3 of 3 optimal" in set(found.frame()["note"])
    early = measured(name, scored(), certified=EFFORT | {"nodes": 1}).curves["gaps"]
    assert (early[PROVEN] >= gaps[PROVEN] - 1e-12).all()
    assert (early[PROVEN] > gaps[PROVEN] + 1e-3).any()


def test_rows_name_the_printed_tables_that_an_algorithm_stands_in():
    rows = set(measured("certified-pairwise", scored()).frame()["row"])
    assert {"Table 4.4 / Drawn / Naive", "Tables 4.4, 4.5 / Drawn / PairsG"} <= rows
    assert len(rows) == 6 and not any("Default" in row for row in rows)
    rows = set(measured("certified-real", scored()).frame()["row"])
    assert {"Table 4.9 / Drawn / Decomp", "Table 4.10 / Drawn / DecompG"} <= rows


def test_sets_of_many_classes_get_their_own_effort():
    found = measured("certified-pairwise", scored(9, 1, 0.2))
    assert set(found.curves["gaps"]["scenario"]) == {0, 1}
    assert "0 of 2 optimal" in set(found.frame()["note"])


@pytest.mark.parametrize("name", ["pairwise", "clusters", "real"])
def test_what_is_measured_is_what_the_printed_tables_rest_on(name):
    """The same draws, sets with their score tables, and primary choices."""
    own = GIVEN[f"studies/costs-certified-{name}"]
    source = GIVEN[own["same_draws_as"]]
    # What other variants of the source are made from is not needed.
    primary = {one["data"] for one in source["parameters"]["sets"]}
    assert own["scores"] == [one for one in source["scores"] if one["data"] in primary]
    assert source["parameters"]["tuned_on"] == "test"
    beside = {"artefact", "tables", "certified"}
    for key in own["parameters"].keys() - beside:
        assert own["parameters"][key] == source["parameters"][key], key
    listed = {algorithm for names in own["parameters"]["tables"].values() for algorithm in names}
    known = {"Naive", "Greedy", "Lachiche", "Pairs", "PairsG", "Simple", "Decomp", "DecompG"}
    assert listed <= known and FEW == 8
