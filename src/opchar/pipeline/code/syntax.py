"""What a module defines and what each definition uses, read from its syntax tree.

Nothing is imported. Parsing a hundred modules takes a second, so the summaries can be kept in a
folder: one small file a module, good for as long as the module's bytes are the same.
"""

from __future__ import annotations

import ast
import json
import sys
from collections.abc import Collection, Iterable, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from opchar.errors import ConfigError
from opchar.files import read_json, write_json
from opchar.pipeline.code.imports import UNREACHED, Name, imports_of, lazy_imports, unused_imports
from opchar.pipeline.code.labels import labels
from opchar.pipeline.code.visible_code import refuse_unseen, without_annotations

PACKAGE = "opchar"
# Marks of functions, of `opchar.study` and `opchar.extend`: what they say is configuration.
MARKS = ("study", "variant", "statement", "figure", "table", "experiment", "metric", "word")
# In place of a name: what a module and the packages above it do when they are imported.
EFFECTS = "<effects>"

Use = tuple[str, str, str | None]


@dataclass(frozen=True)
class Definition:
    """One top-level function, class or constant, or the effects of a module.

    A constant comes with every statement of the module that changes it: ``STYLE["width"] = 2``
    belongs to ``STYLE``.

    Attributes
    ----------
    digest : str
        Hash of its syntax tree without docstrings, comments and layout, and of what the names of
        other libraries in it refer to.
    uses : tuple of (str, str, str or None)
        Module, name in it (``*`` for the module itself) and attribute asked of that, dotted where
        one is asked of the attribute, for every name of the package that it mentions.
    libraries : tuple of str
        Top-level modules of other libraries that it mentions; none of the standard library.
    parameters : tuple of str or None
        Names of a function's parameters; None if it is no function.
    required : tuple of str
        Those of `parameters` without a default.
    annotations : dict of str to str
        The written type of each parameter that has one; under ``**`` the name of what takes any.
    line : int
        Where it stands.
    alias : str
        The type that a name stands for, as in ``Search = Literal["exact", "grid"]``; else empty.
    written, asked : tuple of str
        Texts that it writes out, and names of frames and columns that it asks for
        (`opchar.pipeline.code.labels`).
    """

    digest: str
    uses: tuple[Use, ...]
    libraries: tuple[str, ...]
    parameters: tuple[str, ...] | None
    required: tuple[str, ...]
    annotations: Mapping[str, str]
    line: int
    alias: str = ""
    written: tuple[str, ...] = ()
    asked: tuple[str, ...] = ()


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
    """
    source = path.read_bytes() if path.is_file() else b""
    if kept is None:
        return _read_module(name, source, path)
    digest = sha256(b"\0".join([_reader(), str(path.name).encode(), source])).hexdigest()
    cached = kept / f"{name}.json"
    with suppress(OSError, ValueError, KeyError, TypeError):
        known = read_json(cached)
        if known["source"] == digest and known["content"] == _fingerprint(known["module"]):
            return _from_json(known["module"])
    module = _read_module(name, source, path)
    fields = asdict(module)
    with suppress(OSError):
        write_json({"source": digest, "content": _fingerprint(fields), "module": fields}, cached)
    return module


def _fingerprint(module: Mapping[str, Any]) -> str:
    """Return what tells a summary from one that was changed where it is kept."""
    return sha256(json.dumps(module, sort_keys=True).encode()).hexdigest()


@cache
def _reader() -> bytes:
    """Return what a kept summary depends on beside the module: this code and the interpreter."""
    beside = b"".join(
        Path(__file__).with_name(f"{name}.py").read_bytes()
        for name in ("imports", "labels", "visible_code")
    )
    return Path(__file__).read_bytes() + beside + str(sys.version_info[:2]).encode()


def _from_json(kept: Mapping[str, Any]) -> Module:
    definitions = {name: _definition(entry) for name, entry in kept["definitions"].items()}
    imports = {name: (module, attribute) for name, (module, attribute) in kept["imports"].items()}
    return Module(kept["name"], definitions, imports, _definition(kept["effects"]))


def _definition(kept: Mapping[str, Any]) -> Definition:
    uses = tuple((module, name, attribute) for module, name, attribute in kept["uses"])
    parameters = None if kept["parameters"] is None else tuple(kept["parameters"])
    return Definition(
        kept["digest"],
        uses,
        tuple(kept["libraries"]),
        parameters,
        tuple(kept["required"]),
        kept["annotations"],
        kept["line"],
        kept["alias"],
        tuple(kept["written"]),
        tuple(kept["asked"]),
    )


def _read_module(name: str, source: bytes, path: Path) -> Module:
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError) as error:
        line = getattr(error, "lineno", None) or 0
        reason = getattr(error, "msg", None) or str(error)
        raise ConfigError(f"{path}: line {line}: not Python: {reason}") from None
    is_package = path.name == "__init__.py" or not path.is_file()
    refuse_unseen(tree, path)
    definitions, effects = _definitions_and_effects(_without_docstrings(tree).body)
    brought = list(imports_of(tree.body, name, is_package))
    imports = (lazy_imports(tree.body, name) if is_package else {}) | {
        local: target for local, target, _ in brought
    }
    effects += [] if is_package else list(unused_imports(tree))

    def described(whole: list[ast.stmt]) -> Definition:
        told = *_signature(whole), whole[0].lineno if whole else 0, _alias(whole)
        nodes = [without_annotations(node) for node in whole]
        found = [_names(node, name, is_package, imports, frozenset(definitions)) for node in nodes]
        uses = {use for part in found for use in part if is_ours(use[0])}
        outside = {use for part in found for use in part if not is_ours(use[0])}
        taken = [f"{module}:{taken}" for module, taken, _ in outside]
        text = "\n".join([*map(_dump, nodes), *sorted(set(taken))])
        return Definition(
            sha256(text.encode()).hexdigest(),
            tuple(sorted(uses, key=lambda use: (use[0], use[1], use[2] or ""))),
            tuple(sorted({use[0].split(".")[0] for use in outside} - sys.stdlib_module_names)),
            *told,
            *labels(nodes, {name for name, target in imports.items() if not is_ours(target[0])}),
        )

    return Module(
        name,
        {target: described(nodes) for target, nodes in definitions.items()},
        {local: target for local, target in imports.items() if is_ours(target[0])},
        _effects_when_run(described(effects), [loaded for _, _, loaded in brought]),
    )


def _effects_when_run(effects: Definition, loaded: Iterable[str]) -> Definition:
    """Return the effects of a module with those of the modules that it loads."""
    also = {(module, EFFECTS, None) for module in loaded if is_ours(module)}
    return replace(effects, uses=(*effects.uses, *sorted(also - set(effects.uses))))


def is_ours(reference: str) -> bool:
    """Whether a module or ``module:name`` is of this package."""
    return reference.split(":")[0].split(".")[0] == PACKAGE


def _definitions_and_effects(
    body: Iterable[ast.stmt],
) -> tuple[dict[str, list[ast.stmt]], list[ast.stmt]]:
    """Sort the statements of a module into those that define or change a name, and effects."""
    definitions: dict[str, list[ast.stmt]] = {}
    effects: list[ast.stmt] = []
    for node in body:
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                definitions.setdefault(node.name, []).append(node)
            case ast.Assign() | ast.AnnAssign() | ast.AugAssign() | ast.Delete():
                named, changed = _targets(node)
                for target in named:
                    definitions.setdefault(target, []).append(node)
                for target in changed:
                    definitions.get(target, effects).append(node)
            case ast.Import() | ast.ImportFrom() | ast.Expr(value=ast.Constant()):
                pass
            case ast.Expr(value=value) if _is_mark(value):
                pass
            case ast.If() if ast.unparse(node.test) in UNREACHED:
                effects.extend(node.orelse)
            case _:
                effects.append(node)
    return definitions, effects


def _is_mark(node: ast.expr) -> bool:
    """Whether an expression marks a study: what it says is configuration, and no code."""
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in MARKS


def _targets(
    node: ast.Assign | ast.AnnAssign | ast.AugAssign | ast.Delete,
) -> tuple[list[str], list[str]]:
    """Return the names that a statement binds, and those whose parts it changes or deletes."""
    given = node.targets if isinstance(node, ast.Assign | ast.Delete) else [node.target]
    named, changed = [], []
    waiting = list(given)
    while waiting:
        part: ast.expr = waiting.pop(0)
        match part:
            case ast.Tuple(elts=parts) | ast.List(elts=parts):
                waiting.extend(parts)
            case ast.Starred(value=value):
                waiting.append(value)
            case ast.Name(id=name) if isinstance(node, ast.Delete):
                changed.append(name)
            case ast.Name(id=name):
                named.append(name)
            case _:
                changed.append(_root(part))
    return [name for name in named if name != "__all__"], changed


def _root(node: ast.expr) -> str:
    """Return the name that an attribute or subscript hangs on; nothing when it is another thing."""
    while isinstance(node, ast.Attribute | ast.Subscript):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""


def _signature(
    nodes: list[ast.stmt],
) -> tuple[tuple[str, ...] | None, tuple[str, ...], dict[str, str]]:
    """Return a function's parameters, those without a default, and the types of its parameters."""
    if not nodes or not isinstance(nodes[0], ast.FunctionDef):
        return None, (), {}
    given = nodes[0].args
    positional = [*given.posonlyargs, *given.args]
    without = positional[: len(positional) - len(given.defaults)]
    pairs = zip(given.kwonlyargs, given.kw_defaults, strict=True)
    required = [*without, *(argument for argument, default in pairs if default is None)]
    every = [*positional, *given.kwonlyargs]
    types = {part.arg: ast.unparse(part.annotation) for part in every if part.annotation}
    if given.kwarg is not None:
        types["**"] = given.kwarg.arg
    return tuple(part.arg for part in every), tuple(part.arg for part in required), types


