"""What packages of the library export says how to use it; what nothing exports has a sentence."""

import ast
from collections.abc import Iterator
from inspect import cleandoc
from itertools import pairwise
from pathlib import Path

import pytest

from checkout import ROOT

PACKAGE = ROOT / "src/opchar"
# What a user marks studies and extensions with.
MARKS = ROOT / "src/opchar_reproduction"
LIBRARY = (
    *("combination", "datasets", "decisions", "displays", "metrics", "models", "multiclass"),
    *("reject", "spaces", "statistics"),
)
TOLD = ("Parameters", "Other Parameters", "Returns", "Yields", "Raises", "Attributes")
Function = ast.FunctionDef | ast.AsyncFunctionDef


# What every index of counts takes and refuses is said once, by its module.
COUNTS = "Every function takes ``tp, fn, fp, tn``"


def parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def shown(path: Path) -> str:
    return path.relative_to(PACKAGE.parent).as_posix()


def faces() -> dict[Path, set[str]]:
    """Return the names that packages of the library export, by the file that defines them."""
    found: dict[Path, set[str]] = {MARKS / "study.py": set(), MARKS / "extend.py": set()}
    for path in found:
        found[path] |= {node.name for node in public(parsed(path))}
    packages = (path for name in LIBRARY for path in (PACKAGE / name).rglob("__init__.py"))
    for package in [PACKAGE / "__init__.py", *packages]:
        for node in ast.walk(parsed(package)):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("opchar."):
                for name in node.names:
                    path, defined = home(str(node.module), name.name)
                    found.setdefault(path, set()).add(defined)
    return found


def home(module: str, name: str) -> tuple[Path, str]:
    """Return the file that defines a name, through the packages that pass it on."""
    stem = PACKAGE.parent / module.replace(".", "/")
    path = stem.with_suffix(".py") if stem.with_suffix(".py").exists() else stem / "__init__.py"
    for node in ast.walk(parsed(path)):
        if isinstance(node, ast.ImportFrom) and name in {each.asname for each in node.names}:
            return home(str(node.module), name)
    return path, name


def public(tree: ast.Module) -> Iterator[Function | ast.ClassDef]:
    for node in tree.body:
        if not isinstance(node, Function | ast.ClassDef) or node.name.startswith("_"):
            continue
        if "overload" not in map(ast.unparse, node.decorator_list):
            yield node


FACES = faces()
FILES = sorted(path for name in LIBRARY for path in (PACKAGE / name).rglob("*.py"))


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


def found_lacking(path: Path, names: set[str]) -> dict[str, list[str]]:
    """Return what the docstrings of some functions and classes of a file lack."""
    tree = parsed(path)
    told = {"Parameters"} if COUNTS in (ast.get_docstring(tree) or "") else set()
    lacking = {node.name: lacks(node) for node in public(tree) if node.name in names}
    return {name: rest for name, parts in lacking.items() if (rest := [*{*parts} - told])}


def test_what_is_exported_is_there() -> None:
    assert sum(map(len, FACES.values())) > 200


@pytest.mark.parametrize(
    "path", sorted(FACES), ids=lambda path: str(path.relative_to(PACKAGE.parent))
)
def test_what_is_exported_says_how_to_use_it(path: Path) -> None:
    assert found_lacking(path, FACES[path]) == {}


@pytest.mark.parametrize("path", FILES, ids=shown)
def test_the_rest_of_the_library_has_a_sentence(path: Path) -> None:
    """Rows of parameters and results, where there are any, are described."""
    tree = parsed(path)
    found = {name: rows for name, text in documented(tree) if (rows := undescribed(text))}
    assert found == {}
    said = [(node.name, ast.get_docstring(node) or "") for node in public(tree)]
    assert [name for name, text in said if not is_sentence(text)] == []


def is_sentence(text: str) -> bool:
    """Whether a docstring begins with a sentence, in one paragraph."""
    first = cleandoc(text).partition("\n\n")[0]
    return len(first.split()) > 1 and first.endswith((".", ":", "?"))


@pytest.mark.parametrize("text", ["", "Word.", "no end", "No end\n\nof it."])
def test_what_is_no_sentence_is_seen(text: str) -> None:
    assert not is_sentence(text)


def test_rows_without_a_description_are_found() -> None:
    text = "Do it.\n\nParameters\n----------\nx : int\ny : int\n    Why.\n\nReturns\n-------\nint"
    assert undescribed(text) == ["x : int", "int"]


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
