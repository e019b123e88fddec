"""Perturbation of the weights of known Gaussian classes (Sec. 4.3.5)."""

from collections.abc import Sequence
from functools import partial

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MultipleLocator

from opchar.figures import style
from opchar.multiclass.gaussians import Floats, confusion_rates
from opchar.multiclass.perturbation import groups, largest_by_class, sensitivities
from opchar_reproduction.publications.landgrebe2007.decomposition_figures import (
    _class_ticks,
    _matrix,
    _square,
)
from opchar_reproduction.publications.landgrebe2007.known_classes import (
    density_curves,
    matrix_curve,
)
from opchar_reproduction.publications.landgrebe2007.weighted_classes_figures import (
    one_series,
    weighted_panel,
)
from opchar_reproduction.results import Results
from opchar_reproduction.statements.measurements import Finding, Measurements, conjunction
from opchar_reproduction.study import figure, statement, study


@study(
    "costs-perturbation",
    kind="costs",
    basis="exact",
    variants={"profiles": ["paper"], "frames": ["confusion", "sensitivity", "cost"]},
)
def perturbation(
    *,
    means: list[float] = [-8.0, 0.0, -6.0, 5.0],
    variance: float = 0.5,
    r: int = 80,
    weights: list[float] = [0.001, 1000.0],
    threshold: float = 0.01,
    slices: list[float] = [0.001, 1.0, 1000.0],
    counted: list[int] = [2, 3, 4, 5, 6],
) -> Results:
    """Perturb each weight of four Gaussian classes and group what interacts (4.3.5).

    `r`: Steps of the moving weight.
    `threshold`: The sensitivity t_s up to which a change counts as none.
    `slices`: The weights at which Figure 4.14 shows the confusion rates.
    `counted`: Numbers of classes for which the confusion matrices computed are counted.
    """
    results = Results()
    c, low, high = len(means), weights[0], weights[1]
    density_curves(results, "four classes", means, variance, [1.0] * c)
    changes = sensitivities(partial(confusion_rates, means, variance), np.ones(c), r, low, high)
    for (i, k), change in np.ndenumerate(largest_by_class(changes)):
        column, clear = f"class {k + 1}", float(change > threshold)
        results.number("eq-4.36", f"Lambda_{i + 1}^v", column, change, unit="range of xi")
        results.number("eq-4.37", f"Lambda_{i + 1}^vb", column, clear, unit="binary")
    for i in range(c):
        matrix_curve(results, f"Lambda_{i + 1}", changes[i], curve="sensitivity")
        for weight in slices:
            phi = np.ones((1, c))
            phi[0, i] = weight
            rates = confusion_rates(means, variance, phi)[0]
            matrix_curve(results, f"phi_{i + 1} = {weight:g}", rates)
    default = confusion_rates(means, variance, np.ones((1, c)))[0]
    matrix_curve(results, "default", default)
    for number in counted:
        perturbed, full = _count_matrices(number, r, weights), float(r) ** (number - 1)
        counts = {"perturbed": perturbed, "full grid": full}
        results.add_frame("cost", {"classes": [number], "r": r} | counts)
    return results


def _count_matrices(n_classes: int, r: int, weights: list[float]) -> int:
    """Return how many confusion matrices the perturbation of n classes computes."""
    numbers: list[int] = []

    def counting(phi: Floats) -> Floats:
        numbers.append(len(phi))
        return np.zeros((len(phi), n_classes, n_classes))

    sensitivities(counting, np.ones(n_classes), r, weights[0], weights[1])
    return sum(numbers)


Places = set[tuple[int, int]]


@statement("0660")
def groups_are(
    measured: Measurements,
    *,
    expected: Sequence[Sequence[int]] = [[1, 3], [2], [4]],
    threshold: float = 0.01,
) -> Finding:
    """Ask whether the largest changes above the threshold split the classes as expected."""
    names = range(1, sum(map(len, expected)) + 1)
    largest = [
        [measured.value("eq-4.36", f"Lambda_{i}^v", f"class {k}") for k in names] for i in names
    ]
    found = sorted([k + 1 for k in group] for group in groups(np.array(largest), threshold))
    r = measured.frame("cost")["r"].iloc[0]
    points = sum(r ** (len(group) - 1) for group in found)
    return Finding(
        found == sorted(map(list, expected)),
        f"groups {found}: {points:g} operating points, not {r ** (len(names) - 1):g} (r = {r:g})",
    )


@statement("1072")
def errors_lie_between_two_classes(
    measured: Measurements, *, classes: Sequence[int] = [1, 3], threshold: float = 0.01
) -> Finding:
    """Ask whether at the default point only the two classes are confused with each other."""
    table = measured.frame("confusion")
    errors = table[(table["series"] == "default") & (table["true"] != table["assigned"])]
    confused = _places(errors[errors["rate"] > threshold])
    one, other = classes
    rest = errors[~(errors["true"].isin(classes) & errors["assigned"].isin(classes))]
    return Finding(
        confused == {(one, other), (other, one)},
        f"errors above {threshold:g}: {_in_words(confused)}; largest error of or with other "
        f"classes {rest['rate'].max():.5f}",
    )


