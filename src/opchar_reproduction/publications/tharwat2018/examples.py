"""The worked examples (tharwat2018, slides 21 and 36 to 40)."""

import numpy as np

from opchar.metrics.counts import one_vs_rest
from opchar.metrics.indices.composite import youden
from opchar.metrics.indices.multiclass import overall_accuracy
from opchar.metrics.indices.rates import tnr, tpr
from opchar.ranges import Rate
from opchar_reproduction.publications.tharwat2018.indices import INDICES
from opchar_reproduction.results import Results
from opchar_reproduction.statements.measurements import Finding, Measurements, conjunction
from opchar_reproduction.study import Control, statement, study

IN_THE_EXAMPLE = [
    "Acc",
    "TPR",
    "TNR",
    "PPV",
    "NPV",
    "Err",
    "BCR",
    "FPR",
    "FNR",
    "F-measure",
    "OP",
    "LR+",
    "LR-",
    "DOR",
    "YI",
    "Jaccard",
]
BESIDE_IT = ["GM", "AGM", "MCC", "MK"]


@study("two-class-example", basis="exact")
def two_classes(
    *,
    balanced: dict[str, int] = {"tp": 70, "fn": 30, "fp": 20, "tn": 80},
    enlarged: dict[str, int] = {"tp": 70, "fn": 30, "fp": 200, "tn": 800},
) -> Results:
    """Compute all indices of the two-class example, balanced and with ten times the negatives.

    balanced, enlarged: The counts ``tp``, ``fn``, ``fp`` and ``tn`` of slides 36 and 37.
    """
    results = Results()
    _example(results, "example-binary", "A positive, B negative", balanced)
    _example(results, "example-imbalanced", "B enlarged to 1000", enlarged)
    return results


def _example(results: Results, artefact: str, row: str, counts: dict[str, int]) -> None:
    for name in ("tp", "tn", "fp", "fn"):
        column, count = f"{name.upper()} (input)", counts[name]
        results.number(artefact, row, column, count, unit="count", basis="input")
    for name in IN_THE_EXAMPLE + BESIDE_IT:
        value = float(INDICES[name](**counts))
        results.number(artefact, row, name, value)
        who = {"index": [name], "in the example": name in IN_THE_EXAMPLE, "sample": artefact}
        results.add_frame("indices", who | {"value": value})


@study("three-class-example", basis="exact")
def three_classes(
    *,
    classes: list[str] = ["A", "B", "C"],
    matrix: list[list[int]] = [[80, 15, 0], [15, 70, 10], [5, 15, 90]],
) -> Results:
    """Compute the three-class example from its confusion matrix.

    classes: Names of the classes.
    matrix (list of list of int, shape (C, C)): As the slide shows it: one row per predicted class,
        one column per true class.
    """
    results = Results()
    artefact = "example-multiclass"
    for predicted, counted in zip(classes, matrix, strict=True):
        for true, count in zip(classes, counted, strict=True):
            row, column = f"predicted {predicted}", f"true {true} (input)"
            results.number(artefact, row, column, count, unit="count", basis="input")
    counts = one_vs_rest(matrix, true_class="columns")
    for name, values in (("FN", counts.fn), ("FP", counts.fp), ("TN", counts.tn)):
        for label, value in zip(classes, values, strict=True):
            results.number(artefact, "derived", f"{name}_{label}", value, unit="count")
    results.number(artefact, "result", "accuracy", float(overall_accuracy(np.transpose(matrix))))
    for name, values in (("sensitivity", tpr(*counts)), ("specificity", tnr(*counts))):
        for label, value in zip(classes, values, strict=True):
            results.number(artefact, "result", f"{name} {label}", value)
    return results


@study("youden-example", basis="exact")
def two_tests(
    *, sensitivity: list[Rate] = [0.7, 0.9], specificity: list[Rate] = [0.8, 0.6]
) -> Results:
    """Compute Youden's index of tests that differ in kind, not in its value (slide 21).

    sensitivity, specificity: One number per test, in [0, 1].
    """
    results = Results()
    right, rejected = np.array(sensitivity), np.array(specificity)
    values = youden(right, 1 - right, 1 - rejected, rejected)
    both = zip(sensitivity, specificity, values, strict=True)
    for test, (plus, minus, value) in enumerate(both, start=1):
        row = f"test {test}"
        for name, rate in (("sensitivity", plus), ("specificity", minus)):
            column = f"{name} (input)"
            results.number("text-youden", row, column, rate, unit="fraction", basis="input")
        results.number("text-youden", row, "YI", value)
    return results


def without_enlargement(measured: Measurements) -> Measurements:
    """Control: the second sample is the first one again."""
    table = measured.frame("indices")
    first = table[table["sample"] == BALANCED].set_index("index")["value"]
    return measured.with_frame("indices", lambda each: each.assign(value=each["index"].map(first)))


BALANCED, ENLARGED = "example-binary", "example-imbalanced"
NAMED = {"Acc", "PPV", "NPV", "Err", "OP", "F-measure", "Jaccard"}


@statement("0038", control=Control(without_enlargement, "the negative class is not enlarged"))
def only_the_named_indices_change(measured: Measurements, *, limit: float = 1e-09) -> Finding:
    """Ask whether seven indices change with the negative class, and the others stay."""
    table = measured.frame("indices")
    shown = table[table["in the example"].astype(bool)]
    values = shown.pivot_table("value", index="index", columns="sample")
    changed = set(values.index[(values[ENLARGED] - values[BALANCED]).abs() > limit])
    return conjunction(
        {"the indices named change": changed >= NAMED, "the others stay": changed <= NAMED},
        f"{len(changed)} of {len(values)} indices change: {', '.join(sorted(changed)) or 'none'}",
    )
