"""The environment that jobs run in, and what a person may say through it."""

from __future__ import annotations

import os
import sys
from pathlib import Path

ONE_THREAD = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")


def prepare() -> None:
    """Let jobs find this Python and this code first, keep bytecode, and run on one thread each.

    Bits of linear algebra depend on the number of threads; parallelism is across jobs.
    """
    here = str(Path(sys.executable).parent)
    os.environ["PATH"] = os.pathsep.join([here, os.environ.get("PATH", "")])
    os.environ["PYTHONPATH"] = str(Path(__file__).resolve().parents[1])
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    for name in ONE_THREAD:
        os.environ[name] = "1"


def mirror() -> str | None:
    """Return the folder or URL of ``OPCHAR_MIRROR``, if it is set."""
    return os.environ.get("OPCHAR_MIRROR") or None


def goals() -> list[str]:
    """Return what the command line was asked to make (``OPCHAR_GOALS``); all when empty."""
    return os.environ.get("OPCHAR_GOALS", "").split()