def _alias(nodes: list[ast.stmt]) -> str:
    """Return the type that an assignment gives a name to; nothing for another value."""
    match nodes:
        case [ast.Assign(value=ast.Subscript() as value)]:
            return ast.unparse(value)
    return ""


def _dump(node: Any) -> str:
    """Write a syntax tree in a form that is the same under every supported Python.

    `ast.dump` writes fields that later versions have added, and from 3.13 leaves out empty ones.
    Here whatever is empty is left out, and so is the context of names. The parts of a formatted
    string are joined as far as they are constant, since 3.12 splits them otherwise.
    """
    if isinstance(node, list):
        return f"[{','.join(map(_dump, node))}]"
    if not isinstance(node, ast.AST):
        return repr(node)
    if isinstance(node, ast.JoinedStr):
        return f"JoinedStr({','.join(_format_fields(node))})"
    fields = [
        f"{name}={_dump(value)}"
        for name, value in ast.iter_fields(node)
        if name not in ("ctx", "kind", "type_comment") and value is not None and value != []
    ]
    if isinstance(node, ast.Constant) and node.value is None:
        fields = ["value=None"]
    return f"{type(node).__name__}({','.join(fields)})"


def _format_fields(node: ast.JoinedStr) -> list[str]:
    parts: list[str] = []
    constant = ""
    for value in node.values:
        if isinstance(value, ast.Constant):
            constant += str(value.value)
            continue
        parts += [repr(constant)] if constant else []
        parts.append(_dump(value))
        constant = ""
    return [*parts, repr(constant)] if constant else parts


