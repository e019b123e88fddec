"""The parts of a text: blocks under headings, several tables, and how they are put together."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from opchar.printed.cells import plain
from opchar.printed.headings import double_name, heading_meaning
from opchar.printed.numbers import read_number
from opchar.printed.spaces import Grid, by_names, no_number, unlike

_SET = (
    r"(?:train(?:ing)?|val(?:id(?:ation)?)?|dev(?:elopment)?|test(?:ing)?|hold[- ]?out|cv"
    r"|cross[- ]validat(?:ion|ed)|(?:internal|external)(?: (?:validation|test(?:ing)?))?|oof)"
    r"(?: (?:set|data|cohort))?"
)
_OF_SET = re.compile(
    rf"({_SET})[\s_./-]+(.+)|(.+?)[\s_/-]*[\s_(\[/-](?:on (?:the )?)?({_SET})[)\]]?", re.IGNORECASE
)

# Class and index of a heading, in either order, and the place of the class.
_WITH_CLASS = (
    (re.compile(r"(.+?)\s*[(\[]\s*([^()\[\]]+?)\s*[)\]]"), 2),
    (re.compile(r"(\S+)[\s_:/-]+(.+)"), 2),
    (re.compile(r"(.+?)[\s_:/-]+(\S+)"), 1),
    (re.compile(r"(.+)[\s_:/-]+(\S+)"), 2),
    (re.compile(r"(\S+)[\s_:/-]+(.+)"), 1),
)
# Words beside an index that name no class.
_IDLE = re.compile(
    r"(?:mean|avg|average|std|sd|se|sem|var\w*|min|max|median|low\w*|upp\w*|high\w*|ci|iqr|rank"
    r"|gain|diff\w*|delta|improve\w*|change|best|worst|p|n|rel\w*|abs\w*|macro|micro|weighted"
    r"|samples?|overall|all|total|at|@.*|k ?= ?\d+|[^\w+-]*|[\d.]+(?: ?%.*)?|p-?values?|balanced"
    r"|adj\w*|binary|class|per|partial)\.?",
    re.IGNORECASE,
)
# Numbers that are no score: a level, a bound, one in a name; lines on cut-offs and of tibbles.
_NO_SCORE = re.compile(
    r"\\\w+(?:\(\w+\))?\{[\d-]+\}|\d+ ?% ?(?:CI|conf)|[<>≤≥]=? ?[\d.]+(?:e[-+]?\d+)?"
    r"|\b[^\W\d]\w*|.*(?:cut|threshold|tibble).*",
    re.IGNORECASE,
)
# A line on the size of the test set, under or above a table.
_SIZE_LINE = re.compile(r"\s*[(*†]?\s*n\s*=\s*\d[\d,]*\b(?!.*\d\.\d)", re.IGNORECASE)


def set_of(label: str) -> str:
    """Return the set of objects at the end of a row's label."""
    found = re.search(rf"(?:^|\s)({_SET})'*$", label, re.IGNORECASE)
    return found[1].lower() if found else ""


def by_set(heading: list[str], body: Grid) -> tuple[list[str], Grid]:
    """Return a row for each set of objects that headings name beside an index, as 'Val Acc' does.

    Indices without a set are in a row of their own, unless the only set is a test set that none of
    them has been measured on twice.
    """
    found = [_OF_SET.fullmatch(name.strip()) for name in heading]
    named = [(m[1] or m[4], m[2] or m[3]) if m else ("", "") for m in found]
    named = [(of, name.strip()) if is_index(name.strip()) else ("", "") for of, name in named]
    sets = list(dict.fromkeys(of.lower() for of, _ in named if of))
    bare = {
        heading_meaning(h)
        for h, (of, _) in zip(heading[1:], named[1:], strict=True)
        if not of and is_index(h)
    }
    twice = bare & {heading_meaning(name) for of, name in named if of}
    if not sets or (len(sets) == 1 and (not bare or (sets[0].startswith("test") and not twice))):
        return heading, body
    return _rows_of_parts(heading, body, [(of.lower(), name) for of, name in named])


