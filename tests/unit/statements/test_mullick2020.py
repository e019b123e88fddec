"""What the article says: statements on data hold where they are true, and fail on their control."""

import pandas as pd
import pytest

from measuring import control, entries, find, measure, parts_that_cannot_fail
from opchar_reproduction.publications.mullick2020.conditions import judge as conditions
from opchar_reproduction.publications.mullick2020.test_sets import judge as test_sets
from opchar_reproduction.results import Results
from opchar_reproduction.statements.measurements import Measurements

PAPER = "mullick2020"
STATEMENTS = entries("statements", PAPER)
ON_DATA = {name for name, entry in STATEMENTS.items() if entry["basis"] == "data"}
RATES = {"Precision": 0.3, "AURPC": 0.15, "GMean": 0.03, "AUROC": 0.02}
DEVIATIONS = RATES | {"mPrecision": 0.04, "mAURPC": 0.035, "ACSA": 0.06, "nAUROC-OVA": 0.05}
DEVIATIONS |= {"AURPC-OVA": 0.08, "mAURPC-OVA": 0.01}


@pytest.fixture(scope="module")
def measured(tmp_path_factory):
    return measure(PAPER, "mullick2020/conditions", tmp_path_factory.mktemp("run"), budget=5000)


def constructed(two_classes):
    """Return frames of sixteen problems on which all that is said of Figures 3 to 5 is true."""
    names = ["Precision", "AURPC", "GMean", "AUROC", "mPrecision", "mAURPC"]
    if not two_classes:
        names = ["GMean", "ACSA", "nAUROC-OVA", "AURPC-OVA", "mAURPC-OVA"]
    rows, least = [], []
    for place, classes in enumerate([3, 5, 10, 10] * 4):
        problem = f"problem {place}"
        # nAUROC-OVA varies less, and more above its own least deviation.
        grows = {"nAUROC-OVA": 1 + 0.1 * (place > 0)}
        rows += [(problem, n, DEVIATIONS[n] * grows.get(n, 1.0)) for n in names]
        accuracy = 0.5 if classes == 10 else 0.95
        far = (classes - 2) / (2 * (classes - 1)) * (1 - accuracy)
        values = {"ACSA": accuracy, "AUROC-OVO": accuracy + far, "GMean": accuracy - 0.01}
        values |= {"nAUROC-OVA": accuracy, "AUROC-OVA": accuracy + far}
        values["GMean"] -= 0.4 if classes == 10 else 0.0
        least += [(problem, classes, n, v) for n, v in values.items()]
    deviations = pd.DataFrame(rows, columns=["problem", "index", "deviation"])
    minima = pd.DataFrame(least, columns=["problem", "classes", "index", "minimum"])
    ten = minima["classes"] == 10
    frames = {
        "deviations": deviations,
        "minima": minima,
        "minima, few classes": minima[~ten].rename(columns={"problem": "few-class problem"}),
        "minima, ten classes": minima[ten].rename(columns={"problem": "ten-class problem"}),
    }
    return Measurements(Results().frame("made up"), frames)


def of(identifier):
    return constructed(STATEMENTS[identifier]["reads"] == ["mullick2020/two-class"])


@pytest.mark.parametrize("identifier", sorted(ON_DATA))
def test_holds_where_it_is_true_and_fails_on_its_control(identifier):
    entry, measured = STATEMENTS[identifier], of(identifier)
    assert find(entry, measured) and not find(entry, control(entry, measured))
    assert not parts_that_cannot_fail(entry, measured)


def test_no_problem_of_ten_classes_decides_nothing():
    measured = constructed(two_classes=False)
    few = measured.with_frame("minima", lambda table: table[table["classes"] < 10])
    found = test_sets.least_g_mean(few, few=[3, 5], many=[10], gap=0.1, share=0.5)
    assert not found.holds and "no problem of 10 classes" in found.evidence


def test_table_2_would_hold_of_the_indices_that_meet_it(measured):
    told = conditions.indices_meet(measured, indices=["GMean", "ACSA", "AUROC-OVO"], met=["1"])
    assert told.holds


def test_the_interpretation_of_condition_2_decides_of_the_normalised_index(measured):
    found = measured
    assert conditions.is_met(found, "nAUROC-OVA", "2")
    assert not conditions.is_met(found, "nAUROC-OVA", "2", equal=True)
    assert conditions.is_met(found, "mAURPC-OVA", "2", equal=True)
    assert not conditions.is_met(found, "GMean", "3", equal=True)


def test_for_two_classes_auroc_ova_has_no_counter_example(measured):
    found = measured.frame("invariance")
    gaps = found[found["index"] == "AUROC-OVA"].set_index("classes")["gap"]
    assert gaps[2] == 0 and gaps[3] > 0
