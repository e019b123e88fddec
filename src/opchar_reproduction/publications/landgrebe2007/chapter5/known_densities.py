"""Classification against rejection for known densities (Sec. 5.3.2)."""

import numpy as np
import pandas as pd
from matplotlib import colormaps
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from opchar.figures import style
from opchar.reject.analytic import (
    Density,
    Gaussian,
    RejectRates,
    Rule,
    Uniform,
    reject_rates,
    target_regions,
)
from opchar_reproduction.figures.surface import Part, View
from opchar_reproduction.publications.landgrebe2007.chapter5.score_tables import rates_frame
from opchar_reproduction.publications.landgrebe2007.operating_surfaces_figures import (
    REJECTION_LEVELS,
    cube_in_place,
    floor_lines,
    rejection_surface,
)
from opchar_reproduction.publications.landgrebe2007.surfaces_figures import (
    REJECTION,
    Curves,
    _axes,
    _grid,
)
from opchar_reproduction.results import Results
from opchar_reproduction.statements.measurements import Finding, Measurements, conjunction
from opchar_reproduction.study import figure, statement, study


@study(
    "reject-known-densities",
    kind="reject",
    basis="illustration",
    profiles={"tiny": {"thetas": 41, "surface_distances": 9}},
)
def known_densities(
    *,
    target: list[float] = [0.0, 1.0],
    outlier: list[float] = [2.5, 1.0],
    unseen: list[float] = [-6.0, 9.0],
    rule: Rule = "ratio",
    theta_range: list[float] = [-18.0, 18.0],
    thetas: int = 361,
    shown: float = 0.15,
    distances: list[float] = [0.0, 0.01, 0.05, 0.15, 0.3],
    surface_distances: int = 41,
) -> Results:
    """Operating characteristics of a distance reject-option on known densities (5.3.2).

    `target`, `outlier`: The known Gaussian classes, priors equal.
    `unseen`: Domain of the uniform class met only in use.
    `rule`: What theta is a threshold of; see `opchar.reject.analytic.target_regions`.
    `theta_range`: Range of theta, symmetric about zero so that zero is among an odd number of them.
    `thetas`: Number of classification thresholds.
    `shown`: The rejection threshold t_d of Figure 5.7.
    `distances`: The rejection thresholds of Figure 5.8, ascending from zero.
    `surface_distances`: Number of rejection thresholds of the surface, from zero to the target's
    mode.
    """
    results = Results()
    known, other, new = Gaussian(*target), Gaussian(*outlier), Uniform(*unseen)
    x = np.linspace(new.low, new.high, 601)
    named: dict[str, Density] = {"target": known, "outlier": other, "unseen": new}
    for name, density in named.items():
        results.add_frame("densities", {"class": name, "x": x, "density": density.pdf(x)})
    _add_regions(results, known, other, rule, [*distances, shown], shown)
    theta = np.linspace(theta_range[0], theta_range[1], thetas)
    rates = reject_rates(known, other, new, theta, distances, rule=rule)
    results.add_frame("roc", rates_frame(rates, rates.distances, rates.thetas))
    mode = float(known.pdf(np.array(known.mean)))
    levels = np.linspace(0, mode, surface_distances)
    surface = reject_rates(known, other, new, theta, levels, rule=rule)
    results.add_frame("surface", rates_frame(surface, surface.distances, surface.thetas))
    _trade_off(results, rates)
    return results


def _add_regions(
    results: Results,
    target: Gaussian,
    outlier: Gaussian,
    rule: Rule,
    distances: list[float],
    shown: float,
) -> None:
    """Add the regions called target at theta = 0."""
    levels = sorted(set(distances))
    classified, accepted = target_regions(target, outlier, [0.0], levels, rule=rule)
    regions = {}
    for level, intervals in zip(levels, accepted, strict=True):
        both = [
            (max(a, c), min(b, d))
            for a, b in intervals
            for c, d in classified[0]
            if max(a, c) < min(b, d)
        ]
        regions[level] = both
        for low, high in both:
            ends = target.pdf(np.array([low, high]))
            region = {"t_d": [level], "low": low, "high": high, "least density": ends.min()}
            results.add_frame("regions", region)
    row, (low, high) = f"t_d={shown:g}, theta=0", regions[shown][0]
    results.number("figure-5.7", row, "lower end of the target region", low, unit="x")
    results.number("figure-5.7", row, "upper end of the target region", high, unit="x")


