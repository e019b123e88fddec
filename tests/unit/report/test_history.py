import pandas as pd
import pytest

from opchar.files import write_csv
from opchar.report.comparison.history import SHOWN, changes, describe, keep
from opchar.report.comparison.ledger import COLUMNS


def ledger(*lines):
    rows = [
        dict.fromkeys(COLUMNS, "")
        | {"id": f"p:{number:04}", "paper": "p", "artefact": "table-1", "row": f"row {number}"}
        | {"verdict": verdict, "reproduced": reproduced}
        for number, verdict, reproduced in lines
    ]
    return pd.DataFrame(rows, columns=COLUMNS)


BEFORE = ledger((1, "agrees", "0.94"), (2, "agrees", "0.5"), (3, "pending", ""))


@pytest.fixture
def place(tmp_path):
    path = tmp_path / "quick/report/ledger.csv"
    write_csv(BEFORE, path)
    return path


def test_a_first_run_says_nothing_and_keeps_the_ledger(place):
    assert keep(place) == []
    folder = place.parent.parent / "history"
    assert [path.name for path in folder.iterdir()] == ["latest.csv"]
    assert (folder / "latest.csv").read_bytes() == place.read_bytes()


def test_a_run_without_a_change_says_nothing_and_writes_nothing(place):
    keep(place)
    latest = place.parent.parent / "history/latest.csv"
    before = latest.stat().st_mtime_ns
    assert keep(place) == []
    assert latest.stat().st_mtime_ns == before


def test_changes_are_told_once_and_both_ledgers_kept(place):
    keep(place)
    after = ledger((1, "differs", "0.85"), (2, "agrees", "0.6"), (3, "pending", ""))
    write_csv(after, place)
    folder = place.parent.parent / "history"
    assert keep(place) == [
        "changed since the last run: 2 lines (1 agrees -> differs, 1 other value)",
        "  p/table-1 | row 1: agrees -> differs (0.94 -> 0.85)",
        "  p/table-1 | row 2: 0.5 -> 0.6",
        f"  all of them: {folder}/changes.csv",
    ]
    assert (folder / "latest.csv").read_bytes() == place.read_bytes()
    previous = pd.read_csv(folder / "previous.csv", dtype=str, keep_default_na=False)
    assert previous.equals(BEFORE)
    told = pd.read_csv(folder / "changes.csv", dtype=str, keep_default_na=False)
    assert list(told["id"]) == ["p:0001", "p:0002"]
    assert keep(place) == []


def test_a_change_of_the_reason_alone_is_no_change(place):
    keep(place)
    write_csv(BEFORE.assign(reason="other words"), place)
    assert keep(place) == []
    assert not (place.parent.parent / "history/changes.csv").exists()


def test_new_and_lost_lines():
    after = ledger((1, "agrees", "0.94"), (2, "agrees", "0.5"), (4, "holds", "holds"))
    found = changes(BEFORE, after)
    assert list(zip(found["id"], found["verdict_before"], found["verdict"], strict=True)) == [
        ("p:0003", "pending", "gone"),
        ("p:0004", "new", "holds"),
    ]
    assert list(found["row"]) == ["row 3", "row 4"]


def test_the_last_bits_of_a_number_are_no_change():
    moved = ledger((1, "agrees", "0.9400000000000001"), (2, "agrees", "0.500001"))
    assert list(changes(BEFORE.head(2), moved)["id"]) == ["p:0002"]


def test_at_most_ten_lines_are_told_and_verdicts_first():
    many = [(number, "agrees", "0.5") for number in range(30)]
    after = [(number, "agrees", "0.6") for number in range(29)] + [(29, "differs", "0.9")]
    said = describe(changes(ledger(*many), ledger(*after)), "changes.csv")
    assert len(said) == SHOWN + 2
    assert said[1] == "  p/table-1 | row 29: agrees -> differs (0.5 -> 0.9)"
