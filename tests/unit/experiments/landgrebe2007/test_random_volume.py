"""Secs. 3.3.4 and 3.3.7: the random classifier, and printed values that cannot be right."""

from decimal import ROUND_DOWN, Decimal
from math import factorial

from opchar.multiclass.roc.bounds import joggle_bound, lower_bound
from opchar_reproduction.publication import folders
from opchar_reproduction.report.comparison.published_values import read_lines

HULL = "Estimated VUS (QHull, random classifier)"


def printed_hulls() -> dict[int, float]:
    lines = read_lines(folders("landgrebe2007"))
    lines = lines[(lines["artefact"] == "eq-3.17") & (lines["column"] == HULL)]
    return {
        int(row.removeprefix("C=")): float(value)
        for row, value in zip(lines["row"], lines["value"], strict=True)
    }


def test_one_tolerance_covers_the_printed_hulls_but_that_with_a_missing_digit():
    """Half a unit of the last digit comes on top for C = 10 to 12, which have few digits."""
    outside = {
        c
        for c, volume in printed_hulls().items()
        if abs(volume - lower_bound(c)) > max(joggle_bound(c), 0.5e-14)
    }
    assert outside == {6}


def test_erratum_a_digit_is_missing_for_six_classes():
    relative = {5: 0.00833333333563, 6: 0.0013888888932, 7: 0.00019841269853}
    off = {c: abs(volume / lower_bound(c) - 1) for c, volume in relative.items()}
    with_the_digit = abs(0.00138888888932 / lower_bound(6) - 1)
    assert off[6] > 4 * off[7] > 4 * off[5]
    assert off[5] < with_the_digit < off[7]


def test_erratum_one_sixth_is_cut_and_not_rounded():
    """1/6 stands as 0.16666 and 0.1666666; the same table rounds 1/4! to 1/6! in all rows."""
    lines = read_lines(folders("landgrebe2007"))
    table = lines[lines["artefact"] == "table-3.3.4-numeric-integration"]
    table = table[table["column"] == "Actual VUS"]
    text = lines[(lines["artefact"] == "text-3.3.4") & (lines["column"] == "lower bound")]
    printed = [(int(row[2]), Decimal(value)) for row, value in table[["row", "value"]].to_numpy()]
    printed += [(3, Decimal(value)) for value in text["value"]]
    assert len(printed) == 9
    for c, value in printed:
        exact = Decimal(1) / factorial(c)
        assert (exact.quantize(value) == value) == (c != 3)
        assert c != 3 or exact.quantize(value, rounding=ROUND_DOWN) == value
