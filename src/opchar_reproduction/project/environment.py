"""The environment variables of jobs, and those that a user may set."""

import gc
import os
import site
import sys
from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path

import opchar
from opchar_reproduction.project.kernels import pinned_kernels

# Names the configuration that `opchar run` has read and checked for the Snakemake that it starts.
PLANNED = "OPCHAR_PLANNED"
# Objects made between two searches for cycles: planning makes millions that stay.
BETWEEN_SEARCHES = 200_000
# Bytes. glibc gives arrays above 128 KiB back at once and asks for them anew, page by page, at the
# next call: in searches of a few thousand objects a sixth of the time, with kernels of all pairs
# of objects a tenth. Other libraries of C ignore these names.
KEPT_MEMORY = {
    "MALLOC_MMAP_THRESHOLD_": 1 << 30,
    "MALLOC_TRIM_THRESHOLD_": 1 << 31,
    "MALLOC_TOP_PAD_": 1 << 24,
}
# Bits of linear algebra depend on the number of threads; parallelism is across jobs.
ONE_THREAD = (
    "OMP_NUM_THREADS",
    "OPENBLAS_NUM_THREADS",
    "GOTO_NUM_THREADS",
    "MKL_NUM_THREADS",
    "VECLIB_MAXIMUM_THREADS",
    "NUMEXPR_NUM_THREADS",
)
# By these names a person or a machine changes what Python and the libraries do.
DROPPED = (
    *("PYTHON", "LC_", "LANG", "TZ", "SOURCE_DATE_EPOCH", "MATPLOTLIB", "MPLBACKEND"),
    *("OMP_", "GOMP_", "KMP_", "OPENBLAS_", "GOTO_", "MKL_", "BLIS_", "VECLIB_", "NUMEXPR_"),
    *("GLIBC_", "NPY_", "NUMPY_", "SCIPY_", "SKLEARN_", "JOBLIB_", "LOKY_", "PANDAS_", "ARROW_"),
    "NUMBA_",
)


def job_environment(given: Mapping[str, str]) -> dict[str, str]:
    """Return the environment that jobs run in, made from another one.

    A setting that could change a result, or its code, has the same value everywhere: number of
    threads, kernels, locale, time zone, hash seed, Python's path and switches, library settings.
    The rest (folders, network, the choices of a person) stays.
    """
    kept = {name: value for name, value in given.items() if not name.startswith(DROPPED)}
    memory = {name: str(size) for name, size in KEPT_MEMORY.items()}
    fixed = {
        "PYTHONPATH": str(Path(opchar.__file__).resolve().parents[1]),
        "PYTHONHASHSEED": "0",
        "PYTHONSAFEPATH": "1",
        "PYTHONUTF8": "1",
        "LC_ALL": "C",
        "TZ": "UTC",
        **dict.fromkeys(ONE_THREAD, "1"),
        **pinned_kernels(),
        "NUMBA_CACHE_DIR": str(Path(".opchar/numba").resolve()),
        **_cache(given),
    }
    if not _in_user_site("numpy"):
        fixed["PYTHONNOUSERSITE"] = "1"
    return memory | kept | fixed


def start_anew() -> None:
    """Start the program of this process again in the environment of jobs, if it has another."""
    wanted = job_environment(os.environ)
    if wanted != dict(os.environ):
        os.execve(sys.executable, [sys.executable, *sys.orig_argv[1:]], wanted)


def _cache(given: Mapping[str, str]) -> dict[str, str]:
    """Name a folder for caches where there is no home: Snakemake ends with a traceback else."""
    if "XDG_CACHE_HOME" in given or os.access(Path("~").expanduser(), os.W_OK):
        return {}
    return {"XDG_CACHE_HOME": str(Path(".opchar/cache").resolve())}


def _in_user_site(library: str) -> bool:
    """Whether a library is one that the user has installed for themselves alone."""
    found = find_spec(library)
    folder = site.getusersitepackages()
    return bool(found and found.origin and Path(found.origin).is_relative_to(folder))


def plan_quickly() -> None:
    """Let Python collect garbage seldom: planning makes many lasting objects."""
    gc.freeze()
    gc.set_threshold(BETWEEN_SEARCHES, 50, 50)


def mirror() -> str | None:
    """Return the folder or URL of ``OPCHAR_MIRROR``, if it is set."""
    return os.environ.get("OPCHAR_MIRROR") or None
