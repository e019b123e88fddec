"""The folder of a publication: its studies, and beside them the files of what it prints.

======================= ==========================================================================
``about.yaml``          title, authors, year, citation, and what else `About` says
``values.csv``          every printed number and claim, one per line
``errata.csv``          printed lines that contradict the work's own definitions or inputs
``leads.csv``           suspected errors, each with a decision and its evidence
``causes.csv``          why lines differ
``apart.csv``           values that could not have come out otherwise
``expected.csv``        the verdicts that a run must give
``catalogue.csv``       all its figures, tables, equations and algorithms
``exhibits.csv``        what people are told of figures and tables; usual tables have no mark
``statements.csv``      criteria of claims, and what judges those that share a function
``variants.csv``        what it leaves open, and the admissible choices: protocol variants
``proofreading/``       facts of its text that `opchar proofread` checks, if any were copied
``<section>/*.py``      studies, as `opchar_reproduction.study` marks them
======================= ==========================================================================
"""

import re
import sys
from collections.abc import Container, Iterable, Mapping
from pathlib import Path
from types import ModuleType

from opchar.errors import ConfigError, nearest

PACKAGE = "opchar_reproduction.publications"
HOME = Path(__file__).resolve().parent / "publications"
# Below what a difference counts as none, for the units of all publications.
MARGINS = HOME / "margins.csv"
ABOUT = "about.yaml"
# No character in the path of a folder means something to a shell, to Snakemake or to a table.
PLAIN = re.compile(r"[\w./~+@ -]+")
KEY = re.compile(r"[a-z][a-z0-9]*")
# Names of other things that can be made, or stand in the same places.
TAKEN = frozenset(
    {"own", "figures", "tables", "scores", "report", "everything", "experiments"}
    | {"metric", "anova", "vus", "reject", "ibc", "costs"}
    | {"statements", "variants", "parts", "made", "all"}
)
TABLES = ("values", "errata", "leads", "causes", "apart", "expected", "catalogue")


def folders(*keys: str) -> dict[str, Path]:
    """Return the folders of the package's publications by key."""
    found = {path.parent.name: path.parent for path in sorted(HOME.glob(f"*/{ABOUT}"))}
    if unknown := [key for key in keys if key not in found]:
        raise ConfigError(f"no publication '{unknown[0]}'{nearest(unknown[0], list(found))}")
    return {key: found[key] for key in keys or found}


def outside(
    listed: Iterable[str], home: Path, files: Mapping[str, str] | None = None
) -> dict[str, Path]:
    """Return the folders of publications that do not come with the package, by key.

    `files`: Files that list folders, by folder, where these are not ``config/config.yaml``.
    """
    found: dict[str, Path] = {}
    for name in listed:
        folder = (home / Path(name).expanduser()).resolve()
        where = f"{(files or {}).get(name, 'config/config.yaml')}: publications: {name}"
        refuse_path(name, where)
        if not folder.is_dir():
            raise ConfigError(f"{where}: no folder '{folder}'")
        key = folder.name
        refuse_key(key, found, where)
        for each in ("about", *TABLES):
            if not file(folder, each).is_file():
                raise ConfigError(
                    f"{where}: no {file(folder, each).name}; 'opchar new publication' lays all out"
                )
        found[key] = folder
    return found


def refuse_path(name: str, where: str) -> None:
    """Refuse the path of a folder that means more to a shell, or to Snakemake, than a path."""
    if not PLAIN.fullmatch(name):
        raise ConfigError(f"{where}: give a path of letters, digits, blanks and '._-~/+@' alone")


def refuse_key(key: str, others: Container[str], where: str) -> None:
    """Refuse a key that a publication from outside cannot have."""
    if not KEY.fullmatch(key) or key in TAKEN:
        raise ConfigError(f"{where}: '{key}' is no key; write letters and digits, as in lee2020")
    if key in others or key in folders():
        raise ConfigError(f"{where}: there is a publication '{key}' already")


def make_importable(found: dict[str, Path]) -> None:
    """Let the studies of publications from outside be imported as those of the package are."""
    for key, folder in found.items():
        name = f"{PACKAGE}.{key}"
        if str(folder) != _place(name):
            for old in [each for each in sys.modules if f"{each}.".startswith(f"{name}.")]:
                del sys.modules[old]
            sys.modules[name] = ModuleType(name, "A publication from outside.")
            sys.modules[name].__path__ = [str(folder)]


def _place(name: str) -> str:
    """Return the folder of a package that was made importable; nothing for another."""
    return next(iter(getattr(sys.modules.get(name), "__path__", [])), "")


def module_place(module: str, source: Path) -> Path:
    """Return where a module stands, without its suffix; `source` has the packages.

    `module`: As in ``opchar_reproduction.publications.<key>.<section>.<study>``.
    """
    parts = module.split(".")
    home = _place(".".join(parts[:3])) if len(parts) > 2 and module.startswith(PACKAGE) else ""
    return Path(home, *parts[3:]) if home else source.joinpath(*parts)


def from_here(path: Path) -> str:
    """Return a path from the working folder where it is in it, else the whole path."""
    here = Path.cwd().resolve()
    return (path.relative_to(here) if path.is_relative_to(here) else path).as_posix()


def file(folder: Path | str, name: str) -> Path:
    """Return a file of a publication's folder by its name in `TABLES`, or ``"about"``."""
    return Path(folder) / (ABOUT if name == "about" else f"{name}.csv")
