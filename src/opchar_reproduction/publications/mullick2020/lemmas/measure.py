"""Lemmas 1 to 3, the normalisations of Sec. 4 and the limits of Theorem 5 (mullick2020)."""

from functools import partial

import numpy as np

from opchar.metrics.conditions import bounds, limit_of_a_failing_class
from opchar.metrics.conditions.closed_forms import (
    failing_acsa,
    failing_m_aurpc_ova,
    failing_m_aurpc_ova_by_equation_28,
    infimum_auroc_ova,
    lowest_auroc_ova,
    lowest_auroc_ovo,
)
from opchar.metrics.conditions.search import random_matrices, small_matrices
from opchar.metrics.indices.multiclass import acsa, auroc_ova, auroc_ovo, normalised_auroc_ova
from opchar.ranges import Count
from opchar.seeds import Spawn
from opchar_reproduction.publications.mullick2020.indices import MULTI_CLASS
from opchar_reproduction.results import Results
from opchar_reproduction.study import study

SIZES = [
    [1, 1],
    [4, 9],
    [1, 1, 1],
    [1, 2, 3],
    [2, 2, 4],
    [1, 1, 6],
    [1, 1, 1, 1],
    [1, 2, 2, 3],
    [1, 1, 1, 1, 1],
    [1, 1, 1, 1, 1, 1],
]


@study(
    "lemmas",
    basis="exact",
    profiles={
        "tiny": {"classes": [2, 3, 4], "sizes": [[1, 1], [1, 2, 3], [1, 1, 1, 1]], "draws": 300}
    },
)
def lemmas(
    spawn: Spawn,
    *,
    classes: list[int] = [2, 3, 4, 5, 6, 10],
    sizes: list[list[int]] = SIZES,
    draws: Count = 2000,
    searched: int = 4,
) -> Results:
    """Compare what the lemmas and Sec. 4 say with what a search finds.

    sizes: Class sizes for which the lower bound of Lemma 3 is compared.
    searched: Up to so many classes all small matrices are evaluated, too.
    """
    results = Results()
    spans: dict[str, list[tuple[float, float]]] = {"ACSA": [], "AUROC-OVO": [], "AUROC-OVA": []}
    for number in classes:
        matrices = random_matrices(number, draws, spawn("matrices", number))
        if number <= searched:
            matrices = np.concatenate([small_matrices(number)[0][:draws], matrices])
        _affine(results, number, matrices)
        for name, found in spans.items():
            span = bounds(MULTI_CLASS[name], number, rng=spawn(name, number), draws=draws)
            found.append((span.low.value, span.high.value))
    _bounds(results, classes, spans)
    _lowest_ova(results, sizes, spawn)
    return results


def _bounds(
    results: Results, classes: list[int], spans: dict[str, list[tuple[float, float]]]
) -> None:
    for artefact, name in (("lemma-1", "ACSA"), ("lemma-2", "AUROC-OVO"), ("lemma-3", "AUROC-OVA")):
        low, high = (np.array(side) for side in zip(*spans[name], strict=True))
        if name == "ACSA":
            results.number(artefact, name, "lower bound", low.min(), n=len(classes))
        results.number(artefact, name, "upper bound", high.max(), n=len(classes))
        for number, least in zip(classes, low, strict=True):
            results.number(artefact, name, f"least found, C = {number}", least)
    lowest = np.array([low for low, _ in spans["AUROC-OVO"]])
    stated = [float(lowest_auroc_ovo(number)) for number in classes]
    results.add_frame("bounds of OVO", {"classes": classes, "found": lowest, "stated": stated})
    found = np.array([low for low, _ in spans["AUROC-OVA"]])
    weak = np.array([float(infimum_auroc_ova(number)) for number in classes])
    results.add_frame("weak bound", {"classes": classes, "found": found, "lambda": weak})
    for number, least in zip(classes, weak, strict=True):
        results.number("text-4", "lambda_C", f"C = {number}", least)


