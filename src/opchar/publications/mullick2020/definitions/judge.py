"""The words of Table 1 against Definitions 4 and 6 (mullick2020)."""

from __future__ import annotations

from opchar.statements.controls import exchange_levels
from opchar.statements.measurements import Finding, Measurements
from opchar.study import Control, statement


@statement(
    "0008",
    study="descriptions",
    criterion="""On large random matrices the geometric mean of all class accuracies, for 2,
        3 and 5 classes, computed from these words, equals GMean by its definition up to
        rounding. The words
        are the definition, applied and read back.""",
    basis="input",
    decided="undated",
    control=Control(
        exchange_levels,
        "GMean and ACSA exchanged among the defined indices",
        frame="defined",
        column="index",
        first="GMean",
        second="ACSA",
    ),
    parameters={"index": "GMean", "limit": 1e-09},
)
@statement(
    "0009",
    study="descriptions",
    criterion="""On large random matrices the arithmetic mean of the two class accuracies,
        computed from these words, equals AUROC by its definition up to rounding. The words
        are the definition, applied and read back.""",
    basis="input",
    decided="undated",
    control=Control(
        exchange_levels,
        "AUROC and GMean exchanged among the defined indices",
        frame="defined",
        column="index",
        first="AUROC",
        second="GMean",
    ),
    parameters={"index": "AUROC", "classes": [2], "limit": 1e-09},
)
@statement(
    "0010",
    study="descriptions",
    criterion="""On large random matrices the true positives over all that is called
        positive, computed from these words, equals Precision by its definition up to rounding.
        The words are the definition, applied and read back.""",
    basis="input",
    decided="undated",
    control=Control(
        exchange_levels,
        "Precision and AURPC exchanged among the defined indices",
        frame="defined",
        column="index",
        first="Precision",
        second="AURPC",
    ),
    parameters={"index": "Precision", "classes": [2], "limit": 1e-09},
)
@statement(
    "0011",
    study="descriptions",
    criterion="""On large random matrices the mean of recall and precision, computed from
        these words, equals AURPC by its definition up to rounding. The words
        are the definition, applied and read back.""",
    basis="input",
    decided="undated",
    control=Control(
        exchange_levels,
        "AURPC and Precision exchanged among the defined indices",
        frame="defined",
        column="index",
        first="AURPC",
        second="Precision",
    ),
    parameters={"index": "AURPC", "classes": [2], "limit": 1e-09},
)
@statement(
    "0012",
    study="descriptions",
    criterion="""On large random matrices the arithmetic mean of the class accuracies,
        computed from these words, equals ACSA by its definition up to rounding. The words
        are the definition, applied and read back.""",
    basis="input",
    decided="undated",
    control=Control(
        exchange_levels,
        "ACSA and GMean exchanged among the defined indices",
        frame="defined",
        column="index",
        first="ACSA",
        second="GMean",
    ),
    parameters={"index": "ACSA", "classes": [3, 5], "limit": 1e-09},
)
@statement(
    "0013",
    study="descriptions",
    criterion="""On large random matrices the mean over the classes of the area under the ROC
        of one class against all others, by trapezoids through its one point, computed from
        these words, equals AUROC-OVA by its definition up to rounding.""",
    decided="undated",
    control=Control(
        exchange_levels,
        "AUROC-OVA and AUROC-OVO exchanged among the defined indices",
        frame="defined",
        column="index",
        first="AUROC-OVA",
        second="AUROC-OVO",
    ),
    parameters={"index": "AUROC-OVA", "classes": [3, 5], "limit": 1e-09},
)
@statement(
    "0014",
    study="descriptions",
    criterion="""On large random matrices the mean over all ordered pairs of classes of the
        area of one against the other, computed from these words, equals AUROC-OVO by its
        definition up to rounding.""",
    decided="undated",
    control=Control(
        exchange_levels,
        "AUROC-OVO and AUROC-OVA exchanged among the defined indices",
        frame="defined",
        column="index",
        first="AUROC-OVO",
        second="AUROC-OVA",
    ),
    parameters={"index": "AUROC-OVO", "classes": [3, 5], "limit": 1e-09},
)
@statement(
    "0015",
    study="descriptions",
    criterion="""On large random matrices the mean over the classes of the AURPC of one class
        against all others, computed from these words, equals AURPC-OVA by its definition up to
        rounding. The words
        are the definition, applied and read back.""",
    basis="input",
    decided="undated",
    control=Control(
        exchange_levels,
        "AURPC-OVA and ACSA exchanged among the defined indices",
        frame="defined",
        column="index",
        first="AURPC-OVA",
        second="ACSA",
    ),
    parameters={"index": "AURPC-OVA", "classes": [3, 5], "limit": 1e-09},
)
def described_as_defined(
    measured: Measurements, *, index: str, classes: list[int] | None = None, limit: float
) -> Finding:
    """Judge whether the index by the words of Table 1 has the values of its definition.

    Without `classes` for every number of classes that was measured.
    """
    keys = ["index", "classes", "matrix"]
    both = measured.frame("defined").merge(
        measured.frame("described"), on=keys, suffixes=(" defined", " described")
    )
    part = both[both["index"] == index]
    if classes is not None:
        part = part[part["classes"].isin(classes)]
    gap = float((part["value defined"] - part["value described"]).abs().max())
    numbers = ", ".join(str(int(number)) for number in sorted(part["classes"].unique()))
    return Finding(
        len(part) > 0 and gap < limit,
        f"{len(part)} matrices, C = {numbers}: largest difference {gap:.2g}",
    )
