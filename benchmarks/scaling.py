"""How time and memory grow with the work, beside other libraries and brute force in the same run.

    OMP_NUM_THREADS=1 python benchmarks/scaling.py [--quick] [--write docs/performance.md]

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
import resource
import shutil
import subprocess
import sys
import tempfile
import tracemalloc
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from time import process_time

import numpy as np
import yaml
from imblearn.metrics import geometric_mean_score
from multiclass import numpy_brute, problem
from pycm import ConfusionMatrix
from reject import boxes, characteristic
from sklearn.metrics import roc_curve

from opchar.combination.listing import run_listing
from opchar.combination.pairwise import pairwise
from opchar.metrics import evaluate
from opchar.metrics.indices.multiclass import g_mean_multiclass
from opchar.metrics.labelled import confusion
from opchar.multiclass.gaussians import weight_grid
from opchar.multiclass.roc.hypersurface import confusion_lattice
from opchar.reject import vuc
from opchar.spaces.f_measure import upper_envelope
from opchar.spaces.points import operating_points

ROOT = Path(__file__).resolve().parents[1]
TAKEN = ("Snakefile", "profiles", "config", "src", "workflow", "environment.yml", "CITATION.cff")
Run = Callable[[], object]
START = "<!-- measured: benchmarks/scaling.py -->"


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


def lattice(r: int, classes: int, brute: bool) -> Run:
    data = problem(classes, 300, r)
    if brute:
        return partial(numpy_brute, data, weight_grid(classes, r))
    return partial(confusion_lattice, data)


def cases(quick: bool) -> Iterator[Case]:
    few = (lambda *sizes: sizes[:-1]) if quick else (lambda *sizes: sizes)
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
    for classes, sizes in ((3, (40, 80, 160, 320)), (4, (10, 20, 40, 80))):
        yield Case(
            f"matrices of all weights, {classes} classes",
            "resolution r",
            few(*sizes),
            partial(lattice, classes=classes, brute=False),
            "NumPy, argmax for each weight",
            partial(lattice, classes=classes, brute=True),
            sizes[2],
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


def measured(case: Case) -> str:
    """Return the line of a table for a case."""
    mine, other, memory = [], [], []
    for size in case.sizes:
        ours = case.ours(size)
        theirs = case.theirs(size) if size <= case.largest else None
        ours()
        rounds = [(seconds(ours), seconds(theirs) if theirs else 0.0) for _ in range(3)]
        mine.append(min(first for first, _ in rounds))
        memory.append(megabytes(ours))
        if theirs:
            other.append(min(second for _, second in rounds))
    both = len(other)
    ratio = f"{other[-1] / mine[both - 1]:,.3g} at {case.sizes[both - 1]:,}"
    sizes = list(case.sizes)
    cells = (
        case.name,
        f"{case.size}, to {sizes[-1]:,}",
        f"{mine[-1]:.3g} s",
        exponent(sizes, mine),
        f"{memory[-1]:.3g} MB",
        exponent(sizes, memory),
        case.peer,
        exponent(sizes[:both], other),
        ratio,
    )
    return f"| {' | '.join(cells)} |"


def copied(folder: Path, extra: int) -> None:
    """Copy the project and add artefacts to it, each like one that there is."""
    for name in TAKEN:
        source = ROOT / name
        (shutil.copytree if source.is_dir() else shutil.copy)(source, folder / name)
    shutil.copytree(ROOT / "data/published", folder / "data/published")
    files = sorted((folder / "config/artefacts").glob("*.yaml"))
    entries = {path: yaml.safe_load(path.read_text(encoding="utf-8")) for path in files}
    every = [(path, name) for path, found in entries.items() for name in found]
    for number in range(extra):
        path, name = every[number % len(every)]
        lines = entries[path][name].get("lines", [name.split("/")[1]])
        copy = f"{name}-copy{number}"
        entries[path][copy] = entries[path][name] | {"lines": lines}
    for path, found in entries.items():
        path.write_text(yaml.safe_dump(found, sort_keys=False), encoding="utf-8")


def cpu(folder: Path, *words: str) -> tuple[float, str]:
    """Return the processor seconds of a command with its children, the lowest of three."""
    environment = os.environ | {"PYTHONPATH": str(folder / "src")}
    took, said = [], ""
    for _ in range(3):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        done = subprocess.run(
            [sys.executable, *words], cwd=folder, env=environment, capture_output=True, text=True
        )
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        if done.returncode:
            raise SystemExit(done.stderr)
        took.append(sum(after[:2]) - sum(before[:2]))
        said = done.stdout
    return min(took), said


def planning() -> Iterator[str]:
    """Yield a line for the planning of runs of several sizes."""
    profiles = (("tiny", 210), ("quick", 0), ("quick", 292), ("quick", 2292))
    for profile, extra in profiles:
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name) / "project"
            folder.mkdir()
            copied(folder, extra)
            unit, _ = cpu(folder, "-c", "import snakemake.cli")
            ask = ("-m", "opchar.cli", "run", "--profile", profile, "-n")
            cpu(folder, *ask)  # summaries of the code are kept from now on
            took, said = cpu(folder, *ask)
            alone, _ = cpu(folder, "-m", "snakemake", "-n", "-q", "--config", f"profile={profile}")
            jobs = next(line for line in said.splitlines() if " jobs, about" in line).split()[0]
            yield f"| {jobs} | {took:.1f} s | {alone:.1f} s | {took / unit:.1f} |"


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


def page(quick: bool) -> Iterator[str]:
    """Yield the lines of the measured part of the page."""
    yield START
    cores, python = os.cpu_count(), platform.python_version()
    yield f"Measured on {platform.system()} ({platform.machine()}), {cores} cores, Python {python},"
    yield f"NumPy {np.__version__}; processor seconds of one thread.\n"
    yield "## Functions\n"
    head = ("function", "against", "time", "exponent", "memory", "exponent", "peer", "exponent")
    yield f"| {' | '.join((*head, 'peer / ours'))} |"
    yield f"|{' --- |' * 9}"
    yield from map(measured, cases(quick))
    if not quick:
        yield "\n## Planning\n"
        yield "| jobs | `opchar run -n` | `snakemake -n` | times the import of Snakemake |"
        yield "| --- | --- | --- | --- |"
        yield from planning()
    yield "\n## Runs\n"
    yield "| profile | trainings and experiments | processor time | largest memory of one |"
    yield "| --- | --- | --- | --- |"
    yield from runs()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--write", type=Path, help="page whose measured part is replaced")
    arguments = parser.parse_args()
    lines = []
    for line in page(arguments.quick):
        print(line, flush=True)
        lines.append(line)
    if arguments.write:
        kept = arguments.write.read_text(encoding="utf-8").split(START)[0]
        arguments.write.write_text(kept + "\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
