"""`opchar check`: from a printed table to what is possible, in words, as JSON and as a page."""

from __future__ import annotations

import argparse
import csv
import json
import os
import shlex
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import fields, replace
from importlib.metadata import version
from pathlib import Path
from typing import Any

from opchar.errors import DataError
from opchar.files import write_text


def run(arguments: argparse.Namespace) -> int:
    """Read the table, check it, and say, print or write what was found."""
    from opchar.printed import Protocol, check, infer, read_table
    from opchar.printed.found import Found, answer_lines, page
    from opchar.printed.inference import least_of, open_choices, shared_test_set

    corrections = read_corrections(arguments.taken) if arguments.taken else {}
    table = read_table(_text(arguments.table), corrections)
    given = {
        field.name: getattr(arguments, field.name)
        for field in fields(Protocol)
        if getattr(arguments, field.name, None) is not None
    }
    averages = {"averages": "fold-means"} if {"folds", "parts"} & set(given) else {}
    one_class = given.get("average") == "class" or "of_class" in given
    protocol = Protocol(**averages | given, one_class=one_class)
    inferred = None
    with _solver_output_apart():
        answers = check(table, protocol)
        if arguments.infer:
            inferred = infer(table, protocol, open_choices(table, protocol, list(given)))
            for label, one in answers.items():  # no advice to try what is tried
                left = tuple(hint for hint in one.hints if ": try --" not in hint)
                answers[label] = replace(one, hints=left)
        shared = shared_test_set(table, protocol, least=least_of(answers))
    found = Found(table, protocol, given, answers, shared, inferred)
    if arguments.page:
        name = "the table" if arguments.table == "-" else Path(arguments.table).name
        text = page(found, name, command_line(arguments, given), version("opchar"))
        write_text(text, arguments.page)
    if arguments.json:
        # Numbers that JSON does not have, such as an unknown standard error, become null.
        written = json.dumps(found.as_json(), default=str)
        print(json.dumps(json.loads(written, parse_constant=lambda name: None), indent=2))
    else:
        print("\n".join(answer_lines(found)))
    failing = {None: (), "impossible": ("impossible",)}.get(
        arguments.fail_on, ("impossible", "not decided")
    )
    return int(any(answer.status in failing for answer in answers.values()))


def command_line(arguments: argparse.Namespace, given: Mapping[str, Any]) -> str:
    """Return the command that repeats an answer."""
    words = ["opchar", "check", str(arguments.table)]
    for name, value in given.items():
        option = f"--{name.replace('_', '-')}"
        if isinstance(value, bool):
            words.append(option)
        elif isinstance(value, tuple):
            parts = ("+".join(map(str, v)) if isinstance(v, tuple) else str(v) for v in value)
            words += [option, ",".join(parts)]
        else:
            words += [option, str(value)]
    words += ["--taken", str(arguments.taken)] if arguments.taken else []
    return shlex.join([*words, *(["--infer"] if arguments.infer else [])])


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
    """Read corrected column names, from a CSV file ``column,taken for,unit``."""
    found = {}
    for number, line in enumerate(csv.reader(_text(str(path)).splitlines()), start=1):
        if len(line) not in (2, 3):
            raise DataError(f"{path}, line {number}: write column,taken for,unit")
        found[line[0]] = (line[1].strip(), line[2].strip() if len(line) == 3 else "")
    found.pop("column", None)
    return found


def _text(name: str) -> str:
    if name == "-":
        return sys.stdin.read()
    try:
        return Path(name).read_text(encoding="utf-8-sig")
    except FileNotFoundError as error:
        raise DataError(f"{name}: no such file") from error
    except UnicodeDecodeError as error:
        raise DataError(f"{name}: not UTF-8 text: save the file as UTF-8") from error
