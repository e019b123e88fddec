"""Functions by the names that the configuration gives them."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any

from opchar.errors import ConfigError


def imported(reference: str) -> Callable[..., Any]:
    """Import the function that ``"package.module:name"`` names.

    Parameters
    ----------
    reference : str
        As in the configuration.

    Returns
    -------
    callable

    Raises
    ------
    ConfigError
        If there is no such module or name.
    """
    module, _, name = reference.partition(":")
    try:
        return getattr(import_module(module), name)
    except ModuleNotFoundError as error:
        raise ConfigError(f"'{reference}': no module '{error.name}'") from None
    except AttributeError:
        raise ConfigError(f"'{reference}': {module} has no '{name}'") from None
