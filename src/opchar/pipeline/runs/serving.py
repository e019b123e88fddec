"""The preloaded server of a run: where it listens, when it is worth its start, and its end."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from opchar.pipeline.jobs.preloaded import PYTHON, SERVER

STATE = Path(".opchar")
# Small jobs, by their rules; fewer than these do not repay what loading all libraries takes.
RULES = ("build_features", "lay_out_table", "draw_figure")
FEWEST = 4


class Server:
    """Starts small jobs of a run without a new Python (`opchar.pipeline.jobs.preloaded`).

    It listens from the beginning, in a folder that only this user can enter, and starts when it is
    known that the run has enough small jobs. On a machine that cannot have one, or when
    ``OPCHAR_JOBS_SERVER`` is set to nothing, all jobs start by themselves.

    Attributes
    ----------
    folder : pathlib.Path
        Where its socket is.
    """

    def __init__(self) -> None:
        self.folder = STATE / f"jobs-{os.getpid()}"
        self._listener: socket.socket | None = None
        self._process: subprocess.Popen[bytes] | None = None
        self._lifeline = -1
        if sys.platform == "linux" and os.environ.get(SERVER) != "":
            with suppress(OSError):
                self._listen()

    def _listen(self) -> None:
        _sweep()
        self.folder.mkdir(mode=0o700, parents=True)
        listener = socket.socket(socket.AF_UNIX)
        try:
            # Short, since an address may have a hundred letters only: jobs start in this folder.
            listener.bind(str(self.folder / "socket"))
            listener.listen(128)
        except OSError:
            listener.close()
            raise
        self._listener = listener

    @property
    def environment(self) -> dict[str, str]:
        """Return what tells jobs where the server is."""
        if self._listener is None:
            return {}
        return {SERVER: str(self.folder / "socket"), PYTHON: sys.executable}

    def expect(self, planned: Mapping[str, int]) -> None:
        """Start when the run has enough small jobs; else let all jobs start by themselves."""
        listener, self._listener = self._listener, None
        if listener is None:
            return
        with listener:
            if sum(planned.get(rule, 0) for rule in RULES) < FEWEST:
                return
            reading, self._lifeline = os.pipe()
            words = ["-m", "opchar.pipeline.jobs.preloaded", str(listener.fileno()), str(reading)]
            self._process = subprocess.Popen(
                [sys.executable, *words],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                pass_fds=[listener.fileno(), reading],
            )
            os.close(reading)

    def end(self) -> None:
        """End; jobs that still run are left to their commands."""
        if self._listener is not None:
            self._listener.close()
        if self._process is not None:
            os.close(self._lifeline)
            self._process.wait()
        self._listener = self._process = None
        shutil.rmtree(self.folder, ignore_errors=True)


def _sweep() -> None:
    """Remove what runs have left that were killed."""
    for folder in STATE.glob("jobs-*"):
        try:
            os.kill(int(folder.name.removeprefix("jobs-")), 0)
        except ProcessLookupError:
            shutil.rmtree(folder, ignore_errors=True)
        except (OSError, ValueError):
            continue
