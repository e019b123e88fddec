"""What statements import when they run, read from syntax trees."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

WHOLE = "*"
# What stands under these runs in no job: types for checkers, and entrances of programs.
UNREACHED = ("TYPE_CHECKING", "typing.TYPE_CHECKING", "__name__ == '__main__'")
Name = tuple[str, str]


def unused_imports(tree: ast.Module) -> Iterator[ast.stmt]:
    """Yield the imports of other libraries whose names are never used: they do something."""
    used = {part.id for part in ast.walk(tree) if isinstance(part, ast.Name)}
    for node in tree.body:
        if isinstance(node, ast.ImportFrom) and (node.level or node.module == "__future__"):
            continue
        if isinstance(node, ast.Import | ast.ImportFrom):
            names = [alias.asname or alias.name.split(".")[0] for alias in node.names]
            if not used.intersection(names):
                yield node


def lazy_imports(body: Iterable[ast.stmt], package: str) -> dict[str, Name]:
    """Return what a package that imports on demand names for type checkers: its re-exports."""
    if not any(isinstance(node, ast.FunctionDef) and node.name == "__getattr__" for node in body):
        return {}
    checked = [
        node for node in body if isinstance(node, ast.If) and ast.unparse(node.test) in UNREACHED
    ]
    brought = (imports_of(node.body, package, True) for node in checked)
    return {local: target for found in brought for local, target, _ in found}


def imports_of(
    body: Iterable[ast.stmt], module: str, is_package: bool
) -> Iterator[tuple[str, Name, str]]:
    """Yield what statements import when they run: local name, ``(module, name in it)``, dotted."""
    for node in body:
        match node:
            case ast.Import():
                for alias in node.names:
                    whole = alias.name if alias.asname else alias.name.split(".")[0]
                    yield alias.asname or whole, (whole, WHOLE), alias.name
            case ast.ImportFrom():
                origin = _origin(node, module, is_package)
                for alias in node.names:
                    yield alias.asname or alias.name, (origin, alias.name), f"{origin}.{alias.name}"
            case ast.If() if ast.unparse(node.test) in UNREACHED:
                yield from imports_of(node.orelse, module, is_package)
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                pass
            case _:
                inner = [part for part in ast.iter_child_nodes(node) if part is not node]
                statements = [p for p in inner if isinstance(p, ast.stmt | ast.excepthandler)]
                yield from imports_of(statements, module, is_package)  # type: ignore[arg-type]


def _origin(node: ast.ImportFrom, module: str, is_package: bool) -> str:
    """Return the module that ``from ... import`` takes names from."""
    origin = node.module or ""
    if not node.level:
        return origin
    parts = module.split(".")
    kept = parts[: len(parts) - node.level + is_package]
    return ".".join([*kept, origin] if origin else kept)
