"""Sec. 3: F-measure space, F-measure against cost, and combination in F-measure space."""

from __future__ import annotations

import numpy as np

from opchar.statements.f_measure_space.cases import constant_curve, formula_holds
from opchar.statements.f_measure_space.curves import single_crossing
from opchar.statements.measurements import Finding, Measurements

ROUNDING = 1e-12

__all__ = ["single_crossing"]


def all_weights_meet(measured: Measurements, *, tpr: float) -> Finding:
    """Judge: F curves of all weights meet in one point; that of alpha = 0 is the constant TPR."""
    table = measured.frame("at")
    at = table[table["place"] == "crossing"]["f"]
    gap = float((at - tpr).abs().max())
    constant = constant_curve(
        measured, frame="f", series="α = 0", column="f", value=tpr, limit=ROUNDING
    )
    return Finding(
        gap < ROUNDING and constant.holds,
        f"at the common crossing F leaves TPR by up to {gap:.1g}; {constant.evidence}",
    )


def curves_approach_the_diagonal(measured: Measurements) -> Finding:
    """Judge: with lower thresholds F curves leave the Y axis, and the last one is the diagonal."""
    slopes = measured.frame("slopes")["slope"].to_numpy(float)
    last = formula_holds(measured, frame="last-curve", limit=ROUNDING)
    return Finding(
        bool((np.diff(slopes) < 0).all()) and last.holds,
        f"slopes at P(+) = 0 are {', '.join(f'{s:.1f}' for s in slopes)}, thresholds falling; last "
        f"curve, the diagonal being said: {last.evidence}",
    )


def dominance(measured: Measurements) -> Finding:
    """Judge: under each of the conditions (i) to (iii) F_j > F_i for all P(+) > 0."""
    table = measured.frame("dominance")
    least = table.groupby("condition")["gain"].min()
    inside = table[table["prior"] < 1]["gain"].min()
    return Finding(
        bool((least > 0).all()),
        "least gain of F: "
        + ", ".join(f"{gain:.1g} under ({name})" for name, gain in least.items())
        + f"; {inside:.1g} for P(+) < 1",
    )


def side_of_crossing(measured: Measurements) -> Finding:
    """Judge: the larger TPR and FPR is better above the crossing, worse below."""
    table = measured.frame("sides")
    wrong = int((table["above"] <= 0).sum() + (table["below"] >= 0).sum())
    return Finding(
        wrong == 0, f"{len(table)} crossings, judged below and above: {wrong} on the wrong side"
    )


def best_lie_on_the_hull(measured: Measurements) -> Finding:
    """Judge: whatever is best in F for some P(+) is a vertex of the ROC convex hull."""
    table = measured.frame("hulls")
    off, best = int(table["off the hull"].sum()), int(table["best"].sum())
    subset = float((table["saved"] > 0).mean())
    return Finding(
        off == 0,
        f"{off} of {best} best classifiers lie off the hull; a true subset of the hull is enough "
        f"in {subset:.0%} of the cases",
    )


def precision_curves_do_not_rank(measured: Measurements) -> Finding:
    """Judge: in PR space neither is ahead at all recalls, and P(+) does not change who is."""
    table = measured.frame("precision-order").assign(ahead=lambda each: each["gain"] > ROUNDING)
    ahead = table.pivot_table(index="recall", columns="prior", values="ahead", aggfunc="first")
    ahead = ahead.astype(bool)
    shares = ahead.mean()
    mixed = bool(((shares > 0) & (shares < 1)).all())
    same = bool(ahead.eq(ahead.iloc[:, 0], axis=0).all(axis=None))
    return Finding(
        mixed and same,
        "C_1 is ahead over "
        + ", ".join(f"{share:.0%} at P(+) = {prior:g}" for prior, share in shares.items())
        + f" of the recalls, {'the same' if same else 'not the same'} ones, while F orders the "
        "classifiers anew with P(+)",
    )


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
    words = {1: "more", -1: "less", 0: "as much"}
    said = {name: words[int(each.flat[0])] for name, each in moves.items()}
    return Finding(
        bool(alike and clear),
        f"a gain of TPR is worth {said['m']} FPR with m < 0.5 than with m = 0.5, and "
        f"{said['alpha']} with alpha > 0.5 than with alpha = 0.5",
    )


