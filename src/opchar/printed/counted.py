"""Counts that a table prints as numerators and denominators: ``47/56``, or *correct* of *total*."""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction
from itertools import product

from opchar.printed.count_matrices import Matrix
from opchar.printed.numbers import Printed

Rows = dict[str, dict[str, Printed]]
Fractions = dict[tuple[str, str], tuple[int, int]]
# Which cells the numerator of a share counts, and the rest of its denominator.
_CELLS = {
    "tpr": ("tp", "fn"),
    "fnr": ("fn", "tp"),
    "tnr": ("tn", "fp"),
    "fpr": ("fp", "tn"),
    "precision": ("tp", "fp"),
    "false_discovery_rate": ("fp", "tp"),
    "npv": ("tn", "fn"),
    "false_omission_rate": ("fn", "tn"),
    "prevalence": ("positives", "negatives"),
}
_OF_ALL = ("accuracy", "error_rate", "posfrac")
_IN_HEADING = re.compile(r"[\[(]\s*(\d+)\s*(?:/|\bof\b)\s*(\d+)\s*[\])]")
_RIGHT = re.compile(
    r"(?:n(?:umber)?[ _]?(?:of )?)?correct(?:ly classified)?(?: \(n\))?", re.IGNORECASE
)
_ALL = re.compile(r"(?:n|total(?: \(n\))?|objects|test set size)", re.IGNORECASE)


def with_printed_counts(
    fractions: Fractions,
    taken: dict[str, str],
    rows: Rows,
    kinds: Mapping[str, str],
    matrix: Matrix | None = None,
) -> tuple[str, ...]:
    """Add counts of headings and columns to `fractions`, and those of all to rows; return headings.

    Where shares of one row count a cell otherwise, the first is taken: scores then contradict it.
    """
    if matrix and len(matrix.labels) > 2 and len(rows) == 1:
        taken |= _shares_of_matrix(matrix, *next(iter(rows.items())), taken, fractions)
    if len(rows) == 1:
        for name in taken:
            if counted := _IN_HEADING.search(name):
                _add(fractions, (next(iter(rows)), name), int(counted[1]), int(counted[2]))
    headings = list(reversed(taken))
    both = [next((h for h in headings if p.fullmatch(h.strip())), "") for p in (_RIGHT, _ALL)]
    score = next((heading for heading, meant in taken.items() if meant == "accuracy"), "")
    if all(both) and score and score not in both:
        for label, row in rows.items():
            cells = [row[name].text for name in both if name in row]
            if score in row and len(cells) == 2 and all(map(str.isdigit, cells)):
                _add(fractions, (label, score), *map(int, cells))
        for name in both:
            if taken[name] != "objects":
                del taken[name]
                for row in rows.values():
                    row.pop(name, None)
    counts = _counts(fractions, taken, kinds)
    there, added = set(taken.values()), list[str]()
    for cell in ("tp", "fn", "fp", "tn", "positives", "negatives", "objects"):
        name = cell.upper() if len(cell) == 2 else cell
        if cell in there or name in taken or not any(cell in own for own in counts.values()):
            continue
        taken[name] = cell
        added.append(name)
        for label, own in counts.items():
            if cell in own:
                rows[label][name] = Printed(str(own[cell]))
    return tuple(added)


def _shares_of_matrix(
    matrix: Matrix,
    label: str,
    row: Mapping[str, Printed],
    taken: Mapping[str, str],
    fractions: Fractions,
) -> dict[str, str]:
    """Add shares, averages and kappa of a matrix of several classes; return new meanings."""
    every = range(len(matrix.labels))
    total, right = _total(matrix), sum(matrix.counts[k][k] for k in every)
    chance = sum(sum(matrix.counts[k]) * sum(row[k] for row in matrix.counts) for k in every)
    shares = {
        "accuracy": (right, total),
        "error_rate": (total - right, total),
        "kappa": (total * right - chance, total * total - chance),
    }
    for kind, name in product(("macro", "weighted", "micro"), ("precision", "recall", "f1")):
        if (mean := _mean_over(matrix, kind, name)) is not None:
            shares[f"{kind}_{name}"] = mean.as_integer_ratio()
    p, r = (Fraction(*shares.get(f"macro_{name}", (0, 1))) for name in ("precision", "recall"))
    for name, meant in taken.items():
        if meant == "macro_f1" and meant in shares and p + r and name in row:
            # The mean of F, or F of the means: that which is nearer to the printed one.
            printed = float(row[name].text) / (100 if float(row[name].text) > 1 else 1)
            of_means = (2 * p * r / (p + r)).as_integer_ratio()
            shares[meant] = min(shares[meant], of_means, key=lambda s: abs(s[0] / s[1] - printed))
        if meant in shares and shares[meant][1] > 0:
            fractions[label, name] = shares[meant]
    return {name: f"multiclass_{meant}" for name, meant in taken.items() if meant == "kappa"}


def _mean_over(matrix: Matrix, kind: str, name: str) -> Fraction | None:
    """Return an average over the classes; None if nothing is predicted as one of them."""
    if kind == "micro":
        return Fraction(sum(row[k] for k, row in enumerate(matrix.counts)), _total(matrix))
    found = Fraction(0)
    for label in matrix.labels:
        own = matrix.of_class(label)
        below = {"precision": own["TP"] + own["FP"], "recall": own["TP"] + own["FN"]}
        below["f1"] = sum(below.values())
        if not below[name]:
            return None
        weight = (
            Fraction(below["recall"], _total(matrix))
            if kind == "weighted"
            else Fraction(1, len(matrix.labels))
        )
        found += weight * Fraction(own["TP"] * (2 if name == "f1" else 1), below[name])
    return found


def _total(matrix: Matrix) -> int:
    return sum(map(sum, matrix.counts))


def _add(fractions: Fractions, at: tuple[str, str], above: int, below: int) -> None:
    if 0 < below >= above:
        fractions.setdefault(at, (above, below))


def _counts(
    fractions: Fractions, taken: Mapping[str, str], kinds: Mapping[str, str]
) -> dict[str, dict[str, int]]:
    """Return TP, FN, FP, TN and sizes of rows by the counts of their shares."""
    found: dict[str, dict[str, int]] = {}
    for (label, heading), (above, below) in fractions.items():
        own, meant = found.setdefault(label, {}), taken.get(heading, "")
        if kinds.get(label, "row") not in ("row", "class"):
            continue
        if meant in _CELLS:
            one, other = _CELLS[meant]
            own.setdefault(one, above)
            own.setdefault(other, below - above)
        elif meant in _OF_ALL:
            own.setdefault("objects", below)
    return found
