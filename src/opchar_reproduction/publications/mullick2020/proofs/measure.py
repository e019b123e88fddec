"""Theorems 1 to 5 and Lemmas 1 to 3 by symbols: both sides of each step, and their difference.

What is left of the difference proves an equation when it is 0, and refutes one when it is not.
"""

from collections.abc import Callable
from functools import partial

import sympy as sp

from opchar_reproduction.publications.mullick2020.symbols import (
    OF_MANY,
    C,
    Cells,
    Expression,
    acsa,
    any_cells,
    auroc_ova,
    evaluate,
    i,
    j,
    m_aurpc_ova,
    of_two,
    over_classes,
    rescale_rows,
    weak_limit,
)
from opchar_reproduction.results import Results
from opchar_reproduction.study import study


class Record:
    """Steps of proofs, in the order in which they are made."""

    def __init__(self) -> None:
        self.results = Results()

    def steps(self, label: str, index: str, of: str) -> Callable[..., None]:
        """Return what records steps of one statement: of what is on both sides, and `shown`."""
        return partial(self.step, label, index, of)

    def step(
        self,
        label: str,
        index: str,
        of: str,
        what: str,
        left: Expression,
        right: Expression,
        shown: Expression | None = None,
    ) -> None:
        """Record a step: what is on both sides, and what their difference comes to.

        `shown` is the left side before any cancelling, for the eye.
        """
        rest = sp.factor(sp.simplify(sp.together(left - right)))
        zeros = [] if rest.is_number else _zeros(rest)
        columns = {
            "label": label,
            "index": index,
            "of": of,
            "what": what,
            "left": sp.latex(left if shown is None else shown),
            "right": sp.latex(right),
            "difference": sp.latex(rest),
            "zeros": "; ".join(map(sp.latex, zeros)),
            "equal": float(rest == 0),
        }
        self.results.add_frame("proofs", {name: [value] for name, value in columns.items()})
        row = f"{label}, {index}: {of}, {what}"
        self.results.text("proofs", row, "left side minus right side", str(rest))


def _zeros(rest: Expression) -> list[Expression]:
    """Return the factors above the line of a difference: it is zero where one of them is.

    Without those that cannot be 0, and those that only the number of classes decides.
    """
    above = sp.fraction(sp.together(rest))[0]
    factors = [factor for factor, _ in sp.factor_list(above)[1]]
    return [each for each in factors if not each.is_nonzero and each.free_symbols - {C}]


CONDITION_1 = "Condition 1"
CONDITION_2 = "Condition 2"
CONDITION_3 = "Condition 3"
B, B1, B2 = sp.symbols("b b_1 b_2", positive=True)
EPSILON = sp.Symbol("epsilon", positive=True)
SHARE = sp.Symbol("e", nonnegative=True)
ALPHA, RHO = sp.symbols("alpha rho_a", positive=True)
N, LARGEST, SECOND = sp.symbols("n n_C n_{C-1}", positive=True)

LABELS = {
    "GMean": "theorem-3.1",
    "ACSA": "theorem-3.2",
    "AUROC-OVO": "theorem-3.3",
    "AUROC-OVA": "theorem-3.4",
    "AURPC-OVA": "theorem-3.5",
    "mAURPC-OVA": "theorem-4.1",
    "nAUROC-OVA": "table-2",
}


@study("proofs", basis="exact", page="proofs", profiles={"tiny": {"classes": [2, 3]}})
def proofs(*, classes: list[int] = [2, 3, 4]) -> Results:
    """Prove the theorems and lemmas of the work, or show what refutes them.

    classes: Numbers of classes for steps that are taken number by number; all others hold for any.
    """
    record = Record()
    _definitions(record.results)
    _two_classes(record)
    _class_sizes(record)
    _ranges(record, classes)
    _lemma_2(record)
    _lemma_3(record, classes)
    _add_normalised_areas(record)
    _failing_class(record)
    return record.results


def _definitions(results: Results) -> None:
    cells = any_cells()
    formulas = {name: index(cells) for name, index in OF_MANY.items()}
    two = ("GMean", "AUROC", "Precision", "AURPC", "mPrecision", "mAURPC")
    formulas |= {f"{name}, two classes": of_two(name) for name in two}
    results.add_frame(
        "definitions",
        {"index": list(formulas), "formula": [sp.latex(each) for each in formulas.values()]},
    )


def _two_classes(record: Record) -> None:
    """Theorems 1 and 2: rows times b_1 and b_2."""
    labels = {
        "GMean": "theorem-1.1",
        "AUROC": "theorem-1.2",
        "Precision": "theorem-1.3",
        "AURPC": "theorem-1.4",
        "mPrecision": "theorem-2.1",
        "mAURPC": "theorem-2.2",
    }
    for name, label in labels.items():
        step = record.steps(label, f"{name}, two classes", CONDITION_1)
        step("rows times two factors", of_two(name, B1, B2), of_two(name))


