"""What Sec. 3 says of soft classifiers in four spaces (Figures 2 and 4)."""

import numpy as np

from opchar_reproduction.percent import per_cent
from opchar_reproduction.publications.f_measure_space.curves import (
    ROUNDING,
    _order,
    better_then_equal_then_worse,
    one_best_threshold,
)
from opchar_reproduction.statements.measurements import Finding, Measurements, conjunction
from opchar_reproduction.study import statement


@statement("0031")
def four_spaces(measured: Measurements) -> Finding:
    """Judge: the precision-recall curve moves with P(+); one threshold is best for each P(+)."""
    moves = measured.frame("pr-moves").groupby("tpr")["precision"].agg(np.ptp)
    best = one_best_threshold(measured)
    return conjunction(
        {"the PR curve changes with P(+)": (moves > 0).any(), **best.leaves},
        f"precision moves by up to {moves.max():.2f} with P(+); {best.evidence}",
    )


@statement("0045")
def better_then_equal_with_limits(
    measured: Measurements, *, limits: list[float] = [0.4, 0.6], unit: float = 0.1, panel: str = "F"
) -> Finding:
    """Judge: the order of F over P(+) changes at the limits that are said, to half a unit."""
    table = _order(measured, panel)
    edges = table["high"].to_numpy(float)[: len(limits)]
    near = np.abs(edges - np.array(limits)) <= unit / 2
    ordered = better_then_equal_then_worse(measured, panel=panel)
    changes = (f"the order changes at P(+) = {limit:g}" for limit in limits)
    return conjunction(
        {**ordered.leaves, **dict(zip(changes, near, strict=True))}, ordered.evidence
    )


@statement("0046")
def precision_curves_do_not_rank(measured: Measurements) -> Finding:
    """Judge: in PR space neither is ahead at all recalls, and P(+) does not change who is."""
    table = measured.frame("precision-order").assign(ahead=lambda each: each["gain"] > ROUNDING)
    ahead = table.pivot_table(index="recall", columns="prior", values="ahead", aggfunc="first")
    ahead = ahead.astype(bool)
    shares = ahead.mean()
    same = bool((ahead.nunique(axis=1) == 1).all())
    parts = {
        "neither is ahead at all recalls": ((shares > 0) & (shares < 1)).all(),
        "P(+) does not change who is ahead": same,
    }
    return conjunction(
        parts,
        "C_1 is ahead over "
        + ", ".join(f"{per_cent(share)} at P(+) = {prior:g}" for prior, share in shares.items())
        + f" of the recalls, {'the same' if same else 'not the same'} ones, while F orders the "
        "classifiers anew with P(+)",
    )
