"""Indices of a whole multi-class matrix (mullick2020, Definitions 6 and 7), over stacks.

Matrices are (..., C, C) with one row for each true class; a class without test samples gives NaN,
which the work leaves out.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from opchar.metrics.counts import Array, as_matrices, class_rates, one_vs_rest, ratio


def class_accuracies(matrices: ArrayLike) -> Array:
    """Return the recall of each class.

    Parameters
    ----------
    matrices : array_like, shape (..., C, C)
        Confusion matrices, rows are true classes.

    Returns
    -------
    numpy.ndarray, shape (..., C)
        ``m_ii / n_i``; NaN for a class without samples.
    """
    counts = one_vs_rest(matrices)
    return ratio(counts.tp, counts.tp + counts.fn)


def overall_accuracy(matrices: ArrayLike) -> Array:
    """Return the trace over the sum, shape (...) (tharwat2018, slide 40).

    Parameters
    ----------
    matrices : array_like, shape (..., C, C)
        Confusion matrices, rows are true classes.

    Returns
    -------
    numpy.ndarray, shape (...)
        In [0, 1].
    """
    stack = as_matrices(matrices)
    return ratio(np.einsum("...ii->...", stack), np.einsum("...ij->...", stack))


def kappa(matrices: ArrayLike) -> Array:
    """Return Cohen's kappa, shape (...) (Educational and Psychological Measurement 20, 1960).

    Parameters
    ----------
    matrices : array_like, shape (..., C, C)
        Confusion matrices, rows are true classes.

    Returns
    -------
    numpy.ndarray, shape (...)
        At most 1; NaN where all objects are of one class and given to it.
    """
    stack = as_matrices(matrices)
    # Divided by one power of two, products are numbers of the machine.
    exponent = np.frexp(np.einsum("...ij->...", stack))[1]
    tp, fn, fp, tn = one_vs_rest(np.ldexp(stack, -exponent[..., None, None]))
    return ratio((tp * tn - fn * fp).sum(axis=-1), ((tp + fn) * (fn + tn)).sum(axis=-1))


def overall_error(matrices: ArrayLike) -> Array:
    """Return 1 - overall accuracy, shape (...).

    Parameters
    ----------
    matrices : array_like, shape (..., C, C)
        Confusion matrices, rows are true classes.

    Returns
    -------
    numpy.ndarray, shape (...)
        In [0, 1].
    """
    return 1 - overall_accuracy(matrices)


def acsa(matrices: ArrayLike) -> Array:
    """Return the average class-specific accuracy, shape (...) (mullick2020, Eq. 11).

    Parameters
    ----------
    matrices : array_like, shape (..., C, C)
        Confusion matrices, rows are true classes.

    Returns
    -------
    numpy.ndarray, shape (...)
        In [0, 1].
    """
    return _mean(class_accuracies(matrices))


def g_mean_multiclass(matrices: ArrayLike) -> Array:
    """Return the geometric mean of the class accuracies, shape (...) (mullick2020, Eq. 10).

    Parameters
    ----------
    matrices : array_like, shape (..., C, C)
        Confusion matrices, rows are true classes.

    Returns
    -------
    numpy.ndarray, shape (...)
        In [0, 1].
    """
    accuracies = class_accuracies(matrices)
    return accuracies.prod(axis=-1) ** (1 / accuracies.shape[-1])


def auroc_ovo(matrices: ArrayLike) -> Array:
    """Return the one-versus-one AUROC, shape (...) (mullick2020, Eq. 12).

    Parameters
    ----------
    matrices : array_like, shape (..., C, C)
        Confusion matrices, rows are true classes.

    Returns
    -------
    numpy.ndarray, shape (...)
        In [0, 1].
    """
    stack = as_matrices(matrices)
    classes = stack.shape[-1]
    rates = class_rates(stack)
    right = np.einsum("...ii->...i", rates)
    taken = np.einsum("...ij->...j", rates) - right
    return _mean(1 + right - taken / (classes - 1)) / 2


def auroc_ova(matrices: ArrayLike) -> Array:
    """Return the one-versus-all AUROC, shape (...) (mullick2020, Eq. 13).

    Parameters
    ----------
    matrices : array_like, shape (..., C, C)
        Confusion matrices, rows are true classes.

    Returns
    -------
    numpy.ndarray, shape (...)
        In [0, 1].
    """
    counts = one_vs_rest(matrices)
    recall = ratio(counts.tp, counts.tp + counts.fn)
    return _mean(1 + recall - ratio(counts.fp, counts.fp + counts.tn)) / 2


def normalised_auroc_ova(matrices: ArrayLike) -> Array:
    """Return nAUROC-OVA, rescaled from its weak lower limit (C-2)/(2C) (mullick2020, Sec. 4).

    Parameters
    ----------
    matrices : array_like, shape (..., C, C)
        Confusion matrices, rows are true classes.

    Returns
    -------
    numpy.ndarray, shape (...)
        In [0, 1].
    """
    classes = as_matrices(matrices).shape[-1]
    lowest = (classes - 2) / (2 * classes)
    return (auroc_ova(matrices) - lowest) / (1 - lowest)


def aurpc_ova(matrices: ArrayLike, zero_division: float = np.nan) -> Array:
    """Return the one-versus-all AUPRC, shape (...) (mullick2020, Eq. 14, AURPC-OVA).

    `zero_division` is the precision of a class that no sample is predicted as: the work leaves
    ``m_ii / k_i`` open there.

    Parameters
    ----------
    matrices : array_like, shape (..., C, C)
        Confusion matrices, rows are true classes.
    zero_division : float
        Precision for 0/0.

    Returns
    -------
    numpy.ndarray, shape (...)
        In [0, 1].
    """
    counts = one_vs_rest(matrices)
    recall = ratio(counts.tp, counts.tp + counts.fn)
    return _mean(ratio(counts.tp, counts.tp + counts.fp, zero_division) + recall) / 2


def m_aurpc_ova(matrices: ArrayLike, zero_division: float = np.nan) -> Array:
    """Return one-versus-all AUPRC, columns scaled by class sizes (mullick2020, Eq. 25, mAURPC-OVA).

    `zero_division` is the precision of a class that no sample is predicted as.

    Parameters
    ----------
    matrices : array_like, shape (..., C, C)
        Confusion matrices, rows are true classes.
    zero_division : float
        Precision for 0/0.

    Returns
    -------
    numpy.ndarray, shape (...)
        In [0, 1].
    """
    stack = as_matrices(matrices)
    rates = class_rates(stack)
    recall = np.einsum("...ii->...i", rates)
    return _mean(ratio(recall, np.einsum("...ij->...j", rates), zero_division) + recall) / 2


def _mean(values: Array) -> Array:
    """Return the mean over the classes, the last axis."""
    return np.einsum("...i->...", values) / values.shape[-1]
