import re
from io import StringIO

import pandas as pd
import pytest

from opchar_reproduction.figures.latex_tables import to_latex
from opchar_reproduction.figures.notation import html, latex_text, plain, spoken_label
from opchar_reproduction.figures.tables import BRACKETS, format_like, grid, number_list
from opchar_reproduction.report.drawing import draw
from opchar_reproduction.results import Results

PUBLISHED = ["id", "artefact", "row", "column", "kind", "value", "std", "unit", "claim"]


def published(*lines):
    return pd.DataFrame([dict.fromkeys(PUBLISHED, "") | line for line in lines], columns=PUBLISHED)


def printed(row, column, value, std="", artefact="table-1", kind="number"):
    return {
        "artefact": artefact,
        "row": row,
        "column": column,
        "kind": kind,
        "value": value,
        "std": std,
    }


TWO_BY_TWO = published(
    printed("B", "AUC", "0.70", "0.02"),
    printed("B", "Sens", "0.1"),
    printed("A", "AUC", "0.95"),
    printed("A", "Sens", "0.3"),
)


def results(data=None):
    found = Results()
    found.number("table-1", "A", "AUC", 0.9512, data=data)
    found.number("table-1", "A", "exact", 1 / 3, data=data)
    found.number("table-1", "B", "Sens", 0.14, data=data)
    found.number("table-1", "B", "AUC", 0.7, std=0.0251, n=10, data=data)
    return found


def rows(markdown):
    return [
        [cell.strip() for cell in line[1:-1].split(" | ")]
        for line in markdown.splitlines()
        if line.startswith("|")
    ]


def test_rows_and_columns_keep_the_published_order_and_ours_follow():
    table = rows(grid(results().frame(), TWO_BY_TWO).to_markdown())
    assert table[0] == ["", "AUC", "Sens", "exact"]
    assert table[2] == ["B", "[0.70 ± 0.02] 0.70 ± 0.03", "[0.1] 0.1", ""]
    assert table[3] == ["A", "[0.95] 0.95", "[0.3] –", "0.3333"]


def test_transposing_swaps_rows_and_columns():
    table = rows(grid(results().frame(), TWO_BY_TWO, transpose=True).to_markdown())
    assert table[0] == ["", "B", "A"]
    assert table[2] == ["AUC", "[0.70 ± 0.02] 0.70 ± 0.03", "[0.95] 0.95"]


def test_numbers_alone_and_print_alone():
    ours = grid(results().frame(), TWO_BY_TWO.iloc[:0])
    assert "[" not in ours.to_markdown()
    assert BRACKETS not in ours.notes
    theirs = grid(Results().frame(), TWO_BY_TWO)
    assert rows(theirs.to_markdown())[3] == ["A", "[0.95] –", "[0.3] –"]


def test_what_does_not_fill_a_grid_is_listed():
    scattered = Results()
    for place in range(4):
        scattered.number("text-2", f"row {place}", f"column {place}", place / 7, unit="fraction")
    table = rows(grid(scattered.frame(), TWO_BY_TWO.iloc[:0]).to_markdown())
    assert table[0] == ["case", "quantity", "value", "unit"]
    assert table[3] == ["row 1", "column 1", "0.1429", "fraction"]


def test_a_listing_never_pivots():
    assert rows(number_list(results().frame(), TWO_BY_TWO).to_markdown())[0][0] == "case"


def test_claims_stand_below_with_the_id_under_which_they_are_judged():
    claim = {"artefact": "table-1", "row": "trend", "kind": "claim", "claim": "it falls"}
    said = published(claim | {"id": "some2000:0007"})
    block = grid(results().frame(), pd.concat([TWO_BY_TWO, said]))
    assert len(block.sections) == 2
    assert rows(block.to_markdown())[-1] == ["trend", "it falls", "some2000:0007"]
    alone = grid(results().frame().iloc[:0], said)
    assert rows(alone.to_markdown())[-1] == ["trend", "it falls", "some2000:0007"]


def test_several_labels_are_told_apart_and_rows_of_the_table_itself_need_none():
    for one, other, told in (
        ("figure-4a", "figure-4b", ["Figure 4a: A", "Figure 4b: A"]),
        ("table-1", "text-2.1", ["A", "Text 2.1: A"]),
    ):
        found = Results()
        found.number(one, "A", "x", 1.0)
        found.number(other, "A", "x", 2.0)
        table = rows(grid(found.frame(), TWO_BY_TWO.iloc[:0]).to_markdown())
        assert [row[0] for row in table[2:]] == told


def test_stand_ins_are_named_once_in_every_format():
    block = grid(results("stand-in for COX Face (Yale B)").frame(), TWO_BY_TWO)
    for text in (block.to_markdown(), draw("table", block=block), to_latex(block, "c", "l")):
        assert text.count("Rests on stand-in for COX Face (Yale B).") == 1


def test_csv_reads_back_to_the_same_numbers():
    block = grid(results().frame(), TWO_BY_TWO)
    back = pd.read_csv(StringIO(block.to_csv()), dtype={"published": str})
    ours = back.set_index(["row", "column"])
    assert ours.loc[("A", "exact"), "value"] == 1 / 3
    assert ours.loc[("B", "AUC"), "std"] == 0.0251
    assert ours.loc[("B", "AUC"), "published"] == "0.70"
    assert pd.isna(ours.loc[("A", "Sens"), "value"])


NASTY = r"a_b & 50% of $x$ #1 {z} ~ ^ \infty < | > [*`]"