def _trade_off(results: Results, rates: RejectRates) -> None:
    """Add both performances at each rejection threshold."""
    middle = int(np.abs(rates.thetas).argmin())
    rejected = rates.fpr_reject[:, middle]
    best = rates.mean_performance().max(axis=1)
    for level, share, performance in zip(rates.distances, rejected, best, strict=True):
        row = f"t_d={level:g}"
        results.number("figure-5.8", row, "FPr_r at theta=0", share, unit="fraction")
        results.number("figure-5.8", row, "best p_mean", performance, unit="fraction")


@statement("1078")
def target_region_is_cut(measured: Measurements, *, shown: float = 0.15) -> Finding:
    """Ask whether all that is called target has a target density of t_d, in a smaller region."""
    table = measured.frame("regions")
    table = table.assign(length=table["high"] - table["low"])
    one, none = (table[table["t_d"] == level] for level in (shown, 0.0))
    least = one["least density"].min()
    return conjunction(
        {
            "the density is at least t_d": shown - least <= 1e-9,
            "the region is smaller": one["length"].sum() < none["length"].sum(),
        },
        f"with t_d = {shown:g} the target region is {_in_words(one)}, where the density is "
        f"{least:.4f} at least; with theta alone {_in_words(none)}",
    )


@statement("0961")
def rejection_improves_at_the_price_of_classification(
    measured: Measurements, *, sharp: float = 0.25, early: float = 0.1
) -> Finding:
    """Ask whether FP_r^r falls, most at once, and mean performance falls, most at the end."""
    table = measured.frame("roc")
    accepted = table.pivot_table("fpr_r", index="t_d", columns="theta")
    levels = accepted.index.to_numpy(dtype=float)
    middle = accepted.iloc[:, int(np.abs(accepted.columns.to_numpy(dtype=float)).argmin())]
    unseen = middle.to_numpy(dtype=float)
    best = table.groupby("t_d")["mean_performance"].max().to_numpy(dtype=float)
    slope, loss = -np.diff(unseen) / np.diff(levels), -np.diff(best)
    falls = (slope > 0).all() and bool((accepted.diff().fillna(0.0) <= 1e-12).all(axis=None))
    at_once = slope[0] == slope.max() and unseen[1] < (1 - sharp) * unseen[0]
    at_the_end = loss[-1] == loss.max() and loss[0] < early * loss.sum()
    extremes = best[0] == best.max() and unseen[0] == unseen.max()
    return conjunction(
        {
            "FP_r^r falls with t_d": falls,
            "most at once": at_once,
            "mean performance falls most at the end": at_the_end,
            "both are largest at the start": extremes,
        },
        f"for t_d {_list(levels, 'g')} FP_r^r at theta = 0 is {_list(unseen, '.3f')} and the best "
        f"mean performance {_list(best, '.4f')}",
    )


def _in_words(regions: pd.DataFrame) -> str:
    return " and ".join(
        f"[{row['low']:.3f}, {row['high']:.3f}]" for row in regions.to_dict("records")
    )


def _list(values: np.ndarray, form: str) -> str:
    return ", ".join(format(float(value), form) for value in values)


def fixed_thresholds_views(curves: Curves) -> list[View]:
    """Return all operating points of the reject option, and those at fixed t_d (Figure 5.8)."""
    parts = [_grid(curves["surface"], ("t_d", "theta"), REJECTION, "all thresholds")]
    for level, curve in curves["roc"].groupby("t_d", sort=True):
        x, y, z = (curve[name].to_numpy(float) for name in REJECTION)
        parts.append(Part("line", x, y, z, f"t_d = {level:g}"))
    words = "All operating points; each line has one rejection threshold t_d."
    return [View(words, _axes(REJECTION), parts)]


NAMES = {"target": r"$\omega_t$", "outlier": r"$\omega_o$", "unseen": r"$\omega_r$"}

LOOK = {
    "color": style.COLOURS[5],
    "alpha": 0.25,
    "lw": 0.15,
    "edgecolor": "#888888",
    "rcount": 12,
    "ccount": 30,
}


