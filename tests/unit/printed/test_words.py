"""What the answers of `opchar check` say: of which rows, columns and choices."""

import re
from collections import Counter
from itertools import combinations, product

import pytest

from opchar.cli import main
from opchar.printed import Protocol, check, infer, read_table
from opchar.printed.found import stated_and_assumed
from opchar.printed.numbers import from_to, lies, span
from opchar.printed.words import _group_in_words, _in_groups, choices_in_words, verdict, ways_tried

HEADINGS = {"Accuracy": ".9", "Precision": ".8", "Recall": ".8", "F1": ".8", "AUC": ".9"}
STATED = {
    "folds": (10, "10 test folds"),
    "parts": (((52, 94), (74, 37)), "parts of 52 + 94 and 74 + 37 positives and negatives"),
    "classes": ((50, 50, 20), "classes of 50, 50 and 20 objects"),
    "positives": (1000, "1,000 positives"),
    "negatives": (20, "20 negatives"),
    "objects": (30, "30 objects"),
    "rounding": ("cut", "further digits are cut"),
    "unit": ("percent", "all scores are in percent"),
    "average": ("macro", "Recall and F1 are plain (macro) averages over the classes"),
    "of_class": ("negative", "Recall and F1 are of the negative class"),
    "f": ("F of means", "F1 is computed from the mean precision and recall of the folds"),
    "spread": ("se", "a standard error over the folds stands after ±"),
    "sd": ("population", "spreads are divided by n"),
    "averages": ("pooled", "all scores of a row come from one confusion matrix: one test set, two"),
    "folding": ("unknown", "a fold may have any share of each class"),
    "test": ("paired", "the t-test is paired"),
    "confusion": (True, "each row has the rates of a true class, a row of a confusion matrix"),
}


def test_what_is_assumed_is_of_columns_that_the_table_has():
    for size in range(1, len(HEADINGS) + 1):
        for names in combinations(HEADINGS, size):
            text = f"m,{','.join(names)}\nA,{','.join(HEADINGS[name] for name in names)}"
            for protocol in (Protocol(), Protocol(folds=5, averages="fold-means")):
                assumed = "; ".join(stated_and_assumed(read_table(text), protocol, {})[1])
                said = {name for name in HEADINGS if re.search(rf"\b{name}\b", assumed)}
                assert said == set(names) & {"Precision", "Recall", "F1"}
                assert ("confusion matrix" in assumed) == (protocol.pooled and names != ("AUC",))


@pytest.mark.parametrize("name", STATED)
def test_each_choice_that_is_stated_is_said_in_words(name):
    stated, words = {name: STATED[name][0]}, STATED[name][1]
    table = read_table("m,Recall,F1,t\nA,.8,.8,1")
    said, assumed = stated_and_assumed(table, Protocol(**stated), stated)
    assert len(said) == 1 and said[0].startswith(words)
    assert said[0] not in assumed


def test_means_that_follow_from_folds_are_assumed_not_stated(tmp_path, capsys):
    table = tmp_path / "t.csv"
    table.write_text("m,Accuracy\nA,.9\n", encoding="utf-8")
    main(["check", str(table), "--folds", "10"])
    said = capsys.readouterr().out.splitlines()
    assert said[1] == "stated: 10 test folds"
    assert "scores are means over the folds (else say --averages pooled)" in said[2]
    main(["check", str(table), "--folds", "10", "--averages", "pooled"])
    said = capsys.readouterr().out
    assert "one confusion matrix: all test folds together" in said
    assert "else say" not in said
    main(["check", str(table), "--no-confusion"])  # the default, which states nothing
    assert "stated" not in capsys.readouterr().out


def test_the_verdict_names_the_rows_that_others_differ_from():
    rows = [f"row {at},{'.91' if at in (1, 3) else '.875'}" for at in range(4)]
    table = read_table("m,Accuracy\n" + "\n".join(rows))
    said = verdict(table, check(table, Protocol(3, 5)), Protocol(3, 5))
    assert said.endswith("3 positives and 5 negatives: row 1, row 3.")
    many = read_table("m,Accuracy\nb,.875\n" + "\n".join(f"row {at},.91" for at in range(7)))
    said = verdict(many, check(many, Protocol(3, 5)), Protocol(3, 5))
    assert said.endswith(": row 0, row 1, row 2, row 3, row 4 and 2 more.")


