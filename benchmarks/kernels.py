"""How far the hottest functions of the experiments are from what bounds them.

    python benchmarks/kernels.py [--repeats N]

The functions are those that `benchmarks/hottest.py` puts first. Each must read and write certain
arrays at least once: the bound is the time of a copy that moves as many bytes, with arrays of the
same size, measured side by side in the same run. Where a sort or scattered sums bound it instead,
these are measured, as NumPy does them. Lowest processor time of several repeats, in the environment
of a job. The times of `_look_outside` and `_assign` have copies of three arrays in them.

A second table has whole sweeps by NumPy and compiled (``opchar[fast]``), in turn, for each object
and move; both must give the same bits.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterator
from itertools import product

import numpy as np

from opchar.multiclass.cost_weights import line_search
from opchar.multiclass.cost_weights.cuts import best_step, steps_reached
from opchar.multiclass.cost_weights.line_search import (
    ELEMENTS,
    LOG_STEPS,
    LineSearches,
    Search,
    Winners,
    _assign,
    swept,
)
from opchar.multiclass.cost_weights.problem import cost_problem
from opchar.pipeline.runs.environment import start_anew

CLASSES, OBJECTS = 26, 4000


def seconds(call: Callable[[], object], repeats: int) -> float:
    """Return the lowest processor time of a call."""
    call()
    took = []
    for _ in range(repeats):
        start = time.process_time()
        for _ in range(10):
            call()
        took.append((time.process_time() - start) / 10)
    return min(took)


def copying(arrays: int, shape: tuple[int, int]) -> Callable[[], object]:
    """Return a call that reads, or writes, that many arrays of doubles."""
    pairs = [(np.ones(shape), np.empty(shape)) for _ in range((arrays + 1) // 2)]

    def call() -> None:
        for source, target in pairs:
            np.copyto(target, source)

    return call


def copied(parts: Winners) -> Winners:
    """Return copies of what a function changes, which its time has in it."""
    winner, best, paid = parts
    return winner.copy(), best.copy(), paid.copy()


def kernels() -> Iterator[tuple[str, Callable[[], object], str, Callable[[], object]]]:
    """Yield functions at the size of Letter, each with what bounds it."""
    rng = np.random.default_rng(0)
    y = rng.integers(0, CLASSES, OBJECTS)
    scores = rng.dirichlet(np.ones(CLASSES), OBJECTS)
    many = max(1, ELEMENTS // OBJECTS)
    costs = rng.uniform(size=(many, CLASSES, CLASSES)) * (1 - np.eye(CLASSES))
    problem = cost_problem(y, scores, costs)
    searches = LineSearches(problem, rng.normal(size=(many, CLASSES)), "grid")
    rows, units = np.arange(many), rng.integers(0, CLASSES, (many, 1))
    member = np.zeros((many, CLASSES), dtype=bool)
    np.put_along_axis(member, units, True, axis=1)
    shape = (many, OBJECTS)
    at, every = searches._cells, (searches._assigned, searches._best, searches._paid)
    outside = copied(every)
    searches._look_outside(outside, units, member, rows, at)
    inside = searches._best_of(units, rows, at)
    points, changes = outside[1] - inside[1], inside[2] - outside[2]
    start, ties = outside[2].sum(axis=1), inside[0] < outside[0]
    steps = LOG_STEPS - searches.log_weights[rows, units[:, 0]][:, None]
    bins = steps_reached(steps, points, ties) + (len(LOG_STEPS) + 1) * rows[:, None]
    yield (
        "`LineSearches._look_outside`",
        lambda: searches._look_outside(copied(every), units, member, rows, at),
        "reading and writing three arrays",
        copying(6, shape),
    )
    yield (
        "`LineSearches._best_of`",
        lambda: searches._best_of(units, rows, at),
        "reading three arrays, writing two",
        copying(5, shape),
    )
    yield (
        "`best_step`",
        lambda: best_step(points, changes, start, steps, ties),
        "scattered sums (`bincount`)",
        lambda: np.bincount(bins.ravel(), changes.ravel()),
    )
    yield (
        "`steps_reached`",
        lambda: steps_reached(steps, points, ties),
        "`searchsorted`, row by row",
        lambda: [np.searchsorted(s, p, side="right") for s, p in zip(steps, points, strict=True)],
    )
    yield (
        "`_assign`",
        lambda: _assign(inside, copied(outside)),
        "reading six arrays, writing three",
        copying(9, shape),
    )
    yield (
        "`LineSearches.__init__`",
        lambda: LineSearches(problem, searches.log_weights, "grid"),
        "best of all classes of each object",
        lambda: [(searches._scores + w[:, None]).argmax(axis=0) for w in searches.log_weights],
    )


def sweeps(classes: int, objects: int, search: Search, size: int, repeats: int) -> list[float]:
    """Return nanoseconds for each object and move of a sweep, by NumPy and compiled in turn."""
    rng = np.random.default_rng(0)
    y = np.arange(objects) % classes
    scores = np.exp(1.5 * rng.normal(size=(objects, classes)) + 2 * np.eye(classes)[y])
    many = 4 * max(1, ELEMENTS // objects)
    problem = cost_problem(y, scores, rng.uniform(size=(many, classes, classes)))
    units = [list(range(c, c + size)) for c in range(0, classes, size)]
    orders = np.array([rng.permutation(len(units)) for _ in range(many)])
    start, matrices = np.zeros((many, classes)), np.arange(many)
    took, seen = {np.inf: np.inf, -1: np.inf}, set()
    for _ in range(repeats + 1):  # the first compiles
        for worth in took:
            line_search.COMPILED.worth = worth
            begin = time.process_time()
            found = swept(problem, start, matrices, units, orders, search, 1)
            took[worth] = min(took[worth], time.process_time() - begin)
            seen.add(tuple(part.tobytes() for part in found))
    if len(seen) > 1:
        raise SystemExit(f"{search}: the compiled sweep gives other numbers")
    return [1e9 * each / (many * objects * len(units)) for each in took.values()]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=7)
    arguments = parser.parse_args()
    start_anew()
    print("| function | time | bound | its time | ratio |\n| --- | --- | --- | --- | --- |")
    for name, call, what, bound in kernels():
        took, least = seconds(call, arguments.repeats), seconds(bound, arguments.repeats)
        cells = (name, f"{1e3 * took:.3g} ms", what, f"{1e3 * least:.3g} ms", f"{took / least:.1f}")
        print(f"| {' | '.join(cells)} |", flush=True)
    print("\n| classes | objects | search | moves | NumPy | compiled |" + "\n|" + 6 * " --- |")
    for classes, objects in ((8, 500), (16, 500), (26, 4000)):
        for search, size in product(("grid and present", "exact"), (1, 2)):
            took = sweeps(classes, objects, search, size, arguments.repeats)
            moves = "single classes" if size == 1 else "pairs"
            cells = [str(classes), str(objects), search, moves, *(f"{t:.0f} ns" for t in took)]
            print(f"| {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
