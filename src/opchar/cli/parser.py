"""The commands of the command line and their options."""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import NoReturn

from opchar import __version__
from opchar.analysis.options import add_options
from opchar.cli.check_options import add_check_options
from opchar.cli.commands import analyse, cascade, check, condition, explain, refuse_empty
from opchar.errors import nearest
from opchar.typed import typed_whole

DESCRIPTION = "Choose thresholds, check printed tables, and reproduce publications."
# It adds its commands where it is at hand: in a checkout, beside the library.
REPRODUCTION = "opchar_reproduction"


class Grouped(argparse.ArgumentParser):
    """A parser whose help groups the commands, and which names the nearest command."""

    def __init__(self) -> None:
        super().__init__(prog="opchar", description=DESCRIPTION)
        self.groups: dict[str, list[str]] = {}
        self.commands = self.add_subparsers(
            dest="command", required=True, metavar="COMMAND", parser_class=argparse.ArgumentParser
        )

    def command(
        self, name: str, function: Callable[..., int], group: str = ""
    ) -> argparse.ArgumentParser:
        """Add a command; one without a group, as for shells, is not in the help."""
        sub = self.commands.add_parser(name, help=function.__doc__, description=function.__doc__)
        sub.set_defaults(function=function, prepare=None)
        if group:
            self.groups.setdefault(group, []).append(f"  {name:<11}{function.__doc__}")
        return sub

    def format_help(self) -> str:
        """Return the commands by group, a line each."""
        lines = ["usage: opchar COMMAND [OPTIONS]", "", DESCRIPTION]
        for title, members in self.groups.items():
            lines += ["", f"{title}:", *members]
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
            if not find_spec(REPRODUCTION):
                hint += "; the commands of the reproduction come with a checkout (make setup)"
            self.exit(2, f"opchar: no command '{wrong[1]}'{hint}; opchar --help lists them\n")
        if "required: COMMAND" in message:
            self.exit(2, f"{self.format_help()}opchar: give a command\n")
        super().error(message)


def parser() -> Grouped:
    """Return the parser of the command line."""
    parser = Grouped()
    parser.add_argument("--version", action="version", version=f"opchar {__version__}")
    scores, tables = "Your scores", "Printed tables"
    add_options(parser.command("analyse", analyse, scores))
    add_options(parser.command("cascade", cascade, scores), "cascade")
    parser.command("explain", explain, scores).add_argument("code", help="as in OPC012")
    add_check_options(parser.command("check", check, tables))
    sub = parser.command("condition", condition, tables)
    sub.add_argument("metric", help="module:metric of (..., C, C) matrices, or a name as in acsa")
    sub.add_argument("--classes", type=typed_whole, default=4, help="search 2 to so many classes")
    sub.add_argument(
        "--matrices", type=typed_whole, default=100_000, help="about how many a search takes"
    )
    sub.set_defaults(folder=Path.cwd(), prepare=refuse_empty)
    if find_spec(REPRODUCTION):
        import_module(f"{REPRODUCTION}.commands.parser").add_commands(parser)
    return parser
