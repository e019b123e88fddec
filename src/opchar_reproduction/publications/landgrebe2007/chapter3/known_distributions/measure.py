"""The simplified volume of known Gaussian classes, estimated and exact (Sec. 3.3.4)."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from opchar.errors import ConfigError
from opchar.multiclass.gaussians import Floats, class_rates, densities, diagonal_lattice
from opchar.multiclass.roc.bounds import lower_bound
from opchar.multiclass.roc.hypersurface import diagonal_rates
from opchar.multiclass.roc.volume import (
    dominated_volume,
    ordered_gaussian_volume,
    resampled_volume,
    staircase_surface,
    trapezoid_volume,
)
from opchar.multiclass.roc.weighted_scores import weighted_scores
from opchar.multiclass.weight_grids import even_weight_grid
from opchar.ranges import Count
from opchar.seeds import Spawn
from opchar_reproduction.results import Results
from opchar_reproduction.study import Shared, study

ESTIMATE = "VUS est."
EXACT = "VUS exact"


def means_of(row: str) -> list[float]:
    """Read the means from a row label such as ``-0.3; 0.0; 0.3``."""
    return [float(mean) for mean in row.split(";")]


LINEAR, STAIRCASE = "linear", "dominating points"
LOGARITHMIC = "logarithmic"
FIXED = {"last": -1, "first": 0}
# Whether the last weight is one minus the first.
EVEN = {"even": True, "even, last weight one": False}


def rule(means: list[float], r: int, weights: list[float], nodes: int) -> float:
    """Return the thesis' estimate for known Gaussians of unit variance."""
    low, high = weights
    return resampled_volume(diagonal_lattice(means, 1.0, r, low, high), nodes)


@dataclass(frozen=True)
class Estimator:
    """How the volume of known densities is estimated; the experiment has the same fields."""

    resampling: str
    fixed: str
    finer: float
    objects: int
    draws: int
    spacing: str
    spawn: Spawn

    def estimates(self, row: str, r: int, span: list[float]) -> list[float]:
        """Return the estimate of the densities of a row, or of each sample of them."""
        means, (low, high) = means_of(row), span
        if self.spacing != LOGARITHMIC:
            if self.objects or self.fixed != "last":
                raise ConfigError("even weights exist for known densities without a fixed class")
            weights = even_weight_grid(len(means), r, complement=EVEN[self.spacing])
            rates = class_rates(means, 1.0, weights)
            lattices = [rates.reshape((r,) * (len(means) - 1) + (len(means),))]
        elif not self.objects:
            lattices = [diagonal_lattice(means, 1.0, r, low, high, FIXED[self.fixed])]
        else:
            lattices = [
                sampled_lattice(means, self.objects, r, low, high, self.spawn("sample", row, draw))
                for draw in range(self.draws)
            ]
        nodes = round(self.finer * r)
        if self.resampling == STAIRCASE:
            return [trapezoid_volume(staircase_surface(lattice, nodes)) for lattice in lattices]
        return [resampled_volume(lattice, nodes) for lattice in lattices]


def sampled_lattice(
    means: list[float], objects: int, r: int, low: float, high: float, rng: np.random.Generator
) -> Floats:
    """Return `diagonal_lattice` of `objects` drawn from each class instead of its density."""
    x = rng.normal(np.repeat(means, objects))
    y = np.repeat(np.arange(len(means)), objects)
    likelihoods = densities(means, 1.0, x).T
    return diagonal_rates(weighted_scores(y, likelihoods, r, low=low, high=high))


@study(
    "vus-known-distributions",
    kind="vus",
    basis="exact",
    profiles={"tiny": {"largest_r": 12, "common_r": 12}},
    variants={
        "combine": "pairs",
        "pairs": [["weight range", "resampling"], ["objects", "weight range"]],
        "with": {"beyond": False},
        "frames": ["known volumes", "missed"],
    },
)
def known_distributions(
    *,
    spawn: Spawn,
    shared: Shared,
    tables: dict[str, list[list[str | int]]] = {
        "table-3.3": [
            ["-0.05; 0.0; 0.05", 200],
            ["-0.3; 0.0; 0.3", 100],
            ["-0.5; 0.0; 0.5", 100],
            ["-1.0; 0.0; 1.0", 100],
            ["-1.5; 0.0; 1.5", 100],
            ["-4.0; 0.0; 4.0", 100],
        ],
        "table-3.4": [
            ["-0.15; -0.05; 0.05; 0.15", 70],
            ["-0.75; -0.25; 0.25; 0.75", 50],
            ["-1.00; -0.33; 0.33; 1.00", 50],
            ["-1.50; -0.50; 0.50; 1.5", 50],
            ["-2.25; -0.75; 0.75; 2.25", 50],
            ["-3.00; -1.00; 1.00; 3.0", 50],
        ],
    },
    weights: list[float] = [1e-10, 1e10],
    other_weights: list[list[float]] = [[0.001, 1000.0], [1e-20, 1e20]],
    common_r: int = 100,
    largest_hypervolume: int = 50000,
    largest_r: int = 200,
    figure_table: str = "table-3.4",
    figure_rows: list[int] = [2, 4],
    resampling: str = LINEAR,
    fixed: str = "last",
    spacing: str = LOGARITHMIC,
    finer: float = 1.0,
    objects: int = 0,
    draws: Count = 3,
    beyond: bool = True,
) -> Results:
    """VUS of Gaussian classes of unit variance by the thesis' rule and exactly (3.3.4).

    `tables`: The rows of Tables 3.3 and 3.4: the means as printed, and the resolution.
    `other_weights`: Other ranges, to measure what the choice of range leaves open.
    `common_r`: One resolution for all 3-class rows, to compare how well each is resolved.
    `largest_hypervolume`: The exact hypervolume of the operating points is given for up to that
    many of them.
    `largest_r`: Resolutions are cut to this (quick runs).
    `figure_table`: The table whose densities Figure 3.8 shows.
    `figure_rows`: Its experiments, counted from one.
    `resampling`: How the estimate makes its regular grid.
    `fixed`: Class whose weight stays one.
    `spacing`: How weights are spaced: logarithmic over `weights`, or even from 0 to 1 with the last
    class at one minus the first, or at one.
    `finer`: Nodes of the regular grid, in multiples of r.
    `objects`: Objects of each class that stand for the densities; 0 for the densities themselves.
    `draws`: Number of such samples, over which means are given.
    `beyond`: Whether exact volumes and other variants stand beside the estimates.
    """
    results = Results()
    estimator = Estimator(resampling, fixed, finer, objects, draws, spacing, spawn)
    for artefact, rows in tables.items():
        for row, printed_r in rows:
            r = min(int(printed_r), largest_r)
            estimates = estimator.estimates(str(row), r, weights)
            others = [weights, *other_weights] if beyond else []
            _add_row(results, artefact, str(row), r, estimates, others, largest_hypervolume)
    if beyond:
        where = "text-3.3.4", "random 3-class", "lower bound"
        results.number(*where, lower_bound(3), unit="volume", note="1/3!")
    _record_missed_volume(results, tables["table-3.3"], weights, common_r, shared)
    _overlap(results, tables[figure_table], figure_rows)
    return results


