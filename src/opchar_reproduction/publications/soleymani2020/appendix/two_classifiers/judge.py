"""Claims on two classifiers, combined by AND, OR and all ten functions (Appendix A)."""

import pandas as pd

from opchar_reproduction.percent import per_cent
from opchar_reproduction.statements.measurements import Finding, Measurements, conjunction
from opchar_reproduction.study import statement


@statement("0063")
def and_helps_at_low_priors(measured: Measurements, *, low: float = 0.1) -> Finding:
    """Judge: AND gains F over single thresholds at low P(+), all ten functions at all P(+)."""
    f = _mean(measured)
    gain = (f["direct AND"] - f["direct single"])[f.index <= low]
    all_ten = f["direct IBC"] - f["direct single"]
    parts = {
        "AND gains at low P(+)": (gain > 0).all(),
        "all ten functions gain at all P(+)": (all_ten > 0).all(),
    }
    return conjunction(
        parts, f"AND gains {_span(gain)} for P(+) <= {low:g}, all ten functions {_span(all_ten)}"
    )


@statement("0084")
def and_helps_more_than_or(measured: Measurements, *, low: float = 0.1) -> Finding:
    """Judge: at low P(+) AND has the higher F than OR, by direct and by independent combination."""
    f = _mean(measured)
    leads = {m: (f[f"{m} AND"] - f[f"{m} OR"])[f.index <= low] for m in ("direct", "independent")}
    return conjunction(
        {f"AND above OR by {way} combination": (lead > 0).all() for way, lead in leads.items()},
        f"F of AND minus F of OR for P(+) <= {low:g}: "
        + ", ".join(f"{_span(lead)} ({method})" for method, lead in leads.items()),
    )


@statement("0086")
def all_functions_beat_each(measured: Measurements) -> Finding:
    """Judge: F of all ten functions is nowhere below that of AND or OR alone, somewhere above."""
    f = _mean(measured)
    above = {name: f["direct IBC"] - f[f"direct {name}"] for name in ("AND", "OR")}
    return conjunction(
        {
            f"better than {name} alone": (gain >= 0).all() and (gain > 0).any()
            for name, gain in above.items()
        },
        "F of all ten minus F of "
        + ", of ".join(f"{name}: {_span(gain)}" for name, gain in above.items())
        + ", on the sample that chose the rules",
    )


@statement("0085")
def curves_leave_a_range(measured: Measurements) -> Finding:
    """Judge: two ROC curves alone leave a range to the ROC of AND and OR."""
    table = measured.frame("dependence")
    moved = (table["as drawn"] - table["shuffled"]).abs()
    parts = {
        "pairs of points allow a range": (table["wide"] > 0).all(),
        "AUC moves with the dependence": (moved > 0).all(),
    }
    return conjunction(
        parts,
        "; ".join(
            f"{name}: {per_cent(wide)} of the pairs of points allow a range, AUC moves by "
            f"{gap:.4f} with the dependence"
            for name, wide, gap in zip(table["function"], table["wide"], moved, strict=True)
        ),
    )


def _mean(measured: Measurements) -> pd.DataFrame:
    return measured.frame("drawings").drop(columns="drawing").groupby("at").mean()


def _span(values: pd.Series) -> str:
    return f"{values.min():.4f} to {values.max():.4f}"
