"""Definitions 1 to 7, Assumption 1 and Tables 1 and 3 (mullick2020)."""

from collections.abc import Callable
from itertools import combinations
from typing import Any

import numpy as np

from opchar.metrics.class_sizes import ratio_of_representatives, with_class_sizes
from opchar.metrics.conditions import MatrixIndex
from opchar.metrics.conditions.search import random_matrices
from opchar.metrics.counts import Array, class_rates, ratio
from opchar.models.splits.representatives import relative_sizes
from opchar.seeds import Spawn
from opchar_reproduction.publications.mullick2020.indices import MULTI_CLASS, TWO_CLASS
from opchar_reproduction.results import Results
from opchar_reproduction.study import settings, study

NOTATION = settings(__file__, "notation.csv", by="symbol")
DEFINED = {
    "definition-4": ["Recall", "GMean", "AUROC", "Precision", "AURPC"],
    "definition-5": ["mPrecision", "mAURPC"],
    "definition-6": ["GMean", "ACSA", "AUROC-OVO", "AUROC-OVA", "AURPC-OVA"],
    "definition-7": ["mAURPC-OVA"],
}


@study(
    "definitions",
    basis="illustration",
    profiles={"tiny": {"subsets": 100}},
    choices=["the matrices and class sizes are ours: the work has no worked example"],
)
def definitions(
    spawn: Spawn,
    *,
    training: list[list[int]] = [[50, 500], [40, 200, 1000]],
    two: list[list[int]] = [[40, 10], [20, 80]],
    many: list[list[int]] = [[40, 8, 2], [10, 70, 20], [5, 15, 180]],
    factor: int = 10,
    subsets: int = 2000,
    share: float = 0.2,
    notation: dict[str, dict[str, str]] = NOTATION,
) -> Results:
    """Compute what Secs. 2 to 4 define on examples of ours.

    training: Class sizes of training sets.
    two, many: Confusion matrices of two and of more classes, rows are true classes.
    factor: By which the last class of the matrices is enlarged.
    subsets: Random subsets of the test objects (Assumption 1).
    share: Of the objects of each class in them.
    notation: Table 3: what a symbol stands for in this library.
    """
    results = Results()
    for sizes in training:
        _ratios(results, sizes)
    _properties(results, np.array(many, dtype=float), np.array(two, dtype=float))
    for artefact, names in DEFINED.items():
        in_two = artefact in ("definition-4", "definition-5")
        table = TWO_CLASS if in_two else MULTI_CLASS
        matrix = np.array(two if in_two else many, dtype=float)
        for name in names:
            _on_example(results, artefact, name, table[name], matrix, factor)
    _assumption(results, np.array(many), subsets, share, spawn("subsets"))
    for symbol, said in notation.items():
        results.text("table-3", symbol, "in the library", said["in the library"], basis="input")
    return results


def _ratios(results: Results, sizes: list[int]) -> None:
    """Record IR, and RRT of the five test sets of Sec. 5.2 in both forms."""
    counts = np.array(sizes)
    row = f"training set of {', '.join(map(str, sizes))}"
    results.number("definition-1", row, "IR", counts.max() / counts.min(), unit="ratio")
    majority = int(counts.argmax())
    for name, relative in relative_sizes(counts).items():
        largest = ratio_of_representatives(relative)
        results.number("definition-2", f"{row}, {name}", "largest pairwise ratio", largest)
        if len(sizes) == 2:
            named = ratio_of_representatives(relative, majority=majority)
            results.number("definition-2", f"{row}, {name}", "majority over minority", named)


def _properties(results: Results, many: Array, two: Array) -> None:
    for number, (row, column) in enumerate(zip(many.sum(axis=1), many.sum(axis=0), strict=True)):
        name = f"class {number + 1}"
        results.number("definition-3", name, "objects n_i", row, unit="count")
        results.number("definition-3", name, "called k_i", column, unit="count")
        results.number("definition-3", name, "right m_ii", many[number, number], unit="count")
    results.number("definition-3", "all classes", "objects n_i", many.sum(), unit="count")
    for name, count in zip(("TP", "FN", "FP", "TN"), two.ravel(), strict=True):
        results.number("definition-3", f"two classes, {name}", "objects n_i", count, unit="count")


def _on_example(
    results: Results, artefact: str, name: str, index: MatrixIndex, matrix: Array, factor: int
) -> None:
    sizes = matrix.sum(axis=1)
    sizes[-1] *= factor
    enlarged = with_class_sizes(matrix, sizes)
    for column, each in (("example", matrix), (f"last class x {factor}", enlarged)):
        value = float(np.asarray(index(each[None]))[0])
        results.number(artefact, name, column, value)


