"""What the page on variants shows: a panel per artefact, as plain values and drawings."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
from markupsafe import Markup

from opchar.statistics.variants import LEAST_FACTOR, SHARE, allowed_misprints
from opchar_reproduction.report.drawing import draw
from opchar_reproduction.report.specification import PRIMARY
from opchar_reproduction.report.variant_tables import VariantTables

LIMIT = 2.0
HOLDS = "holds"
# A variant that moves at least this share of the blocks is one factor for the whole table.
WHOLE = 0.8
WIDEST = 8.0
SHOWN = 12
WIDTH, HEIGHT, LEFT = 640, 22, 20
LABELS, LINE = 270, 16
# Widths of a column of squares, at most and at least: a chart of many variants is wider.
MARK, NARROWEST = 14.0, 4.0


def panels(weighed: VariantTables) -> list[dict[str, Any]]:
    """Return one panel per artefact, first those that another variant explains."""
    found, left, cells = [], curves(weighed), weighed.cells
    for (paper, label), rows in weighed.weights.groupby(["paper", "artefact"], sort=False):
        distinct = rows[rows["same_as"] == ""].sort_values(
            "log_likelihood", ascending=False, kind="stable"
        )
        primary = int(np.argmax(distinct["is_primary"]))
        numbers = [*range(min(SHOWN, len(distinct))), *([primary] if primary >= SHOWN else [])]
        beyond = f" and the primary one, no. {primary + 1}" if primary >= SHOWN else ""
        of_label = cells[(cells["paper"] == paper) & (cells["artefact"] == label)]
        sizes = {str(name): list(z.abs()) for name, z in of_label.groupby("variant")["z"]}
        names = list(distinct["variant"].astype(str))
        drawn = {number + 1: (names[number], sizes[names[number]]) for number in numbers}
        found.append(
            {
                "paper": paper,
                "artefact": label,
                "rows": distinct.to_dict("records"),
                "variants": len(rows),
                "outcome": outcome(distinct.to_dict("records")),
                "explained": bool(distinct["explains"].any()),
                "shown": f"the first {min(SHOWN, len(distinct))}{beyond}",
                "drawing": draw_deviations(f"{paper} {label}", drawn),
                "curve": left.pop(str(rows["experiment"].iloc[0]), ""),
            }
        )
    return sorted(found, key=lambda panel: not panel["explained"])


def draw_deviations(title: str, rows: Mapping[int, tuple[str, Sequence[float]]]) -> Markup:
    """Draw ``|z|`` of every cell as dots, a row per variant, as an SVG for screen readers, too.

    `rows`: By the number of the variant its name and values.

    Values above 8 and cells without a value stand at the right border.
    """
    shown_rows = [
        {
            "number": number,
            "name": name,
            "within": sum(z <= LIMIT for z in values),
            "places": list(map(_place, sorted(values, key=lambda z: (math.isnan(z), z)))),
        }
        for number, (name, values) in rows.items()
    ]
    ticks = [(f"{tick}+" if tick == WIDEST else tick, _place(tick)) for tick in (0, 2, 4, 6, 8)]
    height = HEIGHT * (len(rows) + 1)
    return draw(
        "deviations",
        title=title,
        rows=shown_rows,
        limit=_place(LIMIT),
        ticks=ticks,
        height=height,
    )


def _place(z: float) -> str:
    shown = WIDEST if math.isnan(z) else min(z, WIDEST)
    return f"{LEFT + (WIDTH - 2 * LEFT) * shown / WIDEST:.1f}"


def curves(weighed: VariantTables) -> dict[str, Markup]:
    """Return the specification curve of each experiment on which claims are judged, by its address.

    Experiments whose claims say the same in every variant are left out.
    """
    return {
        str(name): curve(str(name), rows)
        for name, rows in weighed.statements.groupby("experiment", sort=False)
        if rows.groupby("id")["holds"].nunique().max() > 1
    }


def curve(title: str, judged: pd.DataFrame) -> Markup:
    """Draw in which variants each claim holds, and below what each variant chooses, as an SVG.

    Variants are columns, those in which most claims hold first; a full square is a claim that
    holds, an empty one a claim that fails, and a dot one that is not judged. A triangle stands
    above the primary variant.
    """
    table = judged.pivot_table("holds", "id", "variant", aggfunc="first", sort=False)
    names = sorted(table.columns, key=lambda name: -int((table[name].to_numpy() == HOLDS).sum()))
    choices = dict.fromkeys(part for name in names if name != PRIMARY for part in name.split("; "))
    step = min(MARK, max(NARROWEST, (WIDTH - LABELS) / len(names)))
    width = max(WIDTH, round(LABELS + step * len(names)))
    height = LINE * (len(table) + len(choices) + 2)
    claims = "; ".join(
        f"{line} holds in {int((row == HOLDS).sum())} of {int((row != '').sum())}"
        for line, row in table.iterrows()
    )
    rows = []
    for number, (line, row) in enumerate(table.iterrows(), start=1):
        found = [row[name] for name in names]
        for label, meaning, fill in (
            (line, HOLDS, "currentColor"),
            ("", "fails", "none"),
            ("", "", ""),
        ):
            rows.append(_marks(str(label), number, step, [x == meaning for x in found], fill))
    for number, choice in enumerate(choices, start=len(table) + 2):
        chosen = [choice in name.split("; ") for name in names]
        rows.append(_marks(choice, number, step, chosen, "currentColor"))
    primary = ""
    if PRIMARY in names:
        primary = f"{LABELS + step * (names.index(PRIMARY) + 0.5) - 4:.1f}"
    return draw(
        "specification",
        title=title,
        claims=claims,
        rows=rows,
        width=width,
        height=height,
        primary=primary,
    )


def _marks(label: str, line: int, step: float, marked: Sequence[bool], fill: str) -> dict[str, Any]:
    """Return a label, and squares in the marked columns of a line; dots where no fill is named."""
    size = max(step - 2, step / 2) if fill else 1.5
    lefts = [LABELS + step * index + (step - size) / 2 for index in np.flatnonzero(marked)]
    top = LINE * line + (LINE - size) / 2
    squares = "".join(f"M{x:.1f} {top:.1f}h{size:.1f}v{size:.1f}h-{size:.1f}z" for x in lefts)
    return {"label": label, "y": LINE * line, "squares": squares, "fill": fill}


def specifications(weighed: VariantTables, claims: Mapping[str, str]) -> list[dict[str, Any]]:
    """Return for each statement in how many variants it holds, and in which it turns."""
    found, left = [], curves(weighed)
    if len(weighed.weights):
        for shown in weighed.weights.drop_duplicates(["paper", "artefact"])["experiment"]:
            left.pop(str(shown), None)
    of_claims = weighed.statements.groupby(["id", "experiment"], sort=False)
    for (identifier, experiment), rows in of_claims:
        judged = rows[rows["holds"] != ""]
        if len(judged) < 2:
            continue
        first = str(judged["holds"].iloc[0])
        found.append(
            {
                "id": identifier,
                "claim": claims.get(str(identifier), ""),
                "experiment": experiment,
                "primary": first,
                "holds": int((judged["holds"] == "holds").sum()),
                "judged": len(judged),
                "turned": list(judged.loc[judged["holds"] != first, "variant"]),
                "curve": left.pop(str(experiment), ""),
            }
        )
    return found


def outcome(rows: Sequence[Mapping[Any, Any]]) -> str:
    """Return the outcome of the variants of an artefact, in words."""
    best, primary = rows[0], next(row for row in rows if row["is_primary"])
    if best["is_primary"]:
        return (
            f"The primary variant is the most likely one: {best['within']} of {best['cells']} "
            "values lie within two standard errors."
        )
    found = (
        f"The most likely variant explains {best['within']} of {best['cells']} values where the "
        f"primary one explains {primary['within']}"
    )
    if best["left_out"]:
        found += f"; {best['left_out']} values ({best['blocks_left_out']}) are left out"
    if best["explains"]:
        return f"{found}. Chance does as well in fewer than 0.25 % of tables. {_false_rate(best)}"
    if best["basis"] != "data":
        return f"{found}. This confirms nothing, as the values rest on no data of the publication."
    if not best["fits"]:
        return f"{found}; {_failed_conditions(best)}."
    if math.isnan(best["chance"]):
        return f"{found}. It is less than {LEAST_FACTOR:g} times as likely as the primary one."
    rate = f"{100 * best['chance']:.3g} %"
    return f"{found}. Chance does as well in {rate} of simulated tables; 0.25 % are too many."


def _failed_conditions(best: Mapping[Any, Any]) -> str:
    """Return which conditions of `opchar.statistics.variants.Fit` a variant fails."""
    failed = []
    if best["within"] < SHARE * best["cells"] - 1e-9:
        failed.append(f"fewer than {100 * SHARE:.0f} % lie within two standard errors")
    if best["certain"] > allowed_misprints(int(best["cells"])):
        failed.append(f"misprints cannot explain the {best['certain']} that differ significantly")
    return " and ".join(failed) or "the values that are not left out are not explained"


def _false_rate(best: Mapping[Any, Any]) -> str:
    """Tell how often the attribution of a table of this kind is false (docs/variants.md)."""
    share = f"It moves {100 * best['moved']:.0f} % of the blocks"
    if best["moved"] >= WHOLE:
        return (
            f"{share}, as one factor for the whole table does: "
            "of such simulated tables 2.3 % (at most 3.2 %) are attributed falsely."
        )
    return f"{share}: of such simulated tables fewer than 0.2 % are attributed falsely."


def variant_lines(weighed: VariantTables, paper: str, labels: Sequence[str]) -> list[str]:
    """Return the variants of some labels as lines of text, the most likely first."""
    lines_shown = []
    for panel in panels(weighed):
        if panel["paper"] != paper or panel["artefact"] not in labels:
            continue
        rows = panel["rows"]
        first = rows[0]
        lines_shown.append(
            f"{paper}/{panel['artefact']}: {panel['variants']} variants, {len(rows)} differ here, "
            f"{first['cells']} cells from {first['basis']}"
        )
        lines_shown.append(f"  {outcome(rows)}")
        lines_shown.append("  weight  |z|<=2  certain  left out  variant")
        for row in rows:
            mark = " (primary)" if row["is_primary"] else ""
            mark += " (explains it)" if row["explains"] else ""
            lines_shown.append(
                f"  {row['weight']:6.3f}  {row['within']:6d}  {row['certain']:7d}  "
                f"{row['left_out']:8d}  {row['variant']}{mark}"
            )
    return lines_shown
