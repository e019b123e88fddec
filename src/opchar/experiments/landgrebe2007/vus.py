"""The simplified volume under the ROC hypersurface: bounds and known distributions (Sec. 3.3)."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from math import factorial

import numpy as np
from scipy.special import ndtr, ndtri

from opchar.multiclass.bounds import (
    lower_bound,
    lower_bound_hull,
    lower_bound_recursion,
    random_volume,
)
from opchar.multiclass.gaussians import class_rates, densities, threshold_rates, weight_grid
from opchar.multiclass.volume import (
    Floats,
    dominated_volume,
    ordered_gaussian_volume,
    resampled_volume,
)
from opchar.results import Results
from opchar.spaces.points import from_rates
from opchar.spaces.roc import auc

ESTIMATE = "VUS est."
EXACT = "VUS exact"


def lower_bounds(*, classes: list[int], joggles: int, grids: list[list[int]]) -> Results:
    """Volume of a random classifier by Qhull, by recursion and by the trapezoid (3.3.4, 3.3.7).

    Parameters
    ----------
    classes : list of int
        The numbers of classes C of Eq. 3.17.
    joggles : int
        Joggled runs of Qhull that measure what joggling leaves open.
    grids : list of [C, r]
        The rows of the table of trapezoid estimates.

    Returns
    -------
    Results
        Lines of eq-3.17, table-3.3.4-numeric-integration and eq-3.24.
    """
    results = Results()
    hulls = []
    for c in classes:
        hulls.append(lower_bound_hull(c))
        joggled = [lower_bound_hull(c, f"QJ QR{seed}") for seed in range(1, joggles + 1)]
        spread = max(abs(volume - lower_bound(c)) for volume in joggled)
        results.number(
            "eq-3.17",
            f"C={c}",
            "Estimated VUS (QHull, random classifier)",
            hulls[-1],
            unit="volume",
            tolerance=2 * spread,
            note=f"tolerance: twice the largest of {joggles} deviations of joggled Qhull runs",
        )
        results.number("eq-3.17", f"C={c}", "1/C!", lower_bound(c), unit="volume")
    off = max(abs(hull * factorial(c) - 1) for hull, c in zip(hulls, classes, strict=True))
    falling = all(after < before / 2 for before, after in pairwise(hulls))
    results.claim(
        "eq-3.17",
        "trend",
        off < 1e-9 and falling,
        f"hull volume times C! is 1 within {off:.1e} for C={classes[0]}..{classes[-1]}; "
        f"the volume at C={classes[-1]} is {hulls[-1]:.3e}",
    )
    _trapezoid_table(results, grids)
    proved = {c: lower_bound_recursion(c) == Fraction(1, factorial(c)) for c in classes}
    results.claim(
        "eq-3.24",
        "theorem",
        all(proved.values()),
        f"exact rational integration equals 1/C! for {sum(proved.values())} of {len(proved)} "
        f"values of C; 2: {lower_bound_recursion(2)}, 3: {lower_bound_recursion(3)}, "
        f"4: {lower_bound_recursion(4)}",
    )
    return results


def _trapezoid_table(results: Results, grids: list[list[int]]) -> None:
    """Add the table of trapezoid estimates of the random volume against the grid."""
    artefact = "table-3.3.4-numeric-integration"
    errors: dict[int, list[tuple[int, float]]] = {}
    for c, r in grids:
        estimate = random_volume(c, r)
        results.number(artefact, f"C={c}, r={r}", "VUS estimation", estimate, unit="volume")
        results.number(
            artefact,
            f"C={c}, r={r}",
            "Actual VUS",
            lower_bound(c),
            unit="volume",
            tolerance=1e-7,
            note="1/C!; the print cuts after seven digits in some rows and rounds in others",
        )
        errors.setdefault(c, []).append((r, estimate - lower_bound(c)))
    better = [
        abs(after[1]) < abs(before[1])
        for rows in errors.values()
        for before, after in pairwise(sorted(rows))
    ]
    evidence = "; ".join(
        f"C={c}: " + ", ".join(f"r={r} off by {error:.2e}" for r, error in sorted(rows))
        for c, rows in errors.items()
    )
    results.claim(artefact, "trend", bool(better) and all(better), evidence)


def means_of(row: str) -> list[float]:
    """Read the means from a row label such as ``-0.3; 0.0; 0.3``."""
    return [float(mean) for mean in row.split(";")]


def _lattice(means: list[float], r: int, weights: list[float], fixed: int = -1) -> Floats:
    """Return the diagonal rates on the weight grid, in the grid's shape."""
    rates = class_rates(means, 1.0, weight_grid(len(means), r, weights[0], weights[1], fixed))
    return rates.reshape((r,) * (len(means) - 1) + (len(means),))


