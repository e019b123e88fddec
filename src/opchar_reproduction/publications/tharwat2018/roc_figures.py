"""ROC space: corners, tied scores, the twenty samples, areas (tharwat2018, slides 43 to 62)."""

from matplotlib.axes import Axes

from opchar.figures import style

X, Y = "false positive rate, FPR", "true positive rate, TPR"
BLUE, RED = style.COLOURS[0], style.COLOURS[1]


def _space(panel: Axes) -> None:
    style.unit_square(panel, X, Y)
    panel.plot([0, 1], [0, 1], color=style.GREY, linewidth=0.7, linestyle=":", label="chance")
