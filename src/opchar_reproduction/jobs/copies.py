"""Work in copies of a process."""

import os
import pickle
import sys
from collections.abc import Callable
from typing import Any

Copy = tuple[int, int]


def begin(work: Callable[[], Any]) -> Copy:
    """Begin some work in a copy of this process."""
    sys.stdout.flush()
    reader, writer = os.pipe()
    if not (copy := os.fork()):
        os.close(reader)
        _tell(work, writer)
    os.close(writer)
    return copy, reader


def _tell(work: Callable[[], Any], writer: int) -> None:
    """Write what some work returns or raises, and end the copy."""
    try:
        said = True, work()
    except BaseException as error:
        from traceback import format_exc

        error.add_note(format_exc())
        said = False, error
    try:
        with os.fdopen(writer, "wb") as told:
            pickle.dump(said, told)
        sys.stdout.flush()
        sys.stderr.flush()
    finally:
        os._exit(0)


def end(copy: int, reader: int) -> Any:
    """Return what the work in a copy returned, or raise what it raised."""
    with os.fdopen(reader, "rb") as told:
        text = told.read()
    os.waitpid(copy, 0)
    good, result = pickle.loads(text) if text else (False, ChildProcessError("a copy was ended"))
    if not good:
        raise result
    return result
