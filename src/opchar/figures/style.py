"""One look for all figures: sizes, fonts, colours and line styles that survive grey and print."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import matplotlib as mpl

mpl.use("agg")

from matplotlib import pyplot as plt
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from opchar.files import replacing

ONE_COLUMN = 3.5
TWO_COLUMNS = 7.2

# Okabe and Ito's palette: told apart by people with any common colour blindness.
COLOURS = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000"]
DASHES: list[Any] = ["-", "--", "-.", ":", (0, (5, 1, 1, 1, 1, 1)), (0, (8, 3)), (0, (1, 1))]
MARKERS = ["o", "s", "^", "D", "v", "P", "X"]
GREY = "#777777"

STYLE = {
    "font.family": "DejaVu Sans",
    "font.size": 8,
    "axes.titlesize": 8,
    "axes.labelsize": 8,
    "legend.fontsize": 7,
    "xtick.labelsize": 7,
    "ytick.labelsize": 7,
    "axes.linewidth": 0.6,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "grid.linewidth": 0.3,
    "grid.color": "#cccccc",
    "lines.linewidth": 1.3,
    "lines.markersize": 4,
    "legend.frameon": False,
    "figure.constrained_layout.use": True,
    "figure.dpi": 100,
    "savefig.dpi": 200,
    "svg.fonttype": "none",
    "svg.hashsalt": "opchar",
    "pdf.fonttype": 42,
    "mathtext.fontset": "dejavusans",
}


@contextmanager
def styled() -> Iterator[None]:
    """Apply the style inside a ``with`` block."""
    with mpl.rc_context(STYLE):  # type: ignore[arg-type]
        yield


def panels(
    rows: int = 1, columns: int = 1, *, width: float = TWO_COLUMNS, height: float | None = None
) -> tuple[Figure, list[Axes]]:
    """Make a figure of ``rows x columns`` panels.

    Parameters
    ----------
    rows, columns : int
        The grid.
    width : float
        Inches: `ONE_COLUMN` or `TWO_COLUMNS` of a journal page.
    height : float, optional
        Inches; panels are four by three when not given.

    Returns
    -------
    figure : matplotlib.figure.Figure
    axes : list of matplotlib.axes.Axes
        Row by row.
    """
    if height is None:
        height = rows * (width / columns) * 0.75
    figure, axes = plt.subplots(rows, columns, figsize=(width, height), squeeze=False)
    return figure, list(axes.flat)


def series(number: int) -> dict[str, Any]:
    """Return colour and dash of series `number`, which differ together so that grey is enough."""
    return {"color": COLOURS[number % len(COLOURS)], "linestyle": DASHES[number % len(DASHES)]}


def letter(axes: list[Axes], titles: list[str]) -> None:
    """Title panels ``(a) ...``, ``(b) ...`` in the manner of the works."""
    for number, (panel, title) in enumerate(zip(axes, titles, strict=True)):
        panel.set_title(f"({chr(ord('a') + number)}) {title}", loc="left")


def unit_square(panel: Axes, x: str, y: str) -> None:
    """Label a panel whose both axes are rates, from 0 to 1 with equal scale."""
    panel.set(xlim=(-0.02, 1.02), ylim=(-0.02, 1.02), xlabel=x, ylabel=y)
    panel.set_aspect("equal")


def save(figure: Figure, paths: dict[str, Path], note: str = "") -> None:
    """Write a figure in each format, with the same bytes every time.

    Parameters
    ----------
    figure : matplotlib.figure.Figure
    paths : dict of str to pathlib.Path
        File by format: ``svg``, ``pdf``, ``png``.
    note : str, optional
        Printed below the figure, as for stand-in data.
    """
    if note:
        figure.supxlabel(note, fontsize=6, color=GREY)
    without_date = {"svg": {"Date": None}, "pdf": {"CreationDate": None}, "png": {"Software": None}}
    for kind, path in paths.items():
        with replacing(path) as temporary:
            figure.savefig(temporary, format=kind, metadata=without_date[kind])
    plt.close(figure)
