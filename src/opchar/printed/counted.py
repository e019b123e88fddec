"""Counts that a table prints as numerators and denominators: ``47/56``, or *correct* of *total*."""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction
from itertools import product
from math import isqrt, prod
from operator import mul

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
_OF_MANY = ("kappa", "mcc", "balanced_accuracy", "balanced_error_rate")
_PRECISE = 10**20
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
    whole = [label for label in rows if len(rows) == 1 or kinds.get(label) == "overall"]
    many = matrix is not None and (len(matrix.labels) > 2 or "class" in kinds.values())
    if matrix and many and len(whole) == 1:
        row = rows[whole[0]]
        plain = {name: taken[name].removeprefix("multiclass_") for name in row}
        taken |= _shares_of_matrix(matrix, whole[0], row, plain, fractions)
    if len(rows) == 1:
        for name in taken:
            if counted := _IN_HEADING.search(name):
                _add(fractions, (next(iter(rows)), name), int(counted[1]), int(counted[2]))
    headings = list(reversed(taken))
    both = [next((h for h in headings if p.fullmatch(h.strip())), "") for p in (_RIGHT, _ALL)]
    score = next((h for h, meant in taken.items() if meant in ("accuracy", "tpr")), "")
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
    """Add scores of a matrix of several classes, of readings the nearest; return new meanings."""
    found = dict[str, str]()
    readings = [_scores_of(reading) for reading in matrix.readings()]
    for name, meant in taken.items():
        each = [scores.get(meant, []) for scores in readings]
        if not all(each) or name not in row:
            continue  # in a reading it may have no value, and then is not known
        values = [value for one in each for value in one]
        printed = float(row[name].text) / (100 if float(row[name].text) > 1 else 1)
        nearest = min(values, key=lambda value: abs(value - printed))
        total = matrix.total if meant in _OF_ALL else nearest.denominator
        fractions[label, name] = int(nearest * total), total
        if meant in _OF_MANY:
            found[name] = f"multiclass_{meant}"
    return found


def _scores_of(matrix: Matrix) -> dict[str, list[Fraction]]:
    """Return shares, averages, kappa and MCC; of F the mean, and that of the means."""
    total, every = matrix.total, range(len(matrix.labels))
    right = sum(matrix.counts[k][k] for k in every)
    sums = [list(map(sum, rows)) for rows in (matrix.counts, zip(*matrix.counts, strict=True))]
    chance = sum(map(mul, *sums))
    beyond, spreads = total * right - chance, prod(total**2 - sum(map(mul, s, s)) for s in sums)
    found = {"accuracy": [Fraction(right, total)], "error_rate": [1 - Fraction(right, total)]}
    if total**2 > chance:
        found["kappa"] = [Fraction(beyond, total**2 - chance)]
    if spreads:
        root = isqrt(beyond**2 * _PRECISE**2 // spreads)  # MCC is no ratio
        found["mcc"] = [Fraction(root if beyond > 0 else -root, _PRECISE)]
    for kind, name in product(("macro", "weighted", "micro"), ("precision", "recall", "f1")):
        if (mean := _mean_over(matrix, kind, name)) is not None:
            found[f"{kind}_{name}"] = [mean]
    (r,), (p,) = (found.get(f"macro_{name}", [Fraction(0)]) for name in ("recall", "precision"))
    if "macro_f1" in found and p + r:
        found["macro_f1"].append(2 * p * r / (p + r))
    if "macro_recall" in found:
        found |= {"balanced_accuracy": [r], "balanced_error_rate": [1 - r]}
    return found


def _mean_over(matrix: Matrix, kind: str, name: str) -> Fraction | None:
    """Return an average over the classes; None if nothing is predicted as one of them."""
    if kind == "micro":
        return Fraction(sum(row[k] for k, row in enumerate(matrix.counts)), matrix.total)
    found = Fraction(0)
    for label in matrix.labels:
        own = matrix.of_class(label)
        below = {"precision": own["tp"] + own["fp"], "recall": own["tp"] + own["fn"]}
        below["f1"] = sum(below.values())
        if not below[name]:
            return None
        weight = Fraction(1, len(matrix.labels))
        if kind == "weighted":
            weight = Fraction(below["recall"], matrix.total)
        found += weight * Fraction(own["tp"] * (2 if name == "f1" else 1), below[name])
    return found


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
