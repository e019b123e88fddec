"""Change our own code in one place at a time, and see whether the tests notice.

    python qa/mutants.py --sample 100 --seed 1

A mutant is one changed operator, number, comparison or condition in the spaces, the decisions, the
statistics, the printed tables, the multi-class methods, the verdicts, or the judging of statements.
It is killed when a fitting test fails, and survives when all pass. Of the fitting tests those run
that call the changed function, the fastest first. What is drawn depends on the seed alone.
Survivors are listed: each is a missing test, or a change that alters nothing.
"""

from __future__ import annotations

import argparse
import ast
import compileall
import json
import os
import resource
import shutil
import sys
import time
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from types import CodeType, FrameType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pytest import Item

ROOT = Path(__file__).resolve().parents[1]
FITTING = {
    "spaces": [
        "tests/unit/spaces",
        "tests/unit/test_frozen.py",
        "tests/property/test_spaces_exact.py",
        "tests/property/test_spaces_choices.py",
        "tests/property/test_sample_weights.py",
        "tests/property/test_numbers_at_the_edge.py",
    ],
    "decisions": ["tests/unit/decisions", "tests/unit/test_frozen.py"],
    "statistics": ["tests/unit/statistics", "tests/unit/spaces", "tests/unit/decisions"],
    "printed": ["tests/unit/printed", "tests/property/test_printed.py"],
    "multiclass": [
        "tests/unit/multiclass",
        "tests/unit/test_frozen.py",
        "tests/property/test_multiclass_cost_weights.py",
        "tests/property/test_multiclass_gaussians.py",
        "tests/property/test_multiclass_hypersurface.py",
    ],
    "report/comparison/verdicts.py": [
        "tests/unit/report/test_verdicts.py",
        "tests/unit/report/test_ledger.py",
        "tests/property/test_report_comparisons.py",
    ],
    "statements/judging.py": ["tests/unit/statements/test_judging.py"],
}
SWAPPED: dict[type[ast.AST], type[ast.AST]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.Pow: ast.Mult,
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.And: ast.Or,
    ast.Or: ast.And,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
    ast.USub: ast.UAdd,
}
# Seconds of computing after which the tests of a mutant count as failed: it loops.
LONGEST = 600


@dataclass(frozen=True)
class Mutant:
    """A changed place: file, line, number of the place in the file, and what was changed."""

    file: str
    line: int
    place: int
    change: str


def places(tree: ast.Module) -> Iterator[tuple[ast.AST, str]]:
    """Yield what can be changed in a module and how, in the order of the tree."""
    told = {id(note) for node in ast.walk(tree) for note in _aside(node)}
    waiting: list[ast.AST] = [tree]
    while waiting:
        node = waiting.pop()
        if id(node) in told:
            continue
        waiting.extend(ast.iter_child_nodes(node))
        match node:
            case ast.BinOp(op=op) | ast.BoolOp(op=op) | ast.UnaryOp(op=op) if type(op) in SWAPPED:
                yield node, f"{type(op).__name__} -> {SWAPPED[type(op)].__name__}"
            case ast.UnaryOp(op=ast.Not()) | ast.UnaryOp(op=ast.Invert()):
                yield node, "not left out"
            case ast.Compare(ops=[op]) if type(op) in SWAPPED:
                yield node, f"{type(op).__name__} -> {SWAPPED[type(op)].__name__}"
            case ast.Constant(value=bool() as value):
                yield node, f"{value} -> {not value}"
            case ast.Constant(value=int() | float() as value) if value + 1 != value:
                yield node, f"{value} -> {value + 1}"
            case ast.If(test=test) | ast.IfExp(test=test) if not isinstance(test, ast.Compare):
                yield node, "condition turned"


def _aside(node: ast.AST) -> Iterator[ast.AST]:
    """Yield what is told to people or to checkers of types, and changes nothing when it runs."""
    match node:
        case ast.Expr(value=ast.Constant()):
            yield node
        case ast.Raise():
            yield node
        case ast.arg(annotation=note) | ast.AnnAssign(annotation=note) if note is not None:
            yield note
        case ast.FunctionDef(returns=note) if note is not None:
            yield note
        case ast.Assign(value=ast.Subscript() as alias):
            yield alias


