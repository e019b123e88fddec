"""A wrong mark of a study is one line that names its place, before anything runs."""

import inspect
import re
import shutil
from pathlib import Path

import pytest

from checkout import ROOT
from opchar.errors import ConfigError
from opchar.functions import import_function
from opchar_reproduction.project.configuration import config
from opchar_reproduction.project.configuration.entries import Studies, add_marks
from opchar_reproduction.project.configuration.parameters import misfit
from opchar_reproduction.project.configuration.studies import read_marks, read_studies
from opchar_reproduction.study import settings

PUBLICATIONS = "src/opchar_reproduction/publications"
P_ROC = "landgrebe2007/chapter2/precision_recall/measure.py"
KNOWN = "landgrebe2007/chapter3/known_distributions/measure.py"
BOUND = "landgrebe2007/chapter3/lower_bound.py"
TWICE = "landgrebe2007/chapter2/case_study/judge.py"
OUTPUTS = "landgrebe2007/chapter1/weighted_outputs.py"
SETS = "landgrebe2007/chapter4/section2/pairwise_tables/measure.py"
CLAIMS = "landgrebe2007/statements.csv"
CASES = "soleymani2018/statements.csv"
SHOWN = "soleymani2018/exhibits.csv"
OPEN = "landgrebe2007/variants.csv"
DRAWN = "mullick2020/test_sets/draw.py"