def _class_sizes(record: Record) -> None:
    """Theorems 3 and 4 under Condition 1: rows times b_i, for any number of classes."""
    cells = any_cells()
    others = rescale_rows(cells)
    for name in ("GMean", "ACSA", "AUROC-OVO", "mAURPC-OVA"):
        index, step = OF_MANY[name], record.steps(LABELS[name], name, CONDITION_1)
        shown = _rate(cells)
        step("a rate, its row times a factor", others.rate(i, j), cells.rate(i, j), shown)
        what = "the index, which is of the rates, rows times factors"
        step(what, index(others), index(cells))
    two = sp.Matrix(2, 2, sp.symbols("m_11 m_12 m_21 m_22", positive=True))
    step = record.steps(LABELS["AUROC-OVA"], "AUROC-OVA", CONDITION_1)
    what = "for two classes it is ACSA, which meets the condition"
    step(what, evaluate(auroc_ova, two), evaluate(acsa, two))
    sizes = sp.symbols("n_1 n_2 n_3", positive=True)
    larger, these = _one_errs(B * sizes[0], *sizes[1:]), _one_errs(*sizes)
    what = "three classes, a share of the first called the second, the first class times a factor"
    for name in ("AUROC-OVA", "AURPC-OVA", "nAUROC-OVA"):
        index, step = OF_MANY[name], record.steps(LABELS[name], name, CONDITION_1)
        step(what, evaluate(index, larger), evaluate(index, these))


def _ranges(record: Record, classes: list[int]) -> None:
    """Bounds of indices that are means of shares, which lie between 0 and 1."""
    for name, label in (
        ("ACSA", "lemma-1"),
        ("GMean", "theorem-3.1"),
        ("AURPC-OVA", "theorem-3.5"),
        ("mAURPC-OVA", "theorem-4.2"),
    ):
        step = record.steps(label, name, CONDITION_2)
        for number in classes:
            wrong = sp.Matrix(number, number, lambda r, c, C=number: int(c == (r + 1) % C))
            for what, matrix, bound in (
                ("every object called the next class", wrong, sp.Integer(0)),
                ("every object right", sp.eye(number), sp.Integer(1)),
            ):
                step(f"{number} classes, {what}", evaluate(OF_MANY[name], matrix), bound)
    what = "column of the rates when all objects are called one class, beside the 1 of the proof"
    shown = sp.Sum(sp.IndexedBase("m")[j, i] / sp.IndexedBase("n")[j], (j, 1, C))
    step = record.steps("theorem-4.2", "mAURPC-OVA", CONDITION_2)
    step(what, over_classes(sp.Integer(1), j).doit(), sp.Integer(1), shown)


def _lemma_2(record: Record) -> None:
    """AUROC-OVO by ACSA: the rates of a row add up to 1, all of them to C."""
    diagonal, every = C * ALPHA, C
    value = (C + diagonal - (every - diagonal) / (C - 1)) / (2 * C)
    name = "AUROC-OVO"
    record.step("lemma-2", name, "Eq. 15", "sums of rates put in", value, _line(ALPHA))
    step = record.steps("lemma-2", name, "bounds")
    step("lower bound, where ACSA is 0", _line(sp.Integer(0)), _lowest(C))
    step("upper bound, where ACSA is 1", _line(sp.Integer(1)), sp.Integer(1))
    step = record.steps("theorem-3.3", name, CONDITION_2)
    step("lower bound for one class more", _lowest(C + 1), _lowest(C))


def _lemma_3(record: Record, classes: list[int]) -> None:
    """Follow the price of a wrong call to the classifier that pays most, and to the weak limit."""
    name = "AUROC-OVA"
    step = record.steps("lemma-3", name, "lower bound")
    m, n = sp.IndexedBase("m"), sp.IndexedBase("n")
    for number in classes:
        index = 2 * number * auroc_ova(any_cells()).subs(C, number).doit()
        total = sum(n[k] for k in range(1, number + 1))
        for column, price in ((1, 1 / n[1]), (2, -1 / (total - n[2]))):
            change = f"2C times the change with one object of class 1 called {column}"
            step(f"{number} classes, {change}", sp.diff(index, m[1, column]), price)
    worst = (C - (N - LARGEST) / (N - LARGEST) - LARGEST / (N - SECOND)) / (2 * C)
    stated = (C - 1 - LARGEST / (N - SECOND)) / (2 * C)
    step("all classes called the largest, the largest the second largest", worst, stated)
    record.step("text-4", name, "weak limit", "lower bound above it", stated, weak_limit())
    equal = stated.subs({LARGEST: N / C, SECOND: N / C})
    step = record.steps("theorem-3.4", name, CONDITION_2)
    what = "lower bound of equal classes for one class more"
    step(what, equal.subs(C, C + 1), sp.simplify(equal))
    what = "greatest lower bound over any class sizes for one class more"
    step(what, weak_limit(C + 1), weak_limit())


