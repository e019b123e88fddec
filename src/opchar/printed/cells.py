"""Cutting a text into rows of cells, by what sets its columns off, and the lines around them."""

from __future__ import annotations

import ast
import csv
import json
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from html import unescape
from itertools import zip_longest
from typing import Any

from opchar.errors import DataError
from opchar.printed.headings import heading_meaning
from opchar.printed.numbers import NUMBER, read_cell, read_interval, read_number
from opchar.printed.spaces import Grid, by_spaces, no_number

_MARKED = {r"\|": r"^\s*\||\s\||\|\s*$", r"(?<!\\)&": r"(?<!\\)&"}
# Commands of a LaTeX table that are no part of a cell.
_LATEX = re.compile(
    r"\\(?:begin|end)\{\w+\*?\}(?:\[\w*\])?(?:\{[^{}&]*(?:\{[^{}]*\}[^{}&]*)*\})?"
    r"|\\(?:cite\w*|label|caption)\{[^{}]*\}|\\multirow\{[^{}]*\}\{[^{}]*\}"
    r"|\\(?:c?line|cmidrule|cline)(?:\(\w+\))?\{[^{}]*\}|\\(?:hline|toprule|midrule|bottomrule"
    r"|centering|small)\b"
)
_SPANNED = re.compile(r"\\multicolumn\{(\d+)\}\{[^{}]*\}\{((?:[^{}]|\{[^{}]*\})*)\}")
_NO_ROW = re.compile(r"[\s|:=+\-\\─━]*$|\s*(?:table|tab\.)\s*[\divx]+\s*[.:]", re.IGNORECASE)
_FORMATS = {"%PDF": "a PDF", "PK\x03": "a workbook or archive", "\x89PNG": "a picture"}
_OBJECT = re.compile(r"\b(?:np\.\w+|numpy\.\w+|tensor|array)\((\[[^\[\]()]*\]|[^(),]*)[^()]*\)")
# Texts in quotes, and numbers beside them, whose digits are kept.
_QUOTED = re.compile(rf"""('[^'\n]*'|"[^"\n]*")|(?<![\w.])({NUMBER})(?![\w.])""")
_CAPTION = re.compile(r"\\caption(?:\[[^\]]*\])?\{((?:[^{}]|\{[^{}]*\})*)\}")
_SUBHEADING = re.compile(r"\bCI\b|%|\bn\b|value|mean|\bSD\b|lower|upper", re.IGNORECASE)
# Headings of intervals alone, and of the standard error before them.
_INTERVALS = re.compile(
    r"[\[(]?(?:95 ?% ?)?(?:CIs?|conf(?:\.|idence) (?:interval|limit)s?|lower|low|lcl|lwr)'*[)\]]?",
    re.IGNORECASE,
)
_ERROR = re.compile(r"(?:std|standard)\.? ?err(?:or)?\.?|s\.?e\.?", re.IGNORECASE)
# Headings of the two ends of an interval.
_LOWER = re.compile(r"(?:95\s*%\s*)?(.*?)[ _.]?(?:ci)?[ _.]?(?:low|lcl|lwr|2\.5)", re.IGNORECASE)
_UPPER = re.compile(r"up|high|ucl|97\.5", re.IGNORECASE)

# A heading of means, and one of their standard deviations beside it.
_OF_MEAN = re.compile(
    r"^(?:mean|avg|average)[\s_]+|[\s_(]+(?:mean|avg|average)\)?\s*$", re.IGNORECASE
)
_OF_SPREAD = re.compile(
    r"^(?:std|sd)[\s_]+|[\s_(]+(?:std|sd)(?:[. ]?dev\.?)?\)?\s*$", re.IGNORECASE
)


def cut_text(text: str) -> tuple[Grid, list[str]]:
    """Return rows of cells, and the lines beside them: captions, legends, footnotes."""
    for start, name in _FORMATS.items():
        if text.startswith(start) or "\0" in text:
            name = name if text.startswith(start) else "no text"
            raise DataError(f"this is {name}; copy the table out of it as text")
    if (data := _data_rows(text)) is not None:
        return data, []
    if "</t" in text.lower():
        return _html_rows(text)
    told = _CAPTION.findall(text)
    text = re.sub(r"\\(?:num|SI|qty)(?:\[[^\]]*\])?\{([^{}]*)\}", r"\1", text)
    text = _SPANNED.sub(lambda found: found[2] + "&" * (int(found[1]) - 1), text)
    lines = [_LATEX.sub("", line).strip("\n\r") for line in text.splitlines()]
    captions = [line for line in lines if _NO_ROW.match(line) and re.search(r"\d", line)] + told
    lines = [line for line in lines if not _NO_ROW.match(line)]
    for pattern, found in _MARKED.items():
        marked = [line for line in lines if re.search(found, line)]
        if len(marked) > 1:
            rows = [re.sub(r"^\s*\||\|\s*$", "", line.split(r"\\")[0].strip()) for line in marked]
            grid = [[cell.strip() for cell in re.split(pattern, row)] for row in rows]
            if all(len(row) == 1 for row in grid):
                return _by_cells([row[0] for row in grid]), captions
            return _table_rows(grid, marked, [*captions, *lines])
    for mark in ("\t", ";", ","):
        marked = [line for line in lines if mark in line]
        grid = [[cell.strip() for cell in row] for row in csv.reader(marked, delimiter=mark)]
        if len(grid) > 1 and _is_grid(grid, mark):
            return _table_rows(grid, marked, [*captions, *lines])
    return by_spaces(lines), captions