@statement("0661")
def slices_change_with_two_weights(
    measured: Measurements, *, classes: Sequence[int] = [1, 3], threshold: float = 0.01
) -> Finding:
    """Ask whether outputs of two classes change with either of their weights, none with others."""
    table = measured.frame("confusion")
    table = table[table["series"] != "default"]
    weight = table["series"].str.extract(r"phi_(\d+)", expand=False).astype(int)
    rates = table.assign(weight=weight).groupby(["weight", "true", "assigned"])["rate"]
    change = (rates.max() - rates.min()).groupby(["weight", "assigned"]).max()
    between = change.loc[list(classes), list(classes)]
    others = change.drop(index=list(classes), level="weight")
    return conjunction(
        {
            "both change with either weight": between.min() > threshold,
            "none changes with others": others.max() < threshold,
        },
        f"outputs of classes {classes[0]} and {classes[1]} change by {between.min():.3f} at least "
        f"with either weight; with other weights no output changes by more than {others.max():.4f}",
    )


@statement("0662")
def clear_interactions_are(
    measured: Measurements,
    *,
    outputs: Sequence[Sequence[int]] = [[1, 1], [1, 3], [3, 1], [3, 3]],
    threshold: float = 0.01,
) -> Finding:
    """Ask whether the outputs that change clearly with some weight are those named."""
    table = measured.frame("sensitivity")
    above = table["rate"] > threshold
    clear, rest = _places(table[above]), table["rate"][~above]
    return Finding(
        clear == {(j, k) for j, k in outputs},
        f"outputs that change by more than {threshold:g}: {_in_words(clear)}; all others by "
        f"{rest.max():.4f} at most",
    )


@statement("1076")
def matrices_grow_linearly(measured: Measurements) -> Finding:
    """Ask whether the perturbation computes r confusion matrices a class."""
    table = measured.frame("cost")
    counted = ", ".join(f"{count:g}" for count in table["perturbed"])
    return Finding(
        bool((table["perturbed"] == table["r"] * table["classes"]).all()),
        f"{counted} confusion matrices for C = {', '.join(f'{c:g}' for c in table['classes'])} and "
        f"r = {table['r'].iloc[0]:g}",
    )


def _places(table: pd.DataFrame) -> Places:
    return {(int(row["true"]), int(row["assigned"])) for row in table.to_dict("records")}


def _in_words(places: Places) -> str:
    return ", ".join(f"xi_{j}{k}" for j, k in sorted(places)) or "none"


@figure("figure-4.13")
def draw_default_point(results: pd.DataFrame, curves: dict[str, pd.DataFrame]) -> Figure:
    """Draw the densities of the perturbation example and its default rates (Figure 4.13)."""
    figure, panels = style.panels(1, 2, height=2.8)
    weighted_panel(panels[0], curves["densities"], top=0.75)
    panels[0].xaxis.set_major_locator(MultipleLocator(4))
    panels[0].legend(ncols=2, loc="upper right")
    _matrix(panels[1], one_series(curves["confusion"], "series", "default"))
    panels[1].set(xlabel="assigned", ylabel="true")
    style.letter(panels, ["densities", r"$\Xi$ at $\Phi = [1, 1, 1, 1]$"])
    return figure


@figure("figure-4.14")
def draw_slices(results: pd.DataFrame, curves: dict[str, pd.DataFrame]) -> Figure:
    """Draw how the confusion rates change from equal weights as each weight moves (Figure 4.14)."""
    table = curves["confusion"]
    rates = {str(name): _square(part) for name, part in table.groupby("series", sort=False)}
    names = [name for name in rates if name != "default"]
    start = rates["default"]
    moved = [name for name in names if not np.allclose(rates[name], start, atol=5e-13)]
    weights = list(dict.fromkeys(name.split(" = ")[1] for name in moved))
    classes = list(dict.fromkeys(name.split(" = ")[0] for name in moved))
    side = style.TWO_COLUMNS / len(classes)
    figure, panels = style.panels(len(weights), len(classes), height=side * len(weights))
    for place, panel in enumerate(panels):
        row, column = divmod(place, len(classes))
        _changes(panel, rates[f"{classes[column]} = {weights[row]}"] - start)
        number = classes[column].removeprefix("phi_")
        panel.set_title(rf"$\phi_{number}$ = {weights[row]}")
        panel.set(
            xlabel="assigned" if row == len(weights) - 1 else "", ylabel="" if column else "true"
        )
    return figure


def _changes(panel: Axes, change: pd.DataFrame) -> None:
    """Draw changes of rates: purple less, green more, a dot for none."""
    image = panel.imshow(change, cmap="PRGn", vmin=-1, vmax=1)
    for (i, j), by in np.ndenumerate(change.to_numpy()):
        ink = style.ink(image.cmap(image.norm(by)))
        text = "·" if round(by, 3) == 0 else f"{by:+.3f}".replace("-", "−")
        panel.text(j, i, text, ha="center", va="center", fontsize=6, color=ink)
    _class_ticks(panel, change.columns)


@figure("figure-4.15")
def draw_sensitivity(results: pd.DataFrame, curves: dict[str, pd.DataFrame]) -> Figure:
    """Draw the sensitivity matrices of all weights (Figure 4.15)."""
    names = list(curves["sensitivity"]["series"].unique())
    figure, panels = style.panels(1, len(names), height=style.TWO_COLUMNS / len(names) + 0.2)
    for panel, name in zip(panels, names, strict=True):
        _matrix(panel, one_series(curves["sensitivity"], "series", name))
        panel.set(xlabel="assigned", ylabel="true")
    titles = [rf"$\Lambda_{name.removeprefix('Lambda_')}^s$" for name in names]
    style.letter(panels, titles)
    return figure
