"""Studies as their files mark them (`opchar_reproduction.study`), read from syntax trees, not run.

What a mark says becomes an entry: of a study, of a statement, of a figure or table. Errors name the
file and the line of the mark.
"""

import ast
import inspect
import re
from collections.abc import Container, Hashable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

from opchar.errors import ConfigError
from opchar_reproduction import study
from opchar_reproduction.project.configuration.entries import (
    MARKS,
    Entry,
    Mark,
    Studies,
    add_marks,
    made_control,
    mark_arguments,
    prose,
    refuse_no_dimension,
    score_tables,
)
from opchar_reproduction.project.configuration.kept_marks import KeptMarks
from opchar_reproduction.project.configuration.listed import (
    add_listed,
    printed_numbers,
    read_listed,
)
from opchar_reproduction.publication import PACKAGE, from_here
from opchar_reproduction.words import python_tree, takes

HOMES = ("opchar_reproduction.study", "opchar_reproduction.extend")
# Marks of such a text are read anew: they depend on a table beside it, too.
TABLES = ("settings", "printed_numbers")
PRINTED = [f"{home}:printed_numbers" for home in HOMES]
SETTINGS = [f"{home}:settings" for home in HOMES]
EXCHANGE = "opchar_reproduction.statements.exchange:"
SIMPLE = (str, int, float, type(None))
SHOWN = {"figure": "results and curves", "table": "results and published lines"}


def read_studies(
    source: Path,
    outside: Mapping[str, Path] = MappingProxyType({}),
    on_request: Container[str] = (),
) -> Studies:
    """Read the studies of the package and of publications from outside.

    Those `on_request`, by key, are marked: only a goal that names them makes them.
    """
    found, kept = Studies(), KeptMarks()
    ours = sorted(path for path in (source / "publications").glob("*") if path.is_dir())
    homes = [(path.name, path, path.relative_to(source.parents[1])) for path in ours]
    homes += [(key, folder, Path(from_here(folder))) for key, folder in outside.items()]
    for key, folder, shown in homes:
        read_listed(found, key, folder)
        _read_folder(found, kept, folder, key, f"{PACKAGE}.{key}", shown)
        add_listed(found, key, folder)
    refuse_no_dimension(found)
    kept.write()
    for entries in (found.experiments, found.artefacts):
        for address in [each for each in entries if each.split("/")[0] in on_request]:
            entries[address]["on_request"] = True
    found.statements = dict(sorted(found.statements.items()))
    found.artefacts = dict(sorted(found.artefacts.items(), key=_in_the_publication))
    return found


def _in_the_publication(artefact: tuple[str, Entry]) -> tuple[str, list[str], list[str]]:
    """Return the key that sorts artefacts by publication, section and label."""
    owner, _, label = artefact[0].partition("/")
    return owner, _natural_key(artefact[1].get("section", "")), _natural_key(label)


def _natural_key(text: str) -> list[str]:
    """Return the parts of a text, its numbers written so that they sort as numbers."""
    return [part.zfill(6) if part.isdigit() else part for part in re.split(r"(\d+)", text)]


def _read_folder(
    found: Studies, kept: KeptMarks, folder: Path, owner: str, home: str, shown: Path
) -> None:
    """Read the files of a folder; marks of one file, or of a study's folder, belong together.

    Its modules are below the package `home`; messages say that it stands at `shown`.
    """
    files = sorted(folder.glob("*.py"))
    parted = {path.stem for path in files} >= {"measure"}
    groups = [files] if parted else [[path] for path in files]
    for group in groups:
        marks: list[Mark] = []
        for path in sorted(group, key=lambda path: path.stem != "measure"):
            file = (shown / path.name).as_posix()
            place = _text(path, file), f"{home}.{path.stem}", file
            known = None if any(each in place[0] for each in TABLES) else kept.find(*place)
            if known is None:
                known = read_marks(*place, folder)
                kept.keep(known, *place)
            marks += known
        add_marks(found, marks, owner)
    for inner in sorted(path for path in folder.iterdir() if path.is_dir()):
        _read_folder(found, kept, inner, owner, f"{home}.{inner.name}", shown / inner.name)


