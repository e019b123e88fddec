"""Work in copies of a process."""

from collections.abc import Callable
from multiprocessing import get_context
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from traceback import format_exc
from typing import Any

Copy = tuple[BaseProcess, Connection]


def begin(work: Callable[[], Any]) -> Copy:
    """Begin some work in a copy of this process."""
    context = get_context("fork")
    reader, writer = context.Pipe(duplex=False)
    copy = context.Process(target=_tell, args=(work, writer))
    copy.start()
    writer.close()
    return copy, reader


def _tell(work: Callable[[], Any], writer: Connection) -> None:
    try:
        said = True, work()
    except BaseException as error:
        error.add_note(format_exc())
        said = False, error
    writer.send(said)


def end(copy: BaseProcess, reader: Connection) -> Any:
    """Return what the work in a copy returned, or raise what it raised."""
    try:
        good, result = reader.recv()
    except EOFError:
        good, result = False, ChildProcessError("a copy was ended")
    copy.join()
    reader.close()
    if not good:
        raise result
    return result
