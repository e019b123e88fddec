"""The modules that a job's code can import, directly or not, and the hash of their contents.

When in doubt, redo: a module counts wherever its name stands in an ``import`` or is a text, with
the packages above it and every data file in their folders; folders of data in packages above, where
code names them. Only comments, docstrings, and what stands under ``TYPE_CHECKING`` do not count. A
package that imports on demand (``__getattr__``) counts by its own text, and what it can import for
those that ask it for a name. What publications print (`publication.TABLES`) is an input of the
rules that read it. Nothing is imported.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from functools import cache
from hashlib import sha256
from importlib.machinery import PathFinder
from pathlib import Path

from opchar.errors import ConfigError
from opchar_reproduction import publication
from opchar_reproduction.project.reading import PACKAGES, Module, Reader
from opchar_reproduction.project.records import digest

# The folder of both packages.
SOURCE = Path(__file__).resolve().parents[2]
MODULES = Path(".opchar/modules")
DECLARED = {publication.ABOUT, "margins.csv", *(f"{name}.csv" for name in publication.TABLES)}
# What planning reads from the folder of a publication.
LISTED = {"exhibits.csv", "statements.csv", "variants.csv"}
# No data files: code, what is hidden, what is made while a run goes on, and declared inputs.
ASIDE = re.compile(r"\..*|.*\.(py|pyc|typed|log|out)|__pycache__|results|data|logs|proofreading")
# How code looks for files that it does not name.
LOOKING = re.compile(r"listdir|iterdir|scandir|glob|walk")


def is_file(reference: str) -> bool:
    """Whether a reference is ``"file.py:name"``, a function of a user's own."""
    return reference.split(":")[0].endswith(".py")


def is_ours(reference: str) -> bool:
    """Whether a module or ``module:name`` is of the library or of the reproduction."""
    return reference.split(":")[0].split(".")[0] in PACKAGES


class Sources:
    """The modules of both packages and of a user's own, each read once."""

    def __init__(self, source: Path = SOURCE, reader: Reader | None = None) -> None:
        self.source, self.reader = source, reader or Reader()
        self._paths: dict[str, Path | None] = {}
        self._next: dict[str, tuple[Path | None, list[str]]] = {}
        self._files: dict[str, dict[str, tuple[str, list[str]]]] = {}
        self._closures: dict[tuple[str, ...], dict[str, list[str]]] = {}
        self._outside: dict[tuple[str, ...], set[str]] = {}

    def code_hash(self, *references: str) -> str:
        """Return the hash of all that the code of some references can import."""
        files = [(name, said[0]) for name, said in sorted(self.closure(*references).items())]
        others = sorted(name for name in references if not is_ours(name) and not is_file(name))
        return sha256(json.dumps([files, others]).encode()).hexdigest()[:16]

    def closure(self, *references: str) -> dict[str, list[str]]:
        """Return digests of all files that count, of modules also that of their very bytes."""
        if references not in self._closures:
            self._closures[references] = self._walk(references)
        return self._closures[references]

    def outside(self, *references: str) -> set[str]:
        """Return the modules of other libraries that the code of some references can import."""
        self.closure(*references)
        return self._outside[references]

    def module(self, name: str) -> Module | None:
        """Return what a module says, or None where it is none, or a folder alone."""
        path = self.path(name)
        return self.reader.module(path) if path and path.is_file() else None

    def path(self, name: str) -> Path | None:
        """Return the file of a module, the folder of a package without one, or None."""
        if name not in self._paths:
            self._paths[name] = self._place(name)
        return self._paths[name]

    def _place(self, name: str) -> Path | None:
        if is_file(name):
            return Path(name)
        place = publication.module_place(name, self.source)
        whole = [place / "__init__.py", place.with_suffix(".py"), place]
        return next((path for path in whole if path.exists()), None)

    def _walk(self, references: tuple[str, ...]) -> dict[str, list[str]]:
        waiting, seen = [name.split(":")[0] for name in references], set[str]()
        found: dict[str, list[str]] = {}
        paths: dict[str, Path] = {}
        while waiting:
            if (name := waiting.pop()) in seen:
                continue
            seen.add(name)
            if name not in self._next:
                self._next[name] = self._follow(name)
            path, following = self._next[name]
            waiting += filter(None, following)
            if path is None:
                continue
            paths[name] = path
        read = [self.reader.module(path) for path in paths.values() if path.is_file()]
        words = {word for module in read for word in module.words}
        for name, path in paths.items():
            found |= {
                file: said
                for file, (folder, said) in self._files_of(name, path).items()
                if not folder or folder in words
            }
        self._outside[references] = {n for n in seen if not is_ours(n) and not is_file(n)}
        return found

    def _files_of(self, name: str, path: Path) -> dict[str, tuple[str, list[str]]]:
        """Return what counts of a module: itself, and the data files beside it.

        With each file stands the folder of data in a package that counts where code names it only.
        """
        if name not in self._files:
            shown = name.replace(".", "/") if is_ours(name) else name
            package = path.is_dir() or path.name == "__init__.py"
            home = shown if package else shown.rpartition("/")[0]
            folder = path if path.is_dir() else path.parent
            found: dict[str, tuple[str, list[str]]] = {}
            for file in _data_files(folder, path):
                place = file.relative_to(folder)
                named = place.parts[0] if package and len(place.parts) > 1 else ""
                found[f"{home}/{place.as_posix()}"] = named, [digest(file)]
            if path.is_file():
                module = self.reader.module(path)
                found[shown] = "", [module.digest, module.raw]
            self._files[name] = found
        return self._files[name]

    def _follow(self, name: str) -> tuple[Path | None, list[str]]:
        """Return the file of a module and the names of what it can import, and of its package."""
        if not is_ours(name) and not is_file(name):
            return None, []
        path, above = self.path(name), name.rpartition(".")[0]
        if path is None:  # a name in a module; of a package perhaps one that it imports on demand
            home = self.module(above)
            asks = home is not None and name.rpartition(".")[2] not in home.names
            return None, [above, *(home.asked if home and asks else [])]
        if (module := self.module(name)) is None:
            return path, [above]
        if is_file(name):
            _refuse_neighbours(name, module)
            return path, [*module.imports, *filter(self.path, module.texts)]
        package = name if path.name == "__init__.py" else above
        imports = [_absolute(each, package) for each in module.imports]
        return path, [above, *imports, *filter(self.path, module.texts)]


