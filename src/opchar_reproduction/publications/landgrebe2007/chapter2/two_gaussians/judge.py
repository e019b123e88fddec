"""What Sec. 2.2.2 says of two points on the ROC of two Gaussian classes (Fig. 2.2)."""

from opchar_reproduction.statements.measurements import Finding, Measurements, conjunction
from opchar_reproduction.study import statement

EXACTLY = 1e-12


@statement("0014")
def a_has_equal_errors_and_b_least_cost(
    measured: Measurements, *, costs: list[float] = [0.2, 0.8]
) -> Finding:
    """Tell whether A has equal errors and no point of the ROC costs less than B at equal priors."""
    a_fnr, a_fpr, b_fnr, b_fpr = (
        measured.value("figure-2.2", f"point {point}", rate)
        for point in "AB"
        for rate in ("FN_r", "FP_r")
    )
    roc = measured.frame("roc")
    loss = (costs[0] * b_fnr + costs[1] * b_fpr) / 2
    least = float(((costs[0] * roc["fnr"] + costs[1] * roc["fpr"]) / 2).min())
    return conjunction(
        {
            "errors are equal at A": abs(a_fnr - a_fpr) < EXACTLY,
            "B costs least": loss - least <= EXACTLY,
        },
        f"A: FN_r {a_fnr:.4f} and FP_r {a_fpr:.4f}; B: FN_r {b_fnr:.4f}, FP_r {b_fpr:.4f} and "
        f"loss {loss:.4f}, the least of {len(roc)} points {least:.4f}",
    )
