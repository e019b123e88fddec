"""Planted tables, planted faults, and the documented examples of mlscorecheck, by `opchar check`.

    python benchmarks/check.py [--tables 40] [--only planted|unstated|faults|mlscorecheck|works]

Planted tables come from six simulated models, a row each, on a test set of known size under a known
protocol; accuracy, recall, precision and F are printed with three digits or four. It is asked
whether the protocol is among those that `opchar.printed.infer` leaves, and whether it is alone:
first with the sizes and the number of folds stated, then with the sizes alone. Faults are put into
tables that were right. Examples of mlscorecheck (pip install mlscorecheck) are all of its own
documentation.
"""

import argparse
import time
from collections import Counter
from dataclasses import replace

import numpy as np
import pandas as pd
from check_mlscorecheck import compare

from opchar.printed import Protocol, check, infer, read_table
from opchar.printed.averages import stratified_folds
from opchar.printed.exact_indices import exact_index
from opchar.seeds import generator
from opchar_reproduction.publication import file, folders
from opchar_reproduction.report.pages.parts.impossible import impossible

NAMES = ("accuracy", "tpr", "precision", "f1")
VARY = {
    "rounding": ["nearest", "cut"],
    "average": ["class", "macro", "weighted", "micro"],
    "of_class": ["positive", "negative"],
    "folds": [1, 5],
    "averages": ["pooled", "fold-means"],
    "f": ["mean of F", "F of means"],
}
FOLDS = {"folds": 5, "averages": "fold-means"}
TRUTHS = [
    {},
    {"rounding": "cut"},
    {"average": "macro"},
    {"average": "weighted"},
    {"of_class": "negative"},
    FOLDS,
    FOLDS | {"f": "F of means"},
    {"folds": 5, "averages": "pooled"},
]
ROWS = 6
SIZES = [(20, 480), (60, 140), (35, 90), (110, 230), (212, 357)]


def scores_of(sizes, rng, protocol):
    """Return the scores of a simulated model under a protocol, as numbers."""
    skill = rng.uniform(0.6, 0.95, size=2)
    counts = []
    for p, n in sizes:
        tp, tn = rng.binomial(p, skill[0]), rng.binomial(n, skill[1])
        counts.append((tp, p - tp, n - tn, tn))
    found = []
    for name in NAMES:
        part = {"tpr": "recall"}.get(name, name)
        averaged = protocol.average != "class" and name != "accuracy"
        index = exact_index(f"{protocol.average}_{part}" if averaged else name)
        if protocol.of_class == "negative" and name != "accuracy":
            values = [index.quick(tn, fp, fn, tp) for tp, fn, fp, tn in counts]
        else:
            values = [index.quick(*one) for one in counts]
        found.append(float(np.mean(values)))
    if protocol.f == "F of means":
        found[3] = 2 * found[1] * found[2] / (found[1] + found[2])
    return found


def printed(value, rounding, digits=3):
    """Print a score with its digits rounded or cut."""
    if rounding == "cut":
        return f"{np.floor(value * 10**digits + 1e-9) / 10**digits:.{digits}f}"
    return f"{value:.{digits}f}"


def table_of(rng, protocol, rows=3, digits=3):
    """Return the text of a table under a protocol."""
    sizes = [(protocol.positives, protocol.negatives)]
    if not protocol.pooled:
        sizes = stratified_folds(sizes[0], protocol.folds)
    lines = ["model," + ",".join(NAMES)]
    for row in range(rows):
        values = scores_of(sizes, rng, protocol)
        lines.append(f"m{row}," + ",".join(printed(v, protocol.rounding, digits) for v in values))
    return "\n".join(lines)


def planted(tables, stated=False):
    """Count the planted protocols that are left, and left alone; the folds may be stated."""
    among, alone, left, seconds, by_kind = 0, 0, [], 0.0, Counter()
    for number in range(tables):
        truth = TRUTHS[number % len(TRUTHS)]
        p, n = SIZES[number // len(TRUTHS) % len(SIZES)]
        protocol = replace(Protocol(p, n, seconds=2.0), **truth)
        text = table_of(generator(0, "planted", number), protocol, ROWS, 3 + number % 2)
        table = read_table(text)
        folds = {"folds": [protocol.folds]} if stated else {}
        start = time.perf_counter()
        found = infer(table, Protocol(p, n, seconds=2.0), VARY | folds, draws=0)
        seconds += time.perf_counter() - start
        full = {name: getattr(protocol, name) for name in VARY}
        own = [full in [one, *same] for one, same in zip(found.left, found.same, strict=False)]
        among += any(own)
        alone += own == [True]
        by_kind[str(truth)] += own == [True]
        left.append(len(own))
        print(f"  {truth} {p}+{n}: left {len(own)}, planted {any(own)}", flush=True)
    print("sizes and folds stated" if stated else "sizes stated")
    print(f"protocol among those left: {among} of {tables}; alone: {alone} of {tables}")
    print("alone by kind:", dict(by_kind))
    print(f"protocols left, median: {np.median(left):g}; seconds a table {seconds / tables:.1f}")


def faults(tables):
    """Count faults of each kind that make a table impossible under its own protocol."""
    found, made = Counter(), Counter()
    for number in range(tables):
        rng = generator(0, "fault", number)
        p, n = SIZES[number % len(SIZES)]
        other = SIZES[(number + 1) % len(SIZES)]
        text = table_of(rng, Protocol(p, n), rows=1)
        cells = text.splitlines()[1].split(",")
        at = int(rng.integers(1, len(cells)))
        digit = str((int(cells[at][-1]) + int(rng.integers(1, 10))) % 10)
        changed = [*cells[:at], cells[at][:-1] + digit, *cells[at + 1 :]]
        moved = [cells[0], cells[2], cells[1], *cells[3:]]
        swapped = table_of(rng, Protocol(*other), rows=1)
        cases = {
            "none": (text, Protocol(p, n)),
            "one negative too many": (text, Protocol(p, n + 1)),
            "one positive too many": (text, Protocol(p + 1, n)),
            "row of another data set": (swapped, Protocol(p, n)),
            "last digit changed": (
                "\n".join([text.splitlines()[0], ",".join(changed)]),
                Protocol(p, n),
            ),
            "two columns swapped": (
                "\n".join([text.splitlines()[0], ",".join(moved)]),
                Protocol(p, n),
            ),
        }
        for kind, (case, protocol) in cases.items():
            made[kind] += 1
            status = next(iter(check(read_table(case), protocol).values())).status
            found[kind] += status == "impossible"
    for kind, many in made.items():
        print(f"{kind}: refuted {found[kind]} of {many}")


def works():
    """Check what the works print beside counts, or as areas with a prior, by itself."""
    for work, folder in folders().items():
        with file(folder, "values").open(encoding="utf-8") as opened:
            values = pd.read_csv(opened, dtype=str, keep_default_na=False)
        found = impossible(values.rename(columns={"value": "published"}))
        for identifier, why in found.items():
            print(f"  {identifier}: {why}")
        print(f"{work}: {len(found)} impossible")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tables", type=int, default=40)
    parser.add_argument(
        "--only", choices=["planted", "unstated", "faults", "mlscorecheck", "works"]
    )
    chosen = parser.parse_args()
    if chosen.only in (None, "mlscorecheck"):
        compare()
    if chosen.only in (None, "works"):
        works()
    if chosen.only in (None, "faults"):
        faults(chosen.tables)
    if chosen.only in (None, "planted"):
        planted(chosen.tables, stated=True)
    if chosen.only in (None, "unstated"):
        planted(chosen.tables)


if __name__ == "__main__":
    main()
