"""The command line for people: run, readings, list, where, status, verify, data, ledger, ..."""

from __future__ import annotations

import io
import sys

from opchar.cli.parser import ANYWHERE, parser
from opchar.cli.project import enter_project
from opchar.errors import OpcharError, of_the_machine


def main(arguments: list[str] | None = None) -> int:
    """Run a command; what a person can mend is said in one line."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # a terminal without Unicode
    chosen = parser().parse_args(arguments)
    try:
        if chosen.function not in ANYWHERE:
            enter_project()
        return int(chosen.function(chosen))
    except OpcharError as error:
        print(f"opchar: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("opchar: stopped", file=sys.stderr)
        return 130
    except BrokenPipeError:
        sys.stdout = None  # the reader has seen enough, as in `opchar list | head`
        return 1
    except (OSError, MemoryError) as error:
        if not (said := of_the_machine(error)):
            raise
        print(f"opchar: {said}", file=sys.stderr)
        return 1
