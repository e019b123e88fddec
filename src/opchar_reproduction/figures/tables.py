"""Tables: published numbers in brackets, then reproduced ones, as Markdown and as CSV."""

import math
import re
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

import numpy as np
import pandas as pd

from opchar_reproduction.figures.notation import plain, spoken_label

KEY = ["artefact", "row", "column"]
TIDY = [*KEY, "kind", "value", "std", "n", "unit", "published", "published_std", "data", "note"]
MISSING = "–"
BRACKETS = "Published values in brackets, then reproduced values."
STAND_IN = "stand-in"
# What separates a table worth pivoting from a list of single values.
DENSE = 0.5


@dataclass(frozen=True)
class Cell:
    """One cell: our text and spread, and the printed ones.

    `ours`, `std`, `published`, `published_std`: as shown, or empty; `id`: of the
    published value; empty where nothing is published.
    """

    ours: str = ""
    std: str = ""
    published: str = ""
    published_std: str = ""
    id: str = ""

    def parts(self) -> tuple[str, str]:
        """Return the published part, in brackets, and ours; either may be empty."""
        ours = f"{self.ours} ± {self.std}" if self.std else self.ours
        printed = self.published + (f" ± {self.published_std}" if self.published_std else "")
        return f"[{printed}]" if printed else "", ours or (MISSING if printed else "")

    def text(self) -> str:
        """Return both parts in one line."""
        return " ".join(part for part in self.parts() if part)


@dataclass(frozen=True)
class Section:
    """One table of a block: a head, and rows whose first cell names the row.

    `body`: as wide as the head; `names`: how many of the first columns name the row; they are set
    left; `prose`: whether all cells hold sentences, which are set left and wrapped.
    """

    head: tuple[str, ...]
    body: tuple[tuple[Cell, ...], ...]
    names: int = 1
    prose: bool = False


@dataclass(frozen=True)
class TableBlock:
    """A table as people read it, and its numbers as programs read them.

    `notes`: shown below, stand-in data among them; `lines`: the tidy numbers, unrounded, with the
    columns `TIDY`.
    """

    sections: tuple[Section, ...]
    notes: tuple[str, ...]
    lines: pd.DataFrame

    def to_markdown(self, title: str = "") -> str:
        """Return GitHub Markdown."""
        parts = [f"**{_escape_markdown(title)}**"] if title else []
        parts += [_markdown(section) for section in self.sections]
        parts += [_escape_markdown(note) for note in self.notes]
        return "\n\n".join(parts) + "\n"

    def to_csv(self) -> str:
        """Return the tidy numbers as CSV that reads back to the same bits."""
        return str(self.lines.to_csv(index=False, lineterminator="\n"))


def grid(results: pd.DataFrame, published: pd.DataFrame, *, transpose: bool = False) -> TableBlock:
    """Lay numbers out as the work does, rows by columns, and statements below."""
    lines = _join_published(results, published)
    values = lines[lines["kind"] != "claim"]
    rows, columns = values["name"].nunique(), values["column"].nunique()
    spread = len(values) >= DENSE * rows * columns and len(values) > 1
    section = _pivot(values, transpose) if spread else _list(values)
    return _block([section], lines)


def number_list(results: pd.DataFrame, published: pd.DataFrame) -> TableBlock:
    """List numbers one per line, and statements below (see `grid`)."""
    lines = _join_published(results, published)
    return _block([_list(lines[lines["kind"] != "claim"])], lines)


def _block(sections: list[Section], lines: pd.DataFrame) -> TableBlock:
    sections = [*sections, _statements(lines[lines["kind"] == "claim"])]
    notes = []
    if (lines["kind"] != "claim").any() and (lines["published"] != "").any():
        notes.append(BRACKETS)
    parts = dict.fromkeys(part for data in lines["data"] for part in data.split("; "))
    notes += [f"Rests on {part}." for part in parts if part.startswith(STAND_IN)]
    return TableBlock(
        tuple(section for section in sections if section.body), tuple(notes), lines[TIDY]
    )


