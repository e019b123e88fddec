"""The indices of mullick2020 by the symbols of the work."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from opchar.metrics.conditions import MatrixIndex, of_two_classes
from opchar.metrics.conditions.closed_forms import lowest_auroc_ovo
from opchar.metrics.conditions.verdicts import with_zero_division
from opchar.metrics.indices.composite import aurpc, balanced_accuracy, g_mean, m_aurpc, m_precision
from opchar.metrics.indices.multiclass import (
    acsa,
    auroc_ova,
    auroc_ovo,
    aurpc_ova,
    g_mean_multiclass,
    m_aurpc_ova,
    normalised_auroc_ova,
)
from opchar.metrics.indices.rates import precision, tpr

TWO_CLASS: dict[str, MatrixIndex] = {
    "Recall": of_two_classes(tpr),
    "GMean": of_two_classes(g_mean),
    "AUROC": of_two_classes(balanced_accuracy),
    "Precision": of_two_classes(precision),
    "AURPC": of_two_classes(aurpc),
    "mPrecision": of_two_classes(m_precision),
    "mAURPC": of_two_classes(m_aurpc),
}


def normalised_auroc_ovo(matrices: Any) -> Any:
    """Return AUROC-OVO without its bias and over its coefficient (mullick2020, Sec. 4).

    Shapes: `matrices` (..., C, C); returned (...).
    """
    classes = np.shape(matrices)[-1]
    bias = float(lowest_auroc_ovo(classes))
    return (auroc_ovo(matrices) - bias) * 2 * (classes - 1) / classes


MULTI_CLASS: dict[str, MatrixIndex] = {
    "GMean": g_mean_multiclass,
    "ACSA": acsa,
    "AUROC-OVO": auroc_ovo,
    "AUROC-OVA": auroc_ova,
    "AURPC-OVA": aurpc_ova,
    "mAURPC-OVA": m_aurpc_ova,
    "nAUROC-OVO": normalised_auroc_ovo,
    "nAUROC-OVA": normalised_auroc_ova,
}


def replace_zero_division(
    indices: Mapping[str, MatrixIndex], zero_division: float | None
) -> dict[str, MatrixIndex]:
    """Return indices with a value for 0/0."""
    value = np.nan if zero_division is None else zero_division
    return {name: with_zero_division(index, value) for name, index in indices.items()}
