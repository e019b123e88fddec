"""The table of all indices, from which ``docs/indices.md`` is made."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import inf
from typing import Literal

from opchar.metrics import combined, costs, multiclass, rates
from opchar.metrics.counts import Array


@dataclass(frozen=True)
class Index:
    """One index of a confusion matrix.

    Attributes
    ----------
    name : str
        How `evaluate` calls it.
    symbol : str
        How the works write it.
    formula : str
        LaTeX, in counts or in indices defined above it.
    range : tuple of float
        Lowest and highest value.
    depends_on_prior : bool
        Whether it changes when a class is enlarged while every class keeps its rates.
    citation : str
        Work and place.
    function : callable
        Of ``(tp, fn, fp, tn)``, or of ``(..., C, C)`` matrices.
    of : {"counts", "matrix"}
        What `function` takes.
    undefined : str
        What happens at 0/0 and x/0.
    """

    name: str
    symbol: str
    formula: str
    range: tuple[float, float]
    depends_on_prior: bool
    citation: str
    function: Callable[..., Array]
    of: Literal["counts", "matrix"] = "counts"
    undefined: str = "NaN"


UNIT = (0.0, 1.0)
SIGNED = (-1.0, 1.0)
T, S, M, L = "tharwat2018", "soleymani2020", "mullick2020", "landgrebe2007"

INDICES: tuple[Index, ...] = (
    Index(
        "accuracy",
        "Acc",
        r"\frac{TP+TN}{TP+FN+FP+TN}",
        UNIT,
        True,
        f"{T}, slide 13",
        rates.accuracy,
    ),
    Index("error_rate", "Err", r"1-Acc", UNIT, True, f"{T}, slide 13", rates.error_rate),
    Index("tpr", "TPR", r"\frac{TP}{TP+FN}", UNIT, False, f"{T}, slide 14", rates.tpr),
    Index("tnr", "TNR", r"\frac{TN}{TN+FP}", UNIT, False, f"{T}, slide 14", rates.tnr),
    Index("fpr", "FPR, FAR", r"\frac{FP}{TN+FP}", UNIT, False, f"{T}, slides 16, 70", rates.fpr),
    Index("fnr", "FNR, FRR", r"\frac{FN}{TP+FN}", UNIT, False, f"{T}, slides 16, 71", rates.fnr),
    Index("precision", "PPV", r"\frac{TP}{TP+FP}", UNIT, True, f"{T}, slide 17", rates.precision),
    Index("npv", "NPV", r"\frac{TN}{TN+FN}", UNIT, True, f"{T}, slide 17", rates.npv),
    Index(
        "false_discovery_rate",
        "FDR",
        r"1-PPV",
        UNIT,
        True,
        f"{T}, slide 17",
        rates.false_discovery_rate,
    ),
    Index(
        "false_omission_rate",
        "FOR",
        r"1-NPV",
        UNIT,
        True,
        f"{T}, slide 17",
        rates.false_omission_rate,
    ),
    Index(
        "posfrac",
        "Posfrac",
        r"\frac{TP+FP}{TP+FN+FP+TN}",
        UNIT,
        True,
        f"{L}, Sec. 2.3.2",
        rates.posfrac,
    ),
    Index(
        "positive_likelihood",
        "LR+",
        r"\frac{TPR}{FPR}",
        (0, inf),
        False,
        f"{T}, slide 19",
        rates.positive_likelihood,
        undefined="inf for FPR = 0 < TPR, NaN for 0/0",
    ),
    Index(
        "negative_likelihood",
        "LR-",
        r"\frac{FNR}{TNR}",
        (0, inf),
        False,
        f"{T}, slide 19",
        rates.negative_likelihood,
        undefined="inf for TNR = 0 < FNR, NaN for 0/0",
    ),
    Index(
        "diagnostic_odds_ratio",
        "DOR",
        r"\frac{TP\cdot TN}{FP\cdot FN}",
        (0, inf),
        False,
        f"{T}, slide 20",
        rates.diagnostic_odds_ratio,
        undefined="inf for FP FN = 0 < TP TN, NaN for 0/0",
    ),
    Index("youden", "YI", r"TPR+TNR-1", SIGNED, False, f"{T}, slide 21", combined.youden),
    Index(
        "mcc",
        "MCC",
        r"\frac{TP\cdot TN-FP\cdot FN}{\sqrt{(TP+FP)(TP+FN)(TN+FP)(TN+FN)}}",
        SIGNED,
        True,
        f"{T}, slide 22",
        combined.mcc,
    ),
    Index(
        "discriminant_power",
        "DP",
        r"\frac{\sqrt3}{\pi}\ln DOR",
        (-inf, inf),
        False,
        f"{T}, slide 23",
        combined.discriminant_power,
        undefined="-inf or inf with DOR, NaN for 0/0",
    ),
    Index("f1", "F", r"\frac{2TP}{2TP+FP+FN}", UNIT, True, f"{T}, slide 24", combined.f1),
    Index(
        "f_beta",
        r"F_beta",
        r"\frac{(1+\beta^2)TP}{(1+\beta^2)TP+\beta^2FN+FP}",
        UNIT,
        True,
        f"{T}, slide 25; {S}, Eq. 5",
        combined.f_beta,
    ),
    Index(
        "f_alpha",
        r"F_alpha",
        r"\frac{TP}{TP+\alpha FP+(1-\alpha)FN}",
        UNIT,
        True,
        f"{S}, Eq. 3",
        combined.f_alpha,
    ),
    Index(
        "adjusted_f",
        "AGF",
        r"\sqrt{F_2\cdot InvF_{0.5}}",
        UNIT,
        True,
        f"{T}, slide 26",
        combined.adjusted_f,
    ),
    Index("markedness", "MK", r"PPV+NPV-1", SIGNED, True, f"{T}, slide 27", combined.markedness),
    Index(
        "balanced_accuracy",
        "BCR, AUROC of one threshold",
        r"\frac{TPR+TNR}{2}",
        UNIT,
        False,
        f"{T}, slide 28; {M}, Eq. 3",
        combined.balanced_accuracy,
    ),
    Index(
        "balanced_error_rate",
        "BER, HTER",
        r"1-BCR",
        UNIT,
        False,
        f"{T}, slide 28",
        combined.balanced_error_rate,
    ),
    Index(
        "g_mean",
        "GM",
        r"\sqrt{TPR\cdot TNR}",
        UNIT,
        False,
        f"{T}, slide 29; {M}, Eq. 2",
        combined.g_mean,
    ),
    Index(
        "adjusted_g_mean",
        "AGM",
        r"\frac{GM+TNR(FP+TN)}{1+FP+TN}",
        UNIT,
        True,
        f"{T}, slide 29",
        combined.adjusted_g_mean,
        undefined="0 for TPR = 0, NaN for an empty class",
    ),
    Index(
        "optimisation_precision",
        "OP",
        r"Acc-\frac{|TPR-TNR|}{TPR+TNR}",
        SIGNED,
        True,
        f"{T}, slide 31",
        combined.optimisation_precision,
        undefined="NaN for TPR = TNR = 0",
    ),
    Index(
        "jaccard", "Jaccard", r"\frac{TP}{TP+FP+FN}", UNIT, True, f"{T}, slide 32", combined.jaccard
    ),
    Index("aurpc", "AURPC", r"\frac{TPR+PPV}{2}", UNIT, True, f"{M}, Eq. 5", combined.aurpc),
    Index(
        "m_precision",
        "mPrecision",
        r"\frac{TPR}{TPR+FPR}",
        UNIT,
        False,
        f"{M}, Eq. 8",
        combined.m_precision,
    ),
    Index(
        "m_aurpc",
        "mAURPC",
        r"\frac{TPR+mPrecision}{2}",
        UNIT,
        False,
        f"{M}, Eq. 9",
        combined.m_aurpc,
    ),
    Index(
        "expected_cost",
        "EC",
        r"FNR\,P(+)\,C_{FN}+FPR\,P(-)\,C_{FP}",
        (0, inf),
        True,
        f"{S}, Eq. 1",
        costs.expected_cost,
    ),
    Index(
        "normalised_expected_cost",
        "NEC",
        r"(1-TPR-FPR)\,PC(+)+FPR",
        UNIT,
        True,
        f"{S}, Eq. 7",
        costs.normalised_expected_cost,
    ),
    Index(
        "overall_accuracy",
        "Acc",
        r"\frac{\sum_i m_{ii}}{n}",
        UNIT,
        True,
        f"{T}, slide 40",
        multiclass.overall_accuracy,
        "matrix",
    ),
    Index(
        "overall_error",
        "Err",
        r"1-Acc",
        UNIT,
        True,
        f"{T}, slide 13",
        multiclass.overall_error,
        "matrix",
    ),
    Index(
        "acsa",
        "ACSA",
        r"\frac1C\sum_i\frac{m_{ii}}{n_i}",
        UNIT,
        False,
        f"{M}, Eq. 11",
        multiclass.acsa,
        "matrix",
    ),
    Index(
        "g_mean_multiclass",
        "GMean",
        r"\left(\prod_i\frac{m_{ii}}{n_i}\right)^{1/C}",
        UNIT,
        False,
        f"{M}, Eq. 10",
        multiclass.g_mean_multiclass,
        "matrix",
    ),
    Index(
        "auroc_ovo",
        "AUROC-OVO",
        r"\frac1{2C}\sum_i\left(1+\frac{m_{ii}}{n_i}-\sum_{j\ne i}\frac{m_{ji}}{(C-1)n_j}\right)",
        UNIT,
        False,
        f"{M}, Eq. 12",
        multiclass.auroc_ovo,
        "matrix",
    ),
    Index(
        "auroc_ova",
        "AUROC-OVA",
        r"\frac1{2C}\sum_i\left(1+\frac{m_{ii}}{n_i}-\frac{k_i-m_{ii}}{n-n_i}\right)",
        UNIT,
        True,
        f"{M}, Eq. 13",
        multiclass.auroc_ova,
        "matrix",
    ),
    Index(
        "normalised_auroc_ova",
        "nAUROC-OVA",
        r"\frac{\rho_a-\lambda_C}{1-\lambda_C},\ \lambda_C=\frac{C-2}{2C}",
        UNIT,
        True,
        f"{M}, Sec. 4",
        multiclass.normalised_auroc_ova,
        "matrix",
    ),
    Index(
        "aurpc_ova",
        "AURPC-OVA",
        r"\frac1{2C}\sum_i\left(\frac{m_{ii}}{k_i}+\frac{m_{ii}}{n_i}\right)",
        UNIT,
        True,
        f"{M}, Eq. 14",
        multiclass.aurpc_ova,
        "matrix",
    ),
    Index(
        "m_aurpc_ova",
        "mAURPC-OVA",
        r"\frac1{2C}\sum_i\left(\frac{m_{ii}/n_i}{\sum_j m_{ji}/n_j}+\frac{m_{ii}}{n_i}\right)",
        UNIT,
        False,
        f"{M}, Eq. 25",
        multiclass.m_aurpc_ova,
        "matrix",
    ),
    Index(
        "expected_loss",
        "L",
        r"\sum_i p_i\sum_{j\ne i}\xi_{ij}s_{ij}",
        (0, inf),
        True,
        f"{L}, Eq. 4.6",
        costs.expected_loss,
        "matrix",
    ),
    Index(
        "mean_subjective_utility",
        "MSU",
        r"1-L\Big/\frac1C\sum_i p_i\sum_{j\ne i}s_{ij}",
        (-inf, 1.0),
        True,
        f"{L}, Eqs. 4.18, 4.19",
        costs.mean_subjective_utility,
        "matrix",
    ),
)
