"""Tables for a paper: LaTeX that fits a page of 345 x 550 pt, published value above ours."""

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from math import ceil

from opchar_reproduction.figures.notation import latex_text
from opchar_reproduction.figures.tables import BRACKETS, Cell, Section, TableBlock

WIDEST = 345.0
PACKAGES = r"% needs \usepackage{array,booktabs,siunitx} and \usepackage[table]{xcolor}"
# Of Computer Modern Roman at 10 pt; what is not listed counts as wide.
_WIDTHS = {
    **dict.fromkeys("0123456789ago/", 5.01),
    **dict.fromkeys("cez", 4.5),
    **dict.fromkeys("rst()", 4.0),
    **dict.fromkeys("fj- ", 3.4),
    **dict.fromkeys("il.,;:!'|[]", 2.8),
    **dict.fromkeys("mwMW@", 10.3),
}
# Eight points are 0.85 times as wide as ten. A page leaves room for the caption and notes.
_WIDE, _BETWEEN, _NAME, _SMALL = 7.8, 12.0, 110.0, 0.85
_PAGE, _LINE = 400.0, 12.0
_NUMBER = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?")
# Marks of outcomes, as superscripts, and what they say.
MARKS = {
    "matches": ("=", "matches"),
    "compatible": (r"\sim", "compatible, too noisy to tell"),
    "differs": (r"\neq", "differs"),
    "wrong or contradictory": ("!", "wrong or contradictory in print"),
    "not testable": (r"\circ", "not testable"),
}
Judged = Callable[[Cell], tuple[str, bool]]
_Content = Callable[[Cell], tuple[str, str]]
_Parts = Iterator[tuple[float, str]]


def to_latex(
    block: TableBlock,
    caption: str,
    label: str,
    *,
    source: str = "",
    judged: Judged | None = None,
    worded: Callable[[str], str] = str,
) -> str:
    r"""Return LaTeX that is at most 345 pt wide: a ``table`` for each page."""
    numbers = [section for section in block.sections if not section.prose]
    parts: list[tuple[float, str]] = []
    used: dict[str, None] = {}

    def content(cell: Cell) -> tuple[str, str]:
        """Return both lines of a cell, and note the marks that it has."""
        printed, ours = cell.parts()
        outcome, replaced = judged(cell) if judged and cell.id else ("", False)
        if outcome:
            used[outcome] = None
        shade = r"\cellcolor{black!12}" if replaced else ""
        used.update({"shaded": None} if replaced else {})
        mark = f"$^{{{MARKS[outcome][0]}}}$" if outcome else ""
        return shade + _typeset(printed), shade + _typeset(ours) + mark if ours else mark

    for section in numbers:
        rows = tuple((Cell(worded(row[0].ours) or row[0].ours), *row[1:]) for row in section.body)
        parts += _numbers(Section(section.head, rows, section.names), content)
    for section in [] if numbers else block.sections:
        parts += _claims(section, content)
    said = [MARKS[name] for name in MARKS if name in used]
    notes = [BRACKETS.replace(", then", " above")] if BRACKETS in block.notes else []
    notes += ["; ".join(f"$^{{{sign}}}$ {words}" for sign, words in said) + "."] if said else []
    notes += ["Shaded: stand-in data."] if "shaded" in used else []
    notes = [note if "$^" in note else latex_text(note) for note in notes]
    notes += [latex_text(note) for note in block.notes if note != BRACKETS]
    after = f" After {source}." if source else ""
    begin = "\\begin{table}\n\\centering\n"
    more = f"\n\\end{{table}}\n{begin}Table \\ref{{{label}}}, continued\\medskip\n\n"
    fit = sum(height for height, _ in parts) <= _PAGE
    body = ("\n\\medskip\n\n" if fit else more).join(text for _, text in parts)
    below = "".join(f"\n\\par\\footnotesize {note}" for note in notes)
    return (
        f"{PACKAGES}\n{begin}\\sisetup{{separate-uncertainty = true}}\n"
        f"\\caption{{{latex_text(caption)}.{latex_text(after)}}}\n\\label{{{label}}}\n"
        f"{body}{below}\n\\end{{table}}\n"
    )


def _typeset(text: str) -> str:
    """Return a value with its numbers set by siunitx."""
    inner = text.removeprefix("[").removesuffix("]")
    numbers = inner.replace("−", "-").split(" ± ")
    if not text or not all(_NUMBER.fullmatch(number) for number in numbers) or len(numbers) > 2:
        return latex_text(text)
    set_number = r"\num{" + r" \pm ".join(numbers) + "}"
    return set_number if inner == text else "{[}" + set_number + "{]}"


def width(text: str) -> float:
    """Return about how wide a text is in points, never less than it is."""
    return sum(_WIDTHS.get(letter, 5.6 if letter.islower() else _WIDE) for letter in text)


