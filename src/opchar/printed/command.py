"""`opchar check`: from a printed table to what is possible, in words, as JSON and as a page."""

from __future__ import annotations

import argparse
import csv
import json
import os
import re
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, fields
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

from opchar.errors import DataError, nearest
from opchar.files import write_text
from opchar.page_policy import with_policy
from opchar.typed import typed_number, typed_whole

if TYPE_CHECKING:
    from opchar.printed import Answer, Inference, Protocol, Table

_MOST_SIZES = 12
_COLOURS = {"possible": "#e3f3e3", "impossible": "#f8d9d6", "not decided": "#f5ecd2"}
_PAGE = """<!doctype html>
<html lang="en"><head>
<meta charset="utf-8">
<title>Is this table possible?</title><style>
body {{ font: 16px/1.5 sans-serif; margin: 2em auto; max-width: 60em; }}
td, th {{ border: 1px solid #bbb; padding: .3em .6em; text-align: left; }}
table {{ border-collapse: collapse; }} .in {{ outline: 3px solid #b3261e; font-weight: bold; }}
</style></head><body><h1>Is this table possible?</h1>
<p>Stated or taken: {protocol}</p>{unchecked}
<h2>What each column was taken for</h2><ul>{taken}</ul>
<h2>The table</h2><table><tr><th>row</th>{headings}<th>answer</th></tr>{rows}</table>
{inference}</body></html>
"""


