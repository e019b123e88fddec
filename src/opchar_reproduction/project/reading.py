"""What the text of a module says: what it imports, which functions it defines, and its digest."""

from __future__ import annotations

import ast
import re
import sys
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

from opchar.errors import ConfigError
from opchar_reproduction.project.sealed import read_sealed, write_sealed

# The library and the reproduction.
PACKAGES = ("opchar", "opchar_reproduction")
REFERENCE = re.compile(r"opchar(_reproduction)?(\.\w+)+(:\w+)?")
WORD = re.compile(r"[\w.-]{2,40}")
FACE = ("__getattr__", "__dir__")
LOADING = ("import_module", "__import__")
# Fields of syntax trees that change nothing, or that not every Python writes.
LEFT_OUT = ("ctx", "kind", "type_comment")


class Module(NamedTuple):
    """What a module says.

    `aliases`: the types that names stand for, as in ``Search = Literal["exact", "grid"]``.
    """

    raw: str
    digest: str
    imports: list[str]
    texts: list[str]
    words: list[str]
    names: list[str]
    asked: list[str]
    functions: dict[str, Any]
    aliases: dict[str, str]
    origins: dict[str, list[str]]


class Reader:
    """Reads modules, each once."""

    def __init__(self, kept: Path | None = None) -> None:
        self.kept = kept if kept and kept.parent.is_dir() else None
        self._read: dict[Path, Module] = {}

    def module(self, path: Path) -> Module:
        """Return what a file says."""
        if path not in self._read:
            self._read[path] = self._anew(path)
        return self._read[path]

    def _anew(self, path: Path) -> Module:
        text = path.read_bytes()
        if self.kept is None:
            return read_module(text, path)
        place = self.kept / f"{'-'.join(path.parts[-4:])}.json"
        known = read_sealed(place, _reader())
        if known and known["raw"] == sha256(text).hexdigest():
            return Module(**known)
        module = read_module(text, path)
        write_sealed(module._asdict(), place, _reader())
        return module


@cache
def _reader() -> str:
    return Path(__file__).read_text(encoding="utf-8") + str(sys.version_info[:2])


