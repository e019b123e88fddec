"""The words of Table 1 against Definitions 4 and 6 (mullick2020)."""

from opchar_reproduction.statements.exchange import exchanged
from opchar_reproduction.statements.measurements import Finding, Measurements
from opchar_reproduction.study import statement


@statement(
    "0008",
    study="descriptions",
    criterion="""On large random matrices the geometric mean of all class accuracies, for 2, 3 and 5
        classes, computed from these words, equals GMean by its definition up to rounding. The words
        are the definition, applied and read back.""",
    basis="input",
    control=exchanged("GMean", "ACSA", "defined", "index", among="the defined indices"),
    parameters={"index": "GMean", "limit": 1e-09},
)
@statement(
    "0009",
    study="descriptions",
    criterion="""On large random matrices the arithmetic mean of the two class accuracies,
        computed from these words, equals AUROC by its definition up to rounding. The words
        are the definition, applied and read back.""",
    basis="input",
    control=exchanged("AUROC", "GMean", "defined", "index", among="the defined indices"),
    parameters={"index": "AUROC", "classes": [2], "limit": 1e-09},
)
@statement(
    "0010",
    study="descriptions",
    criterion="""On large random matrices the true positives over all that is called
        positive, computed from these words, equals Precision by its definition up to rounding.
        The words are the definition, applied and read back.""",
    basis="input",
    control=exchanged("Precision", "AURPC", "defined", "index", among="the defined indices"),
    parameters={"index": "Precision", "classes": [2], "limit": 1e-09},
)
@statement(
    "0011",
    study="descriptions",
    criterion="""On large random matrices the mean of recall and precision, computed from
        these words, equals AURPC by its definition up to rounding. The words
        are the definition, applied and read back.""",
    basis="input",
    control=exchanged("AURPC", "Precision", "defined", "index", among="the defined indices"),
    parameters={"index": "AURPC", "classes": [2], "limit": 1e-09},
)
@statement(
    "0012",
    study="descriptions",
    criterion="""On large random matrices the arithmetic mean of the class accuracies,
        computed from these words, equals ACSA by its definition up to rounding. The words
        are the definition, applied and read back.""",
    basis="input",
    control=exchanged("ACSA", "GMean", "defined", "index", among="the defined indices"),
    parameters={"index": "ACSA", "classes": [3, 5], "limit": 1e-09},
)
@statement(
    "0013",
    study="descriptions",
    criterion="""On large random matrices two values are equal up to rounding: AUROC-OVA by its
    definition, and the value computed from these words. The words give the mean over the classes of
    the area under the ROC of one class against all others, by trapezoids through its one point.""",
    control=exchanged("AUROC-OVA", "AUROC-OVO", "defined", "index", among="the defined indices"),
    parameters={"index": "AUROC-OVA", "classes": [3, 5], "limit": 1e-09},
)
@statement(
    "0014",
    study="descriptions",
    criterion="""On large random matrices two values are equal up to rounding: AUROC-OVO by its
    definition, and the value computed from these words. The words give the mean over all ordered
    pairs of classes of the area of one against the other.""",
    control=exchanged("AUROC-OVO", "AUROC-OVA", "defined", "index", among="the defined indices"),
    parameters={"index": "AUROC-OVO", "classes": [3, 5], "limit": 1e-09},
)
@statement(
    "0015",
    study="descriptions",
    criterion="""On large random matrices the mean over the classes of the AURPC of one class
        against all others, computed from these words, equals AURPC-OVA by its definition up to
        rounding. The words are the definition, applied and read back.""",
    basis="input",
    control=exchanged("AURPC-OVA", "ACSA", "defined", "index", among="the defined indices"),
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
