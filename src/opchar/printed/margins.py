"""Scores, shares and sums beside the counts of a printed confusion matrix."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from opchar.printed.headings import heading_meaning
from opchar.printed.numbers import Printed

_SIDES = re.compile(
    r"^(?:predicted|pred\.?|actual|true|reference|ref\.?|observed|classified(?: as)?)\b[\s.:_=-]*"
    r"(?:class\b[\s:_=-]*)?",
    re.IGNORECASE,
)
_TOTAL = re.compile(r"(?:(?:row|column|col\.?|grand) )?(?:totals?|sums?|all)", re.IGNORECASE)
# What maps and remote sensing call the margins, by a name that headings know.
_NAMES = {
    "pa": "Producer's accuracy",
    "ua": "User's accuracy",
    "omission": "FNR",
    "commission": "False discovery rate",
}
_OF_CLASS = ("tpr", "fnr", "precision", "false_discovery_rate", "f1", "tnr", "fpr", "npv")
_OF_ALL = ("accuracy", "error_rate", "kappa", "mcc", "balanced_accuracy")
_SIGNS = r"[|\t&,;]"
# Scores in words: in a cell of a margin, as PPV 90 %, and in a title, as accuracy = 0.86.
_NAMED = re.compile(r"([^\W\d][^:=]*?)\s*[:=]?\s*((?:0?\.\d+|\d+(?:\.\d+)?)\s*%?)")
_IN_TITLE = re.compile(
    r"\b((?:overall |balanced )?accuracy|OA|error rate|(?:Cohen's |Cohen’s )?kappa|MCC)"
    r"\s*(?:=|:|of|is|was)\s*((?:0?\.\d+|\d+(?:\.\d+)?)\s*%?)",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"\d+(?:\.\d+)?|\.\d+")
Cells = list[list[str]]


def with_margins_below(lines: list[str]) -> list[str]:
    """Return lines in which scores in the margins of a matrix stand in a table of their own.

    A matrix has the same names, but for words of its sides, over its columns and before its rows.
    """
    cells = [_cells(line) for line in lines]
    for at in range(len(cells) - 2):
        if found := _parts(cells[at:]):
            used, matrix, table = found
            if len(table) == 2 and not re.search(_SIGNS, lines[at]):
                break  # lines of scores below a matrix, which are no margin
            rows = [",".join(row) for row in (*matrix, [], *table)]
            return [*lines[:at], *rows, "", *lines[at + used :]]
    return _with_named_below(lines, cells)


def _with_named_below(lines: list[str], cells: Cells) -> list[str]:
    """Return lines in which scores in words, in margins or the title, stand below the matrix."""
    counts = [k for k, row in enumerate(cells) if sum(map(str.isdigit, row)) > 1]
    if len(counts) < 2 or any(re.search(r"\d", line) for line in lines[counts[-1] + 2 :]):
        return lines
    kept, named = list[str](), list[str]()
    for line, row in zip(lines, cells, strict=True):
        own = [m for cell in row if (m := _NAMED.fullmatch(cell)) and heading_meaning(m[1])]
        beside = any(cell.isdigit() or not cell for cell in row)
        if own and beside and re.search(_SIGNS, line):
            rest = [cell for cell in row if cell not in [m[0] for m in own]]
            kept += [",".join(rest)] * any(map(str.isdigit, rest))
            named += [f"{m[1]}: {m[2]}" for m in own]
        else:
            kept.append(line)
    if not named:
        title = " ".join(lines[: counts[0]])
        named = [f"{m[1]}: {m[2]}" for m in _IN_TITLE.finditer(title)]
    return [*kept, "", *named] if named else lines


def _cells(line: str) -> list[str]:
    """Return the cells of a line between bars, tabs, commas or wide blanks."""
    bare = re.sub(r"\\\\.*|\\(?:hline|\w+rule)", "", line).strip()
    if bare.startswith("|"):
        bare = bare.strip("|")
    sign = re.search(_SIGNS, bare)
    parts = bare.split(sign[0]) if sign else re.split(r"\s{2,}", bare)
    return [cell.strip(" *\\") for cell in parts]


def _parts(cells: Cells) -> tuple[int, Cells, Cells] | None:
    """Return how many lines a matrix with margins takes, the matrix, and its scores."""
    end = next((k for k, row in enumerate(cells) if row == [""]), len(cells))
    rows = [row for row in cells[1:end] if re.search(r"\w", "".join(row))]
    size = 0
    while size < len(rows) and rows[size][1:2] and rows[size][1].isdigit():
        if _TOTAL.fullmatch(rows[size][0]):
            break
        size += 1
    size = next((k for k in range(size, 1, -1) if _is_square(cells[0], rows[:k])), 0)
    if not size:
        return None
    head = cells[0] if len(cells[0]) >= len(rows[0]) else ["", *cells[0]]
    others = [k for k in range(size + 1, len(head)) if not _TOTAL.fullmatch(head[k])]
    beside = {k: name for k in others if heading_meaning(name := _index(head[k])) in _OF_CLASS}
    below = list[list[str]]()
    for row in rows[size:]:
        if not (_TOTAL.fullmatch(row[0]) or _index(row[0])) or not any(map(_is_number, row)):
            break
        below.append(row)
    scores = [row for row in below if _index(row[0])]
    if not _add_up(head, rows[:size], [row for row in below if _TOTAL.fullmatch(row[0])]):
        return None
    lost = [
        row
        for row in scores
        if not _has_each(row, size) and heading_meaning(_index(row[0])) not in _OF_ALL
    ]
    if lost or len(beside) < len(others) or not (beside or scores):
        return None  # another column or row, which would be lost, or nothing in the margins
    last = (below or rows[:size])[-1]
    used = next(k for k, row in enumerate(cells) if row is last) + 1
    return used, _matrix_of(head, rows[:size]), _scores_of(rows[:size], beside, scores)


def _add_up(head: Sequence[str], rows: Cells, totals: Cells) -> bool:
    """Tell whether totals beside and below counts are their sums."""
    size = len(rows)
    counts = [[int(cell) for cell in row[1 : size + 1]] for row in rows]
    places = [k for k in range(size + 1, len(head)) if _TOTAL.fullmatch(head[k])]
    beside = [
        (_at(row, k), sum(own)) for k in places for row, own in zip(rows, counts, strict=True)
    ]
    sums = list(map(sum, zip(*counts, strict=True)))
    below = [(_at(row, k), own) for row in totals for k, own in enumerate(sums, start=1)]
    return all(not cell.isdigit() or int(cell) == own for cell, own in beside + below)


def _matrix_of(head: Sequence[str], rows: Cells) -> Cells:
    """Return a matrix with its sides in words that `take_matrix` knows, where it has any."""
    size, predicted = len(rows), re.compile(r"pred|class", re.IGNORECASE)
    names = [_bare(row[0]) for row in rows]
    sided = head[1] != names[0]
    turned = predicted.match(rows[0][0]) or (sided and not predicted.match(head[1]))
    side, other = ("predicted ", "actual ") if turned else ("actual ", "predicted ")
    if not sided and rows[0][0] == names[0]:
        side = other = ""
    counts = [[side + name, *row[1 : size + 1]] for name, row in zip(names, rows, strict=True)]
    return [["", *(other + name for name in names)], *counts]


def _scores_of(rows: Cells, beside: Mapping[int, str], scores: Cells) -> Cells:
    """Return a table of the scores in the margins: one row for each class, one for all."""
    size = len(rows)
    of_classes = [row for row in scores if _has_each(row, size)]
    table = [["class", *beside.values(), *(_index(row[0]) for row in of_classes)]]
    for k, row in enumerate(rows if len(table[0]) > 1 else (), start=1):
        own = [_at(row, place) for place in beside]
        table.append([_bare(row[0]), *own, *(one[k] for one in of_classes)])
    whole = {
        name: next(filter(_is_number, row[1:]))
        for row in scores
        if row not in of_classes and heading_meaning(name := _index(row[0])) in _OF_ALL
    }
    corner = [_at(row, place) for row in of_classes for place in beside]
    if len(corner) == 1 and _is_number(corner[0]):
        whole.setdefault("Accuracy", corner[0])
    if whole:
        blank = [""] * (len(table[0]) - 1)
        table = [[*row, *([""] * len(whole))] for row in table]
        table[0][-len(whole) :] = whole
        table.append(["overall", *blank, *whole.values()])
    return table


def _is_square(head: Sequence[str], rows: Cells) -> bool:
    """Tell whether rows of counts have the names of as many columns."""
    size = len(rows)
    own = list(head) if len(head) >= len(rows[0]) else ["", *head]
    if any(len(row) <= size or not all(map(str.isdigit, row[1 : size + 1])) for row in rows):
        return False
    names = [_bare(row[0]) for row in rows]
    return len(set(names)) == size and [_bare(name) for name in own[1 : size + 1]] == names


def _bare(name: str) -> str:
    return _SIDES.sub("", name).strip()


def _index(name: str) -> str:
    """Return the heading of an index that a margin names, or nothing."""
    name = re.sub(r"^class\s+", "", name, flags=re.IGNORECASE)
    word = re.sub(r"\W*(?:error|accuracy)?\W*(?:\(%\)|%)?\W*$", "", name, flags=re.IGNORECASE)
    known = _NAMES.get(word.lower(), name)
    found = heading_meaning(known)
    per_cent = " (%)" if "%" in name and "%" not in known else ""
    return known + per_cent if found and found != "objects" else ""


def _has_each(row: Sequence[str], size: int) -> bool:
    return sum(map(_is_number, row[1 : size + 1])) == size


def _is_number(cell: str) -> bool:
    return bool(_NUMBER.fullmatch(cell.strip("% ")))


def _at(row: Sequence[str], place: int) -> str:
    return row[place] if place < len(row) else ""


# Row, column, printed number, and the count and the whole of which it is the share; 1 for a sum.
Beside = tuple[str, str, Printed, tuple[int, int]]
_SHARE = re.compile(r"(?<![\d.,/])(\d+)\s*[(\[]\s*(\d*\.?\d+\s*%?)\s*[)\]]")
_SHARE_FIRST = re.compile(r"(?<![\d.,/])(\d*\.?\d+\s*%)\s*[(\[]\s*(?:n\s*=\s*)?(\d+)\s*[)\]]")
# How a line of shares below counts begins, if it has a name.
_OF_SHARES = re.compile(r"\s*(?:%|percent|row|col|tot|pct|prop)", re.IGNORECASE)
_DECIMAL = re.compile(r"\d*\.\d+%?")


def without_shares(lines: Sequence[str]) -> tuple[list[str], dict[int, list[list[str]]]]:
    """Return lines of counts without their shares, and these by the number of the line."""
    bare, apart, at = list[str](), dict[int, list[list[str]]](), -1
    for number, line in enumerate(lines):
        if "&" in line:  # a row of LaTeX
            line = re.sub(r"\\\\.*|\\hline|\\(?=%)", "", line).replace("&", "|")
        text = _SHARE_FIRST.sub(r"\2 (\1)", line)
        if len(found := _SHARE.findall(text)) > 1:
            at, line = number, _SHARE.sub(r"\1", text)
            apart[number] = [[share for _, share in found]]
        elif at >= 0 and (below := _shares_below(line)):
            apart.setdefault(at, []).append(below)
            line = "|"
        elif re.search(r"\d", line):
            at = number if len(re.findall(r"(?<![\d.])\d+(?![\d.])", line)) > 1 else -1
        bare.append(line)
    return bare, apart


def _shares_below(line: str) -> list[str]:
    """Return the shares of a line without counts, that has no name or says of what they are."""
    words = line.replace("|", " ").replace(" %", "%").split()
    found = [word for word in words if _DECIMAL.fullmatch(word)]
    name = " ".join(words[: len(words) - len(found)])
    alone = words[len(words) - len(found) :] == found and not re.search(r"\d", name)
    return found if alone and (not name or _OF_SHARES.match(name)) else []


def shares_of(
    apart: Sequence[Sequence[Sequence[str]]],
    counts: Sequence[Sequence[int]],
    rows: Sequence[str],
    columns: Sequence[str],
) -> tuple[Beside, ...]:
    """Return the shares of counts, each of its row, its column or all: as most of a kind fit.

    Those of totals, beside and below, may be of another whole than those of the counts.
    """
    size, found = len(counts), list[Beside]()
    whole = [[*row, sum(row)] for row in counts]
    whole += [list(map(sum, zip(*whole, strict=True)))]
    rows, columns = [*rows, "Total"], [*columns, "total"]
    for kind in range(min(map(len, apart[:size]), default=0)):
        texts = [row[kind] if kind < len(row) else [] for row in apart]
        if any(len(row) < size for row in texts[:size]):
            continue
        percent = any("%" in text or float(text) > 1 for row in texts for text in row)
        cells = [
            (i, j, Printed(text.strip("% "), "", percent))
            for i, row in enumerate(texts[: size + 1])
            for j, text in enumerate(row[: size + 1])
        ]
        wholes = {
            (i, j): {"row": whole[i][size], "column": whole[size][j], "all": whole[size][size]}
            for i, j, _ in cells
        }
        fits = {
            (i, j): [of for of, n in wholes[i, j].items() if _fits(share, (whole[i][j], n))]
            for i, j, share in cells
        }
        inner = [of for (i, j), own in fits.items() if max(i, j) < size for of in own]
        best = max(("row", "column", "all"), key=inner.count)
        for i, j, share in cells if 2 * inner.count(best) > size**2 else ():
            of = best if best in fits[i, j] or max(i, j) < size else (*fits[i, j], "all")[0]
            name = f"{columns[j]} (share of {'all' if of == 'all' else f'its {of}'})"
            found.append((rows[i], name, share, (whole[i][j], wholes[i, j][of])))
    return tuple(found)


def shares_behind(
    lines: Sequence[str], counts: Sequence[Sequence[int]], names: Sequence[str]
) -> tuple[Beside, ...]:
    """Return the shares of rows that are right, or wrong, where they stand last in lines."""
    rows = [line for line in lines if re.search(r"\d", line)]
    last = [re.findall(r"(?<!\S)\d*\.\d+%?(?!\S)", line.replace("|", " "))[-1:] for line in rows]
    right = [(row[k], sum(row)) for k, row in enumerate(counts)]
    right.append((sum(one for one, _ in right), sum(all_ for _, all_ in right)))
    texts = [text for own in last[: len(counts)] for text in own]
    if len(texts) < len(counts):
        return ()
    percent = any("%" in text or float(text) > 1 for text in texts)
    shares = [Printed(own[0].strip("%"), "", percent) for own in last if own]
    wrong = [(n - one, n) for one, n in right]
    best = max((right, wrong), key=lambda of: sum(map(_fits, shares, of)))
    name = f"{'right' if best is right else 'wrong'} (share of its row)"
    fits = sum(map(_fits, shares, best))
    rows = [*names, "Total"]
    return tuple(
        (label, name, share, of) for label, share, of in zip(rows, shares, best, strict=False)
    ) * (0 < len(shares) <= 2 * fits)


def sums_of(
    totals: Sequence[Sequence[int]], counts: Sequence[Sequence[int]], columns: Sequence[str]
) -> tuple[Beside, ...]:
    """Return totals in a row below counts with the sums that they should be, if some are not."""
    sums = list(map(sum, zip(*counts, strict=True)))
    sums += [sum(sums)]
    names = [*columns, "all"]
    return tuple(
        ("Total", f"{name} (sum)", Printed(str(total)), (own, 1))
        for row in totals
        if len(row) in (len(counts), len(names)) and row != sums[: len(row)]
        for name, total, own in zip(names, row, sums, strict=False)
    )


def _fits(printed: Printed, of: tuple[int, int]) -> bool:
    low, high = printed.limits(percent=printed.percent)
    return bool(of[1]) and low * of[1] <= of[0] <= high * of[1]