def m_moves_cost_only_over_the_prior(measured: Measurements) -> Finding:
    """Judge: against PC(+) cost does not depend on m, against P(+) it does; F depends on alpha."""
    spread = measured.frame("weight-spread").max()
    against, over, f = spread[["cost at one PC(+)", "cost at one P(+)", "F at one P(+)"]]
    return Finding(
        bool(against < ROUNDING < min(over, f)),
        f"over m the cost spreads by {against:.1g} at one PC(+) and by up to {over:.3f} at one "
        f"P(+); over alpha F spreads by {f:.3f}",
    )


def pairs_cross_in_one_space_only(measured: Measurements) -> Finding:
    """Judge: some pairs cross in F space but not in cost space, and some the other way round."""
    table = measured.frame("crossing-pairs") > 0
    only_f = int((table["F"] & ~table["cost"]).sum())
    only_cost = int((table["cost"] & ~table["F"]).sum())
    within = int((table["F"] & ~table["within"]).sum())
    return Finding(
        only_f > 0 and only_cost > 0,
        f"of {len(table)} pairs {only_cost} cross in cost space only and {only_f} in F space only; "
        f"{within} cross in F space only, within the range in which the cost lines are of use",
    )


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


def f_curves_separate(measured: Measurements, *, times: float) -> Finding:
    """Judge: as P(+) falls the F curves of two FPR move apart, far more than their cost curves."""
    table = measured.frame("apart").sort_values("prior", ascending=False)
    f, cost = table["F"].to_numpy(float), table["cost"].to_numpy(float)
    grows = bool((np.diff(f) > 0).all())
    return Finding(
        grows and f[-1] > times * cost[-1],
        f"F is {f[0]:.3f} apart at P(+) = {table['prior'].iloc[0]:g} and {f[-1]:.3f} at "
        f"{table['prior'].iloc[-1]:g}, cost {cost[0]:.4f} and {cost[-1]:.4f}",
    )


def neyman_pearson_bounds(measured: Measurements) -> Finding:
    """Judge: EC_min and F_max are the cost and F at TPR = 1 and FPR_max."""
    cost = formula_holds(measured, frame="least-cost", limit=ROUNDING)
    f = formula_holds(measured, frame="largest-f", limit=ROUNDING)
    return Finding(cost.holds and f.holds, f"EC_min: {cost.evidence}; F_max: {f.evidence}")


def crossing_in_the_prior(measured: Measurements) -> Finding:
    """Judge: Eq. 15 gives the P(+) at which two cost lines cross."""
    table = measured.frame("prior-crossing")
    outside = int((~table["said"].between(0, 1)).sum())
    equal = np.isclose(table["said"], table["computed"], atol=ROUNDING, rtol=0)
    return Finding(
        bool(equal.all()),
        f"{int(equal.sum())} of {len(table)} values are where the costs cross, and {outside} lie "
        "outside [0, 1]; with (1/m - 1) on the TPR difference all do",
    )


def decision_vectors(measured: Measurements) -> Finding:
    """Judge: the loops of Algorithm 1 make as many decision vectors as is printed."""
    line = measured.frame("decision-vectors").iloc[0]
    return Finding(
        line["made"] == line["as printed"],
        f"{line['classifiers']:.0f} classifiers: the loops make {line['made']:.0f} decision "
        f"vectors, sum T_e + 10 sum T_e T_k gives {line['by sum']:.0f}, the printed product "
        f"{line['as printed']:.0f}",
    )


def complexity(measured: Measurements) -> Finding:
    """Judge: the loops make at most 10 T_max^2 E (E - 1) Boolean operations, and a rule has one."""
    line = measured.frame("decision-vectors").iloc[0]
    bound = 10 * line["largest"] ** 2 * line["classifiers"] * (line["classifiers"] - 1)
    operations = line["made"] - line["single"]
    return Finding(
        operations <= bound and line["deepest"] <= 2,
        f"{operations:.0f} Boolean operations, 10 T_max^2 E (E - 1) = {bound:.0f}; a rule makes at "
        f"most {line['deepest']:.0f} comparisons; the work does not define its T_D",
    )
