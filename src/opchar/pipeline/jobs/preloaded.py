"""A server that starts small jobs without a new Python: it has the libraries loaded, and forks.

Reading libraries takes a figure or a table longer than its own work. A run of many small jobs
therefore starts one process that loads the libraries, but nothing of ours, and waits. The command
of a rule stays what it is: ``python -m opchar.pipeline.jobs`` finds the server by a variable of the
environment, hands it its words, folder, environment and open files, and waits for the status. So
Snakemake stays in charge: to it, the command is the job. A job whose command is killed dies with
it, and a command whose job is killed dies likewise. Where there is no server, or it ends before it
has begun a job, the command does the job itself, so that nothing depends on it.

Only kinds of job that Snakemake does not measure are handed over: a job of the server is no
descendant of its command. Nothing here may import more than the standard library.
"""

from __future__ import annotations

import gc
import importlib
import json
import os
import select
import signal
import socket
import sys
import threading
from contextlib import suppress
from typing import Any, NoReturn

# The socket of the server, and the Python that it runs.
SERVER, PYTHON = "OPCHAR_JOBS_SERVER", "OPCHAR_JOBS_PYTHON"
SMALL = ("features", "table", "figure")
LIBRARIES = ("pandas", "pyarrow.parquet", "scipy.stats", "sklearn.base", "matplotlib.pyplot")
BACKENDS = ("agg", "svg", "pdf")
# pyarrow's allocator has a thread of its own and is prepared for forks.
FORKING = ("jemalloc_bg_thd",)
BEGUN = b"+"
LENGTH = 8


def end_at_once() -> None:
    """Let Ctrl-C end this process wherever it is, also inside a library's long computation.

    Python itself would wait until that returns. Nothing is lost: files are whole or not there.
    """
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)


def asked(words: list[str]) -> int | None:
    """Let the server of the run do a job.

    Parameters
    ----------
    words : list of str
        The command line of the job.

    Returns
    -------
    int or None
        The status of the job; None when it has to be done here: it is not small, there is no
        server, the server runs another Python, or it ended before it began the job.
    """
    address = os.environ.get(SERVER)
    if not address or os.environ.get(PYTHON) != sys.executable or not small(words):
        return None
    try:
        with socket.socket(socket.AF_UNIX) as connection:
            connection.connect(address)
            request = json.dumps(_request(words)).encode()
            socket.send_fds(connection, [len(request).to_bytes(LENGTH, "big")], [0, 1, 2])
            connection.sendall(request)
            return _status_of(connection) if connection.recv(1) == BEGUN else None
    except OSError:
        return None


def _status_of(connection: socket.socket) -> int:
    """Wait for the status of a job that has begun; where it was killed, its command is too."""
    status = b""
    with suppress(OSError):
        status = connection.recv(1)
    if not status:
        os.kill(os.getpid(), signal.SIGKILL)
    return status[0]


def small(words: list[str]) -> bool:
    """Whether a command line is that of a small job."""
    return any(word in SMALL for word in words[:3])


def _request(words: list[str]) -> dict[str, Any]:
    umask = os.umask(0o077)
    os.umask(umask)
    environment = {name: value for name, value in os.environ.items() if name != SERVER}
    folder = os.getcwd()  # noqa: PTH109  (pathlib takes longer to load than all of this)
    return {"words": words, "folder": folder, "umask": umask, "environment": environment}


def serve(listener: socket.socket, lifeline: int) -> None:
    """Load the libraries, then do each job that is asked for in a fork, until the run has ended.

    Parameters
    ----------
    listener : socket.socket
        Bound and listening.
    lifeline : int
        A file descriptor that ends when the run does.
    """
    _load()
    if len(_threads()) > 1:  # a fork would copy locks that nobody opens
        return
    gc.collect()
    gc.freeze()
    listener.setblocking(False)  # who asked may be gone
    watched: list[Any] = [listener, lifeline]
    while True:
        ready, _, _ = select.select(watched, [], [])
        _reap()
        if lifeline in ready:
            return
        try:
            connection, _ = listener.accept()
        except BlockingIOError:
            continue
        connection.setblocking(True)
        if os.fork() == 0:
            listener.close()
            os.close(lifeline)
            _do(connection)
        connection.close()


def _reap() -> None:
    """Take notice of ended jobs, so that what they used counts as used by the run."""
    with suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass


def _load() -> None:
    for name in LIBRARIES:
        importlib.import_module(name)
    for name in BACKENDS:
        importlib.import_module(f"matplotlib.backends.backend_{name}")


def _threads() -> list[str]:
    """Return the names of the threads of this process that a fork has to fear."""
    from pathlib import Path

    names = [(task / "comm").read_text().strip() for task in Path("/proc/self/task").iterdir()]
    return [name for name in names if name not in FORKING]


def _do(connection: socket.socket) -> NoReturn:
    """Become a job, do it, and tell its command the status."""
    status = 1
    try:
        words = _become(connection)
        connection.sendall(BEGUN)
        threading.Thread(target=_die_with, args=(connection,), daemon=True).start()
        status = _status(words)
    finally:
        with suppress(OSError):
            connection.sendall(bytes([status]))
        os._exit(status)


def _become(connection: socket.socket) -> list[str]:
    """Take the files, folder and environment of a command; return its words."""
    first, files, _, _ = socket.recv_fds(connection, LENGTH, 3)
    for place, file in enumerate(files):
        os.dup2(file, place)
        os.close(file)
    with connection.makefile("rb") as stream:
        first += stream.read(LENGTH - len(first))
        request = json.loads(stream.read(int.from_bytes(first, "big")))
    os.environ.clear()
    os.environ.update(request["environment"])
    os.umask(request["umask"])
    words: list[str] = request["words"]
    sys.argv = ["opchar.pipeline.jobs", *words]
    sys.orig_argv = [sys.executable, "-m", *sys.argv]
    os.chdir(request["folder"])
    return words


def _die_with(connection: socket.socket) -> None:
    """Wait until the command of this job is gone; then be gone as well."""
    with suppress(OSError):
        connection.recv(1)
    os.kill(os.getpid(), signal.SIGKILL)


def _status(words: list[str]) -> int:
    """Do a job; what it raises is shown as Python would."""
    from opchar.pipeline.jobs.commands import main

    try:
        status = main(words)
    except SystemExit as end:
        status = end.code if isinstance(end.code, int) else int(end.code is not None)
    except BaseException:
        sys.excepthook(*sys.exc_info())
        status = 1
    with suppress(OSError):
        sys.stdout.flush()
        sys.stderr.flush()
    return status & 0xFF


if __name__ == "__main__":
    end_at_once()
    serve(socket.socket(fileno=int(sys.argv[1])), int(sys.argv[2]))
