"""The groups of indices by the conditions that they meet (mullick2020, Fig. 6)."""

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from opchar.figures import style
from opchar_reproduction.figures.tables import number_list
from opchar_reproduction.study import figure, table

MET = {1.0: ("o", style.COLOURS[2]), 0.0: ("x", style.COLOURS[1])}


@figure(
    "figure-6",
    title="Groups of indices by the conditions that they meet",
    caption="""(a) Conditions 1 and 2, the second over any test sets and over equal
        classes. (b) Condition 3 of the indices of many classes that meet both, by the limit and
        at epsilon = 1/C. Drawn from what the search measured.""",
    lines=["figure-6a", "figure-6b", "text-6"],
    choices=["nAUROC-OVO is ACSA", "indices of two classes: Condition 1 alone"],
)
def groups(results: pd.DataFrame, curves: dict[str, pd.DataFrame]) -> Figure:
    """Draw which index meets which condition, and who meets the third of those (Fig. 6)."""
    table = curves["conditions"].set_index("index")
    first, second, third = "Condition 1", "Condition 2", "Condition 3"
    order = table.sort_values([first, second], ascending=False, na_position="last", kind="stable")
    both = table[(table[first] == 1) & (table[second] == 1)]
    equal = "Condition 2, equal classes"
    figure, axes = style.panels(1, 2, height=3.6)
    _dots(axes[0], order, [first, second, equal])
    _dots(axes[1], both, [third, "Condition 3, epsilon = 1/C"])
    style.letter(axes, ["Conditions 1 and 2", "Condition 3 of those that meet both"])
    return figure


def _dots(panel: Axes, table: pd.DataFrame, columns: list[str]) -> None:
    """Draw a dot where a condition is met, a cross where not; nothing where it does not apply."""
    for met, (marker, colour) in MET.items():
        rows, places = np.nonzero(table[columns].to_numpy(dtype=float) == met)
        label = "met" if met else "violated"
        panel.plot(
            places, rows, linestyle="none", marker=marker, color=colour, markersize=6, label=label
        )
    named = [column.replace(", ", ",\n").replace("epsilon", r"$\epsilon$") for column in columns]
    panel.set_xticks(range(len(columns)), named)
    panel.set_yticks(range(len(table)), [str(name) for name in table.index])
    panel.set(xlim=(-0.5, len(columns) - 0.5), ylim=(len(table) - 0.5, -0.5))
    panel.legend(loc="upper center", bbox_to_anchor=(0.5, -0.14), ncols=2)


table(
    "theorem-1",
    by=number_list,
    title="GMean, AUROC, Precision and AURPC under Condition 1",
    caption="""Statements are judged from a search: all small matrices, large random pairs,
        counter-examples where there are any.""",
    lines=["theorem-1.1", "theorem-1.2", "theorem-1.3", "theorem-1.4"],
    choices=[
        """Theorem 1.3 and 1.4 say 'only when b1 = b2'; the values are equal for TP = 0
        or FP = 0 as well"""
    ],
)

table(
    "theorem-2",
    by=number_list,
    title="mPrecision and mAURPC under Condition 1",
    caption="""Statements are judged from a search: all small matrices, large random pairs,
        counter-examples where there are any.""",
    lines=["theorem-2.1", "theorem-2.2"],
)

table(
    "theorem-3",
    by=number_list,
    title="Five indices of many classes under Conditions 1 and 2",
    caption="""Statements are judged from a search: all small matrices, large random pairs,
        counter-examples where there are any.""",
    lines=["theorem-3.1", "theorem-3.2", "theorem-3.3", "theorem-3.4", "theorem-3.5"],
    choices=[
        "Theorem 3.4 does not mention C; for two classes AUROC-OVA is ACSA and meets Condition 1"
    ],
)

table(
    "theorem-4",
    by=number_list,
    title="mAURPC-OVA under Conditions 1 and 2",
    caption="""Statements are judged from a search: all small matrices, large random pairs,
        counter-examples where there are any.""",
    lines=["theorem-4.1", "theorem-4.2"],
)
