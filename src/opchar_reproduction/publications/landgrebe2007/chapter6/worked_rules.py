"""Rules, errors and loss of a two-stage system for known densities (Eqs. 6.1 to 6.10)."""

import numpy as np

from opchar.reject.analytic import span
from opchar.reject.two_stage.known_system import KnownSystem, published_example
from opchar_reproduction.results import Results
from opchar_reproduction.study import study

FINE = 400_001


@study("reject-worked-two-stages", kind="reject", basis="exact")
def worked_rules(
    *, points: list[list[float]] = [[0.01, 0.0], [0.05, 0.0], [0.05, -0.405], [0.13, 0.5]]
) -> Results:
    """Give errors and loss of the example of Sec. 6.2.2 at pairs of thresholds.

    `points`: Thresholds of the detector, on a density, and of the classifier.
    """
    results = Results()
    system = published_example()
    for theta_d, theta_c in points:
        row = f"theta_d = {theta_d:g}, theta_c = {theta_c:g}"
        found = system.design(theta_d, theta_c)
        columns = {
            "": (*found.errors, found.loss),
            ", integral": _integrate(system, theta_d, theta_c, reverse=False),
            ", Eq. 6.7 as printed": _integrate(system, theta_d, theta_c, reverse=True),
        }
        for suffix, values in columns.items():
            for name, value in zip(("eps_I", "eps_II", "FP_r^o", "L"), values, strict=True):
                unit = "loss" if name == "L" else "fraction"
                results.number("eq-6.8", row, name + suffix, float(value), unit=unit)
    return results


def _integrate(
    system: KnownSystem, theta_d: float, theta_c: float, *, reverse: bool
) -> tuple[float, ...]:
    """Return both errors, the false alarms and the loss by sums over a fine grid."""
    first, second, outlier = system.first, system.second, system.outlier
    x = np.linspace(*span(first, second), FINE)
    is_first = first.logpdf(x) - second.logpdf(x) >= theta_c
    is_first = ~is_first if reverse else is_first
    accepted = np.where(is_first, first.pdf(x), second.pdf(x)) > theta_d
    step = x[1] - x[0]
    errors = [
        1 - float((density.pdf(x) * (accepted & own)).sum() * step)
        for density, own in ((first, is_first), (second, ~is_first))
    ]
    errors.append(float((outlier.pdf(x) * accepted).sum() * step))
    return (*errors, float(np.dot(system.costs, errors)))
