"""Appendix A: combining two classifiers by AND, OR and all ten functions."""

from __future__ import annotations

import pandas as pd

from opchar.statements.f_measure_space.cases import formula_holds
from opchar.statements.measurements import Finding, Measurements


def places_in_roc_space(measured: Measurements) -> Finding:
    """Judge: AND lies to the lower left of both classifiers, OR to the upper right."""
    table = measured.frame("in-roc-space")
    lower = [table[f"{r} AND"] < table[[f"{r}_i", f"{r}_j"]].min(axis=1) for r in ("tpr", "fpr")]
    upper = [table[f"{r} OR"] > table[[f"{r}_i", f"{r}_j"]].max(axis=1) for r in ("tpr", "fpr")]
    counts = [int((both[0] & both[1]).sum()) for both in (lower, upper)]
    return Finding(
        counts == [len(table)] * 2,
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
        f"{shares['printed']:.1%}, the corrected one in {shares['corrected']:.1%}",
    )


def bounds_are_attained(measured: Measurements, *, limit: float) -> Finding:
    """Judge: the printed bounds are the extremes that dependent decisions attain."""
    table = measured.frame("bounds")
    right = (table["said"] - table["computed"]).abs() <= limit
    shares = right.groupby(table["part"] + ", " + table["end"]).mean()
    wrong = ", ".join(f"{which}: {share:.0%}" for which, share in shares.items() if share < 1)
    return Finding(bool(right.all()), f"bounds that are not always attained: {wrong or 'none'}")


def and_helps_at_low_priors(measured: Measurements, *, low: float) -> Finding:
    """Judge: AND gains F over single thresholds at low P(+), all ten functions at all P(+)."""
    f = _mean(measured)
    gain = (f["direct AND"] - f["direct single"])[f.index <= low]
    all_ten = f["direct IBC"] - f["direct single"]
    return Finding(
        bool((gain > 0).all() and (all_ten > 0).all()),
        f"AND gains {_span(gain)} for P(+) <= {low:g}, all ten functions {_span(all_ten)}",
    )


def and_helps_more_than_or(measured: Measurements, *, low: float) -> Finding:
    """Judge: at low P(+) AND has the higher F than OR, by direct and by independent combination."""
    f = _mean(measured)
    leads = {m: (f[f"{m} AND"] - f[f"{m} OR"])[f.index <= low] for m in ("direct", "independent")}
    return Finding(
        all(bool((lead > 0).all()) for lead in leads.values()),
        f"F of AND minus F of OR for P(+) <= {low:g}: "
        + ", ".join(f"{_span(lead)} ({method})" for method, lead in leads.items()),
    )


def all_functions_beat_each(measured: Measurements) -> Finding:
    """Judge: F of all ten functions is nowhere below that of AND or OR alone, somewhere above."""
    f = _mean(measured)
    above = {name: f["direct IBC"] - f[f"direct {name}"] for name in ("AND", "OR")}
    return Finding(
        all(bool((gain >= 0).all() and (gain > 0).any()) for gain in above.values()),
        "F of all ten minus F of "
        + ", of ".join(f"{name}: {_span(gain)}" for name, gain in above.items())
        + ", on the sample that chose the rules",
    )


def curves_leave_a_range(measured: Measurements) -> Finding:
    """Judge: two ROC curves alone leave a range to the ROC of AND and OR."""
    table = measured.frame("dependence")
    moved = (table["as drawn"] - table["shuffled"]).abs()
    return Finding(
        bool((table["wide"] > 0).all() and (moved > 0).all()),
        "; ".join(
            f"{line.function}: {line.wide:.0%} of the pairs of points allow a range, AUC moves by "
            f"{gap:.4f} with the dependence"
            for line, gap in zip(table.itertuples(), moved, strict=True)
        ),
    )


def independent_rates(measured: Measurements, *, limit: float) -> Finding:
    """Judge: Eqs. A.1 to A.4 are the probabilities of joint outcomes of independent decisions."""
    return formula_holds(measured, frame="independent", limit=limit)


def _mean(measured: Measurements) -> pd.DataFrame:
    return measured.frame("drawings").drop(columns="drawing").groupby("at").mean()


def _span(values: pd.Series) -> str:
    return f"{values.min():.4f} to {values.max():.4f}"