def test_a_value_that_is_the_only_one_is_said_as_one():
    assert (span(1, 1), from_to(1, 2)) == ("1", "from 1 to 2")
    assert lies(0.1, 0.10000001, ".6f") == "is 0.100000"
    text = "m,Sensitivity,Specificity,Accuracy\nA,0.80,0.90,0.91"
    said = check(text, Protocol(50, 150))["A"].arithmetic
    assert said[0].endswith("only TP = 40 and FP = 15")
    assert said[1].startswith("Accuracy would be 0.875; printed is 0.91")
    said = check("m,Sensitivity,Accuracy\nA,0.80,0.3", Protocol(5, 5))["A"].arithmetic
    assert said[0].endswith("6 matrices fit, with TP = 4 and FP from 0 to 5")
    assert said[1].startswith("Accuracy would be at least 0.4; printed is 0.3")


def test_groups_of_ways_have_each_way_once():
    values = {"rounding": ["nearest", "cut"], "average": ["class", "macro"], "folds": [1, 5]}
    every = [dict(zip(values, one, strict=True)) for one in product(*values.values())]
    for left in range(1, 2 ** len(every)):
        choices = [choice for at, choice in enumerate(every) if left >> at & 1]
        groups = _in_groups(choices)
        named = [one for group in groups for one in product(*group.values.values())]
        assert sorted(named, key=str) == sorted((tuple(c.values()) for c in choices), key=str)


def test_ways_to_obtain_a_table_are_named_with_what_they_leave():
    table = read_table("m,Recall,F1\nA,.125,.294\nB,.125,.2")
    found = infer(table, Protocol(20, 180), draws=0)
    said = choices_in_words(found)
    assert "digits rounded or truncated; scores of one class or macro averages" in said[0]
    assert "one test set or means over 5 or 10 folds" in said[0]
    ways = ways_tried(found)
    often = Counter(status for status, _ in ways)
    # Of one test set: either class, macro, weighted, micro; over folds too; F twice over folds.
    assert len(ways) == often.total() == 2 * (5 + 2 * 5)
    assert said[0].startswith(f"{len(ways)} ways")
    assert said[1].startswith(f"  {often['possible']} leave all rows possible")
    assert f"{often['impossible, by row A']} leave a row impossible" in said[1]
    assert {label for _, label in found.refuted} == {"A"}
    words = [line for line in said if line.startswith("  impossible, by row A: ")]
    groups = _in_groups([choice for status, choice in ways if status == "impossible, by row A"])
    named = [f"  impossible, by row A: {_group_in_words(group.values)}" for group in groups]
    assert words[:4] == named[:4]
    means = {"averages": ["pooled", "fold-means"]}
    said = choices_in_words(infer(table, Protocol(20, 180, folds=5), means, draws=0))
    assert said[0].endswith("tried: all objects together or means over the folds")


@pytest.mark.parametrize("text", ["abc", "", "1e3", "9" * 30])
def test_a_day_that_is_no_number_is_refused_in_one_line(text, tmp_path, capsys, monkeypatch):
    monkeypatch.setenv("SOURCE_DATE_EPOCH", text)
    assert main(["analyse", str(tmp_path / "none.csv")]) == 1
    line = f"opchar: SOURCE_DATE_EPOCH: '{text}' is no whole number of seconds\n"
    assert capsys.readouterr().err == line


def test_a_row_that_averages_may_have_is_not_assumed_to_be_of_one_class(tmp_path, capsys):
    """Boosting has its scores as averages over classes only; stated not to be, it is impossible."""
    table = tmp_path / "t.csv"
    table.write_text("m,accuracy,precision,recall,F1\nBoosting,0.4,0.93,0.918,0.924\n")
    main(["check", str(table)])
    said = capsys.readouterr().out
    assert "possible for averages over classes is not decided" in said
    assert "not averaged" not in said
    main(["check", str(table), "--average", "class"])
    said = capsys.readouterr().out
    assert "Under the assumptions below, the row cannot come from one test set." in said
    assert "of one class, not averaged over classes" in said
