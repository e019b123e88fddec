"""Averages over the classes of a C-class matrix, of all objects or as means over folds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from opchar.printed.averages import Matrix, Parts, averaged_witness
from opchar.printed.duals import Part
from opchar.printed.exact_indices import EXACT
from opchar.printed.matrices import Demand
from opchar.printed.mean_proofs import Score
from opchar.printed.numbers import Limits
from opchar.printed.reported_values import SECONDS

_PARTS = {"precision": "precision", "recall": "tpr", "f1": "f1", "miss": "fnr"}
_PARTS |= {"aurpc": "aurpc", "balanced": "balanced_accuracy", "npv": "npv"}
_PARTS |= {"accuracy": "accuracy", "specificity": "tnr"}
# Names that stand for an average, and micro averages: FN and FP of all classes are as many.
_SAME = {"accuracy": "weighted_recall", "error_rate": "weighted_miss"}
_SAME |= {f"micro_{part}": "weighted_recall" for part in ("precision", "recall", "f1")}
_SAME |= {"micro_accuracy": "macro_accuracy", "micro_npv": "micro_specificity"}
_SAME |= {"aurpc_ova": "macro_aurpc", "auroc_ova": "macro_balanced", "tnr": "macro_specificity"}
_MICRO = ("micro", "specificity")
_SAME |= {"auroc_ovo": "macro_recall", "balanced_accuracy": "macro_recall"}
_SAME |= {"normalised_auroc_ova": "macro_balanced"}


def of_classes(name: str) -> bool:
    """Tell whether `class_witness` knows a score."""
    kind, _, part = _SAME.get(name, name).partition("_")
    return (kind in ("macro", "weighted") and part in _PARTS) or (kind, part) == _MICRO


def class_witness(
    scores: Mapping[str, Limits], folds: Sequence[Sequence[int]], seconds: float = SECONDS
) -> list[Matrix] | None:
    """Return counts of each class against the rest that have averaged scores, or None.

    Folds are the sizes of all classes in each; one list is one matrix of all objects. Scores are
    means over the folds, matrices stand fold by fold. Pairs of TP and FP of the classes belong to
    one confusion matrix under two conditions. The classes have as many FN as FP together, and none
    has more FN and FP than there are errors.
    """
    sizes = [(size, sum(fold) - size) for fold in folds for size in fold]
    demands = [_demand(name, limits, len(folds[0])) for name, limits in scores.items()]
    shares = [[w / len(folds) for fold in folds for w in _weights(name, fold)] for name in scores]
    return averaged_witness(demands, Parts(sizes, [1] * len(sizes), shares, len(folds[0])), seconds)


def class_parts(
    scores: Mapping[str, Limits], sizes: Sequence[int]
) -> tuple[list[Score], list[Part]]:
    """Return averaged scores as sums over classes against the rest, as proofs take them.

    The last is that all classes have as many FN as FP together.
    """
    demands = [_demand(name, limits, len(sizes)) for name, limits in scores.items()]
    named = [(demand.index.name, *demand.limits) for demand in demands]
    weights = zip(*(_weights(name, sizes) for name in scores), strict=True)
    one, none = Fraction(1), Fraction(0)
    parts = [(p, sum(sizes) - p, (*own, one)) for p, own in zip(sizes, weights, strict=True)]
    return [*named, ("fn - fp", none, none)], parts


def _demand(name: str, limits: Limits, many: int) -> Demand:
    if name == "auroc_ovo":
        # The rates of all errors of a class add up to one minus its recall.
        limits = _scale(limits, Fraction(2 * (many - 1), many), Fraction(2 - many, many))
    elif name == "normalised_auroc_ova":
        least = Fraction(many - 2, 2 * many)
        limits = _scale(limits, 1 - least, least)
    return Demand(EXACT[_PARTS[_SAME.get(name, name).partition("_")[2]]], limits, name)


def _scale(limits: Limits, factor: Fraction, shift: Fraction) -> Limits:
    return limits[0] * factor + shift, limits[1] * factor + shift


def _weights(name: str, sizes: Sequence[int]) -> list[Fraction]:
    """Return the weight of each class in an average."""
    n, many = sum(sizes), len(sizes)
    kind = _SAME.get(name, name).partition("_")[0]
    if kind == "weighted":
        return [Fraction(size, n) for size in sizes]
    if kind == "micro":
        return [Fraction(n - size, (many - 1) * n) for size in sizes]
    return [Fraction(1, many) for _ in sizes]
