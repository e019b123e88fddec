"""Which index meets which condition: Theorems 1 to 5 and Table 2 (mullick2020)."""

from itertools import product

import numpy as np
import pandas as pd

from opchar_reproduction.statements.measurements import Finding, Measurements, conjunction
from opchar_reproduction.study import statement

RANGE = 1e-5
"""Ends of ranges that differ by less are the same: a limit is met in the order of 1e-9."""

LIMIT = 1e-4
"""By how much an extrapolated limit must exceed a lower bound."""


def is_met(measured: Measurements, index: str, condition: str, equal: bool = False) -> bool:
    """Return whether an index meets a condition, from what the search measured."""
    if condition == "1":
        return bool((of_index(measured, "invariance", index)["gap"] == 0).all())
    if condition == "2":
        ranges = of_index(measured, "ranges", index)
        part = ranges[ranges["sizes"] == ("equal" if equal else "any")]
        return bool(np.ptp(part["low"]) < RANGE and np.ptp(part["high"]) < RANGE)
    failing = of_index(measured, "failing", index)
    part = failing[failing["interpretation"] == ("limit, equal" if equal else "limit, any")]
    return bool((part["value"] > part["bound"] + LIMIT).all())


def names_of_many(measured: Measurements) -> list[str]:
    """Return the indices of many classes."""
    table = measured.frame("conditions")
    return [str(name) for name in table.loc[table["kind"] == "multi", "index"]]


def of_index(measured: Measurements, frame: str, index: str) -> pd.DataFrame:
    """Return the rows of a frame that are of one index."""
    table = measured.frame(frame)
    return table[table["index"] == index]


def describe_index(measured: Measurements, index: str, conditions: list[str]) -> str:
    """Describe in numbers what was found about an index."""
    parts = []
    if "1" in conditions:
        part = of_index(measured, "invariance", index)
        worst = part.sort_values("gap").iloc[-1]
        free = [f"{int(c)}" for c, gap in zip(part["classes"], part["gap"], strict=True) if not gap]
        parts.append(
            f"differs by {worst['gap']:.3g} at equal class rates"
            + (f", not for C = {', '.join(free)}" if free else "")
            if worst["gap"]
            else "no two matrices of equal class rates differ"
        )
    if "2" in conditions:
        part = of_index(measured, "ranges", index)
        ends = {
            sizes: _rounded_in_words(part.loc[part["sizes"] == sizes, "low"])
            for sizes in ("any", "equal")
        }
        parts.append(f"least value by C {ends['any']}, with equal classes {ends['equal']}")
    if "3" in conditions:
        part = of_index(measured, "failing", index)
        limit = part[part["interpretation"] == "limit, any"]
        parts.append(f"with one failing class {_rounded_in_words(limit['value'])}")
    return f"{index}: {'; '.join(parts)}"


def _rounded_in_words(values: pd.Series) -> str:
    return ", ".join(f"{round(value, 3) + 0.0:.3f}" for value in values)


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


def groups_follow(
    measured: Measurements, *, groups: dict[str, list[str]], conditions: list[str]
) -> Finding:
    """Judge whether the indices fall into the groups of Figure 6.

    `groups` has the indices by the conditions that they meet of `conditions`, as in ``"1 2"``, or
    ``"none"``.
    """
    parts, wrong = {}, []
    for group, names in groups.items():
        wanted = [] if group == "none" else group.split()
        for name in names:
            found = [c for c in conditions if is_met(measured, name, c)]
            said = f"{name} meets {' and '.join(wanted) or 'none'} of {', '.join(conditions)}"
            parts[said] = found == wanted
            wrong += [] if found == wanted else [f"{name}: {' and '.join(found) or 'none'}"]
    count = len(parts)
    return conjunction(
        parts,
        f"{count - len(wrong)} of {count} indices in their group{'; ' if wrong else ''}"
        f"{', '.join(wrong)}",
    )


@statement("0066")
def two_class_recommendation(
    measured: Measurements,
    *,
    recommended: list[str] = [
        "GMean, two classes",
        "mPrecision, two classes",
        "mAURPC, two classes",
    ],
    replaced: list[str] = ["Precision, two classes", "AURPC, two classes"],
) -> Finding:
    """Judge whether the recommended indices meet Condition 1 and those that they replace do not."""
    meeting = [name for name in [*recommended, *replaced] if is_met(measured, name, "1")]
    parts = {f"{name} meets Condition 1": name in meeting for name in recommended}
    parts |= {f"{name} violates Condition 1": name not in meeting for name in replaced}
    return conjunction(parts, f"meeting Condition 1: {'; '.join(meeting)}")
