"""The indices of the tutorial by its names (tharwat2018, slides 13 to 33)."""

from collections.abc import Callable
from typing import Any

from opchar.metrics.indices import composite, rates

INDICES: dict[str, Callable[..., Any]] = {
    "Acc": rates.accuracy,
    "Err": rates.error_rate,
    "TPR": rates.tpr,
    "TNR": rates.tnr,
    "FPR": rates.fpr,
    "FNR": rates.fnr,
    "PPV": rates.precision,
    "NPV": rates.npv,
    "FDR": rates.false_discovery_rate,
    "FOR": rates.false_omission_rate,
    "LR+": rates.positive_likelihood,
    "LR-": rates.negative_likelihood,
    "DOR": rates.diagnostic_odds_ratio,
    "MCC": composite.mcc,
    "DP": composite.discriminant_power,
    "MK": composite.markedness,
    "BCR": composite.balanced_accuracy,
    "BER": composite.balanced_error_rate,
    "GM": composite.g_mean,
    "AGM": composite.adjusted_g_mean,
    "OP": composite.optimisation_precision,
    "Jaccard": composite.jaccard,
    "YI": composite.youden,
    "F-measure": composite.f1,
    "AGF": composite.adjusted_f,
}
