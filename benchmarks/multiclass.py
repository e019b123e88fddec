"""The hypersurface kernel beside brute force in NumPy and in C, in one run on one core.

``python benchmarks/multiclass.py [steps] [objects]`` times four classes; with ``--stream`` also the
lowest losses for fifty cost matrices over five classes, and with ``--stream-six`` over six, which
takes some ten minutes. The compiled brute force needs a C compiler on the path and is left out
without. Times are of the processor. The array of four classes is compared with filling one like it
twice: in memory that is new to the process, which every result that is kept needs, and in memory
used before, which holds still in the cache.
"""

from __future__ import annotations

import ctypes
import resource
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from itertools import islice
from pathlib import Path
from time import perf_counter, process_time

import numpy as np

from opchar.multiclass.roc.hypersurface import confusion_lattice, confusion_planes, lowest_losses
from opchar.multiclass.roc.weighted_scores import WeightedScores, weighted_scores
from opchar.multiclass.weight_grids import weight_grid

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


def seconds(function: Callable[[], object]) -> float:
    """Return the processor time of one run; nothing here uses more than one core."""
    start = process_time()
    function()
    return process_time() - start


def alternating(*functions: Callable[[], object], rounds: int = 15) -> np.ndarray:
    """Return the times of some functions that take turns, shape (rounds, functions)."""
    return np.array([[seconds(function) for function in functions] for _ in range(rounds)])


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
    kernel = alternating(lambda: confusion_lattice(data)).min()
    print(f"C=4, r={r}, N={objects}: {len(grid)} matrices in {1e3 * kernel:.1f} ms")
    against_writing(data, lattice)
    found: list[np.ndarray] = []
    slow = seconds(lambda: found.append(numpy_brute(data, grid)))
    equal = np.array_equal(found.pop(), lattice.reshape(-1, 4, 4))
    print(f"NumPy brute force: {slow:.2f} s, {slow / kernel:.0f} times; equal: {equal}")
    with tempfile.TemporaryDirectory() as folder:
        if compiled_brute(data, grid[:1], Path(folder)) is not None:
            slow = seconds(lambda: found.append(compiled_brute(data, grid, Path(folder))))
            equal = np.array_equal(found.pop(), lattice.reshape(-1, 4, 4))
            print(f"compiled brute force: {slow:.2f} s, {slow / kernel:.1f} times; equal: {equal}")


def against_writing(data: WeightedScores, lattice: np.ndarray) -> None:
    """Compare with filling an array of the same shape and type, in new memory and in used."""

    def fill() -> np.ndarray:
        written = np.empty(lattice.shape, dtype=lattice.dtype)
        written.fill(1)
        return written

    kept: list[np.ndarray] = []
    new = alternating(
        lambda: kept.append(confusion_lattice(data)), lambda: kept.append(fill()), rounds=5
    )
    used = alternating(lambda: confusion_lattice(data), fill)
    for memory, times in (("new", new), ("used", used)):
        kernel, write = 1e3 * np.median(times, axis=0)
        ratio = np.median(times[:, 0] / times[:, 1])
        print(f"into {memory} memory: {kernel:.1f} ms, filling {write:.1f} ms, {ratio:.1f} times")


def stream(n_classes: int, r: int, objects: int) -> None:
    """Time a streaming search for the lowest loss, and extrapolate brute force."""
    data = problem(n_classes, objects, r)
    costs = np.random.default_rng(1).uniform(size=(50, n_classes, n_classes))
    start, busy = perf_counter(), process_time()
    losses, _ = lowest_losses(data, costs)
    wall, busy = perf_counter() - start, process_time() - busy
    sample = np.random.default_rng(2).permutation(weight_grid(n_classes, 6))[:200]
    brute = seconds(lambda: numpy_brute(data, sample)) / len(sample) * r ** (n_classes - 1)
    planes = r ** max(n_classes - 3, 0)
    some = min(10 * r, planes)
    start = process_time()
    for _ in islice(confusion_planes(data), some):
        pass
    alone = (process_time() - start) / some * planes
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**10
    print(f"C={n_classes}, r={r}, N={objects}: {r ** (n_classes - 1):.3g} matrices by streaming")
    print(
        f"lowest losses for 50 cost matrices: {wall:.1f} s, {busy:.1f} s of them on the processor"
    )
    print(f"(mean {losses.mean():.6f}; peak memory of the process {peak:.0f} MiB)")
    print(f"the matrices alone about {alone:.1f} s; NumPy brute force about {brute / 3600:.1f} h")


def main(arguments: list[str]) -> None:
    numbers = [int(word) for word in arguments if word.isdigit()]
    r, objects = (*numbers, *(80, 1000)[len(numbers) :])[:2]
    if "--stream" in arguments or "--stream-six" in arguments:
        stream(5, r, 2 * objects)
    if "--stream-six" in arguments:
        stream(6, r, 2 * objects)
    four_classes(r, objects)


if __name__ == "__main__":
    main(sys.argv[1:])
