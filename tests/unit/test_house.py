"""Arrows between packages are those allowed, and the command that draws them sees others."""

from __future__ import annotations

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
        ("report/content.py", "from opchar.pipeline.plan import Plan", "report -> pipeline"),
        ("spaces/points.py", "import opchar.analysis.run", "spaces -> analysis"),
        ("seeds.py", "def f():\n    from opchar.report import variants", "seeds -> report"),
    ],
)
def test_another_arrow_is_found(tmp_path: Path, file: str, line: str, said: str) -> None:
    shutil.copytree(ROOT / "src/opchar", tmp_path / "src/opchar", ignore=_no_code)
    shutil.copytree(ROOT / "tools", tmp_path / "tools", ignore=_no_code)
    path = tmp_path / "src/opchar" / file
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
