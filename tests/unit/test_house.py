"""Arrows between packages are those allowed, and the command that draws them sees others."""

from __future__ import annotations

import ast
import re
import runpy
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from checkout import ROOT

HOUSE = runpy.run_path(str(ROOT / "tools/house.py"))


@pytest.fixture(scope="module")
def whole() -> dict[str, set[str]]:
    return HOUSE["files"]()


def test_arrows_are_allowed_and_all_that_are_allowed_are_there(whole) -> None:
    rooms = HOUSE["packages"](whole)
    assert HOUSE["arrows_up"](rooms) == []
    assert {name: others for name, others in rooms.items() if others} == HOUSE["ALLOWED"]


def test_the_library_imports_nothing_of_the_reproduction(whole) -> None:
    rooms = HOUSE["packages"](whole)
    library = [name for name in rooms if not name.startswith(".")]
    assert len(library) > 15
    assert not [each for name in library for each in rooms[name] if each.startswith(".")]


def test_there_is_no_circle(whole) -> None:
    assert [*HOUSE["circles"](HOUSE["packages"](whole)), *HOUSE["circles"](whole)] == []


def test_floors_hold_what_stands_on_them(whole) -> None:
    levels = HOUSE["floors"](whole)
    at = {each: k for k, names in enumerate(levels) for name in names for each in name.split(" + ")}
    assert set(at) == set(whole)
    for name, others in whole.items():
        for each in others & set(whole):
            assert at[each] < at[name], (name, each)


@pytest.mark.parametrize(
    ("file", "line", "said"),
    [
        (
            "opchar_reproduction/report/content.py",
            "from opchar_reproduction.project.plan import Plan",
            ".report -> .project",
        ),
        ("opchar/spaces/points.py", "import opchar.analysis.run", "spaces -> analysis"),
        (
            "opchar/seeds.py",
            "def f():\n    from opchar_reproduction.report import variants",
            "seeds -> .report",
        ),
    ],
)
def test_another_arrow_is_found(tmp_path: Path, file: str, line: str, said: str) -> None:
    shutil.copytree(ROOT / "src", tmp_path / "src", ignore=_no_code)
    shutil.copytree(ROOT / "tools", tmp_path / "tools")
    path = tmp_path / "src" / file
    path.write_text(f"{path.read_text(encoding='utf-8')}\n{line}\n", encoding="utf-8")
    command = [sys.executable, str(tmp_path / "tools/house.py")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert f"not allowed: {said}" in done.stdout


def test_types_alone_make_no_arrow(tmp_path: Path) -> None:
    (tmp_path / "opchar").mkdir()
    (tmp_path / "opchar/a.py").write_text(
        "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from opchar.b import B\n"
    )
    (tmp_path / "opchar/b.py").write_text("from opchar.a import A\n")
    graph = HOUSE["files"](tmp_path)
    assert graph == {"opchar.a": set(), "opchar.b": {"opchar.a"}}
    assert HOUSE["floors"](graph) == [["opchar.a"], ["opchar.b"]]


_no_code = shutil.ignore_patterns("__pycache__", "*.csv", "*.yaml")


def test_no_package_is_above_its_budget_of_lines() -> None:
    """Who adds takes out, or raises the budget in the same commit and says why."""
    assert HOUSE["above"](HOUSE["lines_by_package"](), HOUSE["budgets"]()) == []


def test_lines_are_counted_and_what_is_above_a_budget_is_told(tmp_path: Path) -> None:
    text = '"""Doc."""\n\nimport os\n\n\n@mark\ndef f(\n    x,\n):\n'
    text += '    """Doc."""\n    return x  # x\n'
    assert HOUSE["count_lines"](text + "# comment\nA = os\n") == (13, 2, 2)
    place = tmp_path / "src/opchar/rooms"
    place.mkdir(parents=True)
    (place / "a.py").write_text(text)
    (place.parent / "b.py").write_text("A = 1\n")
    found = HOUSE["lines_by_package"](tmp_path)
    assert found == {"opchar/rooms": (11, 1, 2), "opchar": (1, 1, 0)}
    assert HOUSE["above"](found, {"opchar": 1, "opchar/rooms": 11}) == []
    assert HOUSE["above"](found, {"opchar": 1}) == ["opchar/rooms: 11 lines, 0 allowed"]


MOST_LINES = 400


def test_no_file_is_longer_than_one_can_survey() -> None:
    home = ROOT / "src"
    lines = {path: len(path.read_text("utf-8").splitlines()) for path in home.rglob("*.py")}
    long = {path.relative_to(home).as_posix() for path, n in lines.items() if n > MOST_LINES}
    assert long == set()


# Bare participles and prepositions that may name a function: what starts a job or a command, the
# look-up of a value at a condition, names that data sets, protocols and models of the
# configuration give, the control that marks name, and what reads like the standard library's
# `closing`.
BARE = {
    "run",
    "at",
    "surrounded",
    "generated",
    "headed",
    "fixed",
    "drawn",
    "varying",
    "exchanged",
    "replacing",
}
# In these a participle is a noun or an adjective of what is returned.
NOUNS = {"heading", "listing", "rounding", "weighting", "whitening", "bound", "everything", "seed"}
NOUNS |= {"pooled", "tested"}
# A new name of what trains would train every model again; a decision writes ``saved`` as its key.
KEPT = {
    "models/training.py: of",
    "models/training.py: _decided",
    "models/splits/trajectories.py: _dealt",
    "analysis/answers/decision.py: saved",
    "analysis/sections.py: _rejecting",
}
PREPOSITIONS = "of by at in on from to with without under over against beside before after behind"
PREPOSITIONS += " within between among apart out off up down again also together alone for as per"
IRREGULAR = "made done said told shown given taken found kept held left built read known seen put"
IRREGULAR += " laid bound dealt felt cut met sent paid begun meant brought run drawn written seed"


def is_bare(name: str) -> bool:
    """Whether a name is a participle or a preposition and nothing else."""
    word = name.strip("_")
    if word in BARE | NOUNS or name.startswith("__"):
        return False
    bare = {*PREPOSITIONS.split(), *IRREGULAR.split()}
    return word in bare or re.fullmatch(r"[a-z]{2,}(ed|ing)", word) is not None


def test_functions_are_named_by_what_they_return_or_do() -> None:
    """Methods too; not the helpers inside a function, which nobody else calls."""
    found = []
    for path in sorted((ROOT / "src").glob("opchar*/**/*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        homes = [tree, *(node for node in tree.body if isinstance(node, ast.ClassDef))]
        defined = [node for home in homes for node in home.body]
        functions = [node.name for node in defined if isinstance(node, ast.FunctionDef)]
        home = Path(*path.relative_to(ROOT / "src").parts[1:])
        found += [f"{home}: {name}" for name in functions if is_bare(name)]
    assert set(found) == KEPT


@pytest.mark.parametrize("name", ["asking", "_told", "apart", "judged", "_of"])
def test_a_bare_participle_or_preposition_is_seen(name: str) -> None:
    assert is_bare(name) and not is_bare(f"{name.strip('_')}_rows")
