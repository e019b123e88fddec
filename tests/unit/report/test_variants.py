"""Variants weighed from result lines, and what the ledger and the page make of them."""

import re
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from hypothesis import given as given_
from hypothesis import settings
from hypothesis import strategies as st

from opchar.seeds import spawner
from opchar_reproduction.report.comparison.otherwise import otherwise
from opchar_reproduction.report.comparison.verdicts import Verdict, judge_number, scale
from opchar_reproduction.report.pages.rendering import environment
from opchar_reproduction.report.specification import specification
from opchar_reproduction.report.variant_tables import VariantTables, read_variant_tables
from opchar_reproduction.report.variants import artefacts, weigh
from opchar_reproduction.report.variants_page import (
    curve,
    curves,
    draw_deviations,
    outcome,
    panels,
    specifications,
    variant_lines,
)
from opchar_reproduction.results import REPEATS, Results, keep_repeats
from opchar_reproduction.statements.measurements import Finding, Measurements

CELLS = 20
NAMES = ["primary", "rule: other", "rule: same"]


def frame(values, basis="data", artefact="table-1"):
    results = Results()
    for number, value in enumerate(values):
        results.number(artefact, f"row {number}", "AUC", value, std=0.02, n=10, basis=basis)
    return results.frame("sonar", "data")


def published(values):
    return pd.DataFrame(
        {
            "id": [f"some2000:{number:04d}" for number in range(len(values))],
            "paper": "some2000",
            "artefact": "table-1",
            "row": [f"row {number}" for number in range(len(values))],
            "column": "AUC",
            "kind": "number",
            "value": [f"{value:.3f}" for value in values],
            "std": "0.020",
            "unit": "",
        }
    )


def single(truth, primary, others, names=NAMES[:2], *excluded, **more):
    """Return the one artefact of a study whose print, primary and other variants are given."""
    study = "some2000/one"
    results, variants, called = {study: primary}, {study: others}, {study: list(names)}
    (artefact,) = artefacts(published(truth), results, variants, called, *excluded, **more)
    return artefact


@pytest.fixture
def truth():
    return np.random.default_rng(3).uniform(0.6, 0.9, CELLS)


def given(truth, basis="data", shift=0.05):
    """The print follows the other variant; the primary lies `shift` off, the third is the same."""
    rng = np.random.default_rng(4)
    moved = truth + shift * rng.choice([-1, 1], CELLS)
    others = pd.concat(
        [
            frame(truth, basis).assign(variant="rule: other"),
            frame(moved, basis).assign(variant="rule: same"),
        ]
    )
    return list(
        artefacts(
            published(truth + rng.normal(0, 0.005, CELLS)),
            {"some2000/one": frame(moved, basis)},
            {"some2000/one": others},
            {"some2000/one": NAMES},
        )
    )


def test_the_variant_that_made_the_table_explains_it(truth):
    (artefact,) = given(truth)
    weights, cells = weigh(artefact, spawner(1, "variants"))
    assert list(weights["variant"]) == NAMES
    assert list(weights["explains"]) == [False, True, False]
    assert list(weights["same_as"]) == ["", "", "primary"]
    assert weights["weight"][1] > 0.999
    assert (weights["cells"] == CELLS).all()
    assert weights["chance_rate"].max() < 0.01
    reached = weights["log10_factor"] >= weights["log10_least_factor"]
    assert (weights.loc[reached, "chance"] <= weights.loc[reached, "chance_rate"]).all()
    assert weights.loc[weights["log10_factor"] < 2, "chance"].isna().all()
    assert list(weights["moved"]) == [0, 1, 0]
    assert set(cells["variant"]) == set(NAMES[:2])
    assert len(cells) == 2 * CELLS


