"""What the protocol variants of a study share."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from typing import Any, ParamSpec, TypeVar

Given = ParamSpec("Given")
Found = TypeVar("Found")


class Shared:
    """What the protocol variants of a study compute once in the job that measures them all.

    A study asks for it by its parameter ``shared``. Arguments are compared by value, also within
    lists and mappings; those without a hash, such as score tables and arrays, by identity. Results
    are kept as long as the job runs, so that nobody may change them; what is large and soon
    replaced is better kept by the object that computes it.

    Examples
    --------
    >>> shared = Shared()
    >>> shared(sorted, [3, 1, 2], reverse=True)
    [3, 2, 1]
    >>> shared(sorted, [3, 1, 2], reverse=True) is shared(sorted, [3, 1, 2], reverse=True)
    True
    """

    def __init__(self) -> None:
        self._found: dict[Hashable, Any] = {}

    def __call__(
        self, function: Callable[Given, Found], /, *args: Given.args, **kwargs: Given.kwargs
    ) -> Found:
        """Return what a function gives, which depends on its arguments alone, computed once."""
        key = (function, _key(args), _key(kwargs))
        if key not in self._found:
            self._found[key] = function(*args, **kwargs)
        found: Found = self._found[key]
        return found


class _Same:
    """An argument that is compared by identity, and kept so that no other one gets its place."""

    def __init__(self, value: object) -> None:
        self.value = value

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and self.value is other.value

    def __hash__(self) -> int:
        return id(self.value)


def _key(value: Any) -> Hashable:
    """Return the key that compares an argument; a mapping with its order."""
    if isinstance(value, Mapping):
        return dict, tuple((key, _key(part)) for key, part in value.items())
    if isinstance(value, list | tuple):
        return type(value), tuple(map(_key, value))
    try:
        hash(value)
    except TypeError:
        return _Same(value)
    return type(value), value