def changed(source: str, place: int) -> str:
    """Return a module with its place number `place` changed."""
    tree = ast.parse(source)
    node, _ = list(places(tree))[place]
    match node:
        case ast.Compare():
            node.ops = [SWAPPED[type(node.ops[0])]()]  # type: ignore[list-item]
        case ast.Constant(value=bool() as value):
            node.value = not value
        case ast.Constant():
            node.value = node.value + 1  # type: ignore[operator]
        case ast.UnaryOp(op=ast.Not()) | ast.UnaryOp(op=ast.Invert()):
            return ast.unparse(_with(tree, node, node.operand))
        case ast.BinOp() | ast.BoolOp() | ast.UnaryOp():
            node.op = SWAPPED[type(node.op)]()  # type: ignore[assignment]
        case ast.If() | ast.IfExp():
            node.test = ast.UnaryOp(ast.Not(), node.test)
    return ast.unparse(ast.fix_missing_locations(tree))


def _with(tree: ast.Module, old: ast.AST, new: ast.AST) -> ast.Module:
    """Put one node in the place of another."""
    for parent in ast.walk(tree):
        for field, value in ast.iter_fields(parent):
            if value is old:
                setattr(parent, field, new)
            elif isinstance(value, list):
                value[:] = [new if part is old else part for part in value]
    return tree


def mutants() -> list[Mutant]:
    """Return all mutants."""
    found = []
    for part in FITTING:
        path = ROOT / "src/opchar" / part
        for file in sorted(path.rglob("*.py")) if path.is_dir() else [path]:
            tree = ast.parse(file.read_text(encoding="utf-8"))
            name = file.relative_to(ROOT / "src/opchar").as_posix()
            found += [
                Mutant(name, getattr(node, "lineno", 0), number, change)
                for number, (node, change) in enumerate(places(tree))
            ]
    return found


def function_of(source: str, line: int) -> int:
    """Return the first line of the innermost function around a line, 0 where there is none."""
    around = [
        min([node.lineno, *(each.lineno for each in node.decorator_list)])
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.FunctionDef) and node.lineno <= line <= (node.end_lineno or 0)
    ]
    return max(around, default=0)


class Calls:
    """A pytest plugin: which functions of a folder each test calls, and how long it takes.

    What is called before a test begins, as by a fixture that others share, counts for all tests
    of its file.
    """

    def __init__(self, folder: Path) -> None:
        self._times: dict[str, float] = {}
        self._folder = f"{folder}{os.sep}"
        self._called: dict[str, set[CodeType]] = defaultdict(set)
        self._now: set[CodeType] = set()
        self._began = 0.0

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        """Begin a test."""
        self._now, self._began = self._called[nodeid.partition("::")[0]], time.process_time()
        sys.settrace(self._note)

    def pytest_runtest_call(self, item: Item) -> None:
        """Begin what is the test's own."""
        self._now = self._called[item.nodeid]

    def _note(self, frame: FrameType, *_: object) -> None:
        self._now.add(frame.f_code)

    def pytest_runtest_logfinish(self, nodeid: str) -> None:
        """End a test."""
        sys.settrace(None)
        self._times[nodeid] = time.process_time() - self._began

    def tests(self) -> dict[str, tuple[float, list[tuple[str, int]]]]:
        """Return seconds, and file and first line of the functions, by test."""
        return {
            test: (
                seconds,
                [
                    (code.co_filename.removeprefix(self._folder), code.co_firstlineno)
                    for code in self._called[test] | self._called[test.partition("::")[0]]
                    if code.co_filename.startswith(self._folder)
                ],
            )
            for test, seconds in self._times.items()
        }


def calling(part: str, copy: Path) -> dict[tuple[str, int], list[str]] | None:
    """Run the fitting tests of a part unchanged, and return which call a function, fastest first.

    Returns
    -------
    dict of (str, int) to list of str
        By file and first line; for line 0 all tests. None where a test fails.
    """
    kept = copy.parent / "calls.json"
    kept.unlink(missing_ok=True)
    if not _passes(FITTING[part], copy, kept):
        return None
    tests = json.loads(kept.read_text(encoding="utf-8"))
    found: dict[tuple[str, int], list[str]] = defaultdict(list)
    for name, (_, functions) in sorted(tests.items(), key=lambda item: item[1][0]):
        for file, line in functions:
            found[file, line].append(name)
        found["", 0].append(name)
    return found


