"""Old names of functions, arguments and attributes, which work with a warning for one version."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from functools import wraps
from typing import Any, ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")
# Old names at the top: the module that has them, and what to use.
FUNCTIONS = {
    "best_threshold": (
        "opchar.spaces.scored",
        "opchar.choose_threshold(criterion='f') or, for many priors, "
        "opchar.spaces.scored.best_threshold",
    ),
    "neyman_pearson": (
        "opchar.spaces.scored",
        "opchar.controlled_threshold(max_fpr=...) or, without a promise, "
        "opchar.spaces.scored.neyman_pearson",
    ),
    "object_cost_threshold": (
        "opchar.spaces.object_costs",
        "opchar.spaces.object_costs.object_cost_threshold",
    ),
    "object_thresholds": (
        "opchar.spaces.object_costs",
        "opchar.bayes_threshold, whose costs have names",
    ),
}


def warn_of(old: str, new: str, stacklevel: int = 3) -> None:
    """Warn that something will be gone in the next version."""
    text = f"{old} is retired and goes with version 0.4.0; use {new}"
    warnings.warn(text, DeprecationWarning, stacklevel=stacklevel)


def old_attribute(old: str, new: str) -> Any:
    """Return a property for the old name of an attribute."""

    def found(self: object) -> Any:
        warn_of(f"{type(self).__name__}.{old}", new)
        return getattr(self, new)

    return property(found, doc=f"The old name of `{new}`.")


def accept_old_arguments(
    *positional: str, **arguments: str
) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Let a function take old names of its arguments, and old arguments by position."""

    def decorate(function: Callable[P, R]) -> Callable[P, R]:
        code = function.__code__

        @wraps(function)
        def called(*args: Any, **kwargs: Any) -> R:
            for old in arguments.keys() & kwargs.keys():
                new = arguments[old]
                warn_of(f"{function.__name__}({old}=...)", f"{new}=")
                if new in kwargs:
                    raise TypeError(f"{function.__name__}() got both {old} and {new}")
                kwargs[new] = kwargs.pop(old)
            more = args[code.co_argcount :] if positional else ()
            if more:
                names = positional[: len(more)]
                warn_of(f"{function.__name__} with {', '.join(names)} by position", "their names")
                kwargs |= dict(zip(names, more, strict=False))
                args = args[: code.co_argcount] + more[len(positional) :]
            return function(*args, **kwargs)

        return called

    return decorate
