"""The groups of indices by the conditions that they meet (mullick2020, Fig. 6)."""

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from opchar.figures import style
from opchar_reproduction.study import figure

MET = {1.0: ("o", style.COLOURS[2]), 0.0: ("x", style.COLOURS[1])}


@figure("figure-6")
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