def _add_row(
    results: Results,
    artefact: str,
    row: str,
    r: int,
    estimates: list[float],
    spans: list[list[float]],
    largest_hypervolume: int,
) -> None:
    """Add the estimates of a row, and, where spans of weights are given, what stands beside them.

    The first span belongs to the estimates.
    """
    means, estimate = means_of(row), float(np.mean(estimates))
    exact = ordered_gaussian_volume(means)[0]
    spread: dict[str, Any] = {}
    if len(estimates) > 1:
        spread = {"std": float(np.std(estimates, ddof=1)), "n": len(estimates)}
    where = {"series": [row], "classes": [len(means)], "separation": [means[-1] - means[0]]}
    results.add_frame("known volumes", where | {"estimate": [estimate], "exact": [exact]})
    if not spans:
        results.number(artefact, row, ESTIMATE, estimate, **spread, unit="volume")
        return
    low, high = spans[0]
    lattice = diagonal_lattice(means, 1.0, r, low, high)
    others = _other_variants(means, lattice, *spans)
    widest = max(others, key=lambda name: abs(others[name] - estimate))
    note = (
        f"other variants of what is not stated change it by up to "
        f"{abs(others[widest] - estimate):.2g} ({widest})"
    )
    results.number(artefact, row, "r", r, unit="steps", basis="input")
    results.number(artefact, row, ESTIMATE, estimate, **spread, unit="volume", note=note)
    results.number(artefact, row, EXACT, exact, unit="volume")
    results.number(artefact, row, "VUS est. / VUS exact", estimate / exact, unit="ratio")
    points = lattice.reshape(-1, len(means))
    if len(points) <= largest_hypervolume:
        dominated = dominated_volume(points)
        results.number(artefact, row, "VUS dominated", dominated, unit="volume")


def _other_variants(
    means: list[float], lattice: Floats, span: list[float], *others: list[float]
) -> dict[str, float]:
    """Return the estimate under other choices of what the thesis leaves open."""
    r, (low, high) = len(lattice), span
    found = {f"weights {one[0]:g}..{one[1]:g}": rule(means, r, one, r) for one in others}
    fixed = diagonal_lattice(means, 1.0, r, low, high, fixed=0)
    found["weight 1 fixed"] = resampled_volume(fixed, r)
    found["half the nodes"] = resampled_volume(lattice, (r + 1) // 2)
    return found


def _record_missed_volume(
    results: Results,
    rows: list[list[str | int]],
    weights: list[float],
    common_r: int,
    shared: Shared,
) -> None:
    """Add the share of the exact volume that a common resolution and twice that resolution miss.

    Frame ``missed``: series, separation, r and share. Nodes of the regular grid are four times the
    common resolution, so that only the weights limit the estimate.
    """
    for row, _ in rows:
        means = means_of(str(row))
        exact = ordered_gaussian_volume(means)[0]
        fine = [2 * common_r] if row == rows[0][0] else []
        for r in [common_r, *fine]:
            share = 1 - shared(rule, means, r, weights, 4 * common_r) / exact
            where = {"series": [str(row)], "separation": [means[-1] - means[0]]}
            results.add_frame("missed", where | {"r": [r], "share": [share]})


def _overlap(results: Results, rows: list[list[str | int]], chosen: list[int]) -> None:
    """Add the densities of two experiments and the least error they allow."""
    for number in chosen:
        means = means_of(str(rows[number - 1][0]))
        x = np.linspace(-5, 5, 401)
        for index, density in enumerate(densities(means, 1.0, x), start=1):
            where = {"experiment": number, "class": index}
            results.add_frame("densities", where | {"x": x, "density": density})
        error = 1 - float(class_rates(means, 1.0, np.ones((1, len(means)))).mean())
        row, column = f"experiment {number}", "Bayes error at equal priors"
        results.number("figure-3.8", row, column, error, unit="fraction")
