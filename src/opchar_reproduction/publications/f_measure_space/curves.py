"""What both works say of F curves: shape, crossings, envelopes, and who is better where."""

import pandas as pd

from opchar_reproduction.statements.measurements import Finding, Measurements, conjunction

ROUNDING = 1e-12


def rising_and_concave(measured: Measurements) -> Finding:
    """Judge: F rises from 0 to TPR/(alpha(TPR-1)+1) over the prior, concave, if TPR > FPR."""
    shape = measured.frame("shape")
    gap = float((shape["end"] - shape["said end"]).abs().max())
    start = float(shape["start"].abs().max())
    rise, bend = float(shape["least rise"].min()), float(shape["largest bend"].max())
    parts = {
        "F is 0 at P(+) = 0": start == 0,
        "F ends at TPR/(alpha(TPR-1)+1)": gap < ROUNDING,
        "F rises": rise > 0,
        "F is concave": bend < 0,
    }
    return conjunction(
        parts,
        f"{len(shape)} curves: F at 0 is {start:g}, its end is as said to {gap:.1g}; least first "
        f"difference {rise:.1g}, largest second difference {bend:.1g}",
    )


def common_crossing(measured: Measurements) -> Finding:
    """Judge: F of all weights is TPR at one P(+); with alpha it falls below it, rises above it."""
    table = measured.frame("common-crossing")
    gap = max(
        float((table[end] - table["tpr"]).abs().max(skipna=False)) for end in ("lowest", "highest")
    )
    below, above = float(table["below"].max()), float(table["above"].min())
    parts = {
        "F of all alpha is TPR at one P(+)": gap < ROUNDING,
        "F falls with alpha below it": below < 0,
        "F rises with alpha above it": above > 0,
    }
    return conjunction(
        parts,
        f"{len(table)} classifiers: F is off TPR at the crossing by up to {gap:.1g}; with alpha it "
        f"changes by {below:.1g} at most below it and {above:.1g} at least above it",
    )


def single_crossing(measured: Measurements) -> Finding:
    """Judge: with TPR and FPR both larger the two F curves cross."""
    table = measured.frame("pairs")
    crosses = (table["crosses"] > 0) & (table["said"] > ROUNDING)
    ratio = table["ratio falls"] > 0
    return Finding(
        bool(crosses.all()),
        f"{int(crosses.sum())} of {len(table)} pairs cross inside (0, 1), and these are "
        f"{'' if (crosses == ratio).all() else 'not '}the pairs in which TPR/FPR falls",
    )


def one_best_threshold(measured: Measurements) -> Finding:
    """Judge: one threshold is best for each P(+), and the envelopes bound all single curves."""
    table = measured.frame("best")
    inside = table[table["breakpoint"] == 0]
    single = inside["number best"] == 1
    f = float((table["F envelope"] - table["largest F"]).abs().max())
    cost = float((table["cost envelope"] - table["least cost"]).abs().max())
    gap = max(f, cost)
    parts = {
        "one threshold is best at each P(+)": single.all(),
        "the F envelope is the largest F": f < ROUNDING,
        "the cost envelope is the least cost": cost < ROUNDING,
    }
    return conjunction(
        parts,
        f"one threshold is best at {int(single.sum())} of {len(inside)} P(+); the envelopes leave "
        f"the best single curve by up to {gap:.1g}",
    )


def better_everywhere(measured: Measurements, *, panel: str, first: bool) -> Finding:
    """Judge: one of two classifiers has the higher F at every P(+) in (0, 1)."""
    table = _order(measured, panel)
    wanted = 1 if first else -1
    return Finding(bool((table["better"] == wanted).all()), _ranges(table))


def better_below_the_crossing(measured: Measurements, *, panel: str, artefact: str) -> Finding:
    """Judge: C_2 is better below P* of Eq. 11, C_1 above it."""
    table = _order(measured, panel)
    at = measured.value(artefact, "P* of Eq. 11", "P(+)")
    meets = len(table) == 2 and abs(float(table["high"].iloc[0]) - at) < 1e-9
    parts = {
        "the curves cross once, at P* of Eq. 11": meets,
        "C_2 is better below, C_1 above": table["better"].tolist() == [-1, 1],
    }
    return conjunction(parts, f"P* = {at:.6f}; {_ranges(table)}")


def cheaper_below(
    measured: Measurements, *, artefact: str, row: str, panel: str = "cost"
) -> Finding:
    """Judge: C_1 is cheaper than C_2 below the PC(+) from which both cost the same."""
    low = measured.value(artefact, row, "equal from PC(+)")
    table = _order(measured, panel)
    below = table[table["high"] <= low]
    return Finding(
        bool((below["better"] == 1).all()), f"both are equal from {low:.4f}; {_ranges(table)}"
    )


def better_then_equal_then_worse(measured: Measurements, *, panel: str = "F") -> Finding:
    """Judge: C_2 is better for small P(+), then both are equal, then C_1 is better."""
    table = _order(measured, panel)
    order = dict(enumerate(table["better"]))
    parts = {
        "C_2 is better for small P(+)": order.get(0) == -1,
        "then both are equal": order.get(1) == 0,
        "then C_1 is better": order.get(2) == 1,
    }
    return conjunction(parts, _ranges(table))


def _order(measured: Measurements, panel: str) -> pd.DataFrame:
    table = measured.frame("order")
    return table[table["panel"] == panel]


def _ranges(table: pd.DataFrame) -> str:
    words = table["better"].map({1: "C_1 better", 0: "equal", -1: "C_2 better"})
    return f"over {'PC(+)' if 'cost' in set(table['panel']) else 'P(+)'}: " + ", ".join(
        f"{who} {low:.3f} to {high:.3f}"
        for who, low, high in zip(words, table["low"], table["high"], strict=True)
    )
