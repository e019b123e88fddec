"""The printed Tables 4.3 to 4.10 of landgrebe2007 against themselves."""

import re

import pandas as pd
import pytest

from leads import printed_table, values_of

THESIS = "landgrebe2007"
GAINS, COUNTS, MATRICES = ("table-4.4",), ("table-4.7", "table-4.9", "table-4.10"), 50
SETS = {"table-4.3": "mean error eps", "table-4.8": "equal error xi_eq"}
REPEATED = {
    ("table-4.3", "mean error eps"): {("PRTools8", "PRTools16"), ("Letter", "Satellite")},
    ("table-4.8", "equal error xi_eq"): set(),
}


def faults_of(artefact, table):
    """Return the rows of a printed table that contradict themselves, with what is wrong."""
    checks = {}
    if artefact in GAINS:
        half = 0.0005
        low = (24 * table["Min"] + 25 * table["Median"] + table["Best"]) / MATRICES
        high = (table["Min"] + 25 * table["Median"] + 24 * table["Best"]) / MATRICES
        checks["order"] = table["Min"].le(table["Median"]) & table["Median"].le(table["Best"])
        checks["mean"] = table["Mean"].between(low - 2 * half, high + 2 * half)
    elif artefact in COUNTS:
        checks["total"] = table["Lost"] + table["Won"] == MATRICES
        for word in ("Lost", "Won"):
            checks[word] = table[f"{word} significant (95%)"].between(0, table[word])
    elif artefact == "table-4.3":
        c = table["C"]
        checks["pairs"] = table["Pairs"] == c * (c - 1) // 2
        checks["kept"] = table["Pairs2"].le(table["Pairs"])
        checks["all kept"] = (table["Pairs2"] == table["Pairs"]) == table["t_p"].isna()
        checks["error"] = table["mean error eps"].between(0, 100)
    elif artefact == "table-4.8":
        checks["error"] = table["equal error xi_eq"].between(0, 100)
        checks["threshold"] = table["t_s"].between(0, 1)
        checks["classes"] = table["C"].le(table["Objects"])
    else:
        checks["share"] = table["PairsG > Greedy"].between(0, 100)
        checks["scenarios"] = (table["PairsG > Greedy"] * MATRICES % 100) == 0
    return {name: list(table.index[~held]) for name, held in checks.items() if not held.all()}


@pytest.mark.parametrize("artefact", ["table-4.3", "table-4.5", "table-4.8", *GAINS, *COUNTS])
def test_a_printed_table_does_not_contradict_itself(artefact):
    assert faults_of(artefact, printed_table(THESIS, artefact)) == {}


@pytest.mark.parametrize(("artefact", "column"), REPEATED)
def test_errors_that_repeat_another_row_to_the_digit_are_these(artefact, column):
    texts = printed_table(THESIS, artefact)[column]
    assert len(texts) == 6
    repeated = {tuple(texts.index[texts == value]) for value in texts[texts.duplicated(keep=False)]}
    assert repeated == REPEATED[artefact, column]


def test_rows_of_gains_that_repeat_another_are_those_that_gain_nothing():
    table = printed_table(THESIS, "table-4.4")
    alike = table[table.duplicated(keep=False)]
    assert list(alike.index) == [f"{name} / Lachiche" for name in ("PRTools16", "Letter", "Cbands")]
    assert not alike.to_numpy().any()


def test_printed_groups_fit_the_number_of_classes():
    """Each term ``k O(r^p)`` stands for k groups of p + 1 classes."""
    lines = pd.read_csv(values_of(THESIS), dtype=str, keep_default_na=False)
    lines = lines[(lines["artefact"] == "table-4.8") & (lines["column"] == "Decomposition")]
    texts = lines.set_index("row")["value"]
    assert len(texts) == 6
    classes = printed_table(THESIS, "table-4.8")["C"]
    for row, order in texts.items():
        terms = re.findall(r"(\d*)O?\(r(?:\^(\d))?\)", order)
        used = sum(int(count or 1) * (int(power or 1) + 1) for count, power in terms)
        assert len(terms) == order.count("(") and 2 <= used <= classes[row]


@pytest.mark.parametrize(
    ("artefact", "row", "column", "value", "fault"),
    [
        ("table-4.3", "Letter", "Pairs", 324.0, "pairs"),
        ("table-4.4", "Letter / Greedy", "Mean", 0.038, "mean"),
        ("table-4.5", "Letter", "PairsG > Greedy", 97.0, "scenarios"),
        ("table-4.8", "Nist", "t_s", 2.0, "threshold"),
        ("table-4.9", "Delve / vs Simple", "Won", 49.0, "total"),
    ],
)
def test_the_checks_find_a_number_that_was_changed(artefact, row, column, value, fault):
    table = printed_table(THESIS, artefact)
    table.loc[row, column] = value
    assert faults_of(artefact, table).get(fault) == [row]
