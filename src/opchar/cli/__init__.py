"""The command line: your scores, printed tables, the reproduction."""

from __future__ import annotations

import atexit
import gc
import io
import os
import signal
import sys
from pathlib import Path
from threading import current_thread, main_thread

from opchar.cli.parser import parser
from opchar.errors import OpcharError, of_the_machine
from opchar.pages import day_made

# What commands and options were called until version 0.2; understood in 0.3.
RENAMED = {"readings": "variants", "--reading": "--variant"}


def main(arguments: list[str] | None = None) -> int:
    """Run a command; what a person can mend is said in one line."""
    _prepare_streams_and_signals()
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # a terminal without Unicode
    chosen = parser().parse_args(current_words(sys.argv[1:] if arguments is None else arguments))
    if arguments is None and chosen.command == "analyse":
        # A program of seconds keeps all that it makes: to look for what can be thrown away takes
        # time only, also at its end. Threads of BLAS would wait, and take time to start.
        gc.disable()
        atexit.register(gc.freeze)
        os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    try:
        if "SOURCE_DATE_EPOCH" in os.environ:
            day_made()  # NumPy, too, refuses what is no number, with a traceback
        if chosen.prepare is not None:
            chosen.prepare(chosen)
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
        if not (text := of_the_machine(error)):
            raise
        print(f"opchar: {text}", file=sys.stderr)
        return 1


def _prepare_streams_and_signals() -> None:
    """Put nothing in the place of a closed stream; tidy up as after Ctrl-C when told to end."""
    while (place := os.open(os.devnull, os.O_RDWR)) <= 2:
        os.set_inheritable(place, True)
    os.close(place)
    sys.stdout, sys.stderr = (
        stream or Path(os.devnull).open("w")  # noqa: SIM115
        for stream in (sys.stdout, sys.stderr)
    )
    for name in ("SIGTERM", "SIGHUP"):
        number = getattr(signal, name, None)  # Windows has one of them
        if (
            number
            and signal.getsignal(number) == signal.SIG_DFL
            and current_thread() is main_thread()
        ):
            signal.signal(number, signal.default_int_handler)


def current_words(words: list[str]) -> list[str]:
    """Return the words of a command line by the names of this version, saying which are old."""
    found = []
    for index, word in enumerate(words):
        name, equals, value = word.partition("=")
        if name in RENAMED and (index == 0) != name.startswith("--"):
            print(f"opchar: '{name}' is now '{RENAMED[name]}'", file=sys.stderr)
            word = f"{RENAMED[name]}{equals}{value}"
        found.append(word)
    return found
