"""The ten Boolean functions of two decisions, in the paper's order.

Whether counted in samples or in rates, the positives of each function of decisions ``a`` and ``b``
are linear in ``1``, ``|a|``, ``|b|`` and ``|a and b|``: four integer coefficients say all.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from opchar.arguments import plain_array

# name: coefficients of (all, a, b, a and b)
FUNCTIONS: dict[str, tuple[int, int, int, int]] = {
    "AND": (0, 0, 0, 1),
    "NOT_A_AND_B": (0, 0, 1, -1),
    "A_AND_NOT_B": (0, 1, 0, -1),
    "NAND": (1, 0, 0, -1),
    "OR": (0, 1, 1, -1),
    "NOT_A_OR_B": (1, -1, 0, 1),
    "A_OR_NOT_B": (1, 0, -1, 1),
    "NOR": (1, -1, -1, 1),
    "XOR": (0, 1, 1, -2),
    "EQV": (1, -1, -1, 2),
}
NAMES: tuple[str, ...] = tuple(FUNCTIONS)
SYMMETRIC: tuple[str, ...] = ("AND", "NAND", "OR", "NOR", "XOR", "EQV")


def combine(function: str, a: Any, b: Any, both: Any, everything: Any = 1) -> Any:
    """Return how much of `everything` a function of two decisions accepts.

    soleymani2020, Algorithm 1 (the functions B1 to B10).
    """
    if function not in FUNCTIONS:
        raise ValueError(f"unknown Boolean function {function!r}: one of {', '.join(FUNCTIONS)}")
    of_all, of_a, of_b, of_both = FUNCTIONS[function]
    return of_all * everything + of_a * a + of_b * b + of_both * both


def decide(function: str, a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Apply a function to two decision vectors."""
    first, second = plain_array(a, "a").astype(bool), plain_array(b, "b").astype(bool)
    accepted = combine(
        function, first.astype(np.int8), second.astype(np.int8), (first & second).astype(np.int8)
    )
    return np.asarray(accepted, dtype=bool)
