"""The answers of `opchar check` as sentences."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import combinations
from typing import Any

from opchar.errors import nearest
from opchar.printed.data import words_of
from opchar.printed.headings import (
    UNBOUNDED,
    double_name,
    heading_meaning,
    known_headings,
    meanings_of,
)
from opchar.printed.inference import Inference, SharedSizes
from opchar.printed.protocol import Answer, Protocol
from opchar.printed.tables import Table

_MOST_SIZES = 12
_MOST_PAIRS = 6
_MOST_ROWS, _MOST_GROUPS = 5, 4
# How near the spelling of a heading is to that of a name which is offered instead.
_ALIKE = 0.8
_TERMS = words_of("terms")


def verdict(table: Table, answers: Mapping[str, Answer], protocol: Protocol) -> str:
    """Return the answer of the whole table in one or two sentences."""
    often = Counter(answer.status for answer in answers.values())
    rows, wrong = len(answers), often["impossible"]
    of = f"{wrong} of {rows} rows" if rows > 1 else "the row"
    named = {status: _row_names(answers, status) if rows > 1 else "" for status in often}
    single = protocol.pooled and set(table.kinds.values()) <= {"row"} and not protocol.classes
    where = f"come from {_test_set(protocol)}" if single else "be right as printed"
    under = "Under the assumptions below,"
    parts = [f"{under} {of} cannot {where}{named['impossible']}."] if wrong else []
    if not wrong and often["possible"]:
        every = "All rows" if rows > 1 else "The row"
        some = f"{often['possible']} of {rows} rows"
        parts = [f"{every if often['possible'] == rows else some} can {where}."]
    if often["not decided"]:
        many = often["not decided"]
        of = f"{many} of {rows} rows {'is' if many == 1 else 'are'}" if rows > 1 else "The row is"
        parts.append(f"{of} not decided{named['not decided']}.")
    return " ".join([*parts, *_left_out(table, answers)])


def _row_names(answers: Mapping[str, Answer], status: str) -> str:
    """Return the rows that have an answer, unless all have it."""
    labels = [label for label, answer in answers.items() if answer.status == status]
    more = f" and {len(labels) - _MOST_ROWS} more" if len(labels) > _MOST_ROWS else ""
    return f": {', '.join(labels[:_MOST_ROWS])}{more}" if len(labels) < len(answers) else ""


def _left_out(table: Table, answers: Mapping[str, Answer]) -> list[str]:
    """Return sentences on columns, if they are half or more, and on lines that were left out."""
    left = {heading for answer in answers.values() for heading in answer.unchecked}
    every, many, lost = len(table.columns), len(left), len(table.unread)
    said = [f"{many} of {every} columns {'was' if many == 1 else 'were'} not checked."]
    unread = f"{lost} {'line or cell was' if lost == 1 else 'lines or cells were'} not read."
    return said * (2 * many >= every > 1) + [unread] * bool(lost)


def _test_set(protocol: Protocol) -> str:
    p, n, total = protocol.positives, protocol.negatives, protocol.objects
    if p is not None and n is not None:
        return f"one test set of {p:,} positives and {n:,} negatives"
    if total is not None:
        return f"one test set of {total:,} objects"
    known = [f"{size:,} {name}" for size, name in ((p, "positives"), (n, "negatives")) if size]
    return f"one test set with {known[0]}" if known else "one test set"


def meanings(table: Table) -> list[str]:
    """Return a line for each column with its quantity."""
    found = []
    for heading in table.columns:
        taken, unit = table.taken[heading], table.units[heading]
        said = f", {'as a' if unit == 'fraction' else 'in'} {unit}"
        said *= taken not in ("", *UNBOUNDED)
        found.append(f"{heading}: {term(taken) or 'not known'}{said}")
    return found


def term(name: str) -> str:
    """Return what the field calls an index or size."""
    words = name.replace("f_beta ", "F").replace("_f1", " F1").replace("_", " ")
    return _TERMS.get(name) or (words.upper() if len(words) < 5 else words)


def not_checked(table: Table, answers: Mapping[str, Answer]) -> list[str]:
    """Return lines that name the columns that were not checked, and the cells not understood."""
    left = {heading for answer in answers.values() for heading in answer.unchecked}
    named = []
    for heading in table.columns:
        if heading not in left:
            continue
        hint = _hint(heading, table)
        if heading in table.questions:
            meant = meanings_of(heading) or [table.taken[heading] or "objects", "positives"]
            named.append(
                f"{heading} ({' or '.join(map(term, meant))}? A line '{heading},{meant[0]}' in "
                "the file of --taken says which)"
            )
        elif not table.taken[heading] and (same := _same_index(heading, table)):
            named.append(f"{heading} (again {term(same)}, with other values)")
        else:
            named.append(f"{heading} ({term(table.taken[heading]) or 'no index' + hint})")
    lines = [f"not checked: {', '.join(named)}"] if named else []
    return lines + ([f"not read: {', '.join(table.unread)}"] if table.unread else [])


def _hint(heading: str, table: Table) -> str:
    """Return the name that a heading may misspell; not what was typed, nor a part."""
    typed = "".join(sign for sign in heading.lower() if sign.isalnum())
    read = [name.lower() for name in table.columns if table.taken[name]]
    if len(typed) < 4 or double_name(heading) or heading.lower().startswith(tuple(read)):
        return ""
    spellings = [spelling for own in known_headings().values() for spelling in own]
    hint = nearest(typed, [one for one in spellings if len(one) > 3])
    near = hint.partition("'")[2].partition("'")[0]
    part = near in typed or typed in near or near[:1] != typed[:1]
    return "" if part or SequenceMatcher(None, near, typed).ratio() < _ALIKE else hint


def _same_index(heading: str, table: Table) -> str:
    """Return the index of a column that is not read because an earlier one has another value."""
    if double_name(heading):
        return ""
    meant = heading_meaning(heading.rstrip("'")) or ""
    return meant if meant in table.taken.values() else ""


def below_a_row(answer: Answer) -> list[str]:
    """Return the lines under the status of a row."""
    lines = []
    if answer.contradiction:
        also = f"; as suspect: {', '.join(answer.also)}" * bool(answer.also)
        lines.append(f"contradiction: {', '.join(answer.contradiction)}{also}")
    lines += answer.arithmetic
    if answer.witness:
        kind = "the only matrix:" if answer.only else "these give the printed digits, for example:"
        lines.append(f"{kind} {in_counts(answer.witness)}")
    if answer.least_objects:
        lines.append(f"needs at least {answer.least_objects:,} objects")
    lines += [answer.reason] if answer.reason else []
    return lines + list(answer.hints)


def in_counts(witness: Any) -> str:
    """Return a matrix, or several, in words."""
    if isinstance(witness, dict):
        return ", ".join(f"{name.upper()} = {count}" for name, count in witness.items())
    many = Counter(in_counts(part) for part in witness)
    return "; ".join(f"{often} x ({one})" if often > 1 else one for one, often in many.items())


def shared_sizes_in_words(shared: SharedSizes) -> list[str]:
    """Return lines on the size of one test set of all rows, and on rows it does not tell apart."""
    if shared.scores < 2 or not (shared.objects or shared.every_from):
        return []
    first = shared.objects[:_MOST_SIZES]
    more = len(shared.objects) - len(first)
    parts = [", ".join(f"{size:,}" for size in first)] if first else []
    parts += [f"{more} other sizes above"] if more else []
    parts += [f"any size from {shared.every_from:,}"] if shared.every_from else []
    smallest = first[0] if first else shared.every_from
    sizes = f"if the rows share one test set, its number of objects is {', or '.join(parts)}"
    lines = [
        *([] if shared.stated else [sizes]),
        f"with {smallest:,} objects the standard error of the first score is "
        f"{100 * shared.error:.2g} percentage points, one object {100 / (smallest or 1):.2g}",
    ]
    for below, often in Counter(below for _, _, below in shared.alike).items():
        pairs = [f"{one} and {other}" for one, other, why in shared.alike if why == below]
        rest = f" and {often - _MOST_PAIRS} more pairs" if often > _MOST_PAIRS else ""
        lines.append(f"differ by less than {below}: {'; '.join(pairs[:_MOST_PAIRS])}{rest}")
    return lines


_CHOSEN, _EITHER, _TO_STATE = (words_of(table) for table in ("choices", "either", "to state"))
_ORDER = ("possible", "not decided", "impossible")


def choices_in_words(inferred: Inference | None) -> list[str]:
    """Return which protocols leave a table possible, in words."""
    if inferred is None:
        return []
    ways = ways_tried(inferred)
    shares = dict(zip(map(str, inferred.left), inferred.by_chance, strict=False))
    unfilled = {choice.get("folds") for choice in inferred.unfilled}
    options = {
        n: tuple(v for v in values if n != "folds" or v not in unfilled)
        for n, values in inferred.options.items()
        if n != "averages" or "folds" not in inferred.options
    }
    lines = [
        f"{len(ways)} ways to obtain such a table were tried: {_group_in_words(options, '; ')}",
        f"  {ways_in_short(ways)} (not decided: neither an example nor a proof was found)",
    ]
    by_status: dict[str, list[dict[str, Any]]] = {}
    for status, choice in ways:
        by_status.setdefault(status, []).append(choice)
    for status, choices in by_status.items():
        groups = _in_groups(choices)
        for group in groups[:_MOST_GROUPS]:
            known = [shares.get(str(one)) for one in group.members]
            chances = [share for share in known if share is not None]
            chance = f" ({max(chances):.1%} of random tables pass)" if chances else ""
            lines.append(f"  {status}: {_group_in_words(group.values)}{chance}")
        left = sum(len(group.members) for group in groups[_MOST_GROUPS:])
        lines += [f"  {status}: {left} other ways (--json lists them)"] if left else []
    if inferred.unfilled:
        many = ", ".join(map(str, sorted(filter(None, unfilled))))
        lines.append(f"  not tried: {many} folds, which a class does not fill")
    if inferred.deciding:
        wanted = "; ".join(_TO_STATE.get(name, name) for name in inferred.deciding)
        lines.append(f"  state, to decide between them: {wanted}")
    return lines


def ways_in_short(ways: Sequence[tuple[str, Any]]) -> str:
    """Return how many of the ways that were tried have each answer."""
    often = Counter(status.partition(",")[0] for status, _ in ways)
    return (
        f"{often['possible']} leave all rows possible, {often['not decided']} are not decided, "
        f"{often['impossible']} leave a row impossible"
    )


def ways_tried(inferred: Inference) -> list[tuple[str, dict[str, Any]]]:
    """Return each way that was tried, once, with its answer; the possible ones first."""
    answers = [
        ("not decided" if choice in inferred.undecided else "possible", choice)
        for choice in inferred.left
    ]
    answers += [(f"impossible, by row {label}", choice) for choice, label in inferred.refuted]
    every = {
        str(_that_matter(one)): (status, one)
        for (status, choice), same in zip(answers, inferred.same, strict=True)
        for one in (*reversed(same), choice)
    }
    return sorted(every.values(), key=lambda way: _ORDER.index(way[0].partition(",")[0]))


@dataclass(frozen=True)
class _Group:
    """Choices that differ in the values of some attributes, in all combinations."""

    values: dict[str, tuple[Any, ...]]
    members: tuple[Mapping[str, Any], ...]


def _in_groups(choices: Sequence[Mapping[str, Any]]) -> list[_Group]:
    """Return choices in few groups: two that differ in one attribute become one."""
    groups = [_Group({n: (v,) for n, v in _that_matter(c).items()}, (c,)) for c in choices]
    merged = True
    while merged:
        merged = False
        for one, other in combinations(groups, 2):
            names = [n for n in one.values if one.values[n] != other.values.get(n)]
            if one.values.keys() == other.values.keys() and len(names) < 2:
                both = {n: (*one.values[n], *other.values[n]) for n in names}
                both = {n: tuple(dict.fromkeys(values)) for n, values in both.items()}
                joint = _Group(one.values | both, (*one.members, *other.members))
                groups = [joint if g is one else g for g in groups if g is not other]
                merged = True
                break
    return groups


def _that_matter(choice: Mapping[str, Any]) -> dict[str, Any]:
    """Return the attributes of a choice that its others do not make idle."""
    found = dict(choice)
    if found.get("folds") == 1 or found.get("averages") == "pooled":
        found |= {"folds": 1} if "folds" in found else {}
        found.pop("f", None)
    if found.get("average", "class") != "class":
        found.pop("of_class", None)
    found.pop("averages" if "folds" in found else "", None)
    return found


def _group_in_words(values: Mapping[str, tuple[Any, ...]], between: str = ", ") -> str:
    words = []
    for name, chosen in values.items():
        if name == "folds":
            many = [str(folds) for folds in chosen if folds > 1]
            told = ["one test set"] if 1 in chosen else []
            told += [f"means over {' or '.join(many)} folds"] if many else []
        elif len(chosen) == 2 and name in _EITHER:
            told = [_EITHER[name]]
        else:
            told = [_CHOSEN.get(value, str(value)) for value in chosen]
        words.append(" or ".join(told))
    return between.join(words)
