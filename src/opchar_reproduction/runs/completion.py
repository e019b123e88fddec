"""Completion on the tab key: a short script for the shell that asks `opchar words`."""

import argparse
from collections.abc import Sequence
from pathlib import Path

from opchar_reproduction.project.plan import Plan
from opchar_reproduction.project.variants import PRIMARY, variant_changes

# What bash reads, with the names of commands and their options filled in.
BASH = Path(__file__).with_suffix(".txt")


def script(shell: str, parser: argparse.ArgumentParser) -> str:
    """Return the script that a shell reads, as by ``eval "$(opchar completion bash)"``."""
    found: dict[str, argparse.ArgumentParser] = {}
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            found = dict(action.choices)
    options = "\n".join(
        f'      {name}) found="{" ".join(_options(sub))}" ;;' for name, sub in found.items()
    )
    text = BASH.read_text(encoding="utf-8").format(commands=" ".join(found), options=options)
    return text if shell == "bash" else f"autoload -U +X bashcompinit && bashcompinit\n{text}"


def _options(parser: argparse.ArgumentParser) -> list[str]:
    return [
        word for action in parser._actions for word in action.option_strings if word[:2] == "--"
    ]


def candidates(plan: Plan, command: str, typed: Sequence[str] = ()) -> list[str]:
    """Return the words that may follow a command."""
    config = plan.config
    match command:
        case "run":
            return [*plan.goals(), "report", *config.artefacts, *config.experiments]
        case "variants":
            return [address for address in config.artefacts if _declared_variants(plan, address)]
        case "variant":
            declared = [
                _declared_variants(plan, word) for word in typed if word in config.artefacts
            ]
            return [name for each in declared for name in each if name != PRIMARY]
        case "where":
            return [*config.artefacts, *config.experiments, *config.statements]
        case "data":
            return ["list", "fetch", "verify", *config.datasets]
        case _:
            return list(config.settings["papers"])


def _declared_variants(plan: Plan, address: str) -> list[str]:
    """Return the names of the variants of an artefact; none if nothing is declared."""
    entry = plan.config.experiments[plan.config.artefacts[address]["experiment"]]
    return list(variant_changes(entry["variants"])) if "variants" in entry else []
