"""A malformed folder of a publication from outside is one line, before anything runs."""

import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from checkout import ROOT
from opchar.cli import main
from opchar.errors import ConfigError, OpcharError
from opchar_reproduction import publication
from opchar_reproduction.own.layout import new_publication
from opchar_reproduction.project.closure import sources
from opchar_reproduction.project.configuration.config import load
from opchar_reproduction.project.plan import Plan
from opchar_reproduction.project.tasks import Tasks
from opchar_reproduction.report.inspection import inspect
from opchar_reproduction.runs.overview import artefacts, describe
from publications import KEY, written

STUDY = "section4/twenty_instances.py"
SETTINGS = (ROOT / "config/config.yaml").read_text(encoding="utf-8")
ONLY = re.sub(r"^papers:\n(  - .*\n)+", "papers: []\n", SETTINGS, flags=re.M)


@pytest.fixture(scope="module", autouse=True)
def forgotten() -> Iterator[None]:
    """Read modules anew after these tests."""
    yield
    sources.cache_clear()


@pytest.fixture
def folder(tmp_path: Path, summaries: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The publication of the page, in a project that has no other."""
    (tmp_path / ".opchar").mkdir()
    (tmp_path / ".opchar/modules").symlink_to(summaries)
    (tmp_path / "config").mkdir()
    settings = ONLY.replace("publications: []", f"publications: [{KEY}]")
    (tmp_path / "config/config.yaml").write_text(settings, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return written(tmp_path)


def edit(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert old in text, f"{path} has no {old!r}"
    path.write_text(text.replace(old, new, 1), encoding="utf-8")


def complaint(place: Path) -> str:
    with pytest.raises(OpcharError) as caught:
        load(ROOT, here=place)
    message = str(caught.value)
    assert "\n" not in message
    return message


def test_a_plan_has_the_publication_as_any_other(folder: Path) -> None:
    plan = Plan(load(ROOT, here="."))
    assert plan.works() == {KEY: KEY}
    assert plan.artefacts() == [f"{KEY}/figure-3", f"{KEY}/text-4"]
    assert list(plan.statements("quick", KEY)) == [f"{KEY}:0005"]
    assert "to make" in artefacts(plan, "quick", KEY)[0]
    assert f"({KEY}/{STUDY}:" in "\n".join(describe(plan, "quick", f"{KEY}/text-4"))
    assert f"{KEY}/errata.csv" in plan.published_files("errata")
    task = Tasks(plan).experiment("quick", f"{KEY}/twenty-instances")
    assert "pandas" in task.parts()["libraries"]


def test_it_may_stand_anywhere_and_beside_those_of_the_package(folder: Path) -> None:
    (folder.parent / "elsewhere").mkdir()
    folder.rename(folder.parent / "elsewhere" / KEY)
    settings = SETTINGS.replace("publications: []", f"publications: [elsewhere/{KEY}]")
    (folder.parent / "config/config.yaml").write_text(settings, encoding="utf-8")
    plan = Plan(load(ROOT, here="."))
    assert list(plan.works())[-1] == KEY
    assert set(publication.folders()) < set(plan.works())
    assert plan.works()[KEY] == f"elsewhere/{KEY}"


@pytest.mark.parametrize(
    ("file", "old", "new", "said"),
    [
        ("values.csv", "unit,where", "units,where", "values.csv: column 'unit' is missing"),
        ("values.csv", ",.54,", ",.5a,", "fawcett2006:0002: '.5a' is not a number"),
        ("values.csv", ",number,70", ",numbr,70", "kind 'numbr'; write one of number, claim"),
        ("values.csv", "06:0002,", "06:0001,", "given twice: fawcett2006:0001"),
        ("values.csv", "fawcett2006:0002,f", "fawcett2006:2,f", "an id is 'fawcett2006:' and four"),
        ("values.csv", ",number,70,", ",number,,", "a number without its words or value"),
        ("values.csv", ":0004,fawcett2006,", ":0004,fawcet2006,", "a line of paper 'fawcet2006'"),
        ("about.yaml", "year: 2006", "year: MMVI", "about.yaml: 'year' is missing or not a number"),
        ("about.yaml", "title:", "titel:", "about.yaml: unknown key 'titel'"),
        ("about.yaml", "front: figure-3", "front: figure-4", "'figure-4' is not in the catalogue"),
        ("about.yaml", "authors: [", "authors: {", "not YAML"),
        ("causes.csv", "kind,", "sort,", "causes.csv: column 'kind' is missing"),
        ("catalogue.csv", "section\n", "chapter\n", "catalogue.csv: column 'section' is missing"),
        ("expected.csv", "verdict\n", "verdicts\n", "expected.csv: its columns must be"),
    ],
)
def test_malformed_tables(folder: Path, file: str, old: str, new: str, said: str) -> None:
    inspect(KEY, folder)
    edit(folder / file, old, new)
    with pytest.raises(OpcharError) as caught:
        inspect(KEY, folder)
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("file", ["errata.csv", "expected.csv"])
def test_a_line_that_is_not_published(folder: Path, file: str) -> None:
    path = folder / file
    columns = path.read_text(encoding="utf-8").strip().split(",")
    given = {"id": f"{KEY}:0009", "paper": KEY, "verdict": "agrees"}
    with path.open("a", encoding="utf-8") as opened:
        opened.write(",".join(given.get(name, "") for name in columns) + "\n")
    with pytest.raises(OpcharError, match=rf"{file}: no published line '{KEY}:0009' \(did you"):
        inspect(KEY, folder)


@pytest.mark.parametrize(
    ("file", "old", "new", "said"),
    [
        ("values.csv", ",.54,", ",.5a,", "'.5a' is not a number"),
        (STUDY, '"0005"', '"0006"', f"line 38: {KEY}:0006: no such published line"),
        (STUDY, "from opchar_reproduction.study", "from opchar studies", "line 9: not Python"),
    ],
)
def test_a_wrong_folder_is_refused_by_planning(folder, file, old, new, said) -> None:
    edit(folder / file, old, new)
    message = complaint(Path())
    assert said in message
    assert message.startswith(f"{KEY}/{file}"), message


def test_a_folder_that_is_not_there_or_not_whole(folder: Path) -> None:
    (folder / "leads.csv").unlink()
    message = complaint(Path())
    where = f"config/config.yaml: publications: {KEY}"
    assert message == f"{where}: no leads.csv; 'opchar new publication' lays all out"
    shutil.rmtree(folder)
    assert message.split(": no ")[0] == complaint(Path()).split(": no ")[0]


@pytest.mark.parametrize(
    ("key", "said"),
    [
        ("Fawcett", "'Fawcett' is no key"),
        ("own", "'own' is no key"),
        ("figures", "'figures' is no key"),
        ("tharwat2018", "there is a publication 'tharwat2018' already"),
    ],
)
def test_a_key_that_cannot_be(tmp_path: Path, monkeypatch, key: str, said: str) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ConfigError, match=said):
        new_publication(key)
    assert list(tmp_path.iterdir()) == []


def test_what_is_laid_out_is_whole_and_listed_once(folder: Path, monkeypatch, capsys) -> None:
    shutil.copy(ROOT / "Snakefile", "Snakefile")
    assert main(["new", "publication", "lee2020"]) == 0
    assert "laid out: lee2020" in capsys.readouterr().out
    inspect("lee2020", "lee2020")
    works = [key for key in load(ROOT, here=".").publications if key != "studies"]
    assert works[-2:] == [KEY, "lee2020"]
    assert main(["new", "publication", "lee2020"]) == 1
    assert "there is" in capsys.readouterr().err
    assert main(["new", "publications", "lee2020"]) == 1
    assert "write 'opchar new FOLDER' or" in capsys.readouterr().err


SECOND = """

@study("twenty-instances")
def again() -> Results: ...


table("""


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('"figure-3", title', '"figure-3", study="other", title', "no study 'other'; the file or"),
        ('table("text-4"', 'table("figure-3"', f"'{KEY}/figure-3' is marked already, at"),
        ("\n\ntable(", SECOND, f"'{KEY}/twenty-instances' is marked already, at"),
        ("profiles={}", 'profiles={"tiny": {"folds": 3}}', "unknown parameter 'folds'"),
    ],
)
def test_a_name_that_fits_nothing_is_found_by_planning(folder, old, new, said) -> None:
    path = folder / STUDY
    # The name of the result is that of the column.
    edit(path, '"threshold", best["threshold"]', '"lowest", best.iloc[0]')
    edit(path, 'basis="exact")', 'basis="exact", profiles={})')
    load(ROOT, here=".")
    edit(path, old, new)
    sources.cache_clear()
    message = complaint(Path())
    assert said in message
    assert message.startswith(f"{KEY}/{STUDY}, line "), message


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ("twenty-instances,text-5,A,B\n4,,text-5,A,B", f"row 2: '{KEY}/text-5' is listed already"),
        ("twenty-instances,,Best,Of twenty", "row 1: 'label' is missing"),
        ("twenty,text-5,Best,Of twenty", f"row 1: no study '{KEY}/twenty' (did you mean"),
        ("twenty-instances,text-5,Best,", "row 1: table: 'caption' is missing"),
        ("twenty-instances,text-5,Best,Of twenty,more", "row 1: table takes no 'more cells'"),
    ],
)
def test_a_table_may_be_listed_and_is_checked_as_a_mark(folder, row: str, said: str) -> None:
    listed = "section,study,label,title,caption\n4,"
    right = "twenty-instances,text-5,Most accurate point,Of twenty instances.\n"
    (folder / "exhibits.csv").write_text(listed + right, encoding="utf-8")
    entries = load(ROOT, here=".").artefacts
    assert entries[f"{KEY}/text-5"] == entries[f"{KEY}/text-4"]
    (folder / "exhibits.csv").write_text(listed + row, encoding="utf-8")
    assert complaint(Path()).startswith(f"{KEY}/exhibits.csv, {said}")


OPEN = """study,dimension,section,why,value,parameter,setting
twenty-instances,threshold,4,"Not said, of which.",as printed,,
,,,,two,threshold,"[0.5, 1]"
,,,,,least,0
"""


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("twenty-instances,", "twenty,", f"row 1: no study '{KEY}/twenty' (did you mean"),
        ('"Not said, of which."', "", "row 1: variant: 'why' is missing"),
        ("as printed,,", ",,", "row 1: write study, dimension, why and a value first"),
        ("section", "sections", "row 1: variant takes no 'sections' (did you mean 'section'?)"),
        (
            ",,,,two",
            "twenty-instances,threshold,4,Again.,two",
            "row 2: 'threshold' is marked twice",
        ),
    ],
)
def test_what_is_left_open_may_be_listed_and_is_checked_as_a_mark(folder, old, new, said) -> None:
    (folder / "variants.csv").write_text(OPEN, encoding="utf-8")
    entry = load(ROOT, here=".", check=False).experiments[f"{KEY}/twenty-instances"]
    found = entry["variants"]["dimensions"]["threshold"]
    assert found["values"] == {"as printed": {}, "two": {"threshold": [0.5, 1], "least": 0}}
    assert (found["primary"], found["section"]) == ("as printed", "4")
    edit(folder / "variants.csv", old, new)
    assert complaint(Path()).startswith(f"{KEY}/variants.csv, {said}")


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (
            {"landgrebe2007/p-rok": {"alpha": 0.1}},
            "parameters: no study 'landgrebe2007/p-rok' (did",
        ),
        ({"landgrebe2007/p-roc": {"pirors": [0.1]}}, "unknown parameter 'pirors' (did you mean"),
        ({"landgrebe2007/p-roc": {"priors": [1.5]}}, "parameter 'priors': 1.5: input should be"),
        ({"landgrebe2007/p-roc": [0.1]}, "is not a mapping"),
    ],
)
def test_a_wrong_override_is_found_by_planning(given: dict[str, object], said: str) -> None:
    with pytest.raises(ConfigError) as caught:
        load(ROOT, {"parameters": given})
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


def test_an_override_holds_in_every_profile(plan: Plan) -> None:
    config = load(ROOT, {"parameters": {"landgrebe2007/p-roc": {"priors": [0.25]}}})
    for profile in ("tiny", "quick", "paper"):
        given = config.experiment("landgrebe2007/p-roc", profile)["parameters"]
        before = plan.config.experiment("landgrebe2007/p-roc", profile)["parameters"]
        assert given == before | {"priors": [0.25]}
