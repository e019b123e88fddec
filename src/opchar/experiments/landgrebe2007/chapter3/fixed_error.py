"""One error fixed on a two-class ROC (Sec. 3.2.4, Figure 3.4)."""

from __future__ import annotations

import numpy as np
from scipy.special import ndtri

from opchar.multiclass.gaussians import threshold_rates
from opchar.results import Results

UNSTATED = "two Gaussian classes; the work names neither data nor classifier"


def fixed_false_negatives(*, means: list[float], alpha: float, nodes: int) -> Results:
    """Read the false positive rate at a fixed false negative rate from a two-class ROC (3.2.4).

    Parameters
    ----------
    means : list of float
        Means of the two unit-variance classes, ascending.
    alpha : float
        The false negative rate xi_{1,2}.
    nodes : int
        Points of the curve.

    Returns
    -------
    Results
        Lines of figure-3.4; curve ``roc``.
    """
    results = Results()
    share = np.linspace(0, 1, nodes)
    recognised = threshold_rates(means, (means[0] - ndtri(share))[:, None])
    results.curve("roc", {"xi_12": share, "xi_21": 1 - recognised[:, 1]})
    at_alpha = threshold_rates(means, [[means[0] - ndtri(alpha)]])[0]
    results.number(
        "figure-3.4",
        f"xi_{{1,2}} fixed at {alpha:.2%}",
        "xi_{2,1}",
        100 * (1 - at_alpha[1]),
        unit="%",
        data=UNSTATED,
        note=f"unit-variance classes at {means[0]:g} and {means[1]:g}",
    )
    return results
