"""The commands of the command line and their options."""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, NoReturn

from opchar import __version__
from opchar.analysis.options import add_cascade_options, add_options
from opchar.cli.check_options import add_check_options
from opchar.cli.own import (
    add,
    analyse,
    cascade,
    check,
    condition,
    explain,
    models,
    names,
    new,
)
from opchar.cli.runs import (
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
from opchar.errors import nearest
from opchar.typed import typed_whole

DESCRIPTION = "Choose thresholds, check printed tables, and reproduce publications."
# Commands by whom they serve; others are for shells.
GROUPS = {
    "Your scores": ("analyse", "cascade", "explain"),
    "Printed tables": ("check", "condition"),
    "The reproduction": ("run", "draw", "list", "where", "status", "variants", "ledger", "verify",
                         "publish", "proofread", "data", "models"),
    "Your own data and publications": ("add", "new"),
}  # fmt: skip
# Commands that completion asks for the words that may follow; `variant` is an option of `run`.
COMPLETED = ("run", "variants", "variant", "where", "data", "list", "ledger")


class Grouped(argparse.ArgumentParser):
    """A parser whose help groups the commands, and which names the nearest command."""

    commands: argparse._SubParsersAction[argparse.ArgumentParser]

    def format_help(self) -> str:
        """Return the commands by group, a line each."""
        known = {each.dest: each.help or "" for each in self.commands._get_subactions()}
        lines = ["usage: opchar COMMAND [OPTIONS]", "", DESCRIPTION]
        for title, members in GROUPS.items():
            lines += ["", f"{title}:"]
            lines += [f"  {name:<11}{known[name]}" for name in members if name in known]
        lines += [
            "",
            "opchar COMMAND --help lists the options of a command; --version the version.",
        ]
        return "\n".join(lines) + "\n"

    def error(self, message: str) -> NoReturn:
        """Name the nearest command, or show all."""
        wrong = re.search(r"COMMAND: invalid choice: '(.*?)'", message)
        if wrong:
            hint = nearest(wrong[1], list(self.commands.choices))
            self.exit(2, f"opchar: no command '{wrong[1]}'{hint}; opchar --help lists them\n")
        if "required: COMMAND" in message:
            self.exit(2, f"{self.format_help()}opchar: give a command\n")
        super().error(message)


def completion(arguments: argparse.Namespace) -> int:
    """Print the script by which a shell completes commands, goals and addresses on the tab key."""
    from opchar.pipeline.completion import script

    print(script(arguments.shell, parser()), end="")
    return 0


def parser() -> argparse.ArgumentParser:
    """Return the parser of the command line."""
    parser = Grouped(prog="opchar", description=DESCRIPTION)
    parser.add_argument("--version", action="version", version=f"opchar {__version__}")
    parser.commands = commands = parser.add_subparsers(
        dest="command",
        required=True,
        metavar="COMMAND",
        parser_class=argparse.ArgumentParser,
    )

    def command(name: str, function: Any) -> argparse.ArgumentParser:
        sub = commands.add_parser(name, help=function.__doc__, description=function.__doc__)
        sub.set_defaults(function=function)
        if function not in ALONE:
            sub.add_argument(
                "--profile", help="tiny, quick or paper; that of config.yaml if not given"
            )
            sub.add_argument(
                "--policy", help="auto, real or offline; that of config.yaml if not given"
            )
        return sub

    _run_options(command("run", run))
    _draw_options(command("draw", draw))
    command("variants", variants).add_argument("address", help="as in landgrebe2007/table-2.2")
    command("list", list_artefacts).add_argument("paper", nargs="?", help="only this work")
    command("where", where).add_argument(
        "address", help="as in landgrebe2007/table-2.3, table-2.3, or landgrebe2007:0011"
    )
    command("status", status)
    command("verify", verify)
    _publish_options(command("publish", publish))
    sub = command("data", data)
    sub.add_argument("action", nargs="?", choices=["list", "fetch", "verify"], default="list")
    sub.add_argument("names", nargs="*", help="only these data sets")
    command("models", models)
    _ledger_options(command("ledger", ledger))
    command("proofread", proofread).add_argument("--paper", help="only this work")
    command("completion", completion).add_argument("shell", choices=["bash", "zsh"])
    sub = command("words", words)
    sub.add_argument("of", choices=COMPLETED)
    sub.add_argument("typed", nargs="*", help="of 'variant': the artefact")
    sub = command("analyse", analyse)
    add_options(sub)
    add_cascade_options(command("cascade", cascade))
    add_check_options(command("check", check))
    command("explain", explain).add_argument("code", help="as in OPC012")
    _own_commands(command)
    sub = command("condition", condition)
    sub.add_argument("metric", help="module:metric of (..., C, C) matrices, or a name as in acsa")
    sub.add_argument("--classes", type=typed_whole, default=4, help="search 2 to so many classes")
    sub.add_argument(
        "--matrices", type=typed_whole, default=100_000, help="about how many a search takes"
    )
    sub.set_defaults(folder=Path.cwd())
    return parser


def _run_options(sub: argparse.ArgumentParser) -> None:
    sub.add_argument("goals", nargs="*", help="paper, kind of work, artefact or file")
    sub.add_argument("--cores", type=_count, help="jobs side by side")
    sub.add_argument(
        "-n", "--dry-run", action="store_true", help="show what would be made and why; make nothing"
    )
    sub.add_argument("--force", action="store_true", help="make the goals even when up to date")
    sub.add_argument("--variant", help="make one artefact under this variant, in its own folder")


def _draw_options(sub: argparse.ArgumentParser) -> None:
    sub.add_argument("address", help="figure or table, as in landgrebe2007/figure-2.5")
    sub.add_argument("--watch", action="store_true", help="draw again whenever its code changes")


def _publish_options(sub: argparse.ArgumentParser) -> None:
    sub.add_argument(
        "folder", type=lambda path: Path(path).resolve(), help="not there yet, or an earlier copy"
    )


def _ledger_options(sub: argparse.ArgumentParser) -> None:
    sub.add_argument("--paper", help="only lines of this work")
    sub.add_argument("--artefact", help="as in table-2.3 or landgrebe2007/table-2.3")
    outcomes = "matches, compatible, differs, 'wrong in print' or 'not testable'"
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


def _own_commands(command: Callable[[str, Any], argparse.ArgumentParser]) -> None:
    """Add the commands on what is a user's own."""
    sub = command("add", add)
    sub.add_argument("what", choices=["data", "extension"])
    sub.add_argument(
        "file", type=lambda path: Path(path).resolve(), help="CSV with a header; Python file"
    )
    sub.add_argument("--target", help="of data: the column of classes")
    sub.add_argument("--name", help="what to call it; after the file if not given")
    sub.add_argument("--models", type=names, help="names by commas, as in 'sc ldc, sc knnc3'")
    sub.add_argument("--protocol", default="holdout-10", help="as in config/protocols.yaml")
    sub = command("new", new)
    sub.add_argument("folder", help="not there yet; or the word 'publication'")
    sub.add_argument("key", nargs="?", help="of a publication: its folder, as in fawcett2006")


def _count(text: str) -> int:
    """Read a whole number from 1."""
    if not text.isascii() or not text.isdigit() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"'{text}' is not a whole number from 1")
    return int(text)


# What works anywhere, because it needs nothing of the project.
ALONE = (analyse, cascade, check, explain)
ANYWHERE = (*ALONE, completion, condition, models)