@settings(max_examples=10, deadline=None)
@given_(st.permutations(range(3)), st.lists(st.text("abc:; ", min_size=1), min_size=3, max_size=3))
def test_the_weight_of_a_variant_depends_on_neither_order_nor_name(order, names):
    """Other variants come in another order and under other names: each keeps its numbers."""
    rng = np.random.default_rng(5)
    middle = rng.uniform(0.6, 0.9, CELLS)
    tables = [middle + shift * rng.choice([-1, 1], CELLS) for shift in (0.05, 0.0, 0.02, 0.1)]
    renamed = [f"{place} {name}" for place, name in enumerate(names)]

    def weighed(others, called):
        frames = [
            frame(tables[1 + other]).assign(variant=name)
            for other, name in zip(others, called, strict=True)
        ]
        artefact = single(middle, frame(tables[0]), pd.concat(frames), ["primary", *called])
        return weigh(artefact, spawner(1, "variants"))[0].set_index("variant")

    first, second = weighed(range(3), ["x", "y", "z"]), weighed(order, renamed)
    kept = ["weight", "log_likelihood", "log10_factor", "within", "certain", "fits", "explains"]
    for name, other in zip(renamed, order, strict=True):
        one, two = second.loc[name, kept], first.loc["xyz"[other], kept]
        assert list(one)[3:] == list(two)[3:]
        assert list(one)[:3] == pytest.approx(list(two)[:3], rel=1e-9)


@pytest.mark.parametrize("basis", ["stand-in", "illustration"])
def test_what_is_no_evidence_is_weighed_and_explains_nothing(truth, basis):
    (artefact,) = given(truth, basis)
    weights, _ = weigh(artefact, spawner(1, "variants"))
    assert (weights["basis"] == basis).all()
    assert not weights["explains"].any()
    assert weights["weight"][1] > 0.999


def test_inputs_and_variants_that_give_the_same_cells_are_not_weighed(truth):
    assert given(truth, "input") == given(truth, shift=0.0) == []


def test_what_rests_on_data_is_weighed_alone(truth):
    mixed = pd.concat([frame(truth[:5], "illustration"), frame(truth)[5:]])
    moved = mixed.assign(value=mixed["value"] + 0.1, variant="rule: other")
    artefact = single(truth, mixed, moved)
    assert artefact.basis == "data"
    assert len(artefact.lines) == CELLS - 5


def test_a_cell_that_a_variant_does_not_give_counts_against_it(truth):
    whole = frame(truth).assign(variant="rule: other")
    artefact = single(
        truth, frame(truth), pd.concat([whole.iloc[1:], whole.assign(variant="rule: same")]), NAMES
    )
    assert np.isnan(artefact.variants.values[1]).sum() == 1  # noqa: PD011
    weights, _ = weigh(artefact, spawner(1, "variants"))
    assert weights["within"][1] == CELLS - 1


def test_a_contradicted_line_takes_no_part(truth):
    moved = frame(truth + 0.1)
    artefact = single(
        truth, frame(truth), moved.assign(variant="rule: other"), NAMES[:2], ["some2000:0003"]
    )
    assert "some2000:0003" not in set(artefact.lines["id"])
    assert len(artefact.lines) == CELLS - 1


@pytest.mark.parametrize(
    "options",
    [
        {"std": 0.02, "n": 10, "printed_std": "0.03"},
        {"std": 0.02, "n": 10},
        {"printed_std": "0.03"},
        {"printed_std": "0.03", "n": 5},
    ],
)
def test_the_scale_is_that_of_the_verdict(options):
    unit, spread = scale("0.812", 0.83, **options)
    assert unit == 0.001
    z = judge_number("0.812", 0.83, **options).z
    assert z == pytest.approx((0.83 - 0.812) / np.hypot(spread, unit / np.sqrt(12)), abs=1e-9)


def test_a_tolerance_of_the_method_widens_the_digit():
    assert scale("0.812", 0.83, tolerance=0.02) == (0.04, 0.0)


def cell(**changes):
    values = {"z": 0.5, "passes": "yes", "variant": "rule: other", "value": 0.7}
    return values | {"is_primary": False} | changes


