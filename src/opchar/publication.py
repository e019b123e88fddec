"""The folder of a publication: its studies, and beside them the files of what it prints.

======================= ==========================================================================
``about.yaml``          title, authors, year, citation, and what else `About` says
``values.csv``          every printed number and claim, one a line
``errata.csv``          printed lines that contradict the work's own definitions or inputs
``leads.csv``           suspected errors, each with a decision and its evidence
``causes.csv``          why lines differ
``apart.csv``           values that could not have come out otherwise
``expected.csv``        the verdicts that a run must give
``catalogue.csv``       all its figures, tables, equations and algorithms
``proofreading/``       facts of its text that `opchar proofread` checks, if any were copied
``<section>/*.py``      studies, as `opchar.study` marks them
======================= ==========================================================================
"""

from __future__ import annotations

from pathlib import Path

from opchar.errors import ConfigError, nearest

HOME = Path(__file__).resolve().parent / "publications"
# Below what a difference counts as none, for the units of all publications.
MARGINS = HOME / "margins.csv"
ABOUT = "about.yaml"
TABLES = ("values", "errata", "leads", "causes", "apart", "expected", "catalogue")


def folders(*keys: str) -> dict[str, Path]:
    """Return the folders of the package's publications by key.

    Parameters
    ----------
    *keys : str
        Only these, in this order; all by name when not given.

    Raises
    ------
    ConfigError
        If there is no such publication.
    """
    found = {path.parent.name: path.parent for path in sorted(HOME.glob(f"*/{ABOUT}"))}
    if unknown := [key for key in keys if key not in found]:
        raise ConfigError(f"no publication '{unknown[0]}'{nearest(unknown[0], list(found))}")
    return {key: found[key] for key in keys or found}


def from_here(path: Path) -> str:
    """Return a path from the working folder where it is in it, else the whole path."""
    here = Path.cwd().resolve()
    return (path.relative_to(here) if path.is_relative_to(here) else path).as_posix()


def file(folder: Path | str, name: str) -> Path:
    """Return a file of a publication's folder by its name in `TABLES`, or ``"about"``."""
    return Path(folder) / (ABOUT if name == "about" else f"{name}.csv")