def _join_published(results: pd.DataFrame, published: pd.DataFrame) -> pd.DataFrame:
    printed = published[["id", *KEY, "kind", "value", "std", "unit", "claim"]].rename(
        columns={"value": "published", "std": "published_std"}
    )
    ours = results.drop(columns=["paper", "tolerance"], errors="ignore")
    lines = printed.merge(ours, on=KEY, how="outer", suffixes=("_printed", ""), sort=False)
    order = pd.MultiIndex.from_frame(pd.concat([printed[KEY], ours[KEY]]).drop_duplicates())
    lines = lines.set_index(KEY).loc[order].reset_index()
    for name in ("kind", "unit"):
        lines[name] = lines[name].fillna(lines[f"{name}_printed"])
    texts = ["id", "kind", "unit", "published", "published_std", "claim", "data", "note"]
    lines[texts] = lines[texts].astype(object).fillna("")
    prefix = {label: f"{spoken_label(label)}: " for label in lines["artefact"]}
    if len(lines):
        own = lines["artefact"].iloc[0]
        if own.startswith("table-") or (lines["artefact"] == own).mean() > 0.5:
            prefix[own] = ""
    return lines.assign(name=lines["artefact"].map(prefix) + lines["row"], ours=lines["data"] != "")


def _pivot(values: pd.DataFrame, transpose: bool) -> Section:
    down, across = ("column", "name") if transpose else ("name", "column")
    rows, columns = list(dict.fromkeys(values[down])), list(dict.fromkeys(values[across]))
    cells = {(line[down], line[across]): _cell(line) for line in values.to_dict("records")}
    body = tuple(
        (Cell(plain(row)), *(cells.get((row, column), Cell()) for column in columns))
        for row in rows
    )
    return Section(("", *(plain(column) for column in columns)), body)


def _list(values: pd.DataFrame) -> Section:
    body = tuple(
        (Cell(plain(line["name"])), Cell(plain(line["column"])), _cell(line), Cell(line["unit"]))
        for line in values.to_dict("records")
    )
    return Section(("case", "quantity", "value", "unit"), body, names=2)


def _statements(claims: pd.DataFrame) -> Section:
    body = tuple(
        (
            Cell(plain(" / ".join(part for part in (line["name"], line["column"]) if part))),
            Cell(plain(line["claim"])),
            Cell(line["id"], id=line["id"]),
        )
        for line in claims.to_dict("records")
    )
    return Section(("case", "claim of the publication", "ledger line"), body, prose=True)


def _cell(line: dict[Any, Any]) -> Cell:
    printed, printed_std = line["published"], line["published_std"]
    if not line["ours"]:
        return Cell(published=printed, published_std=printed_std, id=line["id"])
    if line["kind"] == "text":
        return Cell(plain(line["note"]), published=plain(printed), id=line["id"])
    if math.isnan(line["std"]):
        ours = format_like(line["value"], printed)
        return Cell(ours, "", _number(printed), printed_std, line["id"])
    like = printed or _two_digits(line["std"])
    ours, std = format_like(line["value"], like), format_like(line["std"], printed_std or like)
    return Cell(ours, std, printed, printed_std, line["id"])


def _number(printed: str) -> str:
    return "∞" if printed == "inf" else plain(printed)


def _two_digits(std: float) -> str:
    """Return a spread with two significant digits, those that its number is shown with as well."""
    if not np.isfinite(std) or std <= 0:
        return ""
    return f"{std:.{max(0, 1 - math.floor(math.log10(std)))}f}"


def format_like(value: float, like: str = "") -> str:
    """Write `value` with the digits of `like`, or with four significant ones."""
    if not np.isfinite(value):
        return "undefined" if math.isnan(value) else ("∞" if value > 0 else "-∞")
    match = re.fullmatch(r"[+-]?\d+(?:\.(\d+))?(e[+-]?\d+)?", like.strip().lower())
    if match is None:
        whole = value == round(value) and abs(value) < 1e9
        return str(int(value)) if whole else f"{value:.4g}"
    if match[2]:
        digits = len(Decimal(like).as_tuple().digits) - 1
        return re.sub(r"e([+-]?)0*(\d)", _exponent, f"{value:.{digits}e}")
    decimals = len(match[1] or "")
    if not decimals and value != round(value):
        return f"{value:.3g}" if abs(value) < 100 else f"{value:.1f}"
    text = f"{value:.{decimals}f}"
    return text.removeprefix("-") if float(text) == 0 else text


def _exponent(match: re.Match[str]) -> str:
    return f"e{match[1].replace('+', '')}{match[2]}"


def _escape_markdown(text: str) -> str:
    return re.sub(r"([\\|`*_<])", r"\\\1", " ".join(text.split()))


def _markdown(section: Section) -> str:
    left = len(section.head) if section.prose else section.names
    align = ["---"] * left + ["---:"] * (len(section.head) - left)
    rows = [
        [_escape_markdown(name) for name in section.head],
        align,
        *([_escape_markdown(cell.text()) for cell in row] for row in section.body),
    ]
    return "\n".join("| " + " | ".join(row) + " |" for row in rows)
