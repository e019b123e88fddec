"""Functions by the names that the configuration gives them."""

from __future__ import annotations

import sys
from collections.abc import Callable
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from traceback import extract_tb
from types import ModuleType
from typing import Any, TypeVar

from opchar.errors import ConfigError, OpcharError

Wanted = TypeVar("Wanted")


def import_function(reference: str) -> Callable[..., Any]:
    """Import the function that ``"package.module:name"`` or ``"folder/file.py:name"`` names."""
    module, _, name = reference.partition(":")
    if module.endswith(".py") and not Path(module).is_file():
        raise ConfigError(f"'{reference}': no such file")
    try:
        found = _from_file(module) if module.endswith(".py") else import_module(module)
    except ModuleNotFoundError as error:
        raise ConfigError(f"'{reference}': no module '{error.name}'") from None
    if not hasattr(found, name):
        raise ConfigError(f"'{reference}': {module} has no '{name}'")
    return getattr(found, name)


def require_type(found: Any, wanted: type[Wanted], reference: str) -> Wanted:
    """Return what a function has returned, if it is of the type that the function must return."""
    if not isinstance(found, wanted):
        type_ = f"{wanted.__module__}.{wanted.__name__}"
        raise ConfigError(f"'{reference}' returns {type(found).__name__}, not {type_}")
    return found


def _from_file(file: str) -> ModuleType:
    """Import a file, once, under a name that no package has."""
    path = Path(file).resolve()
    name = f"extension of opchar: {path}"
    if name not in sys.modules:
        spec = spec_from_file_location(name, path)
        if spec is None or spec.loader is None:
            raise FileNotFoundError(path)
        module = sys.modules[name] = module_from_spec(spec)
        try:
            spec.loader.exec_module(module)
        except BaseException as error:
            del sys.modules[name]
            if not isinstance(error, Exception | SystemExit):
                raise
            if isinstance(error, OpcharError | ModuleNotFoundError):
                raise
            met = [part for part in extract_tb(error.__traceback__) if part.filename == str(path)]
            where = f"{file}, line {met[-1].lineno}" if met else file
            said = " ".join(f"{type(error).__name__}: {error}".split())
            raise ConfigError(f"{where}: fails when it is imported: {said}") from error
    return sys.modules[name]
