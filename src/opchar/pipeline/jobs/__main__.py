"""Run one job of the workflow: ``python -m opchar.pipeline.jobs <kind> ...``."""

import signal
import sys


def end_at_once() -> None:
    """Let Ctrl-C end this process wherever it is, also inside a library's long computation.

    Python itself would wait until that returns. Nothing is lost: files are whole or not there.
    """
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)


if __name__ == "__main__":
    from opchar.pipeline.runs.environment import start_anew

    start_anew()
    end_at_once()
    from opchar.pipeline.jobs.commands import main

    sys.exit(main())
