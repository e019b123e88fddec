"""Draw the house: packages and files by floors, circles, and arrows that are not allowed.

    python tools/house.py            packages: what each imports, floor by floor
    python tools/house.py --files    files, floor by floor
    python tools/house.py --dot      packages as a graph for Graphviz

An arrow leads from what imports to what is imported; imports for type checkers alone count for no
floor. A package or file stands one floor above the highest that it imports. Exits 1 on an arrow
that `ALLOWED` does not list, or a circle.
"""

from __future__ import annotations

import argparse
import ast
import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[1] / "src"
Graph = dict[str, set[str]]

ALLOWED = {
    package: set(others.split())
    for package, others in {
        "__main__": "cli",
        "analysis": "arguments combination decisions errors figures files functions metrics models "
        "multiclass opchar page_policy reject scores seeds spaces statements statistics ties typed",
        "cli": "analysis datasets errors metrics models opchar pipeline printed report typed",
        "combination": "arguments compilation spaces ties",
        "datasets": "errors files ranges seeds",
        "decisions": "arguments retired spaces statistics",
        "displays": "reject spaces",
        "extend": "models study",
        "figures": "files",
        "functions": "errors",
        "metrics": "arguments errors multiclass seeds spaces ties",
        "models": "datasets errors functions ranges scores seeds ties",
        "multiclass": "arguments compilation models spaces ties",
        "pipeline": "analysis datasets errors extend figures files functions models opchar "
        "publication report results safe_yaml scores seeds statements study",
        "publication": "errors",
        "publications": "combination datasets displays errors figures metrics models multiclass "
        "ranges reject results scores seeds spaces statements statistics study",
        "printed": "errors files metrics page_policy seeds spaces typed",
        "reject": "arguments datasets errors models multiclass ranges scores seeds spaces "
        "statistics ties",
        "report": "errors figures files functions metrics page_policy printed publication "
        "results safe_yaml scores seeds spaces statements statistics",
        "results": "files",
        "safe_yaml": "errors",
        "scores": "errors files",
        "spaces": "arguments retired ties",
        "statements": "functions results seeds study",
        "statistics": "arguments seeds spaces ties",
        "studies": "errors figures functions metrics multiclass publications ranges reject results "
        "scores seeds spaces statistics study",
    }.items()
}


def files(source: Path = SOURCE) -> Graph:
    """Return what each module imports of the package."""
    paths = {_module(path, source): path for path in sorted((source / "opchar").rglob("*.py"))}
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
    """Return what each package of `opchar` imports of the others."""
    found: Graph = defaultdict(set)
    for name, others in graph.items():
        found[_package(name)] |= {_package(each) for each in others} - {_package(name)}
    return dict(found)


def _package(module: str) -> str:
    return module.split(".")[1] if "." in module else "opchar"


def circles(graph: Mapping[str, set[str]]) -> list[set[str]]:
    """Return the largest sets of nodes each of which leads to each other."""
    reached = {name: _reached(graph, name) for name in graph}
    found: list[set[str]] = []
    for name in sorted(graph):
        circle = {each for each in reached[name] if name in reached.get(each, ())}
        if circle and circle not in found:
            found.append(circle)
    return found


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
    try:
        order.prepare()
    except CycleError as error:
        raise AssertionError(f"circles were not joined: {error}") from None
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


def main() -> int:
    """Print what was asked for."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--files", action="store_true")
    parser.add_argument("--dot", action="store_true")
    chosen = parser.parse_args()
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
