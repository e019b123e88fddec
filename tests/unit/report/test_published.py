import re

import pandas as pd
import pytest
import yaml

from checkout import ROOT
from opchar.errors import DataError
from opchar_reproduction.publication import folders
from opchar_reproduction.report.comparison.published_values import (
    ERRATA,
    LINES,
    read_catalogue,
    read_errata,
    read_lines,
    read_papers,
)
from opchar_reproduction.report.comparison.verdicts import judge_number

COUNTS = {
    "soleymani2020": 91,
    "soleymani2018": 26,
    "mullick2020": 67,
    "landgrebe2007": 1079,
    "tharwat2018": 314,
}


@pytest.fixture(scope="module")
def lines():
    return read_lines(folders())


def test_every_published_line_is_there_once(lines):
    assert lines.groupby("paper").size().to_dict() == COUNTS
    assert lines["id"].is_unique
    assert lines["id"].str.fullmatch(r"[a-z]+\d{4}:\d{4}").all()
    assert (lines["id"].str.split(":").str[0] == lines["paper"]).all()


def test_numbers_read_as_numbers_and_agree_with_themselves(lines):
    numbers = lines[lines["kind"] == "number"]
    assert len(numbers) == 1264
    for line in numbers.to_dict("records"):
        found = judge_number(line["value"], float(line["value"]), printed_std=line["std"])
        assert found.verdict == "agrees", line["id"]


def test_numbers_keep_their_printed_zeros(lines):
    value = lines.set_index("id")["value"]
    assert value["soleymani2020:0018"] == "0.70"
    assert value["landgrebe2007:0605"] == "0.0000"
    assert value["landgrebe2007:0116"] == "8.1e5"


def test_statements_and_texts_say_something(lines):
    assert (lines.loc[lines["kind"] == "claim", "claim"] != "").all()
    assert (lines.loc[lines["kind"] == "text", "value"] != "").all()
    assert (lines["where"] != "").all()


def test_files_have_unix_line_ends():
    for folder in folders().values():
        for path in folder.rglob("*.csv"):
            assert b"\r" not in path.read_bytes(), path


def test_catalogue_and_papers_name_the_same_works():
    papers = read_papers(folders())
    catalogue = read_catalogue(folders())
    assert list(papers["paper"]) == sorted(COUNTS)
    assert set(catalogue["paper"]) == set(COUNTS)
    assert not catalogue.duplicated(["paper", "artefact"]).any()
    assert (papers["citation"].str.contains("2020|2018|2007")).all()


def test_each_erratum_quotes_a_published_line_and_names_its_test(lines):
    errata = read_errata(folders())
    assert list(errata.columns) == ERRATA
    assert errata["id"].is_unique
    known = lines.set_index("id")
    for erratum in errata.to_dict("records"):
        assert erratum["paper"] in COUNTS
        assert erratum["printed"] != erratum["corrected"], erratum["id"]
        assert erratum["why"], erratum["id"]
        for test in re.split("; (?=tests/)", erratum["test"]):
            path, _, name = test.partition("::")
            source = (ROOT / path).read_text(encoding="utf-8")
            assert f"def {name.split('[')[0].rpartition('::')[2]}(" in source, erratum["id"]
        if not re.search(r":\d{4}$", erratum["id"]):
            continue
        line = known.loc[erratum["id"]]
        for name in ("paper", "artefact", "row", "column"):
            assert erratum[name] == line[name], erratum["id"]
        if line["kind"] == "number":
            assert erratum["printed"] == line["value"], erratum["id"]


def test_a_missing_file_or_column_is_named(tmp_path):
    with pytest.raises(DataError, match=r"values\.csv: not there"):
        read_lines({"some": tmp_path})
    pd.DataFrame(columns=LINES[:-1]).to_csv(tmp_path / "values.csv", index=False)
    with pytest.raises(DataError, match=r"values\.csv: column 'claim' is missing"):
        read_lines({"some": tmp_path})


def test_a_line_given_twice_is_named(tmp_path):
    line = dict.fromkeys(LINES, "") | {"id": "some:0001", "paper": "some", "artefact": "table-1"}
    twin = line | {"id": "some:0002"}
    pd.DataFrame([line, twin], columns=LINES).to_csv(tmp_path / "values.csv", index=False)
    with pytest.raises(DataError, match=r"given twice: some \| table-1"):
        read_lines({"some": tmp_path})


def test_a_line_of_another_work_is_named(tmp_path):
    line = dict.fromkeys(LINES, "") | {"id": "other:0001", "paper": "other"}
    pd.DataFrame([line], columns=LINES).to_csv(tmp_path / "values.csv", index=False)
    with pytest.raises(DataError, match=r"values\.csv: a line of paper 'other' in the folder of"):
        read_lines({"some": tmp_path})


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ("title: [a]", "'title' is missing or not a text"),
        ("year: '2020'", "'year' is missing or not a number"),
        ("authors: []", "'authors' is not a list of names"),
        ("autors: [a]", "unknown key 'autors' (did you mean 'authors'?)"),
        ("chapters: [a]", "'chapters' is missing or not a mapping"),
    ],
)
def test_what_is_wrong_about_a_work_is_named(tmp_path, changed, said):
    about = {"title": "A", "authors": ["B C"], "year": 2020, "citation": "D", "description": "E"}
    (tmp_path / "about.yaml").write_text(yaml.safe_dump(about | yaml.safe_load(changed)))
    with pytest.raises(DataError, match=re.escape(f"about.yaml: {said}")):
        read_papers({"some": tmp_path})
