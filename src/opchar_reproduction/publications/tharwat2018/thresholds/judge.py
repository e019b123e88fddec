"""The twenty scored samples under a falling threshold (slides 48 to 58)."""

import numpy as np

from opchar_reproduction.statements.measurements import Finding, Measurements, conjunction
from opchar_reproduction.study import Control, statement


def every_second_point(measured: Measurements) -> Measurements:
    """Control: the curve with every second threshold left out."""
    return measured.with_frame("roc", lambda table: table.iloc[::2])


ROC = "figure-roc-example"


@statement("0278")
def positives_are_identified_better(measured: Measurements) -> Finding:
    """Ask whether at the best accuracy more of the positives than of the negatives are right."""
    tpr = measured.value(ROC, "best accuracy", "TPR")
    tnr = measured.value(ROC, "best accuracy", "TNR")
    threshold = measured.value(ROC, "best accuracy", "threshold")
    return Finding(
        tpr > tnr,
        f"at the threshold of best accuracy, {threshold:.2f}, TPR is {tpr:.1f} and TNR {tnr:.1f}",
    )


@statement("0279", control=Control(every_second_point, "every second threshold left out"))
def curve_takes_single_steps(measured: Measurements) -> Finding:
    """Ask whether the ROC curve is a step function from (0, 0) to (1, 1)."""
    table = measured.frame("roc")
    right, up = np.diff(table["fpr"]), np.diff(table["tpr"])
    single = (right >= 0) & (up >= 0) & ((right > 0) ^ (up > 0))
    ends = tuple(table[["fpr", "tpr"]].iloc[[0, -1]].to_numpy().ravel())
    parts = {
        "each step goes up or to the right": single.all(),
        "the curve starts in (0, 0)": ends[:2] == (0, 0),
        "the curve ends in (1, 1)": ends[2:] == (1, 1),
    }
    return conjunction(
        parts,
        f"{single.sum()} of {single.size} steps run along one axis, from "
        f"({ends[0]:g}, {ends[1]:g}) to ({ends[2]:g}, {ends[3]:g})",
    )


@statement("0280")
def errors_are_equally_many(measured: Measurements, *, number: int = 11) -> Finding:
    """Ask whether at a threshold TP = TN = 6 and FP = FN = 4."""
    table = measured.frame("roc").set_index("number")
    counts = {name: int(table[name][number]) for name in ("tp", "tn", "fp", "fn")}
    parts = {
        "TP = TN = 6": counts["tp"] == counts["tn"] == 6,
        "FP = FN = 4": counts["fp"] == counts["fn"] == 4,
    }
    return conjunction(
        parts,
        f"at t_{number} " + ", ".join(f"{name.upper()} {value}" for name, value in counts.items()),
    )