def test_agrees_otherwise_needs_a_variant_that_explains_and_a_cell_that_agrees():
    differs = Verdict("differs", "z = +4.00")
    found = otherwise(differs, cell())
    assert found.verdict == "agrees otherwise"
    assert "rule: other" in found.reason
    assert otherwise(differs, None) is differs
    assert otherwise(differs, cell(is_primary=True)) is differs
    erratum = Verdict("erratum", "misprint")
    assert otherwise(erratum, cell()) is erratum


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        (
            {"passes": "no"},
            "; within two standard errors under .* does not explain the whole artefact",
        ),
        ({"z": 2.5}, "not within two standard errors under .* which explains the artefact"),
        ({"z": float("nan")}, "not within two standard errors"),
        ({"passes": "left out"}, "leaves out its block as the print of another run"),
    ],
)
def test_every_line_that_differs_says_what_the_most_likely_variant_gives(changes, told):
    found = otherwise(Verdict("differs", "z = +4.00"), cell(**changes))
    assert found.verdict == "differs"
    assert re.search(told, found.reason)


def test_holds_otherwise_needs_a_variant_that_explains_and_under_which_the_claim_holds():
    fails = Verdict("fails", "mean 0.4")
    claim = cell(holds="holds", evidence="mean 0.8")
    assert otherwise(fails, claim).verdict == "holds otherwise"
    assert "mean 0.8" in otherwise(fails, claim).reason
    assert otherwise(fails, claim | {"holds": "fails"}) is fails
    assert otherwise(fails, claim | {"passes": "no"}) is fails
    holds = Verdict("holds", "")
    assert otherwise(holds, claim | {"holds": "fails"}) is holds


def is_above(measured, *, limit):
    values = measured.frame("kept")["value"]
    return Finding(bool(values.mean() > limit), f"mean {values.mean():.2f}")


def measured(value, name="kept"):
    return Measurements(frame([value]), {name: pd.DataFrame({"value": [value]})})


def test_a_statement_is_judged_in_every_variant():
    entry = {"function": f"{__name__}:is_above", "reads": ["some2000/one"]}
    entries = {"some2000:0100": entry | {"parameters": {"limit": 0.5}}}
    others = {"some2000/one": {"a": measured(0.4), "b": measured(0.8), "c": measured(1, "no")}}
    found = specification(entries, {"some2000/one": measured(0.9)}, others)
    assert list(found["holds"]) == ["holds", "fails", "holds", ""]
    assert "not measured under this variant" in found["evidence"].iloc[3]
    weighed = VariantTables(pd.DataFrame(), pd.DataFrame(), found)
    (item,) = specifications(weighed, {"some2000:0100": "is above"})
    assert (item["holds"], item["judged"], item["turned"]) == (2, 3, ["a"])


def test_the_curve_shows_every_variant_and_what_it_chooses():
    rows = [
        ("some2000:0100", "primary", "holds"),
        ("some2000:0100", "rule: other", "fails"),
        ("some2000:0100", "rule: other; set: <b>", ""),
        ("some2000:0101", "primary", "holds"),
        ("some2000:0101", "rule: other", "holds"),
        ("some2000:0101", "rule: other; set: <b>", "holds"),
    ]
    judged = pd.DataFrame(rows, columns=["id", "variant", "holds"])
    judged = judged.assign(experiment="some2000/one", evidence="")
    svg = curve("some2000/one", judged)
    told = "some2000:0100 holds in 1 of 2; some2000:0101 holds in 3 of 3"
    assert told in svg
    assert "set: &lt;b&gt;" in svg and "<b>" not in svg
    paths = re.findall(r'<path d="([^"]*)" fill="([^"]*)"', svg)
    full, empty = (
        [path for path, fill in paths if fill == each] for each in ("currentColor", "none")
    )
    assert [path.count("M") for path in empty] == [1]
    # the triangle, both claims, the claim that is not judged, and both choices
    assert sorted(path.count("M") for path in full) == [1, 1, 1, 1, 2, 3]
    weighed = VariantTables(pd.DataFrame(), pd.DataFrame(), judged)
    assert list(curves(weighed)) == ["some2000/one"]
    same = judged.assign(holds="holds")
    assert curves(VariantTables(pd.DataFrame(), pd.DataFrame(), same)) == {}
    items = specifications(weighed, {})
    assert [bool(item["curve"]) for item in items] == [True, False]


