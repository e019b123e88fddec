"""The versions of the libraries that a job's code can import, and of those that it did import."""

import platform
import re
import sys
from collections.abc import Iterable
from contextlib import suppress
from functools import cache
from hashlib import sha256
from importlib.metadata import (
    Distribution,
    PackageNotFoundError,
    distribution,
    packages_distributions,
)
from importlib.util import find_spec
from pathlib import Path

from opchar import __version__
from opchar_reproduction.project.reading import PACKAGES

# These bring files, whose bytes are checked, or show progress: no result depends on them.
UNCOUNTED = frozenset({"pooch", "requests", "tqdm"})
# It gives the same numbers as the code that runs without it: it counts where it was imported.
OPTIONAL = frozenset({"numba", "llvmlite"})
STANDARD = sys.stdlib_module_names
# Names of distributions that are not those of their modules, so that not all have to be read.
NAMES = {
    "PIL": "pillow",
    "cv2": "opencv-python-headless",
    "dateutil": "python-dateutil",
    "imblearn": "imbalanced-learn",
    "mpl_toolkits": "matplotlib",
    "skimage": "scikit-image",
    "sklearn": "scikit-learn",
    "yaml": "pyyaml",
}
# What the pages name.
SHOWN = ("numpy", "scipy", "scikit-learn", "statsmodels", "pandas", "matplotlib", "snakemake")
REQUIRED = re.compile(r"^([\w.-]+)(?!.*\bextra\s*==)")


def versions(modules: Iterable[str], without: Iterable[str] = ()) -> dict[str, str]:
    """Return the versions of what modules belong to, and of all that these require."""
    tops = {name.split(".")[0] for name in modules}
    waiting = [_distribution_of(top) for top in tops - UNCOUNTED - OPTIONAL - STANDARD]
    found: dict[str, str] = {}
    left_out = OPTIONAL.union(without)
    while waiting:
        if (name := waiting.pop()) not in found and name not in left_out:
            found[name] = version_of(name)
            waiting += _requirements(name)
    return dict(sorted(found.items()))


def imported_libraries(counted: Iterable[str], before: Iterable[str] = ()) -> dict[str, str]:
    """Return the versions of libraries that this process has imported, but for those counted."""
    tops = {name.split(".")[0] for name in sys.modules} - UNCOUNTED - STANDARD - set(before)
    others = {_distribution_of(top) for top in tops if _is_library(top)}
    return {name: version_of(name) for name in sorted(others.difference(counted, PACKAGES))}


def shown_versions() -> dict[str, str]:
    """Return the versions that the pages name: of this project, of Python, of libraries."""
    ours = {"opchar": __version__, "Python": platform.python_version()}
    return ours | {name: version_of(name) for name in SHOWN}


@cache
def version_of(name: str) -> str:
    """Return the version of a distribution, or its substitute; ``absent`` without one."""
    if (known := _installed_distribution(name)) is not None and known.read_text(
        "direct_url.json"
    ) is None:
        return known.version
    with suppress(ImportError, ValueError, OSError):
        if (spec := find_spec(_module_of(name))) is not None and spec.origin:
            place = Path(spec.origin)
            package = spec.submodule_search_locations
            files = sorted(place.parent.rglob("*.py")) if package else [place]
            text = b"\0".join(file.read_bytes() for file in files)
            return f"text-{sha256(text).hexdigest()[:16]}"
    return known.version if known is not None else "absent"


def _module_of(name: str) -> str:
    return next((module for module, each in NAMES.items() if each == name), name.replace("-", "_"))


@cache
def _installed_distribution(name: str) -> Distribution | None:
    try:
        return distribution(name)
    except PackageNotFoundError:
        return None


@cache
def _distribution_of(module: str) -> str:
    """Return the distribution that brings a module; the name of the module if none does."""
    name = NAMES.get(module, module)
    if _installed_distribution(name) is not None:
        return name
    return _all().get(module, [name])[0]


_all = cache(packages_distributions)


@cache
def _requirements(name: str) -> list[str]:
    """Return what an installed distribution requires, but for its extras."""
    known = _installed_distribution(name)
    texts = (known.requires or []) if known is not None else []
    found = [match[1] for text in texts if (match := REQUIRED.match(text))]
    return [each.lower() for each in found if _installed_distribution(each) is not None]


def _is_library(top: str) -> bool:
    module = sys.modules.get(top)
    return bool(module and getattr(module, "__spec__", None)) and not top.startswith(
        ("opchar", "_")
    )
