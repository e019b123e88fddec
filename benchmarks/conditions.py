"""Condition 1 of mullick2020 searched over all small matrices: stacks against one at a time.

Both run in this process, on one core, over the same matrices of three classes, and must find
counter-examples of as many objects.

    python benchmarks/conditions.py
"""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from time import process_time

import numpy as np

from opchar.metrics import acsa, auroc_ova, aurpc_ova, m_aurpc_ova
from opchar.metrics.conditions import invariant_to_test_set

CLASSES, OBJECTS = 3, 5
LARGER = 8


def one_at_a_time(index, objects: int) -> int | None:
    """Return the fewest objects of two matrices with equal rates and unequal values."""
    seen: dict[tuple, tuple[int, float]] = {}
    least = None
    cells = product(range(objects + 1), repeat=CLASSES**2)
    matrices = [np.reshape(c, (CLASSES, CLASSES)) for c in cells if sum(c) <= objects]
    for matrix in sorted(matrices, key=np.sum):
        sizes = [int(n) for n in matrix.sum(axis=1)]
        if min(sizes) == 0:
            continue
        rates = tuple(
            Fraction(int(m), n) for row, n in zip(matrix, sizes, strict=True) for m in row
        )
        value, total = float(index(matrix)), sum(sizes)
        smallest, known = seen.setdefault(rates, (total, value))
        differs = abs(value - known) > 1e-9
        if differs and (least is None or smallest + total < least):
            least = smallest + total
    return least


def main() -> None:
    """Print CPU times and their ratio for four indices."""
    print(f"{'index':12} {'stacks':>9} {'one by one':>11} {'ratio':>6}   up to {LARGER} objects")
    for index in (acsa, auroc_ova, aurpc_ova, m_aurpc_ova):
        start = process_time()
        found = invariant_to_test_set(index, CLASSES, objects=OBJECTS)
        fast = process_time() - start
        start = process_time()
        expected = one_at_a_time(index, OBJECTS)
        slow = process_time() - start
        shown = found.counter_example
        assert (None if shown is None else sum(shown.objects)) == expected
        start = process_time()
        invariant_to_test_set(index, CLASSES, objects=LARGER)
        larger = process_time() - start
        print(f"{index.__name__:12} {fast:8.4f}s {slow:10.2f}s {slow / fast:6.0f}   {larger:8.3f}s")


if __name__ == "__main__":
    main()
