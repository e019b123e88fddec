"""Statements of chapter 3 on data: each holds where it should, fails on its control, and can fail.

Those that need no scores are looked at with all others in `test_edges.py`.
"""

import numpy as np
import pandas as pd
import pytest

from measuring import entries, parameters_of
from opchar.functions import import_function
from opchar_reproduction.publications.landgrebe2007.chapter3.real_sets.judge import (
    same_error_but_other_volume,
    volumes_are_similar_though_errors_differ,
)
from opchar_reproduction.results import Results
from opchar_reproduction.statements.measurements import Measurements

ENTRIES = {
    name: entry
    for name, entry in entries("statements", "landgrebe2007").items()
    if ".chapter3." in entry["function"] and entry["basis"] == "data"
}
CLASSES = ("red", "cotton", "veget", "grey")
LIMITS = {
    "confusion-2": {"veget->grey": 0.08},
    "confusion-3": {"cotton->veget": 0.05},
    "confusion-4": {"veget->red": 0.05, "red->grey": 0.05, "veget->grey": 0.05},
    "confusion-5": {"veget->red": 0.05, "cotton->veget": 0.15, "veget->grey": 0.05},
    "third": {"veget->red": 0.05, "cotton->veget": 0.10, "veget->grey": 0.05},
}
MODELS = {
    "Banana": {"sc-pca1 nmc": (0.3, 0.6), "sc-mogc2,2,1": (0.1, 0.9), "sc-ldc": (0.2, 0.8)},
    "Sat": {"ldc": (0.2, 0.7), "qdc": (0.2, 0.9), "knn3": (0.1, 0.95)},
    "Sign": {"a": (0.1, 0.9), "b": (0.2, 0.9), "c": (0.3, 0.9)},
    "Vehicle": {"fisher nmc": (0.2, 0.5), "ldc": (0.2, 0.7), "qdc": (0.1, 0.9)},
    "Digits": {"a": (0.2, 0.7), "b": (0.1, 0.97), "c": (0.15, 0.8)},
}


def split_frames(splits: int = 6) -> dict[str, pd.DataFrame]:
    """Frames of the satellite experiment as the work prints it, on all splits but the last."""
    met, limited, matrices = [], [], []
    for split in range(splits):
        for name, limits in LIMITS.items():
            feasible = name != "third" or split == splits - 1
            met.append((split, name, float(feasible)))
            matrix = np.full((4, 4), 0.03) + 0.88 * np.eye(4)
            if name == "confusion-5":
                matrix[1] = [0.0, 0.87, 0.13, 0.0]
            cells = {
                f"{true}->{estimated}": matrix[i, j]
                for i, true in enumerate(CLASSES)
                for j, estimated in enumerate(CLASSES)
            }
            limited += [(split, name, e, limit, limit + 0.1, 0.03) for e, limit in limits.items()]
            matrices += [(split, name, *e.split("->"), rate) for e, rate in cells.items()]
    where = ["split", "specification"]
    return {
        "specifications": pd.DataFrame(met, columns=[*where, "feasible"]),
        "limited errors": pd.DataFrame(
            limited, columns=[*where, "error", "limit", "unweighted", "found"]
        ),
        "matrices": pd.DataFrame(matrices, columns=[*where, "true", "estimated", "rate"]),
    }


def measured_sets(models: dict = MODELS, folds: int = 10, noise: float = 0.01) -> pd.DataFrame:
    rng = np.random.default_rng(1)
    lines = [
        (title, f"set {title}", model, fold, error, volume)
        for title, named in models.items()
        for model, means in named.items()
        for fold in range(folds)
        for error, volume in [means + noise * rng.standard_normal(2)]
    ]
    frame = pd.DataFrame(lines, columns=["problem", "data", "model", "fold", "Error", "VUS"])
    return frame.assign(**{"least AUC of two classes": 0.99})


@pytest.fixture(scope="module")
def measured():
    lines = Results().frame("made up")
    return {
        "landgrebe2007/neyman-pearson": Measurements(lines, split_frames()),
        "landgrebe2007/volumes": Measurements(lines, {"measured": measured_sets()}),
    }


def statement(entry, measurements):
    return import_function(entry["function"])(measurements, **entry.get("parameters", {}))


@pytest.mark.parametrize("name", ENTRIES)
def test_it_holds_where_the_claim_is_true_and_fails_on_its_control(name, measured):
    entry = ENTRIES[name]
    (source,) = entry["reads"]
    found = statement(entry, measured[source])
    assert found.holds, found.evidence
    control = entry["control"]
    changed = import_function(control["function"])(
        measured[source], **control.get("parameters", {})
    )
    on_control = statement(entry, changed)
    assert not on_control.holds, on_control.evidence
    assert len(found.evidence) < 330


