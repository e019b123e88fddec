"""Published values that cannot be are found by `check` and stand with their errata."""

import pandas as pd

from opchar_reproduction.publication import file, folders
from opchar_reproduction.report.pages.parts.impossible import impossible
from opchar_reproduction.report.pages.parts.lines import with_reasons, wrong_in_print


def values(name, kind="values"):
    with file(folders()[name], kind).open(encoding="utf-8") as opened:
        return pd.read_csv(opened, dtype=str, keep_default_na=False)


def ledger(name):
    return values(name).rename(columns={"value": "published"}).assign(verdict="erratum")


def test_values_that_cannot_be_are_errata():
    found = impossible(ledger("tharwat2018"))
    assert set(found) == {f"tharwat2018:00{number}" for number in (20, 35, 36, 55, 56, 62, 63)}
    assert set(found) <= set(values("tharwat2018", "errata")["id"])
    assert "at most 0.719409 or at least 0.723636" in found["tharwat2018:0035"]


def test_no_other_work_has_one_but_an_area():
    for name in folders():
        found = impossible(ledger(name))
        assert name == "tharwat2018" or set(found) <= {"landgrebe2007:0093"}


def test_errata_say_what_check_says():
    lines = ledger("landgrebe2007")
    items = with_reasons(wrong_in_print(values("landgrebe2007", "errata"), lines, {}), lines)
    said = {item["id"]: item["impossible"] for item in items if item["impossible"]}
    assert set(said) == {"landgrebe2007:T66", "landgrebe2007:0093"}
    assert "AUPREC from 0.804211" in said["landgrebe2007:T66"]


def test_corrected_values_are_possible():
    right = ledger("tharwat2018")
    errata = values("tharwat2018", "errata").set_index("id")["corrected"]
    right["published"] = right["id"].map(errata).fillna(right["published"])
    assert impossible(right) == {}