def test_a_statement_is_judged_on_other_data_in_every_variant_too():
    entry = {"function": f"{__name__}:is_above", "reads": ["some2000/one"]}
    entries = {
        "some2000:0100": entry | {"also_judged_on": ["some2000/two"], "parameters": {"limit": 0.5}}
    }
    primary = {"some2000/one": measured(0.9), "some2000/two": measured(0.1)}
    found = specification(entries, primary, {"some2000/two": {"a": measured(0.6)}})
    assert list(found["experiment"]) == ["some2000/two"] * 2
    assert list(found["holds"]) == ["fails", "holds"]


@pytest.fixture
def weighed(truth, tmp_path):
    (artefact,) = given(truth)
    files = [tmp_path / f"some2000{end}.csv" for end in ("", "-cells", "-statements")]
    tables = [*weigh(artefact, spawner(1, "variants")), specification({}, {}, {})]
    for table, file in zip(tables, files, strict=True):
        table.to_csv(file, index=False)
    return read_variant_tables(files)


def test_tables_that_another_protocol_explains_stand_first_and_are_named(weighed):
    plain = weighed.weights.assign(artefact="table-0", explains=False)
    cells = pd.concat([weighed.cells.assign(artefact="table-0"), weighed.cells])
    both = replace(weighed, weights=pd.concat([plain, weighed.weights]), cells=cells)
    shown = panels(both)
    assert [(panel["artefact"], panel["explained"]) for panel in shown] == [
        ("table-1", True),
        ("table-0", False),
    ]
    names = {("some2000", f"table-{n}"): f"Table {n}" for n in (0, 1)}
    common = {"said": names, "places": names, "short": {"some2000": "Some (2000)"}, "works": []}
    common |= {"here": "", "kind": "", "pages": [], "run": {"opchar": "", "profile": "", "seed": 0}}
    template = environment().get_template("variants.html")
    text = template.render(common, panels=shown, specifications=[])
    (told,) = re.findall(r"<strong>(Another protocol.*?)</strong>, 1 of 2", text)
    assert told.endswith('<a href="#some2000-table-1">Table 1 of Some (2000)</a>')
    assert text.count('<details class="item" open>') == 1
    text = template.render(common, panels=shown[1:], specifications=[])
    assert "No other protocol explains a whole table" in text


def test_the_page_shows_every_variant_and_the_terminal_as_well(weighed):
    (panel,) = panels(weighed)
    assert [row["variant"] for row in panel["rows"]] == ["rule: other", "primary"]
    assert panel["drawing"].count("<circle") == 2 * CELLS
    said = variant_lines(weighed, "some2000", ["table-1"])
    assert "3 variants, 2 differ here" in said[0]
    assert "explains 20 of 20 values where the primary one explains" in said[1]
    assert "Chance does as well in fewer than 0.25 % of tables." in said[1]
    assert "moves 100 % of the blocks, as one factor" in said[1]
    (part,) = [line for line in weighed.weights.to_dict("records") if line["explains"]]
    primary = panel["rows"][1]
    assert "fewer than 0.2 % are attributed" in outcome([part | {"moved": 0.5}, primary])
    missed = part | {"explains": False}
    assert "as well in 0.475 % of simulated" in outcome([missed | {"chance": 0.00475}, primary])
    assert "less than 100 times" in outcome([missed | {"chance": np.nan}, primary])
    short = missed | {"fits": False}
    few, many = ("fewer than 90 %", "misprints cannot explain the 2 that differ significantly")
    assert few in (said_few := outcome([short | {"within": 17}, primary])) and "mis" not in said_few
    assert (
        many in (both := outcome([short | {"within": 17, "certain": 2}, primary])) and few in both
    )
    certain = outcome([short | {"within": 18, "certain": 2}, primary])
    assert many in certain and few not in certain
    assert "explains it" in said[3]
    assert variant_lines(weighed, "some2000", ["table-2"]) == []


