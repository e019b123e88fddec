"""The example with known densities (Sec. 6.2.2)."""

import numpy as np
import pandas as pd

from opchar_reproduction.statements.measurements import Finding, Measurements, conjunction
from opchar_reproduction.study import Control, statement

ERROR, ALARMS = "least mean error of the targets", "FP_r^o there"


def with_one_design(measured: Measurements) -> Measurements:
    """Put the point of the independent design in the place of both."""

    def same(table: pd.DataFrame) -> pd.DataFrame:
        independent = table[table["role"] == "N"]
        return pd.concat([independent, independent.assign(role="H")], ignore_index=True)

    return measured.with_frame("designs", same)


@statement("1011")
def detection_costs_classification(
    measured: Measurements, *, almost: float = 0.01, much: float = 0.1
) -> Finding:
    """Ask whether a stricter detector accepts fewer outliers, at a price that grows."""
    rows = [f"theta_d={value}" for value in ("0.01", "0.05", "0.13")]
    error = [measured.value("figure-6.2", row, ERROR) for row in rows]
    alarms = [measured.value("figure-6.2", row, ALARMS) for row in rows]
    bare = measured.value("figure-6.2", "no detector", ERROR)
    parts = {
        "0.01 classifies almost as well as no detector": error[0] - bare < almost,
        "0.05 accepts much fewer outliers": alarms[1] < (1 - much) * alarms[0],
        "0.13 accepts still fewer": alarms[2] < alarms[1],
        "the price grows": 0 < error[1] - error[0] < error[2] - error[1],
    }
    text = [", ".join(f"{value:.3f}" for value in values) for values in (error, alarms)]
    return conjunction(
        parts,
        f"at theta_d 0.01, 0.05, 0.13 the least mean error of the targets is {text[0]} ({bare:.3f} "
        f"without detector), FP_r^o there {text[1]}",
    )


@statement(
    "1014", leaf_controls=[Control(with_one_design, "the independent design in the place of both")]
)
def designs_are_apart(measured: Measurements, *, apart: float = 0.05) -> Finding:
    """Ask whether the designs lie apart on the operating characteristic, holistic being cheaper."""
    frame = measured.frame("designs")
    points = {role: frame[frame["role"] == role].iloc[0] for role in ("N", "H")}
    rates = ["eps_I", "eps_II", "fpr"]
    one, other = (points[role][rates].to_numpy(dtype=float) for role in ("N", "H"))
    distance = float(np.abs(one - other).max())
    losses = {role: float(point["loss"]) for role, point in points.items()}
    return conjunction(
        {
            "the designs lie apart": distance > apart,
            "the holistic one is cheaper": losses["H"] < losses["N"],
        },
        f"the losses of N and H are {losses['N']:.3f} and {losses['H']:.3f}, and their rates "
        f"up to {distance:.3f} apart",
    )


@statement("1015")
def imbalanced_costs_gain(measured: Measurements, *, ratio: float = 0.1) -> Finding:
    """Ask whether the loss difference at balanced costs is small beside that at others."""
    frame = measured.frame("differences")
    is_balanced = frame["balanced"].astype(float) == 1
    balanced = float(frame["difference"][is_balanced].mean())
    others = float(frame["difference"][~is_balanced].mean())
    return conjunction(
        {
            "the difference is positive for imbalanced costs": others > 0,
            "it is insignificant for balanced ones": balanced < ratio * others,
        },
        f"mean loss difference {balanced:.4f} in {int(is_balanced.sum())} balanced cells and "
        f"{others:.4f} in {int((~is_balanced).sum())} others; the largest is "
        f"{frame['difference'].max():.3f}",
    )
