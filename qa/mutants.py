"""Change our own code in one place at a time, and see whether the tests notice.

    pytest --cov=src --cov-context=test --cov-report= tests/unit/spaces ...
    python qa/mutants.py --contexts .coverage --parts spaces decisions --sample 300 --seed 1

A mutant is one changed operator, number, comparison or condition in a part of `src`. It is
killed when a test that runs the changed line fails, and survives when all pass. Which tests run a
line is read from data of coverage.py, which this needs beside the locked packages; those that run
least come first. What is drawn depends on the seed and on the code. Tests that killed are run once
more without any change. Survivors are listed: each is a missing test, or alters nothing.
"""

from __future__ import annotations

import argparse
import ast
import compileall
import json
import os
import re
import resource
import shutil
import signal
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pytest import TestReport

ROOT = Path(__file__).resolve().parents[1]
PARTS = ("spaces", "decisions", "statistics", "printed", "jobs")
PACKAGES = {"jobs": "opchar_reproduction"}
# What pytest-cov adds to the name of a test.
PHASE = re.compile(r"\|(setup|run|teardown)$")
# Tests that are run before the rest of those that fit.
FIRST = 12
# Operators, each with what takes its place.
SWAPS = "Add Sub, Sub Add, Mult Div, Div Mult, FloorDiv Mult, Pow Mult, Lt LtE, LtE Lt, Gt GtE, "
SWAPS += "GtE Gt, Eq NotEq, NotEq Eq, Is IsNot, IsNot Is, In NotIn, And Or, Or And, BitAnd BitOr, "
SWAPS += "BitOr BitAnd, USub UAdd"
SWAPPED = {getattr(ast, a): getattr(ast, b) for a, b in map(str.split, SWAPS.split(", "))}


@dataclass(frozen=True)
class Mutant:
    """A changed place: file, line, number of the place in the file, and what was changed."""

    file: str
    line: int
    place: int
    change: str


def places(tree: ast.Module) -> Iterator[tuple[ast.AST, ast.AST, str]]:
    """Yield what can be changed in a module, what takes its place, and what is said of it."""
    told = {id(note) for node in ast.walk(tree) for note in _aside(node)}
    waiting: list[ast.AST] = [tree]
    while waiting:
        node = waiting.pop()
        if id(node) in told:
            continue
        waiting.extend(ast.iter_child_nodes(node))
        match node:
            case ast.BinOp(op=op) | ast.BoolOp(op=op) | ast.UnaryOp(op=op) if type(op) in SWAPPED:
                other = SWAPPED[type(op)]
                yield node, _but(node, op=other()), f"{type(op).__name__} -> {other.__name__}"
            case ast.UnaryOp(op=ast.Not() | ast.Invert(), operand=operand):
                yield node, operand, "not left out"
            case ast.Compare(ops=[op]) if type(op) in SWAPPED:
                other = SWAPPED[type(op)]
                yield node, _but(node, ops=[other()]), f"{type(op).__name__} -> {other.__name__}"
            case ast.Constant(value=bool() as value):
                yield node, ast.Constant(not value), f"{value} -> {not value}"
            case ast.Constant(value=int() | float() as value) if value + 1 != value:
                yield node, ast.Constant(value + 1), f"{value} -> {value + 1}"
            case ast.If(test=test) | ast.IfExp(test=test) if not isinstance(test, ast.Compare):
                turned = ast.UnaryOp(ast.Not(), test)
                yield node, _but(node, test=turned), "condition turned"


def _but(node: ast.AST, **fields: Any) -> ast.AST:
    """Return a copy of a node with other fields."""
    return type(node)(**{**vars(node), **fields})


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
    old, new, _ = list(places(tree))[place]
    for parent in ast.walk(tree):
        for field, value in ast.iter_fields(parent):
            if value is old:
                setattr(parent, field, new)
            elif isinstance(value, list):
                value[:] = [new if part is old else part for part in value]
    return ast.unparse(tree)


def mutants(parts: Iterable[str]) -> list[Mutant]:
    """Return all mutants of some parts."""
    found = []
    for part in parts:
        path = ROOT / "src" / PACKAGES.get(part, "opchar") / part
        for file in sorted(path.rglob("*.py")) if path.is_dir() else [path]:
            tree = ast.parse(file.read_text(encoding="utf-8"))
            name = file.relative_to(ROOT / "src").as_posix()
            found += [
                Mutant(name, getattr(node, "lineno", 0), number, change)
                for number, (node, _, change) in enumerate(places(tree))
            ]
    return found


class Killer:
    """A pytest plugin that writes the first test that fails."""

    def __init__(self, file: Path) -> None:
        self._file = file

    def pytest_runtest_logreport(self, report: TestReport) -> None:
        """Write what fails."""
        if report.failed:
            self._file.write_text(report.nodeid, encoding="utf-8")


def by_line(files: list[Path]) -> dict[str, dict[int, list[str]]]:
    """Return the tests that run each line, by file; for line 0 those that run any of the file."""
    from coverage import CoverageData

    found: dict[str, dict[int, list[str]]] = {}
    size: Counter[str] = Counter()
    for file in files:
        data = CoverageData(str(file))
        data.read()
        for path in data.measured_files():
            name = path.rpartition("src/")[2]
            lines = found.setdefault(name, defaultdict(list))
            for line, contexts in data.contexts_by_lineno(path).items():
                tests = {PHASE.sub("", context) for context in contexts} - {""}
                size.update(tests)
                lines[abs(line)] += tests
    for lines in found.values():
        lines[0] = [test for tests in lines.values() for test in tests]
        for line, tests in lines.items():
            lines[line] = sorted(set(tests), key=lambda test: (size[test], test))
    return found