def _assumption(
    results: Results, matrix: np.ndarray, subsets: int, share: float, rng: np.random.Generator
) -> None:
    """Draw random subsets of the test objects: the class rates stay on average."""
    wanted = np.maximum(np.rint(share * matrix.sum(axis=1)).astype(int), 1)
    rows = zip(matrix, wanted, strict=True)
    draws = [rng.multivariate_hypergeometric(row, size, subsets) for row, size in rows]
    drawn = np.stack(draws, axis=1)
    whole, parts = class_rates(matrix.astype(float)), class_rates(drawn.astype(float))
    for number in range(len(matrix)):
        right = parts[:, number, number]
        row = f"class {number + 1}, {wanted[number]} of {int(matrix[number].sum())} objects"
        results.number("assumption-1", row, "accuracy on all", whole[number, number])
        data = "subsets drawn from an example of ours"
        results.mean("assumption-1", row, "accuracy on random subsets", right, data=data)


@study("descriptions", basis="exact", profiles={"tiny": {"matrices": 100}})
def descriptions(spawn: Spawn, *, classes: list[int] = [3, 5], matrices: int = 2000) -> Results:
    """Compute the indices of Table 1 by its words, beside their definitions.

    classes: Numbers of classes for the indices of many classes.
    """
    results = Results()
    plain = {name: index for name, index in TWO_CLASS.items() if name in TWO_WORDS}
    for number in dict.fromkeys([2, *classes]):
        stack = random_matrices(number, matrices, spawn("matrices", number))
        stack = stack[(stack.sum(axis=1) > 0).all(axis=1)]
        words: dict[str, Callable[[Array], Array]] = TWO_WORDS if number == 2 else MULTI_WORDS
        for name, described in words.items():
            index = plain[name] if number == 2 else MULTI_CLASS[name]
            _compare_definitions(results, name, number, np.asarray(index(stack)), described(stack))
    return results


def _compare_definitions(
    results: Results, name: str, classes: int, defined: Array, described: Array
) -> None:
    for frame, values in (("defined", defined), ("described", described)):
        who = {"index": name, "classes": classes, "matrix": np.arange(len(values))}
        results.add_frame(frame, who | {"value": values})
    kind = "two classes" if classes == 2 else f"{classes} classes"
    gap = float(np.abs(defined - described).max())
    results.number("table-1", name, f"largest difference, {kind}", gap, n=len(defined))


def _accuracies(stack: Array) -> Array:
    return np.asarray(np.einsum("...ii->...i", stack) / stack.sum(axis=-1))


def _under_the_curve(right: Any, false: Any) -> Any:
    """Return the area under the ROC curve through one point, by trapezoids."""
    return false * right / 2 + (1 - false) * (right + 1) / 2


def _rates_against_others(
    stack: Array, positive: int, negatives: list[int]
) -> tuple[Array, Array, Array]:
    """Return recall, false-positive rate and precision of a class against others."""
    positive_row = stack[:, positive]
    others = stack[:, negatives].sum(axis=1)
    false = others[:, positive] / others.sum(axis=-1)
    called = positive_row[:, positive] + others[:, positive]
    precision = ratio(positive_row[:, positive], called)
    return positive_row[:, positive] / positive_row.sum(axis=-1), false, precision


def _one_against_all(stack: Array) -> list[tuple[Array, Array, Array]]:
    classes = range(stack.shape[-1])
    return [
        _rates_against_others(stack, c, [other for other in classes if other != c]) for c in classes
    ]


def _one_against_one(stack: Array) -> Array:
    """Return the mean over ordered pairs of the area of one class against one other."""
    areas = []
    for first, second in combinations(range(stack.shape[-1]), 2):
        for positive, negative in ((first, second), (second, first)):
            recall, false, _ = _rates_against_others(stack, positive, [negative])
            areas.append(_under_the_curve(recall, false))
    return np.asarray(np.mean(areas, axis=0))


def _geometric(stack: Array) -> Array:
    with np.errstate(divide="ignore"):
        return np.asarray(np.exp(np.log(_accuracies(stack)).mean(axis=-1)))


def _mean_area(stack: Array) -> Array:
    return np.asarray(
        np.mean([_under_the_curve(r, f) for r, f, _ in _one_against_all(stack)], axis=0)
    )


def _mean_of_recall_and_precision(stack: Array) -> Array:
    return np.asarray(np.mean([(r + p) / 2 for r, _, p in _one_against_all(stack)], axis=0))


TWO_WORDS: dict[str, Callable[[Array], Array]] = {
    "GMean": _geometric,
    "AUROC": lambda stack: _accuracies(stack).mean(axis=-1),
    "Precision": lambda stack: stack[:, 0, 0] / stack[:, :, 0].sum(axis=-1),
    "AURPC": lambda stack: (
        (_accuracies(stack)[:, 0] + stack[:, 0, 0] / stack[:, :, 0].sum(axis=-1)) / 2
    ),
}

MULTI_WORDS: dict[str, Callable[[Array], Array]] = {
    "GMean": _geometric,
    "ACSA": lambda stack: _accuracies(stack).mean(axis=-1),
    "AUROC-OVA": _mean_area,
    "AUROC-OVO": _one_against_one,
    "AURPC-OVA": _mean_of_recall_and_precision,
}
