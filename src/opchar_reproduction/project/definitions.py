"""The functions that the configuration names: where they stand, and what they take."""

import ast
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from opchar.errors import ConfigError, nearest
from opchar_reproduction.project.closure import is_file, is_ours, sources
from opchar_reproduction.project.reading import Module
from opchar_reproduction.publication import from_here

RANGES = "opchar.ranges"


@dataclass(frozen=True)
class Definition:
    """A function as it is written."""

    parameters: tuple[str, ...]
    required: tuple[str, ...]
    annotations: Mapping[str, str]
    line: int


def function(reference: str) -> Definition:
    """Return the function that a reference names, with the types of its parameters written out."""
    home, name = defined_in(reference)
    module = _module(home)
    if name not in module.functions:
        raise ConfigError(f"'{reference}' is not a function")
    said = module.functions[name]
    types = said["annotations"]
    if not is_file(reference):
        types = {each: _written_out(home, type_) for each, type_ in types.items()}
    return Definition(tuple(said["parameters"]), tuple(said["required"]), types, said["line"])


def defined_in(reference: str) -> tuple[str, str]:
    """Return the module and the name that define what a reference names: function or class."""
    module, _, name = reference.partition(":")
    if is_file(reference):
        if not Path(module).is_file():
            raise ConfigError(
                f"'{reference}': no file '{module}'; give a path from the project's folder"
            )
        if name not in (names := _module(module).names):
            raise ConfigError(f"'{module}' has no function '{name}'{nearest(name, names)}")
        return module, name
    if not name or not is_ours(reference) or sources().path(module) is None:
        raise ConfigError(f"'{reference}' names no function 'opchar.<module>:<function>'")
    found = _resolve(module, name)
    if found is None:
        hint = nearest(name, _module(module).names)
        raise ConfigError(f"'{reference}': {module} has no '{name}'{hint}")
    return found


def shown_file(reference: str) -> str:
    """Return the file of a function, relative to the project or to the working folder."""
    path = file_of(reference)
    root = sources().source.parent
    return path.relative_to(root).as_posix() if path.is_relative_to(root) else from_here(path)


def file_of(reference: str) -> Path:
    """Return the file of the module that a reference names."""
    return sources().path(reference.partition(":")[0]) or Path()


def _module(name: str) -> Module:
    return sources().module(name) or Module("", "", [], [], [], [], [], {}, {}, {})


def _resolve(module: str, name: str) -> tuple[str, str] | None:
    """Follow imports from a name to the module that defines it; None where nothing does."""
    here = _module(module)
    if name in here.origins:
        return _resolve(*here.origins[name])
    return (module, name) if name in here.names else None


def _written_out(module: str, type_: str) -> str:
    """Return a written type with what its names stand for, where this package defines them."""
    tree = ast.parse(type_, mode="eval")
    for node in ast.walk(tree):
        for field, part in ast.iter_fields(node):
            if isinstance(part, list):
                part[:] = [_type_behind(module, each) for each in part]
            elif isinstance(part, ast.Name):
                setattr(node, field, _type_behind(module, part))
    return ast.unparse(tree)


def _type_behind(module: str, node: ast.AST) -> ast.AST:
    """Return the type that a name of a module stands for; the name where it is another."""
    if not isinstance(node, ast.Name) or (found := _resolve(module, node.id)) is None:
        return node
    home, name = found
    if home == RANGES:  # what these allow is told by their names
        return ast.Name(name)
    alias = _module(home).aliases.get(name, "")
    return ast.parse(_written_out(home, alias), mode="eval").body if alias else node
