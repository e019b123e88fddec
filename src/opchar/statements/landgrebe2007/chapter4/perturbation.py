"""Perturbation of the weights of four known Gaussian classes (Sec. 4.3.5)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from opchar.multiclass.perturbation import groups
from opchar.statements.measurements import Finding, Measurements

Places = set[tuple[int, int]]


def groups_are(
    measured: Measurements, *, expected: Sequence[Sequence[int]], threshold: float
) -> Finding:
    """Ask whether the largest changes above the threshold split the classes as expected."""
    names = range(1, sum(map(len, expected)) + 1)
    largest = [
        [measured.value("eq-4.36", f"Lambda_{i}^v", f"class {k}") for k in names] for i in names
    ]
    found = sorted([k + 1 for k in group] for group in groups(np.array(largest), threshold))
    r = measured.frame("cost")["r"].iloc[0]
    points = sum(r ** (len(group) - 1) for group in found)
    return Finding(
        found == sorted(map(list, expected)),
        f"groups {found}: {points:g} operating points, not {r ** (len(names) - 1):g} (r = {r:g})",
    )


def errors_lie_between_two_classes(
    measured: Measurements, *, classes: Sequence[int], threshold: float
) -> Finding:
    """Ask whether at the default point only the two classes are confused with each other."""
    table = measured.frame("confusion")
    errors = table[(table["series"] == "default") & (table["true"] != table["assigned"])]
    confused = _places(errors[errors["rate"] > threshold])
    one, other = classes
    rest = errors[~(errors["true"].isin(classes) & errors["assigned"].isin(classes))]
    return Finding(
        confused == {(one, other), (other, one)},
        f"errors above {threshold:g}: {_said(confused)}; largest error of or with other classes "
        f"{rest['rate'].max():.5f}",
    )


def slices_change_with_two_weights(
    measured: Measurements, *, classes: Sequence[int], threshold: float
) -> Finding:
    """Ask whether outputs of two classes change with either of their weights, none with others."""
    table = measured.frame("confusion")
    table = table[table["series"] != "default"]
    weight = table["series"].str.extract(r"phi_(\d+)", expand=False).astype(int)
    rates = table.assign(weight=weight).groupby(["weight", "true", "assigned"])["rate"]
    change = (rates.max() - rates.min()).groupby(["weight", "assigned"]).max()
    own = change.loc[list(classes), list(classes)]
    others = change.drop(index=list(classes), level="weight")
    return Finding(
        bool(own.min() > threshold > others.max()),
        f"outputs of classes {classes[0]} and {classes[1]} change by {own.min():.3f} at least with "
        f"either weight; with other weights no output changes by more than {others.max():.4f}",
    )


def clear_interactions_are(
    measured: Measurements, *, outputs: Sequence[Sequence[int]], threshold: float
) -> Finding:
    """Ask whether the outputs that change clearly with some weight are those named."""
    table = measured.frame("sensitivity")
    clear = _places(table[table["rate"] > threshold])
    rest = table["rate"][table["rate"] <= threshold]
    return Finding(
        clear == {(j, k) for j, k in outputs},
        f"outputs that change by more than {threshold:g}: {_said(clear)}; all others by "
        f"{rest.max():.4f} at most",
    )


def matrices_grow_linearly(measured: Measurements) -> Finding:
    """Ask whether the perturbation computes r confusion matrices a class."""
    table = measured.frame("cost")
    counted = ", ".join(f"{count:g}" for count in table["perturbed"])
    return Finding(
        bool((table["perturbed"] == table["r"] * table["classes"]).all()),
        f"{counted} confusion matrices for C = {', '.join(f'{c:g}' for c in table['classes'])} and "
        f"r = {table['r'].iloc[0]:g}",
    )


def _places(table: pd.DataFrame) -> Places:
    return {(int(row["true"]), int(row["assigned"])) for row in table.to_dict("records")}


def _said(places: Places) -> str:
    return ", ".join(f"xi_{j}{k}" for j, k in sorted(places)) or "none"
