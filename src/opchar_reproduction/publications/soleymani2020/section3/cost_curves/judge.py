"""Claims on F-measure space against cost space (Sec. 3)."""

import numpy as np

from opchar_reproduction.publications.f_measure_space.curves import ROUNDING
from opchar_reproduction.statements.measurements import Finding, Measurements, conjunction
from opchar_reproduction.study import statement


@statement("0049")
def m_moves_cost_only_over_the_prior(measured: Measurements) -> Finding:
    """Judge: against PC(+) cost does not depend on m, against P(+) it does; F depends on alpha."""
    spread = measured.frame("weight-spread").max()
    against, over, f = spread[["cost at one PC(+)", "cost at one P(+)", "F at one P(+)"]]
    parts = {
        "at one PC(+) cost does not depend on m": against < ROUNDING,
        "at one P(+) it does": over > ROUNDING,
        "F depends on alpha": f > ROUNDING,
    }
    return conjunction(
        parts,
        f"over m the cost spreads by {against:.1g} at one PC(+) and by up to {over:.3f} at one "
        f"P(+); over alpha F spreads by {f:.3f}",
    )


@statement("0052")
def pairs_cross_in_one_space_only(measured: Measurements) -> Finding:
    """Judge: some pairs cross in F space but not in cost space, and some the other way round."""
    table = measured.frame("crossing-pairs") > 0
    only_f = int((table["F"] & ~table["cost"]).sum())
    only_cost = int((table["cost"] & ~table["F"]).sum())
    within = int((table["F"] & ~table["within"]).sum())
    parts = {
        "pairs cross in F space only": only_f > 0,
        "pairs cross in cost space only": only_cost > 0,
    }
    return conjunction(
        parts,
        f"of {len(table)} pairs {only_cost} cross in cost space only and {only_f} in F space only; "
        f"{within} cross in F space only, within the range in which the cost lines are of use",
    )


@statement("0057")
def f_falls_more_than_cost_rises(measured: Measurements) -> Finding:
    """Judge: from FPR = 0 to any larger one F falls by more than 1 - EC does."""
    table = measured.frame("a")
    falls = table[["f", "saved"]].iloc[0] - table[["f", "saved"]].iloc[1:]
    more = falls["f"] > falls["saved"]
    return Finding(
        bool(more.all()),
        f"up to FPR = {table['fpr'].iloc[-1]:g} F falls by {falls['f'].iloc[-1]:.4f} and 1 - EC by "
        f"{falls['saved'].iloc[-1]:.4f}; F by more at {int(more.sum())} of {len(more)} points",
    )


@statement("0058")
def f_curves_separate(measured: Measurements, *, times: float = 10) -> Finding:
    """Judge: as P(+) falls the F curves of two FPR move apart, far more than their cost curves."""
    table = measured.frame("apart").sort_values("prior", ascending=False)
    f, cost = table["F"].to_numpy(float), table["cost"].to_numpy(float)
    parts = {
        "the F curves move apart at each step": (np.diff(f) > 0).all(),
        "the cost curves stay far closer": f[-1] > times * cost[-1],
    }
    return conjunction(
        parts,
        f"F is {f[0]:.3f} apart at P(+) = {table['prior'].iloc[0]:g} and {f[-1]:.3f} at "
        f"{table['prior'].iloc[-1]:g}, cost {cost[0]:.4f} and {cost[-1]:.4f}",
    )
