"""A detector and a classifier for two known one-dimensional classes and known outliers."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import product

import numpy as np
from numpy.typing import ArrayLike

from opchar.reject.analytic import Floats, Gaussian, Rule, Uniform
from opchar.reject.two_stage.known_rates import Acceptance, KnownRates

GRID = 41
ROUNDS = 40
NARROWING = 0.6
NEAREST = 3


@dataclass(frozen=True)
class KnownDesign:
    """Thresholds of both stages for known densities.

    Attributes
    ----------
    theta_d, theta_c : float
        Thresholds of the detector, on a density, and of the classifier.
    errors : tuple of float
        ``eps_I``, ``eps_II`` and ``FP_r^o``.
    loss : float
        Expected cost of an object.
    loss_of_rejecting_all : float
        What it costs to accept nothing: the sum of the costs of both targets.
    """

    theta_d: float
    theta_c: float
    errors: tuple[float, float, float]
    loss: float
    loss_of_rejecting_all: float


@dataclass(frozen=True)
class KnownSystem(KnownRates):
    """Two target classes and an outlier class with known densities.

    Parameters
    ----------
    first, second : Density
        The target classes; equal priors.
    outlier : Density
        Of the class that the detector should reject.
    costs : tuple of float
        ``c_t1, c_t2, c_o``; the loss is ``c_t1 eps_I + c_t2 eps_II + c_o FP_r^o``.
    rule : {"ratio", "difference"}
        What ``theta_c`` is a threshold of: the logarithm of the ratio of the densities of the first
        and the second class, or their difference times a prior of a third, as Eq. 6.7 prints it. An
        object is of the first class above it (Eq. 6.7 prints both inequalities the other way round,
        which gives each object to the wrong class).

    Raises
    ------
    ValueError
        For costs that are not three positive numbers, or an unknown rule.

    Notes
    -----
    landgrebe2007, Sec. 6.2.2, Eqs. 6.5 to 6.10.
    """

    def loss(
        self, theta_ds: ArrayLike, theta_cs: ArrayLike, acceptance: Acceptance = "assigned"
    ) -> Floats:
        """Return the loss at all pairs of thresholds, shape (m, k); parameters as for `rates`."""
        return np.tensordot(self.costs, self.rates(theta_ds, theta_cs, acceptance), axes=1)

    def design(
        self, theta_d: float, theta_c: float, acceptance: Acceptance = "assigned"
    ) -> KnownDesign:
        """Return the errors and the loss of one pair of thresholds."""
        first, second, alarms = self.rates([theta_d], [theta_c], acceptance)[:, 0, 0].tolist()
        loss = float(np.dot(self.costs, (first, second, alarms)))
        rejecting = float(sum(self.costs[:2]))
        errors = first, second, alarms
        return KnownDesign(float(theta_d), float(theta_c), errors, loss, rejecting)

    def holistic(
        self, acceptance: Acceptance = "assigned", levels: ArrayLike | None = None
    ) -> KnownDesign:
        """Return the pair of thresholds of least loss.

        Parameters
        ----------
        acceptance : {"assigned", "either", "merged"}
            As for `rates`.
        levels : array_like of shape (m,), optional
            Thresholds of the detector to choose from; all when not given.

        Notes
        -----
        A grid over all densities and scores, then ever finer grids about the best pair: each round
        keeps 0.6 of the range, until the last digits of the loss stand. Of given thresholds the
        three best on the first grid are kept.
        """
        given = None if levels is None else np.asarray(levels, dtype=float)
        tried = np.linspace(0, self.highest_density(), GRID) if given is None else given
        cuts = np.linspace(*self.score_range(), GRID if given is None else 10 * GRID)
        reach = np.ptp(tried) / 8, np.ptp(cuts) / 8
        if given is not None:
            least = self.loss(given, cuts, acceptance).min(axis=1)
            tried = given[np.argsort(least, kind="stable")[:NEAREST]]
        best = self._best(tried, cuts, acceptance)
        for _ in range(ROUNDS):
            if given is None:
                tried = np.linspace(max(best.theta_d - reach[0], 0), best.theta_d + reach[0], 9)
            cuts = np.linspace(best.theta_c - reach[1], best.theta_c + reach[1], 9)
            found = self._best(tried, cuts, acceptance)
            best = found if found.loss < best.loss else best
            reach = reach[0] * NARROWING, reach[1] * NARROWING
        return best

    def _best(self, levels: Floats, cuts: Floats, acceptance: Acceptance) -> KnownDesign:
        losses = self.loss(levels, cuts, acceptance)
        row, column = np.unravel_index(int(np.argmin(losses)), losses.shape)
        return self.design(levels[row], cuts[column], acceptance)

    def classifier_alone(self) -> float:
        """Return the threshold of least ``c_t1 eps_I + c_t2 eps_II`` without a detector.

        For the ratio it is ``ln(c_t2 / c_t1)`` (Bayes); for the difference it is found numerically.
        """
        if self.rule == "ratio":
            return float(np.log(self.costs[1] / self.costs[0]))
        cuts = np.linspace(*self.score_range(), 401)
        for _ in range(12):
            errors = self.rates([0.0], cuts)[:, 0]
            best = cuts[int(np.argmin(self.costs[0] * errors[0] + self.costs[1] * errors[1]))]
            cuts = np.linspace(best - (cuts[1] - cuts[0]), best + (cuts[1] - cuts[0]), 41)
        return float(best)

    def detector_alone(
        self, acceptance: Acceptance, cost: float, alarm: float, levels: ArrayLike | None = None
    ) -> float:
        """Return the threshold of least ``cost FN + alarm FP_r^o`` between targets and outliers.

        Parameters
        ----------
        acceptance : {"assigned", "either", "merged"}
            ``"assigned"`` without a classifier is ``"either"``: an object that is accepted for one
            class at all is accepted for the one that is more likely.
        cost, alarm : float
            Of missing a target, whichever of the two, and of accepting an outlier.
        levels : array_like of shape (m,), optional
            Thresholds to choose from; all when not given.
        """

        def least(levels: Floats) -> float:
            targets, alarms = self.detection_rates(levels, acceptance)
            return float(levels[int(np.argmin(cost * (1 - targets) + alarm * alarms))])

        if levels is not None:
            return least(np.asarray(levels, dtype=float))
        tried = np.linspace(0, self.highest_density(), 401)
        for _ in range(12):
            best, step = least(tried), tried[1] - tried[0]
            tried = np.linspace(max(best - step, 0), best + step, 41)
        return best

    def detector_at_equal_errors(
        self, acceptance: Acceptance, levels: ArrayLike | None = None
    ) -> float:
        """Return the threshold at which as many targets are missed as outliers accepted.

        Parameters
        ----------
        acceptance : {"assigned", "either", "merged"}
            As for `detector_alone`.
        levels : array_like of shape (m,), optional
            Thresholds to choose from: that with the least difference; all when not given.
        """
        if levels is not None:
            given = np.asarray(levels, dtype=float)
            targets, alarms = self.detection_rates(given, acceptance)
            return float(given[int(np.argmin(np.abs(1 - targets - alarms)))])

        def difference(level: float) -> float:
            targets, alarms = self.detection_rates(np.array([level]), acceptance)
            return float(1 - targets[0] - alarms[0])

        from scipy.optimize import brentq

        return float(brentq(difference, 0, self.highest_density(), xtol=1e-14))

    def loss_differences(
        self,
        second_costs: ArrayLike,
        outlier_costs: ArrayLike,
        *,
        density: Acceptance = "merged",
        thresholds: int = 401,
        shares: ArrayLike | None = None,
    ) -> Floats:
        """Return how much less the holistic design loses than the independent one, over costs.

        Parameters
        ----------
        second_costs : array_like of shape (a,)
            ``c_t2``, not negative; ``c_t1`` is that of the system.
        outlier_costs : array_like of shape (b,)
            ``c_o``, not negative.
        density : {"merged", "either"}
            What the detector of the independent design thresholds; its criterion is ``costs``, the
            system accepts by class, as in `independent`.
        thresholds : int
            Of either stage, evenly spaced; both designs are the best of the same grid.
        shares : array_like of shape (m,), optional
            Of rejected targets, at which the thresholds of the detector then lie instead.

        Returns
        -------
        ndarray of shape (a, b)
            Not negative.

        Raises
        ------
        ValueError
            For negative costs.

        Notes
        -----
        landgrebe2007, Sec. 6.2.2 and the right plot of Fig. 6.3. The rates do not depend on the
        costs and are computed once.
        """
        second, outlier = np.asarray(second_costs, float), np.asarray(outlier_costs, float)
        if not ((second >= 0).all() and (outlier >= 0).all()):
            raise ValueError("costs must not be negative")
        levels = np.linspace(0, self.highest_density(), thresholds)
        if shares is not None:
            levels = self.levels_rejecting(shares, density)
        rates = self.rates(levels, np.linspace(*self.score_range(), thresholds))
        detected, alarms = self.detection_rates(levels, density)
        differences = np.empty((len(second), len(outlier)))
        for (i, second_cost), (j, alarm) in product(enumerate(second), enumerate(outlier)):
            losses = np.tensordot([self.costs[0], second_cost, alarm], rates, axes=1)
            cut = np.argmin(self.costs[0] * rates[0, 0] + second_cost * rates[1, 0])
            level = np.argmin((self.costs[0] + second_cost) * (1 - detected) + alarm * alarms)
            differences[i, j] = losses[level, cut] - losses.min()
        return differences

    def independent(self, shares: ArrayLike | None = None) -> dict[str, KnownDesign]:
        """Return the designs of stages optimised one by one, under each criterion of the detector.

        Parameters
        ----------
        shares : array_like of shape (m,), optional
            Of rejected targets, at which the thresholds of the detector lie; all thresholds when
            not given.

        Returns
        -------
        dict of str to KnownDesign
            By name ``"<density>; <criterion>; <classifier>; <system>"``. Density of the detector:
            ``either`` or ``merged``, see `rates`. Criterion, for the merged target class ``w_t``:

            * ``costs``: ``c_t FN + c_o FP`` with ``c_t`` the sum of both costs (the same as their
              mean, and a prior of ``w_t`` twice that of ``w_o``);
            * ``costs and class priors``: the same with the prior of ``w_t`` twice that of ``w_o``;
            * ``mean cost``: with the mean of both costs, equal priors;
            * ``error``: ``FN + FP``;
            * ``error and class priors``: ``2 FN + FP``;
            * ``equal error``: ``FN = FP``.

            Classifier: ``costs`` for the least ``c_t1 eps_I + c_t2 eps_II`` over all targets (the
            ratio that this takes does not depend on which of them the detector lets pass) or
            ``error`` for the least ``eps_I + eps_II``.

            System: ``by stage`` when the system accepts as the detector did when it was designed,
            ``by class`` when its threshold is applied to the density of the class that the
            classifier gives the object to (Eq. 6.8).

        Notes
        -----
        landgrebe2007, Sec. 6.2.2: "the detector is optimised using w_t and w_o data only". The text
        says neither which density is thresholded nor what is minimised; these are its possible
        readings.
        """
        classifiers = {"costs": self.classifier_alone()}
        classifiers["error"] = replace(self, costs=(1.0, 1.0, self.costs[2])).classifier_alone()
        both, alarm = self.costs[0] + self.costs[1], self.costs[2]
        criteria = {
            "costs": (both, alarm),
            "costs and class priors": (2 * both, alarm),
            "mean cost": (both / 2, alarm),
            "error": (1.0, 1.0),
            "error and class priors": (2.0, 1.0),
        }
        densities: tuple[Acceptance, ...] = ("either", "merged")
        designs = {}
        among = {
            density: None if shares is None else self.levels_rejecting(shares, density)
            for density in densities
        }
        for density, name in product(densities, [*criteria, "equal error"]):
            if name == "equal error":
                theta_d = self.detector_at_equal_errors(density, among[density])
            else:
                theta_d = self.detector_alone(density, *criteria[name], levels=among[density])
            for classifier, theta_c in classifiers.items():
                label = f"{density}; {name}; {classifier}"
                designs[f"{label}; by stage"] = self.design(theta_d, theta_c, density)
                designs[f"{label}; by class"] = self.design(theta_d, theta_c)
        return designs


def published_example(rule: Rule = "ratio") -> KnownSystem:
    """Return the one-dimensional example of landgrebe2007, Sec. 6.2.2.

    Parameters
    ----------
    rule : {"ratio", "difference"}
        As in `KnownSystem`.

    Returns
    -------
    KnownSystem
        Gaussian targets with means -1.5 and 1.5 and variance 1.5; outliers of density 0.05, here
        from -10 to 10; costs 2, 3 and 10.

    Examples
    --------
    >>> round(published_example().holistic().loss, 6)
    4.016265
    """
    return KnownSystem(
        Gaussian(-1.5, 1.5), Gaussian(1.5, 1.5), Uniform(-10.0, 10.0), (2.0, 3.0, 10.0), rule
    )
