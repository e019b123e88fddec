"""Draw the house: packages and files by floors, circles, and arrows that are not allowed.

    python tools/house.py            packages: what each imports, floor by floor
    python tools/house.py --files    files, floor by floor
    python tools/house.py --dot      packages as a graph for Graphviz
    python tools/house.py --lines    lines, lines of code and of docstrings by package, and budgets
    python tools/house.py --renew    make the present lines, and 2 %, the budget (tools/budget.csv)

An arrow leads from what imports to what is imported; imports for type checkers alone count for no
floor. A package or file stands one floor above the highest that it imports. Exits 1 on an arrow
that tools/arrows.csv does not list, a circle, or a package above its budget of lines.
"""

from __future__ import annotations

import argparse
import ast
import csv
import math
import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping
from graphlib import TopologicalSorter
from operator import add
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SOURCE, BUDGET = ROOT / "src", ROOT / "tools/budget.csv"
# What is counted beside the packages of `src`: folders of the repository.
BESIDE = ("studies", "tests", "tools", "benchmarks", "qa")
Graph = dict[str, set[str]]
Lines = tuple[int, int, int]


def rows_of(path: Path) -> list[dict[str, str]]:
    """Return the rows of a table beside this file."""
    with path.open(encoding="utf-8", newline="") as opened:
        return list(csv.DictReader(opened))


ARROWS = rows_of(ROOT / "tools/arrows.csv")
ALLOWED = {row["package"]: set(row["imports"].split()) for row in ARROWS}


def files(source: Path = SOURCE) -> Graph:
    """Return what each module imports of the package."""
    paths = {_module(path, source): path for path in sorted(source.glob("opchar*/**/*.py"))}
    return {
        name: {each if each in paths else each.rpartition(".")[0] for each in _imports(path)}
        - {name}
        for name, path in paths.items()
    }


def _module(path: Path, source: Path) -> str:
    return ".".join(path.relative_to(source).with_suffix("").parts).removesuffix(".__init__")


def _imports(path: Path) -> Iterator[str]:
    """Yield the dotted names that a file imports when it runs."""
    waiting: list[ast.AST] = [ast.parse(path.read_text(encoding="utf-8"))]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.If) and ast.unparse(node.test).endswith("TYPE_CHECKING"):
            waiting += node.orelse
            continue
        waiting += ast.iter_child_nodes(node)
        match node:
            case ast.ImportFrom(module=str(module), names=names) if module.startswith("opchar"):
                yield from (f"{module}.{each.name}" for each in names)
            case ast.Import(names=names):
                yield from (each.name for each in names if each.name.startswith("opchar"))


def packages(graph: Mapping[str, set[str]]) -> Graph:
    """Return what each package imports of others; those of the reproduction begin with a dot."""
    found: Graph = defaultdict(set)
    for name, others in graph.items():
        found[_package(name)] |= {_package(each) for each in others} - {_package(name)}
    return dict(found)


def _package(module: str) -> str:
    home, _, inside = module.partition(".")
    return f"{'' if home == 'opchar' else '.'}{inside.partition('.')[0] or home}"


def circles(graph: Mapping[str, set[str]]) -> list[set[str]]:
    """Return the largest sets of nodes each of which leads to each other."""
    reached = {name: _reached(graph, name) for name in graph}
    joined = {
        frozenset(each for each in reached[name] if name in reached.get(each, ())) for name in graph
    }
    return sorted((set(circle) for circle in joined if circle), key=min)


def _reached(graph: Mapping[str, set[str]], name: str) -> set[str]:
    found: set[str] = set()
    waiting = list(graph[name])
    while waiting:
        each = waiting.pop()
        if each not in found:
            found.add(each)
            waiting.extend(graph.get(each, ()))
    return found


def floors(graph: Mapping[str, set[str]]) -> list[list[str]]:
    """Return the nodes by floors, from the ground; those of a circle stand on one."""
    joined = {name: circle for circle in circles(graph) for name in circle}
    whole = {name: " + ".join(sorted(joined.get(name, {name}))) for name in graph}
    above: Graph = defaultdict(set)
    for name, others in graph.items():
        above[whole[name]] |= {whole.get(each, each) for each in others} - {whole[name]}
    order = TopologicalSorter(above)
    order.prepare()
    found = []
    while order.is_active():
        ready = order.get_ready()
        found.append(sorted(ready))
        order.done(*ready)
    return found


def arrows_up(graph: Mapping[str, set[str]]) -> list[str]:
    """Return the arrows between packages that are not allowed."""
    return [
        f"{name} -> {each}"
        for name in sorted(graph)
        for each in sorted(graph[name] - ALLOWED.get(name, set()))
    ]


