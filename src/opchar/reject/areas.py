"""Areas under risk over coverage: one number for how well a confidence tells errors."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from opchar.reject.label_curve import RejectCurve, reject_curve


def aurc(
    y_true: ArrayLike,
    y_proba: ArrayLike,
    *,
    labels: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    confidence: ArrayLike | None = None,
) -> float:
    """Return the area under the risk-coverage curve: the mean error of the accepted objects.

    Parameters
    ----------
    y_true, y_proba, labels, sample_weight, confidence
        See `opchar.reject.label_curve.reject_curve`.

    Returns
    -------
    float
        In [0, 1]: the mean, over objects, of the error rate among those at least as confident.
        Objects of equal confidence are accepted together; whole weights give what repeated objects
        give.

    Raises
    ------
    ValueError
        As `reject_curve`.

    References
    ----------
    Geifman, Uziel and El-Yaniv, International Conference on Learning Representations, 2019.

    Examples
    --------
    >>> round(aurc(["a", "b", "b"], [[0.9, 0.1], [0.6, 0.4], [0.2, 0.8]]), 4)
    0.1111
    """
    curve = _curve(y_true, y_proba, labels, sample_weight, confidence)
    share = np.diff(np.append(curve.rejected, 1.0))
    # Sums of weights round: to more than one, or to no accepted object where few weigh anything.
    return min(float(share @ np.nan_to_num(curve.error_of_accepted)), 1.0)


def augrc(
    y_true: ArrayLike,
    y_proba: ArrayLike,
    *,
    labels: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    confidence: ArrayLike | None = None,
) -> float:
    """Return the area under the generalised risk-coverage curve.

    Parameters
    ----------
    y_true, y_proba, labels, sample_weight, confidence
        See `opchar.reject.label_curve.reject_curve`.

    Returns
    -------
    float
        In [0, 0.5]: the area under the share of all objects that are accepted and wrong, over the
        share accepted, straight where objects have equal confidence. With the accuracy ``a`` and
        the AUC of the confidence for being right it is ``(1 - AUC) a (1 - a) + (1 - a)**2 / 2``.

    Raises
    ------
    ValueError
        As `reject_curve`.

    References
    ----------
    Traub, Bungert, Lueth, Baumgartner, Maier-Hein, Maier-Hein and Jaeger, Advances in Neural
    Information Processing Systems 37, 2024.

    Examples
    --------
    >>> round(augrc(["a", "b", "b"], [[0.9, 0.1], [0.6, 0.4], [0.2, 0.8]]), 4)
    0.0556
    """
    curve = _curve(y_true, y_proba, labels, sample_weight, confidence)
    accepted, error = np.append(1 - curve.rejected, 0.0), np.append(curve.error, 0.0)
    return min(float(np.trapezoid(error[::-1], accepted[::-1])), 0.5)


def _curve(
    y_true: ArrayLike,
    y_proba: ArrayLike,
    labels: ArrayLike | None,
    sample_weight: ArrayLike | None,
    confidence: ArrayLike | None,
) -> RejectCurve:
    given = {"labels": labels, "sample_weight": sample_weight, "confidence": confidence}
    found = reject_curve(y_true, y_proba, **given)
    return RejectCurve(*(np.asarray(getattr(found, name)) for name in RejectCurve._fields))