def _add_normalised_areas(record: Record) -> None:
    """Section 4: AUROC-OVO and AUROC-OVA from 0 to 1."""
    bias, coefficient = _lowest(C), C / (2 * (C - 1))
    step = record.steps("text-4", "nAUROC-OVO", "normalised")
    what = "AUROC-OVO without its bias, over its coefficient"
    step(what, (_line(ALPHA) - bias) / coefficient, ALPHA)
    scaled = (RHO - weak_limit()) / (1 - weak_limit())
    step = record.steps("text-4", "nAUROC-OVA", "normalised")
    for what, value, end in (("weak limit", weak_limit(), 0), ("upper bound", sp.Integer(1), 1)):
        at = scaled.subs(RHO, value)
        step(f"at the {what} of AUROC-OVA", at, sp.Integer(end), scaled)


def _failing_class(record: Record) -> None:
    """Theorem 5: one class is right about epsilon, all others about 1 - epsilon."""
    zero = sp.Integer(0)

    def limit(label: str, name: str, what: str, value: Expression, right: Expression) -> None:
        shown = sp.Limit(value, EPSILON, 0)
        record.step(label, name, CONDITION_3, what, sp.limit(value, EPSILON, 0), right, shown)

    g_mean = (EPSILON * (1 - EPSILON) ** (C - 1)) ** (1 / C)
    accuracy = (EPSILON + (C - 1) * (1 - EPSILON)) / C
    share = (1 - EPSILON) / (C - 1)
    other = (1 - EPSILON) / (1 - EPSILON + share)
    failing = EPSILON / (EPSILON + (C - 1) * EPSILON)
    area = ((C - 1) * (1 - EPSILON + other) + EPSILON + failing) / (2 * C)
    least = (2 * C**2 - 3 * C + 2) / (2 * C**2)
    limit("theorem-5", "GMean", "limit, beside the lower bound 0", g_mean, zero)
    step = record.steps("theorem-5", "GMean", "Condition 3, epsilon = 1/C")
    what = "three classes, epsilon set to 1/C and no limit, beside the lower bound 0"
    step(what, g_mean.subs(EPSILON, 1 / C).subs(C, 3), zero)
    limit("eq-26", "GMean", "limit, beside that of the equation", g_mean, zero)
    limit("theorem-5", "ACSA", "limit, beside the lower bound 0", accuracy, zero)
    limit("eq-27", "ACSA", "limit, beside that of the equation", accuracy, (C - 1) / C)
    even = "called each other class equally often, each of which loses epsilon to it"
    limit("theorem-5", "mAURPC-OVA", f"{even}: limit, beside the lower bound 0", area, zero)
    limit("eq-28", "mAURPC-OVA", f"{even}: limit, beside its closed form", area, least)
    step = record.steps("eq-28", "mAURPC-OVA", CONDITION_3)
    step("closed form, beside the bound of the equation", least, 3 * (C - 1) / (4 * C))
    part = sp.Symbol("s", positive=True)
    what = (
        "second derivative of a precision by its share of the failing class: convex, so that the "
        "even split is the lowest"
    )
    step(what, sp.diff(1 / (1 + part), part, 2), zero)
    what = "three classes, the formula followed beside Definition 7"
    step(what, area.subs(C, 3), evaluate(m_aurpc_ova, _fails(3)))


def _rate(cells: Cells) -> Expression:
    """Return a rate with its row times b_i, not cancelled."""
    factor = sp.IndexedBase("b")[i]
    below = sp.Mul(factor, cells.size(i), evaluate=False)
    return sp.Mul(
        sp.Mul(factor, cells.cell(i, j), evaluate=False),
        sp.Pow(below, -1, evaluate=False),
        evaluate=False,
    )


def _one_errs(first: Expression, second: Expression, third: Expression) -> sp.Matrix:
    """Return three classes of these sizes, a share of the first called the second."""
    return sp.Matrix([[(1 - SHARE) * first, SHARE * first, 0], [0, second, 0], [0, 0, third]])


def _fails(classes: int) -> sp.Matrix:
    """Return the rates of a classifier that fails in the first class, split evenly."""
    share = (1 - EPSILON) / (classes - 1)
    matrix = sp.eye(classes) * (1 - EPSILON)
    matrix[0, 0] = EPSILON
    for index in range(1, classes):
        matrix[0, index], matrix[index, 0] = share, EPSILON
    return matrix


def _line(accuracy: Expression) -> Expression:
    """Return the right side of Eq. 15."""
    return C / (2 * (C - 1)) * accuracy + (C - 2) / (2 * (C - 1))


def _lowest(classes: Expression) -> Expression:
    """Return the lower bound of AUROC-OVO."""
    return (classes - 2) / (2 * (classes - 1))
