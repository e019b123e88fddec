"""Run one job of the workflow: ``python -P src/opchar_reproduction/jobs/__main__.py <kind> ...``.

It is started by its path and imports nothing of the packages at first, so that their bytecode is
checked before any of it runs.
"""

import atexit
import gc
import marshal
import os
import signal
import sys
from contextlib import suppress
from importlib.machinery import SourceFileLoader
from importlib.util import MAGIC_NUMBER, cache_from_source, source_hash
from pathlib import Path
from types import CodeType
from typing import NoReturn

# Objects made between two searches for cycles: to load libraries makes many, and all of them stay.
BETWEEN_SEARCHES = 10_000
# Bytecode that is good for a text of the same hash (PEP 552), whatever size and time its file has.
BY_CONTENT = b"\3\0\0\0"
SOURCE = Path(__file__).resolve().parents[2]
PACKAGES = tuple(f"{SOURCE / name}{os.sep}" for name in ("opchar", "opchar_reproduction"))
LIBRARIES = (f"{os.sep}site-packages{os.sep}", f"{os.sep}dist-packages{os.sep}")


def check_bytecode() -> dict[str, tuple[str, bytes]]:
    """Let this process run code only of texts that it has read."""
    loaded: dict[str, tuple[str, bytes]] = {}
    of_libraries = SourceFileLoader.get_code

    def get_code(self: SourceFileLoader, fullname: str) -> CodeType | None:
        path = self.get_filename(fullname)
        ours = path.startswith(PACKAGES)
        if not ours and (path.startswith(os.__file__[:-5]) or any(p in path for p in LIBRARIES)):
            return of_libraries(self, fullname)
        text = self.get_data(path)
        loaded[fullname] = path, text
        kept, head = cache_from_source(path), MAGIC_NUMBER + BY_CONTENT + source_hash(text)
        with suppress(OSError, EOFError, ValueError, TypeError):
            known = self.get_data(kept)
            code = marshal.loads(known[16:]) if known.startswith(head) else None
            if isinstance(code, CodeType) and code.co_filename == path:  # else of a copied folder
                return code
        code = self.source_to_code(text, path)
        if not sys.dont_write_bytecode:
            self.set_data(kept, head + marshal.dumps(code))
        return code

    SourceFileLoader.get_code = get_code  # type: ignore[assignment, method-assign]
    return loaded


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
    read = check_bytecode()
    from opchar_reproduction.project.environment import start_anew

    gc.set_threshold(BETWEEN_SEARCHES)
    start_anew()
    end_at_once()
    from opchar_reproduction.jobs.commands import main

    end(main(loaded=read))
