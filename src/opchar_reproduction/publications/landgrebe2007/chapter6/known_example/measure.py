"""A detector and a classifier for known densities (Sec. 6.2.2)."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from opchar.reject.analytic import Rule
from opchar.reject.two_stage.known_system import (
    Acceptance,
    KnownDesign,
    KnownSystem,
    published_example,
)
from opchar_reproduction.results import Results
from opchar_reproduction.study import Shared, study

DENSITIES: dict[Acceptance, str] = {"merged": "both targets", "either": "the likelier target"}


@dataclass(frozen=True)
class _Measured:
    """What the variants of one rule share."""

    system: KnownSystem
    holistic: dict[Acceptance, KnownDesign]
    independent: dict[str, KnownDesign]
    costs: np.ndarray
    gains: dict[Acceptance, np.ndarray]


@study(
    "two-stage-example",
    kind="reject",
    basis="exact",
    profiles={"tiny": {"thetas": 101, "other_costs": [0.0, 1.0, 9]}},
    variants={"with": {"beyond": False}, "frames": ["designs", "differences"]},
)
def known_example(
    *,
    shared: Shared,
    theta_ds: list[float] = [0.01, 0.05, 0.13],
    thetas: int = 401,
    rule: Rule = "ratio",
    density: Acceptance = "merged",
    criterion: str = "costs",
    classifier: str = "costs",
    acceptance: str = "by class",
    detectors: int | None = None,
    numbers: list[int] = [5, 10, 20, 50, 100],
    first_cost: float = 0.55,
    other_costs: list[Any] = [0.0, 1.0, 41],
    balanced: float = 0.2,
    beyond: bool = True,
) -> Results:
    """Operating characteristics and both designs of the example with known densities.

    `theta_ds`: Detection thresholds of Figure 6.2.
    `thetas`: Classification thresholds of each curve.
    `rule`: What the classifier thresholds, see `opchar.reject.two_stage.known_system.KnownSystem`.
    `density`: What the detector of the independent design thresholds when it is designed.
    `criterion`, `classifier`, `acceptance`: What the detector and the classifier of the independent
    design minimise and how the system accepts, see
    `opchar.reject.two_stage.known_system.KnownSystem.independent`.
    `detectors`: Thresholds of the detector, evenly in the share of targets that they reject; all of
    them when null.
    `numbers`: Such numbers of thresholds, of which the losses stand side by side.
    `first_cost`: ``c_t1`` of the right plot of Figure 6.3.
    `other_costs`: ``c_t2`` and ``c_o`` there.
    `balanced`: Costs of both targets, and of outliers against the sum of both, are called balanced
    when neither is more than this share of the larger apart.
    `beyond`: Whether all criteria and numbers of thresholds stand beside the printed ones, with the
    curves and surfaces of the figures.
    """
    results = Results()
    measured = shared(_measure, rule, detectors, first_cost, other_costs)
    chosen = f"{density}; {criterion}; {classifier}; {acceptance}"
    if beyond:
        _add_beyond(results, measured, theta_ds, thetas, first_cost, density, balanced)
    _add_printed(results, measured, theta_ds, thetas)
    _designs(results, measured, density, chosen)
    for number in numbers if beyond else []:
        _thresholds(results, measured.system, number, density, chosen)
    results.add_frame("differences", _differences(measured, first_cost, density, balanced))
    return results


def _add_beyond(
    results: Results,
    measured: _Measured,
    theta_ds: list[float],
    thetas: int,
    first_cost: float,
    density: Acceptance,
    balanced: float,
) -> None:
    """Add what the figures draw, and the losses under all criteria of the detector."""
    system = measured.system
    x = np.linspace(-10.0, 10.0, 801)
    named = {"first": system.first, "second": system.second, "outlier": system.outlier}
    for name, one in named.items():
        results.add_frame("densities", {"class": name, "x": x, "density": one.pdf(x)})
    cuts = system.score_range()
    _long(results, "characteristic", system, np.array(theta_ds), np.linspace(*cuts, thetas))
    _long(results, "surface", system, np.linspace(0.0, 0.2, 41), np.linspace(*cuts, 121))
    for name, design in {"holistic": measured.holistic[density], **measured.independent}.items():
        results.number("text-6.2.2-criteria", name, "loss", design.loss)
        results.number("text-6.2.2-criteria", name, "theta_d", design.theta_d)
        results.number("text-6.2.2-criteria", name, "theta_c", design.theta_c)
        rejecting = design.loss_of_rejecting_all
        results.number("text-6.2.2-criteria", name, "loss of rejecting all", rejecting)
    for other in DENSITIES:
        frame = _differences(measured, first_cost, other, balanced)
        row = f"loss difference, detector by the density of {DENSITIES[other]}"
        for name, level in (("balanced costs", 1), ("other costs", 0)):
            cells = frame["difference"][frame["balanced"] == level]
            results.number("text-6.2.2-criteria", row, name, cells.mean())


def _shares(number: int) -> np.ndarray:
    """Return shares of rejected targets from zero, as many and as even as asked for."""
    return np.arange(number) / number


def _measure(
    rule: Rule, detectors: int | None, first_cost: float, other_costs: list[Any]
) -> _Measured:
    system = published_example(rule)
    costs = np.linspace(other_costs[0], other_costs[1], int(other_costs[2]))
    example = KnownSystem(system.first, system.second, system.outlier, (first_cost, 1.0, 1.0), rule)
    shares = None if detectors is None else _shares(detectors)
    gains = {
        name: example.loss_differences(costs, costs, density=name, shares=shares)
        for name in DENSITIES
    }
    if shares is None:
        holistic = dict.fromkeys(DENSITIES, system.holistic())
    else:
        holistic = {
            name: system.holistic(levels=system.levels_rejecting(shares, name))
            for name in DENSITIES
        }
    return _Measured(system, holistic, system.independent(shares), costs, gains)


def _thresholds(
    results: Results, system: KnownSystem, number: int, density: Acceptance, chosen: str
) -> None:
    """Add both losses when the detector has a few thresholds only."""
    shares = _shares(number)
    levels = system.levels_rejecting(shares, density)
    designs = {
        "independent (N)": system.independent(shares)[chosen],
        "holistic (H)": system.holistic(levels=levels),
    }
    for name, design in designs.items():
        row = f"{number} thresholds of the detector"
        results.number("text-6.2.2-thresholds", row, f"loss, {name}", design.loss)
        results.number("text-6.2.2-thresholds", row, f"theta_d, {name}", design.theta_d)


def _long(
    results: Results, name: str, system: KnownSystem, levels: np.ndarray, cuts: np.ndarray
) -> None:
    """Add the errors at all pairs of thresholds as a long table."""
    first, second, alarms = system.rates(levels, cuts)
    where = {"theta_d": np.repeat(levels, len(cuts)), "theta_c": np.tile(cuts, len(levels))}
    rates = {"eps_I": first.ravel(), "eps_II": second.ravel(), "fpr": alarms.ravel()}
    results.add_frame(name, where | rates)


def _add_printed(results: Results, measured: _Measured, theta_ds: list[float], thetas: int) -> None:
    """Add the ends of the curves of Figure 6.2."""
    system = measured.system
    cuts = np.linspace(*system.score_range(), thetas)
    bare = system.rates([0.0], cuts)[:2].mean(axis=0).min()
    for theta_d in theta_ds:
        errors = system.rates([theta_d], cuts)[:, 0]
        mean, row = errors[:2].mean(axis=0), f"theta_d={theta_d:g}"
        best = int(np.argmin(mean))
        results.number("figure-6.2", row, "least mean error of the targets", mean[best])
        results.number("figure-6.2", row, "FP_r^o there", errors[2, best])
    results.number("figure-6.2", "no detector", "least mean error of the targets", bare)


def _designs(results: Results, measured: _Measured, density: Acceptance, chosen: str) -> None:
    """Add both losses of Sec. 6.2.2, and where all designs lie."""
    holistic, independent = measured.holistic[density], measured.independent
    for name, one in (("independent (N)", independent[chosen]), ("holistic (H)", holistic)):
        results.number("text-6.2.2", f"1-D example / {name}", "expected loss", one.loss)
    designs = {"holistic": holistic, **independent}
    every = list(designs.values())
    first, second, alarms = np.transpose([design.errors for design in every])
    roles = [{"holistic": "H", chosen: "N"}.get(name, "") for name in designs]
    results.add_frame(
        "designs",
        {
            "design": list(designs),
            "role": roles,
            "theta_d": [one.theta_d for one in every],
            "theta_c": [one.theta_c for one in every],
            "eps_I": first,
            "eps_II": second,
            "fpr": alarms,
            "loss": [one.loss for one in every],
        },
    )


def _differences(
    measured: _Measured, first_cost: float, density: Acceptance, balanced: float
) -> pd.DataFrame:
    """Return how much less the holistic design loses, over the costs of the other two classes."""
    second, outlier = (
        grid.ravel() for grid in np.meshgrid(measured.costs, measured.costs, indexing="ij")
    )

    def near(one: np.ndarray, other: np.ndarray) -> np.ndarray:
        return np.abs(one - other) <= balanced * np.maximum(one, other)

    first, difference = np.full(len(second), first_cost), measured.gains[density].ravel()
    is_balanced = (near(first, second) & near(first, outlier)).astype(float)
    costs = {"c_t2": second, "c_o": outlier}
    return pd.DataFrame(costs | {"difference": difference, "balanced": is_balanced})
