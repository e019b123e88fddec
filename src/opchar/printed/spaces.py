"""Cutting lines into cells where only blanks set them off."""

from __future__ import annotations

import re
from collections.abc import Container, Sequence

from opchar.errors import DataError
from opchar.printed.headings import heading_meaning
from opchar.printed.numbers import read_cell, read_interval, read_number

Grid = list[list[str]]
# The line of averages under a report has no cells under its first headings.
_RIGHT = re.compile(r"(?:overall )?accuracy", re.IGNORECASE)
# How Stata heads the two ends of an interval, and two names in their places.
_ENDS = re.compile(r"\[?95\s?% conf(?:\.|idence) (?:interval|limits?)\]?", re.IGNORECASE)
_STATA = "lower         upper"
# A word of a label behind the numbers, and no missing number.
_WORD = re.compile(r"(?!(?:na|nan|n/a|none)$)[^\W\d_].*", re.IGNORECASE)


def by_spaces(lines: Sequence[str]) -> Grid:
    """Cut lines at gaps of two spaces or, where these are not as many in each, at single ones."""
    lines = [_ENDS.sub(_STATA, line) for line in lines]
    first, *below = [line.split() for line in lines if line.strip()] or [[]]
    framed = bool(below) and no_number(first) and sum(map(bool, map(heading_meaning, first))) > 1
    if framed and all(len(r) == len(first) + 1 and all(map(read_number, r[1:])) for r in below):
        return [["", *first], *below]  # as R prints a frame, with names of rows
    joined = [line if no_number(line.split()) else _join_cells(line) for line in lines]
    by_gaps = [re.split(r"\s{2,}", line.strip()) for line in joined]
    if lines and len({len(row) for row in by_gaps}) == 1 and len(by_gaps[0]) > 1:
        return by_gaps
    longer = bool(lines) and {len(row) for row in by_gaps[1:]} == {len(by_gaps[0]) + 1}
    if longer and any(heading_meaning(row[0]) for row in by_gaps[1:]):
        return by_gaps  # indices under classes, as pandas prints a report
    heads = [at for at, line in enumerate(lines) if no_number(_by_words(line))]
    cells = [len(_by_words(line)) for at, line in enumerate(joined) if at not in heads]
    width = max(cells, key=cells.count, default=0)
    rows = [
        _names(line, by_gaps[at], width) if at in heads else _by_words(joined[at])
        for at, line in enumerate(lines)
    ]
    if not rows or all(map(no_number, rows)):
        return rows
    above = rows[: next(at for at, row in enumerate(rows) if not no_number(row))]
    known = [sum(heading_meaning(cell) is not None for cell in row) for row in above]
    indices = [row for row in rows[len(above) :] if heading_meaning(row[0])]
    if len(above) > 1 and len(indices) > 1 and len(by_gaps[len(above) - 1]) == width:
        # Indices in rows: a title may name some of them.
        return by_spaces(lines[len(above) - 1 :])
    fits = [len(row) in (width, width - 1) for row in above]
    at = max(range(len(above)), key=lambda k: (known[k], fits[k]), default=0)
    heading, line = rows[at], lines[at]
    _join_stacked(heading, lines[: len(above)], line)
    wide = len(heading) + bool(heading[0] and heading_meaning(heading[0]))
    data = [row for row in rows if not no_number(row)]
    if all(len(row) == len(heading) + 1 and _is_labelled(row) for row in data):
        wide = len(heading) + 1  # rows are numbered, or have names under no heading
    for at, row in enumerate(rows):
        more = row[: len(row) - wide + 1]
        shares = [one for one in map(read_number, more) if one and abs(float(one.text)) <= 1]
        if len(row) > wide and not no_number(row) and not any("." in one.text for one in shares):
            rows[at] = [" ".join(row[: len(row) - wide + 1]), *row[len(row) - wide + 1 :]]
        elif len(row) not in (wide, len(heading)) and not no_number(row):
            if (placed := _aligned_cells(lines[at], line, row, heading, wide)) is None:
                raise DataError(
                    f"the row '{' '.join(row)}' has {len(row)} cells under {wide} headings; set "
                    "columns off by commas or two spaces"
                )
            rows[at] = placed
    return rows


def _is_labelled(row: Sequence[str]) -> bool:
    """Tell whether a row is a number of a row, or a name, before numbers."""
    return row[0].isdigit() or (read_number(row[0]) is None and not no_number(row[1:2]))


