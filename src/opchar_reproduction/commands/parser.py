"""The commands that the reproduction adds to the command line, and their options."""

import argparse
from collections.abc import Callable
from pathlib import Path

from opchar.cli.commands import refuse_empty
from opchar.cli.parser import Grouped
from opchar_reproduction.commands.own import add, completion, models, names, new
from opchar_reproduction.commands.project import enter_checked, enter_project
from opchar_reproduction.commands.runs import (
    data,
    draw,
    ledger,
    list_artefacts,
    proofread,
    publish,
    run,
    status,
    variants,
    verify,
    where,
    words,
)

# Commands that completion asks for the words that may follow; `variant` is an option of `run`.
COMPLETED = ("run", "variants", "variant", "where", "data", "list", "ledger")
# What works outside a checkout, too.
ANYWHERE = (completion, models)


def add_commands(parser: Grouped) -> None:
    """Add the commands of the reproduction, and those on what is a user's own."""

    def command(
        name: str, function: Callable[..., int], group: str = "The reproduction"
    ) -> argparse.ArgumentParser:
        sub = parser.command(name, function, group)
        sub.set_defaults(prepare=refuse_empty if function in ANYWHERE else enter_checked)
        sub.add_argument("--profile", help="tiny, quick or paper; that of config.yaml if not given")
        sub.add_argument("--policy", help="auto, real or offline; that of config.yaml if not given")
        return sub

    address = "as in landgrebe2007/table-2.3, table-2.3, or landgrebe2007:0011"
    _run_options(command("run", run))
    _draw_options(command("draw", draw))
    command("list", list_artefacts).add_argument("paper", nargs="?", help="only this work")
    command("where", where).add_argument("address", help=address)
    command("status", status)
    command("variants", variants).add_argument("address", help="as in landgrebe2007/table-2.2")
    _ledger_options(command("ledger", ledger))
    command("verify", verify)
    _publish_options(command("publish", publish))
    command("proofread", proofread).add_argument("--paper", help="only this work")
    sub = command("data", data)
    sub.add_argument("action", nargs="?", choices=["list", "fetch", "verify"], default="list")
    sub.add_argument("names", nargs="*", help="only these data sets")
    command("models", models)
    _own_commands(command)
    command("completion", completion, "").add_argument("shell", choices=["bash", "zsh"])
    sub = command("words", words, "")
    sub.set_defaults(prepare=lambda _: enter_project())  # an empty word is what is typed so far
    sub.add_argument("of", choices=COMPLETED)
    sub.add_argument("typed", nargs="*", help="of 'variant': the artefact")


def _run_options(sub: argparse.ArgumentParser) -> None:
    sub.add_argument("goals", nargs="*", help="paper, kind of work, artefact or file")
    sub.add_argument("--cores", type=_count, help="jobs side by side")
    sub.add_argument(
        "-n", "--dry-run", action="store_true", help="show what would be made and why; make nothing"
    )
    sub.add_argument("--force", action="store_true", help="make the goals even when up to date")
    sub.add_argument("--variant", help="make one artefact under this variant, in its own folder")


def _draw_options(sub: argparse.ArgumentParser) -> None:
    sub.add_argument("address", help="figure, table, page or claim, as in tharwat2018:0291")
    sub.add_argument("--watch", action="store_true", help="again whenever its code changes")


def _publish_options(sub: argparse.ArgumentParser) -> None:
    sub.add_argument(
        "folder", type=lambda path: Path(path).resolve(), help="not there yet, or an earlier copy"
    )


def _ledger_options(sub: argparse.ArgumentParser) -> None:
    sub.add_argument("--paper", help="only lines of this work")
    sub.add_argument("--artefact", help="as in table-2.3 or landgrebe2007/table-2.3")
    outcomes = "matches, compatible, differs, 'wrong or contradictory' or 'not testable'"
    sub.add_argument("--outcome", help=outcomes)
    sub.add_argument("--verdict", help="as in agrees, differs, erratum, 'not comparable'")
    sub.add_argument("--cause", help="as in 'stand-in data', 'random spread'")
    sub.add_argument("--search", help="words that a line must have, in any column")
    sub.add_argument("--reasons", action="store_true", help="with the reason under each line")
    action = sub.add_mutually_exclusive_group()
    action.add_argument(
        "--check", action="store_true", help="exit 1 if a verdict is worse than expected"
    )
    action.add_argument(
        "--frozen",
        action="store_true",
        help="exit 1 if history does not show that a criterion stood before its first result",
    )
    action.add_argument("--beside", metavar="PROFILE", help="which verdicts differ in this profile")
    action.add_argument(
        "--renew", action="store_true", help="make the verdicts of an offline run the expected ones"
    )


def _own_commands(command: Callable[..., argparse.ArgumentParser]) -> None:
    """Add the commands on what is a user's own."""
    group = "Your own data and publications"
    sub = command("add", add, group)
    sub.add_argument("what", choices=["data", "extension"])
    sub.add_argument(
        "file", type=lambda path: Path(path).resolve(), help="CSV with a header; Python file"
    )
    sub.add_argument("--target", help="of data: the column of classes")
    sub.add_argument("--name", help="what to call it; after the file if not given")
    sub.add_argument("--models", type=names, help="names by commas, as in 'sc ldc, sc knnc3'")
    sub.add_argument("--protocol", default="holdout-10", help="as in config/protocols.yaml")
    sub = command("new", new, group)
    sub.add_argument("folder", help="not there yet; or the word 'publication'")
    sub.add_argument("key", nargs="?", help="of a publication: its folder, as in fawcett2006")


def _count(text: str) -> int:
    """Read a whole number from 1."""
    if not text.isascii() or not text.isdigit() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"'{text}' is not a whole number from 1")
    return int(text)
