"""Tables from CSV, or copied from a PDF, a web page or a README."""

from __future__ import annotations

import csv
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from html import unescape
from itertools import zip_longest

from opchar.errors import DataError, nearest
from opchar.printed.exact_indices import COUNTS
from opchar.printed.headings import heading_meaning, known_headings
from opchar.printed.numbers import Printed, read_number

SIZES = ("objects", "positives", "negatives")
ERRORS = ("mae", "rmse", "mse", "r2", "variance")
UNBOUNDED: tuple[str, ...] = (*COUNTS, *SIZES, *ERRORS, "expected_loss", "mean_subjective_utility")
UNBOUNDED += ("positive_likelihood", "negative_likelihood")
UNBOUNDED += ("diagnostic_odds_ratio", "discriminant_power")
_MARKED = (r"\|", r"(?<!\\)&")
# Commands of a LaTeX table that are no part of a cell.
_LATEX = re.compile(
    r"\\(?:begin|end)\{\w+\*?\}(?:\[\w*\])?(?:\{[^{}&]*(?:\{[^{}]*\}[^{}&]*)*\})?"
    r"|\\(?:cite\w*|label|caption|multirow\{[^{}]*\})\{[^{}]*\}|\\multicolumn\{\d+\}\{[^{}]*\}"
    r"|\\(?:c?line|cmidrule|cline)(?:\(\w+\))?\{[^{}]*\}|\\(?:hline|toprule|midrule|bottomrule"
    r"|centering|small)\b"
)
_NO_ROW = re.compile(r"[\s|:=+\-\\]*$|\s*(?:table|tab\.)\s*[\divx]+\s*[.:]", re.IGNORECASE)
_UNITS = ("fraction", "percent")
_LARGEST = 1e15


@dataclass(frozen=True)
class Table:
    """A printed table: numbers by label of the row and heading, and what each heading means.

    `taken` has an index, ``objects``, ``positives`` or ``negatives`` for each of the columns; it is
    empty for one that is not known and not checked. Units are ``"fraction"`` or ``"percent"``.
    `unread` are cells with digits that are no number.

    `kinds` tells what a row is: ``"row"`` (that of a label without a kind), ``"class"`` (one class
    of a classification report), ``"overall"`` (accuracy of all objects), ``"macro"``,
    ``"weighted"``, ``"micro"``, ``"samples"``, ``"mean"`` (plain mean of the rows above) or
    ``"wins"``. `stated` has sizes of captions and footnotes: ``positives``, ``negatives``,
    ``objects``, ``folds``. `fractions` has numerator and denominator, `intervals` the two ends that
    are printed beside a number, by label and heading. `questions` are headings with two meanings
    that nothing in the table settles.
    """

    columns: tuple[str, ...]
    taken: Mapping[str, str]
    units: Mapping[str, str]
    rows: Mapping[str, Mapping[str, Printed]] = field(default_factory=dict)
    unread: tuple[str, ...] = ()
    kinds: Mapping[str, str] = field(default_factory=dict)
    stated: Mapping[str, int] = field(default_factory=dict)
    fractions: Mapping[tuple[str, str], tuple[int, int]] = field(default_factory=dict)
    intervals: Mapping[tuple[str, str], tuple[Printed, Printed]] = field(default_factory=dict)
    questions: tuple[str, ...] = ()


def read_table(text: str, corrections: Mapping[str, tuple[str, str]] | None = None) -> Table:
    r"""Read a printed table.

    Columns are set off by commas, semicolons, tabs, bars, ampersands, spaces, or HTML or LaTeX. The
    headings are those of the lines above the first number that name most indices; a first column
    without numbers has the labels of the rows. Of columns with the same meaning the first is taken.

    Parameters
    ----------
    text : str
        Copied from a page, a PDF or a file.
    corrections : mapping of str to (str, str), optional
        For a heading what it is to be taken for (``"-"``: not checked) and its unit; either may be
        empty.

    Returns
    -------
    Table

    Raises
    ------
    DataError
        If there is no table, a row is too long, a number beyond 10^15, or a correction names
        nothing known.

    Examples
    --------
    >>> table = read_table("Model  Acc (%)  F1\nSVM  85.3 ± 1.2  .81")
    >>> table.taken, table.units["Acc (%)"], table.rows["SVM"]["F1"].text
    ({'Acc (%)': 'accuracy', 'F1': 'f1'}, 'percent', '.81')
    """
    cells = _with_points(_cells(text))
    if len(cells) < 2:
        raise DataError("the table has no row; write headings first and numbers under them")
    heading, body = _upright(*_heading(cells))
    heading = _unlike(heading)
    for number, row in enumerate(body, start=2):
        if len(row) > len(heading):
            raise DataError(
                f"row {number} has {len(row)} cells under {len(heading)} headings; set columns off "
                "by commas or two spaces"
            )
    words = any(row and row[0] and read_number(row[0]) is None for row in body)
    labelled = words or not heading[0]
    rows = _rows(heading, body, labelled=labelled)
    first = int(labelled)
    columns = tuple(name for name in heading[first:] if any(name in row for row in rows.values()))
    taken: dict[str, str] = {}
    for name in columns:
        meant = heading_meaning(name.rstrip("'")) or ""
        taken[name] = "" if meant in taken.values() else meant
    units = {name: _unit(name, taken[name], rows) for name in columns}
    for name, (what, unit) in (corrections or {}).items():
        _correct(name, what, unit, taken, units)
    cells_of = [cell for row in body for cell in row[first:]]
    unread = [cell for cell in cells_of if re.search(r"\d", cell) and read_number(cell) is None]
    return Table(columns, taken, units, rows, tuple(unread))