def _by_cells(cells: Sequence[str]) -> Grid:
    """Return rows of cells that stand one below the other: each begins with words."""
    rows: Grid = []
    for cell in cells:
        if rows and _has_number([cell]):
            rows[-1].append(cell)
        else:
            rows.append([cell])
    width = max(map(len, rows))
    return [["", *(f"value {k}" if k > 1 else "value" for k in range(1, width))], *rows]


def _is_grid(grid: Grid, mark: str) -> bool:
    """Tell whether lines with a mark are rows: two with numbers are as long, or one with names."""
    if mark == "\t":
        return True
    often = Counter(len(row) for row in grid if _has_number(row))
    named = any(len(row) in often and not _has_number(row) for row in grid)
    return bool(often) and (max(often.values()) > 1 or named or len(grid) == 2)


def _has_number(row: Sequence[str]) -> bool:
    read = [read_cell(cell if read_interval(cell) else cell.replace(",", ".")) for cell in row]
    return any(cell.number or cell.interval for cell in read)


def _table_rows(grid: Grid, marked: list[str], lines: list[str]) -> tuple[Grid, list[str]]:
    """Return rows without lines of prose below the last number, and the other lines."""
    last = max((at for at, row in enumerate(grid) if _has_number(row)), default=len(grid) - 1)
    kept = set(marked[: last + 1])
    return grid[: last + 1], [line for line in lines if line not in kept]


def _data_rows(text: str) -> Grid | None:
    """Return the rows of JSON or of printed Python objects, None for another text."""
    text = text.strip()
    if not text.startswith(("{", "[{", "[ {", "[\n")):
        return None
    found: Any = None
    try:
        found = json.loads(text, parse_float=str, parse_int=str)
    except ValueError:
        try:
            lines = [json.loads(line, parse_float=str, parse_int=str) for line in text.splitlines()]
            found = lines
        except ValueError:
            plain = re.sub(r"\bnan\b", "None", _OBJECT.sub(r"\1", text))
            plain = _QUOTED.sub(lambda found: found[1] or f"'{found[2]}'", plain)
            try:
                found = ast.literal_eval(plain)
            except (ValueError, SyntaxError, TypeError):
                return None
    if isinstance(found, Mapping):
        single = {str(k): v for k, v in found.items() if not isinstance(v, Mapping | list)}
        nested = {str(k): v for k, v in found.items() if isinstance(v, Mapping)}
        lists = {str(k): v for k, v in found.items() if isinstance(v, list)}
        if lists and not nested:
            columns = [[name, *map(_cell_text, values)] for name, values in lists.items()]
            return [list(row) for row in zip_longest(*columns, fillvalue="")]
        rows: dict[str, Mapping[str, Any]] = {k: {k: v} for k, v in single.items()}
        rows = {"": single} if single and not nested else rows | nested
    elif isinstance(found, list) and all(isinstance(one, Mapping) for one in found):
        rows = {f"row {at}": one for at, one in enumerate(found, start=1)}
    else:
        return None
    names = list(dict.fromkeys(str(name) for row in rows.values() for name in row))
    body = [[label, *(_cell_text(row.get(name)) for name in names)] for label, row in rows.items()]
    return [["", *names], *body]


def _cell_text(value: Any) -> str:
    return "" if value is None or isinstance(value, Mapping | list) else str(value)


