"""Run one job of the workflow: ``python -m opchar.pipeline.jobs <kind> ...``."""

import atexit
import gc
import os
import signal
import sys
from typing import NoReturn

# Objects made between two searches for cycles: to load libraries makes many, and all of them stay.
BETWEEN_SEARCHES = 10_000


def end_at_once() -> None:
    """Let Ctrl-C end this process wherever it is, also inside a library's long computation.

    Python itself would wait until that returns. Nothing is lost: files are whole or not there.
    """
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)


def end(status: int) -> NoReturn:
    """End this process without taking all loaded modules apart, a fifth of the time of a small job.

    What libraries have registered for the end is done, and what was printed is written.
    """
    atexit._run_exitfuncs()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(status)


if __name__ == "__main__":
    from opchar.pipeline.runs.environment import start_anew

    gc.set_threshold(BETWEEN_SEARCHES)
    start_anew()
    end_at_once()
    from opchar.pipeline.jobs.commands import main

    end(main())
