import re
from pathlib import Path

import pandas as pd
import pytest

from opchar.errors import DataError
from opchar.report.comparison.published import (
    ERRATA,
    LINES,
    read_catalogue,
    read_errata,
    read_lines,
    read_papers,
)
from opchar.report.comparison.verdicts import judge_number

FOLDER = Path(__file__).parents[3] / "data" / "published"
COUNTS = {
    "soleymani2020": 91,
    "soleymani2018": 26,
    "mullick2020": 67,
    "landgrebe2007": 1079,
    "tharwat2018": 314,
}


@pytest.fixture(scope="module")
def lines():
    return read_lines(FOLDER, list(COUNTS))


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
    for path in FOLDER.glob("*.csv"):
        assert b"\r" not in path.read_bytes(), path.name


def test_catalogue_and_papers_name_the_same_works():
    papers = read_papers(FOLDER)
    catalogue = read_catalogue(FOLDER)
    assert list(papers["paper"]) == list(COUNTS)
    assert set(catalogue["paper"]) == set(COUNTS)
    assert not catalogue.duplicated(["paper", "artefact"]).any()
    assert (papers["citation"].str.contains("2020|2018|2007")).all()


def test_each_erratum_quotes_a_published_line_and_names_its_test(lines):
    errata = read_errata(FOLDER)
    assert list(errata.columns) == ERRATA
    assert errata["id"].is_unique
    known = lines.set_index("id")
    for erratum in errata.to_dict("records"):
        assert erratum["paper"] in COUNTS
        assert erratum["printed"] != erratum["corrected"], erratum["id"]
        assert erratum["why"], erratum["id"]
        for test in re.split("; (?=tests/)", erratum["test"]):
            path, _, name = test.partition("::")
            source = (FOLDER.parents[1] / path).read_text(encoding="utf-8")
            assert f"def {name.split('[')[0].rpartition('::')[2]}(" in source, erratum["id"]
        if not re.search(r":\d{4}$", erratum["id"]):
            continue
        line = known.loc[erratum["id"]]
        for name in ("paper", "artefact", "row", "column"):
            assert erratum[name] == line[name], erratum["id"]
        if line["kind"] == "number":
            assert erratum["printed"] == line["value"], erratum["id"]


def test_a_missing_file_or_column_is_named(tmp_path):
    with pytest.raises(DataError, match=r"none\.csv: not there"):
        read_lines(tmp_path, ["none"])
    pd.DataFrame(columns=LINES[:-1]).to_csv(tmp_path / "some.csv", index=False)
    with pytest.raises(DataError, match=r"some\.csv: column 'claim' is missing"):
        read_lines(tmp_path, ["some"])


def test_a_line_given_twice_is_named(tmp_path):
    line = dict.fromkeys(LINES, "") | {"id": "some:0001", "paper": "some", "artefact": "table-1"}
    twin = line | {"id": "some:0002"}
    pd.DataFrame([line, twin], columns=LINES).to_csv(tmp_path / "some.csv", index=False)
    with pytest.raises(DataError, match=r"given twice: some \| table-1"):
        read_lines(tmp_path, ["some"])
