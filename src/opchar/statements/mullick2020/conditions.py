"""Which index meets which condition: Theorems 1 to 5, Table 2, Figure 6, Sec. 6 (mullick2020)."""

from __future__ import annotations

import numpy as np
import pandas as pd

from opchar.statements.measurements import Finding, Measurements

RANGE = 1e-5
"""Ends of ranges that differ by less are the same: a limit is met in the order of 1e-9."""
LIMIT = 1e-4
"""By how much an extrapolated limit must exceed a lower bound."""


def indices_meet(
    measured: Measurements,
    *,
    indices: list[str],
    met: list[str],
    violated: list[str] | None = None,
) -> Finding:
    """Each index meets all conditions of one list and violates all of another.

    Conditions are ``"1"``, ``"2"`` and ``"3"``.
    """
    wanted = dict.fromkeys(met, True) | dict.fromkeys(violated or [], False)
    wrong = [
        f"{name} {'violates' if must else 'meets'} Condition {condition}"
        for name in indices
        for condition, must in wanted.items()
        if is_met(measured, name, condition) != must
    ]
    said = "; ".join(_said(measured, name, list(wanted)) for name in indices[:3])
    return Finding(not wrong, f"{'; '.join(wrong) + ': ' if wrong else ''}{said}"[:390])


def is_met(measured: Measurements, index: str, condition: str, equal: bool = False) -> bool:
    """Return whether an index meets a condition, from what the search measured.

    Parameters
    ----------
    measured : Measurements
    index : str
    condition : {"1", "2", "3"}
    equal : bool
        For Conditions 2 and 3: over test sets of equal classes instead of any sizes.
    """
    if condition == "1":
        return bool((_of(measured, "invariance", index)["gap"] == 0).all())
    if condition == "2":
        ranges = _of(measured, "ranges", index)
        part = ranges[ranges["sizes"] == ("equal" if equal else "any")]
        return bool(np.ptp(part["low"]) < RANGE and np.ptp(part["high"]) < RANGE)
    failing = _of(measured, "failing", index)
    part = failing[failing["reading"] == ("limit, equal" if equal else "limit, any")]
    return bool((part["value"] > part["bound"] + LIMIT).all())


def precision_stays_in_three_cases_only(measured: Measurements) -> Finding:
    """Precision violates Condition 1; it stays only for b1 = b2, TP = 0 or FP = 0."""
    cases = measured.frame("equal precisions")
    trivial = (cases["b1"] == cases["b2"]) | (cases["TP"] == 0) | (cases["FP"] == 0)
    stays = cases["change"].abs() < 1e-12
    found = not is_met(measured, "Precision, two classes", "1")
    differing = int((trivial != stays).sum())
    return Finding(
        found and not differing,
        f"of {len(cases)} pairs of matrices {int(stays.sum())} have equal Precision, "
        f"{differing} of them or of the rest against the rule; of those, b1 = b2 in "
        f"{int((stays & (cases['b1'] == cases['b2'])).sum())}",
    )


def condition_1_tells_who_moves(measured: Measurements) -> Finding:
    """Exactly the indices that violate Condition 1 move when a class of the example is enlarged."""
    artefacts = [f"definition-{number}" for number in (4, 5, 6, 7)]
    lines = measured.lines[measured.lines["artefact"].isin(artefacts)]
    moved: list[str] = []
    differing: list[str] = []
    for artefact in artefacts:
        part = lines[lines["artefact"] == artefact]
        for name in dict.fromkeys(part["row"]):
            label = f"{name}, two classes" if artefact in artefacts[:2] else str(name)
            moves = float(np.ptp(part.loc[part["row"] == name, "value"])) > 1e-9
            moved += [label] if moves else []
            differing += [label] if moves == is_met(measured, label, "1") else []
    against = f"; against it {', '.join(differing)}" if differing else ""
    return Finding(not differing, f"these move: {', '.join(moved)}{against}")


