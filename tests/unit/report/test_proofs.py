"""The page of proofs shows every step as MathML, and the matrices that a violation was found on."""

import pandas as pd
import pytest

from opchar_reproduction.publications.mullick2020.proofs.measure import proofs
from opchar_reproduction.report.pages.proofs import theorem_entries


@pytest.fixture(scope="module")
def frames():
    curves = proofs(classes=[2]).curves
    made = {name: frame.assign(paper="mullick2020") for name, frame in curves.items()}
    search = pd.DataFrame(
        {
            "index": ["Precision, two classes", "AUROC-OVA", "AUROC-OVA", "ACSA"],
            "classes": [2, 2, 3, 3],
            "gap": [0.1, 0.0, 0.2, 0.0],
            "first": ["1 0; 1 1", "", "1 1 0; 0 1 0; 0 0 1", ""],
            "second": ["2 0; 1 1", "", "2 2 0; 0 1 0; 0 0 1", ""],
        }
    )
    return made | {"invariance": search}


@pytest.fixture(scope="module")
def items(frames):
    line = {"verdict": "holds", "row": "Precision", "published": "does not satisfy Condition 1"}
    return {
        item["label"]: item
        for item in theorem_entries(frames, {("mullick2020", "theorem-1.3"): [line]})
    }


def test_theorems_stand_in_the_order_of_the_ledger(frames):
    ledger = {("mullick2020", label): [] for label in ("theorem-2.1", "theorem-1.1")}
    labels = [item["label"] for item in theorem_entries(frames, ledger)]
    assert labels[:3] == ["theorem-2.1", "theorem-1.1", "eq-26"]


def test_a_rest_says_where_it_vanishes(items):
    (part,) = items["theorem-1.3"]["parts"]
    (step,) = part["steps"]
    assert not step["equal"]
    assert step["zeros"].count("= 0") == 3 and step["zeros"].count("<math") == 3
    assert items["theorem-1.3"]["claims"][0]["verdict"] == "holds"
    assert items["theorem-1.4"]["claims"] == []


def test_a_violated_condition_has_two_matrices(items):
    (part,) = items["theorem-1.3"]["parts"]
    first, second = part["example"]
    assert "<mtd><mn>2</mn></mtd>" in second and "<mtd><mn>2</mn></mtd>" not in first
    three = items["theorem-3.4"]["parts"][0]["example"]
    assert [shown.count("<mtr>") for shown in three] == [3, 3]
    assert all(part["example"] == [] for part in items["theorem-3.2"]["parts"])


def test_without_the_search_there_is_no_example(frames):
    alone = {name: frame for name, frame in frames.items() if name != "invariance"}
    found = {item["label"]: item for item in theorem_entries(alone, {})}
    assert found["theorem-1.3"]["parts"][0]["example"] == []


def test_every_index_with_a_definition_shows_it(items):
    for item in items.values():
        for part in item["parts"]:
            assert part["index"] == "nAUROC-OVO" or part["definition"].startswith("<math")
