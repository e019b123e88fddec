"""Which code a hash can follow in a syntax tree, and the refusal of code that it cannot."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from opchar.errors import ConfigError

# Decorators that look at no annotation.
PLAIN = frozenset(
    {"cache", "cached_property", "classmethod", "contextmanager", "property", "staticmethod"}
)
# What finds code by a text: names, and modules of the standard library but for parts of one.
BY_TEXT = frozenset({"__import__", "__builtins__", "eval", "exec", "globals", "locals"})
LOADING = frozenset({"builtins", "imp", "importlib", "pkgutil", "pydoc", "runpy", "zipimport"})
HARMLESS = ("importlib.resources", "importlib.metadata", "importlib.util.find_spec")
# The modules that may: the first is given names that count where they are written, the next makes
# these importable, the others run in no job.
MAY = (
    *("functions.py", "opchar/publication.py"),
    *("metrics/conditions/command.py", "cli/runs.py", "opchar/__init__.py"),
)


def refuse_unseen(tree: ast.Module, path: Path) -> None:
    """Refuse code that is not called by its name.

    Raises
    ------
    ConfigError
        One line that names the place: a ``from ... import *``, or code found by a text.
    """
    for line, what in unseen(tree):
        if what.endswith("import *") or not path.as_posix().endswith(MAY):
            raise ConfigError(
                f"{path}: line {line}: '{what}': its changes would not be seen; import and call "
                "things by name"
            )


def unseen(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Yield the line and the words of what is not called by its name."""
    for node in ast.walk(tree):
        match node:
            case ast.ImportFrom(module=module, names=names):
                whole = [f"{module}.{each.name}" for each in names]
                if names[0].name == "*" or any(map(_loads, whole)):
                    yield (
                        node.lineno,
                        f"from {'.' * node.level}{module or ''} import {names[0].name}",
                    )
            case ast.Import(names=names) if found := [n.name for n in names if _loads(n.name)]:
                yield node.lineno, f"import {found[0]}"
            case ast.Name(id=name, ctx=ast.Load()) if name in BY_TEXT:
                yield node.lineno, name
            case ast.Attribute(value=ast.Name(id="sys"), attr="modules"):
                yield node.lineno, "sys.modules"


def _loads(module: str) -> bool:
    """Whether a module, or a name of one, is for loading code by a text."""
    loading = module.split(".")[0] in LOADING or module == "sys.modules"
    return loading and not module.startswith(HARMLESS)


def without_annotations(node: ast.stmt) -> ast.stmt:
    """Take out of a statement the annotations that nothing reads when it runs.

    Those of classes stay, since dataclasses and their like read them, and those of functions whose
    decorators may.
    """
    found: ast.stmt = _Bare().visit(node)
    return found


class _Bare(ast.NodeTransformer):
    """Takes annotations out of functions and assignments."""

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        return self._function(node)

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> ast.AST:
        return self._function(node)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        self.generic_visit(node)
        if node.value is None:
            return ast.copy_location(ast.Pass(), node)
        return ast.copy_location(ast.Assign(targets=[node.target], value=node.value), node)

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        node.body = [
            part if isinstance(part, ast.AnnAssign) else self.visit(part) for part in node.body
        ]
        return node

    def _function(self, node: Any) -> ast.AST:
        self.generic_visit(node)
        if all(isinstance(part, ast.Name) and part.id in PLAIN for part in node.decorator_list):
            node.returns = None
            given = node.args
            for part in [*given.posonlyargs, *given.args, *given.kwonlyargs]:
                part.annotation = None
            for rest in (given.vararg, given.kwarg):
                if rest is not None:
                    rest.annotation = None
        return node
