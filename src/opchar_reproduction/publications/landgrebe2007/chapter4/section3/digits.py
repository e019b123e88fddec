"""Confusion of ten digits and what one weight changes (Sec. 4.3.3, Figure 4.9)."""

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from opchar.figures import style
from opchar.multiclass.cost_weights.problem import confusion_counts, cost_problem
from opchar.multiclass.perturbation import largest_by_class, score_sensitivities
from opchar.scores import ScoreTable
from opchar_reproduction.publications.landgrebe2007.chapter4_figures import Curves
from opchar_reproduction.publications.landgrebe2007.known_classes import matrix_curve
from opchar_reproduction.results import Results
from opchar_reproduction.statements.measurements import Finding, Measurements, conjunction
from opchar_reproduction.study import figure, statement, study


@study(
    "costs-digits-zernike",
    kind="costs",
    scores=["mfeat-zer | half-10 | pca20 qdc"],
    nothing_open="""Section 4.3.3 states the data, the half that trains, the classifier and the
        perturbation. Which half is not stated; ten are drawn, and the claim is judged over
        them.""",
    units="fold",
)
def ten_digits(
    *, scores: dict[tuple[str, str], ScoreTable], moved: int = 7, factor: float = 10.0, r: int = 80
) -> Results:
    """Confuse ten digits at equal weights and with one of the weights changed.

    `moved`: The class, from 1, whose weight is multiplied.
    `factor`: By how much.
    `r`: Steps of each weight in the perturbation analysis.
    """
    (table,) = scores.values()
    c = len(table.classes)
    results, rates = Results(), []
    for fold, part in table.folds():
        problem = cost_problem(part.y, part.scores, np.zeros((c, c)))
        log_weights = np.zeros((2, c))
        log_weights[1, moved - 1] = np.log(factor)
        counts = np.array([confusion_counts(problem, row) for row in log_weights])
        rates.append(counts / counts.sum(axis=2, keepdims=True))
        largest = largest_by_class(score_sensitivities(part.y, part.scores, r))
        i, k = np.indices((c, c)).reshape(2, -1) + 1
        default, changed = (matrix.ravel() for matrix in rates[-1])
        where = {"fold": fold, "true": i, "assigned": k}
        results.add_frame("rates", where | {"default": default, "moved": changed})
        columns = {"fold": fold, "weight": i, "class": k, "change": largest.ravel()}
        results.add_frame("largest changes", columns)
    mean = np.mean(rates, axis=0)
    for name, matrix in (("unit weights", mean[0]), (f"phi_{moved} = {factor:g}", mean[1])):
        matrix_curve(results, name, matrix)
    return results


@statement("0622")
def one_pair_overlaps(
    measured: Measurements,
    *,
    first: int = 7,
    second: int = 10,
    strong: float = 0.1,
    slight: float = 0.05,
) -> Finding:
    """Ask whether only two digits overlap strongly, and a weight changes only their errors."""
    table = measured.frame("rates")
    rates = table.groupby(["true", "assigned"])[["default", "moved"]].mean().reset_index()
    rates = rates[rates["true"] != rates["assigned"]]
    pair = rates["true"].isin([first, second]) & rates["assigned"].isin([first, second])
    change = (rates["moved"] - rates["default"]).abs()
    return conjunction(
        {
            "the pair overlaps": (rates["default"][pair] > strong).all(),
            "no other pair does": (rates["default"][~pair] < strong).all(),
            "the weight changes its errors": (change[pair] > slight).all(),
            "it changes no others": (change[~pair] < slight).all(),
        },
        f"errors between {first} and {second} at least {rates['default'][pair].min():.3f}, others "
        f"at most {rates['default'][~pair].max():.3f}; changes at least {change[pair].min():.3f} "
        f"and at most {change[~pair].max():.3f}",
    )


@statement("0623")
def a_threshold_leaves_one_pair(
    measured: Measurements, *, first: int = 7, second: int = 10
) -> Finding:
    """Ask whether some t_s leaves one pair of classes and each other class alone."""
    table = measured.frame("largest changes")
    largest = table.pivot_table("change", index="weight", columns="class").to_numpy(dtype=float)
    either = np.maximum(largest, largest.T)
    np.fill_diagonal(either, -np.inf)
    inside = either[first - 1, second - 1]
    either[[first - 1, second - 1], [second - 1, first - 1]] = -np.inf
    return Finding(
        bool(inside > either.max()),
        f"change between {first} and {second} {inside:.3f}, largest between others "
        f"{either.max():.3f}, so that any t_s between them joins these two alone",
    )


@figure("figure-4.9")
def digit_confusions(results: pd.DataFrame, curves: Curves) -> Figure:
    """Draw the confusion of ten digits before and after a change of weight (Figure 4.9)."""
    figure, panels = style.panels(1, 2, height=3.5)
    table = curves["confusion"]
    names = list(dict.fromkeys(table["series"]))
    for panel, name in zip(panels, names, strict=True):
        part = table[table["series"] == name]
        square = part.pivot_table(index="true", columns="assigned", values="rate").to_numpy()
        panel.imshow(square, cmap="Blues", vmin=0, vmax=1.4)
        for (i, j), rate in np.ndenumerate(square):
            if rate >= 0.005:
                ink = "white" if rate > 0.7 else "black"
                panel.text(j, i, f"{rate:.2f}", ha="center", va="center", fontsize=5, color=ink)
        ticks = [rf"$\omega_{{{k + 1}}}$" for k in range(len(square))]
        panel.set_xticks(range(len(square)), ticks)
        panel.set_yticks(range(len(square)), ticks)
        panel.set(xlabel="assigned", ylabel="true")
        panel.grid(False)
    style.letter(panels, [name.replace("phi_7", r"$\phi_7$") for name in names])
    return figure
