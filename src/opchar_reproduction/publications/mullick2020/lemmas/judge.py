"""Lemmas 2 and 3, the normalisations of Sec. 4, and Eqs. 27 and 28 (mullick2020)."""

import pandas as pd

from opchar_reproduction.statements.measurements import Finding, Measurements, conjunction
from opchar_reproduction.study import statement


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


def found_as_stated(measured: Measurements, *, frame: str, limit: float) -> Finding:
    """Judge whether the least values found are those that the lemma states."""
    table = measured.frame(frame)
    gap = float((table["found"] - table["stated"]).abs().max())
    found = ", ".join(f"{value:.4f}" for value in table["found"])
    return Finding(gap < limit, f"least found {found}; at most {gap:.2g} off what is stated")


@statement("0043")
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


@statement("0051")
def limit_of_acsa(measured: Measurements, *, limit: float = 1e-06) -> Finding:
    """ACSA tends to (C - 1)/C however one class fails."""
    table = _limits(measured, "ACSA")
    wanted = (table["classes"] - 1) / table["classes"]
    gaps = {end: float((table[end] - wanted).abs().max()) for end in ("least", "largest")}
    shown = ", ".join(f"{value:.4f}" for value in table["least"])
    parts = {f"the {end} limit is (C - 1)/C": gap < limit for end, gap in gaps.items()}
    return conjunction(parts, f"limits {shown}; at most {max(gaps.values()):.2g} off (C - 1)/C")


@statement("0052")
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