def _widths(section: Section) -> list[float]:
    """Return the widths of the columns; names of rows are broken where they are long."""
    found = []
    for place, head in enumerate(section.head):
        shown = [part for row in section.body for part in row[place].parts()]
        shown = [re.sub(r"(?<=\d)e(?=[+-]?\d)", "x 10", part) for part in shown]
        found.append(max(map(width, [head, *shown])) + 6.0 * (place >= section.names))
    return [min(each, _NAME) if place < section.names else each for place, each in enumerate(found)]


def _total(widths: Sequence[float]) -> float:
    return sum(widths) + _BETWEEN * (len(widths) - 1)


def _numbers(section: Section, content: _Content) -> _Parts:
    """Yield a section as one tabular or several that fit, with their heights."""
    for scale in (1.0, _SMALL):
        for each in (section, _transpose(section)):
            if each and scale * _total(_widths(each)) <= WIDEST:
                yield from _tabulars(each, scale, content)
                return
    for part in _column_groups(section):
        yield from _tabulars(part, _SMALL, content)


def _transpose(section: Section) -> Section | None:
    if section.names != 1:
        return None
    columns = zip(*(row[1:] for row in section.body), strict=True)
    head = (section.head[0], *(row[0].ours for row in section.body))
    rows = tuple(
        (Cell(name), *column) for name, column in zip(section.head[1:], columns, strict=True)
    )
    return Section(head, rows)


def _column_groups(section: Section) -> Iterator[Section]:
    """Yield groups of columns that fit beside the names of the rows."""
    widths = [_SMALL * each for each in _widths(section)]
    names, ends = section.names, [section.names]
    for place in range(names, len(widths)):
        group = widths[:names] + widths[ends[-1] : place + 1]
        if _total(group) > WIDEST and place > ends[-1]:
            ends.append(place)
    for first, last in pairwise([*ends, len(widths)]):
        rows = tuple((*row[:names], *row[first:last]) for row in section.body)
        yield Section((*section.head[:names], *section.head[first:last]), rows, names)


def _tabulars(section: Section, scale: float, content: _Content) -> _Parts:
    widths, count = _widths(section), len(section.head)
    columns = [
        rf">{{\raggedright\arraybackslash}}p{{{scale * each:.0f}pt}}" if each == _NAME else "l"
        for each in widths[: section.names]
    ]
    room = WIDEST - sum(scale * each + _BETWEEN for each in widths[: section.names])
    columns += [
        rf">{{\raggedleft\arraybackslash}}p{{{room:.0f}pt}}" if scale * each > room else "r"
        for each in widths[section.names :]
    ]
    own = [row for row in section.body if not any(cell.published for cell in row)]
    theirs = [row for row in section.body if any(cell.published for cell in row)]
    lines = [row for each in theirs for row in _rows(each, section.names, content)]
    if own and theirs:
        lines += [r"\midrule", rf"\multicolumn{{{count}}}{{@{{}}l}}{{\emph{{added}}}} \\"]
    lines += [row for each in own for row in _rows(each, section.names, content)]
    head = " & ".join(latex_text(name) for name in section.head) + r" \\"
    size = r"\footnotesize" if scale < 1 else r"\normalsize"
    spec = "@{}" + " ".join(columns) + "@{}"
    opening = [rf"{{{size}", rf"\begin{{tabular}}{{{spec}}}", r"\toprule", head, r"\midrule"]
    for height, some in _split_into_pages(lines, widths[: section.names], scale * _LINE):
        yield height, "\n".join([*opening, some + r"\bottomrule", r"\end{tabular}}"])


def _split_into_pages(lines: Sequence[str], widths: Sequence[float], line: float) -> _Parts:
    """Yield the lines of each page with their height; the values of one row stay together."""
    height, page = 4 * line, ""
    for text in lines:
        cells = zip(text.split(" & "), widths, strict=False)
        height += line * max([1, *(ceil(width(cell) / room) for cell, room in cells)])
        page += f"{text}\n"
        if height > _PAGE and not text.endswith(("*", "rule")):
            yield height, page
            height, page = 4 * line, ""
    if page:
        yield height, page


def _rows(row: Sequence[Cell], names: int, content: _Content) -> Iterator[str]:
    """Yield the published values of a row, and below them the reproduced ones."""
    named = [latex_text(cell.ours) for cell in row[:names]]
    printed, ours = zip(*(content(cell) for cell in row[names:]), strict=True)
    if any(cell.published for cell in row[names:]):
        yield " & ".join([*named, *printed]) + r" \\*"
        named = [""] * names
    yield " & ".join([*named, *ours]) + r" \\"


def _claims(section: Section, content: _Content) -> _Parts:
    """Yield claims of a publication with the marks of their outcomes."""
    rows = []
    for case, claim, identifier in section.body:
        mark = content(Cell(id=identifier.id))[1]
        rows.append(f"{latex_text(case.ours)} & {latex_text(claim.ours)} & {mark} \\\\")
    head = [r"\begin{tabular}{@{}p{90pt} p{215pt} c@{}}", r"\toprule", r"case & claim & \\"]
    for height, some in _split_into_pages(rows, (90, 215), _LINE):
        yield height, "\n".join([*head, r"\midrule", some + r"\bottomrule", r"\end{tabular}"])
