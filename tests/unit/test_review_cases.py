"""Each public or reviewed case on scores and decisions has a test, named in a table."""

import ast
import csv

import pytest

from checkout import ROOT

with (ROOT / "tests/review_cases.csv").open(encoding="utf-8", newline="") as table:
    CASES = list(csv.DictReader(table))


@pytest.mark.parametrize("row", CASES, ids=lambda row: row["case"])
def test_a_case_has_its_test(row: dict[str, str]) -> None:
    file, _, name = row["test"].partition("::")
    tree = ast.parse((ROOT / "tests" / file).read_text(encoding="utf-8"))
    assert name in {each.name for each in tree.body if isinstance(each, ast.FunctionDef)}