def who_violates_condition_2_depends_on_classes(measured: Measurements) -> Finding:
    """Each index that violates Condition 2 rates one accuracy differently as C grows."""
    names = _multi(measured)
    violating = [name for name in names if not is_met(measured, name, "2")]
    even = measured.frame("even classifiers")
    spans = {name: float(np.ptp(even.loc[even["index"] == name, "value"])) for name in violating}
    listed = ", ".join(f"{name} by {span:.3f}" for name, span in spans.items())
    return Finding(
        bool(spans) and min(spans.values()) > 1e-9,
        f"at one accuracy, errors spread evenly, values differ over C: {listed or 'none'}",
    )


def who_violates_condition_3_loses_the_other_classes(
    measured: Measurements, *, limit: float
) -> Finding:
    """Exactly the indices that violate Condition 3 take one failing class for all failing."""
    table = measured.frame("one or all").set_index("index")
    gaps = (table["one fails"] - table["all fail"]).abs()
    differing = [
        name for name in gaps.index if (gaps[name] < limit) == is_met(measured, str(name), "3")
    ]
    blind = ", ".join(f"{name} ({gaps[name]:.3f})" for name in gaps.index if gaps[name] < limit)
    return Finding(
        not differing and bool(blind),
        f"less than {limit:g} apart when one or all of three classes fail: {blind or 'none'}; "
        f"against the rule: {', '.join(map(str, differing)) or 'none'}",
    )


def ranges_are_from_0_to_1(measured: Measurements, *, index: str) -> Finding:
    """Judge whether the range of an index is from 0 to 1 for every number of classes."""
    ranges = _of(measured, "ranges", index)
    low, high = ranges["low"], ranges["high"]
    holds = low.abs().max() < RANGE and (high - 1).abs().max() < RANGE
    return Finding(
        bool(holds),
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
    wrong = []
    for group, names in groups.items():
        wanted = [] if group == "none" else group.split()
        for name in names:
            found = [c for c in conditions if is_met(measured, name, c)]
            wrong += [] if found == wanted else [f"{name}: {' and '.join(found) or 'none'}"]
    count = sum(map(len, groups.values()))
    return Finding(
        not wrong,
        f"{count - len(wrong)} of {count} indices in their group{'; ' if wrong else ''}"
        f"{', '.join(wrong)}",
    )


def two_class_recommendation(
    measured: Measurements, *, recommended: list[str], replaced: list[str]
) -> Finding:
    """Judge whether the recommended indices meet Condition 1 and those that they replace do not."""
    meeting = [name for name in [*recommended, *replaced] if is_met(measured, name, "1")]
    return Finding(meeting == recommended, f"meeting Condition 1: {'; '.join(meeting)}")


def _multi(measured: Measurements) -> list[str]:
    table = measured.frame("conditions")
    return [str(name) for name in table.loc[table["kind"] == "multi", "index"]]


def _of(measured: Measurements, frame: str, index: str) -> pd.DataFrame:
    table = measured.frame(frame)
    return table[table["index"] == index]


def _said(measured: Measurements, index: str, conditions: list[str]) -> str:
    """Say in numbers what was found of an index."""
    parts = []
    if "1" in conditions:
        part = _of(measured, "invariance", index)
        worst = part.sort_values("gap").iloc[-1]
        free = [f"{int(c)}" for c, gap in zip(part["classes"], part["gap"], strict=True) if not gap]
        parts.append(
            f"differs by {worst['gap']:.3g} at equal class rates"
            + (f", not for C = {', '.join(free)}" if free else "")
            if worst["gap"]
            else "no two matrices of equal class rates differ"
        )
    if "2" in conditions:
        part = _of(measured, "ranges", index)
        ends = {
            sizes: ", ".join(f"{low:.3f}" for low in part.loc[part["sizes"] == sizes, "low"])
            for sizes in ("any", "equal")
        }
        parts.append(f"least {ends['any']} by C, of equal classes {ends['equal']}")
    if "3" in conditions:
        part = _of(measured, "failing", index)
        limit = part[part["reading"] == "limit, any"]
        parts.append(f"one failing class leaves {', '.join(f'{v:.3f}' for v in limit['value'])}")
    return f"{index}: {'; '.join(parts)}"
