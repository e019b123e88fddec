"""Three small pictures: ROC, precision-recall and calibration, as SVG in the page."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

import numpy as np
import pandas as pd

from opchar.analysis.answered import Answered

SIDE, LEFT, TOP = 200, 44, 8
COLOURS, DASHES = 6, 3
MOST = 6


def pictures(answers: Answered) -> str:
    """Return ROC and precision-recall at the prior in use, and calibration, as HTML."""
    decided = answers.decision
    if decided is None:
        return ""
    points, prior = answers.tables["points"], decided.prior
    models = list(answers.scored.models)[:MOST]
    lines: dict[str, list[tuple[str, pd.Series, pd.Series]]] = {"roc": [], "pr": [], "cal": []}
    for model in models:
        part = points[points["model"] == model]
        accepted = prior * part["tpr"] + (1 - prior) * part["fpr"]
        precision = (prior * part["tpr"] / accepted.where(accepted > 0)).bfill()
        lines["roc"].append((model, part["fpr"], part["tpr"]))
        lines["pr"].append((model, part["tpr"], precision))
        groups = answers.tables.get("calibration")
        if groups is not None and len(own := groups[groups["model"] == model]):
            lines["cal"].append((model, own["mean score"], own["positive"]))
    best, positives = decided.best, 1000 * prior
    tpr, fpr = best.found.value / positives, best.false_alarms.value / (1000 - positives)
    dots = {"roc": (fpr, tpr), "pr": (tpr, best.precision.value)} if decided.serves else {}
    texts = {
        "roc": ("ROC", "false alarms, share of negatives", "found"),
        "pr": ("Precision-recall at the prior in use", "found", "precision"),
        "cal": ("Calibration", "score", "share of positives"),
    }
    ends = dict.fromkeys(lines, (0.0, 1.0))
    if lines["cal"]:
        low, high = ends["cal"] = _ends_of([x for _, *both in lines["cal"] for x in both])
        if (low, high) != (0, 1):
            texts["cal"] = (f"Calibration, both axes from {low:g} to {high:g}", *texts["cal"][1:])
    drawn = [
        _picture(
            texts[name],
            [(models.index(m), x, y) for m, x, y in each],
            dots.get(name),
            name,
            ends[name],
        )
        for name, each in lines.items()
        if each
    ]
    legend = "".join(
        f'<li><svg viewBox="0 0 20 10" aria-hidden="true"><path class="line {_style(number)}" '
        f'd="M0 5h20"/></svg>{escape(model)}</li>'
        for number, model in enumerate(models)
    )
    point = "; the dot is the recommendation on held-out folds" if dots else ""
    return (
        f'<div class="small-pictures">{"".join(drawn)}</div><ul class="legend lines">{legend}</ul>'
        f'<p class="aside">These scores give the curves{point}.</p>'
    )


def _ends_of(values: Iterable[pd.Series]) -> tuple[float, float]:
    """Return round ends about shares that fill less than half of an axis, else zero and one."""
    shares = np.concatenate(list(values))
    low, high = float(np.nanmin(shares)), float(np.nanmax(shares))
    width = 10.0 ** np.floor(np.log10(max(high - low, 0.01)))
    step = next(width * part for part in (0.2, 0.5, 1.0) if high - low <= 10 * width * part)
    high = max(float(np.ceil(high / step) * step), step)
    low = min(float(np.floor(low / step) * step), high - step)
    return (round(low, 9), round(high, 9)) if high - low < 0.5 else (0.0, 1.0)


def _style(number: int) -> str:
    return f"c{number % COLOURS} d{number % DASHES}"


def _picture(
    texts: tuple[str, str, str],
    lines: Iterable[tuple[int, pd.Series, pd.Series]],
    dot: tuple[float, float] | None,
    name: str,
    ends: tuple[float, float],
) -> str:
    title, below, beside = texts
    low, high = ends

    def place(x: float, y: float) -> str:
        x, y = ((at - low) / (high - low) for at in (x, y))
        return f"{LEFT + SIDE * x:.1f} {TOP + SIDE * (1 - y):.1f}"

    paths = "".join(
        f'<path class="line {_style(number)}" d="M'
        + "L".join(place(*each) for each in zip(x, y, strict=True) if not np.isnan(each).any())
        + '"/>'
        for number, x, y in lines
    )
    if name != "pr":
        paths = f'<path class="trivial" d="M{place(low, low)}L{place(high, high)}"/>{paths}'
    if dot is not None and not np.isnan(dot).any():
        x, y = place(*dot).split()
        paths += f'<circle class="dot" cx="{x}" cy="{y}" r="4"/>'
    ticks = "".join(
        f'<text x="{LEFT + SIDE * at:g}" y="{TOP + SIDE + 14}" text-anchor="middle">{said}</text>'
        f'<text x="{LEFT - 4}" y="{TOP + SIDE * (1 - at) + 4:g}" text-anchor="end">{said}</text>'
        for at, said in ((at, f"{low + (high - low) * at:.3g}") for at in (0, 0.5, 1))
    )
    middle = TOP + SIDE / 2
    return (
        f'<figure><figcaption>{title}</figcaption><svg viewBox="0 0 {SIDE + LEFT + 12} '
        f'{SIDE + TOP + 34}" role="img" aria-label="{title}"><rect class="frame" x="{LEFT}" '
        f'y="{TOP}" width="{SIDE}" height="{SIDE}"/>{paths}{ticks}<text x="{LEFT + SIDE / 2:g}" '
        f'y="{TOP + SIDE + 29}" text-anchor="middle">{below}</text><text x="10" y="{middle:g}" '
        f'text-anchor="middle" transform="rotate(-90 10 {middle:g})">{beside}</text></svg></figure>'
    )


def confusion_picture(table: pd.DataFrame, classes: tuple[str, ...]) -> str:
    """Return the confusion matrix of each model as a shaded table, and the classes as bars."""
    parts = []
    heads = "".join(f'<th scope="col">{escape(name)}</th>' for name in classes)
    for model, part in table.groupby("model", sort=False):
        rows = []
        for row in part.to_dict("records"):
            numbers = [float(row[f"taken for {name}"]) for name in classes]
            whole = sum(numbers) or 1.0
            cells = "".join(
                f'<td class="{"hit" if name == row["true class"] else "miss"} s'
                f'{int(np.ceil(5 * number / whole))}">{number:,.6g}</td>'
                for name, number in zip(classes, numbers, strict=True)
            )
            right = float(row[f"taken for {row['true class']}"]) / whole
            share = f"{100 * right:.1f}"
            bar = (
                f'<td><svg class="bar" viewBox="0 0 100 10" aria-hidden="true">'
                f'<path class="rest" d="M0 5h100"/><path class="right" d="M0 5h{share}"/></svg> '
                f"<span>{share} %</span></td>"
            )
            name = escape(str(row["true class"]))
            rows.append(f'<tr><th scope="row">{name}</th>{cells}{bar}</tr>')
        parts.append(
            f'<h2 class="plain">{escape(str(model))}: true classes in rows, classes of the largest '
            'score in columns</h2><div class="scroll" role="region" '
            f'aria-label="Confusion matrix of {escape(str(model))}" tabindex="0">'
            f'<table class="confusion"><thead><tr><td></td>{heads}<th scope="col">'
            f"right</th></tr></thead><tbody>{''.join(rows)}</tbody></table></div>"
        )
    return "\n".join(parts)
