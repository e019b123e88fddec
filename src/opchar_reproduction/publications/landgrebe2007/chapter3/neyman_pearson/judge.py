"""What Secs. 3.2.4 and 3.2.5 say of limits on the errors of several classes."""

from collections.abc import Sequence

import pandas as pd

from opchar_reproduction.statements.measurements import Finding, Measurements, conjunction
from opchar_reproduction.study import Control, statement


def without_weights(measured: Measurements) -> Measurements:
    """Control: the classifier without weights in the place of the one found."""
    return measured.with_frame(
        "limited errors", lambda frame: frame.assign(found=frame["unweighted"])
    )


SAME = 1e-12


@statement("0200")
def first_two_specifications_can_be_met_but_not_the_third(
    measured: Measurements,
    *,
    possible: Sequence[str] = ["confusion-4", "confusion-5"],
    impossible: str = "third",
    share: float = 0.5,
) -> Finding:
    """Sec. 3.2.5: the optimisation is successful in the first two experiments, not in the third."""
    table = measured.table("specifications", "feasible", index="split", columns="specification")
    feasible = table > 0.5
    printed = feasible[list(possible)].all(axis=1) & ~feasible[impossible]
    counts = ", ".join(f"{name} {feasible[name].sum()}" for name in [*possible, impossible])
    met, missed = feasible.mean(), (~feasible).mean()
    return conjunction(
        {f"{name} can be met on most splits": met[name] > share for name in possible}
        | {
            f"the {impossible} cannot be met on most splits": missed[impossible] > share,
            "all of this on the same splits": printed.mean() > share,
        },
        f"met on splits: {counts} of {len(feasible)}; as printed on {printed.sum()}",
    )


@statement(
    "0204",
    control=Control(
        without_weights, "the classifier without weights in the place of the one found"
    ),
)
def single_limits_are_met_by_weighting(
    measured: Measurements,
    *,
    specifications: Sequence[str] = ["confusion-2", "confusion-3"],
    share: float = 0.5,
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


@statement("0205")
def matrices_differ_in_one_row(
    measured: Measurements,
    *,
    first: str = "confusion-4",
    second: str = "confusion-5",
    row: str = "cotton",
    share: float = 0.5,
) -> Finding:
    """Sec. 3.2.5, fourth and fifth matrix: they differ in one row, and both meet the second set."""
    matrices, limits = measured.frame("matrices"), measured.frame("limited errors")
    columns = ["specification", "true", "estimated"]
    wide = measured.table("matrices", "rate", index="split", columns=columns)
    wide = wide[[first, second]].dropna()
    one = pd.DataFrame(wide.xs(first, axis="columns"))
    other = pd.DataFrame(wide.xs(second, axis="columns"))
    bounds = limits[limits["specification"] == second].groupby("error")["limit"].first()
    keys = pd.MultiIndex.from_tuples([tuple(str(error).split("->")) for error in bounds.index])
    satisfied = (one.loc[:, keys] <= bounds.to_numpy() + SAME).all(axis="columns")
    apart = (other - one).abs().T.groupby(level="true").max().T
    others = apart.drop(columns=row).max(axis="columns")
    unlike, same = apart[row] > SAME, others <= SAME
    alike = satisfied & unlike & same
    everywhere = matrices["split"].nunique()
    parts = {
        "the first matrix meets the second set, too": satisfied,
        f"the matrices differ in the row of {row}": unlike,
        "they differ in no other row": same,
        "all of this on the same splits": alike,
    }
    return conjunction(
        {says: part.sum() > share * everywhere for says, part in parts.items()},
        f"of {everywhere} splits the first matrix meets the second set on {satisfied.sum()}, and "
        f"both differ in the row of {row} only on {alike.sum()}; largest difference in another "
        f"row {others.max():.4f}",
    )