def _names(
    node: ast.AST,
    module: str,
    is_package: bool,
    imports: Mapping[str, Name],
    defined: Collection[str],
) -> set[Use]:
    """Return what the names and attributes inside `node` refer to."""
    attributes: dict[int, ast.Attribute] = {}
    names: list[ast.Name] = []
    inside: list[ast.stmt] = []
    for part in ast.walk(node):
        if isinstance(part, ast.Name):
            names.append(part)
        elif isinstance(part, ast.Attribute):
            attributes[id(part.value)] = part
        elif isinstance(part, ast.Import | ast.ImportFrom):
            inside.append(part)
    brought = list(imports_of(inside, module, is_package))
    known = {**imports, **{local: target for local, target, _ in brought}}
    found: set[Use] = set()
    for name in names:
        if name.id in known:
            found.add((*known[name.id], _dotted_attributes(name, attributes)))
        elif name.id in defined:
            found.add((module, name.id, None))
    return found | {(loaded, EFFECTS, None) for _, _, loaded in brought if is_ours(loaded)}


def _dotted_attributes(name: ast.expr, attributes: Mapping[int, ast.Attribute]) -> str | None:
    """Return the attributes asked of a name, dotted: ``b.f`` of ``a`` in ``a.b.f()``."""
    parts = []
    while (asked := attributes.get(id(name))) is not None:
        parts.append(asked.attr)
        name = asked
    return ".".join(parts) or None


def _without_docstrings(tree: ast.Module) -> ast.Module:
    """Return a module without docstrings and marks."""
    for marked in tree.body:
        if isinstance(marked, ast.FunctionDef):
            marked.decorator_list = [part for part in marked.decorator_list if not _is_mark(part)]
    for node in ast.walk(tree):
        match node:
            case (
                ast.FunctionDef(body=[ast.Expr(value=ast.Constant(value=str())), *rest])
                | ast.AsyncFunctionDef(body=[ast.Expr(value=ast.Constant(value=str())), *rest])
                | ast.ClassDef(body=[ast.Expr(value=ast.Constant(value=str())), *rest])
            ):
                node.body = rest or [ast.Pass()]
    return tree
