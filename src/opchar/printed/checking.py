"""Whether the printed rows of a table are possible under a stated protocol."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial

from opchar.printed.averaged import unless_averaged
from opchar.printed.deciding import decide
from opchar.printed.exact_indices import COUNTS
from opchar.printed.kinds import SUMS
from opchar.printed.numbers import Printed
from opchar.printed.protocol import Answer, Protocol, with_sizes
from opchar.printed.reported_values import UndecidedError
from opchar.printed.row import Row
from opchar.printed.sums import summaries
from opchar.printed.tables import Table, read_table
from opchar.printed.units import SIZES, UNBOUNDED, has_percentages, in_unit
from opchar.printed.whole import is_t, of_rates, of_tests, over_rows


def check(table: Table | str, protocol: Protocol | None = None) -> dict[str, Answer]:
    r"""Tell of each row of a table, by its label, whether its scores are possible together.

    Impossible means that no confusion matrix, set of folds, or curve has the scores. Sizes in the
    table itself go before those of the protocol, of which nothing is known when not given. A row
    named as an average or a count of wins is compared with the rows above it, a column named t with
    the two columns that have spreads.

    Parameters
    ----------
    table : Table or str
        The text of a table, or what `read_table` read of it.
    protocol : Protocol, optional
        How the scores were obtained.

    Returns
    -------
    dict of str to Answer

    Raises
    ------
    DataError
        If the text is no table, or the protocol contradicts itself.

    Examples
    --------
    >>> from opchar.printed import Protocol, check
    >>> table = "Model,Accuracy,Recall\nA,0.850,0.80\nB,0.851,0.80"
    >>> {label: answer.status for label, answer in check(table, Protocol(20, 480)).items()}
    {'A': 'possible', 'B': 'impossible'}
    """
    table = read_table(table) if isinstance(table, str) else table
    chosen = protocol or Protocol()
    over = over_rows(table, chosen.rounding)
    tests = {} if chosen.confusion else of_tests(table, chosen)
    wrong = of_rates(table, chosen) if chosen.confusion else tests
    found = {}
    for label, row in table.rows.items():
        if label in wrong and wrong[label].status == "impossible":
            found[label] = wrong[label]
        elif chosen.confusion:
            found[label] = Answer("possible")
        elif label in over and over[label].status == "impossible":
            found[label] = over[label]
        elif label in over and table.kinds.get(label) == "overall":
            known = ("accuracy", *UNBOUNDED)
            classes = [one for one, kind in table.kinds.items() if kind == "class"]
            compared = {heading for heading, *_ in summaries(table, classes, label)}
            compared |= {heading for of, heading in table.fractions if of == label}
            rest = tuple(h for h in row if table.taken[h] not in known and h not in compared)
            found[label] = replace(over[label], unchecked=rest)
        else:
            kind = table.kinds.get(label, "row")
            own = _of_one_class(chosen) if kind == "class" else chosen
            answer = unless_averaged(table, label, row, own, kind, check_row)
            found[label] = replace(answer, also=_other_suspects(table, label, own, kind, answer))
            bare = kind in SUMS or not any(table.taken[h] for h in row)
            proof = found[label].certificate
            summed = proof is not None and (proof.kind == "means" or kind == "micro")
            if label in over and bare and not summed:
                found[label] = over[label]
        if label in tests and found[label].status != "impossible":
            # Means, spreads and t were compared, whatever the means are of.
            left = [h for h in found[label].unchecked if not is_t(h) and not row[h].spread]
            found[label] = replace(found[label], unchecked=tuple(left))
            if (not left and not any(table.taken[h] for h in row)) or tests[label].reason:
                found[label] = replace(tests[label], unchecked=tuple(left))
    found = {label: _beside_counts(table, label, answer) for label, answer in found.items()}
    return _whatever_the_unit(table, chosen, found)


def _other_suspects(
    table: Table, label: str, protocol: Protocol, kind: str, answer: Answer
) -> tuple[str, ...]:
    """Return other headings of an impossible row that may be the wrong ones.

    Without one score of the contradiction others may still contradict each other, and without a
    printed size or count there may be none.
    """
    row, found = table.rows[label], list[str]()
    if answer.status != "impossible":
        return ()
    refute = partial(check_row, search=False)
    for heading in row:
        sizes = table.taken[heading] in (*SIZES, *COUNTS)
        if not sizes and heading not in answer.contradiction:
            continue
        rest = {h: value for h, value in row.items() if h != heading}
        again = unless_averaged(table, label, rest, protocol, kind, refute)
        wrong = again.status == "impossible"
        found += [heading] if sizes > wrong else again.contradiction if wrong > sizes else ()
    return tuple(h for h in dict.fromkeys(found) if h not in answer.contradiction)


def _beside_counts(table: Table, label: str, answer: Answer) -> Answer:
    """Return an answer in which scores with counts of their own, as of a matrix, are checked."""
    compared = [h for of, h in table.fractions if of == label and table.taken.get(h)]
    left = tuple(h for h in answer.unchecked if h not in compared)
    told = [h for h in table.rows[label] if table.taken[h] not in UNBOUNDED]
    counted = bool(told) and all(h in compared for h in told)
    if answer.status == "not decided" and counted:
        answer = Answer("possible", hints=("the printed matrix has these scores",))
    if table.kinds.get(label, "row") == "row" and table.stated.get("classes", 0) > 2:
        answer = replace(answer, witness=None, only=False, least_objects=None)
    return replace(answer, unchecked=left)


def _of_one_class(protocol: Protocol) -> Protocol:
    """Return the protocol of a class among those of a report, which is averaged in other rows."""
    if protocol.average == "class" and not protocol.classes:
        return protocol
    objects = sum(protocol.classes) or protocol.objects
    return replace(protocol, average="class", classes=(), objects=objects)


def _whatever_the_unit(
    table: Table, protocol: Protocol, found: dict[str, Answer]
) -> dict[str, Answer]:
    """Refute a row only if it is impossible as fractions and as percentages, if units mix."""
    refuted = [label for label, answer in found.items() if answer.status == "impossible"]
    if protocol.unit or not table.guessed or not refuted:
        return found
    for unit in ("fraction", "percent"):
        others = check(in_unit(table, unit), protocol)
        for label in refuted:
            # Within a row units are not mixed.
            if unit == "fraction" and has_percentages(table, label):
                continue
            if found[label].status == "impossible" and others[label].status != "impossible":
                named = ", ".join(name for name in table.guessed if name in table.rows[label])
                reason = (
                    "the table has unmarked numbers above and below 1; with "
                    f"{named} in {unit} the row is {others[label].status}; --unit says which"
                )
                found[label] = Answer(
                    "not decided", reason=reason, unchecked=others[label].unchecked
                )
    return found


def check_row(
    table: Table,
    row: Mapping[str, Printed],
    protocol: Protocol,
    *,
    explain: bool = True,
    search: bool = True,
    kind: str = "row",
) -> Answer:
    """Tell whether the printed scores of a row are possible, under the headings of a table.

    Without `explain` neither the fewest scores that contradict each other nor the smallest test set
    is searched; without `search` only refutations are, which need no solver.
    """
    asked = Row(table, row, with_sizes(table, row, protocol, kind))
    try:
        answer = asked.contradiction_of_bounds() or asked.contradiction_of_spreads()
        if answer is None or answer.status != "impossible":
            answer = decide(asked, kind, explain=explain, search=search)
    except UndecidedError:
        answer = Answer(
            "not decided", reason="a search did not end within its limits; see --seconds"
        )
    return replace(answer, unchecked=tuple(dict.fromkeys(asked.unchecked)))
