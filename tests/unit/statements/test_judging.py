"""Judging statements: controls, support, and the inputs they need."""

import numpy as np
import pandas as pd
import pytest

from opchar.seeds import spawner
from opchar_reproduction.results import Results
from opchar_reproduction.statements import controls
from opchar_reproduction.statements.judging import COLUMNS, judge, read_judged, read_leaves
from opchar_reproduction.statements.measurements import (
    Finding,
    Measurements,
    conjunction,
    read_measurements,
)


def measured(gap: float = 1.0, folds: int = 8) -> Measurements:
    results = Results()
    results.number("table-1", "A", "AUC", 0.9, std=0.1, n=folds)
    results.number("table-1", "B", "AUC", 0.8)
    rows = [
        {"fold": fold, "model": model, "value": offset + 0.1 * (fold % 3)}
        for fold in range(folds)
        for model, offset in (("A", gap), ("B", 0.0))
    ]
    return Measurements(results.frame(), {"measured": pd.DataFrame(rows)})


def first_is_higher(found: Measurements, *, least: float = 0.0) -> Finding:
    means = found.frame("measured").groupby("model")["value"].mean()
    return Finding(bool(means["A"] - means["B"] > least), f"{means['A']:.2f} and {means['B']:.2f}")


def always(found: Measurements) -> Finding:
    return Finding(True, "cannot fail")


def first_is_higher_and_varies_less(found: Measurements) -> Finding:
    by_model = found.frame("measured").groupby("model")["value"]
    means, spreads = by_model.mean(), by_model.std()
    parts = {"A is above B": means["A"] > means["B"], "both vary": spreads.min() > 0}
    return conjunction(parts, "told")


def entry(function=first_is_higher, **more):
    exchanged = {"frame": "measured", "column": "model", "first": "A", "second": "B"}
    control = {
        "function": "opchar_reproduction.statements.controls:exchange_levels",
        "says": "A and B exchanged",
        "parameters": exchanged,
    }
    said = {"function": f"{__file__}:{function.__name__}", "criterion": "A above B"}
    return said | {"basis": "data", "criterion_set": "undated", "control": control} | more


def spawn():
    return spawner(1, "statements")


def test_a_statement_holds_and_fails_on_its_control():
    found = judge("some2000:0001", entry(units="fold"), measured(), spawn(), 50)
    assert found.holds
    assert found.control_fails
    assert found.support == 1.0
    assert (found.resamples, found.basis) == (50, "data")
    assert list(found._fields) == COLUMNS


FLAT = {
    "function": "opchar_reproduction.statements.controls:flatten",
    "says": "one value for all",
    "parameters": {"frame": "measured", "column": "value"},
}


def test_each_part_of_a_claim_is_judged_with_a_control_of_its_own():
    two = entry(first_is_higher_and_varies_less, leaf_controls=[FLAT])
    found = judge("some2000:0001", two, measured(), spawn(), 0)
    assert (found.holds, found.control_fails) == (True, True)
    assert read_leaves(found.leaves) == [
        {"says": "A is above B", "holds": True, "fails_on": "A and B exchanged"},
        {"says": "both vary", "holds": True, "fails_on": "one value for all"},
    ]


def test_a_claim_fails_by_the_parts_that_fail():
    two = entry(first_is_higher_and_varies_less, leaf_controls=[FLAT])
    found = judge("some2000:0001", two, measured(gap=-1), spawn(), 0)
    assert not found.holds
    assert [leaf["says"] for leaf in read_leaves(found.leaves) if not leaf["holds"]] == [
        "A is above B"
    ]


def test_a_part_without_a_control_of_its_own_says_so():
    found = judge("some2000:0001", entry(first_is_higher_and_varies_less), measured(), spawn(), 0)
    assert [leaf["fails_on"] for leaf in read_leaves(found.leaves)] == ["A and B exchanged", ""]
    assert judge("some2000:0001", entry(), measured(), spawn(), 0).leaves == ""


def test_other_data_are_told_beside_the_verdict():
    other = {"some2000/other": measured(gap=-1.0)}
    found = judge("some2000:0001", entry(units="fold"), measured(), spawn(), 20, other)
    assert found.holds
    assert found.elsewhere.startswith("some2000/other: fails, support 0.00: ")
    assert judge("some2000:0001", entry(), measured(), spawn(), 20).elsewhere == ""


def test_a_statement_that_cannot_fail_is_noticed():
    assert not judge("some2000:0001", entry(always), measured(), spawn(), 0).control_fails


def test_support_counts_the_resamples_in_which_it_holds():
    frame = measured().frame("measured")
    mixed = frame.assign(
        value=np.where(frame["model"] == "A", np.where(frame["fold"] < 4, 1, -1), 0)
    )
    found = judge(
        "some2000:0001",
        entry(units="fold"),
        Measurements(measured().lines, {"measured": mixed}),
        spawn(),
        400,
    )
    # Fewer than half of eight folds drawn from the lower half: (1 - C(8, 4) / 2**8) / 2.
    assert found.support == pytest.approx((1 - 70 / 256) / 2, abs=0.08)
    again = judge("some2000:0001", entry(units="fold"), measured(), spawn(), 400)
    assert again == judge("some2000:0001", entry(units="fold"), measured(), spawn(), 400)


