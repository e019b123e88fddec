"""False acceptance and rejection of a verification system (tharwat2018, slides 69 to 72)."""

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from scipy.special import ndtr, ndtri

from opchar.figures import style
from opchar.metrics.indices.biometrics import equal_error_rate
from opchar_reproduction.results import Results
from opchar_reproduction.study import figure, study


@study("verification", basis="illustration")
def verification(
    *,
    impostors: dict[str, float] = {"mean": 0.35, "spread": 0.1},
    clients: dict[str, float] = {"mean": 0.65, "spread": 0.12},
    accepted_above: float = 0.45,
    points: int = 2001,
    deviate_ticks: list[float] = [0.001, 0.01, 0.05, 0.2, 0.5, 0.8],
) -> Results:
    """Sweep the threshold over normal client and impostor scores.

    impostors, clients: ``mean`` and ``spread`` of the two score distributions, which the tutorial
        does not give.
    accepted_above: The threshold at which the false acceptances are shaded.
    deviate_ticks: Error rates marked on the normal deviate axes of the DET curve.
    """
    results = Results()
    low = impostors["mean"] - 4.5 * impostors["spread"]
    high = clients["mean"] + 4.5 * clients["spread"]
    threshold = np.linspace(low, high, points)
    of_impostors = (threshold - impostors["mean"]) / impostors["spread"]
    of_clients = (threshold - clients["mean"]) / clients["spread"]
    far, frr = ndtr(-of_impostors), ndtr(of_clients)
    for name, standard, spread in (
        ("impostors", of_impostors, impostors["spread"]),
        ("clients", of_clients, clients["spread"]),
    ):
        density = np.exp(-(standard**2) / 2) / (spread * np.sqrt(2 * np.pi))
        results.add_frame("density", {"people": name, "score": threshold, "density": density})
    accepted = float(ndtr((impostors["mean"] - accepted_above) / impostors["spread"]))
    rejected = float(ndtr((accepted_above - clients["mean"]) / clients["spread"]))
    results.number("figure-far", "shaded threshold", "FAR", accepted, unit="fraction")
    results.number("figure-far", "shaded threshold", "FRR", rejected, unit="fraction")
    results.add_frame("accepted", {"threshold": [accepted_above], "far": accepted, "frr": rejected})
    results.add_frame("rates", {"threshold": threshold, "far": far, "frr": frr})
    _equal(results, impostors, clients, far, frr)
    results.add_frame(
        "det", {"far": far, "frr": frr, "far deviate": ndtri(far), "frr deviate": ndtri(frr)}
    )
    results.add_frame("ticks", {"rate": deviate_ticks, "deviate": ndtri(np.array(deviate_ticks))})
    return results


def _equal(
    results: Results,
    impostors: dict[str, float],
    clients: dict[str, float],
    far: np.ndarray,
    frr: np.ndarray,
) -> None:
    total = impostors["spread"] + clients["spread"]
    exact = float(ndtr((impostors["mean"] - clients["mean"]) / total))
    at = (impostors["mean"] * clients["spread"] + clients["mean"] * impostors["spread"]) / total
    read = equal_error_rate(far, frr)
    results.number("figure-eer", "exact", "EER", exact, unit="fraction")
    results.number("figure-eer", "exact", "threshold", at, unit="score")
    results.number("figure-eer", "read from the curves", "EER", read, unit="fraction")
    results.add_frame("equal", {"threshold": [at], "rate": exact, "deviate": float(ndtri(exact))})


BLUE, RED = style.COLOURS[0], style.COLOURS[1]


def _people(panel: Axes, curves: dict[str, pd.DataFrame]) -> dict[str, pd.DataFrame]:
    parts = {str(name): part for name, part in curves["density"].groupby("people", sort=False)}
    for name, colour, dash in (("impostors", RED, "--"), ("clients", BLUE, "-")):
        panel.plot(
            parts[name]["score"], parts[name]["density"], color=colour, linestyle=dash, label=name
        )
    panel.set(xlim=(0, 1), xlabel="similarity score", ylabel="density")
    panel.set_ylim(bottom=0)
    return parts


