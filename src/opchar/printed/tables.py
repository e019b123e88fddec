"""Tables from CSV, or copied from a PDF, a web page, a README or what a program prints."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from opchar.errors import DataError, nearest
from opchar.printed.cells import plain
from opchar.printed.counted import with_printed_counts
from opchar.printed.exact_indices import COUNTS
from opchar.printed.headings import (
    SIZES,
    guessed_units,
    heading_meaning,
    known_headings,
    settle,
    unit_of,
)
from opchar.printed.kinds import (
    kind_of,
    kinds_beside,
    kinds_of,
    of_classes,
    sizes_told,
    support_heading,
    with_accuracy,
    with_counts,
)
from opchar.printed.layout import Read, read_text
from opchar.printed.margins import Beside
from opchar.printed.numbers import Cell, Limits, Printed, Rounding, read_cell, read_number
from opchar.printed.parts import by_class, by_set, lines_not_read, with_own_columns
from opchar.printed.spaces import Grid, no_number, unlike

_UNITS = ("fraction", "percent")
_LARGEST = 1e15
_AVERAGED = ("macro_", "micro_", "weighted_")
_SPREAD = re.compile(
    r"(?:std|standard)\.?(?: ?dev\w*|[ .]err\w*)?|sd|(?:[\d.]+ ?\*? ?)?se"
    r"|p(?:[ -]?val(?:ue)?s?\b.*)?|range|ci|iqr|[Δ∆δχ].*|delta|diff(?:erence)?s?\b.*"
    r"|(?:relative )?(?:gain|improvement|change)s?",
    re.IGNORECASE,
)
# What stands beside means and spreads of other rows, and is no row of one matrix.
_EXTREME = re.compile(r"min(?:imum)?|max(?:imum)?|median|q[1-3]|\d+ ?%|count", re.IGNORECASE)
_CLASS = "Class: "


@dataclass(frozen=True)
class Table:
    """A printed table: numbers by label of the row and heading, and what each heading means.

    `taken` has an index, ``objects``, ``positives`` or ``negatives`` for each of the columns; it is
    empty for one that is not known and not checked. Units are ``"fraction"`` or ``"percent"``.
    `unread` are cells with digits other than numbers.

    `kinds` names the kind of a row, ``"row"`` without one: ``"class"`` (one class of a
    classification report), ``"overall"`` (accuracy of all objects), ``"macro"``, ``"weighted"``,
    ``"micro"``, ``"samples"``, ``"mean"`` (of the rows above) or ``"wins"``. `stated` has
    sizes of captions and footnotes: ``positives``, ``negatives``, ``objects``, ``folds``,
    ``classes`` (if more than two are told). `fractions` has numerator and denominator,
    `intervals` the two ends that are printed beside a number, by label and heading.
    `questions` are headings with two meanings that nothing in the table settles. `guessed` are
    headings whose unit only the numbers tell, where some unmarked shares exceed one and some do
    not. `of_matrix` is true where counts come from a printed confusion matrix.
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
    guessed: tuple[str, ...] = ()
    of_matrix: bool = False

    def kind(self, label: str) -> str:
        """Return the kind of a row."""
        return self.kinds.get(label, "row")

    def labels(self, *kinds: str) -> list[str]:
        """Return the labels of the rows of some kinds."""
        return [label for label in self.rows if self.kind(label) in kinds]

    def heading(self, meant: str) -> str:
        """Return the first heading of an index or size, empty without one."""
        return next((h for h in self.columns if self.taken[h] == meant), "")

    def limits(self, label: str, heading: str, rounding: Rounding) -> Limits:
        """Return the limits of a cell as a fraction."""
        return self.rows[label][heading].limits(rounding, percent=self.is_percent(label, heading))

    def is_percent(self, label: str, heading: str) -> bool:
        """Tell whether a cell is a percentage."""
        return self.rows[label][heading].percent or self.units.get(heading) == "percent"

    def has_percentages(self, label: str) -> bool:
        """Tell whether a row has shares beyond one without a sign of percent."""
        row = self.rows[label]
        return any(abs(float(row[name].text)) > 1 for name in self.guessed if name in row)

    def in_unit(self, unit: str) -> Table:
        """Return the table with guessed units that are one; shares beyond one stay percentages."""
        rows = {
            label: {
                name: replace(value, percent=True)
                if name in self.guessed and abs(float(value.text)) > 1
                else value
                for name, value in row.items()
            }
            for label, row in self.rows.items()
        }
        units = dict(self.units) | dict.fromkeys(self.guessed, unit)
        return replace(self, units=units, rows=rows, guessed=())


