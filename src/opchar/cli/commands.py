"""Commands on a user's scores, on printed tables and on metrics."""

from __future__ import annotations

import argparse

from opchar.errors import OpcharError


def analyse(arguments: argparse.Namespace) -> int:
    """Choose a threshold and compare models from a file of scores."""
    from opchar.analysis.command import run as run_analysis

    return run_analysis(arguments)


def cascade(arguments: argparse.Namespace) -> int:
    """Ask a costly model only where a cheap one is unsure, at least cost."""
    from opchar.analysis.cascade import run as run_cascade

    return run_cascade(arguments)


def check(arguments: argparse.Namespace) -> int:
    """Check whether a printed table of scores is possible, and under which protocol."""
    from opchar.printed.command import run as run_check

    return run_check(arguments)


def explain(arguments: argparse.Namespace) -> int:
    """Explain a finding of analyse by its code, as in OPC012."""
    from opchar.analysis.command import explain as explain_finding

    return explain_finding(arguments)


def condition(arguments: argparse.Namespace) -> int:
    """Say whether class sizes, the number of classes or one failing class distort a metric."""
    from opchar.metrics.conditions.command import report_on

    print(report_on(arguments.metric, arguments.folder, arguments.classes, arguments.matrices))
    return 0


def refuse_empty(chosen: argparse.Namespace) -> None:
    """Refuse an empty word, as an unset variable of a shell gives it, before it counts as none."""
    for name, value in vars(chosen).items():
        if value == "" or (isinstance(value, list) and "" in value):
            raise OpcharError(
                f"{name.replace('_', '-')}: an empty word; give another, or no option"
            )