@cache
def sources() -> Sources:
    """Return the sources of the running packages; beside them jobs would look for libraries."""
    others = [place for place in sys.path if Path(place).resolve() != SOURCE]
    for name in {path.name.partition(".")[0] for path in SOURCE.iterdir()} - {"sitecustomize"}:
        installed = name[:1] not in "_" and PathFinder.find_spec(name, others)
        if (installed or name in sys.stdlib_module_names) and "opchar" not in name:
            raise ConfigError(f"{SOURCE / name}: hides the library of that name; move it elsewhere")
    return Sources(reader=Reader(MODULES))


def _absolute(name: str, package: str) -> str:
    """Return the full name of a module that is imported, perhaps relative to a package."""
    dots = len(name) - len(name.lstrip("."))
    parts = package.split(".")[: len(package.split(".")) - dots + 1]
    return ".".join([*parts, name[dots:]]).rstrip(".") if dots else name


def _data_files(folder: Path, code: Path) -> Iterator[Path]:
    """Yield the files beside code: in its folder, and in those below that hold no code."""
    for path in sorted(folder.iterdir()):
        listed = path.name in LISTED and (folder / publication.ABOUT).is_file()
        if ASIDE.fullmatch(path.name) or path.name in DECLARED or listed:
            continue
        if path.is_dir():
            if folder.resolve() != Path.cwd() and not any(path.glob("*.py")):
                yield from _data_files(path, code)
        elif folder.resolve() != Path.cwd() or _is_looked_for(path, code):
            yield path


def _is_looked_for(path: Path, code: Path) -> bool:
    """Whether code in the folder of a project may read a file there, which others may write."""
    text = code.read_text(encoding="utf-8")
    return path.stem in text or (path.suffix or path.name) in text or bool(LOOKING.search(text))


def _refuse_neighbours(file: str, module: Module) -> None:
    """Refuse what a user's file imports from a folder of theirs: a job would not find it."""
    for name in sorted({each.split(".")[0] for each in module.imports}.difference(PACKAGES)):
        for folder in {Path(), Path(file).parent}:
            if (folder / f"{name}.py").is_file() or (folder / name / "__init__.py").is_file():
                raise ConfigError(
                    f"{file}: imports '{name}' from {folder.resolve()}: jobs do not look there; "
                    "put it into this file, or install it"
                )