def read_table(text: str, corrections: Mapping[str, tuple[str, str]] | None = None) -> Table:
    r"""Read a printed table.

    Columns are set off by commas, semicolons, tabs, bars, ampersands, spaces, or HTML or LaTeX. The
    lines above the first number that name most indices are the headings; a first column without
    numbers has the labels of the rows. Of columns with the same meaning the first is taken.

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
    found = read_text(text)
    matrix = found.matrix
    heading, body = _with_first_column(found.heading, found.body)
    titles = [row for row in body if len(row) > 1 and row[0] and not any(row[1:])]
    body = _with_labels(heading, [row for row in body if row not in titles] or body)
    spreads = _spreads(body)
    body = [row for row in body if row[0] not in spreads]
    heading, body = with_own_columns(*by_class(*by_set(heading, body)))
    kinds = kinds_of(heading, body)
    stated = sizes_told(found.notes, heading[1:], [row[0] for row in body])
    alone = heading == ["", *COUNTS]
    if matrix and not alone:
        kinds = kinds or kinds_beside(matrix, body)
        heading, body, of_matrix = with_counts(heading, body, kinds, matrix)
        stated = of_matrix | stated
    support = support_heading(heading, body, kinds)
    heading, body, of_report = with_accuracy(heading, body, kinds, support)
    stated |= of_report
    if "Class:" not in text:
        body = [[row[0].removeprefix(_CLASS), *row[1:]] for row in body]
        kinds = {label.removeprefix(_CLASS): kind for label, kind in kinds.items()}
    read = {row[0]: dict(zip(heading[1:], map(read_cell, row[1:]), strict=False)) for row in body}
    columns = tuple(n for n in heading[1:] if any(c[n].number for c in read.values() if n in c))
    rows = {label: _numbers(label, cells) for label, cells in read.items()}
    cells = {name: [row[heading.index(name)] for row in body] for name in columns}
    taken, questions = settle(columns, cells)
    if support in taken:
        taken[support] = "positives"
        questions = tuple(name for name in questions if name != support)
    questions += tuple(
        h for h in columns if taken[h] == "objects" and of_classes(heading, body, kinds)
    )
    _of_many_classes(taken, kinds, rows)
    units = {name: unit_of(name, taken[name], rows) for name in columns}
    for name, (what, unit) in (corrections or {}).items():
        _correct(name, what, unit, taken, units)
        questions = tuple(one for one in questions if one != name)
    beside = {(label, name): cell for label, cells in read.items() for name, cell in cells.items()}
    unread = [*spreads, *(cell for row in body for cell in row[1:] if _is_unread(cell))]
    unread += _lines_not_read(text, found, heading, stated, spreads)
    fractions = {key: own.fraction for key, own in beside.items() if own.fraction and own.number}
    added = with_printed_counts(fractions, taken, rows, kinds, None if alone else matrix)
    added += _with_shares(found.beside, taken, rows, units, fractions)
    columns = (*(name for name in columns if name in taken), *added)
    units = dict.fromkeys(added, "fraction") | units
    return Table(
        columns,
        taken,
        units,
        rows,
        tuple(unread),
        kinds,
        stated,
        fractions,
        {key: cell.interval for key, cell in beside.items() if cell.interval and cell.number},
        questions,
        guessed_units(taken, rows, corrections or {}),
        matrix is not None or alone,
    )


def _lines_not_read(
    text: str,
    found: Read,
    heading: Sequence[str],
    stated: Mapping[str, int],
    spreads: Sequence[str],
) -> list[str]:
    """Return the lines of a text, other than HTML and JSON, whose numbers were not read."""
    if text.lstrip().startswith(("{", "[{", "<")):
        return []
    cells = (cell for row in (heading, *found.body) for cell in row)
    beside = (*map(str, stated.values()), *(found.matrix.numbers() if found.matrix else ()))
    lines = [line for line in text.splitlines() if not line.startswith(tuple(spreads))]
    return lines_not_read(lines, (*cells, *beside))


def _with_shares(
    beside: Sequence[Beside],
    taken: dict[str, str],
    rows: dict[str, dict[str, Printed]],
    units: dict[str, str],
    fractions: dict[tuple[str, str], tuple[int, int]],
) -> tuple[str, ...]:
    """Add the shares and sums that stand beside the counts of a matrix; return their headings."""
    added = {name: ratio[1] == 1 for _, name, _, ratio in beside if name not in taken}
    for label, name, printed, ratio in beside:
        if name in added:
            rows.setdefault(label, {})[name] = printed
            taken[name] = "sum" if added[name] else "share"
            units[name] = "percent" if printed.percent else "fraction"
            fractions[label, name] = ratio
    return tuple(added)


def _with_first_column(heading: list[str], body: Grid) -> tuple[list[str], Grid]:
    """Return headings and rows whose first column has the labels, if there are any."""
    for number, row in enumerate(body, start=2):
        if len(row) > len(heading):
            raise DataError(
                f"row {number} has {len(row)} cells under {len(heading)} headings; set columns off "
                "by commas or two spaces"
            )
    labelled = any(row and row[0] and read_number(row[0]) is None for row in body)
    labelled |= not heading[0]
    if labelled and _are_numbered(heading, body):
        return ["", *heading[2:]], [row[1:] for row in body]
    return (heading, body) if labelled else (["", *heading], [["", *row] for row in body])


def _are_numbered(heading: Sequence[str], body: Grid) -> bool:
    """Tell whether rows have a number under no heading, then a name, as pandas prints a frame."""
    cells = [row[1] for row in body if len(row) > 1]
    named = not heading[0] and len(cells) == len(body) and no_number(cells) and all(cells)
    return named and [row[0] for row in body] == [str(k) for k in range(len(body))]


def _spreads(body: Grid) -> list[str]:
    """Return the labels of rows with standard deviations, and beside these of extremes."""
    found = [row[0] for row in body if _SPREAD.fullmatch(re.sub(r"\s*[(\[].*", "", row[0]))]
    return found and found + [row[0] for row in body if _EXTREME.fullmatch(row[0])]


def _of_many_classes(
    taken: dict[str, str], kinds: Mapping[str, str], rows: Mapping[str, Mapping[str, Printed]]
) -> None:
    """Name the indices of more than two classes together."""
    if list(kinds.values()).count("class") < 3:
        return
    others = {name for label in rows if kinds.get(label) != "overall" for name in rows[label]}
    for name, meant in taken.items():
        shares = meant in ("", "accuracy", "error_rate", *SIZES)
        if name not in others and not shares and not meant.startswith(_AVERAGED):
            taken[name] = f"multiclass_{meant}"


def _with_labels(heading: list[str], body: Grid) -> Grid:
    """Return rows with a label each: that above for an empty one, then what tells rows apart."""
    found: list[list[str]] = []
    above = ""
    used: set[str] = set()
    labels = [plain(row[0]).strip("_ ") if row else "" for row in body]
    several = any(label and labels.count(label) > 1 for label in labels) or "" in labels
    for number, row in enumerate(body, start=1):
        label = labels[number - 1] or above or f"row {number}"
        above = label if labels[number - 1] else above
        second = row[1].strip() if several and len(row) > 2 else ""
        if second and read_cell(second) == Cell() and kind_of(label) == "row":
            label = f"{label} {plain(second)}"
        label = unlike(label, used)
        used.add(label)
        found.append([label, *row[1:]])
    return found


def _numbers(label: str, cells: Mapping[str, Cell]) -> dict[str, Printed]:
    row = {name: cell.number for name, cell in cells.items() if cell.number}
    for name, value in row.items():
        if abs(float(value.text)) > _LARGEST:
            raise DataError(f"{label}, {name}: {value.text}: no score is that large")
    return row


def _is_unread(cell: str) -> bool:
    """Tell whether a cell has digits other than a number with its interval, a p-value or a note."""
    read = read_cell(cell)
    said = read.number or re.match(r"\s*[<>≤≥]", cell)
    return not said and re.search(r"\d", cell) is not None


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
