"""Claims on the formulas of combinations by AND and OR (Appendix A)."""

from opchar_reproduction.percent import per_cent
from opchar_reproduction.publications.f_measure_space.cases import formula_holds
from opchar_reproduction.statements.measurements import Finding, Measurements, conjunction
from opchar_reproduction.study import statement


@statement("0078")
def places_in_roc_space(measured: Measurements) -> Finding:
    """Judge: AND lies to the lower left of both classifiers, OR to the upper right."""
    table = measured.frame("in-roc-space")
    lower = [table[f"{r} AND"] < table[[f"{r}_i", f"{r}_j"]].min(axis=1) for r in ("tpr", "fpr")]
    upper = [table[f"{r} OR"] > table[[f"{r}_i", f"{r}_j"]].max(axis=1) for r in ("tpr", "fpr")]
    counts = [int((both[0] & both[1]).sum()) for both in (lower, upper)]
    parts = {
        "AND lies to the lower left": counts[0] == len(table),
        "OR lies to the upper right": counts[1] == len(table),
    }
    return conjunction(
        parts,
        f"of {len(table)} pairs AND lies to the lower left in {counts[0]}, OR to the upper right "
        f"in {counts[1]}",
    )


def condition_tells_the_better(measured: Measurements, *, frame: str) -> Finding:
    """Judge: a condition tells where the combination is better than one classifier."""
    total = measured.frame(frame)[["compared", "printed", "corrected"]].sum()
    shares = total[["printed", "corrected"]] / total["compared"]
    return Finding(
        bool(total["printed"] == total["compared"]),
        f"of {total['compared']:.0f} comparisons the printed condition is right in "
        f"{per_cent(shares['printed'], 1)}, the corrected one in "
        f"{per_cent(shares['corrected'], 1)}",
    )


@statement("0083")
def bounds_are_attained(measured: Measurements, *, limit: float = 1e-08) -> Finding:
    """Judge: the printed bounds are the extremes that dependent decisions attain."""
    table = measured.frame("bounds")
    right = (table["said"] - table["computed"]).abs() <= limit
    shares = right.groupby(table["part"] + ", " + table["end"]).mean()
    wrong = ", ".join(f"{which}: {per_cent(share)}" for which, share in shares.items() if share < 1)
    parts = {f"{which}est": share == 1 for which, share in shares.items()}
    return conjunction(parts, f"bounds that are not always attained: {wrong or 'none'}")


@statement("0091")
def independent_rates(measured: Measurements, *, limit: float = 1e-12) -> Finding:
    """Judge: Eqs. A.1 to A.4 are the probabilities of joint outcomes of independent decisions."""
    return formula_holds(measured, frame="independent", limit=limit, by="function")
