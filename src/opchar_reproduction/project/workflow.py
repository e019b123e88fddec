"""What the rules of the workflow ask: the plan of a run, and the words of its commands."""

import os
import shlex
import sys
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from opchar.errors import OpcharError
from opchar_reproduction.project.checked import compiled_folder
from opchar_reproduction.project.configuration.config import (
    CONFIGS,
    load,
    place_of,
    read_resolved,
    write_resolved,
)
from opchar_reproduction.project.configuration.model import Config
from opchar_reproduction.project.environment import PLANNED, mirror
from opchar_reproduction.project.plan import Plan


def read_plan(home: Path, given: Mapping[str, Any]) -> Plan:
    """Return the plan of a run; where none can be made, end with one line."""
    try:
        return _read_plan(home, given)
    except OpcharError as error:
        sys.exit(f"opchar: {error}")


def _read_plan(home: Path, given: Mapping[str, Any]) -> Plan:
    """Return the plan that `opchar run` has read and checked, or that of the working folder."""
    if planned := os.environ.get(PLANNED):
        if (source := os.environ.get("PYTHONPATH", "")) != str(home / "src"):
            raise OpcharError(
                f"{home}: the workflow of another OpChar than that of this command, which stands "
                f"in {source}: use the command of the first"
            )
        config = read_resolved(Path(planned))
    else:
        settings = {key: value for key, value in given.items() if key != "captions"}
        config = load(Path() if home == Path.cwd() else home, settings, here=".")
    plan = Plan(config)
    plan.require_real(mirror(), os.environ.get("OPCHAR_GOALS", "").split())
    # What the jobs of this run use is what was planned with, mirrors of the shell included.
    config.settings["mirrors"] = plan.mirrors(mirror())
    return plan


def keep(config: Config) -> str:
    """Keep the configuration of a run for its jobs; return where it stands."""
    with suppress(OSError):  # a folder that cannot be written can still be planned in
        write_resolved(config, CONFIGS)
    return place_of(config, CONFIGS).as_posix()


def start(home: Path, python: list[str], plan: Plan) -> str:
    """Return how each command of a rule begins."""
    words = ["env", f"PYTHONPATH={home / 'src'}", *python]
    words += ["--compiled", compiled_folder().as_posix()]
    words += [f"--publication={folder}" for folder in plan.outside()]
    return shlex.join(words).replace("{", "{{").replace("}", "}}")


def options(named: Iterable[tuple[str, Any]]) -> str:
    """Return files as options of a command, each with one file or any number of them."""
    words = []
    for name, files in named:
        words += [f"--{name.replace('_', '-')}", *([files] if isinstance(files, str) else files)]
    return shlex.join(words)
