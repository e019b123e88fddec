"""The simplified volume of known Gaussian classes, estimated and exact (Sec. 3.3.4)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from opchar.errors import ConfigError
from opchar.multiclass.gaussians import (
    Floats,
    class_rates,
    densities,
    diagonal_lattice,
    even_weight_grid,
)
from opchar.multiclass.roc.bounds import lower_bound
from opchar.multiclass.roc.hypersurface import diagonal_rates, weighted_scores
from opchar.multiclass.roc.volume import (
    dominated_volume,
    ordered_gaussian_volume,
    resampled_volume,
    staircase_surface,
    trapezoid_volume,
)
from opchar.results import Results
from opchar.seeds import Spawn

ESTIMATE = "VUS est."
EXACT = "VUS exact"


def means_of(row: str) -> list[float]:
    """Read the means from a row label such as ``-0.3; 0.0; 0.3``."""
    return [float(mean) for mean in row.split(";")]


LINEAR, STAIRCASE = "linear", "dominating points"
FIXED = {"last": -1, "first": 0}
LOGARITHMIC = "logarithmic"
# Whether the last weight is one minus the first.
EVEN = {"even": True, "even, last weight one": False}


def rule(means: list[float], r: int, weights: list[float], nodes: int) -> float:
    """Return the thesis' estimate for known Gaussians of unit variance."""
    low, high = weights
    return resampled_volume(diagonal_lattice(means, 1.0, r, low, high), nodes)


@dataclass(frozen=True)
class Reading:
    """How the volume of known densities is estimated; the fields are those of the experiment."""

    resampling: str
    fixed: str
    finer: float
    objects: int
    draws: int
    spawn: Spawn | None
    spacing: str = LOGARITHMIC

    def estimates(self, row: str, r: int, low: float, high: float) -> list[float]:
        """Return the estimate of the densities of a row, or of each sample of them."""
        means = means_of(row)
        if self.spacing != LOGARITHMIC:
            if self.objects or self.fixed != PRIMARY.fixed:
                raise ConfigError("even weights are those of known densities and of no fixed class")
            weights = even_weight_grid(len(means), r, complement=EVEN[self.spacing])
            rates = class_rates(means, 1.0, weights)
            lattices = [rates.reshape((r,) * (len(means) - 1) + (len(means),))]
        elif not self.objects:
            lattices = [diagonal_lattice(means, 1.0, r, low, high, FIXED[self.fixed])]
        else:
            assert self.spawn is not None
            lattices = [
                sampled_lattice(means, self.objects, r, low, high, self.spawn("sample", row, draw))
                for draw in range(self.draws)
            ]
        nodes = round(self.finer * r)
        if self.resampling == STAIRCASE:
            return [trapezoid_volume(staircase_surface(lattice, nodes)) for lattice in lattices]
        return [resampled_volume(lattice, nodes) for lattice in lattices]


PRIMARY = Reading(LINEAR, "last", 1.0, 0, 3, None)


def sampled_lattice(
    means: list[float], objects: int, r: int, low: float, high: float, rng: np.random.Generator
) -> Floats:
    """Return `diagonal_lattice` of `objects` drawn from each class instead of its density."""
    x = rng.normal(np.repeat(means, objects))
    y = np.repeat(np.arange(len(means)), objects)
    likelihoods = densities(means, 1.0, x).T
    return diagonal_rates(weighted_scores(y, likelihoods, r, low=low, high=high))


def known_distributions(
    *,
    tables: dict[str, list[list[str | int]]],
    weights: list[float],
    other_weights: list[list[float]],
    common_r: int,
    largest_hypervolume: int,
    largest_r: int,
    figure_table: str,
    figure_rows: list[int],
    resampling: str = LINEAR,
    fixed: str = "last",
    spacing: str = LOGARITHMIC,
    finer: float = 1.0,
    objects: int = 0,
    draws: int = 3,
    spawn: Spawn | None = None,
) -> Results:
    """VUS of Gaussian classes of unit variance by the thesis' rule and exactly (3.3.4).

    Parameters
    ----------
    tables : dict of str to list of [row, r]
        The rows of Tables 3.3 and 3.4: the means as printed, and the resolution.
    weights : [low, high]
        Range of the logarithmic weight grid.
    other_weights : list of [low, high]
        Other ranges, to measure what the choice of range leaves open.
    common_r : int
        One resolution for all 3-class rows, to compare how well each is resolved.
    largest_hypervolume : int
        The exact hypervolume of the operating points is given for up to that many of them.
    largest_r : int
        Resolutions are cut to this (quick runs).
    figure_table : str
        The table whose densities Figure 3.8 shows.
    figure_rows : list of int
        Its experiments, counted from one.
    resampling : {"linear", "dominating points"}
        How the estimate makes its regular grid.
    fixed : {"last", "first"}
        Class whose weight stays one.
    spacing : {"logarithmic", "even", "even, last weight one"}
        How weights are spaced: logarithmic over `weights`, or even from 0 to 1 with the last class
        at one minus the first, or at one.
    finer : float
        Nodes of the regular grid, in multiples of r.
    objects : int
        Objects of each class that stand for the densities; 0 for the densities themselves.
    draws : int
        Number of such samples, over which means are given.
    spawn : callable, optional
        Generators by name, for samples.

    Returns
    -------
    Results
        Lines of table-3.3, table-3.4, text-3.3.4 and figure-3.8; curve ``densities``; frames
        ``known volumes`` and ``missed``.
    """
    results = Results()
    reading = Reading(resampling, fixed, finer, objects, draws, spawn, spacing)
    for artefact, rows in tables.items():
        for row, printed_r in rows:
            r = min(int(printed_r), largest_r)
            points = _row(results, artefact, str(row), r, weights, other_weights, reading)
            if len(points) <= largest_hypervolume:
                dominated = dominated_volume(points)
                results.number(artefact, str(row), "VUS dominated", dominated, unit="volume")
    results.number(
        "text-3.3.4", "random 3-class", "lower bound", lower_bound(3), unit="volume", note="1/3!"
    )
    _missed(results, tables["table-3.3"], weights, common_r)
    _overlap(results, tables[figure_table], figure_rows)
    return results


