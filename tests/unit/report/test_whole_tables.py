"""A table of one split is judged as a whole: by the rank of the print among our own splits."""

import numpy as np
import pandas as pd
import pytest

from checkout import ROOT
from opchar.statistics.one_split import cells_beyond, splits_as_far
from opchar_reproduction.report.comparison import whole_tables as whole

LABELS = {"table-1", "table-2"}
CELLS = [f"c{index}" for index in range(6)]


def repeats(measured):
    values = dict(zip(CELLS, np.transpose(measured), strict=True))
    return {"table-1": {("table-1", "r", name): cells for name, cells in values.items()}}


def ledger(printed, n, spread="ours", **changed):
    lines = {"paper": "w", "artefact": "table-1", "row": "r", "column": CELLS, "data": "set"}
    lines |= {"published": [f"{value:.2f}" for value in printed], "n": str(n), "spread": spread}
    return pd.DataFrame(lines | {"z": "0", "apart": "", "verdict": "agrees"} | changed)


def draw(seed, count):
    """Return tables whose cells go together, as those of one split do."""
    rng = np.random.default_rng(seed)
    return 50 + rng.standard_normal((count, 1)) + rng.standard_normal((count, 6)) / 2


def test_of_one_law_at_most_one_table_in_twenty_is_more_than_expected():
    below = 0
    for seed in range(400):
        printed, *ours = draw(seed, 21)
        apart, far = splits_as_far(printed, np.array(ours))
        assert apart == cells_beyond(np.vstack([printed, ours]))[0]
        below += far < 0.05 * len(ours)
    assert below / 400 < 0.05 + 2 * (0.05 * 0.95 / 400) ** 0.5


@pytest.mark.parametrize(("shift", "says"), [(0.0, whole.AS_EXPECTED), (9.0, whole.BEYOND)])
def test_the_print_is_ranked_among_our_splits(shift, says):
    lines = ledger([50 + shift] * 6, 20)
    (text,) = whole.whole_tables(lines, repeats(draw(1, 20)), LABELS)["table-1"]
    assert text.endswith(says)
    assert f"{6 if shift else 0} of 6 cells" in text
    assert f"{0 if shift else 20} of our own 20 splits" in text


@pytest.mark.parametrize(
    ("lines", "count", "says"),
    [
        (ledger([50] * 6, 18), 18, "too few splits to judge (19 are needed)"),
        (ledger([50] * 6, 1), 20, whole.RESAMPLED),
        (ledger([50] * 6, 20, "both"), 20, whole.STATED),
        (ledger([50] * 6, 20, artefact="table-2"), 20, whole.NOT_KEPT),
    ],
)
def test_what_is_not_judged_says_why(lines, count, says):
    ((text,),) = whole.whole_tables(lines, repeats(draw(2, count)), LABELS).values()
    assert text.endswith(says)


def test_wrong_and_repeated_values_are_left_out():
    verdicts, apart = ["erratum", *["agrees"] * 5], [*[""] * 5, "repeated"]
    lines = ledger([50] * 6, 20, verdict=verdicts, apart=apart)
    (text,) = whole.whole_tables(lines, repeats(draw(1, 20)), LABELS)["table-1"]
    assert "of 4 cells" in text


def test_reasons_of_chance_say_what_the_pages_say():
    causes = pd.concat(pd.read_csv(file) for file in ROOT.glob("src/*/publications/*/causes.csv"))
    by_chance = causes[causes["kind"] == "chance"]
    assert len(by_chance)
    assert by_chance["cause"].str.startswith(whole.AS_EXPECTED).all()
