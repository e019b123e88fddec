"""The loss of a weighted classifier, with and without the weights in it (thesis, Sec. 3.2.4)."""

import numpy as np

from opchar.multiclass.gaussians import Floats, confusion_rates
from opchar.multiclass.weight_grids import weight_grid
from opchar_reproduction.results import Results
from opchar_reproduction.study import study

ARTEFACT = "eq-3.7"


def losses(rates: Floats, weights: Floats | None = None) -> Floats:
    """Return the loss of operating points at equal priors and unit costs of all errors.

    Shapes: `rates` (n, C, C); `weights` (n, C); returned (n,).

    Returned: ``sum_i pi_i sum_j!=i xi_ij``, or with ``phi_i`` before it (landgrebe2007, Eq. 3.7).
    """
    missed = 1 - np.diagonal(rates, axis1=1, axis2=2)
    factors = np.ones_like(missed) if weights is None else np.asarray(weights, dtype=float)
    return np.asarray((factors * missed).mean(axis=1))


@study("system-loss", kind="vus", basis="illustration")
def system_loss(
    *,
    means: list[float] = [-6.0, -3.0, 0.0, 6.0, 9.0],
    weightings: list[list[float]] = [
        [1.0, 1.0, 1.0, 1.0, 1.0],
        [10.0, 10.0, 10.0, 10.0, 10.0],
        [1.0, 2.0, 1.0, 1.0, 0.5],
    ],
    r: int = 13,
    weights: list[float] = [0.001, 1000.0],
    two_means: list[float] = [0.0, 2.0],
    phis: list[float] = [0.1, 0.5, 0.9],
) -> Results:
    """Losses and two-class rates of known Gaussian classes, as meant and as printed (3.2.4).

    `means`: Means of the unit-variance classes of the loss.
    `r`: Steps a weight of the search for the lowest loss.
    `two_means`: Means of the two unit-variance classes of Eq. 3.8.
    `phis`: Weights phi of the first of the two, in (0, 1).
    """
    results = Results()
    chosen = np.array(weightings, dtype=float)
    rates = confusion_rates(means, 1.0, chosen)
    for phi, plain, printed in zip(chosen, losses(rates), losses(rates, chosen), strict=True):
        row = "Phi = [" + ", ".join(f"{value:g}" for value in phi) + "]"
        results.number(ARTEFACT, row, "loss", plain, unit="loss")
        results.number(ARTEFACT, row, "loss as printed", printed, unit="loss")
    grid = weight_grid(len(means), r, weights[0], weights[1])
    every = confusion_rates(means, 1.0, grid)
    plain, printed = losses(every), losses(every, grid)
    for name, index in (("loss", int(plain.argmin())), ("loss as printed", int(printed.argmin()))):
        row = f"where the {name} is lowest"
        results.number(ARTEFACT, row, "loss", plain[index], unit="loss")
        results.number(ARTEFACT, row, "loss as printed", printed[index], unit="loss")
    pairs = confusion_rates(two_means, 1.0, [[phi, 1 - phi] for phi in phis])
    for phi, two in zip(phis, pairs, strict=True):
        for name, rate in (("xi_{1,2}", two[0, 1]), ("xi_{2,1}", two[1, 0])):
            row = f"two classes, phi = {phi:g}"
            results.number(ARTEFACT, row, name, rate, unit="rate")
            results.number(ARTEFACT, row, f"{name} as printed", phi * rate / 2, unit="rate")
    return results