def add_check_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of `opchar check`."""
    parser.add_argument("table", help="CSV, or text copied from a PDF or a page; '-' reads stdin")
    parser.add_argument("--positives", type=typed_whole, help="objects of the positive class")
    parser.add_argument("--negatives", type=typed_whole, help="objects of the negative class")
    parser.add_argument("--objects", type=typed_whole, help="objects of both classes")
    parser.add_argument("--classes", type=_sizes, help="of C classes: objects, as in 50,50,20")
    parser.add_argument("--folds", type=typed_whole, help="test folds")
    parser.add_argument("--folding", choices=["stratified", "unknown"], help="how they were dealt")
    parser.add_argument(
        "--parts", type=_parts, help="folds or data sets: positives+negatives, as in 52+94,74+37"
    )
    parser.add_argument(
        "--confusion",
        action=argparse.BooleanOptionalAction,
        help="rows are rates of a confusion matrix of the classes",
    )
    parser.add_argument("--averages", choices=["pooled", "fold-means"])
    parser.add_argument("--rounding", choices=["nearest", "cut"], help="of the last digit")
    parser.add_argument("--unit", choices=["fraction", "percent"], help="of all scores")
    parser.add_argument("--average", choices=["class", "macro", "weighted", "micro"])
    parser.add_argument("--of-class", choices=["positive", "negative"], help="whose F it is")
    parser.add_argument("--f", choices=["mean of F", "F of means"], help="of means over folds")
    parser.add_argument("--spread", choices=["sd", "se"], help="what stands after ±")
    parser.add_argument("--sd", choices=["sample", "population"])
    parser.add_argument("--most-objects", type=typed_whole, help="of sizes that are not known")
    parser.add_argument("--seconds", type=typed_number, help="limit of each search, 10")
    parser.add_argument("--taken", type=Path, help="CSV of column,taken for,unit: corrections")
    parser.add_argument("--infer", action="store_true", help="try what is not stated, too")
    parser.add_argument("--json", action="store_true", help="print the answers as JSON")
    parser.add_argument("--page", type=Path, help="write a page there")


def run(arguments: argparse.Namespace) -> int:
    """Read the table, check it, and say, print or write what was found."""
    from opchar.printed import Protocol, check, infer, read_table
    from opchar.printed.inference import open_choices

    corrections = read_corrections(arguments.taken) if arguments.taken else {}
    table = read_table(_text(arguments.table), corrections)
    stated = {
        field.name: getattr(arguments, field.name)
        for field in fields(Protocol)
        if getattr(arguments, field.name) is not None
    }
    if {"folds", "parts"} & set(stated) and "averages" not in stated:
        stated["averages"] = "fold-means"
    protocol = Protocol(**stated)
    inferred = None
    with _solver_output_apart():
        answers = check(table, protocol)
        if arguments.infer:
            given = [name for name in stated if getattr(arguments, name) is not None]
            inferred = infer(table, protocol, open_choices(table, protocol, given))
    if arguments.page:
        write_text(page(table, protocol, answers, inferred), arguments.page)
    if arguments.json:
        print(json.dumps(as_json(table, protocol, answers, inferred), indent=2, default=str))
    else:
        print("\n".join(answer_lines(table, answers, inferred)))
    return 0


@contextmanager
def _solver_output_apart() -> Iterator[None]:
    """Send what a solver prints by itself to the standard error: the output is the answer alone.

    HiGHS 1.12, which SciPy has, prints a line of its own in some searches (its issue 2783).
    """
    sys.stdout.flush()
    output = os.dup(1)
    os.dup2(2, 1)
    try:
        yield
    finally:
        os.dup2(output, 1)
        os.close(output)


def read_corrections(path: Path) -> dict[str, tuple[str, str]]:
    """Read corrected column names, from a CSV file ``column,taken for,unit``.

    Raises
    ------
    DataError
        If a line has other than two or three cells.
    """
    found = {}
    for number, line in enumerate(csv.reader(_text(str(path)).splitlines()), start=1):
        if len(line) not in (2, 3):
            raise DataError(f"{path}, line {number}: write column,taken for,unit")
        found[line[0]] = (line[1].strip(), line[2].strip() if len(line) == 3 else "")
    found.pop("column", None)
    return found


def meanings(table: Table) -> list[str]:
    """Return a line for each column with the quantity that it was taken for."""
    found = []
    for heading in table.columns:
        taken, unit = table.taken[heading], table.units[heading]
        sized = taken in ("", "objects", "positives", "negatives")
        found.append(f"{heading}: {taken or 'not known'}" + ("" if sized else f", in {unit}"))
    return found


def not_checked(table: Table, answers: dict[str, Answer]) -> list[str]:
    """Return lines that name the columns that were not checked, and the cells not understood."""
    from opchar.printed.headings import known_headings

    spellings = [spelling for own in known_headings().values() for spelling in own]
    left = {heading for answer in answers.values() for heading in answer.unchecked}
    named = [
        f"{heading} ({table.taken[heading] or 'no index' + nearest(heading.lower(), spellings)})"
        for heading in table.columns
        if heading in left
    ]
    lines = [f"not checked: {', '.join(named)}"] if named else []
    return lines + ([f"not read: {', '.join(table.unread)}"] if table.unread else [])


def answer_lines(table: Table, answers: dict[str, Answer], inferred: Inference | None) -> list[str]:
    """Return the answers as lines of text."""
    lines = [*not_checked(table, answers), "taken for", *(f"  {line}" for line in meanings(table))]
    for label, answer in answers.items():
        lines.append(f"{label}: {answer.status}")
        if answer.contradiction:
            lines.append(f"  contradiction: {', '.join(answer.contradiction)}")
        lines += [f"  {line}" for line in answer.arithmetic]
        if answer.witness:
            lines.append(f"  for example {_witness(answer.witness)}")
    return lines + _choices(inferred)


def as_json(
    table: Table, protocol: Protocol, answers: dict[str, Answer], inferred: Inference | None
) -> dict[str, Any]:
    """Return everything that was found, for `json.dumps`."""
    return {
        "protocol": asdict(protocol),
        "not checked": sorted({h for answer in answers.values() for h in answer.unchecked}),
        "taken": dict(table.taken),
        "units": dict(table.units),
        "rows": {label: asdict(answer) for label, answer in answers.items()},
        "inference": asdict(inferred) if inferred else None,
    }


def page(
    table: Table, protocol: Protocol, answers: dict[str, Answer], inferred: Inference | None
) -> str:
    """Return a page: the table, each row marked, and each contradiction under its row."""
    rows = []
    for label, answer in answers.items():
        cells = []
        for heading in table.columns:
            value = table.rows[label].get(heading)
            text = "" if value is None else value.text + (f" ± {value.spread}" * bool(value.spread))
            mark = ' class="in"' if heading in answer.contradiction else ""
            cells.append(f"<td{mark}>{escape(text)}</td>")
        why = answer.arithmetic or ((_witness(answer.witness),) if answer.witness else ())
        below = "<br>".join(map(escape, why))
        rows.append(
            f'<tr style="background:{_COLOURS[answer.status]}"><th>{escape(label)}</th>'
            f"{''.join(cells)}<td>{answer.status}</td></tr>"
            f'<tr><td colspan="{len(cells) + 2}">{below}</td></tr>'
        )
    choices = [f"<li>{escape(line.strip())}</li>" for line in _choices(inferred)]
    stated = [
        f"{name.replace('_', ' ')} {value}" for name, value in asdict(protocol).items() if value
    ]
    text = _PAGE.format(
        protocol=escape(", ".join(stated)),
        unchecked="".join(f"<p>{escape(line)}</p>" for line in not_checked(table, answers)),
        taken="".join(f"<li>{escape(line)}</li>" for line in meanings(table)),
        headings="".join(f"<th>{escape(heading)}</th>" for heading in table.columns),
        rows="".join(rows),
        inference=f"<h2>What is not stated</h2><ul>{''.join(choices)}</ul>" if choices else "",
    )
    return with_policy(text)


def _choices(inferred: Inference | None) -> list[str]:
    if inferred is None:
        return []
    tried = len(inferred.left) + len(inferred.refuted)
    lines = [f"{len(inferred.left)} of {tried} protocols leave the table possible"]
    for choice, share, same in zip(inferred.left, inferred.by_chance, inferred.same, strict=True):
        words = ", ".join(f"{name} {value}" for name, value in choice.items())
        doubt = ", not decided" if choice in inferred.undecided else ""
        chance = "" if share is None else f"; so would {share:.1%} of random tables be"
        lines.append(f"  {words}{doubt}{chance}")
        if same:
            lines[-1] += f"; {len(same)} more give these scores the same values"
    if inferred.objects:
        sizes = ", ".join(map(str, inferred.objects[:_MOST_SIZES]))
        more = f" and {len(inferred.objects) - _MOST_SIZES} more"
        more *= len(inferred.objects) > _MOST_SIZES
        lines.append(f"  sizes of one test set for all rows: {sizes}{more} objects")
    if inferred.unfilled:
        folds = sorted({choice["folds"] for choice in inferred.unfilled if "folds" in choice})
        many = ", ".join(map(str, folds))
        lines.append(f"  not tried: {many} folds, which a class does not fill")
    for label, often in Counter(row for _, row in inferred.refuted).items():
        lines.append(f"  {label} is impossible under {often} of them")
    if inferred.deciding:
        lines.append(f"  to decide between them: {', '.join(inferred.deciding)}")
    return lines


def _witness(witness: Any) -> str:
    if isinstance(witness, dict):
        return ", ".join(f"{name.upper()} = {count}" for name, count in witness.items())
    return "; ".join(_witness(part) for part in witness)


def _text(name: str) -> str:
    if name == "-":
        return sys.stdin.read()
    try:
        return Path(name).read_text(encoding="utf-8-sig")
    except FileNotFoundError as error:
        raise DataError(f"{name}: no such file") from error
    except UnicodeDecodeError as error:
        raise DataError(f"{name}: not a text in UTF-8; save it as such") from error


def _parts(text: str) -> tuple[tuple[int, int], ...]:
    found = re.findall(r"(\d+)\+(\d+)", text)
    if ",".join("+".join(pair) for pair in found) != text or not found:
        raise argparse.ArgumentTypeError(f"'{text}' is not as in 52+94,74+37")
    return tuple((int(p), int(n)) for p, n in found)


def _sizes(text: str) -> tuple[int, ...]:
    try:
        found = tuple(typed_whole(part) for part in text.split(","))
    except argparse.ArgumentTypeError:
        raise argparse.ArgumentTypeError(f"'{text}' is not as in 50,50,20") from None
    if len(found) < 2 or min(found) < 1:
        raise argparse.ArgumentTypeError(f"'{text}' is not two or more sizes from 1")
    return found
