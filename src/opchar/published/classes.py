"""Averages over the classes of a C-class matrix, of all objects or as means over folds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from opchar.published.averages import (
    SECONDS,
    Matrix,
    chosen_matrices,
    fit,
    integers,
    matrix_of,
    slopes,
)
from opchar.published.indices import exact
from opchar.published.matrices import Demand, Limits, UndecidedError

_PARTS = {"precision": "precision", "recall": "tpr", "f1": "f1", "miss": "fnr"}
_PARTS |= {"aurpc": "aurpc", "balanced": "balanced_accuracy", "npv": "npv"}
_PARTS |= {"accuracy": "accuracy", "specificity": "tnr"}
# Names that stand for an average, and micro averages: FN and FP of all classes are as many.
_SAME = {"accuracy": "weighted_recall", "error_rate": "weighted_miss"}
_SAME |= {f"micro_{part}": "weighted_recall" for part in ("precision", "recall", "f1")}
_SAME |= {"micro_accuracy": "macro_accuracy", "micro_npv": "micro_specificity"}
_SAME |= {"aurpc_ova": "macro_aurpc", "auroc_ova": "macro_balanced", "tnr": "macro_specificity"}


def of_classes(name: str) -> bool:
    """Tell whether `class_witness` knows a score."""
    if name in ("auroc_ovo", "normalised_auroc_ova"):
        return True
    kind, _, part = _SAME.get(name, name).partition("_")
    return (kind in ("macro", "weighted") and part in _PARTS) or name in (
        "micro_specificity",
        "micro_npv",
    )


@dataclass(frozen=True)
class _Average:
    """A score of each class against the rest, and the weight of each class."""

    demand: Demand
    weights: tuple[Fraction, ...]


def class_witness(
    scores: Mapping[str, Limits],
    folds: Sequence[Sequence[int]],
    seconds: float = SECONDS,
) -> list[Matrix] | None:
    """Return counts of each class against the rest that have averaged scores, or None.

    Folds are the sizes of all classes in each; one list is one matrix of all objects. Scores are
    means over the folds, matrices stand fold by fold. Pairs of TP and FP of the classes belong to
    one confusion matrix if and only if the classes have as many FN as FP together, and none has
    more FN and FP than there are errors. Scores that are linear in both (recall, specificity,
    accuracy) are an integer programme with two unknowns for each class and fold; for others each
    pair that a class can have is an unknown, and only one fold is decided.
    """
    averages = [
        [_average(name, limits, sizes) for name, limits in scores.items()] for sizes in folds
    ]
    linear = [at for at, one in enumerate(averages[0]) if one.demand.index.linear]
    if linear:
        found = _linear([[one[at] for at in linear] for one in averages], folds, seconds)
        if found is None or len(linear) == len(scores):
            return found
    if len(folds) > 1:
        raise UndecidedError
    sizes, own = folds[0], averages[0]
    kinds = [((size, sum(sizes) - size), 1) for size in sizes]
    shares = np.array([[float(weight) for weight in one.weights] for one in own])
    demands = [one.demand for one in own]
    return chosen_matrices(demands, kinds, shares, seconds, coupled=True)


def stratified_classes(sizes: Sequence[int], folds: int) -> list[tuple[int, ...]]:
    """Return the sizes of classes in folds, dealt as by scikit-learn's ``StratifiedKFold``.

    The objects, sorted by class, are dealt out one by one.
    """
    dealt, start = [], 0
    for size in sizes:
        dealt.append([size // folds + ((at - start) % folds < size % folds) for at in range(folds)])
        start += size
    return [tuple(row) for row in zip(*dealt, strict=True)]


def _average(name: str, limits: Limits, sizes: Sequence[int]) -> _Average:
    n, many = sum(sizes), len(sizes)
    if name == "auroc_ovo":
        # The rates of all errors of a class add up to one minus its recall.
        low, high = (((2 * end - 1) * (many - 1) + 1) / many for end in limits)
        name, limits = "macro_recall", (low, high)
    elif name == "normalised_auroc_ova":
        least = Fraction(many - 2, 2 * many)
        low, high = (end * (1 - least) + least for end in limits)
        name, limits = "auroc_ova", (low, high)
    kind, _, part = _SAME.get(name, name).partition("_")
    index = exact(_PARTS[part])
    assert index is not None
    weights = tuple(Fraction(1, many) for _ in sizes)
    if kind == "weighted":
        weights = tuple(Fraction(size, n) for size in sizes)
    elif kind == "micro":
        weights = tuple(Fraction(n - size, (many - 1) * n) for size in sizes)
    return _Average(Demand(index, limits, name), weights)


def _linear(
    averages: list[list[_Average]], folds: Sequence[Sequence[int]], seconds: float
) -> list[Matrix] | None:
    """Search TP and FP of each class in each fold, for scores that are linear in them."""
    units = [(fold, at) for fold, sizes in enumerate(folds) for at in range(len(sizes))]
    rows = [np.zeros(2 * len(units)) for _ in averages[0]]
    limits = np.array([one.demand.limits for one in averages[0]], dtype=float)
    coupling, bounds = [], []
    for number, (fold, at) in enumerate(units):
        size, rest = folds[fold][at], sum(folds[fold]) - folds[fold][at]
        for row, one in enumerate(averages[fold]):
            share = float(one.weights[at]) / len(folds)
            none, *both = slopes(one.demand, size, rest)
            limits[row] -= none * share
            rows[row][2 * number : 2 * number + 2] = np.array(both) * share
    for fold, sizes in enumerate(folds):
        own = [number for number, unit in enumerate(units) if unit[0] == fold]
        tps, fps = [2 * number for number in own], [2 * number + 1 for number in own]
        equal = np.zeros(2 * len(units))
        equal[tps + fps] = 1
        coupling.append(equal)
        bounds.append((float(sum(sizes)), float(sum(sizes))))
        for number, at in enumerate(own):
            # FN + FP of a class are no more than FN of all.
            most = np.zeros(2 * len(units))
            most[tps] = 1
            most[2 * at] -= 1
            most[2 * at + 1] += 1
            coupling.append(most)
            bounds.append((-np.inf, float(sum(sizes) - sizes[number])))
    top = [
        float(s)
        for fold, at in units
        for s in (folds[fold][at], sum(folds[fold]) - folds[fold][at])
    ]
    found = integers(np.array([*rows, *coupling]), np.vstack([limits, bounds]), top, seconds)
    if found is None:
        return None
    matrices = [
        matrix_of(
            found[2 * number], found[2 * number + 1], (folds[f][at], sum(folds[f]) - folds[f][at])
        )
        for number, (f, at) in enumerate(units)
    ]
    weights = [
        [averages[fold][row].weights[at] / len(folds) for fold, at in units]
        for row in range(len(rows))
    ]
    if not fit(matrices, [one.demand for one in averages[0]], weights):
        raise UndecidedError
    return matrices
