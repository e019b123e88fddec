"""What the tutorial says: what is wrong in print would hold if it were right, and the reverse."""

import numpy as np
import pytest

from measuring import entries, find, measure
from opchar_reproduction.statements import controls

PAPER = "tharwat2018"
STATEMENTS = entries("statements", PAPER)


@pytest.fixture(scope="module")
def measured(tmp_path_factory):
    read = {entry["reads"][0] for entry in STATEMENTS.values()}
    assert all(len(entry["reads"]) == 1 for entry in STATEMENTS.values())
    return {name: measure(PAPER, name, tmp_path_factory.mktemp("run")) for name in sorted(read)}


def of(identifier, measured):
    entry = STATEMENTS[f"{PAPER}:{identifier}"]
    return entry, measured[entry["reads"][0]]


def test_better_positives_would_hold(measured):
    entry, found = of("0278", measured)
    changed = found.with_value("figure-roc-example", "best accuracy", "TPR", 0.95)
    assert find(entry, changed)


def test_a_perfect_curve_down_to_zero_would_hold(measured):
    entry, found = of("0290", measured)
    changed = found.with_frame(
        "perfect", lambda table: table.assign(precision=[*table["precision"].iloc[:-1], 0.0])
    )
    assert find(entry, changed)


def test_the_second_form_would_hold_of_what_it_gives(measured):
    entry, found = of("0294", measured)

    def as_printed(table):
        tpr, ppv = table["TPR"], table["PPV"]
        size = table[["tp", "fn", "fp", "tn"]].sum(axis="columns")
        spread = np.sqrt(ppv * tpr * (1 - tpr) * (1 - ppv))
        return table.assign(MCC=(table["tp"] / size - tpr * ppv) / spread)

    assert find(entry, found.with_frame("matrices", as_printed))


def test_youden_of_useful_tests_would_lie_between_zero_and_one(measured):
    entry, found = of("0305", measured)
    assert find(entry, found.with_frame("changes", lambda table: table.assign(least=0.1, most=0.9)))


def test_the_printed_f_would_hold_of_itself(measured):
    entry, found = of("0308", measured)
    changed = controls.exchange_columns(
        found, frame="f under alpha", first="by counting", second="as printed"
    ).with_frame(
        "f under alpha", lambda table: table.assign(**{"as printed": table["by counting"]})
    )
    assert find(entry, changed)


def test_areas_below_one_half_in_both_directions_fail(measured):
    entry, found = of("0284", measured)
    assert not find(
        entry, found.with_frame("orders", lambda table: table.assign(area=0.3, reversed=0.4))
    )


def test_a_large_lead_beyond_the_crossing_is_not_slight(measured):
    entry, found = of("0285", measured)

    def shrunk(table):
        ahead = table["tpr"].where(table["fpr"] > 0.6, table["tpr"] / 1e3)
        return table.assign(tpr=ahead)

    assert not find(entry, found.with_frame("two", shrunk))


def test_a_hit_at_the_second_point_makes_no_empty_first(measured):
    entry, found = of("0289", measured)
    assert not find(entry, found.with_frame("first", lambda table: table.assign(precision=1.0)))


def test_tied_classes_make_a_slanted_step(tmp_path):
    """A positive and a negative with the same score are accepted together."""
    positives = [0.5, 0.80, 0.70, 0.62, 0.60, 0.49, 0.40, 0.37, 0.23, 0.19]
    tied = measure(
        PAPER, "tharwat2018/threshold-sweep", tmp_path, positive_scores=positives, shown=[1]
    )
    assert not find(STATEMENTS[f"{PAPER}:0279"], tied)


def test_an_index_that_is_one_of_several_decides(measured):
    """One index out of two that moves, or stays, is enough to fail."""
    for identifier, exchanged in (("0302", ("FNR", "PPV")), ("0303", ("NPV", "TPR"))):
        entry, found = of(identifier, measured)
        changed = controls.exchange_levels(
            found, frame="changes", column="index", first=exchanged[0], second=exchanged[1]
        )
        assert not find(entry, changed)
