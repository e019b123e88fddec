"""The API reference is complete: what the library lends has a docstring with what its use needs."""

from __future__ import annotations

import ast
import runpy
from collections.abc import Iterator
from importlib import import_module
from inspect import cleandoc, ismodule
from itertools import pairwise
from pathlib import Path

import pytest

from checkout import ROOT

SITE = runpy.run_path(str(ROOT / "tools/site.py"))
PACKAGE = ROOT / "src/opchar"
ALONE = ("scores", "results", "arguments", "seeds", "files", "functions", "errors")
TOLD = ("Parameters", "Other Parameters", "Returns", "Yields", "Raises", "Attributes")
Function = ast.FunctionDef | ast.AsyncFunctionDef


def library() -> list[Path]:
    """Return the modules of the library."""
    rooms = [path for room in SITE["ROOMS"] for path in (PACKAGE / room).rglob("*.py")]
    return sorted([*rooms, *(PACKAGE / f"{name}.py" for name in ALONE)])


def public(tree: ast.Module) -> Iterator[Function | ast.ClassDef]:
    for node in tree.body:
        own = isinstance(node, Function | ast.ClassDef) and not node.name.startswith("_")
        if own and "overload" not in map(ast.unparse, node.decorator_list):
            yield node


def statements(node: ast.AST) -> Iterator[ast.AST]:
    """Walk through a function, not into functions inside it."""
    for child in ast.iter_child_nodes(node):
        if not isinstance(child, Function | ast.Lambda | ast.ClassDef):
            yield child
            yield from statements(child)


def lacks(node: Function | ast.ClassDef) -> list[str]:
    """Return the sections that a docstring lacks for what the signature and the body have."""
    text = ast.get_docstring(node)
    if not text:
        return ["docstring"]
    if isinstance(node, ast.ClassDef):
        return []
    wanted = []
    arguments = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
    if arguments or node.args.vararg or node.args.kwarg:
        wanted.append("Parameters")
    returned = node.returns is not None and ast.unparse(node.returns) not in ("None", "NoReturn")
    if returned and not any("fixture" in ast.unparse(mark) for mark in node.decorator_list):
        wanted.append("Returns")
    inside = list(statements(node))
    if any(isinstance(child, ast.Yield | ast.YieldFrom) for child in inside):
        wanted = [name for name in wanted if name != "Returns"] + ["Yields"]
    if any(isinstance(child, ast.Raise) and child.exc is not None for child in inside):
        wanted.append("Raises")
    return [name for name in wanted if f"{name}\n{'-' * len(name)}" not in text]


def undescribed(text: str) -> list[str]:
    """Return the rows of parameters, results and errors that a docstring does not describe."""
    lines = [*cleandoc(text).splitlines(), ""]
    found, told = [], False
    for line, below in pairwise(lines):
        if below and set(below) == {"-"}:
            told = line in TOLD
        elif told and line and line[0] not in " -" and not below.startswith(" "):
            found.append(line)
    return found


def documented(tree: ast.Module | ast.ClassDef) -> Iterator[tuple[str, str]]:
    """Yield public functions, classes and methods with their docstrings."""
    for node in tree.body:
        if isinstance(node, Function | ast.ClassDef) and not node.name.startswith("_"):
            if text := ast.get_docstring(node):
                yield node.name, text
            if isinstance(node, ast.ClassDef):
                yield from documented(node)


def found_lacking(path: Path) -> dict[str, list[str]]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return {node.name: missing for node in public(tree) if (missing := lacks(node))}


@pytest.mark.parametrize("path", library(), ids=lambda path: str(path.relative_to(PACKAGE)))
def test_everything_public_says_how_to_use_it(path: Path) -> None:
    assert found_lacking(path) == {}


@pytest.mark.parametrize("path", library(), ids=lambda path: str(path.relative_to(PACKAGE)))
def test_every_row_of_the_reference_has_a_description(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    found = {name: rows for name, text in documented(tree) if (rows := undescribed(text))}
    assert found == {}


def test_rows_without_a_description_are_found() -> None:
    text = "Do it.\n\nParameters\n----------\nx : int\ny : int\n    Why.\n\nReturns\n-------\nint"
    assert undescribed(text) == ["x : int", "int"]


def test_what_checks_printed_tables_says_how_to_use_it() -> None:
    found = vars(import_module("opchar.printed"))
    exported = {name for name, value in found.items() if not ismodule(value)}
    for path in (PACKAGE / "printed").glob("*.py"):
        assert exported & found_lacking(path).keys() == set(), path


@pytest.mark.parametrize(
    ("source", "missing"),
    [
        ("def f(): pass", ["docstring"]),
        ('def f(x):\n    """Do it."""', ["Parameters"]),
        ('def f() -> int:\n    """Do it."""\n    raise ValueError("no")', ["Returns", "Raises"]),
        ('def f() -> Iterator[int]:\n    """Do it."""\n    yield 1', ["Yields"]),
        ('def f() -> None:\n    """Do it."""\n    def g():\n        raise ValueError', []),
        ("class C: pass", ["docstring"]),
    ],
)
def test_what_is_missing_is_noticed(source: str, missing: list[str]) -> None:
    assert lacks(ast.parse(source).body[0]) == missing