def test_a_unit_drawn_twice_counts_as_two():
    drawn = measured(folds=5).resample("fold", np.random.default_rng(3)).frame("measured")
    assert sorted(drawn["fold"].unique()) == list(range(5))
    assert drawn.groupby("fold").size().tolist() == [2] * 5
    assert list(drawn.columns) == ["fold", "model", "value"]


def test_units_that_no_frame_has_are_refused():
    with pytest.raises(KeyError, match="person"):
        measured().resample("person", np.random.default_rng(0))


def test_parameters_reach_the_statement():
    strict = entry(parameters={"least": 2.0})
    assert not judge("some2000:0001", strict, measured(), spawn(), 0).holds


def test_stand_in_data_change_the_basis():
    lines = measured().lines.assign(data="stand-in for x")
    found = judge("some2000:0001", entry(), Measurements(lines, measured().frames), spawn(), 0)
    assert found.basis == "stand-in"


def test_numbers_are_read_by_their_key():
    found = measured()
    assert (found.value("table-1", "A", "AUC"), found.std("table-1", "A", "AUC")) == (0.9, 0.1)
    assert found.column("table-1", "AUC").to_dict() == {"A": 0.9, "B": 0.8}
    with pytest.raises(KeyError, match="0 lines"):
        found.value("table-1", "C", "AUC")
    with pytest.raises(KeyError, match="no frame 'other'"):
        found.frame("other")


def test_the_ready_controls():
    found = measured()
    swapped = controls.exchange_rows(found, artefact="table-1", first="A", second="B")
    assert swapped.value("table-1", "B", "AUC") == 0.9
    other = controls.set_value(found, artefact="table-1", row="A", column="AUC", value=0.1)
    assert other.value("table-1", "A", "AUC") == 0.1
    flat = controls.flatten(found, frame="measured", column="value")
    assert len(set(flat.frame("measured")["value"])) == 1
    back = controls.reverse(found, frame="measured", column="value").frame("measured")["value"]
    assert back.tolist() == found.frame("measured")["value"].tolist()[::-1]
    assert found.value("table-1", "A", "AUC") == 0.9


def test_measurements_come_back_from_files(tmp_path):
    results = Results()
    results.number("table-1", "A", "AUC", 0.9)
    results.add_frame("measured", {"fold": [0, 1], "value": [0.1, 0.2]})
    results.write(tmp_path / "a.csv", tmp_path / "a.parquet", basis="simulation")
    found = read_measurements([tmp_path / "a.csv"], [tmp_path / "a.parquet"])
    assert found.frame("measured")["value"].tolist() == [0.1, 0.2]
    assert found.lines["basis"].tolist() == ["simulation"]
    with pytest.raises(ValueError, match="two experiments have a frame 'measured'"):
        read_measurements([tmp_path / "a.csv"] * 2, [tmp_path / "a.parquet"] * 2)


def test_judged_statements_read_back(tmp_path):
    found = judge("some2000:0001", entry(), measured(), spawn(), 0)
    pd.DataFrame([found], columns=COLUMNS).to_csv(tmp_path / "judged.csv", index=False)
    back = read_judged(tmp_path / "judged.csv").iloc[0]
    assert bool(back["holds"])
    assert back["control"] == "A and B exchanged"
    assert np.isnan(back["support"])
    assert back["units"] == ""


def scenarios(units: int = 5) -> Measurements:
    """Return a frame with two rows a cell, a missing value, and a level that one unit lacks."""
    rng = np.random.default_rng(2)
    rows = [
        {"set": name, "unit": f"u{unit}", "way": way, "gain": rng.normal()}
        for name in "ab"
        for unit in range(units)
        for way in ("x", "y", "only first")
        for _ in range(2)
        if way != "only first" or unit == 0
    ]
    rows[3]["gain"] = np.nan
    return Measurements(pd.DataFrame({"data": [""]}), {"frame": pd.DataFrame(rows)})


@pytest.mark.parametrize("index", ["unit", "set", ["set", "unit"], ["unit", "set"]])
@pytest.mark.parametrize("columns", ["way", ["way", "set"]])
def test_a_table_of_means_is_that_of_pandas_on_the_frame_and_on_each_resample(index, columns):
    if "set" in index and "set" in columns:
        columns = ["way"]
    whole = scenarios()
    for given in [whole, *(whole.resample("unit", np.random.default_rng(n)) for n in range(6))]:
        expected = given.frame("frame").pivot_table("gain", index=index, columns=columns)
        found = given.table("frame", "gain", index=index, columns=columns)
        pd.testing.assert_frame_equal(found, expected, check_exact=True)


def own_rows(frame, name, factor):
    chosen = frame[frame["set"] == name]
    return chosen.assign(twice=factor * chosen["gain"])


def test_rows_of_a_resample_are_those_that_its_frame_gives():
    """Chosen once on the whole frame and drawn, against chosen anew from what is drawn."""
    whole = scenarios()
    for given in [whole, *(whole.resample("unit", np.random.default_rng(n)) for n in range(6))]:
        for name in "ab":
            expected = own_rows(given.frame("frame"), name, 2.0).reset_index(drop=True)
            found = given.rows("frame", own_rows, name, 2.0).reset_index(drop=True)
            pd.testing.assert_frame_equal(found, expected, check_exact=True)
    other = Measurements(whole.lines, {**whole.frames, "plain": pd.DataFrame({"set": ["a"]})})
    drawn = other.resample("unit", np.random.default_rng(0))
    assert drawn.rows("plain", lambda frame: frame[frame["set"] == "a"]).shape == (1, 1)
