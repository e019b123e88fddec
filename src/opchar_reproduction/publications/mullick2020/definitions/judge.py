"""The words of Table 1 against Definitions 4 and 6 (mullick2020)."""

from opchar_reproduction.statements.measurements import Finding, Measurements


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
