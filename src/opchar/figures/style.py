"""One look for all figures: sizes, fonts, colours and line styles that survive grey and print."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from io import BytesIO, StringIO
from pathlib import Path
from textwrap import wrap
from typing import Any

import matplotlib as mpl
import numpy as np
import pandas as pd

mpl.use("agg")

from matplotlib.axes import Axes
from matplotlib.colors import to_rgba
from matplotlib.figure import Figure
from matplotlib.transforms import Bbox
from PIL import Image

from opchar.files import replacing

ONE_COLUMN = 3.5
TWO_COLUMNS = 7.2

# Okabe and Ito's palette: told apart by people with any common colour blindness. Purple, amber and
# sky are darkened, so that a line of any colour has a contrast of 3:1 on white (WCAG 1.4.11).
COLOURS = ["#0072B2", "#D55E00", "#009E73", "#BF6A98", "#B37700", "#2B93CC", "#000000"]
DASHES: list[Any] = ["-", "--", "-.", ":", (0, (5, 1, 1, 1, 1, 1)), (0, (8, 3)), (0, (1, 1))]
MARKERS = ["o", "s", "^", "D", "v", "P", "X"]
GREY = "#666666"
NOTE_SIZE = 6
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
    "lines.solid_capstyle": "butt",
    "svg.fonttype": "none",
    "svg.hashsalt": "opchar",
    "pdf.fonttype": 42,
    "mathtext.fontset": "dejavusans",
}


@contextmanager
def figure_style() -> Iterator[None]:
    """Apply the style, and nothing of a ``matplotlibrc``, inside a ``with`` block."""
    with mpl.rc_context():
        mpl.rcdefaults()
        mpl.rcParams.update(STYLE)  # type: ignore[arg-type]
        yield


def panels(
    rows: int = 1, columns: int = 1, *, width: float = TWO_COLUMNS, height: float | None = None
) -> tuple[Figure, list[Axes]]:
    """Make a figure of ``rows x columns`` panels."""
    if height is None:
        height = rows * (width / columns) * 0.75
    figure = Figure(figsize=(width, height))
    return figure, list(figure.subplots(rows, columns, squeeze=False).flat)


def series(number: int) -> dict[str, Any]:
    """Return colour and dash of series `number`, which differ together so that grey is enough."""
    return {"color": COLOURS[number % len(COLOURS)], "linestyle": DASHES[number % len(DASHES)]}


def letter(axes: list[Axes], titles: list[str]) -> None:
    """Title panels ``(a) ...``, ``(b) ...`` in the manner of the works."""
    for number, (panel, title) in enumerate(zip(axes, titles, strict=True)):
        panel.set_title(f"({chr(ord('a') + number)}) {title}", loc="left")


def series_label(series: object) -> str:
    """Return the name of a series in the notation of the works, for a legend."""
    text = re.sub(r"\bC_?(\d+)\b", r"$C_{\1}$", str(series))
    symbol, equals, value = text.partition(" = ")
    return f"{_SYMBOLS.get(symbol, symbol)}{equals}{value}"


def model_label(code: str) -> str:
    """Return the name of a model for a legend, from its code, without its detector's "reject"."""
    stages = [_model_stage(stage.split()) for stage in code.split(" + ")]
    return ", ".join(stages)


def _model_stage(words: list[str]) -> str:
    counts = "+".join(word for word in words if word.isdigit())
    words = [word for word in words if not word.isdigit() and word != "reject"]
    named = [re.sub(r"^([a-z]+)(\d*)$", _model_word, word) for word in words]
    return " ".join([*named, counts] if counts else named)


def _model_word(word: re.Match[str]) -> str:
    name = _MODEL_WORDS.get(word[1], word[1].upper())
    return f"{name} {word[2]}".rstrip()


_MODEL_WORDS = {"sc": "scaled", "fisher": "Fisher", "gauss": "Gaussian", "mogc": "MOG"}


def ink(background: Any) -> str:
    """Return black or white, whichever has the higher contrast on `background` (WCAG 2.2)."""
    on = _luminance(background) + 0.05
    return "black" if on / 0.05 >= 1.05 / on else "white"


def contrast(colour: Any, background: Any = "white") -> float:
    """Return the contrast ratio of two colours, from 1 to 21 (WCAG 2.2)."""
    low, high = sorted((_luminance(colour), _luminance(background)))
    return (high + 0.05) / (low + 0.05)


def _luminance(colour: Any) -> float:
    *rgb, alpha = to_rgba(colour)
    seen = [alpha * part + 1 - alpha for part in rgb]
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in seen
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def label_ends(
    panel: Axes, ends: Sequence[tuple[Any, str, Any]], *, size: float = 7, gap: float = 1.25
) -> None:
    """Name lines at their right ends, moved apart where they would overlap.

    Call it when the limits of the panel and the size of the figure are final.
    """
    panel.figure.draw_without_rendering()  # type: ignore[union-attr]
    height = panel.get_window_extent().height * 72 / panel.figure.dpi
    at = panel.transAxes.inverted().transform(
        [panel.transData.transform((panel.get_xlim()[1], end)) for end, _, _ in ends]
    )[:, 1]
    places = _spread_apart(np.clip(at, 0, 1), gap * size / height)
    for (_, name, colour), low, place in zip(ends, at, places, strict=True):
        moved = abs(place - low) * height > 1
        panel.annotate(
            name, (1, min(max(low, 0), 1)), xytext=(1.04 if moved else 1.015, place),
            xycoords="axes fraction", textcoords="axes fraction", va="center", fontsize=size,
            color=colour, annotation_clip=False,
            arrowprops={"arrowstyle": "-", "color": colour, "linewidth": 0.5, "shrinkA": 1,
                        "shrinkB": 0} if moved else None,
        )  # fmt: skip


