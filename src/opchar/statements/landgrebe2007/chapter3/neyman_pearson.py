"""What Secs. 3.2.4 and 3.2.5 say of limits on the errors of several classes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from opchar.statements.measurements import Finding, Measurements

SAME = 1e-12


def one_limit_can_be_met_several_need_not(measured: Measurements, *, limit: float) -> Finding:
    """Sec. 3.2.4: a solution is guaranteed for one limited error, not for several."""
    single, pairs = measured.frame("single errors"), measured.frame("pairs of errors")
    met, together = single["least"] <= limit, pairs["least"] <= limit
    worst = pairs.iloc[int(pairs["least"].to_numpy().argmax())]
    return Finding(
        bool(met.all() and not together.all()),
        f"{met.sum()} of {len(met)} errors can be limited to {limit:g}, and {together.sum()} of "
        f"{len(together)} pairs of errors; {worst['first']} with {worst['second']} no lower than "
        f"{worst['least']:.3f}",
    )


def first_two_specifications_can_be_met_but_not_the_third(
    measured: Measurements, *, possible: Sequence[str], impossible: str, share: float
) -> Finding:
    """Sec. 3.2.5: the optimisation is successful in the first two experiments, not in the third."""
    frame = measured.frame("specifications")
    feasible = frame.pivot_table("feasible", "split", "specification") > 0.5
    printed = feasible[list(possible)].all(axis=1) & ~feasible[impossible]
    counts = ", ".join(f"{name} {feasible[name].sum()}" for name in [*possible, impossible])
    return Finding(
        bool(printed.mean() > share),
        f"met on splits: {counts} of {len(feasible)}; as printed on {printed.sum()}",
    )


def single_limits_are_met_by_weighting(
    measured: Measurements, *, specifications: Sequence[str], share: float
) -> Finding:
    """Sec. 3.2.5: the two specifications of one error each result in a solution."""
    frame = measured.frame("limited errors")
    frame = frame[frame["specification"].isin(specifications)]
    solved = (frame["unweighted"] > frame["limit"]) & (frame["found"] <= frame["limit"])
    every = solved.groupby(frame["split"]).all()
    rates = ", ".join(
        f"{error} {part['unweighted'].mean():.4f} to {part['found'].mean():.4f} "
        f"(limit {part['limit'].iloc[0]:g})"
        for error, part in frame.groupby("error", sort=False)
    )
    return Finding(
        bool(every.mean() > share),
        f"weights bring both errors from above their limits to within them on {every.sum()} of "
        f"{len(every)} splits; means {rates}",
    )


def matrices_differ_in_one_row(
    measured: Measurements, *, first: str, second: str, row: str, share: float
) -> Finding:
    """Sec. 3.2.5, fourth and fifth matrix: they differ in one row, and both meet the second set."""
    matrices, limits = measured.frame("matrices"), measured.frame("limited errors")
    both = matrices[matrices["specification"].isin([first, second])]
    columns = ["specification", "true", "estimated"]
    wide = both.pivot_table("rate", "split", columns, dropna=False).dropna()
    one = pd.DataFrame(wide.xs(first, axis="columns"))
    other = pd.DataFrame(wide.xs(second, axis="columns"))
    bounds = limits[limits["specification"] == second].groupby("error")["limit"].first()
    keys = pd.MultiIndex.from_tuples([tuple(str(error).split("->")) for error in bounds.index])
    satisfied = (one.loc[:, keys] <= bounds.to_numpy() + SAME).all(axis="columns")
    apart = (other - one).abs().T.groupby(level="true").max().T
    others = apart.drop(columns=row).max(axis="columns")
    alike = satisfied & (apart[row] > SAME) & (others <= SAME)
    everywhere = matrices["split"].nunique()
    return Finding(
        bool(alike.sum() > share * everywhere),
        f"of {everywhere} splits the first matrix meets the second set on {satisfied.sum()}, and "
        f"both differ in the row of {row} only on {alike.sum()}; largest difference in another "
        f"row {others.max():.4f}",
    )


def independent_errors(measured: Measurements) -> Measurements:
    """Control: a pair of errors can be limited wherever each of the two can."""
    least = measured.frame("single errors").set_index("error")["least"]

    def free(pairs: pd.DataFrame) -> pd.DataFrame:
        both = pairs["first"].map(least), pairs["second"].map(least)
        return pairs.assign(least=np.maximum(*both))

    return measured.with_frame("pairs of errors", free)


def without_weights(measured: Measurements) -> Measurements:
    """Control: the classifier without weights in the place of the one found."""
    return measured.with_frame(
        "limited errors", lambda frame: frame.assign(found=frame["unweighted"])
    )
