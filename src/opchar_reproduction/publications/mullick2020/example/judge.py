"""Claims on Example 1 (mullick2020, Fig. 2)."""

import numpy as np
import pandas as pd

from opchar_reproduction.statements.measurements import Finding, Measurements, conjunction
from opchar_reproduction.study import Control, statement


def without_distortion(measured: Measurements) -> Measurements:
    """Return the curves of the well-behaved setting in the place of all others."""

    def flat(table: pd.DataFrame, column: str) -> pd.DataFrame:
        first = table[table[column] == table[column].min()].set_index("accuracy")["value"]
        return table.assign(value=table["accuracy"].map(first))

    flattened = measured.with_frame("warped", lambda table: flat(table, "RRT"))
    return flattened.with_frame("shrunk", lambda table: flat(table, "C"))


@statement("0003")
def precision_falls_and_least_for_good_classifiers(
    measured: Measurements, *, column: str = "Precision"
) -> Finding:
    """Precision falls as RRT grows at each boundary, and falls least at the best one."""
    found = measured.frame("precisions")
    table = found.pivot_table(index="boundary", columns="RRT", values=column)
    falls = bool((np.diff(table.to_numpy(), axis=1) < 0).all())
    drop = table.iloc[:, 0] - table.iloc[:, -1]
    quality = found.groupby("boundary")["mean class accuracy"].mean()
    drop = drop.loc[quality.sort_values().index]
    poorer, better = drop.iloc[: len(drop) // 2].mean(), drop.iloc[len(drop) // 2 :].mean()
    best = float(drop.iloc[-1])
    parts = {
        "falls with RRT at each boundary": falls,
        "falls least at the best boundary": best == drop.min(),
        "falls less for good classifiers than for poor ones": better < poorer,
    }
    return conjunction(
        parts,
        f"{column} {'falls' if falls else 'does not fall'} with RRT at all {len(table)} "
        f"boundaries; drop from the first to the last RRT {best:.3f} at the best one, mean "
        f"{better:.3f} for the better half and {poorer:.3f} for the poorer",
    )


@statement("0006")
def area_rises_with_classes(
    measured: Measurements,
    *,
    column: str = "AUROC-OVA",
    accuracies: list[float] = [0.4, 0.5, 0.6, 0.7, 0.8, 0.9],
) -> Finding:
    """At each fraction right the index rises with the number of classes."""
    areas = measured.frame("areas")
    rows = []
    for _, part in areas.groupby("C"):
        ordered = part.sort_values("fraction right")
        rows.append(np.interp(accuracies, ordered["fraction right"], ordered[column]))
    values = np.array(rows)
    rises = bool((np.diff(values, axis=0) > 1e-6).all())
    shown = "; ".join(
        f"at {accuracy:g} right {', '.join(f'{value:.3f}' for value in values[:, index])}"
        for index, accuracy in enumerate(accuracies)
    )
    return Finding(rises, f"{column} for C = {int(areas['C'].min())} up: {shown}")


@statement(
    "0007",
    control=Control(
        without_distortion, "the curves of the well-behaved setting in the place of all"
    ),
)
def one_warps_the_other_shrinks(measured: Measurements) -> Finding:
    """Type 1 keeps the range and bends the mapping; Type 2 raises the lower end."""
    warped, shrunk = measured.frame("warped"), measured.frame("shrunk")
    by_ratio = warped.pivot_table(index="accuracy", columns="RRT", values="value")
    by_classes = shrunk.pivot_table(index="accuracy", columns="C", values="value")
    inner = by_ratio.iloc[1:-1]
    same_range = bool(np.ptp(by_ratio.iloc[0]) < 1e-9 and np.ptp(by_ratio.iloc[-1]) < 1e-9)
    bends = bool((np.diff(inner.to_numpy(), axis=1) < 0).all())
    lower, upper = by_classes.iloc[0].to_numpy(), by_classes.iloc[-1].to_numpy()
    half = by_ratio.iloc[len(by_ratio) // 2]
    parts = {
        "Type 1 leaves the range": same_range,
        "Type 1 warps the mapping": bends,
        "Type 2 raises the lower bound with C": (np.diff(lower) > 1e-9).all(),
        "Type 2 leaves the upper bound": np.ptp(upper) < 1e-9,
    }
    return conjunction(
        parts,
        f"Precision from {by_ratio.iloc[0].min():.2f} to {by_ratio.iloc[-1].max():.2f} at every "
        f"RRT, at accuracy one half {', '.join(f'{v:.2f}' for v in half)}; lower end "
        f"of AUROC-OVO {', '.join(f'{v:.2f}' for v in lower)}, upper end {upper.max():.2f}",
    )
