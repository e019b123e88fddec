import numpy as np
import pytest

from checkout import ROOT
from opchar.experiments.landgrebe2007.case_study import case_study
from opchar.report.published import read_lines
from opchar.seeds import spawner

LABELS = ["table-2.1", "text-2.2.4", "text-2.2.5", "figure-2.3"]


def run(**changed):
    parameters = {
        "objects": 300,
        "draws": 4,
        "banana_class": "B",
        "components": [2, 1],
        "degree": 2,
        "prior_range": [0.05, 0.9],
        "alpha": 0.05,
        "close": 0.05,
        "far": 2.0,
        "weights": [[2.0, 1.0]],
        "nodes": 15,
    }
    return case_study(spawn=spawner(1, "test"), **(parameters | changed))


@pytest.fixture(scope="module")
def results():
    return run()


@pytest.fixture(scope="module")
def cells(results):
    return results.frame().set_index(["artefact", "row", "column"])


def test_every_published_line_has_its_result(cells):
    lines = read_lines(ROOT / "data/published", ["landgrebe2007"])
    for line in lines[lines["artefact"].isin(LABELS)].to_dict("records"):
        found = cells.loc[(line["artefact"], line["row"], line["column"])]
        assert found["kind"] == line["kind"]
        assert found["data"] == "drawn from the densities of Sec. 2.2.4"
        if line["kind"] == "number":
            assert found["n"] == 4
            assert found["std"] > 0


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


def test_statements_depend_on_what_is_called_close_and_far(cells):
    def claims(found):
        lines = found.frame().query("kind == 'claim'")
        return dict(zip(lines["row"], lines["value"], strict=True))

    near = claims(run(close=1.0, far=0.0, alpha=1.0))
    assert near["A vs B, equal priors"] == near["A vs B, sensitivity"] == near["ROC panel"] == 1
    strict = claims(run(close=0.0, far=9.0))
    assert strict["A vs B, equal priors"] == strict["A vs B, sensitivity"] == 0
    assert strict["ROC panel"] == 0


def test_curves_are_those_of_the_first_draw(results):
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