def _html_rows(text: str) -> tuple[Grid, list[str]]:
    """Return the cells of HTML, those that span rows or columns in each, and what is outside."""
    notes = re.findall(r"<caption\b.*?>(.*?)</caption>|</table>(.*)", text, re.I | re.S)
    grid: dict[tuple[int, int], str] = {}
    rows = re.findall(r"<tr\b.*?>(.*?)(?=<tr\b|</t(?:r|able|body|head|foot)>)", text, re.I | re.S)
    for at, row in enumerate(rows):
        column = 0
        for attributes, cell in re.findall(r"<t[dh]\b(.*?)>(.*?)</t[dh]>", row, re.I | re.S):
            while (at, column) in grid:
                column += 1
            spans = [
                re.search(rf"{kind}span\s*=\s*[\x22\x27]?(\d+)", attributes)
                for kind in ("row", "col")
            ]
            down, right = (int(span[1]) if span else 1 for span in spans)
            cell = re.sub(r"<sup\b.*?</sup>", "", cell, flags=re.I | re.S)
            said = " ".join(unescape(re.sub("<.*?>", " ", cell)).split())
            for below in range(min(down, len(rows) - at)):
                grid |= {(at + below, column + k): said for k in range(min(right, 99))}
            column += right
    width = 1 + max((column for _, column in grid), default=-1)
    lines = [" ".join(unescape(re.sub("<.*?>", " ", "".join(note))).split()) for note in notes]
    return [[grid.get((at, k), "") for k in range(width)] for at in range(len(rows))], lines


def points_for_commas(text: str) -> str:
    """Return a text of columns between blanks with decimal points, where it has decimal commas."""
    lone = re.findall(r"(?<!\S)\d+,\d+(?=\s|$)", text)
    lines = [line for line in text.splitlines() if re.search(r"\d", line)]
    if len(lone) < 3 or len(lone) < sum(line.count(",") for line in lines):
        return text
    thousands = all(re.fullmatch(r"[1-9]\d{0,2},\d{3}", part) for part in lone)
    return re.sub(r"(?<=\d),(?=\d)", "" if thousands else ".", text)


def with_points(rows: Grid) -> Grid:
    """Return cells with decimal points where the table has decimal commas; no other commas."""
    bare = [re.sub(r"\([^()]*\)|\[[^\[\]]*\]", "", cell) for row in rows for cell in row]
    commas = [part for cell in bare for part in re.findall(r"(?<![\d.,])\d+,\d+(?![\d.,])", cell)]
    points = [part for cell in bare for part in re.findall(r"\d*\.\d+(?:\.\d+)*", cell)]
    decimal = any(not re.fullmatch(r"[1-9]\d{0,2},\d{3}", part) for part in commas)
    grouped = all(re.fullmatch(r"[1-9]\d{0,2}(?:\.\d{3})+", part) for part in points)
    if decimal and grouped and points:
        rows = [[re.sub(r"(?<=\d)\.(?=\d{3})", "", cell) for cell in row] for row in rows]
    parts = [part for row in rows for cell in row for part in re.findall(r"\d*,\d+(?:,\d+)*", cell)]
    thousands = all(re.fullmatch(r"[1-9]\d{0,2}(,\d{3})+", part) for part in parts)
    mark = "." if (decimal and grouped) or not (points or thousands) else ""
    return [[re.sub(r"(?<=\d),(?=\d)|(?<!\S),(?=\d)", mark, cell) for cell in row] for row in rows]


def with_intervals(heading: list[str], body: Grid) -> tuple[list[str], Grid]:
    """Return headings and rows with columns of intervals, or of both ends, joined to their scores.

    The names of both ends begin with the name of the score; else it is the nearest column to the
    left with numbers inside most of the intervals.
    """
    at = 1
    body = [[*row, *[""] * (len(heading) - len(row))] for row in body]
    while at < len(heading):
        cells = [row[at] for row in body]
        read = [read_cell(cell) for cell in cells if cell]
        two = heading[at : at + 2]
        lower = _LOWER.match(two[0])
        stem = lower[1] if lower else ""
        ends = len(two) == 2 and bool(lower and two[1].startswith(stem) and _UPPER.search(two[1]))
        ends &= not stem or stem in heading[:at]
        if ends and at > 1:
            cells = ["-".join(row[at : at + 2]) for row in body]
        elif not read or any(one.number or not one.interval for one in read):
            at += 1
            continue
        inside = [sum(map(_is_inside, [row[k] for row in body], cells)) for k in range(at)]
        best = [k for k in range(at) if 2 * inside[k] >= len(body)]
        best = (
            [heading.index(stem)] if ends and stem else best or _left_of(heading, body, at, cells)
        )
        if not best:
            at += 1 + ends
            continue
        for row, cell in zip(body, cells, strict=True):
            if re.search(r"\d", cell) and row[best[-1]]:
                row[best[-1]] += f" ({cell.strip('[]() ')})"
            del row[at : at + 1 + ends]
        del heading[at : at + 1 + ends]
    return heading, body