def by_class(heading: list[str], body: Grid) -> tuple[list[str], Grid]:
    """Return a row for each class that headings name beside two indices, as 'F1 (hate)' does.

    Whether the classes are all, and of one matrix, is not known: each row stands for itself.
    """
    named = [("", ""), *map(_index_of_class, heading[1:])]
    of: dict[str, list[str]] = {}
    for one, name in named:
        if one:
            of.setdefault(one, []).append(name)
    if not of or min(map(len, of.values())) < 2:
        return heading, body
    return _rows_of_parts(heading, body, named)


def _index_of_class(heading: str) -> tuple[str, str]:
    """Return the class and the index that a heading names together, empty where it does not."""
    text = heading.strip()
    if heading_meaning(text) or double_name(text):
        return "", ""
    ways = [
        (found[one], found[3 - one])
        for pattern, one in _WITH_CLASS
        if (found := pattern.fullmatch(text))
    ]
    for of, name in ways:
        if is_index(name) and not (is_index(of) or _IDLE.fullmatch(of)):
            return of.strip(" ."), name
    return "", ""


def _rows_of_parts(
    heading: list[str], body: Grid, named: Sequence[tuple[str, str]]
) -> tuple[list[str], Grid]:
    """Return a row for each part that headings name beside an index, and one for the other ones."""
    names = list(dict.fromkeys(name or h for h, (_, name) in zip(heading, named, strict=True)))
    rows: Grid = []
    for row in body:
        for one in dict.fromkeys(["", *(of for of, _ in named)]):
            cells = {
                name or h: cell
                for h, (of, name), cell in zip(heading[1:], named[1:], row[1:], strict=False)
                if of == one
            }
            if one or any(is_index(name) and cell for name, cell in cells.items()):
                label = f"{row[0]} {one}".strip()
                rows.append([label, *(cells.get(name, "") for name in names[1:])])
    return [heading[0], *names[1:]], rows


def is_marked(lines: Sequence[str]) -> bool:
    """Tell whether bars, ampersands, commas or semicolons set off columns of two lines."""
    bare = [re.sub(r"\([^()]*\)|\[[^\[\]]*\]", "", line) for line in lines]
    named = [line for line in bare if not re.search(r"[^\W\d]\s*[:=]\s*\S*\d", line)]
    pair = r"[^,;|&]*[^\W\d][^,;|&]*\d[^,;|&]*"  # of a name and a number
    named = [line for line in named if not re.fullmatch(rf"{pair}(?:,{pair})+", line)]
    marks = (r"^\s*\||\s\||\|\s*$", "&", ";", ",")
    return any(sum(bool(re.search(mark, line)) for line in named) > 1 for mark in marks)


def join_parts(
    parts: Sequence[tuple[list[str], Grid]], unnamed: str = "", *, together: bool = False
) -> tuple[list[str], Grid]:
    """Return headings and rows of several tables; `together`, single rows are parts of one."""
    if len(parts) == 1:
        return parts[0]
    names = list[str]()
    alone = together and all(len(rows) == 1 for _, rows in parts)
    cells: dict[str, dict[str, str]] = {}
    for heading, rows in parts:
        own = ["", *heading] if heading[0] and heading_meaning(heading[0]) else heading
        names += [name for name in own[1:] if name not in names]
        for row in rows:
            row = row if own is heading and len(row) == len(heading) else ["", *row]
            label = "" if alone else row[0] or unnamed
            found = {name: cell for name, cell in zip(own[1:], row[1:], strict=False) if cell}
            label = label if alone else unlike(label, cells)
            cells.setdefault(label, {}).update(found)
    return ["", *names], [[k, *(row.get(n, "") for n in names)] for k, row in cells.items()]