def _text(path: Path, shown: str) -> str:
    try:
        return path.read_text("utf-8")
    except UnicodeDecodeError:
        raise ConfigError(f"{shown}: not UTF-8 text") from None


def read_marks(source: str, home: str, file: str, folder: Path | None = None) -> list[Mark]:
    """Return the marks of a file; its tables of settings stand in the folder."""
    if "opchar" not in source:
        return []
    place = Path(file).parent if folder is None else folder
    return _Reader(python_tree(source, file), home, file, place).marks()


class _Reader:
    """Reads the marks of one file; knows what the names of the file stand for."""

    def __init__(self, tree: ast.Module, home: str, file: str, folder: Path) -> None:
        self.body, self.home, self.file, self.folder = tree.body, home, file, folder
        self.names: dict[str, str] = {}
        self.values: dict[str, ast.expr] = {}
        self.functions: dict[str, ast.FunctionDef] = {}
        for node in tree.body:
            match node:
                case ast.ImportFrom(module=str(module), names=names):
                    self.names |= {a.asname or a.name: f"{module}:{a.name}" for a in names}
                case ast.Import(names=names):
                    self.names |= {a.asname or a.name: a.name for a in names}
                case ast.FunctionDef(name=name):
                    self.functions[name] = node
                    self.names[name] = f"{home}:{name}"
                case ast.Assign(targets=[ast.Name(id=name)], value=value):
                    self.values[name] = value

    def marks(self) -> list[Mark]:
        """Return all marks, those of a function from the one that stands nearest to it."""
        found: list[Mark] = []
        for node in self.body:
            if isinstance(node, ast.FunctionDef | ast.ClassDef | ast.AsyncFunctionDef):
                marked = [call for call in node.decorator_list if self._kind(call)]
                place = f"{self.file}, line {marked[0].lineno}" if marked else ""
                if marked and not isinstance(node, ast.FunctionDef):
                    raise ConfigError(f"{place}: only functions can be marked")
                if marked and self.functions[node.name] is not node:
                    raise ConfigError(f"{place}: another '{node.name}' below replaces this one")
                found += [self._mark(call, node) for call in marked]  # type: ignore[arg-type]
            elif isinstance(node, ast.Expr) and self._kind(node.value):
                found.append(self._mark(node.value, None))
        return found

    def _kind(self, call: ast.expr) -> str:
        """Return the kind of a mark; nothing for another expression."""
        named = ast.unparse(call.func if isinstance(call, ast.Call) else call)
        first, *rest = named.split(".")
        meant = self.names.get(first, first).replace(":", ".")
        home, _, kind = ".".join([meant, *rest]).rpartition(".")
        kind = "study" if kind == "experiment" else kind
        return kind if home in HOMES and kind in MARKS else ""

    def _mark(self, call: ast.expr, function: ast.FunctionDef | None) -> Mark:
        kind = self._kind(call)
        place = f"{self.file}, line {call.lineno}"
        if not isinstance(call, ast.Call) or len(call.args) > 1:
            raise ConfigError(f'{place}: write {kind}("<name>", ...) with all else by name')
        first = next(iter(inspect.signature(MARKS[kind]).parameters))
        if call.args and first in [part.arg for part in call.keywords]:
            raise ConfigError(f"{place}: {kind}: '{first}' is given twice")
        given = {first: self._value(call.args[0], place)} if call.args else {}
        for part in call.keywords:
            if part.arg is None:
                raise ConfigError(f"{place}: {kind}: write its keywords out, without **")
            key = "study" if part.arg == "experiment" else str(part.arg)
            given[key] = self._value(part.value, place)
            if key == "scores" and isinstance(given[key], list):
                given[key] = score_tables(given[key], place)
        given = mark_arguments(kind, given, place)
        if kind in SHOWN and function and not takes(function, 2, given.get("parameters") or ()):
            raise ConfigError(f"{place}: a {kind} takes {SHOWN[kind]}, and its parameters by name")
        reference = f"{self.home}:{function.name}" if function else given.pop("by", "")
        if not reference and kind != "table":
            raise ConfigError(f"{place}: a {kind} without a function names one: by=...")
        return Mark(kind, given, reference, self._defaults(function, place), place)

    def _defaults(self, function: ast.FunctionDef | None, place: str) -> dict[str, Any]:
        """Return the values of a signature's keywords, as far as they are written out."""
        found: dict[str, Any] = {}
        if function is not None:
            pairs = zip(function.args.kwonlyargs, function.args.kw_defaults, strict=True)
            for argument, value in pairs:
                if value is None:
                    continue
                constant = isinstance(value, ast.Name) and value.id in self.values
                if constant or _is_literal(value):
                    found[argument.arg] = self._value(value, place)
        return found

    def _value(self, node: ast.expr, place: str) -> Any:
        """Return the value of a literal, a constant of the file, or the name of a function."""
        match node:
            case ast.Name(id=name) if name in self.values:
                value = self.values.pop(name)  # so that a constant of itself is none
                found = self._value(value, place)
                self.values[name] = value
                return found
            case ast.Name(id=name) if name in self.names:
                return self.names[name]
            case ast.List(elts=parts) | ast.Tuple(elts=parts):
                return [self._value(part, place) for part in parts]
            case ast.Dict(keys=keys, values=values) if None not in keys:
                named = [self._value(key, place) for key in keys if key]
                if all(isinstance(key, Hashable) for key in named):
                    return dict(zip(named, (self._value(v, place) for v in values), strict=True))
            case ast.Call(func=ast.Name(id=name)) if self.names.get(name, "").startswith(EXCHANGE):
                maker = self.names[name].removeprefix(EXCHANGE)
                return made_control(maker, node, lambda part: self._value(part, place), place)
            case ast.Call(func=ast.Name(id=name)) if self.names.get(name) in SETTINGS:
                return self._settings(node, place)
            case ast.Call(func=ast.Name(id=name), args=[ast.Constant(value=str(label))]) if (
                self.names.get(name) in PRINTED
            ):
                return printed_numbers(self.folder, label, place)
            case ast.Call(func=ast.Name(id="Control"), args=[changed, said], keywords=rest):
                parameters = {str(part.arg): self._value(part.value, place) for part in rest}
                control = {"function": self._value(changed, place)}
                control["says"] = prose(self._value(said, place))
                return control | ({"parameters": parameters} if parameters else {})
        try:
            found = ast.literal_eval(node)
            if not isinstance(found, SIMPLE):
                raise TypeError
            return found
        except (ValueError, TypeError):
            text = ast.unparse(node)
            text = text if len(text) <= 60 else f"{text[:57]}..."
            raise ConfigError(f"{place}: '{text}' is no literal and no name of the file") from None

    def _settings(self, node: ast.Call, place: str) -> Any:
        """Return a table of settings beside the file."""
        match node:
            case ast.Call(args=[ast.Name(id="__file__"), ast.Constant(value=str(table))]):
                by = [str(self._value(part.value, place)) for part in node.keywords]
                try:
                    return study.settings(str(self.folder / "_"), table, *by)
                except (OSError, ValueError, KeyError) as error:
                    raise ConfigError(f"{place}: {table}: {error}") from None
        raise ConfigError(f'{place}: write settings(__file__, "<table>.csv", by=...)')


def _is_literal(node: ast.expr) -> bool:
    """Whether an expression is written out; an empty tuple, which nothing overrides, is not.

    A set, bytes, an ellipsis and a complex number are refused, too: no configuration can hold them.
    """
    return not isinstance(node, ast.Tuple) and not any(
        isinstance(part, ast.Name | ast.Call | ast.Attribute | ast.Set)
        or (isinstance(part, ast.Constant) and not isinstance(part.value, SIMPLE))
        for part in ast.walk(node)
    )
