"""Work in copies of a process."""

import os
import pickle
import sys
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, BinaryIO

Copy = tuple[int, BinaryIO]


def begin(work: Callable[[], Any]) -> Copy:
    """Begin some work in a copy of this process."""
    return begin_steps(partial(_only_step, work))


def _only_step(work: Callable[[], Any]) -> Iterator[Any]:
    yield work()


def begin_steps(work: Callable[[], Iterator[Any]]) -> Copy:
    """Begin some work in a copy of this process that gives one result after the other."""
    sys.stdout.flush()
    reader, writer = os.pipe()
    if not (copy := os.fork()):
        os.close(reader)
        _tell(work, writer)
    os.close(writer)
    return copy, os.fdopen(reader, "rb")


def _tell(work: Callable[[], Iterator[Any]], writer: int) -> None:
    """Write what some work gives or raises, and end the copy."""
    try:
        with os.fdopen(writer, "wb") as told:
            try:
                for result in work():
                    pickle.dump((True, result), told)
                    told.flush()
            except BaseException as error:
                from traceback import format_exc

                error.add_note(format_exc())
                pickle.dump((False, error), told)
        sys.stdout.flush()
        sys.stderr.flush()
    finally:
        os._exit(0)


def take(told: BinaryIO) -> Any:
    """Return the next result of the work in a copy, or raise what it raised."""
    try:
        good, result = pickle.load(told)
    except EOFError:
        good, result = False, ChildProcessError("a copy was ended")
    if not good:
        raise result
    return result


def end(copy: int, told: BinaryIO) -> Any:
    """Return the last result of the work in a copy when the copy has ended, or raise as `take`."""
    try:
        return take(told)
    finally:
        told.close()
        os.waitpid(copy, 0)
