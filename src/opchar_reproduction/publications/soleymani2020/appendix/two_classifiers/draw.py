"""Figures A.12 and A.13: Boolean combination of two soft classifiers."""

from typing import Any

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from opchar.figures.style import COLOURS, GREY, PRIOR, letter, panels, series, unit_square
from opchar_reproduction.study import figure

LOOKS: dict[str, dict[str, Any]] = {
    "C1": {"color": GREY, "linestyle": ":", "linewidth": 1.2},
    "C2": {"color": GREY, "linestyle": "-.", "linewidth": 1.0},
    "AND": series(0),
    "OR": series(1),
    "IBC": {"color": COLOURS[3], "linewidth": 4, "alpha": 0.6, "zorder": 1.5},
}

NAMES = {"C1": "$C_1$", "C2": "$C_2$", "IBC": "IBC (all ten)"}

COLUMNS = [
    ("AND", "direct", ["AND"]),
    ("OR", "direct", ["OR"]),
    ("all ten functions", "direct", ["AND", "OR", "IBC"]),
    ("independent", "independent", ["AND", "OR"]),
]


@figure(
    "figure-A.12",
    sample=True,
    title="""Boolean combination of two soft classifiers, from their scores and by the
        formulas for independence""",
    caption="""Two soft classifiers combined by AND (a), by OR (b) and by all ten Boolean
        functions (c) at all pairs of thresholds, and by the formulas for independent
        classifiers (d). Above the ROC hulls, below the upper envelopes of the F curves, both on
        the sample that chose the combinations.""",
    lines=["figure-A.12", "figure-A.12c"],
    choices=[
        """scores: not given -> 100 positives and 400 negatives, Gaussian scores of
        unit variance, positives shifted by 1.5 and 1.2, correlation 0.3 within a class""",
        "alpha 0.5; P(+) from 0.01 to 0.99",
        """statements are evaluated on the mean F curves of 50 further drawings, since one small
        sample decides little; resampled drawings give their support""",
        """the statements were first judged on the one drawing of the figure; this was
        changed after that result had been seen, since one drawing leaves AND against OR to
        chance (it holds in 14 of 50)""",
        """low P(+): at most 0.1; AND helps more than OR if its F is higher at each
        prior there, directly and by the formula""",
        "better than AND or OR alone: nowhere below each and somewhere above it",
        "IBC on two classifiers: all ten functions at all pairs of thresholds, in one pass",
        "(d) shows AND and OR, for which the work has formulas",
    ],
)
def combined_pairs(results: pd.DataFrame, curves: dict[str, pd.DataFrame]) -> Figure:
    """Draw combinations of two classifiers in ROC space (above) and F-measure space (below)."""
    figure, axes = panels(2, 4, height=4.5)
    for number, (_, method, shown) in enumerate(COLUMNS):
        above, below = axes[number], axes[4 + number]
        _draw(above, curves["roc"], "fpr", "tpr", method, shown)
        unit_square(above, "FPR", "TPR")
        _draw(below, curves["f"], "prior", "f", method, shown)
        unit_square(below, PRIOR, r"$F_\alpha$")
        for panel in (above, below):
            panel.set(xticks=[0, 0.5, 1], yticks=[0, 0.5, 1])
            if number:
                panel.set_ylabel("")
    letter(axes[:4], [title for title, _, _ in COLUMNS])
    handles, labels = axes[2].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside upper center", ncols=5)
    return figure


def _draw(panel: Axes, curve: pd.DataFrame, x: str, y: str, method: str, shown: list[str]) -> None:
    for name in ["C1", "C2", *shown]:
        of = "single" if name in ("C1", "C2") else method
        line = curve[(curve["method"] == of) & (curve["series"] == name)]
        panel.plot(line[x], line[y], label=NAMES.get(name, name), **LOOKS[name])


@figure(
    "figure-A.13",
    title="Range of AND and OR of two dependent classifiers, given only TPR and FPR",
    caption="""Shaded: where the ROC hull of AND (a) and OR (b) can lie when both
        classifiers fire together at least as often as independent ones would. The hatched rectangle
        is the range of one pair of operating points; the scores really give the cross and the
        dashed hull.""",
    choices=[
        "scores: as in Figure A.12",
        "upper bound of the FPR of AND: as corrected, the smaller FPR",
        """range of a curve: between the hull of all best corners (highest TPR, lowest
        FPR) and that of all worst corners, over all pairs of thresholds; the latter is the hull
        of the two classifiers""",
        "the pair: on each ROC curve the operating point nearest to FPR 0.25",
    ],
)
def dependent_pairs(results: pd.DataFrame, curves: dict[str, pd.DataFrame]) -> Figure:
    """Draw the range of ROC points of AND and of OR that two ROC curves allow.

    curves: ``roc``; ``range`` (function, end, fpr, tpr); ``pair`` (function, rates of one example).
    """
    figure, axes = panels(1, 2, height=4.4)
    for panel, function, colour in zip(axes, ("AND", "OR"), COLOURS, strict=False):
        _draw_range(panel, curves["range"], function, colour)
        for name in ("C1", "C2"):
            line = _select(curves["roc"], "series", name)
            panel.plot(line["fpr"], line["tpr"], label=NAMES[name], **LOOKS[name])
        direct = _select(_select(curves["roc"], "method", "direct"), "series", function)
        panel.plot(
            direct["fpr"], direct["tpr"], color=colour, linestyle="--",
            label=f"{function}, from the scores",
        )  # fmt: skip
        _draw_pair(panel, _select(curves["pair"], "function", function).iloc[0], function, colour)
        unit_square(panel, "FPR", "TPR")
    handles, labels = axes[0].get_legend_handles_labels()
    figure.legend(
        handles, [label.replace("AND", "AND or OR") for label in labels],
        loc="outside lower center", ncols=3,
    )  # fmt: skip
    letter(axes, ["AND of dependent classifiers", "OR of dependent classifiers"])
    return figure


def _draw_range(panel: Axes, ends: pd.DataFrame, function: str, colour: str) -> None:
    best, worst = (
        _select(_select(ends, "function", function), "end", end) for end in ("best", "worst")
    )
    panel.fill(
        [*best["fpr"], *worst["fpr"][::-1]],
        [*best["tpr"], *worst["tpr"][::-1]],
        color=colour, alpha=0.18, linewidth=0, label=f"range of the hull of {function}",
    )  # fmt: skip
    for end in (best, worst):
        panel.plot(end["fpr"], end["tpr"], color=colour, linewidth=0.8)


def _draw_pair(panel: Axes, pair: pd.Series, function: str, colour: str) -> None:
    low, width = (pair["fpr_low"], pair["tpr_low"]), pair["fpr_high"] - pair["fpr_low"]
    height = pair["tpr_high"] - pair["tpr_low"]
    label = f"range of {function} of one pair"
    panel.add_patch(
        Rectangle(low, width, height, fill=False, edgecolor=colour, linewidth=0.8, label=label)
    )
    for number, marker in ((1, "o"), (2, "s")):
        panel.plot(pair[f"fpr_{number}"], pair[f"tpr_{number}"], marker, color=GREY,
                   label=f"the pair: $C_{number}$")  # fmt: skip
    panel.plot(pair["fpr"], pair["tpr"], "X", color=colour, markersize=6, markeredgecolor="black",
               label=f"the pair: {function}, from the scores")  # fmt: skip


def _select(frame: pd.DataFrame, column: str, value: str) -> pd.DataFrame:
    return frame[frame[column] == value]
