"""How time and memory grow with the work, beside other libraries and brute force in the same run.

    OMP_NUM_THREADS=1 python benchmarks/scaling.py [--quick] [--write benchmarks/README.md]
                                                   [--plot docs/gallery/growth.png]

Each function runs at four sizes in turn with its peer, three times; the lowest processor time
counts. Memory is the peak that Python and NumPy allocate, measured in a run of its own. The
exponent is the slope of the logarithm against that of the size over the three largest sizes. With
``--quick`` the sizes are smaller and nothing is planned.
"""

from __future__ import annotations

import argparse
import csv
import os
import platform
import shutil
import tempfile
import tracemalloc
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from time import process_time

import matplotlib.pyplot as plt
import numpy as np
import planning
from imblearn.metrics import geometric_mean_score
from multiclass import compiled_brute, numpy_brute, problem
from pycm import ConfusionMatrix
from reject import boxes, characteristic
from sklearn.metrics import roc_curve

from opchar.combination.algorithm_1 import run_listing
from opchar.combination.pairwise import pairwise
from opchar.metrics import evaluate
from opchar.metrics.indices.multiclass import g_mean_multiclass
from opchar.metrics.label_indices import confusion
from opchar.multiclass.roc.hypersurface import confusion_lattice
from opchar.multiclass.weight_grids import weight_grid
from opchar.reject import vuc
from opchar.spaces.f_measure import upper_envelope
from opchar.spaces.points import operating_points

ROOT = Path(__file__).resolve().parents[1]
Run = Callable[[], object]
Few = Callable[..., tuple[int, ...]]
# Where the loop in C is compiled to, once.
COMPILED = tempfile.TemporaryDirectory()
START = "<!-- measured: benchmarks/scaling.py -->"
END = "<!-- end of measured: benchmarks/scaling.py -->\n"


@dataclass(frozen=True)
class Case:
    """One function against one size, beside a peer."""

    name: str
    size: str
    sizes: tuple[int, ...]
    ours: Callable[[int], Run]
    peer: str
    theirs: Callable[[int], Run]
    largest: int


@dataclass(frozen=True)
class Growth:
    """What a case takes at each size: seconds, those of the peer as far as it goes, megabytes."""

    case: Case
    ours: list[float]
    theirs: list[float]
    memory: list[float]


def binary(n: int) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(n)
    is_positive = rng.random(n) < 0.3
    return is_positive, rng.normal(1.5 * is_positive)


def every_threshold(is_positive: np.ndarray, score: np.ndarray) -> np.ndarray:
    """Return the counts at all thresholds, one threshold at a time."""
    return np.array([np.bincount(is_positive[score >= t], minlength=2) for t in np.unique(score)])


def labels(n: int, classes: int = 10) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(n)
    return rng.integers(classes, size=n), rng.integers(classes, size=n)


def table(classes: int) -> np.ndarray:
    return np.random.default_rng(classes).integers(1, 500, (classes, classes))


def as_dict(matrix: np.ndarray) -> dict[int, dict[int, int]]:
    return {i: {j: int(n) for j, n in enumerate(row)} for i, row in enumerate(matrix)}


def pool(classifiers: int, objects: int) -> tuple[dict[str, np.ndarray], np.ndarray]:
    rng = np.random.default_rng(classifiers)
    truth = np.arange(objects) < objects // 5
    scores = {f"s{e:02d}": rng.normal(size=objects) + truth for e in range(classifiers)}
    return scores, truth


def envelope(n: int, best: bool) -> Run:
    """Return the best F at 99 priors over all thresholds: by the envelope, or one by one."""
    points = operating_points(*binary(n))
    priors = np.linspace(0.01, 0.99, 99)
    if best:
        return lambda: upper_envelope(operating_points(*binary(n)), 0.5)(priors)
    positive = priors[:, None] * points.tpr
    return lambda: (
        positive / (0.5 * (positive + (1 - priors[:, None]) * points.fpr) + 0.5 * priors[:, None])
    ).max(axis=1)


def lattice(r: int, classes: int, objects: int = 300, brute: str = "") -> Run:
    """Return the matrices of all weights: ours, or by brute force in NumPy or in C."""
    data = problem(classes, objects, r)
    if brute == "NumPy":
        return partial(numpy_brute, data, weight_grid(classes, r))
    if brute == "C":
        return partial(compiled_brute, data, weight_grid(classes, r), Path(COMPILED.name))
    return partial(confusion_lattice, data)


def cases(quick: bool) -> Iterator[Case]:
    few = (lambda *sizes: sizes[:-1]) if quick else (lambda *sizes: sizes)
    yield from of_matrices(few)
    yield from of_lattices(few)
    yield from of_pools_and_volumes(few)


