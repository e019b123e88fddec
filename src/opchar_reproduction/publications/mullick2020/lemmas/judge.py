"""Lemmas 2 and 3, the normalisations of Sec. 4, and Eqs. 27 and 28 (mullick2020)."""

import pandas as pd

from opchar_reproduction.statements.exchange import copy_column, exchanged, reverse
from opchar_reproduction.statements.measurements import Finding, Measurements, conjunction
from opchar_reproduction.study import statement


@statement(
    "0033",
    study="lemmas",
    criterion="""Both sides of Eq. 17 are equal, up to rounding, on all small and large
        random matrices of 2 to 10 classes.""",
    control=copy_column(
        "nAUROC-OVA in the place of ACSA times coefficient plus bias",
        "affine",
        "nAUROC-OVA",
        "by Lemma 2",
    ),
    parameters={"first": "AUROC-OVO", "second": "by Lemma 2", "limit": 1e-09},
)
@statement(
    "0044",
    study="lemmas",
    criterion="""AUROC-OVO minus its bias, over its coefficient, equals ACSA, up to rounding,
        on all small and large random matrices of 2 to 10 classes.""",
    control=copy_column(
        "nAUROC-OVA in the place of the normalised AUROC-OVO",
        "affine",
        "nAUROC-OVA",
        "AUROC-OVO without bias, over coefficient",
    ),
    parameters={
        "first": "AUROC-OVO without bias, over coefficient",
        "second": "ACSA",
        "limit": 1e-09,
    },
)
def columns_agree(measured: Measurements, *, first: str, second: str, limit: float) -> Finding:
    """Two sides of an equation are equal on every matrix."""
    table = measured.frame("affine")
    gap = float((table[first] - table[second]).abs().max())
    numbers = sorted({int(number) for number in table["classes"]})
    return Finding(
        gap < limit,
        f"{len(table)} matrices of {numbers[0]} to {numbers[-1]} classes: '{first}' and '{second}' "
        f"differ by at most {gap:.2g}",
    )


@statement(
    "0034",
    study="lemmas",
    criterion="The least AUROC-OVO that a search finds is (C-2)/(2(C-1)) for each C.",
    control=reverse("stated bounds in reverse order of C", "bounds of OVO", "stated"),
    parameters={"frame": "bounds of OVO", "limit": 1e-09},
)
@statement(
    "0036",
    study="lemmas",
    criterion="""For each of several class sizes the least AUROC-OVA that a search over all matrices
    finds equals Lemma 3.""",
    control=reverse("stated bounds in reverse order", "bounds of OVA", "stated"),
    parameters={"frame": "bounds of OVA", "limit": 1e-09},
)
def found_as_stated(measured: Measurements, *, frame: str, limit: float) -> Finding:
    """Judge whether the least values found are those that the lemma states."""
    table = measured.frame(frame)
    gap = float((table["found"] - table["stated"]).abs().max())
    found = ", ".join(f"{value:.4f}" for value in table["found"])
    return Finding(gap < limit, f"least found {found}; at most {gap:.2g} off what is stated")


@statement(
    "0043",
    study="lemmas",
    criterion="""For each C the least AUROC-OVA that a search over any class sizes finds is not
    below lambda_C = (C-2)/(2C). On all matrices nAUROC-OVA of the library is (AUROC-OVA - lambda_C)
    / (1 - lambda_C), up to rounding.""",
    control=reverse("least values in reverse order of C", "weak bound", "found"),
    leaf_controls=[exchanged("nAUROC-OVA", "AUROC-OVO", "affine")],
)
def weak_bound_is_never_passed(measured: Measurements, *, limit: float = 1e-06) -> Finding:
    """lambda_C lies below all values, and nAUROC-OVA is AUROC-OVA rescaled from it."""
    bounds, table = measured.frame("weak bound"), measured.frame("affine")
    above = bounds["found"] - bounds["lambda"]
    gap = float((table["nAUROC-OVA"] - table["by Sec. 4"]).abs().max())
    parts = {
        "no value is below lambda_C": (above > -limit).all(),
        "nAUROC-OVA is AUROC-OVA rescaled from it": gap < limit,
    }
    return conjunction(
        parts,
        f"least AUROC-OVA found minus lambda_C: {above.min():.2g} to {above.max():.2g} over "
        f"{len(bounds)} numbers of classes; nAUROC-OVA is off its formula by {gap:.2g} at most",
    )


@statement(
    "0051",
    study="failing-class",
    criterion="""For each C the least and the largest limit of ACSA over all ways in which
        one class fails are (C-1)/C.""",
    control=exchanged("ACSA", "GMean", "limits", "index"),
)
def limit_of_acsa(measured: Measurements, *, limit: float = 1e-06) -> Finding:
    """ACSA tends to (C - 1)/C however one class fails."""
    table = _limits(measured, "ACSA")
    wanted = (table["classes"] - 1) / table["classes"]
    gaps = {end: float((table[end] - wanted).abs().max()) for end in ("least", "largest")}
    shown = ", ".join(f"{value:.4f}" for value in table["least"])
    parts = {f"the {end} limit is (C - 1)/C": gap < limit for end, gap in gaps.items()}
    return conjunction(parts, f"limits {shown}; at most {max(gaps.values()):.2g} off (C - 1)/C")


@statement(
    "0052",
    study="failing-class",
    criterion="""For each C the least limit of mAURPC-OVA over all ways in which one class
        fails is larger than 3(C-1)/(4C).""",
    control=exchanged("mAURPC-OVA", "GMean", "limits", "index"),
)
def limit_of_m_aurpc_ova(measured: Measurements) -> Finding:
    """Judge whether the limit of mAURPC-OVA exceeds 3(C - 1)/(4C) however one class fails."""
    table = _limits(measured, "mAURPC-OVA")
    bound = 3 * (table["classes"] - 1) / (4 * table["classes"])
    pairs = ", ".join(
        f"{low:.3f} above {b:.3f}" for low, b in zip(table["least"], bound, strict=True)
    )
    return Finding(bool((table["least"] > bound).all()), f"least limits: {pairs}")


def _limits(measured: Measurements, index: str) -> pd.DataFrame:
    table = measured.frame("limits")
    return table[table["index"] == index].sort_values("classes")
