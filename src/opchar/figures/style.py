"""One look for all figures: sizes, fonts, colours and line styles that survive grey and print."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO, StringIO
from pathlib import Path
from typing import Any

import matplotlib as mpl

mpl.use("agg")

from matplotlib import pyplot as plt
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from PIL import Image

from opchar.files import replacing

ONE_COLUMN = 3.5
TWO_COLUMNS = 7.2

# Okabe and Ito's palette: told apart by people with any common colour blindness.
COLOURS = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000"]
DASHES: list[Any] = ["-", "--", "-.", ":", (0, (5, 1, 1, 1, 1, 1)), (0, (8, 3)), (0, (1, 1))]
MARKERS = ["o", "s", "^", "D", "v", "P", "X"]
GREY = "#666666"
FALLBACK = ["Verdana", "sans-serif"]
# The axes that the works share, in their notation.
PRIOR, PROBABILITY_COST = "$P(+)$", "$PC(+)$"

_SYMBOLS = {"α": r"$\alpha$", "m": "$m$", "C": "$C$"}

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


def named(series: object) -> str:
    """Return the name of a series in the notation of the works, for a legend.

    Examples
    --------
    >>> named("C_1: TPR 0.5"), named("m = 0.25"), named("naive Bayes")
    ('$C_{1}$: TPR 0.5', '$m$ = 0.25', 'naive Bayes')
    """
    text = re.sub(r"\bC_?(\d+)\b", r"$C_{\1}$", str(series))
    symbol, equals, value = text.partition(" = ")
    return f"{_SYMBOLS.get(symbol, symbol)}{equals}{value}"


def unit_square(panel: Axes, x: str, y: str) -> None:
    """Label a panel whose both axes are rates, from 0 to 1 with equal scale."""
    panel.set(xlim=(-0.02, 1.02), ylim=(-0.02, 1.02), xlabel=x, ylabel=y)
    panel.set_aspect("equal")


def save(figure: Figure, paths: dict[str, Path], note: str = "") -> None:
    """Write a figure in each format, with the same bytes every time.

    A PNG has 256 colours, chosen for it, which makes it three times smaller.

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
    for kind, path in paths.items():
        with replacing(path) as temporary:
            if kind == "png":
                _save_png(figure, temporary)
            elif kind == "svg":
                _save_svg(figure, temporary)
            else:
                figure.savefig(temporary, format=kind, metadata={"CreationDate": None})
    plt.close(figure)


def _save_svg(figure: Figure, path: Path) -> None:
    """Write text as text, and name the fonts to take where there is no DejaVu Sans."""
    drawn = StringIO()
    figure.savefig(drawn, format="svg", metadata={"Date": None})
    fonts = ", ".join(["'DejaVu Sans'", *FALLBACK])
    path.write_text(drawn.getvalue().replace("'DejaVu Sans'", fonts), encoding="utf-8")


def _save_png(figure: Figure, path: Path) -> None:
    drawn = BytesIO()
    figure.savefig(drawn, format="png")
    dots = int(mpl.rcParams["savefig.dpi"])
    with Image.open(drawn) as image:
        few = image.convert("RGB").quantize(
            256, method=Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE
        )
    few.save(path, format="png", optimize=True, dpi=(dots, dots))
