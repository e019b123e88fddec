"""What a module defines and what each definition uses, read from its syntax tree.

Nothing is imported. Parsing a hundred modules takes a second, so the summaries can be kept in a
folder: one small file a module, good for as long as the module's bytes are the same.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from opchar.files import read_json, write_json

PACKAGE = "opchar"
WHOLE = "*"

Name = tuple[str, str]
Use = tuple[str, str, str | None]


@dataclass(frozen=True)
class Definition:
    """One top-level function, class or constant, or the effects of a module.

    Attributes
    ----------
    digest : str
        Hash of its syntax tree without docstrings, comments and layout.
    uses : tuple of (str, str, str or None)
        Module, name in it (``*`` for the module itself) and attribute asked of that, for every
        name of the package that it mentions.
    parameters : tuple of str or None
        Names of a function's parameters; None if it is no function.
    line : int
        Where it stands.
    """

    digest: str
    uses: tuple[Use, ...]
    parameters: tuple[str, ...] | None
    line: int


@dataclass(frozen=True)
class Module:
    """What one module defines, what it imports from the package, and what it does at import."""

    name: str
    definitions: Mapping[str, Definition]
    imports: Mapping[str, Name]
    effects: Definition


def summary(name: str, path: Path, kept: Path | None = None) -> Module:
    """Return the summary of a module.

    Parameters
    ----------
    name : str
        Dotted name of the module.
    path : pathlib.Path
        Its file; a missing one counts as empty, as a package without ``__init__.py`` is.
    kept : pathlib.Path, optional
        Folder of the summaries of earlier runs; read, and renewed where it can be written.

    Returns
    -------
    Module
    """
    source = path.read_bytes() if path.is_file() else b""
    if kept is None:
        return _read(name, source, path)
    digest = sha256(b"\0".join([_reader(), str(path.name).encode(), source])).hexdigest()
    place = kept / f"{name}.json"
    with suppress(OSError, ValueError, KeyError, TypeError):
        known = read_json(place)
        if known["source"] == digest:
            return _from_json(known["module"])
    module = _read(name, source, path)
    with suppress(OSError):
        write_json({"source": digest, "module": asdict(module)}, place)
    return module


@cache
def _reader() -> bytes:
    """Return what a kept summary depends on beside the module: this code and the interpreter."""
    return Path(__file__).read_bytes() + str(sys.version_info[:2]).encode()


def _from_json(kept: Mapping[str, Any]) -> Module:
    definitions = {name: _definition(entry) for name, entry in kept["definitions"].items()}
    imports = {name: (module, attribute) for name, (module, attribute) in kept["imports"].items()}
    return Module(kept["name"], definitions, imports, _definition(kept["effects"]))


def _definition(kept: Mapping[str, Any]) -> Definition:
    uses = tuple((module, name, attribute) for module, name, attribute in kept["uses"])
    parameters = None if kept["parameters"] is None else tuple(kept["parameters"])
    return Definition(kept["digest"], uses, parameters, kept["line"])


def _read(name: str, source: bytes, path: Path) -> Module:
    is_package = path.name == "__init__.py" or not path.is_file()
    definitions: dict[str, list[ast.stmt]] = {}
    imports: dict[str, Name] = {}
    effects: list[ast.stmt] = []
    for node in _without_docstrings(ast.parse(source)).body:
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                definitions.setdefault(node.name, []).append(node)
            case ast.Assign() | ast.AnnAssign() | ast.AugAssign():
                for target in _assigned(node):
                    definitions.setdefault(target, []).append(node)
            case ast.Import() | ast.ImportFrom():
                imports.update(_imports(node, name, is_package))
            case ast.If(test=ast.Name(id="TYPE_CHECKING")):
                pass
            case ast.Expr(value=ast.Constant(value=str())):
                pass
            case _:
                effects.append(node)

    def described(nodes: list[ast.stmt]) -> Definition:
        uses = {use for node in nodes for use in _uses(node, name, is_package, imports, defined)}
        text = "\n".join(map(ast.dump, nodes))
        ordered = sorted(uses, key=lambda use: (use[0], use[1], use[2] or ""))
        line = nodes[0].lineno if nodes else 0
        digest = sha256(text.encode()).hexdigest()
        return Definition(digest, tuple(ordered), _parameters(nodes), line)

    defined = frozenset(definitions)
    return Module(
        name,
        {target: described(nodes) for target, nodes in definitions.items()},
        imports,
        described(effects),
    )


def _assigned(node: ast.Assign | ast.AnnAssign | ast.AugAssign) -> Iterator[str]:
    targets = node.targets if isinstance(node, ast.Assign) else [node.target]
    for part in (part for target in targets for part in ast.walk(target)):
        match part:
            case ast.Name(id=name, ctx=ast.Store()) if name != "__all__":
                yield name


def _parameters(nodes: list[ast.stmt]) -> tuple[str, ...] | None:
    if not nodes or not isinstance(nodes[0], ast.FunctionDef):
        return None
    arguments = nodes[0].args
    return tuple(argument.arg for argument in [*arguments.args, *arguments.kwonlyargs])


def _uses(
    node: ast.AST,
    module: str,
    is_package: bool,
    imports: Mapping[str, Name],
    defined: Iterable[str],
) -> Iterator[Use]:
    """Yield what the names and attributes inside `node` refer to."""
    attributes: dict[int, str] = {}
    names: list[ast.Name] = []
    known = dict(imports)
    for part in ast.walk(node):
        if isinstance(part, ast.Name):
            names.append(part)
        elif isinstance(part, ast.Attribute):
            attributes[id(part.value)] = part.attr
        elif isinstance(part, ast.Import | ast.ImportFrom):
            known.update(_imports(part, module, is_package))
    for name in names:
        if name.id in known:
            yield *known[name.id], attributes.get(id(name))
        elif name.id in defined:
            yield module, name.id, None


def _imports(
    node: ast.Import | ast.ImportFrom, module: str, is_package: bool
) -> Iterator[tuple[str, Name]]:
    """Yield ``(local name, (module, attribute))`` of what is imported from the package."""
    if isinstance(node, ast.Import):
        for alias in node.names:
            if alias.name.split(".")[0] == PACKAGE:
                whole = alias.name if alias.asname else PACKAGE
                yield alias.asname or PACKAGE, (whole, WHOLE)
        return
    origin = node.module or ""
    if node.level:
        parts = module.split(".")
        kept = parts[: len(parts) - node.level + is_package]
        origin = ".".join([*kept, origin] if origin else kept)
    if origin.split(".")[0] == PACKAGE:
        for alias in node.names:
            yield alias.asname or alias.name, (origin, alias.name)


def _without_docstrings(tree: ast.Module) -> ast.Module:
    for node in ast.walk(tree):
        match node:
            case (
                ast.FunctionDef(body=[ast.Expr(value=ast.Constant(value=str())), *rest])
                | ast.AsyncFunctionDef(body=[ast.Expr(value=ast.Constant(value=str())), *rest])
                | ast.ClassDef(body=[ast.Expr(value=ast.Constant(value=str())), *rest])
            ):
                node.body = rest or [ast.Pass()]
    return tree
