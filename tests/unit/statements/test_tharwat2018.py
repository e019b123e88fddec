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


def mcc_as_printed(table):
    tpr, ppv = table["TPR"], table["PPV"]
    size = table[["tp", "fn", "fp", "tn"]].sum(axis="columns")
    spread = np.sqrt(ppv * tpr * (1 - tpr) * (1 - ppv))
    return table.assign(MCC=(table["tp"] / size - tpr * ppv) / spread)


def shrunk(table):
    return table.assign(tpr=table["tpr"].where(table["fpr"] > 0.6, table["tpr"] / 1e3))


def to_zero(table):
    return table.assign(precision=[*table["precision"].iloc[:-1], 0.0])


# What is measured with a frame changed, and whether the claim then holds.
CHANGED = {
    "0290: a perfect curve down to zero": ("perfect", to_zero, True),
    "0294: the second form of what it gives": ("matrices", mcc_as_printed, True),
    "0305: useful tests between zero and one": (
        "changes",
        lambda table: table.assign(least=0.1, most=0.9),
        True,
    ),
    "0308: the printed F of itself": (
        "f under alpha",
        lambda table: table.assign(**{"as printed": table["by counting"]}),
        True,
    ),
    "0284: areas below one half in both directions": (
        "orders",
        lambda table: table.assign(area=0.3, reversed=0.4),
        False,
    ),
    "0285: a large lead beyond the crossing": ("two", shrunk, False),
    "0289: a hit at the second point": ("first", lambda table: table.assign(precision=1.0), False),
}


@pytest.mark.parametrize("case", CHANGED)
def test_a_claim_follows_what_is_measured(case, measured):
    entry = STATEMENTS[f"{PAPER}:{case[:4]}"]
    frame, change, holds = CHANGED[case]
    found = measured[entry["reads"][0]]
    assert find(entry, found) != holds
    assert find(entry, found.with_frame(frame, change)) == holds


def test_better_positives_would_hold(measured):
    entry = STATEMENTS[f"{PAPER}:0278"]
    place = ("figure-roc-example", "best accuracy", "TPR", 0.95)
    assert find(entry, measured[entry["reads"][0]].with_value(*place))


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
        entry = STATEMENTS[f"{PAPER}:{identifier}"]
        found = measured[entry["reads"][0]]
        changed = controls.exchange_levels(
            found, frame="changes", column="index", first=exchanged[0], second=exchanged[1]
        )
        assert not find(entry, changed)
