"""Hashes of the code that a function can reach, so that only what changed is done again.

Snakemake does not see imports. Each rule therefore carries a hash of the syntax trees of the
functions, classes and constants that its function reaches within `opchar`, found without importing
anything. Comments, docstrings and layout do not count; neither does code that is not reached.

What the analysis relies on, and the house rules guarantee: code is called by its name, package
``__init__`` modules only re-export, and nothing registers itself at import. A module that is used
as a whole (passed on, or searched by ``getattr``) counts as a whole.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from hashlib import sha256
from pathlib import Path

from opchar.errors import ConfigError, nearest

PACKAGE = "opchar"
WHOLE = "*"
SOURCE = Path(__file__).resolve().parent

Symbol = tuple[str, str]


@dataclass
class Module:
    """One parsed module: what it defines, what it imports from the package, what it does."""

    name: str
    is_package: bool
    definitions: dict[str, list[ast.stmt]] = field(default_factory=dict)
    imports: dict[str, Symbol] = field(default_factory=dict)
    effects: list[ast.stmt] = field(default_factory=list)


class SourceTree:
    """The modules of the package as syntax trees, each parsed once.

    Parameters
    ----------
    source : pathlib.Path, optional
        Folder of the package; that of the running code when not given.
    """

    def __init__(self, source: Path = SOURCE) -> None:
        self.source = source
        self._reached: dict[Symbol, tuple[str, frozenset[Symbol]]] = {}
        self._modules: dict[str, Module] = {}

    def code_hash(self, *references: str) -> str:
        """Return the hash of all code reachable from `references`.

        Parameters
        ----------
        *references : str
            ``"opchar.module:function"`` each; others, such as a library's class, are named only.

        Returns
        -------
        str
            16 hexadecimal digits.

        Raises
        ------
        ConfigError
            If a reference names nothing.
        """
        digest = sha256()
        for symbol, text in sorted(self.reached(*references).items()):
            digest.update(f"{symbol[0]}:{symbol[1]}\n{text}\n".encode())
        outside = sorted(name for name in references if not self._is_ours(name))
        digest.update("\n".join(outside).encode())
        return digest.hexdigest()[:16]

    def reached(self, *references: str) -> dict[Symbol, str]:
        """Return every reachable ``(module, symbol)`` with the dump of its syntax tree."""
        waiting = [self._entry(name) for name in references if self._is_ours(name)]
        found: dict[Symbol, str] = {}
        while waiting:
            symbol = waiting.pop()
            if symbol not in found:
                found[symbol], uses = self._use(symbol)
                waiting.extend(uses)
        return found

    def function(self, reference: str) -> ast.FunctionDef:
        """Return the syntax tree of the function that `reference` names.

        Raises
        ------
        ConfigError
            If there is none, naming the nearest that there is.
        """
        module, name = self._entry(reference)
        node = self._module(module).definitions[name][0]
        if not isinstance(node, ast.FunctionDef):
            raise ConfigError(f"'{reference}' is not a function")
        return node

    def path(self, module: str) -> Path:
        """Return the file of a module of the package."""
        place = self.source.joinpath(*module.split(".")[1:])
        package = place / "__init__.py"
        return package if package.is_file() else place.with_suffix(".py")

    def _is_ours(self, reference: str) -> bool:
        return reference.split(":")[0].split(".")[0] == PACKAGE

    def _exists(self, module: str) -> bool:
        place = self.source.joinpath(*module.split(".")[1:])
        return place.with_suffix(".py").is_file() or place.is_dir()

    def _entry(self, reference: str) -> Symbol:
        module, _, name = reference.partition(":")
        if not name or not self._is_ours(reference) or not self._exists(module):
            raise ConfigError(f"'{reference}' names no function 'opchar.<module>:<function>'")
        symbol = self._resolve(module, name)
        if symbol[1] == WHOLE:
            hint = nearest(name, sorted(self._module(module).definitions))
            raise ConfigError(f"'{reference}': {module} has no '{name}'{hint}")
        return symbol

    def _module(self, name: str) -> Module:
        if name not in self._modules:
            path = self.path(name)
            body = _without_docstrings(ast.parse(path.read_bytes())).body if path.is_file() else []
            module = Module(name, path.name == "__init__.py" or not path.is_file())
            for node in body:
                _sort(node, module)
            self._modules[name] = module
        return self._modules[name]

    def _resolve(self, module: str, name: str) -> Symbol:
        """Follow re-exports from ``module.name`` to where it is defined."""
        if self._exists(f"{module}.{name}"):
            return f"{module}.{name}", WHOLE
        here = self._module(module)
        if name in here.definitions:
            return module, name
        if name in here.imports:
            target, attribute = here.imports[name]
            return (target, WHOLE) if attribute == WHOLE else self._resolve(target, attribute)
        return module, WHOLE

    def _use(self, symbol: Symbol) -> tuple[str, frozenset[Symbol]]:
        if symbol not in self._reached:
            module = self._module(symbol[0])
            if symbol[1] == WHOLE:
                nodes = [node for nodes in module.definitions.values() for node in nodes]
            else:
                nodes = module.definitions[symbol[1]]
            uses: set[Symbol] = set()
            if symbol[1] == WHOLE:
                uses |= {
                    self._resolve(*target) if target[1] != WHOLE else target
                    for target in module.imports.values()
                }
            for node in [*nodes, *module.effects]:
                uses |= set(self._uses(node, module))
            text = "\n".join(ast.dump(node) for node in [*nodes, *module.effects])
            self._reached[symbol] = text, frozenset(uses - {symbol})
        return self._reached[symbol]

    def _uses(self, node: ast.AST, module: Module) -> Iterator[Symbol]:
        """Yield what the names and attributes inside `node` refer to."""
        imports = module.imports
        attributes: dict[int, str] = {}
        names: list[ast.Name] = []
        for part in ast.walk(node):
            if isinstance(part, ast.Name):
                names.append(part)
            elif isinstance(part, ast.Attribute):
                attributes[id(part.value)] = part.attr
            elif isinstance(part, ast.Import | ast.ImportFrom):
                imports = imports | dict(_imports(part, module))
        for name in names:
            if name.id in imports:
                yield self._imported(*imports[name.id], attributes.get(id(name)))
            elif name.id in module.definitions:
                yield module.name, name.id

    def _imported(self, module: str, name: str, attribute: str | None) -> Symbol:
        """Return what an imported name, or its `attribute`, refers to."""
        found = (module, WHOLE) if name == WHOLE else self._resolve(module, name)
        is_module = found[1] == WHOLE and (name == WHOLE or found[0] != module)
        return self._resolve(found[0], attribute) if is_module and attribute else found


def _sort(node: ast.stmt, module: Module) -> None:
    """Put a top-level statement with the definitions, imports or effects of its module."""
    match node:
        case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
            module.definitions.setdefault(node.name, []).append(node)
        case ast.Assign() | ast.AnnAssign() | ast.AugAssign():
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            names = [
                part.id
                for target in targets
                for part in ast.walk(target)
                if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)
            ]
            for name in names:
                if name != "__all__":
                    module.definitions.setdefault(name, []).append(node)
        case ast.Import() | ast.ImportFrom():
            module.imports.update(_imports(node, module))
        case ast.If(test=ast.Name(id="TYPE_CHECKING")):
            pass
        case ast.Expr(value=ast.Constant(value=str())):
            pass
        case _:
            module.effects.append(node)


def _imports(node: ast.Import | ast.ImportFrom, module: Module) -> Iterator[tuple[str, Symbol]]:
    """Yield ``(local name, (module, attribute))`` of what is imported from the package."""
    if isinstance(node, ast.Import):
        for alias in node.names:
            if alias.name.split(".")[0] == PACKAGE:
                whole = alias.name if alias.asname else PACKAGE
                yield alias.asname or PACKAGE, (whole, WHOLE)
        return
    origin = node.module or ""
    if node.level:
        parts = module.name.split(".")
        kept = parts[: len(parts) - node.level + module.is_package]
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


@cache
def source_tree() -> SourceTree:
    """Return the syntax trees of the running package, shared within the process."""
    return SourceTree()
