"""The formulas of the tutorial, each checked on every matrix of a grid (slides 13 to 32)."""

import numpy as np

from opchar.metrics.counts import Array, Counts
from opchar.metrics.indices.composite import (
    adjusted_f,
    adjusted_g_mean,
    balanced_accuracy,
    balanced_error_rate,
    discriminant_power,
    f1,
    f_beta,
    g_mean,
    jaccard,
    markedness,
    mcc,
    optimisation_precision,
    youden,
)
from opchar.metrics.indices.rates import (
    accuracy,
    diagnostic_odds_ratio,
    error_rate,
    false_discovery_rate,
    false_omission_rate,
    fnr,
    fpr,
    negative_likelihood,
    npv,
    posfrac,
    positive_likelihood,
    precision,
    tnr,
    tpr,
)
from opchar_reproduction.results import Results
from opchar_reproduction.study import study


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

    Gives ``eq-accuracy``, ``eq-tpr``, ..., ``eq-jaccard``: the largest gap of each identity over
    the matrices, and each index of the example. The frame ``matrices`` holds the counts and the
    indices that the identities of slides 15 to 22 name.
    """
    results = Results()
    axes = np.meshgrid(*[np.array(grid, float)] * 4, indexing="ij")
    counts = Counts(*(axis.ravel() for axis in axes))
    _matrices(results, counts)
    _rates(results, counts)
    _gap(
        results, "eq-mcc", "second form with P(+) and posfrac", mcc(*counts), mcc_corrected(counts)
    )
    _f_measures(results, counts, beta)
    _means(results, counts)
    for artefact, name, value in _on_example(
        Counts(**{k: np.array(v) for k, v in example.items()})
    ):
        results.number(artefact, "worked example", name, value)
    return results


def _gap(results: Results, artefact: str, row: str, left: Array, right: Array) -> None:
    gap = np.abs(left - right) / np.maximum(1, np.abs(left))
    results.number(artefact, row, "largest gap", gap.max(), unit="relative")


def _matrices(results: Results, counts: Counts) -> None:
    indices = {
        "Acc": accuracy,
        "TPR": tpr,
        "TNR": tnr,
        "PPV": precision,
        "NPV": npv,
        "LR+": positive_likelihood,
        "LR-": negative_likelihood,
        "DOR": diagnostic_odds_ratio,
        "MCC": mcc,
    }
    values = {name: index(*counts) for name, index in indices.items()}
    results.add_frame("matrices", counts._asdict() | values)


def _rates(results: Results, counts: Counts) -> None:
    _gap(results, "eq-accuracy", "Err = 1 - Acc", error_rate(*counts), 1 - accuracy(*counts))
    _gap(results, "eq-tpr", "FPR = 1 - TNR", fpr(*counts), 1 - tnr(*counts))
    _gap(results, "eq-tpr", "FNR = 1 - TPR", fnr(*counts), 1 - tpr(*counts))
    _gap(results, "eq-ppv", "FDR = 1 - PPV", false_discovery_rate(*counts), 1 - precision(*counts))
    _gap(results, "eq-ppv", "FOR = 1 - NPV", false_omission_rate(*counts), 1 - npv(*counts))
    logarithms = np.log(positive_likelihood(*counts)) + np.log(tnr(*counts) / (1 - tpr(*counts)))
    power = np.sqrt(3) / np.pi * logarithms
    _gap(results, "eq-dp", "DP = sqrt(3)/pi ln DOR", discriminant_power(*counts), power)


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


def _f_measures(results: Results, counts: Counts, beta: float) -> None:
    ppv, recall = precision(*counts), tpr(*counts)
    harmonic = 2 / (1 / ppv + 1 / recall)
    weighted = (1 + beta**2) * ppv * recall / (beta**2 * ppv + recall)
    inverse_ppv, inverse_recall = npv(*counts), tnr(*counts)
    switched = 1.25 * inverse_ppv * inverse_recall / (0.25 * inverse_ppv + inverse_recall)
    adjusted = np.sqrt(5 * ppv * recall / (4 * ppv + recall) * switched)
    _gap(results, "eq-f", "F = 2 / (1/PPV + 1/TPR)", f1(*counts), harmonic)
    _gap(results, "eq-f", "F_beta of PPV and TPR", f_beta(*counts, beta=beta), weighted)
    _gap(results, "eq-f", "AGF of F_2 and of F_0.5 from NPV and TNR", adjusted_f(*counts), adjusted)
    overlap = f1(*counts) / (2 - f1(*counts))
    _gap(results, "eq-jaccard", "Jaccard = F / (2 - F)", jaccard(*counts), overlap)


def _means(results: Results, counts: Counts) -> None:
    product = markedness(*counts) * youden(*counts)
    _gap(results, "eq-mk", "MK YI = MCC^2", product, mcc(*counts) ** 2)
    balanced = balanced_accuracy(*counts)
    _gap(results, "eq-bcr", "BCR = (YI + 1) / 2", balanced, (youden(*counts) + 1) / 2)
    half_total = (fpr(*counts) + fnr(*counts)) / 2
    _gap(results, "eq-bcr", "BER = (FPR + FNR) / 2", balanced_error_rate(*counts), half_total)
    squared = tpr(*counts) * tnr(*counts)
    _gap(results, "eq-gm", "GM^2 = TPR TNR", g_mean(*counts) ** 2, squared)
    weight = 1 / (1 + counts.fp + counts.tn)
    mixed = weight * g_mean(*counts) + (1 - weight) * tnr(*counts)
    _gap(results, "eq-gm", "AGM mixes GM and TNR", adjusted_g_mean(*counts), mixed)
    equal = np.isclose(tpr(*counts), tnr(*counts))
    found = Counts(*(count[equal] for count in counts))
    _gap(
        results,
        "eq-op",
        "OP = Acc where TPR = TNR",
        optimisation_precision(*found),
        accuracy(*found),
    )


def _on_example(counts: Counts) -> list[tuple[str, str, float]]:
    values = [
        ("eq-accuracy", "Acc", accuracy(*counts)),
        ("eq-accuracy", "Err", error_rate(*counts)),
        ("eq-tpr", "TPR", tpr(*counts)),
        ("eq-tpr", "TNR", tnr(*counts)),
        ("eq-tpr", "FPR", fpr(*counts)),
        ("eq-tpr", "FNR", fnr(*counts)),
        ("eq-ppv", "PPV", precision(*counts)),
        ("eq-ppv", "NPV", npv(*counts)),
        ("eq-ppv", "FDR", false_discovery_rate(*counts)),
        ("eq-ppv", "FOR", false_omission_rate(*counts)),
        ("eq-dor", "LR+", positive_likelihood(*counts)),
        ("eq-dor", "LR-", negative_likelihood(*counts)),
        ("eq-dor", "DOR", diagnostic_odds_ratio(*counts)),
        ("eq-mcc", "MCC", mcc(*counts)),
        ("eq-dp", "DP", discriminant_power(*counts)),
        ("eq-f", "F", f1(*counts)),
        ("eq-f", "F_2", f_beta(*counts, beta=2.0)),
        ("eq-f", "AGF", adjusted_f(*counts)),
        ("eq-mk", "MK", markedness(*counts)),
        ("eq-bcr", "BCR", balanced_accuracy(*counts)),
        ("eq-bcr", "BER", balanced_error_rate(*counts)),
        ("eq-gm", "GM", g_mean(*counts)),
        ("eq-gm", "AGM", adjusted_g_mean(*counts)),
        ("eq-op", "OP", optimisation_precision(*counts)),
        ("eq-jaccard", "Jaccard", jaccard(*counts)),
    ]
    return [(artefact, name, float(value)) for artefact, name, value in values]
