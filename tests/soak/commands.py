"""Command lines of any words: exit 0, 1 or 2, and never a traceback."""

import io
from contextlib import chdir, redirect_stderr, redirect_stdout
from functools import cache
from pathlib import Path
from random import Random

import pandas as pd

from checkout import ROOT
from opchar.cli import main
from opchar.cli.parser import parser
from soak.mutations import TEXTS
from soak.tables import frame
from soak.trials import Action

GOALS = ["landgrebe2007/table-2.2", "table-2.3", "tharwat2018", "landgrebe2007:0011", "bash"]
GOALS += ["list", "run", "acsa", "accuracy", "os:system", "opchar.cli:main", "data", "mine"]


@cache
def commands() -> dict[str, list[str]]:
    """Return the options of every command but the one that runs the workflow."""
    (action,) = parser()._subparsers._group_actions  # type: ignore[union-attr]
    found = {
        name: [option for part in sub._actions for option in part.option_strings]
        for name, sub in action.choices.items()  # type: ignore[union-attr]
    }
    found.pop("run")
    return found


@cache
def options() -> list[str]:
    """Return every option that some command has."""
    return sorted({option for each in commands().values() for option in each})


def line(chance: Random, folder: Path) -> tuple[str, Action]:
    """Return a command line in a folder that looks like the project, without what it made."""
    for name in ("config", "workflow", "Snakefile", "data", "environment.yml"):
        (folder / name).symlink_to(ROOT / name)
    table: pd.DataFrame = frame(chance, 2)
    table.to_csv(folder / "scores.csv", index=False)
    words = [chance.choice([*commands(), "nothing", "--help"])]
    for _ in range(chance.randint(0, 5)):
        kinds = [GOALS, options(), TEXTS, ["scores.csv", "out", ".", "--output", "nowhere/x.csv"]]
        words.append(chance.choice(chance.choice(kinds)))
    if words[0] == "analyse":
        words += ["--resamples", "50"]
    if words[0] in ("add", "new", "data") and not {"--help", "-h"} & set(words):
        words[0] = "where"  # what writes into the project has tests of its own
    words = [word.replace("\x00", "") for word in words]
    return f"opchar {words}", lambda: ran(words, folder)


def ran(words: list[str], folder: Path) -> str:
    """Run a command line; return what is wrong with how it ended."""
    out, err = io.StringIO(), io.StringIO()
    before = entries(folder)
    with chdir(folder), redirect_stdout(out), redirect_stderr(err):
        try:
            status = main(words)
        except SystemExit as left:
            status = left.code if isinstance(left.code, int) else 1
    said = err.getvalue().strip().splitlines()
    if status not in (0, 1, 2):
        return f"exit {status}"
    if status == 1 and not (said and said[-1].startswith("opchar: ")) and not out.getvalue():
        return f"exit 1 with {said}"
    if status == 1 and sum(line.startswith("opchar: ") for line in said) > 1:
        return f"exit 1 with several lines: {said}"
    written = entries(folder) - before - {"out", ".opchar"}
    if status and written:
        return f"exit {status}, but wrote {sorted(written)}"
    return ""


def entries(folder: Path) -> set[str]:
    """Return the names of what is in a folder."""
    return {path.name for path in folder.iterdir()}