def test_lines_know_their_cell_under_the_most_likely_variant(weighed):
    cells = weighed.cells_of_lines()
    assert len(cells) == CELLS
    assert {found["variant"] for found in cells.values()} == {"rule: other"}
    assert {found["passes"] for found in cells.values()} == {"yes"}


def test_claims_are_read_under_the_variant_that_explains_the_artefacts_of_their_study(weighed):
    rows = [
        (f"some2000:0{number}", "some2000/one", variant, holds, "evidence")
        for number, other in ((200, "holds"), (201, ""))
        for variant, holds in (
            ("primary", "fails"),
            ("rule: other", other),
            ("rule: same", "fails"),
        )
    ]
    columns = ["id", "experiment", "variant", "holds", "evidence"]
    judged = VariantTables(weighed.weights, weighed.cells, pd.DataFrame(rows, columns=columns))
    lines = pd.DataFrame({"id": ["some2000:0200"], "artefact": ["figure-1"]})
    found = judged.cells_of_lines(lines)
    assert found["some2000:0200"]["holds"] == "holds"
    assert found["some2000:0200"]["variant"] == "rule: other"
    assert "some2000:0201" not in found
    none = weighed.weights.assign(explains=False)
    assert "some2000:0200" not in VariantTables(
        none, judged.cells, judged.statements
    ).cells_of_lines(lines)


def with_repeats(truth, number):
    """Return an artefact whose cells have this many repeats, of the first ten the odd negative."""
    results = Results()
    rng = np.random.default_rng(8)
    first = rng.normal(size=number)
    for place in range(CELLS):
        values = first * (-1) ** place if place < 10 else rng.normal(size=number)
        keep_repeats(results, "table-1", f"row {place}", "AUC", values)
    artefact = single(
        truth,
        frame(truth + 0.1),
        frame(truth).assign(variant="rule: other"),
        repeats={"some2000/one": results.curves[REPEATS]},
    )
    return artefact


def test_cells_depend_on_each_other_as_their_repeats_do(truth):
    artefact = with_repeats(truth, 200)
    assert artefact.dependence == "200 repeats"
    correlation = artefact.variants.dependence
    assert correlation[0, 1] < -0.8
    assert np.abs(correlation[10:, 10:] - np.eye(CELLS - 10)).max() < 0.3


def test_without_enough_repeats_a_common_error_is_assumed(truth):
    artefact = with_repeats(truth, 3)
    assert artefact.dependence == "common error assumed"
    assert np.allclose(artefact.variants.dependence, 0.5 + 0.5 * np.eye(CELLS))


def test_blocks_are_those_that_are_declared(truth):
    artefact = single(
        truth,
        frame(truth + 0.1),
        frame(truth).assign(variant="rule: other"),
        blocks={"some2000/one": {"blocks": "column", "contradicted": {"AUC": "two places"}}},
    )
    assert artefact.blocks == ["AUC"]
    assert artefact.variants.contradicted == (0,)
    assert not artefact.variants.blocks.any()


def test_without_variants_there_is_nothing_to_show():
    empty = read_variant_tables([])
    assert empty.cells_of_lines() == {}
    assert panels(empty) == []
    assert specifications(empty, {}) == []


def test_dots_beyond_the_border_stand_on_it_and_the_drawing_can_be_read_aloud():
    svg = draw_deviations("a <table>", {34: ("one", [0.0, 2.0, 50.0, float("nan")])})
    places = [float(x) for x in re.findall(r'cx="([\d.]+)"', svg)]
    assert places[2] == places[3] == max(places)
    assert 'role="img"' in svg
    assert "2 of 4 within 2" in svg
    assert "<table>" not in svg
