"""The formulas of the tutorial, each checked on every matrix of a grid (slides 13 to 32)."""

from functools import partial

import numpy as np

from opchar.metrics.counts import Array, Counts
from opchar.metrics.indices.composite import f_beta
from opchar.metrics.indices.rates import posfrac, precision, tpr
from opchar_reproduction.publications.tharwat2018.indices import INDICES
from opchar_reproduction.results import Results
from opchar_reproduction.study import study

MATRICES = ("Acc", "TPR", "TNR", "PPV", "NPV", "LR+", "LR-", "DOR", "MCC")
ON_EXAMPLE = {
    "eq-accuracy": ["Acc", "Err"],
    "eq-tpr": ["TPR", "TNR", "FPR", "FNR"],
    "eq-ppv": ["PPV", "NPV", "FDR", "FOR"],
    "eq-dor": ["LR+", "LR-", "DOR"],
    "eq-mcc": ["MCC"],
    "eq-dp": ["DP"],
    "eq-f": ["F", "F_2", "AGF"],
    "eq-mk": ["MK"],
    "eq-bcr": ["BCR", "BER"],
    "eq-gm": ["GM", "AGM"],
    "eq-op": ["OP"],
    "eq-jaccard": ["Jaccard"],
}


@study("formulas", basis="exact")
def formulas(
    *,
    grid: list[int] = [1, 2, 3, 5, 8, 13, 40],
    example: dict[str, int] = {"tp": 70, "fn": 30, "fp": 20, "tn": 80},
    beta: float = 2.0,
) -> Results:
    """Check every equation of the tutorial and evaluate it on its own example.

    grid: Each of the four counts takes each of these values (all positive): ``len(grid)**4``
        matrices.
    example: The counts ``tp``, ``fn``, ``fp``, ``tn`` of slide 36.
    beta: The weight in the check of F_beta; not negative.
    """
    results = Results()
    axes = np.meshgrid(*[np.array(grid, float)] * 4, indexing="ij")
    counts = Counts(*(axis.ravel() for axis in axes))
    at = {name: index(*counts) for name, index in INDICES.items()}
    results.add_frame("matrices", counts._asdict() | {name: at[name] for name in MATRICES})
    power = np.sqrt(3) / np.pi * (np.log(at["LR+"]) + np.log(at["TNR"] / (1 - at["TPR"])))
    second = mcc_corrected(counts)
    _gap(results, "eq-accuracy", "Err = 1 - Acc", at["Err"], 1 - at["Acc"])
    _gap(results, "eq-tpr", "FPR = 1 - TNR", at["FPR"], 1 - at["TNR"])
    _gap(results, "eq-tpr", "FNR = 1 - TPR", at["FNR"], 1 - at["TPR"])
    _gap(results, "eq-ppv", "FDR = 1 - PPV", at["FDR"], 1 - at["PPV"])
    _gap(results, "eq-ppv", "FOR = 1 - NPV", at["FOR"], 1 - at["NPV"])
    _gap(results, "eq-dp", "DP = sqrt(3)/pi ln DOR", at["DP"], power)
    _gap(results, "eq-mcc", "second form with P(+) and posfrac", at["MCC"], second)
    _f_measures(results, counts, at, beta)
    _means(results, counts, at)
    named = INDICES | {"F": INDICES["F-measure"], "F_2": partial(f_beta, beta=2.0)}
    worked = [np.array(example[name]) for name in Counts._fields]
    for artefact, names in ON_EXAMPLE.items():
        for name in names:
            results.number(artefact, "worked example", name, named[name](*worked))
    return results


def _gap(results: Results, artefact: str, row: str, left: Array, right: Array) -> None:
    gap = np.abs(left - right) / np.maximum(1, np.abs(left))
    results.number(artefact, row, "largest gap", gap.max(), unit="relative")


def mcc_as_printed(counts: Counts, size: Array) -> Array:
    """Return the second form of MCC as slide 22 prints it, with TPR and PPV."""
    return _second_form(counts.tp / size, tpr(*counts), precision(*counts))


def mcc_corrected(counts: Counts) -> Array:
    """Return the second form of MCC with prevalence and the fraction called positive."""
    total = counts.tp + counts.fn + counts.fp + counts.tn
    prevalence = (counts.tp + counts.fn) / total
    return _second_form(counts.tp / total, prevalence, posfrac(*counts))


def _second_form(hits: Array, first: Array, second: Array) -> Array:
    return (hits - first * second) / np.sqrt(second * first * (1 - first) * (1 - second))


def _f_measures(results: Results, counts: Counts, at: dict[str, Array], beta: float) -> None:
    ppv, recall, f = at["PPV"], at["TPR"], at["F-measure"]
    weighted = (1 + beta**2) * ppv * recall / (beta**2 * ppv + recall)
    switched = 1.25 * at["NPV"] * at["TNR"] / (0.25 * at["NPV"] + at["TNR"])
    adjusted = np.sqrt(5 * ppv * recall / (4 * ppv + recall) * switched)
    _gap(results, "eq-f", "F = 2 / (1/PPV + 1/TPR)", f, 2 / (1 / ppv + 1 / recall))
    _gap(results, "eq-f", "F_beta of PPV and TPR", f_beta(*counts, beta=beta), weighted)
    _gap(results, "eq-f", "AGF of F_2 and of F_0.5 from NPV and TNR", at["AGF"], adjusted)
    _gap(results, "eq-jaccard", "Jaccard = F / (2 - F)", at["Jaccard"], f / (2 - f))


def _means(results: Results, counts: Counts, at: dict[str, Array]) -> None:
    _gap(results, "eq-mk", "MK YI = MCC^2", at["MK"] * at["YI"], at["MCC"] ** 2)
    _gap(results, "eq-bcr", "BCR = (YI + 1) / 2", at["BCR"], (at["YI"] + 1) / 2)
    _gap(results, "eq-bcr", "BER = (FPR + FNR) / 2", at["BER"], (at["FPR"] + at["FNR"]) / 2)
    _gap(results, "eq-gm", "GM^2 = TPR TNR", at["GM"] ** 2, at["TPR"] * at["TNR"])
    weight = 1 / (1 + counts.fp + counts.tn)
    mixed = weight * at["GM"] + (1 - weight) * at["TNR"]
    _gap(results, "eq-gm", "AGM mixes GM and TNR", at["AGM"], mixed)
    equal = np.isclose(at["TPR"], at["TNR"])
    _gap(results, "eq-op", "OP = Acc where TPR = TNR", at["OP"][equal], at["Acc"][equal])
