"""Groups of classes that are treated as separate (Secs. 4.3.3 and 4.3.4)."""

import numpy as np
import pandas as pd

from opchar_reproduction.results import ANALYTIC
from opchar_reproduction.statements.measurements import Finding, Measurements, conjunction
from opchar_reproduction.study import Control, statement


def other_pair_perturbed(measured: Measurements) -> Measurements:
    """Control: the classes of both pairs exchanged, as if a weight of the other pair had moved."""
    other = {1: 3, 2: 4, 3: 1, 4: 2}

    def exchanged(table: pd.DataFrame) -> pd.DataFrame:
        return table.assign(true=table["true"].map(other), assigned=table["assigned"].map(other))

    return measured.with_frame("confusion", exchanged)


@statement("0620")
def groups_have_the_rates_of_the_whole(
    measured: Measurements, *, groups: str = "[[1, 2], [3, 4]]", negligible: float = 0.01
) -> Finding:
    """Ask whether no rate changes when each group is treated as a problem of its own."""
    change = measured.frame("groupings").set_index("groups")["largest change"]
    others = change.drop(groups)
    return Finding(
        bool(change[groups] < negligible),
        f"with the groups {groups} no rate changes by more than {change[groups]:.2g} at any "
        f"weights; with other pairs some rate does by {others.min():.2g} at least",
    )


@statement("0621", control=Control(other_pair_perturbed, "a weight of the other pair changed"))
def only_the_own_pair_changes(measured: Measurements, *, negligible: float = 0.01) -> Finding:
    """Ask whether a weight of class 1 moves xi_21 and xi_12, and not xi_34 and xi_43."""
    table = measured.frame("confusion")
    before, after = table["series"].unique()
    rates = table.pivot_table("rate", index=["true", "assigned"], columns="series")
    moved = (rates[after] - rates[before]).abs()
    of_pair, other = [moved[2, 1], moved[1, 2]], [moved[3, 4], moved[4, 3]]
    return conjunction(
        {
            "the own pair changes": min(of_pair) > negligible,
            "the other pair does not": max(other) < negligible,
        },
        f"xi_21 and xi_12 change by {of_pair[0]:.4f} and {of_pair[1]:.4f}, xi_34 and xi_43 by "
        f"{other[0]:.2g} and {other[1]:.2g}",
    )


@statement("0625")
def third_class_interacts_little(measured: Measurements, *, times: float = 10.0) -> Finding:
    """Ask whether classes 1 and 2 interact far more with each other than either with class 3."""
    table = measured.frame("interaction")
    change = table.pivot_table("change", index="weight", columns="class").to_numpy(dtype=float)
    inner = min(change[0, 1], change[1, 0])
    outer = max(change[2, :2].max(), change[:2, 2].max())
    r = table["r"].iloc[0]
    return Finding(
        bool(inner > times * outer),
        f"outputs of 1 and 2 change by {inner:.3f} at least with each other's weight, outputs of "
        f"or with class 3 by {outer:.4f} at most; r + 1 = {r + 1:g} points for r^2 = {r**2:g}",
        ANALYTIC,
    )


@statement("0626")
def loss_is_worse_under_overlap(measured: Measurements, *, small: float = 0.02) -> Finding:
    """Ask whether the loss is worse with much overlap than with little, and hardly with little."""
    table = measured.frame("relative loss")
    near, far = (
        np.quantile(table["relative loss"][table["mu3"] == mean], [0.25, 0.5, 0.75])
        for mean in (table["mu3"].min(), table["mu3"].max())
    )
    column = "median (L_d - L_gt)/|L_gt|"
    row = str(measured.column("figure-4.11", column).index[0])
    return conjunction(
        {
            "the loss is clearly worse under overlap": near[0] > far[2],
            "the difference is zero without overlap": far[2] < small,
        },
        f"quartiles {near[0]:.3f}, {near[1]:.3f}, {near[2]:.3f} at mu3 = {table['mu3'].min():g}; "
        f"{far[0]:.2g}, {far[1]:.2g}, {far[2]:.2g} at mu3 = {table['mu3'].max():g}",
        measured.data("figure-4.11", row, column),
    )


@statement("0627")
def volume_is_poor_then_converges(
    measured: Measurements, *, times: float = 10.0, small: float = 0.02
) -> Finding:
    """Ask whether the difference of volumes is large under overlap and small without."""
    table = measured.frame("vus").sort_values("mu3")
    first, last = table.iloc[0], table.iloc[-1]
    fades = all(float(first[how]) > times * abs(float(last[how])) for how in ("resampled", "exact"))
    return conjunction(
        {
            "the volume is poor under overlap": fades,
            "it converges to the true one": abs(float(last["resampled"])) < small,
        },
        f"resampled {first['resampled']:.4f} at mu3 = {first['mu3']:g} and {last['resampled']:.4f} "
        f"at {last['mu3']:g}; exact {first['exact']:.4f} and {last['exact']:.2g}",
        ANALYTIC,
    )