def tables_of(grid: Grid) -> list[Grid]:
    """Return the tables of a grid: rows of headings below numbers begin another one."""
    found: list[Grid] = [[]]
    for row in grid:
        named = no_number(row) and sum(map(is_index, map(plain, row))) > 1
        if named and not all(map(no_number, found[-1])):
            found.append([])
        found[-1].append(row)
    return [one for one in found if len(one) > 1]


def blocks_of(lines: Sequence[str]) -> list[list[str]]:
    """Return lines by the headings that they stand under, each heading with the lines below it."""
    blocks: list[list[str]] = [[]]
    for line, before in zip(lines, ["", *lines], strict=False):
        words = line.split()
        title = bool(words) and no_number(words)
        new = title and (has_heading([line]) or not before.strip())
        if new and not all(no_number(one.split()) for one in blocks[-1]):
            blocks.append([])
        blocks[-1].append(line)
    return [block for block in blocks if not all(no_number(one.split()) for one in block)]


def is_one_column(lines: Sequence[str]) -> bool:
    """Tell whether lines are indices in rows under a heading of two words."""
    rows = [line.split() for line in lines if line.strip()]
    return (
        bool(rows)
        and len(rows[0]) == 2
        and no_number(rows[0])
        and all(len(row) > 1 and read_number(row[-1]) and no_number(row[:-1]) for row in rows[1:])
        and not any(map(heading_meaning, rows[0]))
        and ":" not in "".join(lines)
    )


def has_heading(lines: Sequence[str]) -> bool:
    """Tell whether a line without numbers names two indices, or one in three words."""
    for line in lines:
        words = [word for word in line.split() if word != "for"]
        if words and no_number(words):
            known = sum(heading_meaning(name) is not None for name in by_names(words))
            if known > 1 or (known and len(words) < 4):
                return True
    return False


def is_index(name: str) -> bool:
    """Tell whether a heading names an index, and no size."""
    return heading_meaning(name) not in (None, "objects", "positives", "negatives")


def is_note(line: str, block: Sequence[str]) -> bool:
    """Tell whether a line of a block tells a size, or is a sentence with one number."""
    words = line.split()
    wide = max(len(one.split()) for one in block if no_number(one.split()) or one == line) > 2
    one = wide and len(words) > 5 and sum(map(bool, map(read_number, words))) == 1
    return bool(_SIZE_LINE.match(line) or (one and re.search(r"\b(?:is|was|at|of)\b", line)))


def lines_not_read(lines: Sequence[str], read: Iterable[str]) -> list[str]:
    """Return lines with a share or several numbers, none of them among those that were read."""
    known = _digits(" ".join(read))
    found = []
    for line in lines:
        bare = _NO_SCORE.sub("", line)
        several = len(re.findall(r"\d+", bare)) > 1 or re.search(r"\d[.,·]\d|\d ?%", bare)
        if several and not known & _digits(bare):
            found.append(line)
    return found


def _digits(text: str) -> set[str]:
    """Return the digits of the numbers of a text, whether commas set off decimals or cells."""
    numbers = re.findall(r"\d*[.·]?\d+(?:e[-+]?\d+)?", text, re.IGNORECASE)
    numbers += re.findall(r"\d+,\d+", text)
    return {re.sub(r"\D", "", number) for number in numbers}


def with_own_columns(heading: list[str], body: Grid) -> tuple[list[str], Grid]:
    """Return a table in which rows with the name of an index and one number have its column."""
    alone = [row for row in body if is_index(row[0]) and sum(map(bool, row[1:])) == 1]
    for row in alone if len(body) - len(alone) > 1 else []:
        at = next(k for k, cell in enumerate(row) if k and cell)
        if heading_meaning(heading[at]) == heading_meaning(row[0]):
            continue
        own = [row[0], *[""] * (len(heading) - 1), row[at]]
        heading = [*heading, row[0]]
        body = [own if other[0] == row[0] else [*other, ""] for other in body]
    return heading, body
