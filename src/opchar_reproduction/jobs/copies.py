"""Work in copies of a process."""

import os
import pickle
from collections.abc import Callable
from traceback import format_exc
from typing import Any


def begin(work: Callable[[], Any]) -> tuple[int, int]:
    """Begin some work in a copy of this process."""
    reader, writer = os.pipe()
    if not (copy := os.fork()):
        try:
            said = True, work()
        except BaseException as error:
            error.add_note(format_exc())
            said = False, error
        os.write(writer, pickle.dumps(said))
        os._exit(0)
    os.close(writer)
    return copy, reader


def end(copy: int, reader: int) -> Any:
    """Return what the work in a copy returned, or raise what it raised."""
    with os.fdopen(reader, "rb") as told:
        said = told.read()
    os.waitpid(copy, 0)
    good, result = pickle.loads(said) if said else (False, ChildProcessError("a copy was ended"))
    if not good:
        raise result
    return result
