"""The precision-recall curve of the twenty samples, and the perfect one (slides 65 to 67)."""

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from opchar.figures import style
from opchar.metrics.counts import Array
from opchar.spaces.points import operating_points
from opchar.spaces.precision_recall import auprec, precision_recall_curve
from opchar_reproduction.publications.tharwat2018.thresholds.measure import as_sample
from opchar_reproduction.results import Results
from opchar_reproduction.statements.measurements import Finding, Measurements, conjunction
from opchar_reproduction.study import Control, figure, statement, study

FIGURE = "figure-pr"


@study("precision-recall", basis="exact")
def precision_recall(
    *,
    positive_scores: list[float] = [0.82, 0.8, 0.7, 0.62, 0.6, 0.49, 0.4, 0.37, 0.23, 0.19],
    negative_scores: list[float] = [0.75, 0.54, 0.5, 0.45, 0.39, 0.32, 0.3, 0.26, 0.21, 0.1],
    first_wrong: dict[str, list[float]] = {
        "positive": [0.8, 0.6, 0.3],
        "negative": [0.9, 0.5, 0.2],
    },
) -> Results:
    """Draw precision against recall, with the tutorial's rule for the first point.

    positive_scores, negative_scores: The tutorial's samples.
    first_wrong: ``positive`` and ``negative`` scores of a sample whose highest score is a
        negative's, for the rule's other case.
    """
    results = Results()
    recall, ppv = curve(positive_scores, negative_scores)
    results.number(FIGURE, "second PR point", "recall", recall[1], unit="fraction")
    results.number(FIGURE, "second PR point", "precision", ppv[1], unit="fraction")
    other_recall, other_ppv = curve(first_wrong["positive"], first_wrong["negative"])
    results.add_frame("curve", {"recall": recall, "precision": ppv})
    results.add_frame("first", {"recall": other_recall, "precision": other_ppv})
    _perfect(results, positive_scores, negative_scores)
    is_positive, score = as_sample(positive_scores, negative_scores)
    area = auprec(operating_points(is_positive, score), float(np.mean(is_positive)))
    results.number(FIGURE, "area", "AUPREC", area, unit="area")
    return results


def curve(positive_scores: list[float], negative_scores: list[float]) -> tuple[Array, Array]:
    """Return recall and precision at every threshold, the first point by slide 66."""
    is_positive, score = as_sample(positive_scores, negative_scores)
    points = operating_points(is_positive, score)
    return precision_recall_curve(points, float(np.mean(is_positive)), first="next")


def _perfect(results: Results, positive_scores: list[float], negative_scores: list[float]) -> None:
    ranks = np.arange(len(positive_scores) + len(negative_scores), 0, -1.0).tolist()
    recall, ppv = curve(ranks[: len(positive_scores)], ranks[len(positive_scores) :])
    results.add_frame("perfect", {"recall": recall, "precision": ppv})
    drawn = {"recall": [0.0, 1.0, 1.0], "precision": [1.0, 1.0, 0.0]}
    results.add_frame("perfect as printed", drawn)


def no_acceptance_without_precision(measured: Measurements) -> Measurements:
    """Control: precision is zero where nothing is accepted."""
    precision = [0.0, *measured.frame("curve")["precision"].iloc[1:]]
    return measured.with_frame("curve", lambda table: table.assign(precision=precision))


@statement(
    "0289",
    control=Control(no_acceptance_without_precision, "precision zero where nothing is accepted"),
)
def first_point_continues_the_second(measured: Measurements) -> Finding:
    """Compare the first point with (0, 1), and with (0, 0) where the second has no hit."""
    points = {name: _points(measured.frame(name)) for name in ("curve", "first")}
    parts = {
        "(0, 1) beside a hit": points["curve"][0] == (0, 1),
        "(0, 0) where the second point has none": points["first"][:2] == [(0, 0), (0, 0)],
    }
    return conjunction(
        parts,
        f"first and second point {_in_words(points['curve'])}; of a sample whose highest score is "
        f"a negative's {_in_words(points['first'])}",
    )


@statement("0290")
def perfect_curve_ends_without_precision(measured: Measurements) -> Finding:
    """Follow the perfect curve from (0, 1) to (1, 1) and down to (1, 0)."""
    table = measured.frame("perfect")
    recall, precision = table["recall"], table["precision"]
    level = (precision[recall < 1] == 1).all() and precision[recall == 1].max() == 1
    last = float(precision.iloc[-1])
    return conjunction(
        {"precision is 1 up to recall 1": level, "the curve ends in (1, 0)": last == 0},
        f"from (0, 1) to (1, 1) {'as said' if level else 'not as said'}, then down to "
        f"(1, {last:.2f}), the share of positives",
    )


def _points(table: pd.DataFrame) -> list[tuple[float, float]]:
    return list(zip(table["recall"], table["precision"], strict=True))


def _in_words(points: list[tuple[float, float]]) -> str:
    return ", ".join(f"({x:.1f}, {y:.1f})" for x, y in points[:2])


X, Y = "recall, TPR", "precision, PPV"


@figure("figure-pr")
def example(results: pd.DataFrame, curves: dict[str, pd.DataFrame]) -> Figure:
    """Draw the PR curve of the twenty samples and the estimate of its first point (slide 66)."""
    figure, axes = style.panels(1, 2, height=3.5)
    for place, name in enumerate(("curve", "first")):
        panel, table = axes[place], curves[name]
        style.unit_square(panel, X, Y)
        panel.plot(
            table["recall"][1:], table["precision"][1:], **style.series(place), marker="o",
            markersize=3, clip_on=False, label="measured points",
        )  # fmt: skip
        panel.plot(
            table["recall"][:2], table["precision"][:2], color="black", linestyle=":",
            linewidth=1.6, clip_on=False,
        )  # fmt: skip
        panel.plot(
            table["recall"][0], table["precision"][0], "D", color="black", markerfacecolor="white",
            markersize=6, clip_on=False, zorder=5, label="first point, estimated",
        )  # fmt: skip
        panel.legend(loc="lower right" if place else "lower left")
    style.letter(axes, ["the 20 samples", "another sample: its highest score is a negative"])
    return figure


@figure("text-pr-perfect")
def perfect(results: pd.DataFrame, curves: dict[str, pd.DataFrame]) -> Figure:
    """Draw the perfect PR curve, as defined and as the slide draws it (slide 67)."""
    figure, [panel] = style.panels(width=style.ONE_COLUMN, height=3.4)
    style.unit_square(panel, X, Y)
    drawn, found = curves["perfect as printed"], curves["perfect"]
    panel.plot(
        drawn["recall"], drawn["precision"], color=style.COLOURS[1], linestyle="--", linewidth=1.4,
        clip_on=False, label="as the slide says, to (1, 0)",
    )  # fmt: skip
    panel.plot(
        found["recall"], found["precision"], color=style.COLOURS[2], linewidth=2.6, clip_on=False,
        label="of a perfect ranking",
    )  # fmt: skip
    panel.plot(1, 1, "D", color="black", markersize=5, clip_on=False, zorder=5)
    panel.annotate("ideal point", (1, 1), xytext=(-8, -12), textcoords="offset points", ha="right")
    end = found["precision"].iloc[-1]
    panel.annotate(
        f"all predicted positive:\nPPV = P/(P+N) = {end:.2f}", (1, end), xytext=(0.42, end),
        arrowprops={"arrowstyle": "->", "linewidth": 0.8}, ha="center", va="center",
    )  # fmt: skip
    panel.legend(loc="lower left")
    return figure