def ended(
    mutant: Mutant, copy: Path, lines: Mapping[str, Mapping[int, list[str]]], most: int
) -> str:
    """Return what ended a mutant on a copy of the package, nothing where it survives."""
    target = copy / mutant.file
    right = target.read_text(encoding="utf-8")
    known = lines.get(mutant.file, {})
    # What is run at the import of a module, before any test, counts for all tests of the module.
    tests = [*(known.get(mutant.line) or known.get(0, []))]
    target.write_text(changed(right, mutant.place), encoding="utf-8")
    for compiled in (target.parent / "__pycache__").glob(f"{target.stem}.*.pyc"):
        compiled.unlink()
    said = ""
    for some in (tests[:FIRST], tests[FIRST:]):
        said = said or (failure(some, copy, most) if some else "")
    target.write_text(right, encoding="utf-8")
    return said


def failure(tests: list[str], copy: Path, most: int) -> str:
    """Run tests in a child; return the one that fails, or what ended the child."""
    kept = copy.parent / "failed"
    kept.unlink(missing_ok=True)
    child = os.fork()
    if child == 0:
        _run(tests, copy, kept, most)
    _, status = os.waitpid(child, 0)
    if os.WIFSIGNALED(status):
        limit = os.WTERMSIG(status) in (signal.SIGXCPU, signal.SIGKILL)
        return "the limit of seconds" if limit else f"signal {os.WTERMSIG(status)}"
    if os.WEXITSTATUS(status) == 0:
        return ""
    return kept.read_text(encoding="utf-8") if kept.exists() else "no test could be collected"


def _run(tests: list[str], copy: Path, kept: Path, most: int) -> None:
    """Run tests in this process, a child, and leave it."""
    import pytest

    resource.setrlimit(resource.RLIMIT_CPU, (most, most))
    os.chdir(ROOT)
    sys.dont_write_bytecode = True
    sys.path.insert(0, str(copy))
    silent = os.open(os.devnull, os.O_WRONLY)
    os.dup2(silent, 1)
    os.dup2(silent, 2)
    words = ["-x", "-q", "-p", "no:cacheprovider", "-m", "not workflow and not browser"]
    os._exit(int(pytest.main([*words, *tests], plugins=[Killer(kept)])))


def main() -> int:
    """Draw mutants, run them, and list the survivors."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--contexts", type=Path, nargs="+", required=True, help="of coverage.py")
    parser.add_argument("--sample", type=int, help="how many are drawn; all if not given")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--parts", nargs="+", default=PARTS, help="folders or files, as spaces")
    parser.add_argument(
        "--run", help="only drawn ones of files that begin with this, as opchar/spaces"
    )
    parser.add_argument("--seconds", type=int, default=600, help="of computing, for one mutant")
    parser.add_argument("--only", type=Path, help="survivors of an earlier output")
    parser.add_argument("--output", type=Path, default=ROOT / "build/soak/mutants.json")
    arguments = parser.parse_args()
    every = mutants(arguments.parts)
    drawn = Random(arguments.seed).sample(every, min(arguments.sample or len(every), len(every)))
    drawn = [each for each in drawn if each.file.startswith(arguments.run or "")]
    if arguments.only:
        survived = json.loads(arguments.only.read_text(encoding="utf-8"))["survivors"]
        drawn = [each for each in every if asdict(each) in survived]
    # What children need and no mutant is part of is imported once.
    import hypothesis  # noqa: F401
    import pandas  # noqa: F401
    import pytest  # noqa: F401
    import scipy.optimize
    import scipy.stats  # noqa: F401
    import sklearn.pipeline  # noqa: F401

    lines, survivors, killers = by_line(arguments.contexts), [], set()
    arguments.output.parent.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory() as folder:
        copy = Path(folder) / "src"
        shutil.copytree(ROOT / "src", copy, ignore=shutil.ignore_patterns("__pycache__"))
        compileall.compile_dir(copy, quiet=1)
        for done, mutant in enumerate(drawn, 1):
            by = ended(mutant, copy, lines, arguments.seconds)
            killers |= {by} if "::" in by else set()
            survivors += [] if by else [mutant]
            said = f"{mutant.file}:{mutant.line}: {mutant.change}"
            print(f"{done}: {said}: {by or 'survives'}", flush=True)
            told = {"mutants": len(every), "drawn": done, "killed": done - len(survivors)}
            text = json.dumps(told | {"survivors": [asdict(each) for each in survivors]}, indent=1)
            arguments.output.write_text(text + "\n", encoding="utf-8")
        wrong = failure(sorted(killers), copy, 60 * arguments.seconds) if killers else ""
    killed = len(drawn) - len(survivors)
    print(f"{killed} of {len(drawn)} mutants killed, drawn from {len(every)}")
    if wrong:
        print(f"fails without any change: {wrong}", file=sys.stderr)
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main())