def all_readings(
    *,
    tables: dict[str, list[list[str | int]]],
    weights: list[float],
    largest_r: int,
    spawn: Spawn,
    readings: Mapping[str, Mapping[str, Any]],
    **_: Any,
) -> dict[str, Results]:
    """Return the estimates of Tables 3.3 and 3.4 under several readings.

    Parameters
    ----------
    tables, weights, largest_r, spawn
        As for `known_distributions`.
    readings : mapping of str to mapping
        Parameters of `known_distributions` that each reading changes.

    Returns
    -------
    dict of str to Results
        The estimates of ``table-3.3`` and ``table-3.4``, and the frame ``known volumes``.
    """
    found = {}
    for name, changes in readings.items():
        rest = {key: value for key, value in changes.items() if key != "weights"}
        reading = replace(PRIMARY, spawn=spawn, **rest)
        low, high = changes.get("weights", weights)
        found[name] = Results()
        for artefact, rows in tables.items():
            for row, printed_r in rows:
                r = min(int(printed_r), largest_r)
                estimates = reading.estimates(str(row), r, low, high)
                _estimate(found[name], artefact, str(row), estimates, "")
                _known(found[name], str(row), float(np.mean(estimates)))
    return found


def _row(
    results: Results,
    artefact: str,
    row: str,
    r: int,
    weights: list[float],
    other_weights: list[list[float]],
    reading: Reading,
) -> Floats:
    """Add the estimate and the exact volume of a row, and return its operating points, (n, C)."""
    means = means_of(row)
    low, high = weights
    lattice = diagonal_lattice(means, 1.0, r, low, high)
    estimates = reading.estimates(row, r, low, high)
    estimate, exact = float(np.mean(estimates)), ordered_gaussian_volume(means)[0]
    others = _other_readings(means, lattice, weights, other_weights)
    widest = max(others, key=lambda name: abs(others[name] - estimate))
    note = (
        f"other readings of what is not stated change it by up to "
        f"{abs(others[widest] - estimate):.2g} ({widest})"
    )
    results.number(artefact, row, "r", r, unit="steps", basis="input")
    _estimate(results, artefact, row, estimates, note)
    results.number(artefact, row, EXACT, exact, unit="volume")
    results.number(artefact, row, "VUS est. / VUS exact", estimate / exact, unit="ratio")
    _known(results, row, estimate)
    return lattice.reshape(-1, len(means))


def _estimate(results: Results, artefact: str, row: str, estimates: list[float], note: str) -> None:
    """Add an estimate, with its spread where samples were drawn."""
    drawn = len(estimates) > 1
    results.number(
        artefact,
        row,
        ESTIMATE,
        float(np.mean(estimates)),
        std=float(np.std(estimates, ddof=1)) if drawn else None,
        n=len(estimates) if drawn else None,
        unit="volume",
        note=note,
    )


def _known(results: Results, row: str, estimate: float) -> None:
    means = means_of(row)
    results.curve(
        "known volumes",
        {
            "series": [row],
            "classes": [len(means)],
            "separation": [means[-1] - means[0]],
            "estimate": [estimate],
            "exact": [ordered_gaussian_volume(means)[0]],
        },
    )


def _other_readings(
    means: list[float], lattice: Floats, weights: list[float], other_weights: list[list[float]]
) -> dict[str, float]:
    """Return the estimate under other choices of what the thesis leaves open."""
    r = len(lattice)
    others = {
        f"weights {least:g}..{most:g}": rule(means, r, [least, most], r)
        for least, most in other_weights
    }
    low, high = weights
    fixed = diagonal_lattice(means, 1.0, r, low, high, fixed=0)
    others["weight 1 fixed"] = resampled_volume(fixed, r)
    others["half the nodes"] = resampled_volume(lattice, (r + 1) // 2)
    return others


def _missed(
    results: Results, rows: list[list[str | int]], weights: list[float], common_r: int
) -> None:
    """Add the share of the exact volume that one common resolution misses, and twice as fine a one.

    Frame ``missed``: series, separation, r and share. Nodes of the regular grid are four times the
    common resolution, so that only the weights limit the estimate.
    """
    for row, _ in rows:
        means = means_of(str(row))
        exact = ordered_gaussian_volume(means)[0]
        fine = [2 * common_r] if row == rows[0][0] else []
        for r in [common_r, *fine]:
            share = 1 - rule(means, r, weights, 4 * common_r) / exact
            where = {"series": [str(row)], "separation": [means[-1] - means[0]]}
            results.curve("missed", where | {"r": [r], "share": [share]})


def _overlap(results: Results, rows: list[list[str | int]], chosen: list[int]) -> None:
    """Add the densities of two experiments and the least error they allow."""
    for number in chosen:
        means = means_of(str(rows[number - 1][0]))
        x = np.linspace(-5, 5, 401)
        for index, density in enumerate(densities(means, 1.0, x), start=1):
            results.curve(
                "densities", {"experiment": number, "class": index, "x": x, "density": density}
            )
        rates = class_rates(means, 1.0, np.ones((1, len(means))))
        results.number(
            "figure-3.8",
            f"experiment {number}",
            "Bayes error at equal priors",
            1 - float(rates.mean()),
            unit="fraction",
        )
