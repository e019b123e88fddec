"""Change our own code in one place at a time, and see whether the tests notice.

    python tools/mutants.py --sample 100 --seed 1

A mutant is one changed operator, number, comparison or condition in the spaces, the multi-class
methods, the verdicts, or the judging of statements. It is killed when a fitting test fails, and
survives when all pass. What is drawn depends on the seed alone. Survivors are listed: each is a
missing test, or a change that alters nothing.
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
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

ROOT = Path(__file__).resolve().parents[1]
FITTING = {
    "spaces": [
        "tests/unit/spaces",
        "tests/property/test_spaces_exact.py",
        "tests/property/test_spaces_choices.py",
        "tests/property/test_sample_weights.py",
        "tests/property/test_numbers_at_the_edge.py",
    ],
    "multiclass": [
        "tests/unit/multiclass",
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
# The place of a mutant that is none: its tests must pass.
UNCHANGED = -1


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
            case ast.Constant(value=int() | float() as value):
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


def tests_of(mutant: Mutant) -> list[str]:
    """Return the fitting tests, those named after the file first."""
    (key,) = [key for key in FITTING if mutant.file.startswith(key)]
    stem = Path(mutant.file).stem
    near = sorted(str(path.relative_to(ROOT)) for path in ROOT.glob(f"tests/*/**/test_*{stem}*.py"))
    own = [name for name in near if any(name.startswith(part) for part in FITTING[key])]
    return [*own, *FITTING[key]]


def survives(mutant: Mutant, copy: Path) -> bool:
    """Run the fitting tests on a copy of the package with the mutant in it."""
    target = copy / "opchar" / mutant.file
    right = target.read_text(encoding="utf-8")
    if mutant.place >= 0:
        target.write_text(changed(right, mutant.place), encoding="utf-8")
    for compiled in (target.parent / "__pycache__").glob(f"{target.stem}.*.pyc"):
        compiled.unlink()
    child = os.fork()
    if child == 0:
        _run(tests_of(mutant), copy)
    _, status = os.waitpid(child, 0)
    target.write_text(right, encoding="utf-8")
    return os.WIFEXITED(status) and os.WEXITSTATUS(status) == 0


def _run(tests: list[str], copy: Path) -> None:
    """Run tests in this process, a child, and leave it."""
    import pytest

    resource.setrlimit(resource.RLIMIT_CPU, (LONGEST, LONGEST))
    os.chdir(ROOT)
    sys.dont_write_bytecode = True
    sys.path.insert(0, str(copy))
    silent = os.open(os.devnull, os.O_WRONLY)
    os.dup2(silent, 1)
    os.dup2(silent, 2)
    words = ["-x", "-q", "-p", "no:cacheprovider", "-m", "not workflow and not browser"]
    os._exit(int(pytest.main([*words, *tests])))


def main() -> int:
    """Draw mutants, run them, and list the survivors."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sample", type=int, help="how many are drawn; all if not given")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--part", help="only files that begin with this, as in spaces/cost")
    parser.add_argument("--output", type=Path, default=ROOT / "build/soak/mutants.json")
    arguments = parser.parse_args()
    every = [each for each in mutants() if each.file.startswith(arguments.part or "")]
    number = min(arguments.sample or len(every), len(every))
    drawn = Random(arguments.seed).sample(every, number)
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
        for part in sorted({key for each in drawn for key in FITTING if each.file.startswith(key)}):
            first = next(each for each in drawn if each.file.startswith(part))
            if not survives(replace(first, place=UNCHANGED), copy):
                print(f"the tests of {part} fail without any change", file=sys.stderr)
                return 1
        for done, mutant in enumerate(drawn, 1):
            if survives(mutant, copy):
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