def survives(mutant: Mutant, copy: Path, tests: Mapping[tuple[str, int], list[str]]) -> bool:
    """Run the tests that call the changed function on a copy of the package with the mutant."""
    target = copy / "opchar" / mutant.file
    right = target.read_text(encoding="utf-8")
    line = function_of(right, mutant.line)
    fitting = tests.get((mutant.file, line), []) if line else tests["", 0]
    if not fitting:
        return True
    target.write_text(changed(right, mutant.place), encoding="utf-8")
    for compiled in (target.parent / "__pycache__").glob(f"{target.stem}.*.pyc"):
        compiled.unlink()
    passes = _passes(fitting, copy)
    target.write_text(right, encoding="utf-8")
    return passes


def _passes(tests: list[str], copy: Path, kept: Path | None = None) -> bool:
    """Tell whether tests pass in a child; write what they call where that is to be kept."""
    child = os.fork()
    if child == 0:
        _run(tests, copy, kept)
    _, status = os.waitpid(child, 0)
    return os.WIFEXITED(status) and os.WEXITSTATUS(status) == 0


def _run(tests: list[str], copy: Path, kept: Path | None) -> None:
    """Run tests in this process, a child, and leave it."""
    import pytest

    if kept is None:
        resource.setrlimit(resource.RLIMIT_CPU, (LONGEST, LONGEST))
    os.chdir(ROOT)
    sys.dont_write_bytecode = True
    sys.path.insert(0, str(copy))
    silent = os.open(os.devnull, os.O_WRONLY)
    os.dup2(silent, 1)
    os.dup2(silent, 2)
    words = ["-x", "-q", "-p", "no:cacheprovider", "-m", "not workflow and not browser"]
    calls = Calls(copy / "opchar")
    status = pytest.main([*words, *tests], plugins=[] if kept is None else [calls])
    if kept is not None:
        kept.write_text(json.dumps(calls.tests()), encoding="utf-8")
    os._exit(int(status))


def _part(mutant: Mutant) -> str:
    return next(key for key in FITTING if mutant.file.startswith(key))


def main() -> int:
    """Draw mutants, run them, and list the survivors."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sample", type=int, help="how many are drawn; all if not given")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--part", help="only files that begin with this, as in spaces/cost")
    parser.add_argument("--only", type=Path, help="survivors of an earlier output")
    parser.add_argument("--output", type=Path, default=ROOT / "build/soak/mutants.json")
    arguments = parser.parse_args()
    every = [each for each in mutants() if each.file.startswith(arguments.part or "")]
    number = min(arguments.sample or len(every), len(every))
    drawn = Random(arguments.seed).sample(every, number)
    if arguments.only:
        survived = json.loads(arguments.only.read_text(encoding="utf-8"))["survivors"]
        drawn = [each for each in every if asdict(each) in survived]
        number = len(drawn)
    # What children need and no mutant is part of is imported once.
    import hypothesis  # noqa: F401
    import pandas  # noqa: F401
    import pytest  # noqa: F401
    import sklearn.pipeline  # noqa: F401

    survivors: list[Mutant] = []
    with TemporaryDirectory() as folder:
        copy = Path(folder) / "src"
        shutil.copytree(ROOT / "src", copy, ignore=shutil.ignore_patterns("__pycache__"))
        compileall.compile_dir(copy, quiet=1)
        tests = {}
        for part in sorted({_part(each) for each in drawn}):
            found = calling(part, copy)
            if found is None:
                print(f"the tests of {part} fail without any change", file=sys.stderr)
                return 1
            tests[part] = found
        for done, mutant in enumerate(drawn, 1):
            if survives(mutant, copy, tests[_part(mutant)]):
                survivors.append(mutant)
                print(f"survives: {mutant.file}:{mutant.line}: {mutant.change}", flush=True)
            said = {"mutants": len(every), "drawn": done, "killed": done - len(survivors)}
            arguments.output.parent.mkdir(parents=True, exist_ok=True)
            text = json.dumps(said | {"survivors": [asdict(each) for each in survivors]}, indent=1)
            arguments.output.write_text(text + "\n", encoding="utf-8")
    print(f"{number - len(survivors)} of {number} mutants killed, drawn from {len(every)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