def rule(means: list[float], r: int, weights: list[float], nodes: int) -> float:
    """Return the thesis' estimate for known Gaussians of unit variance."""
    return resampled_volume(_lattice(means, r, weights), nodes)


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

    Returns
    -------
    Results
        Lines of table-3.3, table-3.4, text-3.3.4 and figure-3.8; curve ``densities``.
    """
    results = Results()
    for artefact, rows in tables.items():
        exact, estimates = [], []
        for row, printed_r in rows:
            means, r = means_of(str(row)), min(int(printed_r), largest_r)
            lattice = _lattice(means, r, weights)
            estimates.append(resampled_volume(lattice, r))
            exact.append(ordered_gaussian_volume(means)[0])
            results.number(artefact, str(row), "r", r, unit="steps")
            others = _other_readings(means, lattice, weights, other_weights)
            _estimate_line(results, artefact, str(row), estimates[-1], others)
            results.number(artefact, str(row), EXACT, exact[-1], unit="volume")
            results.number(
                artefact, str(row), "VUS est. / VUS exact", estimates[-1] / exact[-1], unit="ratio"
            )
            if r ** (len(means) - 1) <= largest_hypervolume:
                dominated = dominated_volume(lattice.reshape(-1, len(means)))
                results.number(artefact, str(row), "VUS dominated", dominated, unit="volume")
        _trend(results, artefact, estimates, exact, lower_bound(len(means)))
    results.number(
        "text-3.3.4",
        "random 3-class",
        "lower bound",
        lower_bound(3),
        unit="volume",
        tolerance=1e-5,
        note="1/3!; the print cuts 0.166666... after five digits",
    )
    _resolution(results, tables["table-3.3"], weights, common_r)
    _overlap(results, tables[figure_table], figure_rows)
    return results


def _other_readings(
    means: list[float], lattice: Floats, weights: list[float], other_weights: list[list[float]]
) -> dict[str, float]:
    """Return the estimate under other choices of what the thesis leaves open."""
    r = len(lattice)
    others = {
        f"weights {low:g}..{high:g}": rule(means, r, [low, high], r) for low, high in other_weights
    }
    others["weight 1 fixed"] = resampled_volume(_lattice(means, r, weights, fixed=0), r)
    others["half the nodes"] = resampled_volume(lattice, (r + 1) // 2)
    return others


def _estimate_line(
    results: Results, artefact: str, row: str, estimate: float, others: dict[str, float]
) -> None:
    """Add the estimate with the spread of the rule over what the thesis leaves open."""
    widest = max(others, key=lambda name: abs(others[name] - estimate))
    results.number(
        artefact,
        row,
        ESTIMATE,
        estimate,
        unit="volume",
        tolerance=abs(others[widest] - estimate),
        note="tolerance: largest change of the rule under what is not stated: weight range, fixed "
        f"weight, number of nodes (here {widest})",
    )


def _trend(
    results: Results, artefact: str, estimates: list[float], exact: list[float], bound: float
) -> None:
    """Add the claim that the volume falls with the separation towards the random bound."""
    falls = bool(np.all(np.diff(estimates) > 0) and np.all(np.diff(exact) > 0))
    nearest, separable = exact[0] / bound, exact[-1]
    approaches = abs(nearest - 1) < abs(exact[1] / bound - 1) and nearest < 1.5
    results.claim(
        artefact,
        "trend",
        falls and approaches,
        "from random to separable, exact "
        + ", ".join(f"{value:.5f}" for value in exact)
        + ", estimated "
        + ", ".join(f"{value:.5f}" for value in estimates)
        + f"; the first is {nearest:.2f} times the bound {bound:.5f}, the last {separable:.3f}",
    )


def _resolution(
    results: Results, rows: list[list[str | int]], weights: list[float], common_r: int
) -> None:
    """Add the claim that overlapping problems need a finer grid of weights."""
    misses = {}
    for row, _ in rows:
        means = means_of(str(row))
        nodes = 4 * common_r
        miss = 1 - rule(means, common_r, weights, nodes) / ordered_gaussian_volume(means)[0]
        misses[str(row)] = miss
    most = next(iter(misses))
    finer = (
        1
        - rule(means_of(most), 2 * common_r, weights, 4 * common_r)
        / (ordered_gaussian_volume(means_of(most))[0])
    )
    holds = misses[most] == max(misses.values()) and finer < misses[most]
    results.claim(
        "text-3.3.4",
        "resolution",
        holds,
        f"share of the exact volume missed with {common_r} weights a class: "
        + ", ".join(f"({row}) {miss:.2%}" for row, miss in misses.items())
        + f"; ({most}) with {2 * common_r} weights {finer:.2%}",
    )


def _overlap(results: Results, rows: list[list[str | int]], chosen: list[int]) -> None:
    """Add the densities of two experiments and the claim on their overlap."""
    errors = []
    for number in chosen:
        means = means_of(str(rows[number - 1][0]))
        x = np.linspace(-5, 5, 401)
        for index, density in enumerate(densities(means, 1.0, x), start=1):
            results.curve(
                "densities", {"experiment": number, "class": index, "x": x, "density": density}
            )
        rates = class_rates(means, 1.0, np.ones((1, len(means))))
        errors.append(1 - float(rates.mean()))
        results.number(
            "figure-3.8",
            f"experiment {number}",
            "Bayes error at equal priors",
            errors[-1],
            unit="fraction",
        )
    results.claim(
        "figure-3.8",
        "2nd and 4th 4-class experiment",
        errors[0] > errors[-1],
        "Bayes error at equal priors "
        + ", ".join(
            f"{error:.4f} (experiment {number})"
            for number, error in zip(chosen, errors, strict=True)
        ),
    )


def surfaces(
    *, separable: list[float], overlapping: list[float], three_classes: list[float], nodes: int
) -> Results:
    """Two-class curves and three-class surfaces on the diagonal rates (3.3.3, 3.3.4).

    Parameters
    ----------
    separable, overlapping : list of float
        Means of the two unit-variance Gaussians of curves A and B of Figure 3.5.
    three_classes : list of float
        Means of the three unit-variance Gaussians of Figure 3.7, ascending.
    nodes : int
        Points a curve, and along each side of a surface.

    Returns
    -------
    Results
        Lines of figure-3.5, figure-3.6 and figure-3.7; curves ``roc`` and ``surface``.
    """
    results = Results()
    areas = {}
    for letter, means in {"A": separable, "B": overlapping, "C": [0.0, 0.0]}.items():
        thresholds = np.linspace(min(means) - 9, max(means) + 9, nodes)
        first, second = threshold_rates(means, thresholds[:, None]).T
        areas[letter] = auc(from_rates(first, 1 - second))
        results.curve("roc", {"series": letter, "xi_11": first, "xi_22": second})
        results.number("figure-3.5", letter, "AUC", areas[letter], unit="area")
    results.claim(
        "figure-3.5",
        "AUC range",
        abs(areas["A"] - 1) < 1e-3 and abs(areas["C"] - 0.5) < 1e-9 and 0.5 < areas["B"] < 1,
        ", ".join(f"{letter}: {area:.4f}" for letter, area in areas.items()),
    )
    sides = [nodes // 4, nodes // 4]
    random = _surface([0.0, 0.0, 0.0], sides)
    results.curve("surface", {"series": "random"} | random)
    results.curve("surface", {"series": "overlapping"} | _surface(three_classes, sides))
    off = float(np.abs(sum(random.values()) - 1).max())
    plane = ordered_gaussian_volume([0.0, 0.0, 0.0])[0]
    results.number("figure-3.6", "random", EXACT, plane, unit="volume")
    results.claim(
        "figure-3.6",
        "random 3-class ROC",
        off < 1e-9 and abs(plane - lower_bound(3)) < 1e-9,
        f"the rates of three equal classes sum to one within {off:.1e}; volume {plane:.10f}",
    )
    volume = ordered_gaussian_volume(three_classes)[0]
    results.number("figure-3.7", "overlapping", EXACT, volume, unit="volume")
    results.claim(
        "figure-3.7",
        "VUS grows",
        volume > plane,
        f"volume {volume:.4f} for means {three_classes}, {plane:.4f} for equal classes",
    )
    return results


def _surface(means: list[float], sides: list[int]) -> dict[str, Floats]:
    """Return the ROC surface of three ordered unit-variance Gaussians on a grid of ranks.

    One axis is the rate of class 1, the other the share that class 2 gets of what class 1 leaves.
    """
    first, split = np.meshgrid(*[np.linspace(0, 1, side) for side in sides], indexing="ij")
    low = ndtri(first) + means[0]
    left_over = ndtr(means[1] - low)
    high = means[1] - ndtri(left_over * (1 - split))
    thresholds = np.stack([low.ravel(), np.maximum(low, high).ravel()], axis=1)
    rates = threshold_rates(means, thresholds)
    return {"xi_11": rates[:, 0], "xi_22": rates[:, 1], "xi_33": rates[:, 2]}
