"""Confusion matrices with scores in their margins, as maps and many papers print them."""

import numpy as np
import pytest

from opchar.printed import check, read_table
from opchar.printed.margins import with_margins_below

CLASSES = ("Water", "Forest", "Urban", "Crops", "Bare soil")
# Names of recall and precision, over the column and before the row; of both sides of the matrix.
NAMES = (
    ("Recall", "Precision", "", ""),
    ("Producer's accuracy", "User's accuracy", "Actual ", "Predicted "),
    ("PA (%)", "UA (%)", "Reference ", "Classified "),
    ("Sensitivity", "PPV", "true ", "pred "),
    ("Precision", "Recall", "Predicted ", "Actual "),
)


def printed(share, per_cent):
    return f"{100 * share:.1f}%" if per_cent else f"{share:.3f}"


def cells(rng, names, totals, whole):
    """Return the cells of a true table, and the places of its scores by row of the check."""
    k = int(rng.integers(2, 6))
    labels = list(rng.permutation(CLASSES)[:k])
    counts = rng.integers(1, 60, (k, k)) + 80 * np.eye(k, dtype=int)
    beside, below, rows, columns = names
    per_cent = "%" in beside or bool(rng.integers(2))
    own = np.diag(counts)
    head = ["", *(columns + label for label in labels), *(["Total"] if totals else []), beside]
    table = [head]
    places = {}
    for i, label in enumerate(labels):
        sums = [str(counts[i].sum())] if totals else []
        share = printed(own[i] / counts[i].sum(), per_cent)
        table.append([rows + label, *map(str, counts[i]), *sums, share])
        places[i + 1, len(head) - 1] = label
    if totals:
        table.append(["Total", *map(str, counts.sum(0)), str(counts.sum()), ""])
    accuracy = printed(own.sum() / counts.sum(), per_cent)
    corner = accuracy if whole == "corner" else ""
    last = [below, *(printed(n / s, per_cent) for n, s in zip(own, counts.sum(0), strict=True))]
    table.append([*last, *([""] if totals else []), corner])
    places |= {(len(table) - 1, i + 1): label for i, label in enumerate(labels)}
    if whole == "row":
        table.append(["Overall accuracy", accuracy, *[""] * (len(head) - 2)])
        places[len(table) - 1, 1] = "overall"
    elif whole == "corner":
        places[len(table) - 1, len(head) - 1] = "overall"
    return table, places


def as_text(table, layout):
    if layout == "markdown":
        lines = ["| " + " | ".join(row) + " |" for row in table]
        return "\n".join([lines[0], "|---" * len(table[0]) + "|", *lines[1:]])
    return "\n".join({"csv": ",", "tab": "\t", "semicolon": ";"}[layout].join(r) for r in table)


@pytest.mark.parametrize("layout", ["csv", "tab", "semicolon", "markdown"])
@pytest.mark.parametrize("names", NAMES, ids=lambda names: names[0])
def test_margins_of_a_matrix_are_checked(layout, names):
    """True margins are possible, each looked at; a margin off by a percent is found in its row."""
    rng = np.random.default_rng(len(layout) + len(names[0]))
    for number in range(12):
        whole = ("corner", "row", "none")[number % 3]
        table, places = cells(rng, names, bool(number % 2), whole)
        found = check(read_table(as_text(table, layout)))
        assert {one.status for one in found.values()} == {"possible"}, table
        assert not any(one.unchecked for one in found.values())
        at = list(places)[int(rng.integers(len(places)))]
        text = table[at[0]][at[1]]
        value = float(text.rstrip("%"))
        moved = value - (1.2 if "%" in text else 0.012)
        table[at[0]][at[1]] = f"{moved:.1f}%" if "%" in text else f"{moved:.3f}"
        wrong = check(read_table(as_text(table, layout)))
        refuted = [label for label, one in wrong.items() if one.status == "impossible"]
        assert refuted == [places[at]], (table, at)


def test_a_table_set_off_by_blanks_has_margins_too():
    text = """Classified data   Reference data
                  Water  Forest  Urban   Total   User's accuracy
Water                50       2      1      53            94.3%
Forest                3      80      7      90            88.9%
Urban                 2       8     47      57            82.5%
Total                55      90     55     200
Producer's accuracy  90.9%  88.9%  85.5%
Overall accuracy  88.5%
Kappa  0.82"""
    found = check(read_table(text))
    assert {label: one.status for label, one in found.items()} == dict.fromkeys(
        ("Water", "Forest", "Urban", "overall"), "possible"
    )
    assert not found["overall"].unchecked
    found = check(read_table(text.replace("0.82", "0.87")))
    assert found["overall"].status == "impossible"
    assert found["overall"].contradiction == ("Kappa",)