def read_module(text: bytes, path: Path) -> Module:
    """Return what the text of a module says."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError) as error:
        line = getattr(error, "lineno", None) or 0
        reason = getattr(error, "msg", None) or str(error)
        raise ConfigError(f"{path}: line {line}: not Python: {reason}") from None
    origins = {
        alias.asname or alias.name: [node.module or "", alias.name]
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and not node.level
        for alias in node.names
        if (node.module or "").split(".")[0] in PACKAGES
    }
    tree = _Plain(_never_checks(tree)).visit(tree)
    faces = [n for n in tree.body if isinstance(n, ast.FunctionDef) and n.name in FACE]
    face = faces if path.name == "__init__.py" else []
    asked = [name for node in face for name in (*_imports(node), *_texts(node))]
    rest = [node for node in tree.body if node not in face]
    return Module(
        sha256(text).hexdigest(),
        sha256("\n".join(map(_dump, tree.body)).encode()).hexdigest(),
        sorted({name for node in rest for name in _imports(node)}),
        sorted({name for node in rest for name in _texts(node)}),
        sorted({word for text in _constants(tree) for word in WORD.findall(text)}),
        sorted(_bound(tree)),
        asked,
        {n.name: _signature(n) for n in tree.body if isinstance(n, ast.FunctionDef)},
        {
            target.id: ast.unparse(node.value)
            for node in tree.body
            if isinstance(node, ast.Assign) and isinstance(node.value, ast.Subscript)
            for target in node.targets
            if isinstance(target, ast.Name)
        },
        origins,
    )


def _never_checks(tree: ast.Module) -> bool:
    """Whether ``TYPE_CHECKING`` is the constant of `typing`, and nothing else."""
    brought = any(
        isinstance(node, ast.ImportFrom)
        and node.module == "typing"
        and any(each.name == each.asname or not each.asname for each in node.names)
        and "TYPE_CHECKING" in {each.name for each in node.names}
        for node in tree.body
    )
    bound = [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.Name)
        and node.id == "TYPE_CHECKING"
        and not isinstance(node.ctx, ast.Load)
    ]
    return brought and not bound


class _Plain(ast.NodeTransformer):
    """Takes docstrings out of a tree, and statements that only a checker of types reads."""

    def __init__(self, never_checks: bool) -> None:
        self.never_checks = never_checks

    def visit_If(self, node: ast.If) -> Any:
        self.generic_visit(node)
        match node.test:
            case ast.Name(id="TYPE_CHECKING") if self.never_checks:
                return node.orelse or ast.Pass()
            case ast.UnaryOp(ast.Not(), ast.Name(id="TYPE_CHECKING")) if self.never_checks:
                return node.body
        return node

    def generic_visit(self, node: ast.AST) -> ast.AST:
        super().generic_visit(node)
        match node:
            case (
                ast.Module(body=[ast.Expr(value=ast.Constant(value=str())), *rest])
                | ast.FunctionDef(body=[ast.Expr(value=ast.Constant(value=str())), *rest])
                | ast.AsyncFunctionDef(body=[ast.Expr(value=ast.Constant(value=str())), *rest])
                | ast.ClassDef(body=[ast.Expr(value=ast.Constant(value=str())), *rest])
            ):
                node.body = rest or [ast.Pass()]
        return node


def _imports(tree: ast.AST) -> list[str]:
    """Return what is imported anywhere in a tree; ``package.*`` where a package is at hand."""
    found = []
    for node in ast.walk(tree):
        match node:
            case ast.Import(names=names):
                found += [each.name for each in names]
                ours = [(each, each.name.split(".")[0]) for each in names]
                ours = [(each, package) for each, package in ours if package in PACKAGES]
                found += [f"{each.name if each.asname else package}.*" for each, package in ours]
            case ast.ImportFrom(module=module, level=level, names=names):
                origin = "." * level + (module or "")
                joint = "" if origin.endswith(".") else "."
                found += [origin, *(f"{origin}{joint}{each.name}" for each in names)]
            case ast.Call(func=called, args=[ast.Constant(value=str() as name), *_]):
                found += [name] if ast.unparse(called).endswith(LOADING) else []
    return found


def _texts(tree: ast.AST) -> list[str]:
    return [text.split(":")[0] for text in _constants(tree) if REFERENCE.fullmatch(text)]


def _constants(tree: ast.AST) -> list[str]:
    constants = (node.value for node in ast.walk(tree) if isinstance(node, ast.Constant))
    return [text for text in constants if isinstance(text, str)]


def _bound(tree: ast.Module) -> set[str]:
    """Return the names that the statements of a module bind, at whatever depth."""
    found = set()
    for node in ast.walk(tree):
        match node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                found.add(name)
            case ast.ClassDef(name=name) | ast.Name(id=name, ctx=ast.Store()):
                found.add(name)
            case ast.alias(name=name, asname=other):
                found.add(other or name.split(".")[0])
    return found


def _signature(node: ast.FunctionDef) -> dict[str, Any]:
    """Return a function's parameters, those without a default, its types, and its line."""
    given = node.args
    positional = [*given.posonlyargs, *given.args]
    without = positional[: len(positional) - len(given.defaults)]
    pairs = zip(given.kwonlyargs, given.kw_defaults, strict=True)
    required = [*without, *(argument for argument, default in pairs if default is None)]
    every = [*positional, *given.kwonlyargs]
    types = {part.arg: ast.unparse(part.annotation) for part in every if part.annotation}
    return {
        "parameters": [part.arg for part in every],
        "required": [part.arg for part in required],
        "annotations": types | ({"**": given.kwarg.arg} if given.kwarg else {}),
        "line": node.lineno,
    }


def _dump(node: Any) -> str:
    """Write a syntax tree in a form that is the same under every supported Python.

    Whatever is empty is left out, and parts of a formatted string are joined as far as they are
    constant: `ast.dump` writes fields that later versions have added, and 3.12 splits otherwise.
    """
    if isinstance(node, list):
        return f"[{','.join(map(_dump, node))}]"
    if not isinstance(node, ast.AST):
        return repr(node)
    if isinstance(node, ast.JoinedStr):
        return f"JoinedStr({','.join(_format_fields(node))})"
    if isinstance(node, ast.Constant):
        return f"Constant({node.value!r})"
    fields = [
        f"{name}={_dump(value)}"
        for name, value in ast.iter_fields(node)
        if name not in LEFT_OUT and value is not None and value != []
    ]
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
