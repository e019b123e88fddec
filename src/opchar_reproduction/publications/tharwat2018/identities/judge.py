"""Identities between indices, on every confusion matrix of a grid (slides 15 to 22)."""

import numpy as np
import pandas as pd

from opchar_reproduction.percent import per_cent
from opchar_reproduction.statements.measurements import Finding, Measurements, conjunction
from opchar_reproduction.study import statement


@statement("0291")
def accuracy_follows_from_tpr_and_tnr(measured: Measurements, *, limit: float = 1e-11) -> Finding:
    """Compare Acc with TPR P/(P+N) + TNR N/(P+N)."""
    table = measured.frame("matrices")
    positives, negatives = table["tp"] + table["fn"], table["fp"] + table["tn"]
    form = (table["TPR"] * positives + table["TNR"] * negatives) / (positives + negatives)
    return _equal(table["Acc"], form, limit)


@statement("0292")
def accuracy_follows_from_ppv_and_npv(measured: Measurements, *, limit: float = 1e-11) -> Finding:
    """Compare Acc with PPV (TP+FP)/(P+N) + NPV (TN+FN)/(P+N)."""
    table = measured.frame("matrices")
    called, rest = table["tp"] + table["fp"], table["tn"] + table["fn"]
    form = (table["PPV"] * called + table["NPV"] * rest) / (called + rest)
    return _equal(table["Acc"], form, limit)


@statement("0293")
def odds_ratio_is_a_quotient_of_likelihood_ratios(
    measured: Measurements, *, limit: float = 1e-11
) -> Finding:
    """Compare DOR with LR+/LR- and with TP TN/(FP FN)."""
    table = measured.frame("matrices")
    quotient = table["LR+"] / table["LR-"]
    products = table["tp"] * table["tn"] / (table["fp"] * table["fn"])
    both = pd.DataFrame({"quotient": quotient, "products": products})
    gap = both.rdiv(table["DOR"], axis="index").sub(1).abs()
    parts = {"LR+/LR-": gap["quotient"], "TP TN/(FP FN)": gap["products"]}
    equal = {f"DOR = {form}": (each < limit).all() for form, each in parts.items()}
    return conjunction(equal, _largest(gap.max(axis="columns")))


@statement("0294")
def second_form_of_mcc_is_the_first(measured: Measurements, *, limit: float = 1e-11) -> Finding:
    """Compare MCC with its second form, N being all samples or the negatives."""
    table = measured.frame("matrices")
    tpr, ppv = table["TPR"], table["PPV"]
    negatives = table["fp"] + table["tn"]
    sizes = {"all samples": negatives + table["tp"] + table["fn"], "the negatives": negatives}
    equal, found = [], []
    for name, size in sizes.items():
        form: pd.Series = (table["tp"] / size - tpr * ppv) / np.sqrt(
            ppv * tpr * (1 - tpr) * (1 - ppv)
        )
        share = float(((form - table["MCC"]).abs() < limit).mean())
        equal.append(share == 1)
        found.append(
            f"with N {name} equal on {per_cent(share, 1)} of {len(table)} matrices, with values "
            "up to "
            f"{form.abs().max():.3g}"
        )
    return Finding(any(equal), "; ".join(found))


def _equal(one: pd.Series, other: pd.Series, limit: float) -> Finding:
    gap = (one - other).abs()
    return Finding(bool((gap < limit).all()), _largest(gap))


def _largest(gap: pd.Series) -> str:
    return f"largest gap {gap.max():.2g} over {len(gap)} matrices"
