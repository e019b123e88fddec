import pandas as pd
import pytest

from ledger_mutation import change_number, mutate, unnoticed_changes, verdict_of
from opchar_reproduction.report.comparison.published_values import ERRATA, LINES
from opchar_reproduction.results import Results


@pytest.mark.parametrize(
    ("printed", "changed"),
    [
        ("0.94", "1.03"),
        ("0.70", "0.77"),
        ("-0.19", "-0.21"),
        ("70", "77"),
        ("3", "3.3"),
        ("0.9", "0.99"),
        ("1", "1.1"),
        ("0", "0.1"),
        ("0.00", "0.10"),
        ("0.0553", "0.0608"),
    ],
)
def test_a_tenth_in_the_digits_of_print_if_they_can_show_it(printed, changed):
    assert change_number(printed) == changed


@pytest.fixture
def sources():
    results, published = Results(), []

    def add(printed, value, **more):
        row = f"row {len(published)}"
        printed_std = more.pop("printed_std", "")
        known = {"id": f"p:{len(published):04}", "paper": "p", "artefact": "t", "row": row}
        known |= {"column": "F", "kind": "number", "value": printed, "std": printed_std}
        published.append(dict.fromkeys(LINES, "") | known)
        results.number("t", row, "F", value, **more)

    add("0.94", 0.94)
    add("0", 0.0)
    add("3", 3.0)
    add("3", 3.3)  # a tenth more is ours
    add("0.500", 0.51, std=0.05, n=100, printed_std="0.05")
    add("0.500", 0.51, std=0.50, n=100, printed_std="0.50")
    add("0.500", 0.70)  # differs, is never drawn
    frame = pd.DataFrame(published, columns=LINES)
    return frame, results.frame().assign(paper="p"), pd.DataFrame(columns=ERRATA), {"p/t"}


def test_each_agreeing_number_is_changed_alone_and_judged_again(sources):
    found = mutate(*sources, size=50, seed=0).set_index("id")
    assert list(found.index) == [f"p:{number:04}" for number in range(6)]
    assert found["flipped"].to_dict() == {
        "p:0000": True,
        "p:0001": True,
        "p:0002": True,
        "p:0003": False,
        "p:0004": True,
        "p:0005": False,
    }
    assert found.loc["p:0004", "verdict"] == "differs"


def test_the_draw_follows_the_seed(sources):
    drawn = [tuple(mutate(*sources, size=3, seed=seed)["id"]) for seed in (1, 1, 2, 3, 4)]
    assert drawn[0] == drawn[1]
    assert len(set(drawn)) > 1
    assert all(len(ids) == len(set(ids)) == 3 for ids in drawn)


def test_what_is_not_noticed_is_counted_by_spread_and_named(sources):
    said = verdict_of(mutate(*sources, size=50, seed=0))
    assert said[:3] == [
        "4 of 6 numbers changed by a tenth are noticed",
        "  both: 1 of 2",
        "  last digit: 3 of 4",
    ]
    assert said[3] == (
        "  not noticed: p:0003: 3 as 3.3, ours 3.3: within half a unit of the last published digit"
    )
    assert said[4].startswith("  not noticed: p:0005: 0.500 as 0.550, ours 0.51: z = ")


def test_only_a_spread_or_a_nearer_value_excuses(sources):
    found = mutate(*sources, size=50, seed=0)
    assert len(unnoticed_changes(found)) == 0
    blind = found.assign(flipped=False)
    assert list(unnoticed_changes(blind)["id"]) == ["p:0000", "p:0001", "p:0002"]
