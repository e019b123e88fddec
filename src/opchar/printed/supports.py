"""Averages of classes whose supports are not printed: no weights, the same in all columns, fit."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from opchar.printed.certificates import Certificate, verify
from opchar.printed.headings import UNBOUNDED
from opchar.printed.numbers import Limits, Rounding, lies
from opchar.printed.protocol import Answer
from opchar.printed.tables import Table

Part = tuple[str, Limits]
_NO_SCORES = ("", "objects", "positives", "negatives")


def no_weights(
    lines: Sequence[Sequence[Part]], targets: Sequence[Limits]
) -> tuple[tuple[tuple[Limits, ...], Limits, Fraction, Fraction], ...] | None:
    """Return a proof that no weights, the same in all lines, give means within the targets.

    The proof has, for each line, the limits of its parts and of the mean, and multipliers of the
    greatest and least mean. At each part alone the sum of the gaps is positive.
    """
    import numpy as np
    from scipy.optimize import linprog

    many = len(lines[0])
    rows, ends = [], []
    for parts, (low, high) in zip(lines, targets, strict=True):
        rows.append([-float(limits[1]) for _, limits in parts])
        rows.append([float(limits[0]) for _, limits in parts])
        ends += [-float(low), float(high)]
    matrix = np.column_stack([np.array(rows), -np.ones(len(rows))])
    solved = linprog(
        np.r_[np.zeros(many), 1.0],
        A_ub=matrix,
        b_ub=ends,
        A_eq=[[1.0] * many + [0.0]],
        b_eq=[1.0],
        bounds=[(0, None)] * many + [(None, None)],
    )
    if solved.status != 0 or solved.x[-1] <= 0:
        return None
    dual = [
        Fraction(max(-float(y), 0.0)).limit_denominator(10**9) for y in solved.ineqlin.marginals
    ]
    proof = tuple(
        (tuple(limits for _, limits in parts), target, dual[2 * at], dual[2 * at + 1])
        for at, (parts, target) in enumerate(zip(lines, targets, strict=True))
    )
    return proof if verify(Certificate("weights", (), proof=proof)) else None


def by_no_supports(table: Table, classes: Sequence[str], rounding: Rounding) -> dict[str, Answer]:
    """Return the average by support, or the accuracy beside it, that no supports of classes give.

    The accuracy is the recall by support, if each object has one label.
    """
    kinds = [kind for kind in ("weighted", "overall") if kind in table.kinds.values()]
    recall = table.heading("tpr")
    lines: dict[str, list[Part]] = {}
    targets: dict[str, Limits] = {}
    texts: dict[str, str] = {}
    for kind in kinds if "weighted" in kinds and "micro" not in table.kinds.values() else ():
        label = table.labels(kind)[0]
        row = {h: v for h, v in table.rows[label].items() if table.taken[h] not in _NO_SCORES}
        if kind == "overall" and [table.taken[h] for h in row] != ["accuracy"]:
            continue
        for heading in row:
            own = recall if kind == "overall" else heading
            if table.taken[heading] in UNBOUNDED or any(own not in table.rows[c] for c in classes):
                continue
            lines[heading] = [(own, table.limits(one, own, rounding)) for one in classes]
            targets[heading] = table.limits(label, heading, rounding)
            texts[heading] = row[heading].text
        # One column alone is easier to read than several together.
        for chosen in [*([heading] for heading in lines), list(lines)] if lines else ():
            proof = no_weights([lines[h] for h in chosen], [targets[h] for h in chosen])
            if proof is None:
                continue
            used = [h for h, line in zip(chosen, proof, strict=True) if line[2] or line[3]]
            words = []
            for own in dict.fromkeys(lines[h][0][0] for h in used):
                ends = [limits for h in used for of, limits in lines[h] if of == own]
                low, high = float(min(e[0] for e in ends)), float(max(e[1] for e in ends))
                words.append(f"{own} of the classes {lies(low, high, '.7g')}")
            given = " with ".join(f"{h} {texts[h]}" for h in used)
            proven = Certificate("weights", (), proof=proof)
            arithmetic = (*words, f"no supports give {given}")
            return {label: Answer("impossible", None, tuple(used), arithmetic, certificate=proven)}
    return {}
