"""What Boolean combination does to rates when only the rates of the two classifiers are known.

soleymani2020, Appendix A. Forms that are wrong in print stand here corrected.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from opchar.arguments import probabilities
from opchar.combination.functions import combine


class Range(NamedTuple):
    """Lowest and highest value that a rate can take."""

    low: np.ndarray
    high: np.ndarray


def independent(function: str, rate_i: Any, rate_j: Any) -> Any:
    """Return a rate of the combination of two conditionally independent classifiers.

    `rate_i`, `rate_j`: TPR of both, or FPR of both, in [0, 1].

    soleymani2020, Eqs. A.1-A.4 for AND and OR; the other eight follow in the same way.
    """
    return combine(function, rate_i, rate_j, np.multiply(rate_i, rate_j))


def dependent(function: str, rate_i: Any, rate_j: Any, dependence: str = "positive") -> Range:
    """Return the range of a rate of the combination of two dependent classifiers.

    `rate_i`, `rate_j`: TPR of both, or FPR of both, in [0, 1].

    soleymani2020, Eqs. A.9-A.13. The second line of Eq. A.9 is corrected to ``min(FPR_i, FPR_j)``,
    as the text before it gives: ``FPR_i + FPR_j - 1 + min(1 - FPR_i, 1 - FPR_j)``; all inequalities
    hold with equality too.
    """
    a, b = probabilities(rate_i, "rate_i"), probabilities(rate_j, "rate_j")
    if dependence == "positive":
        least = a * b
    elif dependence == "any":
        least = np.maximum(a + b - 1, 0)
    else:
        raise ValueError(f"dependence must be 'positive' or 'any', not {dependence!r}")
    ends = [combine(function, a, b, both) for both in (least, np.minimum(a, b))]
    return Range(np.minimum(*ends), np.maximum(*ends))


def prior_crossing(tpr_c: Any, fpr_c: Any, tpr_i: Any, fpr_i: Any, m: float) -> np.ndarray:
    """Return the P(+) at which a combination costs as much as one of its classifiers.

    soleymani2020, Eqs. A.5 and A.6 with the printed factor (1 - m)/m, which belongs to P(+).
    """
    if not 0 < m <= 1:
        raise ValueError(f"m must be in (0, 1], not {m}")
    rates = [probabilities(rate, "rates") for rate in (tpr_c, fpr_c, tpr_i, fpr_i)]
    return _share(m * (rates[3] - rates[1]), (1 - m) * (rates[2] - rates[0]))


def _share(part: Any, rest: Any) -> np.ndarray:
    whole = np.add(part, rest)
    return np.divide(part, whole, out=np.full(np.shape(whole), np.nan), where=whole != 0)