def of_matrices(few: Few) -> Iterator[Case]:
    """Yield operating points, envelopes and indices against objects, thresholds and classes."""
    yield Case(
        "operating points and hull",
        "objects",
        few(10_000, 100_000, 300_000, 1_000_000),
        lambda n: partial(lambda d: operating_points(*d).hull, binary(n)),
        "scikit-learn, `roc_curve`",
        lambda n: partial(roc_curve, *binary(n)),
        10**9,
    )
    yield Case(
        "operating points and hull",
        "objects",
        few(1_000, 3_000, 10_000, 30_000),
        lambda n: partial(lambda d: operating_points(*d).hull, binary(n)),
        "NumPy, threshold by threshold",
        lambda n: partial(every_threshold, *binary(n)),
        30_000,
    )
    yield Case(
        "G-mean of decisions",
        "objects",
        few(10_000, 100_000, 300_000, 1_000_000),
        lambda n: partial(lambda d: g_mean_multiclass(confusion(*d)), labels(n)),
        "imbalanced-learn, `geometric_mean_score`",
        lambda n: partial(lambda d: geometric_mean_score(*d), labels(n)),
        10**9,
    )
    yield Case(
        "all indices of a matrix",
        "classes C",
        few(10, 30, 100, 300),
        lambda c: partial(evaluate, table(c)),
        "pycm, `class_stat`",
        lambda c: partial(lambda m: ConfusionMatrix(matrix=m).class_stat, as_dict(table(c))),
        100,
    )
    yield Case(
        "best F at 99 priors",
        "thresholds",
        few(1_000, 10_000, 30_000, 100_000),
        partial(envelope, best=True),
        "NumPy, all thresholds at all priors",
        partial(envelope, best=False),
        10**9,
    )


def of_lattices(few: Few) -> Iterator[Case]:
    """Yield the confusion matrices of all weights against resolution and objects."""
    for classes, sizes in ((3, (40, 80, 160, 320)), (4, (10, 20, 40, 80))):
        yield Case(
            f"matrices of all weights, {classes} classes",
            "resolution r",
            few(*sizes),
            partial(lattice, classes=classes),
            "NumPy, argmax for each weight",
            partial(lattice, classes=classes, brute="NumPy"),
            sizes[2],
        )
    compiled = 10**9 if shutil.which("cc") or shutil.which("gcc") else 0
    yield Case(
        "matrices of all weights, 4 classes",
        "resolution r",
        few(10, 20, 40, 80),
        partial(lattice, classes=4),
        "a loop in C",
        partial(lattice, classes=4, brute="C"),
        compiled,
    )
    yield Case(
        "matrices of all weights, 4 classes, r = 20",
        "objects N",
        few(300, 1_000, 3_000, 10_000),
        lambda n: lattice(20, 4, n),
        "a loop in C",
        lambda n: lattice(20, 4, n, "C"),
        compiled,
    )


def of_pools_and_volumes(few: Few) -> Iterator[Case]:
    """Yield combinations against classifiers and objects, and volumes against objects."""
    yield Case(
        "Boolean combination of pairs",
        "classifiers",
        few(4, 8, 16, 32),
        lambda e: partial(lambda d: pairwise(*d), pool(e, 60)),
        "the published listing",
        lambda e: partial(lambda d: run_listing(*d, priors=[0.5], alpha=0.5), pool(e, 60)),
        4,
    )
    yield Case(
        "Boolean combination of a pair",
        "objects",
        few(30, 60, 120, 1_000),
        lambda n: partial(lambda d: pairwise(*d), pool(2, n)),
        "the published listing",
        lambda n: partial(lambda d: run_listing(*d, priors=[0.5], alpha=0.5), pool(2, n)),
        120,
    )
    yield Case(
        "volume under the reject surface",
        "objects",
        few(300, 600, 1_200, 4_800),
        lambda n: partial(vuc, characteristic(n, 0.7)),
        "moocore, `hypervolume` of all boxes",
        lambda n: partial(boxes, characteristic(n, 0.7)),
        1_200,
    )


def seconds(function: Run) -> float:
    start = process_time()
    function()
    return process_time() - start


def megabytes(function: Run) -> float:
    tracemalloc.start()
    function()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak / 1e6


def exponent(sizes: list[int], values: list[float]) -> str:
    """Return the slope of the logarithms over the three largest sizes."""
    if len(sizes) < 3 or min(values[-3:]) <= 0:
        return "–"
    return f"{np.polyfit(np.log(sizes[-3:]), np.log(values[-3:]), 1)[0]:.1f}"


def measured(case: Case) -> Growth:
    """Measure a case at all its sizes."""
    found = Growth(case, [], [], [])
    for size in case.sizes:
        ours = case.ours(size)
        theirs = case.theirs(size) if size <= case.largest else None
        ours()
        rounds = [(seconds(ours), seconds(theirs) if theirs else 0.0) for _ in range(3)]
        found.ours.append(min(first for first, _ in rounds))
        found.memory.append(megabytes(ours))
        if theirs:
            found.theirs.append(min(second for _, second in rounds))
    return found