def _aligned_cells(
    text: str, line: str, row: list[str], heading: list[str], wide: int
) -> list[str] | None:
    """Return a row with empty cells where no number ends or begins under a heading, or None."""
    cells = row[1:] if read_number(row[0]) is None else row
    label = row[: len(row) - len(cells)]
    names = heading[len(heading) - wide + 1 :] if wide > len(heading) else heading[1:]
    names = heading if wide > len(heading) else names
    ends, at = [], 0
    for name in names:
        name = name if line.find(name, at) >= 0 else name.split()[-1]
        at = line.find(name, at)
        ends.append((at, at + len(name)))
        at += len(name)
    placed = [""] * len(names)
    at = text.find(label[0]) + len(label[0]) if label else 0
    for cell in cells:
        at = text.find(cell, at)
        near = [k for k, (low, high) in enumerate(ends) if at < high + 1 and at + len(cell) >= low]
        exact = [k for k in near if abs(at + len(cell) - ends[k][1]) <= 1 or at == ends[k][0]]
        found = exact or near
        if at < 0 or len(found) != 1 or placed[found[0]]:
            break
        placed[found[0]] = cell
        at += len(cell)
    else:
        return [*label, *placed] if label else placed
    if label and _RIGHT.fullmatch(label[0]) and len(cells) < len(names):
        return [*label, *[""] * (len(names) - len(cells)), *cells]
    return None


def _join_stacked(heading: list[str], above: Sequence[str], line: str) -> None:
    """Join a heading with the word over it where only both together name an index."""
    for other in above:
        for found in re.finditer(r"\S+(?: \S+)*", other) if other != line else ():
            for at, name in enumerate(heading):
                start = line.find(name)
                if found.start() < start + len(name) and start < found.end():
                    both = f"{found[0]} {name}"
                    if heading_meaning(both) and not heading_meaning(name):
                        heading[at] = both


def _names(line: str, by_gaps: list[str], width: int) -> list[str]:
    """Return the headings of a line: cells between gaps if as many as numbers, or more known."""
    words = by_names(_join_cells(line).split())
    known = [sum(heading_meaning(cell) is not None for cell in row) for row in (by_gaps, words)]
    fits = len(by_gaps) > 1 and len(by_gaps) in (width, width - 1)
    fits &= not (len(words) == width and known[1] > known[0])
    return by_gaps if fits or (known[0] >= known[1] and len(by_gaps) > 1) else words


def by_names(words: list[str]) -> list[str]:
    """Join words of headings that name an index together, not each, as in 'balanced accuracy'."""
    found = []
    while words:
        ways = (n for n in range(len(words), 1, -1) if not all(map(heading_meaning, words[:n])))
        many = next((n for n in ways if heading_meaning(" ".join(words[:n]))), 1)
        found.append(" ".join(words[:many]))
        words = words[many:]
    return found


def unlike(name: str, used: Container[str]) -> str:
    """Return a name with as many primes as tell it from those that are used."""
    while name in used:
        name += "'"
    return name


def no_number(cells: Sequence[str]) -> bool:
    """Tell whether no cell has a number."""
    return all(read_number(cell) is None for cell in cells)


def _join_cells(line: str) -> str:
    """Join a number with what belongs to it: its spread, its unit, its interval."""
    line = re.sub(r"\s*(±|\+/-|\+-|\\pm)\s*", "±", line)
    line = re.sub(r"(?<=[\d.])\s+(?=\(\s*±?\s*[\d.]+\s*\))", "", line)
    line = re.sub(r"(?<=[\d%])\s+([\[(][^\[\]()]*\d[^\[\]()]*[\])])", _without_blanks, line)
    return re.sub(r"\s+(?=[\[(]?%[\])]?)", "", line)


def _without_blanks(found: re.Match[str]) -> str:
    if ends := read_interval(found[1]):
        return f"({ends[0].text}-{ends[1].text})"
    return re.sub(r"\s+", "", found[1]) if read_cell("0 " + found[1]).number else found[0]


def _by_words(line: str) -> list[str]:
    """Cut a line at single spaces; words before the first number are one label."""
    bracket = re.match(r"\s*(\([^()]*\))(?=\s)", line)  # a range as a label
    words = [bracket[1], *line[bracket.end() :].split()] if bracket else line.split()
    first = next((at for at, word in enumerate(words) if read_number(word)), len(words))
    last = next(
        (at for at in range(len(words), first, -1) if not _WORD.fullmatch(words[at - 1])), 0
    )
    behind = [" ".join(words[last:])] if first < last < len(words) - 1 else words[last:]
    return ([" ".join(words[:first])] if first else []) + words[first:last] + behind
