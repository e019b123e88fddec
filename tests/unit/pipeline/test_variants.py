"""Declared variants: which there are, how they are called, and what is refused."""

import csv
from copy import deepcopy
from pathlib import Path

import pytest

from leads import values_of
from opchar.errors import ConfigError
from opchar_reproduction.project.plan import Plan
from opchar_reproduction.project.tasks import Tasks
from opchar_reproduction.project.variants import PRIMARY, check, declared_name, variant_changes
from opchar_reproduction.publication import folders
from opchar_reproduction.report.comparison.expected_verdicts import read_expected

ROOT = Path(__file__).parents[3]
UNLIKE = {"differs", "fails", "agrees otherwise", "holds otherwise"}


def dimension(**values):
    return {"section": "1", "why": "open", "primary": "p", "values": {"p": {}, **values}}


DIMENSIONS = {
    "first": dimension(a={"x": 1}, b={"x": 2}),
    "second": dimension(c={"y": 3}),
    "third": dimension(d={"z": 4}),
}


def declared(combine="product", **more):
    return {"combine": combine, "dimensions": deepcopy(DIMENSIONS), **more}


def test_the_product_has_every_combination_and_the_primary_first():
    found = variant_changes(declared())
    assert len(found) == 3 * 2 * 2
    assert next(iter(found.items())) == (PRIMARY, {})
    assert found["first: b; third: d"] == {"x": 2, "z": 4}


def test_single_changes_one_dimension_at_a_time():
    assert list(variant_changes(declared("single"))) == [
        *(PRIMARY, "first: a", "first: b", "second: c", "third: d")
    ]


def test_pairs_add_the_declared_pairs_only():
    found = variant_changes(declared("pairs", pairs=[["first", "third"]]))
    extra = set(found) - set(variant_changes(declared("single")))
    assert extra == {"first: a; third: d", "first: b; third: d"}


def test_what_was_joined_after_results_says_so():
    later = declared(
        "pairs", pairs=[["first", "third"]], joined_after_results=[["second", "third"]]
    )
    found = variant_changes(later)
    joined = "second: c; third: d; joined after results"
    assert found[joined] == {"y": 3, "z": 4} and list(found)[-1] == joined
    assert list(found)[:-1] == list(variant_changes(declared("pairs", pairs=[["first", "third"]])))
    assert declared_name("third: d; joined after results; second: c", found) == joined
    with pytest.raises(ConfigError, match="no dimension 'forth'"):
        check("here", {"variants": later | {"joined_after_results": [["first", "forth"]]}})


def test_a_variant_is_known_by_its_choices_in_any_order():
    given = variant_changes(declared())
    assert declared_name("third: d;first: a", given) == "first: a; third: d"
    with pytest.raises(ConfigError, match="no variant 'first: q'"):
        declared_name("first: q", given)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda d: d["first"].update(primary="q"), "primary 'q' is no value"),
        (lambda d: d["first"]["values"]["p"].update(x=0), "primary value changes no parameter"),
        (lambda d: d["second"]["values"]["c"].clear(), "value 'c' changes nothing"),
        (lambda d: d["second"]["values"].pop("c"), "needs a value besides"),
        (lambda d: d["second"]["values"].update({100: {"y": 1}}), "write it in quotes"),
        (lambda d: d["third"]["values"].update(d={"x": 4}), "both change 'x'"),
    ],
)
def test_variants_that_are_none_are_refused(change, words):
    entry = {"variants": declared()}
    change(entry["variants"]["dimensions"])
    with pytest.raises(ConfigError, match=words):
        check("some.py, line 1: some/one", entry)


def test_a_pair_names_dimensions():
    with pytest.raises(ConfigError, match="no dimension 'fourth'"):
        check("here", {"variants": declared("pairs", pairs=[["first", "fourth"]])})


def test_variants_do_not_touch_the_job_of_their_experiment(plan: Plan):
    name = "landgrebe2007/prior-sensitivity"
    before = str(Tasks(plan).experiment("quick", name))
    plain = dict(plan.config.experiments[name])
    del plain["variants"]
    other = deepcopy(plan)
    other.config.experiments[name] = plain
    assert str(Tasks(other).experiment("quick", name)) == before
    assert "landgrebe2007/prior-sensitivity" in plan.experiments_with_variants("quick")
    assert name not in other.experiments_with_variants("quick")


def published(plan: Plan) -> dict[str, dict[str, set[str]]]:
    """Return the ids of the published lines of each experiment, by the kind of line."""
    lines: dict[tuple[str, str], list[tuple[str, str]]] = {}
    for work in plan.config.settings["papers"]:
        with values_of(work).open(encoding="utf-8") as file:
            for row in csv.DictReader(file):
                lines.setdefault((work, row["artefact"]), []).append((row["kind"], row["id"]))
    found: dict[str, dict[str, set[str]]] = {}
    for address in plan.artefacts():
        kinds = found.setdefault(plan.config.artefacts[address]["experiment"], {})
        for label in plan.labels(address):
            for kind, line in lines.get((address.split("/")[0], label), []):
                kinds.setdefault(kind, set()).add(line)
    return found


def silent(plan: Plan, names) -> list[str]:
    """Return the experiments that neither declare variants nor say why nothing is open."""
    entries = plan.config.experiments
    return sorted(name for name in names if not {"variants", "nothing_open"} & set(entries[name]))


def test_what_can_differ_from_print_has_variants_or_says_why_none_is_open(plan: Plan):
    """What data and draws decide can differ in any run; an illustration where it has a number."""
    entries = plan.config.experiments
    can_differ = [
        name
        for name, kinds in published(plan).items()
        if (entries[name]["basis"] in ("data", "simulation") and {"number", "claim"} & set(kinds))
        or (entries[name]["basis"] == "illustration" and "number" in kinds)
    ]
    assert len(can_differ) > 20
    assert silent(plan, can_differ) == []


def test_a_quick_run_makes_variants_only_where_a_line_differs(plan: Plan):
    """The kept verdicts of the quick profile say which studies these are."""
    entries = plan.config.experiments
    with (ROOT / "docs/agreement.csv").open(encoding="utf-8") as file:
        unlike = {row["id"] for row in csv.DictReader(file) if row["verdict"] in UNLIKE}
    read = {
        name
        for line, entry in plan.config.statements.items()
        if line in unlike
        for name in entry["reads"]
    }
    shown = {
        name
        for name, kinds in published(plan).items()
        if unlike & (kinds.get("number", set()) | kinds.get("text", set()))
    }
    declared = {name for name, entry in entries.items() if "variants" in entry}
    made = set(plan.experiments_with_variants("quick"))
    assert made == declared & (read | shown)
    assert set(plan.experiments_with_variants("paper")) == declared - {
        name for name in declared if entries[name].get("on_request")
    }
    assert len(made) < len(declared)


def test_what_differs_offline_has_variants_or_says_why_none_is_open(plan: Plan):
    """Of what follows from definitions the expected ledger says which lines differ."""
    expected = read_expected(folders())
    differs = set(expected.loc[expected["verdict"] == "differs", "id"])
    found = published(plan)
    names = [name for name, kinds in found.items() if differs & kinds.get("number", set())]
    assert names
    assert silent(plan, names) == []
