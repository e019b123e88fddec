import math
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from opchar_reproduction.report.comparison.ledger import COLUMNS
from opchar_reproduction.report.comparison.summaries import (
    CAUSES,
    CHANCE,
    binomial_tail,
    by_artefact,
    by_cause,
    causes,
    holm,
    multiple_comparisons,
)
from opchar_reproduction.report.comparison.verdicts import MEANINGS


def entry(verdict, z="", artefact="table-1", paper="some2000", **more):
    known = {"paper": paper, "artefact": artefact, "kind": "number", "verdict": verdict, "z": z}
    return dict.fromkeys(COLUMNS, "") | {"data": "none (analytic)"} | known | more


def ledger(*entries):
    return pd.DataFrame(entries, columns=COLUMNS)


RANDOM = ledger(
    *[entry("agrees", "0.5")] * 18,
    entry("differs", "-2.5"),
    entry("differs", "30.1"),
    *[entry("agrees", "-1.9", artefact="table-2")] * 10,
    entry("agrees", ""),
    entry("not comparable", "9"),
    entry("differs", "2.2", paper="other2001"),
)


def test_expected_and_observed_numbers_outside_two_standard_errors():
    found = multiple_comparisons(RANDOM).set_index(["level", "paper", "artefact"])
    assert list(found["lines"]) == [31, 30, 1, 20, 10, 1]
    assert list(found["observed"]) == [3, 2, 1, 2, 0, 1]
    assert found.loc[("all", "", ""), "expected"] == pytest.approx(31 * 0.0455, abs=0.005)
    table = found.loc[("artefact", "some2000", "table-1")]
    assert table["probability"] == pytest.approx(stats.binom.sf(1, 20, CHANCE), rel=1e-2)
    assert table["largest_z"] == 30.1
    assert found.loc[("artefact", "some2000", "table-2"), "probability"] == 1.0
    assert found.loc[("work", "some2000", ""), "largest_z"] == 30.1


def test_only_what_could_have_come_out_otherwise_is_set_beside_chance():
    fixed = [entry("agrees", "0.0", apart="complement")] * 7
    measured = entry("agrees", "0.1", apart="measured")
    otherwise = entry("agrees otherwise", "-4.0")
    found = multiple_comparisons(pd.concat([RANDOM, ledger(*fixed, measured, otherwise)]))
    assert list(found["lines"])[:2] == [33, 32]
    assert list(found["observed"])[:2] == [4, 3]


def test_lines_that_differ_whatever_the_dependence():
    found = multiple_comparisons(RANDOM).set_index(["level", "paper", "artefact"])
    assert found.loc[("all", "", ""), "certain"] == 1
    assert found.loc[("work", "other2001", ""), "certain"] == 0


def test_no_random_line_gives_an_empty_view():
    assert len(multiple_comparisons(ledger(entry("agrees"), entry("pending")))) == 0


def test_the_chance_is_that_of_a_normal_deviation():
    assert pytest.approx(2 * stats.norm.sf(2.0)) == CHANCE


@pytest.mark.parametrize(("observed", "lines"), [(0, 5), (1, 1), (3, 75), (30, 75), (120, 700)])
def test_the_binomial_tail(observed, lines):
    chance = Fraction(CHANCE)
    terms = [
        math.comb(lines, k) * chance**k * (1 - chance) ** (lines - k)
        for k in range(observed, lines + 1)
    ]
    assert binomial_tail(observed, lines, CHANCE) == pytest.approx(float(sum(terms)), rel=1e-9)


def test_holm_steps_down_from_the_smallest():
    generator = np.random.default_rng(3)
    for _ in range(20):
        tails = pd.Series(generator.uniform(size=30) ** 4, index=generator.permutation(30))
        rejected = set()
        for place, (name, tail) in enumerate(sorted(tails.items(), key=lambda item: item[1])):
            if tail > 0.05 / (30 - place):
                break
            rejected.add(name)
        assert set(tails.index[holm(tails)]) == rejected
    assert len(holm(pd.Series(dtype=float))) == 0


def test_counts_of_an_artefact_and_its_state():
    found = by_artefact(
        ledger(
            entry("agrees"),
            entry("pending", reason="the experiment gives no such line"),
            entry("pending", artefact="table-2", reason="not built yet"),
            entry("erratum", artefact="table-1", paper="other2001"),
            entry("holds", artefact="table-3"),
            entry("pending", artefact="table-3", reason="not built yet"),
            entry("pending", artefact="table-4", reason="the experiment gives no such line"),
        )
    )
    states = ["incomplete", "not built", "built", "partly built", "incomplete"]
    assert list(found["state"]) == states
    assert list(found["lines"]) == [2, 1, 1, 2, 1]
    assert list(found["pending"]) == [1, 1, 0, 1, 1]
    assert list(found.columns) == ["paper", "artefact", "lines", *MEANINGS, "state"]


@pytest.mark.parametrize(
    ("line", "cause"),
    [
        (entry("agrees"), ""),
        (entry("holds", kind="claim"), ""),
        (entry("pending", reason="not built yet"), "not built"),
        (entry("pending", reason="the experiment gives no such line"), "line not given"),
        (entry("unavailable"), "data not available"),
        (entry("erratum"), "error in print"),
        (entry("not comparable", reason="computed from stand-in for phoneme"), "stand-in data"),
        (
            entry("not comparable", data="stand-in for a classifier that the work does not name"),
            "not stated in the work",
        ),
        (entry("differs", reason="the range is not stated"), "not stated in the work"),
        (entry("differs", "2.1", reason="off; cause not proven: rows"), "cause not proven"),
        (entry("fails", kind="claim", reason="chance: one split"), "chance of one split"),
        (entry("differs", "2.1"), "random spread"),
        (entry("differs", "9.1"), "beyond the random spread"),
        (entry("differs", kind="text"), "text not reproduced"),
        (entry("differs", reason="off by 1, 1.5 units of the last digit"), "last digits"),
        (entry("differs", reason="off by 1, 12 units of the last digit"), "number not reproduced"),
        (entry("differs", reason="undefined here"), "number not reproduced"),
        (entry("fails", kind="claim"), "statement contradicted"),
        (entry("fails", kind="claim", data="phoneme"), "statement not confirmed"),
    ],
)
def test_the_cause_follows_from_verdict_and_reason(line, cause):
    among = ledger(line, *[entry("agrees", "0.1")] * 20)
    assert causes(among).iloc[0] == cause
    assert cause in {*CAUSES, ""}


def test_causes_count_their_artefacts():
    found = by_cause(
        ledger(
            entry("fails", kind="claim"),
            entry("erratum"),
            entry("erratum", artefact="table-2"),
            entry("erratum"),
            entry("agrees"),
        )
    )
    assert list(found["cause"]) == ["error in print", "statement contradicted"]
    assert list(found["lines"]) == [3, 1]
    assert found["artefacts"].iloc[0] == "some2000/table-1 (2); some2000/table-2 (1)"


def test_every_verdict_that_is_not_reproduced_has_a_cause():
    lines = ledger(*[entry(verdict) for verdict in MEANINGS])
    without = lines.loc[causes(lines) == "", "verdict"]
    assert list(without) == ["agrees", "agrees otherwise", "holds", "holds otherwise", "input"]
    assert not math.isnan(by_cause(lines)["lines"].sum())
