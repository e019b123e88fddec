"""Tables for a paper are at most 345 pt wide, and say of each cell what came out."""

import re

import matplotlib as mpl
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from matplotlib.ft2font import FT2Font, LoadFlags

from opchar_reproduction.figures.latex_tables import MARKS, WIDEST, to_latex, width
from opchar_reproduction.figures.tables import TIDY, Cell, Section, TableBlock

ROMAN = FT2Font(f"{mpl.get_data_path()}/fonts/ttf/cmr10.ttf")


def measured(text: str) -> float:
    """Return the width of a text in Computer Modern Roman at 10 pt."""
    ROMAN.set_size(10, 72)
    ROMAN.set_text(text, 0, flags=LoadFlags.NO_HINTING)
    return ROMAN.get_width_height()[0] / 64


@given(
    st.text("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.,()-+= ", min_size=3)
)
def test_a_width_is_never_less_than_that_of_the_font(text):
    assert width(text) >= measured(text) - 1.5


def block(rows, columns, names=1, prose=False, cell=None):
    cell = cell or Cell("0.924", "0.027", "0.881", "0.026", "p:1")
    body = tuple(
        (*(Cell(f"row {number}") for _ in range(names)), *[cell] * (columns - names))
        for number in range(rows)
    )
    head = tuple(f"column {number}" for number in range(columns))
    section = Section(head, body, names, prose)
    return TableBlock((section,), (), pd.DataFrame(columns=TIDY))


def widest(text: str) -> float:
    """Return the width of the widest tabular, from its own text."""
    found = [0.0]
    for spec, body in re.findall(
        r"\\begin{tabular}{@{}([^\n]*)@{}}\n(.*?)\\end{tabular}", text, re.S
    ):
        fixed = [re.search(r"p{(\d+)pt}", part) for part in spec.split()]
        rows = [
            line.removesuffix(r" \\*").removesuffix(r" \\").split(" & ")
            for line in body.splitlines()
            if " & " in line
        ]
        columns = [
            float(stated[1]) if stated else max(map(measured, map(shown, cells)))
            for stated, cells in zip(fixed, zip(*rows, strict=True), strict=True)
        ]
        scale = 0.85 if r"\footnotesize" + "\n\\begin{tabular}{@{}" + spec in text else 1
        free = sum(w for w, stated in zip(columns, fixed, strict=True) if not stated)
        stated = sum(w for w, kept in zip(columns, fixed, strict=True) if kept)
        found.append(scale * free + stated + 12 * (len(columns) - 1))
    return max(found)


def shown(cell: str) -> str:
    """Return the letters of a cell as they are set."""
    return re.sub(r"\\num|\\cellcolor{[^}]*}|[{}$^]|\\pm", lambda f: "+" * (f[0] == r"\pm"), cell)


@settings(max_examples=25)
@given(st.integers(1, 30), st.integers(2, 26), st.booleans())
def test_a_table_of_numbers_fits_a_column(rows, columns, two_names):
    names = 1 + (two_names and columns > 2)
    text = to_latex(block(rows, columns, names), "caption", "tab:a")
    assert 0 < widest(text) <= WIDEST
    cells = text.count(r"\num{0.924 \pm 0.027}")
    assert cells == rows * (columns - names)
    assert text.count(r"{[}\num{0.881 \pm 0.026}{]}") == cells


def test_one_row_of_many_columns_is_transposed():
    text = to_latex(block(1, 12), "caption", "tab:a")
    assert text.count(r"\begin{tabular}") == 1
    assert "column 11 & " in text


@pytest.mark.parametrize("rows", [40, 90])
def test_a_long_table_goes_on_in_a_float_of_its_own(rows):
    text = to_latex(block(rows, 3), "caption", "tab:a")
    pages = text.split(r"\end{table}")[:-1]
    assert all(page.count(r" \\") <= 44 for page in pages) and len(pages) > rows // 20
    assert text.count(r"\caption") == 1
    assert text.count(r"Table \ref{tab:a}, continued") == len(pages) - 1
    assert text.count(r"\num{0.924 \pm 0.027}") == 2 * rows
    assert not any(page.rstrip().endswith(r"\\*" + "\n" + r"\bottomrule") for page in pages)


def test_powers_of_ten_have_room():
    """A number that is printed with a power of ten is wider than as it was computed."""
    text = to_latex(block(1, 6, cell=Cell("3.398e-06")), "caption", "tab:a")
    assert r"{@{}l r r r r r@{}}" not in text


def test_long_words_are_broken():
    words = Cell("a sentence that goes on and on " * 12)
    text = to_latex(block(2, 3, cell=words), "caption", "tab:a")
    assert widest(text) <= WIDEST


@pytest.mark.parametrize("outcome", MARKS)
def test_cells_have_the_mark_of_their_outcome_and_a_legend(outcome):
    sign, words = MARKS[outcome]
    found = to_latex(block(1, 2), "c", "l", judged=lambda cell: (outcome, True))
    assert rf"\cellcolor{{black!12}}\num{{0.924 \pm 0.027}}$^{{{sign}}}$" in found
    assert rf"$^{{{sign}}}$ {words}." in found and "Shaded: stand-in data." in found
    assert "Shaded" not in to_latex(block(1, 2), "c", "l", judged=lambda cell: (outcome, False))


def test_the_caption_names_the_source_and_ids_stay_out():
    claims = Section(
        ("case", "claim", "under"), ((Cell("a"), Cell("b"), Cell("p:7", id="p:7")),), prose=True
    )
    numbers = block(1, 2)
    both = TableBlock((*numbers.sections, claims), (), numbers.lines)
    text = to_latex(both, "Areas", "tab:a", source="Landgrebe (2007), Table 2.2")
    assert r"\caption{Areas. After Landgrebe (2007), Table 2.2.}" in text
    assert "p:7" not in text and "p:1" not in text
    alone = to_latex(
        TableBlock((claims,), (), numbers.lines), "c", "l", judged=lambda cell: ("matches", False)
    )
    assert r"a & b & $^{=}$ \\" in alone and "p:7" not in alone


def test_rows_that_only_we_have_stand_below_a_rule():
    theirs, ours = Cell("1", published="2", id="p:1"), Cell("3")
    rows = ((Cell("own"), ours), (Cell("printed"), theirs))
    text = to_latex(
        TableBlock((Section(("", "x"), rows),), (), pd.DataFrame(columns=TIDY)), "c", "l"
    )
    assert text.index("printed") < text.index(r"\emph{added}") < text.index("own")