def _left_of(heading: list[str], body: Grid, at: int, intervals: Sequence[str]) -> list[int]:
    """Return the score before a column of intervals, but for standard errors, in its unit."""
    k = next((k for k in range(at - 1, 0, -1) if not _ERROR.fullmatch(heading[k])), 0)
    pairs = [
        (read_number(row[k]), read_interval(cell))
        for row, cell in zip(body, intervals, strict=True)
    ]
    both = [(float(n.text) > 1) == (float(e[1].text) > 1) for n, e in pairs if n and e]
    named = _INTERVALS.fullmatch(heading[at]) and k and heading_meaning(heading[k])
    return [k] if named and both and all(both) else []


def with_spreads(heading: list[str], body: Grid) -> tuple[list[str], Grid]:
    """Return headings and rows with columns of standard deviations joined to their means."""
    stems = [_OF_MEAN.sub("", name).strip() for name in heading]
    for at in range(len(heading) - 1, 0, -1):
        stem = _OF_SPREAD.sub("", heading[at]).strip()
        own = [k for k in range(1, len(heading)) if k != at and stems[k] == stem]
        if stem in ("", heading[at].strip()) or len(own) != 1:
            continue
        mean = own[0] - (own[0] > at)
        for row in [heading, *body]:
            spread = row.pop(at)
            row[mean] += f" ± {spread}" if spread.strip() else spread
        heading[mean] = stem
        del stems[at]
    return heading, body


def _is_inside(cell: str, interval: str) -> bool:
    number, ends = read_number(cell), read_interval(interval)
    if number is None or ends is None:
        return False
    return float(ends[0].text) <= float(number.text) <= float(ends[1].text)


def heading_of(cells: Grid) -> tuple[list[str], Grid]:
    """Return the headings, with units of a line below them, and the lines of numbers."""
    first = next((at for at, row in enumerate(cells) if not no_number(row)), 1)
    above = [[plain(cell) for cell in row] for row in cells[: max(first, 1)]]
    known = [sum(heading_meaning(cell) is not None for cell in row) for row in above]
    at = known.index(max(known))
    heading = above[at]
    body = [[*row, *[""] * (len(heading) - len(row))] for row in cells[max(first, 1) :]]
    lower = above[at + 1][1:] if at + 1 < len(above) else []
    if len(set(lower)) < len(lower):  # headings that span columns of the same names
        heading = [heading[0], *_filled_cells(heading[1:])]
    for k, name in enumerate(heading):
        others = [row[k] for row in above if k < len(row) and row[k]]
        heading[k] = name or (others[0] if k and others else "")
    units = above[-1]
    if units is not heading and all(re.fullmatch(r"[\[(]?%?[\])]?", cell) for cell in units):
        units = [""] * (len(heading) - len(units)) + units
        heading = [f"{name} {unit}".strip() for name, unit in zip(heading, units, strict=False)]
    elif above[at + 1 :] and not any(map(_SUBHEADING.search, above[at + 1])):
        return _by_groups(_filled_cells(heading), above[at + 1], body)
    return _by_groups(heading, _filled_cells(above[at - 1]), body) if at else (heading, body)


def _filled_cells(cells: Sequence[str]) -> list[str]:
    """Return cells, empty ones with that to the left: it spans them."""
    found = list[str]()
    for cell in cells:
        found.append(cell or (found[-1] if found else ""))
    return found


def _by_groups(heading: list[str], groups: Sequence[str], body: Grid) -> tuple[list[str], Grid]:
    """Return a row for each group of columns with the same headings, as of training and test."""
    places = {name: [k for k, own in enumerate(heading) if own == name] for name in heading if name}
    several = {name: at for name, at in places.items() if len(at) > 1}
    named = list(dict.fromkeys(groups[k] for at in several.values() for k in at if k < len(groups)))
    alike = {tuple(groups[k] if k < len(groups) else "" for k in at) for at in several.values()}
    if len(named) < 2 or alike != {tuple(named)}:
        return heading, body
    single = [k for k, name in enumerate(heading) if name not in several]
    found = [
        [row[0], group, *(row[k] for k in single[1:]), *(row[at[n]] for at in several.values())]
        for row in body
        for n, group in enumerate(named)
    ]
    return [heading[0], "", *(heading[k] for k in single[1:]), *several], found


def plain(cell: str) -> str:
    """Return a heading without the marks of bold or slanted type."""
    cell = re.sub(r"\\(?:footnote\w*|tnote|textsuperscript)(?:\[[^\]]*\]|\{[^{}]*\})+", "", cell)
    cell = re.sub(r"\\(up|down)arrow\b", lambda found: "↑↓"[found[1] == "down"], cell)
    return re.sub(r"\\\w+\{|\(\*+\)|[{}*$]|</?\w+>|\\(?=%)", "", cell).strip()
