"""Which index meets which condition: Theorems 1 to 5 and Table 2 (mullick2020)."""

from itertools import product

import numpy as np
import pandas as pd

from opchar_reproduction.publications.mullick2020.conditions.met import (
    RANGE,
    describe_index,
    is_met,
    names_of_many,
    of_index,
)
from opchar_reproduction.statements.measurements import Finding, Measurements, conjunction
from opchar_reproduction.study import statement


def indices_meet(
    measured: Measurements, *, indices: list[str], met: list[str], violated: list[str] | None = None
) -> Finding:
    """Each index meets all conditions of one list and violates all of another.

    Conditions are ``"1"``, ``"2"`` and ``"3"``.
    """
    wanted = dict.fromkeys(met, True) | dict.fromkeys(violated or [], False)
    parts = {
        f"{name} {'meets' if must else 'violates'} Condition {condition}": must
        == is_met(measured, name, condition)
        for name, (condition, must) in product(indices, wanted.items())
    }
    wrong = [name for name in indices if not all(is_met(measured, name, one) for one in met)]
    told = [*wrong, *(name for name in indices if name not in wrong)][:3]
    return conjunction(
        parts, "; ".join(describe_index(measured, name, list(wanted)) for name in told)
    )


@statement("0027")
def precision_stays_in_three_cases_only(measured: Measurements) -> Finding:
    """Precision violates Condition 1; it stays only for b1 = b2, TP = 0 or FP = 0."""
    cases = measured.frame("equal precisions")
    equal = cases["b1"] == cases["b2"]
    trivial = equal | (cases["TP"] == 0) | (cases["FP"] == 0)
    stays = cases["change"].abs() < 1e-12
    found = not is_met(measured, "Precision, two classes", "1")
    differing = int((trivial != stays).sum())
    parts = {
        "Precision violates Condition 1": found,
        "it stays in the three cases only": not differing,
    }
    return conjunction(
        parts,
        f"of {len(cases)} pairs of matrices {int(stays.sum())} have equal Precision, "
        f"{differing} of them or of the rest against the rule; of those, b1 = b2 in "
        f"{int((stays & equal).sum())}",
    )


@statement("0016", also_reads=["mullick2020/definitions"])
def condition_1_tells_who_moves(measured: Measurements) -> Finding:
    """Exactly the indices that violate Condition 1 move when a class of the example is enlarged."""
    artefacts = [f"definition-{number}" for number in (4, 5, 6, 7)]
    lines = measured.lines[measured.lines["artefact"].isin(artefacts)]
    moved: list[str] = []
    differing: dict[bool, list[str]] = {True: [], False: []}
    for artefact in artefacts:
        part = lines[lines["artefact"] == artefact]
        for name in dict.fromkeys(part["row"]):
            label = f"{name}, two classes" if artefact in artefacts[:2] else str(name)
            moves = float(np.ptp(part.loc[part["row"] == name, "value"])) > 1e-9
            moved += [label] if moves else []
            differing[moves] += [label] if moves == is_met(measured, label, "1") else []
    names = [*differing[True], *differing[False]]
    against = f"; against it {', '.join(names)}" if names else ""
    parts = {
        "the indices that violate Condition 1 move": not differing[False],
        "the others stay": not differing[True],
    }
    return conjunction(parts, f"these move: {', '.join(moved)}{against}")


@statement("0021")
def who_violates_condition_2_depends_on_classes(measured: Measurements) -> Finding:
    """Each index that violates Condition 2 rates one accuracy differently as C grows."""
    names = names_of_many(measured)
    violating = [name for name in names if not is_met(measured, name, "2")]
    even = measured.frame("even classifiers")
    spans = {name: float(np.ptp(even.loc[even["index"] == name, "value"])) for name in violating}
    listed = ", ".join(f"{name} by {span:.3f}" for name, span in spans.items())
    parts = {
        "some index violates Condition 2": spans,
        "each of these rates one accuracy differently": min(spans.values(), default=1) > 1e-9,
    }
    return conjunction(
        parts, f"at one accuracy, errors spread evenly, values differ over C: {listed or 'none'}"
    )


@statement("0023")
def who_violates_condition_3_loses_the_other_classes(
    measured: Measurements, *, limit: float = 0.05
) -> Finding:
    """Exactly the indices that violate Condition 3 take one failing class for all failing."""
    table = measured.frame("one or all").set_index("index")
    gaps = (table["one fails"] - table["all fail"]).abs()
    met = pd.Series({name: is_met(measured, str(name), "3") for name in gaps.index})
    unlike, alike = ((gaps >= limit) & ~met), ((gaps < limit) & met)
    differing = gaps.index[unlike | alike]
    blind = ", ".join(f"{name} ({gaps[name]:.3f})" for name in gaps.index if gaps[name] < limit)
    parts = {
        "an index takes one failing class for all": blind,
        "those that violate Condition 3 do": not unlike.any(),
        "the others do not": not alike.any(),
    }
    return conjunction(
        parts,
        f"less than {limit:g} apart when one or all of three classes fail: {blind or 'none'}; "
        f"against the rule: {', '.join(map(str, differing)) or 'none'}",
    )


@statement("0046")
def ranges_are_from_0_to_1(measured: Measurements, *, index: str = "mAURPC-OVA") -> Finding:
    """Judge whether the range of an index is from 0 to 1 for every number of classes."""
    ranges = of_index(measured, "ranges", index)
    low, high = ranges["low"], ranges["high"]
    parts = {
        "the lowest value is 0": low.abs().max() < RANGE,
        "the highest is 1": (high - 1).abs().max() < RANGE,
    }
    return conjunction(
        parts,
        f"{index}: least {low.min():.6f} to {low.max():.6f}, largest {high.min():.6f} to "
        f"{high.max():.6f} over C = {int(ranges['classes'].min())} to "
        f"{int(ranges['classes'].max())}, test sets of any sizes and of equal classes",
    )