def _upright(heading: list[str], body: list[list[str]]) -> tuple[list[str], list[list[str]]]:
    """Return headings and rows of a table, exchanged with columns where its rows are the indices.

    Headings that name all columns but that of the labels get an empty one for it.
    """
    if 2 * sum(len(row) == len(heading) + 1 for row in body) > len(body):
        heading = ["", *heading]
    named = [row for row in body if row and heading_meaning(_plain(row[0]))]
    if any(map(heading_meaning, heading)) or not 1 < len(named) == len(body):
        return heading, body
    heading, *body = map(list, zip_longest(*[heading, *body], fillvalue=""))
    return [_plain(cell) for cell in heading], body


def _rows(
    heading: list[str], body: list[list[str]], *, labelled: bool
) -> dict[str, dict[str, Printed]]:
    """Return the numbers of each row by its label, or its place where rows have none."""
    rows: dict[str, dict[str, Printed]] = {}
    first = int(labelled)
    for number, row in enumerate(body, start=1):
        label = _plain(row[0]).strip("_ ") if labelled and row[0] else f"row {number}"
        while label in rows:
            label += "'"
        found = zip(heading[first:], map(read_number, row[first:]), strict=False)
        rows[label] = {name: value for name, value in found if value is not None}
        for name, value in rows[label].items():
            if abs(float(value.text)) > _LARGEST:
                raise DataError(f"{label}, {name}: {value.text}: no score is that large")
    return rows


def _correct(name: str, what: str, unit: str, taken: dict[str, str], units: dict[str, str]) -> None:
    if name not in taken:
        raise DataError(f"the table has no column '{name}'{nearest(name, list(taken))}")
    if what and what != "-" and heading_meaning(what) is None:
        raise DataError(
            f"'{what}' is no index{nearest(what, list(known_headings()))}; '-' is not checked"
        )
    if unit and unit not in _UNITS:
        raise DataError(f"the unit of '{name}' is 'fraction' or 'percent', not '{unit}'")
    taken[name] = ("" if what == "-" else heading_meaning(what) or "") if what else taken[name]
    units[name] = unit or units[name]


def _unit(name: str, taken: str, rows: Mapping[str, Mapping[str, Printed]]) -> str:
    """Say whether a column is in percent: by its sign, or because a share cannot exceed one."""
    values = [row[name] for row in rows.values() if name in row]
    if taken in UNBOUNDED or taken.startswith("expected_cost"):
        return "fraction"
    name = re.sub(r"\d+\s*%\s*CI", "", name)
    if "%" in name or "percent" in name.lower() or all(value.percent for value in values):
        return "percent"
    unmarked = [abs(float(value.text)) for value in values if not value.percent]
    return "percent" if any(1 < value <= 100 for value in unmarked) else "fraction"


def _cells(text: str) -> list[list[str]]:
    """Cut a text into rows of cells, by what sets its columns off."""
    if "</t" in text.lower():
        rows = re.findall(r"<tr\b.*?>(.*?)(?=<tr\b|</t(?:r|able|body|head)>)", text, re.I | re.S)
        cells = [re.findall(r"<t[dh]\b.*?>(.*?)</t[dh]>", row, re.I | re.S) for row in rows]
        return [[unescape(re.sub("<.*?>", "", cell)).strip() for cell in row] for row in cells]
    lines = [_LATEX.sub("", line).strip("\n\r") for line in text.splitlines()]
    lines = [line for line in lines if not _NO_ROW.match(line)]
    for pattern in _MARKED:
        # A caption has no mark, nor a heading that spans all columns.
        marked = [line for line in lines if re.search(pattern, line)]
        if len(marked) > 1 and marked == lines[-len(marked) :]:
            rows = [line.split(r"\\")[0].strip().strip("|") for line in marked]
            return [[cell.strip() for cell in re.split(pattern, row)] for row in rows]
    for mark in ("\t", ";", ","):
        marked = [line for line in lines if mark in line]
        if len(marked) > 1 and marked == lines[-len(marked) :]:
            return [[cell.strip() for cell in row] for row in csv.reader(marked, delimiter=mark)]
    return _by_spaces(lines)


