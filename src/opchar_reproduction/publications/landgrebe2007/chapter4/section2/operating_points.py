"""Operating points of known Gaussian classes and the growth of their ROC (Sec. 4.2)."""

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from opchar.figures import style
from opchar.multiclass.gaussians import confusion_rates
from opchar.multiclass.weight_grids import weight_grid
from opchar_reproduction.publications.landgrebe2007.known_classes import (
    density_curves,
    error_cloud_curve,
    matrix_curve,
)
from opchar_reproduction.publications.landgrebe2007.surfaces_figures import error_cloud_views
from opchar_reproduction.publications.landgrebe2007.weighted_classes_figures import (
    error_cloud,
)
from opchar_reproduction.results import Results
from opchar_reproduction.statements.measurements import Finding, Measurements, conjunction
from opchar_reproduction.study import figure, statement, study


@study(
    "costs-operating-points", kind="costs", basis="exact", profiles={"tiny": {"r": 10, "shown": 8}}
)
def operating_points(
    *,
    means: list[float] = [-3.0, 0.0, 3.0, 6.0],
    variance: float = 1.0,
    phi: list[float] = [1.0, 0.3, 1.0, 1.0],
    r: int = 80,
    weights: list[float] = [0.001, 1000.0],
    shown: int = 40,
    real_sets: dict[str, int] = {"Satellite, C=6, r=80": 6, "Letter, C=26, r=80": 26},
    real_r: int = 80,
    resolutions: list[int] = [5, 10, 20, 40, 60, 80, 100],
    classes: list[int] = [2, 3, 4, 5, 6, 8, 10],
    small_r: int = 5,
) -> Results:
    """Two operating points and the full ROC of four Gaussian classes; the growth of ROCs (4.2).

    `phi`: The second operating point; the first has equal weights.
    `r`: Steps a weight of the full ROC.
    `shown`: Steps a weight of the points that the figure shows.
    `real_sets`: Rows of the text and their numbers of classes.
    `real_r`: Their resolution.
    `resolutions`, `classes`: The axes of Figure 4.3.
    `small_r`: Resolution of the grids that are built to count their points.
    """
    results = Results()
    before, after = confusion_rates(means, variance, np.array([[1.0] * len(means), phi]))
    matrix_curve(results, "equal weights", before, curve="two points")
    matrix_curve(results, "phi_2 = 0.3", after, curve="two points")
    density_curves(results, "equal weights", means, variance, [1.0] * len(means))
    density_curves(results, "phi_2 = 0.3", means, variance, phi)
    _roc(results, means, variance, r, shown, weights)
    for row, c in real_sets.items():
        results.number("text-4.2.3", row, "calculations", float(real_r) ** (c - 1), unit="count")
    for c in classes:
        points = [float(steps) ** (c - 1) for steps in resolutions]
        results.add_frame("complexity", {"C": c, "r": resolutions, "points": points})
    for c in range(2, 6):
        counted = len(weight_grid(c, small_r))
        results.add_frame("grids", {"classes": [c], "r": small_r, "points": counted})
    return results


def _roc(
    results: Results, means: list[float], variance: float, r: int, shown: int, weights: list[float]
) -> None:
    """Count the operating points of the full ROC, and add three of its dimensions."""
    c, (low, high) = len(means), weights
    rates = confusion_rates(means, variance, weight_grid(c, r, low, high))
    for row, column, count in (
        ("4-class example, r=80", "operating points", len(rates)),
        ("4-class example", "ROC dimensions", c * c - c),
    ):
        results.number("figure-4.2", row, column, count, unit="count")
    coarse = weight_grid(c, shown, low, high)
    error_cloud_curve(results, confusion_rates(means, variance, coarse))


@statement("0317")
def one_error_falls_at_the_expense_of_the_other(measured: Measurements) -> Finding:
    """Ask whether xi_12 falls and xi_21 rises as the weight of class 2 is lowered."""
    table = measured.frame("two points")
    rates = table.pivot_table("rate", index=["true", "assigned"], columns="series")
    before, after = rates["equal weights"], rates["phi_2 = 0.3"]
    return conjunction(
        {"xi_12 falls": after[1, 2] < before[1, 2], "xi_21 rises": after[2, 1] > before[2, 1]},
        f"xi_12 {before[1, 2]:.4f} to {after[1, 2]:.4f}, xi_21 {before[2, 1]:.4f} to "
        f"{after[2, 1]:.4f}",
    )


@statement("0322")
def each_class_multiplies_the_points_by_r(measured: Measurements) -> Finding:
    """Ask whether a grid of one more class has r times as many operating points."""
    table = measured.frame("grids").sort_values("classes")
    points, r = table["points"], table["r"]
    growth = (points / points.shift()).dropna()
    counted = ", ".join(f"{count:g}" for count in points)
    return Finding(
        bool((growth == r.iloc[1:]).all()),
        f"{counted} points for C = {', '.join(f'{c:g}' for c in table['classes'])} and r = "
        f"{r.iloc[0]:g}",
    )


@figure("figure-4.3")
def draw_growth(results: pd.DataFrame, curves: dict[str, pd.DataFrame]) -> Figure:
    """Draw the number of operating points against resolution (Figure 4.3)."""
    figure, (panel,) = style.panels(width=style.ONE_COLUMN, height=2.8)
    ends = []
    for number, (_, curve) in enumerate(curves["complexity"].groupby("C")):
        label = f"$C$ = {curve['C'].iloc[0]:.0f}"
        ends.append((style.right_end(curve, "r", "points"), label, style.COLOURS[number]))
        marker = style.MARKERS[number]
        panel.semilogy(curve["r"], curve["points"], marker=marker, **style.series(number))
    panel.set(xlabel="resolution $r$", ylabel="operating points, $r^{C-1}$")
    style.label_ends(panel, ends)
    return figure


figure("figure-4.2", by=error_cloud, surface=error_cloud_views)
