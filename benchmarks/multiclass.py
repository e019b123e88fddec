"""The hypersurface kernel beside brute force in NumPy and in C, in one run on one core.

``python benchmarks/multiclass.py [steps] [objects]`` times four classes; with ``--stream`` also the
lowest losses for fifty cost matrices over five classes, and with ``--stream-six`` over six, which
takes many minutes. The compiled brute force needs a C compiler on the path and is left out without.
"""

from __future__ import annotations

import ctypes
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from time import perf_counter

import numpy as np

from opchar.multiclass.gaussians import weight_grid
from opchar.multiclass.hypersurface import (
    WeightedScores,
    confusion_lattice,
    confusion_planes,
    lowest_losses,
    weighted_scores,
)

SOURCE = """
void brute(const double *w, const double *s, const long *y, long n_w, long n, long c, int *out) {
  for (long g = 0; g < n_w; g++)
    for (long i = 0; i < n; i++) {
      const double *phi = w + g * c, *p = s + i * c;
      long best = 0; double top = phi[0] * p[0];
      for (long k = 1; k < c; k++) { double v = phi[k] * p[k]; if (v > top) { top = v; best = k; } }
      out[(g * c + y[i]) * c + best]++;
    }
}
"""


def problem(n_classes: int, objects: int, r: int) -> WeightedScores:
    """Return scores of a fair classifier."""
    rng = np.random.default_rng(2007)
    y = np.arange(objects) % n_classes
    scores = rng.dirichlet(np.ones(n_classes), objects)
    scores[np.arange(objects), y] += 0.4
    return weighted_scores(y, scores, r)


def best_of(function: Callable[[], object], times: int) -> float:
    """Return the shortest of some runs, in seconds."""
    found = []
    for _ in range(times):
        start = perf_counter()
        function()
        found.append(perf_counter() - start)
    return min(found)


def numpy_brute(data: WeightedScores, grid: np.ndarray) -> np.ndarray:
    """Return the confusion matrices of all weight vectors by argmax, in cache-sized pieces."""
    c = data.n_classes
    out = np.empty((len(grid), c, c), dtype=np.int32)
    for start in range(0, len(grid), 64):
        weights = grid[start : start + 64]
        assigned = np.argmax(weights[:, None, :] * data.scores, axis=2)
        key = (np.arange(len(weights))[:, None] * c + data.y) * c + assigned
        counts = np.bincount(key.ravel(), minlength=len(weights) * c * c)
        out[start : start + 64] = counts.reshape(-1, c, c)
    return out


def compiled_brute(data: WeightedScores, grid: np.ndarray, folder: Path) -> np.ndarray | None:
    """Return the same by a C loop, or nothing where there is no compiler."""
    compiler = shutil.which("cc") or shutil.which("gcc")
    if compiler is None:
        return None
    library, source = folder / "brute.so", folder / "brute.c"
    if not library.exists():
        source.write_text(SOURCE)
        command = [compiler, "-O3", "-march=native", "-shared", "-fPIC", "-o", library, source]
        subprocess.run(command, check=True)
    c = data.n_classes
    out = np.zeros((len(grid), c, c), dtype=np.int32)
    pointers = [array.ctypes.data_as(ctypes.c_void_p) for array in (grid, data.scores, data.y)]
    sizes = [ctypes.c_long(size) for size in (len(grid), len(data.y), c)]
    ctypes.CDLL(str(library)).brute(*pointers, *sizes, out.ctypes.data_as(ctypes.c_void_p))
    return out


def four_classes(r: int, objects: int) -> None:
    """Time the full lattice of four classes against both brute forces and against writing it."""
    data = problem(4, objects, r)
    grid = weight_grid(4, r)
    lattice = confusion_lattice(data)
    kernel = best_of(lambda: confusion_lattice(data), 7)
    write = best_of(lambda: np.full(lattice.shape, 1, dtype=np.int32), 7)
    start = perf_counter()
    equal = np.array_equal(numpy_brute(data, grid), lattice.reshape(-1, 4, 4))
    slow = perf_counter() - start
    print(f"C=4, r={r}, N={objects}: {len(grid)} matrices in {kernel:.3f} s")
    print(f"NumPy brute force: {slow:.2f} s, {slow / kernel:.0f} times; equal: {equal}")
    with tempfile.TemporaryDirectory() as folder:
        if compiled_brute(data, grid[:1], Path(folder)) is not None:
            start = perf_counter()
            compiled = compiled_brute(data, grid, Path(folder))
            slow = perf_counter() - start
            equal = np.array_equal(compiled, lattice.reshape(-1, 4, 4))
            print(f"compiled brute force: {slow:.2f} s, {slow / kernel:.1f} times; equal: {equal}")
    print(
        f"writing the same array: {write:.4f} s, the kernel takes {kernel / write:.0f} times that"
    )


def stream(n_classes: int, r: int, objects: int) -> None:
    """Time a streaming search for the lowest loss, and extrapolate brute force."""
    data = problem(n_classes, objects, r)
    costs = np.random.default_rng(1).uniform(size=(50, n_classes, n_classes))
    start = perf_counter()
    losses, _ = lowest_losses(data, costs)
    taken = perf_counter() - start
    sample = np.random.default_rng(2).permutation(weight_grid(n_classes, 6))[:200]
    start = perf_counter()
    numpy_brute(data, sample)
    brute = (perf_counter() - start) / len(sample) * r ** (n_classes - 1)
    start = perf_counter()
    planes = 0
    for _ in confusion_planes(data):
        planes += 1
        if planes == 200:
            break
    matrices = perf_counter() - start
    alone = matrices / planes * r ** max(n_classes - 3, 0)
    print(f"C={n_classes}, r={r}, N={objects}: {r ** (n_classes - 1):.3g} matrices by streaming")
    print(f"lowest losses for 50 cost matrices: {taken:.1f} s (mean {losses.mean():.4f})")
    print(f"the matrices alone about {alone:.1f} s; NumPy brute force about {brute / 3600:.1f} h")


def main(arguments: list[str]) -> None:
    numbers = [int(word) for word in arguments if word.isdigit()]
    r, objects = (*numbers, *(80, 1000)[len(numbers) :])[:2]
    four_classes(r, objects)
    if "--stream" in arguments or "--stream-six" in arguments:
        stream(5, r, 2 * objects)
    if "--stream-six" in arguments:
        stream(6, r, 2 * objects)


if __name__ == "__main__":
    main(sys.argv[1:])
