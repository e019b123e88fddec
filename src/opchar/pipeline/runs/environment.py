"""The environment that jobs run in, and what a person may say through it."""

from __future__ import annotations

import gc
import os
import sys
from pathlib import Path

import opchar

# Names the configuration that `opchar run` has read and checked for the Snakemake that it starts.
PLANNED = "OPCHAR_PLANNED"
# Objects made between two searches for cycles: planning makes millions that stay.
BETWEEN_SEARCHES = 200_000
# Bytes. glibc gives arrays above 128 KiB back at once and asks for them anew, page by page, at the
# next call: in searches of a few thousand objects a sixth of the time. Other libraries of C ignore
# these names.
KEPT_MEMORY = {
    "MALLOC_MMAP_THRESHOLD_": 1 << 25,
    "MALLOC_TRIM_THRESHOLD_": 1 << 28,
    "MALLOC_TOP_PAD_": 1 << 24,
}
ONE_THREAD = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")


def prepare() -> None:
    """Let jobs find this Python and this code first, and keep bytecode and memory they have had.

    Each runs on one thread: bits of linear algebra depend on the number of threads, and
    parallelism is across jobs.
    """
    here = str(Path(sys.executable).parent)
    os.environ["PATH"] = os.pathsep.join([here, os.environ.get("PATH", "")])
    os.environ["PYTHONPATH"] = str(Path(opchar.__file__).resolve().parents[1])
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    if not os.access(Path("~").expanduser(), os.W_OK):
        # Snakemake keeps a cache there, and ends with a traceback where it cannot.
        os.environ.setdefault("XDG_CACHE_HOME", str(Path(".opchar/cache").resolve()))
    for name in ONE_THREAD:
        os.environ[name] = "1"
    for name, size in KEPT_MEMORY.items():
        os.environ.setdefault(name, str(size))


def plan_quickly() -> None:
    """Let Python search for cycles of dead objects seldom: planning makes many that live on.

    With Python's own limits the search takes a quarter of the time in which Snakemake plans.
    """
    gc.freeze()
    gc.set_threshold(BETWEEN_SEARCHES, 50, 50)


def mirror() -> str | None:
    """Return the folder or URL of ``OPCHAR_MIRROR``, if it is set."""
    return os.environ.get("OPCHAR_MIRROR") or None


def goals() -> list[str]:
    """Return what the command line was asked to make (``OPCHAR_GOALS``); all when empty."""
    return os.environ.get("OPCHAR_GOALS", "").split()


def planned() -> Path | None:
    """Return the configuration that is read and checked already, if this run has one."""
    return Path(os.environ[PLANNED]) if os.environ.get(PLANNED) else None
