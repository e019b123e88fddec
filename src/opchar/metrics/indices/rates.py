"""Indices that are one quotient of counts, and the likelihood ratios made of them.

Every function takes ``tp, fn, fp, tn`` (array_like, broadcast together) and returns an array of
their common shape, with NaN for 0/0. A negative count is a `ValueError`. Slides belong to
tharwat2018.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from opchar.arguments import counts
from opchar.metrics.counts import Array, in_common_shape, ratio, scaled_counts


def _add(*parts: ArrayLike) -> Array:
    return np.add.reduce(np.broadcast_arrays(*map(counts, parts)))


def accuracy(tp: ArrayLike, fn: ArrayLike, fp: ArrayLike, tn: ArrayLike) -> Array:
    """Return the fraction of right decisions (slide 13).

    Returns
    -------
    numpy.ndarray
        In [0, 1]; NaN where there is no sample.
    """
    return ratio(_add(tp, tn), _add(tp, fn, fp, tn))


def error_rate(tp: ArrayLike, fn: ArrayLike, fp: ArrayLike, tn: ArrayLike) -> Array:
    """Return the fraction of wrong decisions, 1 - accuracy (slide 13; landgrebe2007, 2.3.2).

    Returns
    -------
    numpy.ndarray
        In [0, 1]; NaN for 0/0.
    """
    return ratio(_add(fp, fn), _add(tp, fn, fp, tn))


def tpr(tp: ArrayLike, fn: ArrayLike, fp: ArrayLike, tn: ArrayLike) -> Array:
    """Return the true positive rate, also sensitivity, recall or hit rate (slide 14).

    Returns
    -------
    numpy.ndarray
        In [0, 1]; NaN for 0/0.
    """
    return ratio(in_common_shape(tp, fp, tn), _add(tp, fn))


def tnr(tp: ArrayLike, fn: ArrayLike, fp: ArrayLike, tn: ArrayLike) -> Array:
    """Return the true negative rate, also specificity or inverse recall (slide 14).

    Returns
    -------
    numpy.ndarray
        In [0, 1]; NaN for 0/0.
    """
    return ratio(in_common_shape(tn, tp, fn), _add(tn, fp))


def fpr(tp: ArrayLike, fn: ArrayLike, fp: ArrayLike, tn: ArrayLike) -> Array:
    """Return the false positive rate, also fall-out or false acceptance rate (slides 16, 70).

    Returns
    -------
    numpy.ndarray
        In [0, 1]; NaN for 0/0.
    """
    return ratio(in_common_shape(fp, tp, fn), _add(tn, fp))


def fnr(tp: ArrayLike, fn: ArrayLike, fp: ArrayLike, tn: ArrayLike) -> Array:
    """Return the false negative rate, also miss rate or false rejection rate (slides 16, 71).

    Returns
    -------
    numpy.ndarray
        In [0, 1]; NaN for 0/0.
    """
    return ratio(in_common_shape(fn, fp, tn), _add(tp, fn))


def precision(
    tp: ArrayLike, fn: ArrayLike, fp: ArrayLike, tn: ArrayLike, zero_division: float = np.nan
) -> Array:
    """Return the positive predictive value (slide 17; soleymani2020, Eq. 2).

    It is `zero_division` where nothing is called positive; the first point of a precision-recall
    curve has a rule of its own (slide 66), which belongs to the curve.

    Parameters
    ----------
    zero_division : float
        Value for 0/0.

    Returns
    -------
    numpy.ndarray
        In [0, 1]; NaN for 0/0.
    """
    return ratio(in_common_shape(tp, fn, tn), _add(tp, fp), zero_division)


def npv(tp: ArrayLike, fn: ArrayLike, fp: ArrayLike, tn: ArrayLike) -> Array:
    """Return the negative predictive value, also inverse precision (slide 17).

    Returns
    -------
    numpy.ndarray
        In [0, 1]; NaN for 0/0.
    """
    return ratio(in_common_shape(tn, tp, fp), _add(tn, fn))


def false_discovery_rate(tp: ArrayLike, fn: ArrayLike, fp: ArrayLike, tn: ArrayLike) -> Array:
    """Return the wrong part of what is called positive, 1 - precision (slide 17).

    Returns
    -------
    numpy.ndarray
        In [0, 1]; NaN for 0/0.
    """
    return ratio(in_common_shape(fp, fn, tn), _add(tp, fp))


def false_omission_rate(tp: ArrayLike, fn: ArrayLike, fp: ArrayLike, tn: ArrayLike) -> Array:
    """Return the wrong part of what is called negative, 1 - npv (slide 17).

    Returns
    -------
    numpy.ndarray
        In [0, 1]; NaN for 0/0.
    """
    return ratio(in_common_shape(fn, tp, fp), _add(tn, fn))


def posfrac(tp: ArrayLike, fn: ArrayLike, fp: ArrayLike, tn: ArrayLike) -> Array:
    """Return the fraction of all samples that is called positive (landgrebe2007, 2.3.2).

    Returns
    -------
    numpy.ndarray
        In [0, 1]; NaN for 0/0.
    """
    return ratio(_add(tp, fp), _add(tp, fn, fp, tn))


def positive_likelihood(tp: ArrayLike, fn: ArrayLike, fp: ArrayLike, tn: ArrayLike) -> Array:
    """Return LR+ = TPR / FPR (slide 19); infinite where FPR = 0 < TPR.

    Returns
    -------
    numpy.ndarray
        Not negative; NaN for 0/0.
    """
    return ratio(tpr(tp, fn, fp, tn), fpr(tp, fn, fp, tn))


def negative_likelihood(tp: ArrayLike, fn: ArrayLike, fp: ArrayLike, tn: ArrayLike) -> Array:
    """Return LR- = FNR / TNR (slide 19); infinite where TNR = 0 < FNR.

    Returns
    -------
    numpy.ndarray
        Not negative; NaN for 0/0.
    """
    return ratio(fnr(tp, fn, fp, tn), tnr(tp, fn, fp, tn))


def diagnostic_odds_ratio(tp: ArrayLike, fn: ArrayLike, fp: ArrayLike, tn: ArrayLike) -> Array:
    """Return DOR = LR+ / LR- = TP TN / (FP FN) (slide 20); infinite where FP FN = 0 < TP TN.

    Returns
    -------
    numpy.ndarray
        Not negative; NaN for 0/0.
    """
    tp, fn, fp, tn = scaled_counts(tp, fn, fp, tn)
    return ratio(tp * tn, fp * fn)