@pytest.fixture(scope="module")
def copied(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("marks")
    shutil.copytree(ROOT / PUBLICATIONS, folder / PUBLICATIONS)
    return folder


def complaint(folder: Path, monkeypatch: pytest.MonkeyPatch, *edits: tuple[str, str, str]) -> str:
    """Return what is said of changed marks; the files are put back."""
    monkeypatch.setattr(config, "PACKAGE", folder / "src/opchar_reproduction")
    texts = {}
    try:
        for file, pattern, new in edits:
            path = folder / PUBLICATIONS / file
            texts.setdefault(path, path.read_text(encoding="utf-8"))
            text = path.read_text(encoding="utf-8")
            changed, count = re.subn(pattern, new, text, count=1, flags=re.M)
            assert count == 1, f"{file} has no {pattern!r}"
            path.write_text(changed, encoding="utf-8")
        with pytest.raises(ConfigError) as caught:
            config.load(ROOT)
    finally:
        for path, text in texts.items():
            path.write_text(text, encoding="utf-8")
    message = str(caught.value)
    assert "\n" not in message
    assert len(message) < 350
    return message


@pytest.mark.parametrize(
    ("file", "pattern", "new", "expected"),
    [
        (P_ROC, '"satellite-cotton-damp', '"satelite-cotton-damp', "did you mean 'satellite"),
        (P_ROC, r"\| holdout-20", "| holdout-2", "did you mean 'holdout-20'"),
        (P_ROC, "pca3 mogc3", "pca3 mogx3", "mogx3"),
        (P_ROC, r"\| holdout-20", "", 'write scores=["data | protocol | model; model"]'),
        (SETS, '"sets.csv"', '"lots.csv"', "lots.csv: "),
        (SETS, '"sets.csv"', '"sets.csv", by="name"', "'name'"),
        (SETS, r"__file__, ", "", 'write settings(__file__, "<table>.csv", by=...)'),
        (P_ROC, 'kind="anova"', 'kind="anowa"', "did you mean 'anova'"),
        (P_ROC, 'kind="anova"', 'kynd="anova"', "did you mean 'kind'"),
        (KNOWN, r"^    tables: ", "    tabels: ", "did you mean 'tables'"),
        (OPEN, "objects,1000", "objekts,1000", "did you mean 'objects'"),
        (KNOWN, r'"largest_r": 12', '"largest_r": "many"', "'largest_r'"),
        (BOUND, r"by=|^def hulls_are_one\w+", "def no_more", "no_more"),
        (BOUND, '"0217"', '"9217"', "statement: 'criterion' is missing"),
        (BOUND, '"0234"', '"0217"', "'landgrebe2007:0217' is marked already, at"),
        (BOUND, '"0217"', '"0217", study="lower-bound"', "statement: 'study' is given in"),
        (DRAWN, '"figure-4"', '"figure-3"', "'mullick2020/figure-3' is marked already, at"),
        (DRAWN, '"figure-4"', '"figure-4", title="Two"', "figure: 'title' is given in"),
        (OUTPUTS, r"Control\(without_", "Control(with_", "'with_weights' is no literal"),
        (TWICE, 'errors", of="A"', 'errors", off="A"', "'of'"),
        (P_ROC, '"with"', '"withal"', "'withal'"),
        (P_ROC, r'"with": {"beyond"', '"with": {"beyund"', "unknown parameter 'beyund'"),
        (P_ROC, r'"beyond": False', '"beyond": "no"', "parameter 'beyond': 'no'"),
    ],
)
def test_wrong_marks(copied: Path, monkeypatch, file, pattern, new, expected) -> None:
    message = complaint(copied, monkeypatch, (file, pattern, new))
    assert message.startswith(PUBLICATIONS), message
    assert re.search(r"\.py, line \d+", message), message
    assert expected in message


@pytest.mark.parametrize(
    ("file", "pattern", "new", "expected"),
    [
        (CLAIMS, "^0217,", "0234,", "'landgrebe2007:0234' is listed already, at"),
        (
            CLAIMS,
            "^0217,",
            "9217,vus-lower-bound,,Of all.,,,,,,\\n0217,",
            "no function is marked with '9217'; or write by",
        ),
        (CASES, "^0001,", "9001,", "soleymani2018:9001: no such published line"),
        (CASES, "^0001,formulas", "0001,formulae", "did you mean 'soleymani2018/formulas'"),
        (CASES, "^0001,formulas", "0001,", "row 1: "),
        (SHOWN, "figure,soleymani2020.curves_figures:crisp_pairs", "figure,", "or write by"),
        (SHOWN, ":crisp_pairs", ":crisp_pair", "crisp_pair"),
        (CASES, ":formula_holds,", ":formula_hold,", "formula_hold"),
        (CASES, ",other_case", ",another_case", "no attribute 'another_case'"),
        (CASES, "says='the curve", "sais='the curve", "unexpected keyword argument 'sais'"),
        (CASES, "frame = pc-of-m", "farme = pc-of-m", "did you mean 'frame'"),
        (CASES, ",after,", ",later,", "'later'"),
        (CASES, ",after,", ",before,", "'before'"),
    ],
)
def test_wrong_rows(copied: Path, monkeypatch, file, pattern, new, expected) -> None:
    message = complaint(copied, monkeypatch, (file, pattern, new))
    assert expected in message


def test_the_studies_of_the_package_are_right() -> None:
    found = read_studies(ROOT / "src/opchar_reproduction")
    assert len(found.experiments) >= 90
    assert set(found.artefacts) == {name for kind, name in found.places if kind == "artefacts"}
    sections = {name: entry["section"] for name, entry in found.artefacts.items()}
    assert sections["landgrebe2007/table-2.3"] == "2.3.6", "as the catalogue says"
    assert sections["mullick2020/text-5.1"] == "5.1", "as the mark says, and not 5.1-5.2"


@pytest.mark.parametrize(
    ("value", "written", "said"),
    [
        ([0.9, 0.1], "Span", "0 <= low < high <= 1"),
        ([0.1, 1.9], "Span", "0 <= low < high <= 1"),
        ([0.1], "Span", "0 <= low < high <= 1"),
        (0.1, "Span", "valid list"),
        ([0.5, 1.1], "list[Rate]", "less than or equal to 1"),
        (-0.1, "Rate", "greater than or equal to 0"),
        ("5 %", "Rate", "valid number"),
        (float("nan"), "Rate", "finite number"),
        (True, "float", "valid number"),
        (0, "Count", "greater than or equal to 1"),
        (2.5, "int", "valid integer"),
        ("bets", "Literal['best', 'printed']", "did you mean 'best'"),
        ({"a": "b"}, "Mapping[str, float]", "valid number"),
        (None, "float", "valid number"),
    ],
)
def test_values_that_do_not_fit_their_type(value: object, written: str, said: str) -> None:
    assert said in misfit(value, written)


@pytest.mark.parametrize(
    ("value", "written"),
    [
        ([0.1, 0.9], "Span"),
        (1, "float"),
        (None, "Rate | None"),
        ([1, [2]], "list[int | list[int]]"),
        (object(), "ScoreTable"),
        ("x", "np.ndarray"),
        ("x", "print('run')"),
    ],
)
def test_values_that_fit_their_type(value: object, written: str) -> None:
    assert misfit(value, written) == ""


def test_marks_are_read_and_not_run(tmp_path: Path) -> None:
    text = '''
from opchar_reproduction.study import figure, study, variant
raise SystemExit("run")
SIZES = [10, 20]

@study("sizes", profiles={"tiny": {"sizes": [10]}})
@variant("law", section="4", why="It is not
 said.", values={"b": {"law": "b"}, "a": {}})
def measure(*, sizes: list[int] = SIZES, law: str = "a", none=(), spawn=None): ...

@figure("figure-1", title="Sizes", caption="""Two
    lines.""")
def draw(results, curves): ...
'''.replace('"It is not\n said."', '"It is not said."')
    found = Studies()
    add_marks(found, read_marks(text, "mine.py", "mine.py"), "own")
    entry = found.experiments["own/sizes"]
    assert entry["function"] == "mine.py:measure"
    assert entry["parameters"] == {"sizes": [10, 20], "law": "a"}
    assert entry["variants"]["dimensions"]["law"]["primary"] == "a"
    drawn = found.artefacts["own/figure-1"]
    assert drawn["caption"] == "Two lines."
    assert drawn["experiment"] == "own/sizes"
    assert found.places["artefacts", "own/figure-1"].startswith("mine.py, line ")


@pytest.mark.parametrize(
    ("short", "kind", "given"),
    [
        ('exchanged("A", "B", "x", says="S")', "exchange_columns", {"first": "A"}),
        ('exchanged("A", "B", "x", "c", says="S")', "exchange_levels", {"second": "B"}),
        ('reverse("S", "x", "c")', "reverse", {"column": "c"}),
        ('flatten("S", "x", "c")', "flatten", {"column": "c"}),
        ('opposite("S", "x", "c")', "opposite", {"column": "c"}),
        ('replace_column("S", "x", "c", 1)', "replace_column", {"column": "c", "value": 1}),
        ('copy_column("S", "x", "a", "b")', "copy_column", {"source": "a", "target": "b"}),
        ('set_value("S", "t", "r", "c", 2)', "set_value", {"artefact": "t", "row": "r"}),
    ],
)
def test_a_control_of_one_kind_is_read_as_what_it_changes(short, kind, given) -> None:
    (mark,) = read_marks(
        f"from opchar_reproduction.statements.exchange import {short.partition('(')[0]}\n"
        "from opchar_reproduction.study import statement\n"
        f'@statement("0001", criterion="A.", control={short})\n'
        "def holds(measured): ...\n",
        "here",
        "here.py",
    )
    control = mark.given["control"]
    assert control["function"].endswith(f":{kind}") and control["says"] == "S"
    assert given.items() <= control["parameters"].items()
    taken = inspect.signature(import_function(control["function"])).parameters
    assert {*control["parameters"]} == {*taken} - {"measured"}


def test_studies_share_a_variant() -> None:
    source = """
from opchar_reproduction.study import study, variant

@study("a")
@variant("0/0", section="1", why="Open.", values={"0": {}}, study=["a", "b"])
def a(*, spawn): ...

@study("b")
def b(*, spawn): ...
"""
    found = Studies()
    add_marks(found, read_marks(source, "here", "here.py"), "x")
    variants = [found.experiments[address]["variants"] for address in ("x/a", "x/b")]
    assert variants[0] == variants[1] and list(variants[0]["dimensions"]) == ["0/0"]
    with pytest.raises(ConfigError, match="no study 'c'"):
        add_marks(Studies(), read_marks(source.replace('"b"]', '"c"]'), "here", "f.py"), "x")


def test_a_table_of_settings_is_read_as_its_heads_say(tmp_path: Path) -> None:
    (tmp_path / "rows.csv").write_text("row,others/a,others/b,models[]\none,1,,x; 2\ntwo,,null,y\n")
    (tmp_path / "costs.csv").write_text("1,2\n0.0,0.5\n1,x\n")
    one = {"others": {"a": 1}, "models": ["x", 2]}
    two = {"others": {"b": None}, "models": ["y"]}
    file = str(tmp_path / "measure.py")
    assert settings(file, "rows.csv") == [{"row": "one"} | one, {"row": "two"} | two]
    assert settings(file, "rows.csv", by="row") == {"one": one, "two": two}
    assert settings(file, "costs.csv") == [[0.0, 0.5], [1, "x"]]


def test_score_tables_are_texts_or_mappings() -> None:
    text = """from opchar_reproduction.study import study
@study("n", scores=["a; b | own | x;
    y", {"data": "c", "protocol": "own", "models": ["x"]}])
def f(): ...
"""
    text = text.replace('"a;', "'''a;").replace('y"', "y'''")
    (mark,) = read_marks(text, "m", "m.py")
    each = [("a", ["x", "y"]), ("b", ["x", "y"]), ("c", ["x"])]
    assert mark.given["scores"] == [
        {"data": data, "protocol": "own", "models": models} for data, models in each
    ]


def test_kept_marks_are_those_of_the_text_as_it_is(copied: Path, monkeypatch, tmp_path) -> None:
    """Of a text that changed, a table beside it that changed, or a file that was damaged, none."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / ".opchar").mkdir()
    source, kept = copied / "src/opchar_reproduction", tmp_path / ".opchar/marks.json"

    def read() -> Studies:
        return read_studies(source)

    first = read()
    assert kept.is_file()
    assert read() == first
    file = copied / PUBLICATIONS / P_ROC
    text = file.read_text(encoding="utf-8")
    file.write_text(text.replace('kind="anova"', 'kind="metric"', 1), encoding="utf-8")
    changed = read()
    assert changed.experiments != first.experiments
    file.write_text(text, encoding="utf-8")
    assert read() == first
    said = kept.read_text(encoding="utf-8")
    kept.write_text(said.replace("anova", "costs"), encoding="utf-8")
    assert read() == first