def line(found: Growth) -> str:
    """Return the line of a table for a case."""
    case, both = found.case, len(found.theirs)
    sizes = list(case.sizes)
    ratio = "–"
    if both:
        ratio = f"{found.theirs[-1] / found.ours[both - 1]:,.3g} at {sizes[both - 1]:,}"
    cells = (
        case.name,
        f"{case.size}, to {sizes[-1]:,}",
        f"{found.ours[-1]:.3g} s",
        exponent(sizes, found.ours),
        f"{found.memory[-1]:.3g} MB",
        exponent(sizes, found.memory),
        case.peer,
        exponent(sizes[:both], found.theirs),
        ratio,
    )
    return f"| {' | '.join(cells)} |"


def functions(found: list[Growth]) -> Iterator[str]:
    """Yield the lines of the table of functions."""
    head = ("function", "against", "time", "exponent", "memory", "exponent", "peer", "exponent")
    yield f"| {' | '.join((*head, 'peer / ours'))} |"
    yield f"|{' --- |' * 9}"
    yield from map(line, found)


def plan(found: list[planning.Planned]) -> Iterator[str]:
    """Yield the table of planning, and how it grows with the jobs."""
    yield from planning.lines(found)
    jobs = [each.jobs for each in found]
    rates = {
        "`opchar run -n`": [each.ours for each in found],
        "its memory": [each.memory for each in found],
        "`snakemake -n`": [each.snakemake for each in found],
        "a bare Snakefile": [each.bare for each in found],
    }
    said = ", ".join(f"{name} {exponent(jobs, values)}" for name, values in rates.items())
    yield f"\nExponents against jobs: {said}."


def runs() -> Iterator[str]:
    """Yield a line for each profile whose run has left measurements in ``logs/``."""
    for profile in ("tiny", "quick", "paper"):
        peak, total, count = 0.0, 0.0, 0
        for path in (ROOT / "logs" / profile).rglob("*.tsv"):
            with path.open(encoding="utf-8", newline="") as file:
                found = next(csv.DictReader(file, delimiter="\t"))
            count += 1
            if found["max_rss"] not in ("NA", "-"):
                peak = max(peak, float(found["max_rss"]))
                total += float(found["cpu_time"])
        what = f"{count} | {total / 60:.1f} min | {peak:.0f} MB" if count else "not run | – | –"
        yield f"| {profile} | {what} |"


def page(found: list[Growth], planned: list[planning.Planned]) -> Iterator[str]:
    """Yield the lines of the measured part of the page."""
    yield START
    cores, python = os.cpu_count(), platform.python_version()
    yield f"Measured on {platform.system()} ({platform.machine()}), {cores} cores, Python {python},"
    yield f"NumPy {np.__version__}; processor seconds of one thread.\n"
    yield "### Functions\n"
    yield from functions(found)
    if planned:
        yield "\n### Planning\n"
        yield from plan(planned)
    yield "\n### Runs\n"
    yield "| profile | trainings and experiments | processor time | largest memory of one |"
    yield "| --- | --- | --- | --- |"
    yield from runs()


def drawn(found: list[Growth], planned: list[planning.Planned], place: Path) -> None:
    """Draw time against size on logarithmic axes, ours beside the peer, a panel for each case."""
    curves = [
        (each.case.name, each.case.size, each.case.sizes, each.ours, each.case.peer, each.theirs)
        for each in found
    ]
    if planned:
        jobs = tuple(each.jobs for each in planned)
        ours, bare = ([getattr(each, name) for each in planned] for name in ("ours", "bare"))
        curves.append(("planning", "jobs", jobs, ours, "a bare Snakefile", bare))
    columns = 3
    rows = -(-len(curves) // columns)
    figure, axes = plt.subplots(rows, columns, figsize=(12, 2.8 * rows), layout="constrained")
    for panel, (name, size, sizes, ours, peer, theirs) in zip(axes.flat, curves, strict=False):
        panel.loglog(sizes, ours, "o-", label="OpChar")
        panel.loglog(sizes[: len(theirs)], theirs, "s--", label=peer.replace("`", ""))
        panel.set_title(name, fontsize="medium")
        panel.set(xlabel=size, ylabel="seconds")
        panel.set_xticks(sizes, [f"{each:,}" for each in sizes])
        panel.minorticks_off()
        panel.legend(fontsize="x-small")
    for panel in axes.flat[len(curves) :]:
        panel.set_axis_off()
    figure.savefig(place, dpi=100)
    plt.close(figure)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--write", type=Path, help="page whose measured part is replaced")
    parser.add_argument("--plot", type=Path, help="figure to draw (png, svg or pdf)")
    arguments = parser.parse_args()
    found = [measured(case) for case in cases(arguments.quick)]
    planned = [] if arguments.quick else [planning.planned(n) for n in planning.COUNTS]
    lines = list(page(found, planned))
    print("\n".join(lines))
    if arguments.plot:
        drawn(found, planned, arguments.plot)
    if arguments.write:
        before, _, rest = arguments.write.read_text(encoding="utf-8").partition(START)
        text = before + "\n".join(lines) + "\n" + END + rest.partition(END)[2]
        arguments.write.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
