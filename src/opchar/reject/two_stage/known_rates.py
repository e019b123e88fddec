"""What a detector and a classifier accept of known one-dimensional classes and outliers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from opchar.reject.analytic import HALVINGS, Density, Floats, Rule, mass, regions_above, span

Acceptance = Literal["assigned", "either", "merged"]
EDGE = 12.0


@dataclass(frozen=True)
class KnownRates:
    """Rates of a detector and a classifier for two target classes and an outlier class."""

    first: Density
    second: Density
    outlier: Density
    costs: tuple[float, float, float]
    rule: Rule = "ratio"

    def __post_init__(self) -> None:
        if len(self.costs) != 3 or not all(0 < cost < np.inf for cost in self.costs):
            raise ValueError(f"the system has three positive costs, got {self.costs}")
        if self.rule not in ("ratio", "difference"):
            raise ValueError(f"unknown rule {self.rule!r}: use 'ratio' or 'difference'")

    def rates(
        self, theta_ds: ArrayLike, theta_cs: ArrayLike, acceptance: Acceptance = "assigned"
    ) -> Floats:
        """Return both errors and the false alarms at all pairs of thresholds.

        Shapes: `theta_ds` (m,); `theta_cs` (k,); returned (3, m, k).

        `acceptance`: what the detector thresholds: the density of the class that the classifier
        gives the object to, as in Eqs. 6.8 and 6.9; the larger of the two densities; or their mean,
        the density of the merged target class.
        """
        levels = np.atleast_1d(np.asarray(theta_ds, dtype=float))
        if not (levels >= 0).all():
            raise ValueError("thresholds on a density must not be negative")
        low, high = span(self.first, self.second)
        cuts = np.atleast_1d(np.asarray(theta_cs, dtype=float))
        called_first = regions_above(self._score, cuts, low, high)
        called_second = _complement(called_first)
        densities = {
            "assigned": (self.first.pdf, self.second.pdf),
            "either": (self._larger,),
            "merged": (self._merged_density,),
        }
        if acceptance not in densities:
            raise ValueError(f"unknown acceptance {acceptance!r}: use {', '.join(densities)}")
        accepted = [regions_above(density, levels, low, high) for density in densities[acceptance]]
        alarms = mass(self.outlier, accepted[0], called_first)
        alarms += mass(self.outlier, accepted[-1], called_second)
        return np.stack(
            [
                1 - mass(self.first, accepted[0], called_first),
                1 - mass(self.second, accepted[-1], called_second),
                alarms,
            ]
        )

    def _score(self, x: Floats) -> Floats:
        if self.rule == "ratio":
            return self.first.logpdf(x) - self.second.logpdf(x)
        return (self.first.pdf(x) - self.second.pdf(x)) / 3

    def _larger(self, x: Floats) -> Floats:
        return np.maximum(self.first.pdf(x), self.second.pdf(x))

    def _merged_density(self, x: Floats) -> Floats:
        return (self.first.pdf(x) + self.second.pdf(x)) / 2

    def highest_density(self) -> float:
        """Return the highest density of the target classes, beyond which all are rejected."""
        x = np.linspace(*span(self.first, self.second), 20_001)
        return float(self._larger(x).max())

    def score_range(self) -> tuple[float, float]:
        """Return classification thresholds beyond which one class has all, or nearly all."""
        scores = self._score(np.linspace(*span(self.first, self.second), 20_001))
        return max(float(scores.min()), -EDGE), min(float(scores.max()), EDGE)

    def levels_rejecting(self, shares: ArrayLike, acceptance: Acceptance) -> Floats:
        """Return the thresholds at which a detector alone rejects given shares of the targets.

        Shapes: `shares` (m,); returned (m,).
        """
        wanted = np.atleast_1d(np.asarray(shares, dtype=float))
        if not ((wanted >= 0).all() and (wanted < 1).all()):
            raise ValueError("the shares of rejected targets are from 0 to below 1")
        low, high = np.zeros_like(wanted), np.full_like(wanted, self.highest_density())
        for _ in range(HALVINGS):
            middle = (low + high) / 2
            enough = 1 - self.detection_rates(middle, acceptance)[0] >= wanted
            low, high = np.where(enough, low, middle), np.where(enough, middle, high)
        return np.where(wanted > 0, high, 0.0)

    def detection_rates(self, levels: Floats, acceptance: Acceptance) -> tuple[Floats, Floats]:
        """Return the shares of merged targets and of outliers that a detector alone accepts."""
        density = self._merged_density if acceptance == "merged" else self._larger
        low, high = span(self.first, self.second)
        accepted = regions_above(density, levels, low, high)
        everywhere = np.array([[[-np.inf, np.inf]]])
        shares = [
            mass(one, accepted, everywhere)[:, 0] for one in (self.first, self.second, self.outlier)
        ]
        return (shares[0] + shares[1]) / 2, shares[2]


def _complement(regions: Floats) -> Floats:
    """Return the intervals between those of each region, shape (n, k + 1, 2)."""
    ends = regions.reshape(len(regions), -1)
    edge = np.full((len(regions), 1), np.inf)
    return np.concatenate([-edge, ends, edge], axis=1).reshape(len(regions), -1, 2)
