"""Hashes of the code that a function can reach, so that only what changed is done again.

Snakemake does not see imports. Each rule therefore carries a hash of the syntax trees of the
functions, classes and constants that its function reaches within `opchar`, found without importing
anything, of what the names that these take from other libraries refer to, of what the modules do to
their own data, and of the files beside a module that it names. Comments, docstrings and layout do
not count; neither does code that is not reached, nor the Python that reads it. Beside the hash
stand the versions of the libraries.

What the analysis relies on, and the house rules guarantee: code is called by its name, package
``__init__`` modules only re-export, and nothing registers itself at import. A module that is used
as a whole (passed on, or searched by ``getattr``) counts as a whole.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable
from dataclasses import replace
from functools import cache
from hashlib import sha256
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import NamedTuple

from opchar.errors import ConfigError, nearest
from opchar.pipeline.code.imports import WHOLE, Name
from opchar.pipeline.code.syntax import EFFECTS, Definition, Module, is_ours, summary
from opchar.pipeline.code.user_files import (
    definition_in_file,
    digest_of,
    is_file,
    named_files,
    parts_of_file,
    refuse_neighbours,
)
from opchar.publication import from_here, module_place

SOURCE = Path(__file__).resolve().parents[2]
KEPT = Path(".opchar/code")
RANGES = "opchar.ranges"

DISTRIBUTIONS = {
    "PIL": "pillow",
    "cv2": "opencv-python-headless",
    "imblearn": "imbalanced-learn",
    "mpl_toolkits": "matplotlib",
    "skimage": "scikit-image",
    "sklearn": "scikit-learn",
    "yaml": "pyyaml",
}
BENEATH = {
    "imblearn": ("sklearn", "scipy", "numpy"),
    "matplotlib": ("PIL", "numpy"),
    "mpl_toolkits": ("matplotlib", "PIL", "numpy"),
    "moocore": ("numpy",),
    "pandas": ("numpy", "pyarrow"),
    "scipy": ("numpy",),
    "skimage": ("scipy", "numpy"),
    "sklearn": ("scipy", "numpy"),
    "statsmodels": ("scipy", "numpy", "pandas"),
}
# Libraries that bring files, whose bytes are checked, show progress or only save time: no result
# depends on them.
UNCOUNTED = frozenset({"", "numba", "pooch", "requests", "tqdm"})


class Use(NamedTuple):
    """What a symbol is and uses: its digest, names of the package, and other libraries."""

    digest: str
    names: frozenset[Name]
    libraries: frozenset[str]


class Labels(NamedTuple):
    """What code writes out, and which names of frames and columns it asks for."""

    written: frozenset[str]
    asked: frozenset[str]


class SourceTree:
    """The modules of the package, each summarised once.

    Parameters
    ----------
    source : pathlib.Path, optional
        Folder of the package; that of the running code when not given.
    kept : pathlib.Path, optional
        Folder of the summaries of earlier runs.
    """

    def __init__(self, source: Path = SOURCE, kept: Path | None = None) -> None:
        self.source = source
        self.kept = kept
        self._modules: dict[str, Module] = {}
        self._uses: dict[Name, Use] = {}
        self._there: dict[str, bool] = {}
        self._reached: dict[str, dict[Name, Use]] = {}
        self._called: dict[str, frozenset[str]] = {}
        self._hashes: dict[tuple[str, ...], str] = {}
        self._libraries: dict[tuple[str, ...], dict[str, str]] = {}
        self._labels: dict[tuple[object, ...], Labels] = {}

    def code_hash(self, *references: str) -> str:
        """Return the hash of all code reachable from `references`.

        Parameters
        ----------
        *references : str
            ``"opchar.module:function"`` each; others, such as a library's class, are named only.

        Raises
        ------
        ConfigError
            If a reference names nothing.
        """
        if references not in self._hashes:
            digest = sha256()
            lines = [
                f"{module}:{name}\n{use.digest}\n"
                for (module, name), use in sorted(self._reached_from(references).items())
            ]
            digest.update("".join(lines).encode())
            outside = sorted(name for name in references if not is_ours(name))
            digest.update("\n".join(outside).encode())
            for file in sorted({name.split(":")[0] for name in outside if is_file(name)}):
                refuse_neighbours(file)
                named = named_files(parts_of_file(file), Path(), Path(file).parent)
                for each in [Path(file), *named]:
                    digest.update(each.read_bytes())
            self._hashes[references] = digest.hexdigest()[:16]
        return self._hashes[references]

    def reachable_symbols(self, *references: str) -> dict[Name, str]:
        """Return every reachable ``(module, symbol)`` with the digest of its syntax tree."""
        return {symbol: use.digest for symbol, use in self._reached_from(references).items()}

    def _reached_from(self, references: Iterable[str]) -> dict[Name, Use]:
        """Return all that some references reach; what each reaches is followed once."""
        found: dict[Name, Use] = {}
        for reference in references:
            if not is_ours(reference) and not is_file(reference):
                continue
            if reference not in self._reached:
                self._reached[reference] = self._follow(self._first(reference))
            found |= self._reached[reference]
        return found

    def _first(self, reference: str) -> set[Name]:
        """Return the symbols that a reference names; of a user's file those that it uses."""
        if is_ours(reference):
            return {self._entry(reference)}
        return {
            self._resolve_import(*use)
            for part in parts_of_file(reference.split(":")[0])
            for use in part.uses
            if is_ours(use[0])
        }

    def _follow(self, symbols: set[Name]) -> dict[Name, Use]:
        """Return all that some symbols reach; effects of modules that have none are left out."""
        waiting, found = list(symbols), {}
        while waiting:
            symbol = waiting.pop()
            if symbol not in found:
                found[symbol] = self._use(symbol)
                waiting.extend(found[symbol].names - found.keys())
        return {symbol: use for symbol, use in found.items() if symbol[1] != EFFECTS or use.digest}

    def libraries(self, *references: str) -> dict[str, str]:
        """Return the versions of the libraries that all code reachable from `references` calls.

        Those that a library computes with (`BENEATH`) count with it; what is not installed has the
        version ``absent``.
        """
        if references not in self._libraries:
            modules = {_library(name) for name in references if not is_ours(name)}
            modules.update(
                *(self._called_by(name) for name in references if is_ours(name) or is_file(name))
            )
            modules.update(*(BENEATH.get(module, ()) for module in tuple(modules)))
            names = {DISTRIBUTIONS.get(module, module) for module in modules - UNCOUNTED}
            self._libraries[references] = {name: installed_version(name) for name in sorted(names)}
        return self._libraries[references]

    def _called_by(self, reference: str) -> frozenset[str]:
        """Return the libraries that all code reachable from a reference calls."""
        if reference not in self._called:
            reached = self._reached_from([reference]).values()
            found = {library for use in reached for library in use.libraries}
            if is_file(reference):
                parts = parts_of_file(reference.split(":")[0])
                found |= {library for part in parts for library in part.libraries}
            self._called[reference] = frozenset(found)
        return self._called[reference]

    def labels(self, *references: str, within: tuple[str, ...] = ("opchar",)) -> Labels:
        """Return what the code that some references reach writes out and asks for.

        Parameters
        ----------
        *references : str
            ``"opchar.module:function"`` each.
        within : tuple of str
            Only what these packages and modules define, and what that reaches in them.
        """
        key = (within, *references)
        if key not in self._labels:
            written: set[str] = set()
            asked: set[str] = set()
            waiting, seen = [self._entry(each) for each in references], set[Name]()
            while waiting:
                module, name = symbol = waiting.pop()
                if symbol in seen or not module.startswith(within) or name == EFFECTS:
                    continue
                seen.add(symbol)
                home = self._module(module).definitions
                for part in home.values() if name == WHOLE else [home[name]]:
                    written.update(part.written)
                    asked.update(part.asked)
                waiting.extend(self._use(symbol).names)
            self._labels[key] = Labels(frozenset(written), frozenset(asked))
        return self._labels[key]

    def function(self, reference: str) -> Definition:
        """Return the function that `reference` names, with the types of its parameters written out.

        Raises
        ------
        ConfigError
            If there is none, naming the nearest that there is.
        """
        if is_file(reference):
            definition = definition_in_file(reference)
        else:
            module, name = self._entry(reference)
            definition = self._module(module).definitions[name]
            types = {p: self._written_out(module, t) for p, t in definition.annotations.items()}
            definition = replace(definition, annotations=types)
        if definition.parameters is None:
            raise ConfigError(f"'{reference}' is not a function")
        return definition

    def reference(self, reference: str) -> Name:
        """Return the module and the name that define what `reference` names: function or class.

        Raises
        ------
        ConfigError
            If there is none, naming the nearest that there is.
        """
        return self._entry(reference)

    def _written_out(self, module: str, type_: str) -> str:
        """Return a written type with what its names stand for, where this package defines them."""
        tree = ast.parse(type_, mode="eval")
        for node in ast.walk(tree):
            for field, part in ast.iter_fields(node):
                if isinstance(part, list):
                    part[:] = [self._type_behind(module, each) for each in part]
                elif isinstance(part, ast.Name):
                    setattr(node, field, self._type_behind(module, part))
        return ast.unparse(tree)

    def _type_behind(self, module: str, node: ast.AST) -> ast.AST:
        """Return the type that a name of a module stands for; the name where it is another."""
        if not isinstance(node, ast.Name):
            return node
        home, found = self._resolve(module, node.id)
        if home == RANGES:  # what these allow is told by their names
            return ast.Name(found)
        alias = "" if found == WHOLE else self._module(home).definitions[found].alias
        return ast.parse(self._written_out(home, alias), mode="eval").body if alias else node

    def shown_file(self, reference: str) -> str:
        """Return the file of a function, relative to the project or to the working folder."""
        path = self.path(reference.partition(":")[0])
        root = self.source.parents[1]
        return path.relative_to(root).as_posix() if path.is_relative_to(root) else from_here(path)

    def path(self, module: str) -> Path:
        """Return the file of a module of the package."""
        path = module_place(module, self.source)
        package = path / "__init__.py"
        return package if package.is_file() else path.with_suffix(".py")

    def _exists(self, module: str) -> bool:
        if module not in self._there:
            path = module_place(module, self.source)
            self._there[module] = path.with_suffix(".py").is_file() or path.is_dir()
        return self._there[module]

    def _entry(self, reference: str) -> Name:
        module, _, name = reference.partition(":")
        if not name or not is_ours(reference) or not self._exists(module):
            raise ConfigError(f"'{reference}' names no function 'opchar.<module>:<function>'")
        symbol = self._resolve(module, name)
        if symbol[1] == WHOLE:
            known = self._module(module)
            hint = nearest(name, sorted({*known.definitions, *known.imports}))
            raise ConfigError(f"'{reference}': {module} has no '{name}'{hint}")
        return symbol

    def _module(self, name: str) -> Module:
        if name not in self._modules:
            self._modules[name] = summary(name, self.path(name), self.kept)
        return self._modules[name]

    def _resolve(self, module: str, name: str) -> Name:
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

    def _use(self, symbol: Name) -> Use:
        """Return what a symbol is and uses, the effects of its module included."""
        if symbol[1] == EFFECTS and symbol not in self._uses:
            self._uses[symbol] = self._effects(symbol[0])
        if symbol not in self._uses:
            module = self._module(symbol[0])
            parts, names = [module.effects], set()
            if symbol[1] == WHOLE:
                # By name: a summary that was kept has lost their order in the file.
                parts += [module.definitions[name] for name in sorted(module.definitions)]
                names = {self._resolve_import(*target, None) for target in module.imports.values()}
            else:
                parts.append(module.definitions[symbol[1]])
            names |= {self._resolve_import(*use) for part in parts for use in part.uses}
            names |= self._run_with(symbol[0])
            named = named_files(parts, self.path(symbol[0]).parent)
            self._uses[symbol] = Use(
                " ".join([part.digest for part in parts] + [digest_of(file) for file in named]),
                frozenset(names - {symbol}),
                frozenset(library for part in parts for library in part.libraries),
            )
        return self._uses[symbol]

    def _effects(self, name: str) -> Use:
        """Return what a module does when it is imported; without a digest if that is nothing."""
        effects = self._module(name).effects
        names = {self._resolve_import(*use) for use in effects.uses} | self._run_with(name)
        digest = effects.digest if effects.line else ""
        return Use(digest, frozenset(names - {(name, EFFECTS)}), frozenset(effects.libraries))

    def _run_with(self, name: str) -> set[Name]:
        """Return the effects of the packages above a module, which are imported before it."""
        parts = name.split(".")
        return {(".".join(parts[:depth]), EFFECTS) for depth in range(1, len(parts))}

    def _resolve_import(self, module: str, name: str, attribute: str | None) -> Name:
        """Return what an imported name, or the dotted `attribute` of it, refers to."""
        if name == EFFECTS:
            return (module if self._exists(module) else module.rpartition(".")[0]), EFFECTS
        found = (module, WHOLE) if name == WHOLE else self._resolve(module, name)
        is_module = found[1] == WHOLE and (name == WHOLE or found[0] != module)
        for part in attribute.split(".") if is_module and attribute else ():
            before, found = found[0], self._resolve(found[0], part)
            if found[1] != WHOLE or found[0] == before:
                break
        return found


@cache
def source_tree() -> SourceTree:
    """Return the modules of the running package, shared within the process."""
    return SourceTree(kept=KEPT if KEPT.parent.is_dir() else None)


@cache
def installed_version(distribution: str) -> str:
    """Return the version of an installed distribution, or ``absent``."""
    try:
        return version(distribution)
    except PackageNotFoundError:
        return "absent"


def _library(reference: str) -> str:
    """Return the top-level module of a reference; nothing for a user's own file."""
    module = reference.split(":")[0]
    return "" if module.endswith(".py") else module.split(".")[0]
