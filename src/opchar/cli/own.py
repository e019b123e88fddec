"""Commands on what is a user's own: scores, data sets, extensions, metrics, models."""

from __future__ import annotations

import argparse
import gc
from pathlib import Path

from opchar.cli.project import enter_project, project, project_plan
from opchar.errors import OpcharError


def analyse(arguments: argparse.Namespace) -> int:
    """Choose a threshold and compare models from a file of scores."""
    # What is made here is kept until the end: to look for what can be thrown away takes time only.
    gc.disable()
    try:
        from opchar.analysis.command import run as run_analysis

        return run_analysis(arguments)
    finally:
        gc.enable()


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


def add(arguments: argparse.Namespace) -> int:
    """Enter a table of your own with all analyses of it, or a file of models, metrics and more."""
    from opchar.pipeline.own.adding import add_data, add_extension
    from opchar.pipeline.own.entries import kept_unless

    plan, _ = project_plan(arguments)
    if arguments.what == "extension":
        with kept_unless(lambda: project_plan(arguments)):
            lines = add_extension(arguments.file, plan.config.settings.get("extensions", []))
        print("\n".join(lines))
        return 0
    if not arguments.target:
        raise OpcharError("name the column of classes by --target")
    with kept_unless(lambda: project_plan(arguments)):
        lines = add_data(
            arguments.file,
            arguments.target,
            taken=list(plan.config.datasets),
            name=arguments.name,
            models=arguments.models,
            protocol=arguments.protocol,
        )
    print("\n".join(lines))
    return 0


def new(arguments: argparse.Namespace) -> int:
    """Lay out a folder that uses the workflow as a module, or one of a publication of your own."""
    from opchar.pipeline.own.entries import kept_unless
    from opchar.pipeline.own.layout import new_project, new_publication

    if arguments.key is None:
        print("\n".join(new_project(Path(arguments.folder).resolve(), Path.cwd())))
        return 0
    if arguments.folder != "publication":
        raise OpcharError("write 'opchar new FOLDER' or 'opchar new publication KEY'")
    with kept_unless(lambda: project_plan(arguments)):
        lines = new_publication(arguments.key)
    print("\n".join(lines))
    return 0


def names(text: str) -> list[str]:
    """Read names with commas between."""
    found = [name.strip() for name in text.split(",") if name.strip()]
    if not found:
        raise argparse.ArgumentTypeError(f"'{text}' names nothing")
    return found


def condition(arguments: argparse.Namespace) -> int:
    """Say whether class sizes, the number of classes or one failing class distort a metric."""
    from opchar.metrics.conditions.command import report_on

    print(report_on(arguments.metric, arguments.folder, arguments.classes, arguments.matrices))
    return 0


def models(arguments: argparse.Namespace) -> int:
    """List the building blocks of model names."""
    if project() is None:
        from opchar.models.vocabulary import packaged_vocabulary

        vocabulary = packaged_vocabulary()
    else:
        enter_project()
        vocabulary = project_plan(arguments)[0].config.models
    for word, entry in vocabulary.items():
        print(f"{word:12} {entry['summary']}")
    return 0