@figure("figure-far")
def false_acceptance(results: pd.DataFrame, curves: dict[str, pd.DataFrame]) -> Figure:
    """Shade the impostors that are accepted and the clients that are refused (slide 70)."""
    figure, [panel] = style.panels(width=5.0, height=3.1)
    parts, chosen = _people(panel, curves), curves["accepted"].iloc[0]
    at = chosen["threshold"]
    for name, colour, hatch, low, text in (
        ("impostors", "#F0A882", "////", True, f"false acceptance, FAR = {chosen['far']:.3f}"),
        ("clients", "#A9CFE6", "..", False, f"false rejection, FRR = {chosen['frr']:.3f}"),
    ):
        part = parts[name]
        where = part["score"] >= at if low else part["score"] <= at
        panel.fill_between(
            part["score"], part["density"], where=where, facecolor=colour, hatch=hatch,
            edgecolor="#777777", linewidth=0, label=text,
        )  # fmt: skip
    panel.axvline(at, color="black", linewidth=1.0, label=f"threshold {at:.2f}")
    figure.legend(loc="outside upper center", ncols=2)
    return figure


@figure("figure-eer")
def equal_error(results: pd.DataFrame, curves: dict[str, pd.DataFrame]) -> Figure:
    """Draw FAR and FRR against the threshold, with the equal error rate (slide 71)."""
    figure, [panel] = style.panels(width=style.ONE_COLUMN, height=2.8)
    rates, equal = curves["rates"], curves["equal"].iloc[0]
    panel.plot(rates["threshold"], rates["far"], color=RED, linestyle="--", label="FAR (FMR)")
    panel.plot(rates["threshold"], rates["frr"], color=BLUE, label="FRR (FNMR)")
    panel.plot(equal["threshold"], equal["rate"], "D", color="black", zorder=4)
    at, rate = equal["threshold"], equal["rate"]
    panel.annotate(
        f"EER = {rate:.3f}\nat {at:.2f}",
        (at, rate),
        xytext=(at + 0.01, 0.66),
        ha="center",
        arrowprops={"arrowstyle": "->", "linewidth": 0.8},
    )
    panel.set(xlim=(0, 1), ylim=(0, 1.02), xlabel="threshold", ylabel="error rate")
    panel.legend(loc="lower right", bbox_to_anchor=(1.02, 0.14))
    return figure


@figure("figure-det")
def det(results: pd.DataFrame, curves: dict[str, pd.DataFrame]) -> Figure:
    """Draw FRR against FAR on plain and on normal deviate axes (slide 72)."""
    figure, axes = style.panels(1, 2, height=3.5)
    curve, equal, ticks = curves["det"], curves["equal"].iloc[0], curves["ticks"]
    x, y = "false acceptance rate, FAR", "false rejection rate, FRR"
    style.unit_square(axes[0], x, y)
    axes[0].plot(
        [0, 0, 1], [1, 0, 0], color=style.COLOURS[2], linewidth=2.2, linestyle="--", clip_on=False,
        label="perfect", zorder=3,
    )  # fmt: skip
    axes[0].plot(curve["far"], curve["frr"], color=BLUE, label="system", zorder=4)
    axes[0].plot(equal["rate"], equal["rate"], "D", color="black", zorder=5, label="equal errors")
    axes[0].plot([0, 1], [0, 1], color=style.GREY, linewidth=0.7, linestyle=":", label="FAR = FRR")
    axes[0].legend(loc="lower right", bbox_to_anchor=(1.0, 0.1))
    axes[1].plot(curve["far deviate"], curve["frr deviate"], color=BLUE)
    axes[1].plot(equal["deviate"], equal["deviate"], "D", color="black", zorder=5)
    names = [f"{100 * rate:g}" for rate in ticks["rate"]]
    ends = ticks["deviate"].min() - 0.1, ticks["deviate"].max() + 0.1
    axes[1].plot(ends, ends, color=style.GREY, linewidth=0.7, linestyle=":")
    axes[1].set_xticks(ticks["deviate"], names)
    axes[1].set_yticks(ticks["deviate"], names)
    axes[1].set(xlim=ends, ylim=ends, xlabel="FAR [%]", ylabel="FRR [%]", aspect="equal")
    style.letter(axes, ["linear axes", "normal deviate axes"])
    return figure