def told(graph: Mapping[str, set[str]]) -> list[str]:
    """Return the floors from the top, with what each package or file imports."""
    lines = []
    for number, names in reversed(list(enumerate(floors(graph)))):
        lines.append(f"floor {number}")
        for name in names:
            others = set().union(*(graph.get(part, set()) for part in name.split(" + ")))
            shown = sorted(others - set(name.split(" + ")))
            lines.append(f"  {name}" + (f" -> {' '.join(shown)}" if shown else ""))
    return lines


def count_lines(text: str) -> Lines:
    """Return lines, lines of code and lines of docstrings of a file.

    Code is what is neither blank, comment, docstring nor import, nor the head of a function or
    class with its decorators.
    """
    written = text.splitlines()
    docstrings, others = set[int](), set[int]()
    for node in ast.walk(ast.parse(text)):
        match node:
            case ast.Module(body=[first, *_]) if ast.get_docstring(node):
                docstrings |= _lines_of(first)
            case ast.FunctionDef(body=[first, *_]) | ast.ClassDef(body=[first, *_]):
                if ast.get_docstring(node):
                    docstrings |= _lines_of(first)
                start = min(each.lineno for each in (node, *node.decorator_list))
                others |= set(range(start, first.lineno))
            case ast.Import() | ast.ImportFrom():
                others |= _lines_of(node)
    plain = {n for n, line in enumerate(written, 1) if line.strip() and line.strip()[0] != "#"}
    return len(written), len(plain - docstrings - others), len(docstrings)


def _lines_of(node: ast.stmt) -> set[int]:
    return set(range(node.lineno, (node.end_lineno or 0) + 1))


def lines_by_package(root: Path = ROOT) -> dict[str, Lines]:
    """Return the lines of each package, modules at the top together, and of folders beside."""
    found: dict[str, Lines] = {}
    for folder in ("src", *BESIDE):
        for path in sorted((root / folder).rglob("*.py")):
            parts = path.relative_to(root / folder).parts[:-1]
            name = "/".join(parts[:2]) if folder == "src" else folder
            counted = count_lines(path.read_text(encoding="utf-8"))
            found[name] = tuple(map(add, found.get(name, (0, 0, 0)), counted))
    return found


def budgets() -> dict[str, int]:
    """Return how many lines each package may have."""
    return {row["package"]: int(row["lines"]) for row in rows_of(BUDGET)}


def above(found: Mapping[str, Lines], allowed: Mapping[str, int]) -> list[str]:
    """Return the packages that have more lines than they may, or no budget."""
    return [
        f"{name}: {lines} lines, {allowed.get(name, 0)} allowed"
        for name, (lines, _, _) in found.items()
        if lines > allowed.get(name, 0)
    ]


def renew(found: Mapping[str, Lines]) -> None:
    """Write the present lines, and 2 %, as the budget."""
    rows = [f"{name},{math.ceil(lines * 1.02)}" for name, (lines, _, _) in found.items()]
    BUDGET.write_text("\n".join(["package,lines", *rows, ""]), encoding="utf-8")


def told_lines(found: Mapping[str, Lines], allowed: Mapping[str, int]) -> list[str]:
    """Return a table of lines by package, the packages of `src` together in the last row."""
    rows = [(name, *counts, allowed.get(name, 0)) for name, counts in found.items()]
    inside = [row for row in rows if row[0] not in BESIDE]
    rows.append(("src", *(sum(row[place] for row in inside) for place in range(1, 5))))
    head = f"{'package':28}{'lines':>8}{'code':>8}{'docs':>8}{'budget':>8}"
    return [head, *(f"{name:28}{a:8}{b:8}{c:8}{most:8}" for name, a, b, c, most in rows)]


def main() -> int:
    """Print what was asked for."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--files", action="store_true")
    parser.add_argument("--dot", action="store_true")
    parser.add_argument("--lines", action="store_true")
    parser.add_argument("--renew", action="store_true")
    chosen = parser.parse_args()
    if chosen.lines or chosen.renew:
        counted = lines_by_package()
        if chosen.renew:
            renew(counted)
        print("\n".join(told_lines(counted, budgets())))
        return int(bool(above(counted, budgets())))
    whole = files()
    rooms = packages(whole)
    graph = whole if chosen.files else rooms
    if chosen.dot:
        arrows = [f'  "{name}" -> "{each}"' for name in graph for each in sorted(graph[name])]
        print("\n".join(["digraph house {", *arrows, "}"]))
        return 0
    print("\n".join(told(graph)))
    found = [*circles(rooms), *circles(whole)]
    wrong = arrows_up(rooms)
    print("\n".join(f"circle: {', '.join(sorted(circle))}" for circle in found))
    print("\n".join([f"not allowed: {arrow}" for arrow in wrong] or ["no arrow up"]))
    return int(bool(wrong or found))


if __name__ == "__main__":
    sys.exit(main())
