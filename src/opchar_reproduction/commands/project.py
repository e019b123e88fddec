"""The project that a command is about: its folder, its configuration, the files of its goals."""

from __future__ import annotations

import argparse
import os
from pathlib import Path
from typing import TYPE_CHECKING

import opchar
from opchar.cli.commands import refuse_empty
from opchar.errors import OpcharError
from opchar_reproduction.project.environment import plan_quickly

if TYPE_CHECKING:
    from opchar_reproduction.project.plan import Plan


def given_settings(arguments: argparse.Namespace) -> dict[str, str]:
    """Return the settings by which the command line replaces those of ``config/config.yaml``."""
    given = {name: getattr(arguments, name) for name in ("profile", "policy")}
    return {name: value for name, value in given.items() if value}


def project_plan(arguments: argparse.Namespace, *, check: bool = True) -> tuple[Plan, str]:
    """Return the plan of the project with its profile, as the command line has it.

    `check`: whether the configuration is checked, for which much is imported.
    """
    from opchar_reproduction.project.configuration.config import load
    from opchar_reproduction.project.plan import Plan

    plan_quickly()
    config = load(home(), overrides=given_settings(arguments), check=check, here=".")
    return Plan(config), config.profile


def home() -> Path:
    """Return the folder of workflow and schemas: the project, or the checkout that it uses."""
    here, checkout = Path(), Path(opchar.__file__).resolve().parents[2]
    if (here / "config/schemas").is_dir():
        return here
    if (checkout / "config/schemas").is_dir():
        return checkout
    raise OpcharError("the workflow is not in this installation; install from a checkout (pip -e)")


def targets_of(plan: Plan, profile: str, goal: str) -> list[str]:
    """Return the files of a goal; a goal that is a path stands for itself."""
    if goal.startswith(("results/", "data/")):
        folder = goal.rpartition("/")[0]
        return [folder if folder in plan.folders(profile, plan.config.artefacts) else goal]
    targets = plan.targets(profile, goal)
    if not targets:
        raise OpcharError(f"nothing of '{goal}' is built yet: 'opchar list' shows what is")
    return targets


def project() -> Path | None:
    """Return the folder of the project, from wherever inside it."""
    here = Path.cwd()
    for folder in [here, *here.parents]:
        if (folder / "config/config.yaml").is_file() and (folder / "Snakefile").is_file():
            return folder
    return None


def enter_project() -> None:
    """Go to the folder of the project."""
    folder = project()
    if folder is None:
        raise OpcharError(
            f"{Path.cwd()}: not inside a checkout of OpChar, which this command needs; change to "
            "its folder first"
        )
    os.chdir(folder)


def enter_checked(arguments: argparse.Namespace) -> None:
    """Go to the folder of the project where no word of the command is empty."""
    refuse_empty(arguments)
    enter_project()