def right_end(line: pd.DataFrame, x: str, y: str) -> float:
    """Return the height of a line at its largest `x`."""
    return float(line[y].to_numpy()[line[x].to_numpy().argmax()])


def label_on(panel: Axes, x: float, y: float, name: str, colour: Any, *, size: float = 7) -> None:
    """Name a line on itself, at one of its points."""
    panel.text(
        x, y, name, color=colour, fontsize=size, ha="center", va="center", zorder=6,
        bbox={"facecolor": "white", "edgecolor": "none", "pad": 0.8},
    )  # fmt: skip


def _spread_apart(places: Any, least: float) -> Any:
    """Move places as little as in turn suffices for a distance of `least`, keeping their order."""
    order = np.argsort(places, kind="stable")
    groups: list[list[float]] = []
    for place in np.asarray(places, dtype=float)[order]:
        groups.append([place])
        while len(groups) > 1 and _low(groups[-1], least) < _high(groups[-2], least) + least:
            groups[-2:] = [groups[-2] + groups[-1]]
    spread = [_low(group, least) + least * step for group in groups for step in range(len(group))]
    moved = np.empty(len(order))
    moved[order] = spread
    return moved


def _low(group: list[float], least: float) -> float:
    return sum(group) / len(group) - least * (len(group) - 1) / 2


def _high(group: list[float], least: float) -> float:
    return sum(group) / len(group) + least * (len(group) - 1) / 2


def unit_square(panel: Axes, x: str, y: str) -> None:
    """Label a panel whose both axes are rates, from 0 to 1 with equal scale."""
    panel.set(xlim=(-0.02, 1.02), ylim=(-0.02, 1.02), xlabel=x, ylabel=y)
    panel.set_aspect("equal")


def save(figure: Figure, paths: dict[str, Path], note: str = "") -> None:
    """Write a figure in each format, with the same bytes every time."""
    settle(figure)
    frame = _with_note(figure, note) if note else None
    # With a layout engine Matplotlib would draw the figure once more before it writes each format.
    with mpl.rc_context({"figure.constrained_layout.use": False}):
        figure.set_layout_engine(None)
        for kind, path in paths.items():
            with replacing(path) as temporary:
                _SAVE[kind](figure, temporary, frame)
    if pyplot := sys.modules.get("matplotlib.pyplot"):  # takes long to load; some drawings use it
        pyplot.close(figure)


def settle(figure: Figure) -> None:
    """Lay a figure out, so that all formats have one layout."""
    if figure.get_layout_engine() is None:
        return
    figure.draw_without_rendering()
    for legend in figure.legends:
        legend.set_bbox_to_anchor((0, 0, 1, 1), transform=figure.transFigure)


def _with_note(figure: Figure, note: str) -> Bbox:
    """Write a note under the figure and return the page, in inches, that holds both."""
    width, height = figure.get_size_inches()
    letters = int(width * 72 / (0.58 * NOTE_SIZE)) - 2
    lines = [part for line in note.splitlines() for part in wrap(line, letters)]
    lowest = min(0.0, figure.get_tightbbox().y0)
    below = (1.25 * len(lines) + 0.5) * NOTE_SIZE / 72 - lowest
    figure.text(0.5, (lowest - 0.02) / height, "\n".join(lines), ha="center", va="top",
                fontsize=NOTE_SIZE, color=GREY, in_layout=False)  # fmt: skip
    return Bbox([[0, -below], [width, height]])


def _save_svg(figure: Figure, path: Path, frame: Bbox | None) -> None:
    """Write text as text, and name the fonts to take where there is no DejaVu Sans."""
    drawn = StringIO()
    figure.savefig(drawn, format="svg", metadata={"Date": None}, bbox_inches=frame)
    fonts = ", ".join(["'DejaVu Sans'", *FALLBACK])
    path.write_text(compact(drawn.getvalue().replace("'DejaVu Sans'", fonts)), encoding="utf-8")


def compact(svg: str) -> str:
    """Return an SVG without indentation, places on the page to a hundredth of a point."""
    svg = _PATH.sub(lambda path: _LONG.sub(_hundredths, path[0]), svg)
    svg = _USE.sub(
        lambda use: _PLACE.sub(lambda place: _LONG.sub(_hundredths, place[0]), use[0]), svg
    )
    return _INDENT.sub("\n", svg)


_PATH = re.compile(r'(?<= )d="[^"]*"')
_USE = re.compile(r"<use [^>]*>")
_PLACE = re.compile(r' [xy]="[^"]*"')
_LONG = re.compile(r"-?\d+\.\d{3,}(?![\deE])")
_INDENT = re.compile(r" *\n *")


def _hundredths(number: re.Match[str]) -> str:
    """Return a number to two places, without zeros at its end."""
    text = f"{float(number[0]):.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def _save_pdf(figure: Figure, path: Path, frame: Bbox | None) -> None:
    figure.savefig(path, format="pdf", metadata={"CreationDate": None}, bbox_inches=frame)


def _save_png(figure: Figure, path: Path, frame: Bbox | None) -> None:
    """Write RGB: white shows through nothing, and a tint is the same in every file."""
    drawn = BytesIO()
    figure.savefig(drawn, format="png", bbox_inches=frame, pil_kwargs={"compress_level": 0})
    dots = int(mpl.rcParams["savefig.dpi"])
    with Image.open(drawn) as image:
        image.convert("RGB").save(path, format="png", dpi=(dots, dots))


_SAVE = {"svg": _save_svg, "pdf": _save_pdf, "png": _save_png}
