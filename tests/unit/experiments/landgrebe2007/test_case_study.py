import numpy as np
import pytest

from checkout import configured
from measuring import entries, named, parts_that_cannot_fail
from opchar.datasets.features import FeatureTable
from opchar.datasets.generators import prior_case_study
from opchar.models.training import train
from opchar.seeds import generator, spawner
from opchar_reproduction.publications.landgrebe2007.chapter2.case_study.measure import case_study
from opchar_reproduction.statements.measurements import Measurements

MODELS = ["mogc2,1", "svc p2"]
VOCABULARY = configured("models")
DRAWN = {"function": "opchar.models.splits.protocols:drawn"}
DRAWS, OBJECTS = 4, 300


def table(name, draws, parts):
    """Draw the case study as `config/datasets.yaml` does, in small."""
    drawn = [
        (
            draw,
            part,
            *prior_case_study(n, generator(1, name, part, draw), blur=blur, **BANANA[name]),
        )
        for draw in range(draws)
        for part, (n, blur) in parts.items()
    ]
    X, y = (np.concatenate([each[place] for each in drawn]) for place in (2, 3))
    groups = {
        "draw": np.concatenate([np.full(len(each[3]), each[0]) for each in drawn]),
        "part": np.concatenate([np.full(len(each[3]), each[1], object) for each in drawn]),
    }
    return FeatureTable(X, y, ("w1", "w2"), ("x1", "x2"), {"data": name}, groups)


BANANA = {name: {"banana_class": name.upper()[-1]} for name in ("case-b", "case-a", "plane-b")}
PARTS = {"train": (OBJECTS, 0.0), "test": (OBJECTS, 0.0)}


@pytest.fixture(scope="module")
def results():
    sets = {name: table(name, DRAWS, PARTS) for name in ("case-b", "case-a")}
    sets["plane-b"] = table("plane-b", 1, PARTS | {"plane": (2000, 3.0)})
    scores = {
        (name, model): train(features, model, VOCABULARY, DRAWN, spawner(1, name))
        for name, features in sets.items()
        for model in MODELS
    }
    return case_study(
        scores=scores,
        features={"plane-b": sets["plane-b"]},
        letters=dict(zip(MODELS, "AB", strict=True)),
        suffixes={"case-b": "", "case-a": ", the other banana class"},
        shown="plane-b",
        prior_range=[0.05, 0.9],
        weights=[[2.0, 1.0]],
        nodes=15,
    )


@pytest.fixture(scope="module")
def cells(results):
    return results.frame().set_index(["artefact", "row", "column"])


def test_acc_sens_is_made_of_the_table(cells):
    value = cells["value"]
    for model in "AB":
        both = np.sqrt(
            ((1 - value["table-2.1", model, "AUC"]) ** 2 + value["table-2.1", model, "Sens"] ** 2)
            / 2
        )
        unit = value["text-2.2.5", f"classifier {model}", "AccSens (unit weights)"]
        assert unit == pytest.approx(both, abs=0.01)
        assert unit == pytest.approx(value["table-2.1", model, "AccSens"])
        assert value["text-2.2.5", f"classifier {model}", "AccSens (w_e=2, w_s=1)"] > unit


def test_the_other_banana_class_lies_across_the_first_class(cells):
    error = cells["value"]["table-2.1"].unstack()["error rate eps"]
    for model in "AB":
        assert error[f"{model}, the other banana class"] > 3 * error[model]


def test_frames_hold_what_the_numbers_are_means_of(results, cells):
    frame = results.curves["measured"]
    assert sorted(frame["model"].unique()) == ["A", "B"]
    assert frame["draw"].nunique() == DRAWS
    for (model, measure), part in frame.groupby(["model", "measure"]):
        assert part["value"].mean() == pytest.approx(cells["value"]["table-2.1", model, measure])
    places = results.curves["places"]
    assert len(places) == 2 * DRAWS * 3
    equal = places[places["mark"] == "e"]
    for model, error in equal.groupby("model")["fpr"].mean().items():
        least = cells["value"]["table-2.1", model, "error rate eps"]
        assert 0.5 * error < least < error


@pytest.mark.parametrize(
    ("number", "parts"),
    [
        ("0011", ["A is far more sensitive", "the difference is significant", "B errs no more"]),
        ("0012", ["AccSens of B is lower", "the difference is significant"]),
    ],
)
def test_each_part_of_a_claim_on_both_classifiers_fails_on_a_control(results, number, parts):
    entry = entries("statements", "landgrebe2007")[f"landgrebe2007:{number}"]
    frame = results.curves["measured"].copy()
    frame.loc[(frame["model"] == "A") & frame["measure"].isin(["Sens", "AccSens"]), "value"] += 0.4
    frame.loc[(frame["model"] == "B") & (frame["measure"] == "error rate eps"), "value"] /= 2
    frame.loc[(frame["model"] == "B") & (frame["measure"] == "AUC"), "value"] = 0.99
    measured = Measurements(results.frame(), {"measured": frame})
    found = named(entry["function"])(measured)
    assert found.holds
    assert [name[: len(part)] for name, part in zip(found.leaves, parts, strict=True)] == parts
    assert not parts_that_cannot_fail(entry, measured)


def test_curves_are_those_of_the_set_with_a_plane(results):
    marks = results.curves["marks"].set_index(["model", "mark"])
    for model, curve in results.curves["roc"].groupby("model"):
        assert (np.diff(curve["fpr"]) >= 0).all()
        for mark in ("lo", "hi"):
            spot = marks.loc[(model, mark)]
            on = np.isclose(curve["fpr"], spot["fpr"]) & np.isclose(curve["fnr"], spot["fnr"])
            assert on.any()
        low, high = marks.loc[(model, "lo")], marks.loc[(model, "hi")]
        assert low["fpr"] <= high["fpr"]
        assert low["fnr"] >= high["fnr"]
        equal = marks.loc[(model, "e")]
        assert equal["fpr"] == equal["fnr"]
    assert len(results.curves["decisions"]) == 2 * 15**2
    assert results.curves["objects"]["class"].value_counts().tolist() == [150, 150]


def test_interpolated_decisions_are_those_of_the_objects(results):
    """Objects of w1 lie where the log odds exceed the threshold, those of w2 where they do not."""
    decisions = results.curves["decisions"]
    for _, grid in decisions.groupby("model"):
        known = grid.dropna()
        assert len(known) > 0.9 * len(grid)
        objects = results.curves["objects"]
        nearest = [
            known["excess"].iloc[((known["x1"] - x) ** 2 + (known["x2"] - y) ** 2).argmin()]
            for x, y in zip(objects["x1"], objects["x2"], strict=True)
        ]
        agree = (np.array(nearest) > 0) == (objects["class"] == 1)
        assert agree.mean() > 0.9


def test_exchanged_coordinates_move_the_first_class_only():
    plain, other = (
        prior_case_study([500, 500], np.random.default_rng(3), exchanged=each)[0]
        for each in (False, True)
    )
    assert np.array_equal(plain[500:], other[500:])
    assert plain[:500].mean(axis=0) == pytest.approx([2.85, 2.09], abs=0.3)
    assert other[:500].mean(axis=0) == pytest.approx([2.09, 2.85], abs=0.3)