def _by_spaces(lines: list[str]) -> list[list[str]]:
    """Cut lines at gaps of two spaces or, where these are not as many in each, at single ones."""
    joined = [line if _no_number(line.split()) else _join_cells(line) for line in lines]
    by_gaps = [re.split(r"\s{2,}", line.strip()) for line in joined]
    if lines and len({len(row) for row in by_gaps}) == 1 and len(by_gaps[0]) > 1:
        return by_gaps
    rows = [
        _by_names(_join_cells(line).split()) if _no_number(line.split()) else _by_words(line)
        for line in joined
    ]
    if not rows or all(map(_no_number, rows)):
        return rows
    heading = _heading(rows)[0]
    wide = len(heading) + bool(heading[0] and heading_meaning(heading[0]))
    for at, row in enumerate(rows):
        if len(row) > wide and not _no_number(row):
            rows[at] = [" ".join(row[: len(row) - wide + 1]), *row[len(row) - wide + 1 :]]
        elif len(row) not in (wide, len(heading)) and not _no_number(row):
            raise DataError(
                f"the row '{' '.join(row)}' has {len(row)} cells under {wide} headings; set "
                "columns off by commas or two spaces"
            )
    return rows


def _by_names(words: list[str]) -> list[str]:
    """Join words of headings that name an index together, not each, as in 'balanced accuracy'."""
    found = []
    while words:
        ways = (n for n in range(len(words), 1, -1) if not all(map(heading_meaning, words[:n])))
        many = next((n for n in ways if heading_meaning(" ".join(words[:n]))), 1)
        found.append(" ".join(words[:many]))
        words = words[many:]
    return found


def _no_number(cells: list[str]) -> bool:
    return all(read_number(cell) is None for cell in cells)


def _heading(cells: list[list[str]]) -> tuple[list[str], list[list[str]]]:
    """Return the headings, with units of a line below them, and the lines of numbers."""
    first = next((at for at, row in enumerate(cells) if not _no_number(row)), 1)
    above = [[_plain(cell) for cell in row] for row in cells[: max(first, 1)]]
    known = [sum(heading_meaning(cell) is not None for cell in row) for row in above]
    heading = above[known.index(max(known))]
    units = above[-1]
    if units is not heading and all(re.fullmatch(r"[\[(]?%?[\])]?", cell) for cell in units):
        units = [""] * (len(heading) - len(units)) + units
        heading = [f"{name} {unit}".strip() for name, unit in zip(heading, units, strict=False)]
    return heading, cells[max(first, 1) :]


def _with_points(rows: list[list[str]]) -> list[list[str]]:
    """Return cells with decimal points where the table has decimal commas; no other commas."""
    commas = [
        part for row in rows for cell in row for part in re.findall(r"\d*,\d+(?:,\d+)*", cell)
    ]
    points = any(re.search(r"\d*\.\d", cell) for row in rows for cell in row)
    thousands = all(re.fullmatch(r"[1-9]\d{0,2}(,\d{3})+", part) for part in commas)
    mark = "" if points or thousands else "."
    return [[re.sub(r"(?<=\d),(?=\d)|(?<!\S),(?=\d)", mark, cell) for cell in row] for row in rows]


def _unlike(headings: list[str]) -> list[str]:
    found: list[str] = []
    for name in headings:
        found.append(name)
        while name and found[-1] in found[:-1]:
            found[-1] += "'"
    return found


def _plain(cell: str) -> str:
    """Return a heading without the marks of bold or slanted type."""
    return re.sub(r"\\\w+\{|[}*$]|</?\w+>|\\(?=%)", "", cell).strip()


def _join_cells(line: str) -> str:
    """Join a number with what belongs to it: its spread and its unit."""
    line = re.sub(r"\s*(±|\+/-|\+-|\\pm)\s*", "±", line)
    line = re.sub(r"(?<=[\d.])\s+(?=\(\s*±?\s*[\d.]+\s*\))", "", line)
    return re.sub(r"\s+(?=[\[(]?%[\])]?)", "", line)


def _by_words(line: str) -> list[str]:
    """Cut a line at single spaces; words before the first number are one label."""
    words = line.split()
    first = next((at for at, word in enumerate(words) if read_number(word)), len(words))
    return ([" ".join(words[:first])] if first else []) + words[first:]