def _densities(panel: Axes, curves: dict[str, pd.DataFrame], t_d: float) -> None:
    """Draw the three densities, the reject threshold and the region called target at theta = 0."""
    for number, (name, curve) in enumerate(curves["densities"].groupby("class", sort=False)):
        panel.plot(curve["x"], curve["density"], label=NAMES[str(name)], **style.series(number))
    left, right = curves["densities"]["x"].min(), curves["densities"]["x"].max()
    for region in curves["regions"].query("t_d == @t_d").itertuples():
        low, high = max(region.low, left), min(region.high, right)
        panel.axvspan(low, high, color=style.COLOURS[5], alpha=0.25, lw=0)
    panel.axhline(t_d, color=style.GREY, lw=0.8, ls="--")
    panel.set(xlabel="$x$", ylabel="density", xlim=(left, right), ylim=(0, 0.45))


@figure("figure-5.7")
def synthetic_example(
    results: pd.DataFrame, curves: dict[str, pd.DataFrame], *, t_d: float = 0.15
) -> Figure:
    """Draw the densities with classification and rejection boundary (Figure 5.7)."""
    figure, (panel,) = style.panels(width=style.TWO_COLUMNS, height=3.0)
    _densities(panel, curves, t_d)
    region = curves["regions"].query("t_d == @t_d").iloc[0]
    theta = curves["regions"].query("t_d == 0").iloc[0]["high"]
    panel.axvline(theta, color="black", lw=0.9)
    left, right = panel.get_xlim()
    panel.text(theta + 0.1, 0.412, r"$\theta$")
    panel.text(right - 0.1, t_d + 0.008, rf"$t_d = {t_d:g}$", ha="right")
    names = {
        "rejected\n(outlier)": (left, region["low"]),
        "target": (region["low"], region["high"]),
        "outlier\n(classified)": (theta, right),
    }
    for name, (low, high) in names.items():
        panel.text((low + high) / 2, 0.335, name, ha="center", va="center")
    figure.legend(*panel.get_legend_handles_labels(), loc="outside upper center", ncols=3)
    return figure


@figure("figure-5.8", surface=fixed_thresholds_views)
def fixed_thresholds(results: pd.DataFrame, curves: dict[str, pd.DataFrame]) -> Figure:
    """Draw the ROC of each t_d in two projections, mean performance, and the surface (Fig. 5.8)."""
    levels = [float(level) for level in curves["roc"]["t_d"].unique()]
    figure = style.panels(2, 2, height=6.2)[0]
    panels = figure.axes
    cube = cube_in_place(figure, panels[1])
    rejection_surface(cube, curves["surface"], LOOK)
    flat = [panels[0], panels[2], panels[3]]
    shades = colormaps["viridis"](np.linspace(0, 0.85, len(levels)))
    columns = [("fpr_o", "tpr"), ("fpr_r", "tpr"), ("fpr_r", "mean_performance")]
    for number, level in enumerate(levels):
        curve = curves["roc"].query("t_d == @level")
        line = {"color": shades[number], "ls": style.DASHES[number]}
        cube.plot(curve["fpr_o"], curve["fpr_r"], curve["tpr"], zorder=5, lw=1.8, **line)
        for panel, (x, y) in zip(flat, columns, strict=True):
            panel.plot(curve[x], curve[y], label=f"$t_d$ = {level:g}", **line)
    style.unit_square(flat[0], "$FP_r^o$", "$TP_r$")
    style.unit_square(flat[1], "$FP_r^r$", "$TP_r$")
    flat[2].set(xlim=(-0.02, 1.02), ylim=(0.48, 1), xlabel="$FP_r^r$", ylabel="$p_{mean}$")
    floor = floor_lines(REJECTION_LEVELS)
    cube.legend(handles=floor, title="$TP_r$ on\nthe floor", loc="right", bbox_to_anchor=(0, 0.5))
    titles = ["known outliers", "all operating points", "unseen class", "mean performance"]
    for letter, panel, title in zip("abcd", [flat[0], cube, *flat[1:]], titles, strict=True):
        panel.set_title(f"({letter}) {title}", loc="left")
    figure.legend(*flat[0].get_legend_handles_labels(), loc="outside upper center", ncols=5)
    return figure
