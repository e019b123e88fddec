"""Indices that combine rates of both classes, or of both kinds of prediction.

Every function takes ``tp, fn, fp, tn`` (array_like, broadcast together) and returns an array of
their common shape, with NaN for 0/0. Slides belong to tharwat2018.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from opchar.arguments import counts
from opchar.metrics.counts import Array, in_common_shape, ratio, scaled_counts
from opchar.metrics.indices.rates import (
    accuracy,
    diagnostic_odds_ratio,
    fpr,
    npv,
    precision,
    tnr,
    tpr,
)


def youden(tp: ArrayLike, fn: ArrayLike, fp: ArrayLike, tn: ArrayLike) -> Array:
    """Return Youden's index, TPR + TNR - 1, also bookmaker informedness (slide 21).

    Returns
    -------
    numpy.ndarray
        In [-1, 1] (the tutorial says [0, 1], which holds from chance level up only).
    """
    return tpr(tp, fn, fp, tn) + tnr(tp, fn, fp, tn) - 1


def mcc(tp: ArrayLike, fn: ArrayLike, fp: ArrayLike, tn: ArrayLike) -> Array:
    """Return Matthews' correlation of truth and prediction (slide 22, first form).

    Returns
    -------
    numpy.ndarray
        In [-1, 1]; NaN for 0/0.
    """
    tp, fn, fp, tn = scaled_counts(tp, fn, fp, tn)
    spread = np.sqrt((tp + fp) * (tn + fn)) * np.sqrt((tp + fn) * (tn + fp))
    return ratio(tp * tn - fp * fn, spread)


def discriminant_power(tp: ArrayLike, fn: ArrayLike, fp: ArrayLike, tn: ArrayLike) -> Array:
    """Return DP = sqrt(3)/pi ln(DOR) (slide 23).

    The slide's sum of logarithms ``log(TPR/(1-TNR)) + log(TNR/(1-TPR))`` is the logarithm of the
    diagnostic odds ratio. Its base is left open; with the natural one, DP is the distance of two
    logistic score distributions in standard deviations (pycm takes base 10). Infinite for a
    separation without errors, or with nothing but errors.

    Returns
    -------
    numpy.ndarray
        Any number; NaN for 0/0.
    """
    with np.errstate(divide="ignore"):
        return np.sqrt(3) / np.pi * np.log(diagnostic_odds_ratio(tp, fn, fp, tn))


def f_beta(tp: ArrayLike, fn: ArrayLike, fp: ArrayLike, tn: ArrayLike, beta: float = 1.0) -> Array:
    """Return the weighted harmonic mean of precision and recall (slide 25; soleymani2020, Eq. 5).

    Parameters
    ----------
    tp, fn, fp, tn : array_like
        Counts; `tn` takes no part but in the shape.
    beta : float
        Recall counts `beta` times as much as precision; 1 gives F1. Not negative.

    Returns
    -------
    numpy.ndarray
        In [0, 1]; NaN only where there is neither a positive sample nor a positive prediction.

    Raises
    ------
    ValueError
        When `beta` is negative.
    """
    if beta < 0:
        raise ValueError(f"beta must not be negative, not {beta}")
    return f_alpha(tp, fn, fp, tn, 1 / (1 + beta * beta))


def f1(tp: ArrayLike, fn: ArrayLike, fp: ArrayLike, tn: ArrayLike) -> Array:
    """Return the harmonic mean of precision and recall, 2 TP / (2 TP + FP + FN) (slide 24).

    Returns
    -------
    numpy.ndarray
        In [0, 1]; NaN for 0/0.
    """
    return f_beta(tp, fn, fp, tn, 1.0)


def f_alpha(
    tp: ArrayLike, fn: ArrayLike, fp: ArrayLike, tn: ArrayLike, alpha: float = 0.5
) -> Array:
    """Return the F-measure with weight `alpha` on precision (soleymani2020, Eq. 3).

    Parameters
    ----------
    tp, fn, fp, tn : array_like
        Counts; `tn` takes no part but in the shape.
    alpha : float
        In [0, 1]: 0 gives recall, 1 precision; ``alpha = 1 / (1 + beta**2)``.

    Returns
    -------
    numpy.ndarray
        In [0, 1].

    Raises
    ------
    ValueError
        When `alpha` is outside [0, 1].
    """
    if not 0 <= alpha <= 1:
        raise ValueError(f"alpha must lie in [0, 1], not {alpha}")
    hits = in_common_shape(tp, tn)
    misses = (1 - alpha) * counts(fn)
    return ratio(hits, hits + misses + alpha * counts(fp))


def adjusted_f(tp: ArrayLike, fn: ArrayLike, fp: ArrayLike, tn: ArrayLike) -> Array:
    """Return AGF, the geometric mean of F2 and of F0.5 with the classes switched (slide 26).

    Returns
    -------
    numpy.ndarray
        In [0, 1]; NaN for 0/0.
    """
    return np.sqrt(f_beta(tp, fn, fp, tn, 2.0) * f_beta(tn, fp, fn, tp, 0.5))


def markedness(tp: ArrayLike, fn: ArrayLike, fp: ArrayLike, tn: ArrayLike) -> Array:
    """Return MK = precision + npv - 1 (slide 27).

    Returns
    -------
    numpy.ndarray
        In [-1, 1]; NaN for 0/0.
    """
    return precision(tp, fn, fp, tn) + npv(tp, fn, fp, tn) - 1


def balanced_accuracy(tp: ArrayLike, fn: ArrayLike, fp: ArrayLike, tn: ArrayLike) -> Array:
    """Return the mean of TPR and TNR (slide 28), the one-threshold AUROC of mullick2020, Def. 4.

    Returns
    -------
    numpy.ndarray
        In [0, 1]; NaN for 0/0.
    """
    return (tpr(tp, fn, fp, tn) + tnr(tp, fn, fp, tn)) / 2


def balanced_error_rate(tp: ArrayLike, fn: ArrayLike, fp: ArrayLike, tn: ArrayLike) -> Array:
    """Return 1 - balanced accuracy, also half total error rate (slide 28).

    Returns
    -------
    numpy.ndarray
        In [0, 1]; NaN for 0/0.
    """
    return 1 - balanced_accuracy(tp, fn, fp, tn)


def g_mean(tp: ArrayLike, fn: ArrayLike, fp: ArrayLike, tn: ArrayLike) -> Array:
    """Return the geometric mean of TPR and TNR (slide 29; mullick2020, Eq. 2).

    Returns
    -------
    numpy.ndarray
        In [0, 1]; NaN for 0/0.
    """
    return np.sqrt(tpr(tp, fn, fp, tn) * tnr(tp, fn, fp, tn))


def adjusted_g_mean(
    tp: ArrayLike, fn: ArrayLike, fp: ArrayLike, tn: ArrayLike, by_proportion: bool = False
) -> Array:
    """Return AGM = (GM + TNR N) / (1 + N), and 0 where TPR = 0 (slide 29).

    Parameters
    ----------
    tp, fn, fp, tn : array_like
        Counts.
    by_proportion : bool
        The tutorial's N is the number of negatives, so AGM tends to TNR on any larger sample. With
        True, N is their proportion, as the index was first proposed and as pycm computes it.

    Returns
    -------
    numpy.ndarray
        In [0, 1].
    """
    negatives = counts(fp) + counts(tn)
    if by_proportion:
        negatives = ratio(negatives, negatives + tp + np.asarray(fn, np.float64))
    sensitivity, specificity = tpr(tp, fn, fp, tn), tnr(tp, fn, fp, tn)
    mean = ratio(np.sqrt(sensitivity * specificity) + specificity * negatives, 1 + negatives)
    return np.where(sensitivity == 0, 0.0, mean)


def optimisation_precision(tp: ArrayLike, fn: ArrayLike, fp: ArrayLike, tn: ArrayLike) -> Array:
    """Return OP = accuracy - abs(TPR - TNR) / (TPR + TNR) (slide 31); NaN where both are 0.

    Returns
    -------
    numpy.ndarray
        In [-1, 1]; NaN for 0/0.
    """
    sensitivity, specificity = tpr(tp, fn, fp, tn), tnr(tp, fn, fp, tn)
    imbalance = ratio(np.abs(sensitivity - specificity), sensitivity + specificity)
    return accuracy(tp, fn, fp, tn) - imbalance


def jaccard(tp: ArrayLike, fn: ArrayLike, fp: ArrayLike, tn: ArrayLike) -> Array:
    """Return TP / (TP + FP + FN), also Tanimoto's coefficient (slide 32).

    Returns
    -------
    numpy.ndarray
        In [0, 1]; NaN for 0/0.
    """
    hits = in_common_shape(tp, tn)
    return ratio(hits, hits + counts(fp) + counts(fn))


def aurpc(
    tp: ArrayLike, fn: ArrayLike, fp: ArrayLike, tn: ArrayLike, zero_division: float = np.nan
) -> Array:
    """Return one-threshold AUPRC, the mean of recall and precision (mullick2020, Eq. 5, AURPC).

    `zero_division` is the precision where nothing is called positive.

    Parameters
    ----------
    zero_division : float
        Value for 0/0.

    Returns
    -------
    numpy.ndarray
        In [0, 1]; NaN for 0/0.
    """
    return (tpr(tp, fn, fp, tn) + precision(tp, fn, fp, tn, zero_division)) / 2


def m_precision(
    tp: ArrayLike, fn: ArrayLike, fp: ArrayLike, tn: ArrayLike, zero_division: float = np.nan
) -> Array:
    """Return precision at equal priors, TPR / (TPR + FPR) (mullick2020, Eq. 8).

    `zero_division` is its value where nothing is called positive.

    Parameters
    ----------
    zero_division : float
        Value for 0/0.

    Returns
    -------
    numpy.ndarray
        In [0, 1]; NaN for 0/0.
    """
    recall = tpr(tp, fn, fp, tn)
    return ratio(recall, recall + fpr(tp, fn, fp, tn), zero_division)


def m_aurpc(
    tp: ArrayLike, fn: ArrayLike, fp: ArrayLike, tn: ArrayLike, zero_division: float = np.nan
) -> Array:
    """Return the mean of recall and mPrecision (mullick2020, Eq. 9).

    `zero_division` is mPrecision where nothing is called positive.

    Parameters
    ----------
    zero_division : float
        Value for 0/0.

    Returns
    -------
    numpy.ndarray
        In [0, 1]; NaN for 0/0.
    """
    return (tpr(tp, fn, fp, tn) + m_precision(tp, fn, fp, tn, zero_division)) / 2