def nasty():
    found = Results()
    for column in ("x", "y|<b>"):
        found.number("table-1", NASTY, column, 1.5)
        found.number("table-1", "plain", column, 2.5)
    said = {"id": "x:1", "artefact": "table-1", "row": NASTY, "kind": "claim"}
    said["claim"] = "<script>alert(1)</script> 50%"
    return grid(found.frame(), published(said))


def test_markdown_keeps_its_columns_whatever_the_names():
    for line in nasty().to_markdown().splitlines():
        if line.startswith("|") and "alert" not in line:
            assert len(re.findall(r"(?<!\\)\|", line)) in {4, 5}
    assert r"a\_b" in nasty().to_markdown()
    assert r"\<script>" in nasty().to_markdown()


def test_latex_is_escaped_and_balanced():
    text = to_latex(nasty(), "5 % of A_B", "tab:some")
    assert r"\caption{5 \% of A$_{B}$.}" in text
    assert r"a$_{b}$ \& 50\% of \$x\$ \#1 \{z\} \textasciitilde{}" in text
    assert r"$\infty$" in text
    bare = re.sub(r"\\[{}]", "", text)
    assert bare.count("{") == bare.count("}")
    for name in ("table", "tabular"):
        assert text.count(rf"\begin{{{name}}}") == text.count(rf"\end{{{name}}}") > 0
    body = [line for line in text.splitlines() if line.endswith(r"\\")]
    assert {len(re.findall(r"(?<!\\)&", line)) for line in body} == {2}
    assert text.count(r"\toprule") == text.count(r"\bottomrule") == 1  # claims stay out


def test_html_is_escaped():
    text = draw("table", block=nasty(), caption="A < B")
    assert "<script>" not in text
    assert "&lt;script&gt;" in text
    assert "<caption>A &lt; B</caption>" in text
    assert "y|&lt;b&gt;" in text


def test_html_heads_have_a_scope_and_our_part_is_marked():
    text = draw("table", block=grid(results().frame(), TWO_BY_TWO), caption="Table 1")
    assert all("scope=" in head for head in re.findall(r"<th\b[^>]*>", text))
    assert '<span class="printed">[0.95]</span> <span class="ours">0.95</span>' in text


@pytest.mark.parametrize(
    ("value", "like", "text"),
    [
        (0.7, "0.70", "0.70"),
        (-0.0001, "0.00", "0.00"),
        (3.5e9, "3.28e9", "3.50e9"),
        (1e18, "1e18", "1e18"),
        (70.0, "70", "70"),
        (70.4, "70", "70.4"),
        (123.46, "120", "123.5"),
        (0.0, "", "0"),
        (2000.0, "", "2000"),
        (9501000.0, "", "9501000"),
        (2e9, "", "2e+09"),
        (1234567.8, "", "1.235e+06"),
        (float("inf"), "inf", "∞"),
        (float("nan"), "0.1", "undefined"),
        (0.125, "O(r)", "0.125"),
    ],
)
def test_digits_follow_print(value, like, text):
    assert format_like(value, like) == text


def test_a_spread_without_print_has_two_digits_and_its_number_as_many_decimals():
    found = Results()
    found.number("table-1", "A", "x", 0.613449, std=0.18142, n=10)
    found.number("table-1", "A", "y", 12.3456, std=0.0, n=10)
    found.number("table-1", "B", "x", 1234.5, std=56.7, n=10)
    text = grid(found.frame(), TWO_BY_TWO.iloc[:0]).to_markdown()
    assert "| 0.61 ± 0.18 | 12.35 ± 0 |" in text
    assert "1234.5 ± 56.7" in text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (r"t_1 = \infty", "t₁ = ∞"),
        (r"\unknown", r"\unknown"),
        ("xi_{1,2} at lambda=3", "ξ_{1,2} at λ=3"),
        ("a -> b <= c", "a → b ≤ c"),
        ("O(r^2) and TPR_12", "O(r²) and TPR₁₂"),
        ("tests/test_leads.py, mufti, wrong_2, a_1/b", "tests/test_leads.py, mufti, wrong_2, a₁/b"),
    ],
)
def test_plain_names(text, expected):
    assert plain(text) == expected
    assert plain(expected) == expected


def test_html_lowers_and_raises():
    assert html("TPR_and < t_d") == "TPR<sub>and</sub> &lt; t<sub>d</sub>"
    assert html("Lambda_1^s, xi_{1,2}") == "Λ₁<sup>s</sup>, ξ<sub>1,2</sub>"
    assert html("(L_d-L_gt)/L_gt") == "(L<sub>d</sub>-L<sub>gt</sub>)/L<sub>gt</sub>"
    assert html("integral FN_r dFP_r, c_t1") == (
        "integral FN<sub>r</sub> dFP<sub>r</sub>, c<sub>t1</sub>"
    )
    assert html("data/x_y.csv") == "data/x_y.csv"
    assert html("test_leads <b>") == "test_leads &lt;b&gt;"


def test_latex_letters():
    assert latex_text("∞ ± α") == r"$\infty$ $\pm$ $\alpha$"
    assert latex_text("t₁₂ ∧ r²") == r"t$_1$$_2$ $\wedge$ r$^2$"
    assert latex_text("ξ_{i,1}, a_max of x_{%}") == r"$\xi$$_{i,1}$, a$_{max}$ of x\_\{\%\}"


def test_spoken_names():
    assert spoken_label("theorem-1") == "Theorem 1"


def test_the_same_input_gives_the_same_text():
    frame = results().frame()
    first, again = grid(frame, TWO_BY_TWO), grid(frame.copy(), TWO_BY_TWO.copy())
    assert draw("table", block=first) == draw("table", block=again)
    assert to_latex(first, "a", "b") == to_latex(again, "a", "b")