def test_every_statement_on_data_has_units():
    assert len(ENTRIES) > 8 and all("units" in entry for entry in ENTRIES.values())


def fails(name, measurements, change, frame):
    return not statement(ENTRIES[name], measurements.with_frame(frame, change)).holds


def test_half_of_the_splits_are_not_most(measured):
    own = measured["landgrebe2007/neyman-pearson"]

    def half(frame: pd.DataFrame, column: str, value: float, where: pd.Series) -> pd.DataFrame:
        frame.loc[where & (frame["split"] < 3), column] = value
        return frame

    for value, name in ((1.0, "third"), (0.0, "confusion-5")):
        assert fails(
            "landgrebe2007:0200",
            own,
            lambda f, v=value, n=name: half(f, "feasible", v, f["specification"] == n),
            "specifications",
        )
    for column, value in (("unweighted", 0.0), ("found", 1.0), ("found", np.nan)):
        assert fails(
            "landgrebe2007:0204",
            own,
            lambda frame, c=column, v=value: half(frame, c, v, frame["error"] == "veget->grey"),
            "limited errors",
        )


@pytest.mark.parametrize(
    ("specification", "true", "rate"),
    [
        ("confusion-5", "red", 0.5),
        ("confusion-4", "cotton", 0.5),
        ("confusion-5", "cotton", 0.03),
        ("confusion-5", "red", np.nan),
    ],
)
def test_matrices_that_differ_elsewhere_or_break_a_limit_or_are_equal(
    specification, true, rate, measured
):
    def change(frame: pd.DataFrame) -> pd.DataFrame:
        chosen = (frame["specification"] == specification) & (frame["true"] == true)
        equal = chosen & (frame["estimated"] != true)
        frame.loc[equal & (frame["split"] < 4), "rate"] = rate
        if rate == 0.03:
            frame.loc[chosen & (frame["estimated"] == true), "rate"] = 0.91
        return frame

    own = measured["landgrebe2007/neyman-pearson"]
    assert fails("landgrebe2007:0205", own, change, "matrices")


@pytest.mark.parametrize(
    ("title", "model", "means"),
    [
        ("Banana", "sc-ldc", (0.2, 0.95)),
        ("Banana", "sc-ldc", (0.3, 0.8)),
        ("Sat", "qdc", (0.15, 0.9)),
        ("Sat", "qdc", (0.2, 0.7)),
        ("Sign", "b", (0.2, 0.8)),
        ("Vehicle", "ldc", (0.2, 0.4)),
        ("Digits", "b", (0.3, 0.97)),
        ("Digits", "b", (0.1, 0.9)),
        ("Digits", "a", (0.2, 0.78)),
    ],
)
def test_other_errors_or_volumes_fail(title, model, means, measured):
    (name,) = [
        name for name, entry in ENTRIES.items() if parameters_of(entry).get("problem") == title
    ]
    models = MODELS | {title: MODELS[title] | {model: means}}
    own = measured["landgrebe2007/volumes"]
    assert fails(name, own, lambda _: measured_sets(models), "measured")


def conclusion(measured, models: dict, stand_ins: tuple[str, ...] = ()):
    frame = measured_sets(models)
    stands = frame["problem"].isin(stand_ins)
    frame.loc[stands, "data"] = "stand-in for " + frame.loc[stands, "problem"]
    own = measured["landgrebe2007/volumes"].with_frame("measured", lambda _: frame)
    return statement(ENTRIES["landgrebe2007:1074"], own)


def test_the_conclusion_counts_pairs_of_models(measured):
    good = {"x": {"a": (0.1, 0.9), "b": (0.2, 0.7), "c": (0.2, 0.8)}}
    bad = {"y": {"a": (0.1, 0.7), "b": (0.2, 0.8), "c": (0.3, 0.9)}}
    found = conclusion(measured, good)
    assert found.holds and "of 2 pairs" in found.evidence
    assert not conclusion(measured, good | bad).holds
    left = conclusion(measured, good | bad, ("y",))
    assert left.holds and left.data == "set x"
    equal = {"x": {"a": (0.1, 0.9), "b": (0.2, 0.7), "c": (0.2, 0.7)}}
    assert not conclusion(measured, equal).holds
    only = conclusion(measured, good, ("x",))
    assert only.holds and only.data == "stand-in for x"


def test_one_hold_out_decides_nothing(measured):
    own = measured["landgrebe2007/volumes"].with_frame(
        "measured", lambda frame: frame[frame["fold"] == 0]
    )
    found = same_error_but_other_volume(own, problem="Sat", worse="ldc", better="qdc", alpha=0.005)
    assert not found.holds and found.evidence == "fewer than 2 hold-outs"
    sign = volumes_are_similar_though_errors_differ(own, problem="Sign", alpha=0.005)
    assert not sign.holds
