"""Hashes of the code that a function can reach, so that only what changed is done again.

Snakemake does not see imports. Each rule therefore carries a hash of the syntax trees of the
functions, classes and constants that its function reaches within `opchar`, found without importing
anything. Comments, docstrings and layout do not count; neither does code that is not reached.

What the analysis relies on, and the house rules guarantee: code is called by its name, package
``__init__`` modules only re-export, and nothing registers itself at import. A module that is used
as a whole (passed on, or searched by ``getattr``) counts as a whole.
"""

from __future__ import annotations

from functools import cache
from hashlib import sha256
from pathlib import Path

from opchar.errors import ConfigError, nearest
from opchar.syntax import PACKAGE, WHOLE, Definition, Module, Name, summary

SOURCE = Path(__file__).resolve().parent
KEPT = Path(".opchar/code")


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
        self._reached: dict[Name, tuple[str, frozenset[Name]]] = {}
        self._hashes: dict[tuple[str, ...], str] = {}

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
        if references not in self._hashes:
            digest = sha256()
            for symbol, content in sorted(self.reached(*references).items()):
                digest.update(f"{symbol[0]}:{symbol[1]}\n{content}\n".encode())
            outside = sorted(name for name in references if not self._is_ours(name))
            digest.update("\n".join(outside).encode())
            self._hashes[references] = digest.hexdigest()[:16]
        return self._hashes[references]

    def reached(self, *references: str) -> dict[Name, str]:
        """Return every reachable ``(module, symbol)`` with the digest of its syntax tree."""
        waiting = [self._entry(name) for name in references if self._is_ours(name)]
        found: dict[Name, str] = {}
        while waiting:
            symbol = waiting.pop()
            if symbol not in found:
                found[symbol], uses = self._use(symbol)
                waiting.extend(uses)
        return found

    def function(self, reference: str) -> Definition:
        """Return the function that `reference` names.

        Raises
        ------
        ConfigError
            If there is none, naming the nearest that there is.
        """
        module, name = self._entry(reference)
        definition = self._module(module).definitions[name]
        if definition.parameters is None:
            raise ConfigError(f"'{reference}' is not a function")
        return definition

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

    def _entry(self, reference: str) -> Name:
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

    def _use(self, symbol: Name) -> tuple[str, frozenset[Name]]:
        """Return the digest of a symbol, the effects of its module included, and what it uses."""
        if symbol not in self._reached:
            module = self._module(symbol[0])
            parts, uses = [module.effects], set()
            if symbol[1] == WHOLE:
                parts += module.definitions.values()
                uses = {self._imported(*target, None) for target in module.imports.values()}
            else:
                parts.append(module.definitions[symbol[1]])
            uses |= {self._imported(*use) for part in parts for use in part.uses}
            text = " ".join(part.digest for part in parts)
            self._reached[symbol] = text, frozenset(uses - {symbol})
        return self._reached[symbol]

    def _imported(self, module: str, name: str, attribute: str | None) -> Name:
        """Return what an imported name, or its `attribute`, refers to."""
        found = (module, WHOLE) if name == WHOLE else self._resolve(module, name)
        is_module = found[1] == WHOLE and (name == WHOLE or found[0] != module)
        return self._resolve(found[0], attribute) if is_module and attribute else found


@cache
def source_tree() -> SourceTree:
    """Return the modules of the running package, shared within the process."""
    return SourceTree(kept=KEPT if KEPT.parent.is_dir() else None)