def _affine(results: Results, classes: int, matrices: np.ndarray) -> None:
    """Record both sides of Lemma 2 and of both normalisations for each matrix."""
    one_vs_one, accuracy = auroc_ovo(matrices), acsa(matrices)
    coefficient = classes / (2 * (classes - 1))
    bias, weak = float(lowest_auroc_ovo(classes)), float(infimum_auroc_ova(classes))
    by_lemma, normalised = coefficient * accuracy + bias, (one_vs_one - bias) / coefficient
    results.add_frame(
        "affine",
        {
            "classes": classes,
            "ACSA": accuracy,
            "AUROC-OVO": one_vs_one,
            "by Lemma 2": by_lemma,
            "AUROC-OVO without bias, over coefficient": normalised,
            "nAUROC-OVA": normalised_auroc_ova(matrices),
            "by Sec. 4": (auroc_ova(matrices) - weak) / (1 - weak),
        },
    )
    column = f"largest difference, C = {classes}"
    gap = float(np.abs(by_lemma - one_vs_one).max())
    results.number("lemma-2", "both sides of Eq. 17", column, gap, n=len(matrices))
    gap = float(np.abs(normalised - accuracy).max())
    results.number("text-4", "normalised AUROC-OVO and ACSA", column, gap, n=len(matrices))


def _lowest_ova(results: Results, sizes: list[list[int]], spawn: Spawn) -> None:
    """Compare the lower bound of Lemma 3 with all matrices of given class sizes."""
    for each in sizes:
        span = bounds(auroc_ova, len(each), sizes=tuple(each), rng=spawn("sizes", *each))
        stated = float(lowest_auroc_ova(tuple(each)))
        written = ", ".join(map(str, each))
        results.number("lemma-3", f"class sizes {written}", "least found", span.low.value)
        results.number("lemma-3", f"class sizes {written}", "by Lemma 3", stated)
        bound = {"found": span.low.value, "stated": stated, "complete": span.complete}
        results.add_frame("bounds of OVA", {"sizes": [written], "classes": len(each)} | bound)


@study("failing-class", basis="exact", profiles={"tiny": {"classes": [3, 4], "draws": 50}})
def failing_class(
    spawn: Spawn, *, classes: list[int] = [3, 4, 5, 6, 10], draws: Count = 500
) -> Results:
    """Follow the indices of Theorem 5 while one class fails.

    classes: Numbers of classes, three or more.
    draws: Ways to fail that are drawn for each class, beside the even and the extreme ones.
    """
    results = Results()
    stated = {"ACSA": failing_acsa, "mAURPC-OVA": failing_m_aurpc_ova}
    printed = {"ACSA": failing_acsa, "mAURPC-OVA": failing_m_aurpc_ova_by_equation_28}
    equations = {"GMean": "eq-26", "ACSA": "eq-27", "mAURPC-OVA": "eq-28"}
    highest = 0.0
    for name, artefact in equations.items():
        for number in classes:
            rng = spawn(name, number)
            follow = partial(limit_of_a_failing_class, MULTI_CLASS[name], number, draws=draws)
            limit, at = follow(rng=rng), follow(rng=rng, epsilon=1 / number)
            results.number(artefact, name, f"least limit, C = {number}", limit.low, n=limit.ways)
            results.number(artefact, name, f"least at epsilon = 1/C, C = {number}", at.low)
            measured = {"least": limit.low, "largest": limit.high}
            forms = {
                "closed form": float(stated[name](number)) if name in stated else 0.0,
                "printed": float(printed[name](number)) if name in printed else 0.0,
            }
            who = {"index": [name], "classes": number}
            results.add_frame("limits", who | measured | forms | {"at 1/C": at.low})
            highest = max(highest, limit.high) if name == "GMean" else highest
    results.number("eq-26", "GMean", "limit for eps->0", highest)
    return results
