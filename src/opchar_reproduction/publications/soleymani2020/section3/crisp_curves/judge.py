"""Claims on crisp classifiers in F-measure space (Sec. 3)."""

import numpy as np

from opchar.ranges import Rate
from opchar_reproduction.publications.f_measure_space.cases import constant_curve, formula_holds
from opchar_reproduction.publications.f_measure_space.curves import (
    ROUNDING,
)
from opchar_reproduction.statements.measurements import Finding, Measurements, conjunction
from opchar_reproduction.study import statement


@statement("0029")
def all_weights_meet(measured: Measurements, *, tpr: Rate = 0.8) -> Finding:
    """Judge: F curves of all weights meet in one point; that of alpha = 0 is the constant TPR."""
    table = measured.frame("at")
    at = table[table["place"] == "crossing"]["f"]
    gap = float((at - tpr).abs().max())
    constant = constant_curve(
        measured, frame="f", series="α = 0", column="f", value=tpr, limit=ROUNDING
    )
    parts = {
        "all curves cross in one point": gap < ROUNDING,
        "that of alpha = 0 is the constant TPR": constant.holds,
    }
    return conjunction(
        parts, f"at the common crossing F is off TPR by up to {gap:.1g}; {constant.evidence}"
    )


@statement("0030")
def curves_approach_the_diagonal(measured: Measurements) -> Finding:
    """Judge: with lower thresholds F curves leave the Y axis, and the last one is the diagonal."""
    slopes = measured.frame("slopes")["slope"].to_numpy(float)
    last = formula_holds(measured, frame="last-curve", limit=ROUNDING)
    parts = {
        "slopes at P(+) = 0 fall with the threshold": (np.diff(slopes) < 0).all(),
        "the last curve is the diagonal": last.holds,
    }
    return conjunction(
        parts,
        f"slopes at P(+) = 0 are {', '.join(f'{s:.1f}' for s in slopes)}, thresholds falling; last "
        f"curve, the diagonal being said: {last.evidence}",
    )
