"""From a text to headings and rows: matrices, pairs, blocks and grids among its lines."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import zip_longest

from opchar.errors import DataError
from opchar.printed.cells import (
    cut_text,
    heading_of,
    plain,
    points_for_commas,
    with_intervals,
    with_points,
    with_spreads,
)
from opchar.printed.count_matrices import Matrix, sections_of, take_matrix
from opchar.printed.exact_indices import COUNTS
from opchar.printed.headings import heading_meaning
from opchar.printed.kinds import kinds_beside, kinds_of, with_counts
from opchar.printed.margins import Beside, with_margins_below
from opchar.printed.numbers import read_cell, read_number
from opchar.printed.parts import (
    blocks_of,
    has_heading,
    is_index,
    is_marked,
    is_note,
    is_one_column,
    join_parts,
    tables_of,
)
from opchar.printed.prints import as_table, take_pairs, take_sections, without_prompts
from opchar.printed.spaces import Grid, no_number, unlike

_LABELS = re.compile(r"class(?:es)?|labels?|models?|methods?|names?|classifiers?|algorithms?", re.I)


@dataclass
class Read:
    """Headings and rows of a text, lines beside them, and a matrix with its shares and sums."""

    heading: list[str]
    body: Grid
    notes: list[str] = field(default_factory=list)
    matrix: Matrix | None = None
    beside: tuple[Beside, ...] = ()


def read_text(text: str) -> Read:
    """Return what a text prints, whatever sets its columns off."""
    lines = without_prompts(points_for_commas(as_table(text)))
    joined = "\n".join(lines)
    html = "</t" in joined.lower()
    if not html and not joined.lstrip().startswith(("{", "[{")):
        return heading_and_rows(lines)
    grid, notes = cut_text(joined)
    rows = ["\t".join(row) for row in grid]
    if html and (with_margins_below(rows) != rows or take_matrix(rows)[0]):
        return heading_and_rows([*notes, *rows])
    return Read(*_rows_of_grid(grid), notes)


def heading_and_rows(lines: list[str]) -> Read:
    """Return what a text prints: headings and rows, and what stands beside them."""
    with_margins = with_margins_below(lines)
    if len(sections := sections_of(with_margins)) > 1:
        return _of_several(sections)
    matrix, rest = take_matrix(with_margins)
    if matrix is None:
        return Read(*_rows_of_lines(lines))
    try:
        found = Read(*_rows_of_lines(rest), matrix, matrix.beside)
    except DataError:
        found = Read([], [], matrix=matrix)
    if any(map(is_index, [*found.heading, *(row[0] for row in found.body)])):
        return found
    labels = [matrix.positive] if matrix.positive else matrix.labels
    body = [[label, *map(str, matrix.of_class(label).values())] for label in labels]
    return Read(["", *COUNTS], body, matrix=matrix, beside=matrix.beside)


def _of_several(sections: Sequence[list[str]]) -> Read:
    """Return the rows of sections that print a matrix each, beside its counts."""
    parts, whole = list[tuple[list[str], Grid]](), Read([], [])
    for lines in sections:
        one = heading_and_rows(lines)
        heading, body = one.heading, one.body
        if heading != ["", *COUNTS] and one.matrix:
            kinds = kinds_of(heading, body) or kinds_beside(one.matrix, body)
            heading, body, stated = with_counts(heading, body, kinds, one.matrix)
            if "TP" not in heading:
                heading = [*heading, "objects"]
                body = [[*row, str(stated["objects"])] for row in body]
            whole.notes.extend(["multiclass"] * ("classes" in stated))
        title = next((line.strip(" =:#*->|") for line in lines if line.strip(" =:#*->|")), "")
        body = [[title, *row[1:]] for row in body] if len(body) == 1 else body
        parts.append((heading, body))
        whole.notes.extend(one.notes)
        whole.beside += tuple((f"{title} {of}", name, p, n) for of, name, p, n in one.beside)
    whole.heading, whole.body = join_parts(parts)
    return whole


def _rows_of_lines(lines: list[str]) -> tuple[list[str], Grid, list[str]]:
    """Return headings and rows of lines, and their notes."""
    if re.search(r"[^\W\d]:\s*[\d.]+\t", "\n".join(lines)):
        lines = [line.replace("\t", "  ") for line in lines]
    if "\t" not in "".join(lines) and not is_marked(lines):
        return _parts_of(lines)
    grid, notes = cut_text("\n".join(lines))
    return *_rows_of_grid(grid), notes


def _rows_of_grid(grid: Grid) -> tuple[list[str], Grid]:
    return join_parts([_grid(one) for one in tables_of(grid) or [grid]])


def _parts_of(lines: list[str]) -> tuple[list[str], Grid, list[str]]:
    """Return headings and rows of lines without marks, and their notes."""
    sections, lines = take_sections(lines)
    pairs, rest = (None, lines) if is_one_column(lines) else take_pairs(lines)
    parts = [_grid(grid) for grid in [*([pairs] if pairs else []), *sections]]
    blocks = blocks_of(rest)
    known = [block for block in blocks if has_heading(block)]
    known = [[line for line in block if not is_note(line, block)] for block in known]
    taken = known or ([] if parts else [rest])
    for block in taken:
        parts.append(_grid(cut_text("\n".join(block))[0]))
    sentences = [line for line in lines if line not in rest and len(line.split()) > 9]
    notes = [line for line in rest if not any(line in block for block in known)]
    return *join_parts(parts, "overall" if pairs else "", together=True), notes + sentences


def _grid(cells: Grid) -> tuple[list[str], Grid]:
    """Return headings and rows of cells, rows and columns exchanged where rows are indices."""
    cells = with_points(cells)
    if cells and heading_meaning(plain(cells[0][0])) and not no_number(cells[0]):
        cells = [
            ["", *(f"value {k}" if k > 1 else "value" for k in range(1, len(cells[0])))],
            *cells,
        ]
    if len(cells) < 2:
        raise DataError("the table has no row; write headings first and numbers under them")
    heading, body = heading_of(cells)
    if 2 * sum(len(row) == len(heading) + 1 for row in body) > len(body):
        heading = ["", *heading]
    heading, *body = _with_ends_below([heading, *body], keep=True)
    heading, body = with_spreads(*with_intervals(heading, body))
    heading, body = _upright(heading, body)
    return _unlike(heading), body


def _upright(heading: list[str], body: Grid) -> tuple[list[str], Grid]:
    """Return headings and rows of a table, exchanged with columns where its rows are indices.

    A column of names behind the numbers comes first. Rows other than indices stay among the others.
    """
    columns = list(zip_longest(heading, *body, fillvalue=""))[: max(map(len, body), default=0)]
    names = [sum(is_index(plain(cell)) for cell in column[1:]) for column in columns]
    known = sum(map(is_index, heading))
    if names and max(names) > max(1, known):
        at = names.index(max(names))
        kept = [columns[at], *(one for one in columns[at + 1 :] if not no_number(one[1:]))]
        rows = _with_ends_below(list(map(list, zip(*kept, strict=True))))
        heading, *body = map(list, zip_longest(*rows, fillvalue=""))
        return ["", *map(plain, heading[1:])], [[plain(row[0]), *row[1:]] for row in body]
    last = len(heading) - 1
    if not (last > 0 and known and is_index(heading[0])):
        return heading, body
    numeric = [row for row in body if len(row) > last and read_number(row[0])]
    if numeric and (_LABELS.fullmatch(heading[last]) or no_number([r[last] for r in numeric])):
        body = [[row[-1], *row[:-1]] if row in numeric else row for row in body]
        return ["", *heading[:last]], body
    return heading, body


def _with_ends_below(rows: Grid, *, keep: bool = False) -> Grid:
    """Return rows, with intervals in a row without a name beside the scores of the row above.

    Others without a name are left out, unless they are to be kept.
    """
    found = rows[:1]
    for row in rows[1:]:
        if row[0].strip():
            found.append(row)
        elif len(found) > 1 and all(read_cell(cell).interval or not cell for cell in row):
            found[-1] = [
                f"{one} {cell}".strip() for one, cell in zip_longest(found[-1], row, fillvalue="")
            ]
        elif keep:
            found.append(row)
    return found


def _unlike(headings: list[str]) -> list[str]:
    found: list[str] = []
    for name in headings:
        found.append(unlike(name, found) if name else "")
    return found
