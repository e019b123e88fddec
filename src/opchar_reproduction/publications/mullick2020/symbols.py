"""The indices of mullick2020 as formulas, for any number of classes."""

from collections.abc import Callable
from typing import Any, NamedTuple

import sympy as sp

C = sp.Symbol("C", integer=True, positive=True)
i, j = sp.symbols("i j", integer=True)
TP, FN, FP, TN = sp.symbols("TP FN FP TN", nonnegative=True)
Expression = Any


class Cells(NamedTuple):
    """A confusion matrix of C classes: its cells and the sums of its rows."""

    cell: Callable[[Any, Any], Expression]
    size: Callable[[Any], Expression]

    def rate(self, row: Any, column: Any) -> Expression:
        """Return the share of the objects of a class that are called a class."""
        return self.cell(row, column) / self.size(row)

    def total(self) -> Expression:
        """Return the number of all objects."""
        return over_classes(self.size(j), j)


def any_cells() -> Cells:
    """Return a matrix of symbols, m_ij with row sums n_i."""
    m, n = sp.IndexedBase("m"), sp.IndexedBase("n")
    return Cells(lambda row, column: m[row, column], lambda row: n[row])


def rescale_rows(cells: Cells) -> Cells:
    """Return the matrix with its rows times b_i: equal class rates, other class sizes."""
    b = sp.IndexedBase("b")
    return Cells(
        lambda row, column: b[row] * cells.cell(row, column), lambda row: b[row] * cells.size(row)
    )


def over_classes(term: Expression, index: sp.Symbol = i) -> Expression:
    """Return the sum of a term over all classes."""
    return sp.Sum(term, (index, 1, C))


def g_mean(cells: Cells) -> Expression:
    """Return GMean (Eq. 10)."""
    return sp.Product(cells.rate(i, i), (i, 1, C)) ** (1 / C)


def acsa(cells: Cells) -> Expression:
    """Return ACSA (Eq. 11)."""
    return over_classes(cells.rate(i, i)) / C


def auroc_ovo(cells: Cells) -> Expression:
    """Return AUROC-OVO (Eq. 12); the sum over the others is that over all without the own."""
    others = over_classes(cells.rate(j, i), j) - cells.rate(i, i)
    return over_classes(1 + cells.rate(i, i) - others / (C - 1)) / (2 * C)


def auroc_ova(cells: Cells) -> Expression:
    """Return AUROC-OVA (Eq. 13)."""
    false = over_classes(cells.cell(j, i), j) - cells.cell(i, i)
    return over_classes(1 + cells.rate(i, i) - false / (cells.total() - cells.size(i))) / (2 * C)


def aurpc_ova(cells: Cells) -> Expression:
    """Return AURPC-OVA (Eq. 14)."""
    called = over_classes(cells.cell(j, i), j)
    return over_classes(cells.cell(i, i) / called + cells.rate(i, i)) / (2 * C)


def m_aurpc_ova(cells: Cells) -> Expression:
    """Return mAURPC-OVA (Eq. 25)."""
    called = over_classes(cells.rate(j, i), j)
    return over_classes(cells.rate(i, i) / called + cells.rate(i, i)) / (2 * C)


def weak_limit(classes: Expression = C) -> Expression:
    """Return lambda_C, the weak lower limit of AUROC-OVA (Sec. 4)."""
    return (classes - 2) / (2 * classes)


def normalised_auroc_ova(cells: Cells) -> Expression:
    """Return nAUROC-OVA (Sec. 4)."""
    return (auroc_ova(cells) - weak_limit()) / (1 - weak_limit())


OF_MANY = {
    "GMean": g_mean,
    "ACSA": acsa,
    "AUROC-OVO": auroc_ovo,
    "AUROC-OVA": auroc_ova,
    "AURPC-OVA": aurpc_ova,
    "mAURPC-OVA": m_aurpc_ova,
    "nAUROC-OVA": normalised_auroc_ova,
}


def of_two(name: str, first: Expression = 1, second: Expression = 1) -> Expression:
    """Return an index of two classes, the rows times two factors (Definitions 4 and 5)."""
    tp, fn, fp, tn = first * TP, first * FN, second * FP, second * TN
    recall, specificity = tp / (tp + fn), tn / (fp + tn)
    precision, modified = tp / (tp + fp), recall / (recall + fp / (fp + tn))
    formulas: dict[str, Expression] = {
        "GMean": sp.sqrt(recall * specificity),
        "AUROC": (recall + specificity) / 2,
        "Precision": precision,
        "AURPC": (recall + precision) / 2,
        "mPrecision": modified,
        "mAURPC": (recall + modified) / 2,
    }
    return formulas[name]


def evaluate(index: Callable[[Cells], Expression], matrix: sp.Matrix) -> Expression:
    """Return an index of many classes on a matrix of numbers or symbols."""
    classes = matrix.rows
    m, n = sp.IndexedBase("m"), sp.IndexedBase("n")
    cells = {
        m[row + 1, column + 1]: matrix[row, column]
        for row in range(classes)
        for column in range(classes)
    }
    sizes = {n[row + 1]: sum(matrix.row(row)) for row in range(classes)}
    return index(any_cells()).subs(C, classes).doit().subs(cells | sizes)
