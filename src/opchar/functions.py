"""Functions by the names that the configuration gives them."""

from __future__ import annotations

import sys
from collections.abc import Callable
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any

from opchar.errors import ConfigError


def import_function(reference: str) -> Callable[..., Any]:
    """Import the function that ``"package.module:name"`` or ``"folder/file.py:name"`` names.

    Parameters
    ----------
    reference : str
        As in the configuration; a file counts from the working directory.

    Returns
    -------
    callable
        The function of that name.

    Raises
    ------
    ConfigError
        If there is no such module or name.
    """
    module, _, name = reference.partition(":")
    try:
        found = _from_file(module) if module.endswith(".py") else import_module(module)
        return getattr(found, name)
    except ModuleNotFoundError as error:
        raise ConfigError(f"'{reference}': no module '{error.name}'") from None
    except FileNotFoundError:
        raise ConfigError(f"'{reference}': no such file") from None
    except AttributeError:
        raise ConfigError(f"'{reference}': {module} has no '{name}'") from None


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
        except BaseException:
            del sys.modules[name]
            raise
    return sys.modules[name]
