"""What Secs. 3.3 and 3.4.1 say of F-measure space against cost space."""

import numpy as np

from opchar_reproduction.publications.f_measure_space.cases import formula_holds
from opchar_reproduction.publications.f_measure_space.curves import ROUNDING
from opchar_reproduction.statements.measurements import Finding, Measurements, conjunction
from opchar_reproduction.study import statement


@statement("0060")
def higher_everywhere(
    measured: Measurements, *, frame: str = "same-fpr", more: str = "higher", less: str = "lower"
) -> Finding:
    """Judge: one column is above another in all cases."""
    gain = measured.frame(frame)[more] - measured.frame(frame)[less]
    above = gain > 0
    return Finding(
        bool(above.all()),
        f"'{more}' is above '{less}' in {int(above.sum())} of {len(gain)} cases, by "
        f"{gain.min():.2g} at least",
    )


@statement("0047")
def small_m_is_like_large_alpha(measured: Measurements) -> Finding:
    """Judge: m < 0.5 and alpha > 0.5 move what a gain of TPR is worth the same way."""
    table = measured.frame("worth")
    moves = {}
    for weight, below in (("m", True), ("alpha", False)):
        mine = table[table["weight"] == weight]
        worth = mine.pivot_table(index="level", columns="prior", values="worth")
        levels = worth.index < 0.5 if below else worth.index > 0.5
        moves[weight] = np.sign((worth[levels] - worth.loc[0.5]).to_numpy())
    alike = set(np.unique(moves["m"])) == set(np.unique(moves["alpha"]))
    clear = all(len(np.unique(each)) == 1 and each.all() for each in moves.values())
    names = {1: "more", -1: "less", 0: "as much"}
    change_of = {name: names[int(each.flat[0])] for name, each in moves.items()}
    return Finding(
        bool(alike and clear),
        f"a gain of TPR is worth {change_of['m']} FPR with m < 0.5 than with m = 0.5, and "
        f"{change_of['alpha']} with alpha > 0.5 than with alpha = 0.5",
    )


@statement("0059")
def neyman_pearson_bounds(measured: Measurements) -> Finding:
    """Judge: EC_min and F_max are the cost and F at TPR = 1 and FPR_max."""
    cost = formula_holds(measured, frame="least-cost", limit=ROUNDING)
    f = formula_holds(measured, frame="largest-f", limit=ROUNDING)
    parts = {"EC_min": cost.holds, "F_max": f.holds}
    return conjunction(parts, f"EC_min: {cost.evidence}; F_max: {f.evidence}")


@statement("0051")
def crossing_in_the_prior(measured: Measurements) -> Finding:
    """Judge: Eq. 15 gives the P(+) at which two cost lines cross."""
    table = measured.frame("prior-crossing")
    outside = int(((table["said"] < 0) | (table["said"] > 1)).sum())
    equal = (table["said"] - table["computed"]).abs() <= ROUNDING
    return Finding(
        bool(equal.all()),
        f"{int(equal.sum())} of {len(table)} values are where the costs cross, and {outside} lie "
        "outside [0, 1]; with (1/m - 1) on the TPR difference all do",
    )