@pytest.mark.parametrize(
    "text",
    [
        "model,A,B,recall\nA,1,2,0.5\nC,3,4,0.5\nprecision,0.2,0.3,",  # other names of rows
        ",A,B,weight\nA,10,2,0.5\nB,3,40,0.5",  # a column that is no score
        ",A,B\nA,10,2\nB,3,40",  # nothing in the margins
        ",A,B,recall\nA,0.5,2,0.5\nB,3,40,0.5",  # no counts
        "    A   B\nA  10   2\nB   3  40\nAccuracy : 0.9",  # a program's print, read elsewhere
    ],
)
def test_what_is_no_matrix_with_margins_stays_as_it_is(text):
    lines = text.splitlines()
    assert with_margins_below(lines) == lines


MEDICAL = """,Disease+,Disease-,
Test+,45,5,PPV 90.0%
Test-,8,120,NPV 93.8%
,Sensitivity 84.9%,Specificity 96.0%,"""
TITLE = """Table 3. Confusion matrix of the test set (overall accuracy = 86.0 %, kappa = 0.79)
            A     B     C
A          50     3     2
B           4    40     6
C           1     5    39"""
LATEX = r"""\\begin{tabular}{lrrr|r}
 & Water & Forest & Urban & PA \\\\ \\hline
Water & 50 & 3 & 2 & 0.91 \\\\
Forest & 4 & 40 & 6 & 0.80 \\\\
Urban & 1 & 5 & 39 & 0.87 \\\\ \\hline
UA & 0.91 & 0.83 & 0.83 & 0.86
\\end{tabular}""".replace("\\\\", "\\")
CELL = "<td>{}</td>"
HTML = "<table>{}</table>".format(
    "".join(
        f"<tr>{''.join(map(CELL.format, row))}</tr>"
        for row in (
            ("", "A", "B", "Recall"),
            ("A", "50", "5", "0.909"),
            ("B", "10", "40", "0.800"),
            ("Precision", "0.833", "0.889", "0.857"),
        )
    )
)


@pytest.mark.parametrize(
    ("text", "right", "wrong"),
    [
        (MEDICAL, "93.8", "95.8"),
        (MEDICAL, "84.9", "86.9"),
        (TITLE, "0.79", "0.84"),
        (TITLE, "86.0", "84.0"),
        (LATEX, "0.87", "0.84"),
        (LATEX, "0.86", "0.89"),
        (HTML, "0.833", "0.893"),
        (HTML, "0.857", "0.887"),
    ],
)
def test_margins_in_words_titles_and_marked_tables(text, right, wrong):
    for given, status in ((text, set()), (text.replace(right, wrong), {"impossible"})):
        found = check(read_table(given))
        assert {one.status for one in found.values()} - {"possible"} == status
        assert not any(one.unchecked for one in found.values())


@pytest.mark.parametrize(
    ("text", "right", "wrong"),
    [
        (
            "cm = [[25, 3, 2], [6, 28, 6], [4, 1, 25]]\naccuracy = 0.78\nkappa = 0.671",
            "0.671",
            "0.690",
        ),
        ("Confusion matrix: [[850, 50], [30, 70]]\naccuracy: 0.92\nf1: 0.636", "0.636", "0.656"),
        (
            "In the test set (n = 400, prevalence 20%):\nSensitivity 85%\nSpecificity 90%\nPPV 68%",
            "68%",
            "70%",
        ),
    ],
)
def test_matrices_in_one_line_and_sizes_in_brackets(text, right, wrong):
    for given, status in ((text, "possible"), (text.replace(right, wrong), "impossible")):
        (found,) = check(read_table(given)).values()
        assert (found.status, found.unchecked) == (status, ())


def test_a_total_that_is_no_sum_is_not_passed_over():
    """The matrix is left as it is printed, with its columns named as not checked."""
    lines = ",A,B,Total,recall\nA,10,2,12,0.833\nB,3,40,44,0.930".splitlines()
    assert with_margins_below(lines) == lines
    assert with_margins_below([line.replace("44", "43") for line in lines]) != lines
    below = ",A,B,recall\nA,10,2,0.833\nB,3,40,0.930\nTotal,13,41,".splitlines()
    assert with_margins_below(below) == below
    assert with_margins_below([line.replace("41", "42") for line in below]) != below


def test_counts_beside_an_accuracy_do_not_spare_the_classes():
    """By hand: 45 of 50 are right in both classes, 90 of 100 in all."""
    table = "class,precision,recall,accuracy,support\na,0.90,0.90,,50\nb,0.90,0.90,,50\n"
    for right, status in ((90, "possible"), (80, "impossible")):
        found = check(read_table(f"{table}overall,,,{right}.0% ({right}/100),100"))
        assert found["overall"].status == status
