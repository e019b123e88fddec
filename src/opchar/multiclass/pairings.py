"""The ways to pair up the classes of a problem."""

from __future__ import annotations

from collections.abc import Iterator
from math import prod

Pairing = tuple[tuple[int, int], ...]


def count_pairings(n_classes: int) -> int:
    """Return the number of ways to pair up the classes, one of an odd number being set aside.

    Returned: ``(C-1)(C-3)...1`` for even C (landgrebe2007, Eq. 4.14).
    """
    if n_classes < 1:
        raise ValueError(f"pairings need one class at least, got {n_classes}")
    return prod(range(n_classes - 1 - n_classes % 2, 0, -2))


def pairings(classes: list[int]) -> Iterator[Pairing]:
    """Yield each way to pair up an even number of classes.

    Yielded: the first class is paired with each other class in turn (landgrebe2007, Eq. 4.16).
    """
    if len(classes) % 2:
        raise ValueError(f"{len(classes)} classes cannot be paired: set one aside first")
    if not classes:
        yield ()
        return
    first, rest = classes[0], classes[1:]
    for index, partner in enumerate(rest):
        for others in pairings(rest[:index] + rest[index + 1 :]):
            yield ((first, partner), *others)
