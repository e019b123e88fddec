"""Commands on what is a user's own: scores, data sets, extensions, metrics, models."""

from __future__ import annotations

import argparse
import gc
import os
from pathlib import Path

from opchar.cli.project import enter_project, given_settings, home, project, project_plan
from opchar.errors import OpcharError
from opchar.typed import typed_whole


def analyse(arguments: argparse.Namespace) -> int:
    """Choose a threshold and compare models from a file of scores."""
    # What is made here is kept until the end: to look for what can be thrown away takes time only.
    gc.disable()
    try:
        from opchar.analysis.command import run as run_analysis

        return run_analysis(arguments)
    finally:
        gc.enable()


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


def remove(arguments: argparse.Namespace) -> int:
    """Remove an entry of your own and everything made from it."""
    from opchar.pipeline.configuration.config import load
    from opchar.pipeline.own.entries import kept_unless
    from opchar.pipeline.own.removing import remove as take_out

    if (arguments.what == "leftovers") == bool(arguments.name):
        raise OpcharError("name the data set, experiment or file; of leftovers there is no name")
    with kept_unless(lambda: None):
        lines = take_out(
            arguments.what, arguments.name or "", lambda: load(home(), here=".", check=False)
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


def ask(arguments: argparse.Namespace) -> int:
    """Ask general claims of the publications, by their numbers or all, of models on data sets."""
    from opchar.analysis.asking import Asked
    from opchar.analysis.claims.command import chosen_claims
    from opchar.analysis.claims.command import run as run_claims

    chosen_claims(arguments.claims)
    Asked(seed=arguments.seed)  # what is out of range is told before anything is trained
    if arguments.resamples < 0:
        raise OpcharError(f"--resamples {arguments.resamples}: give 0 or more")
    arguments.output = arguments.output and arguments.output.resolve()
    enter_project()
    status, tables = _train(arguments)
    return status or run_claims(arguments, tables)


def add_ask_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of `opchar ask`."""
    parser.add_argument("claims", nargs="*", help="as in landgrebe2007:0090; all if not given")
    parser.add_argument("--data", type=names, required=True, help="data sets of the project")
    parser.add_argument("--models", type=names, help="to train on them, as in 'sc ldc, sc knnc3'")
    parser.add_argument("--protocol", help="how they are split; as in config/protocols.yaml")
    parser.add_argument("--resamples", type=typed_whole, default=200, help="drawn for the support")
    parser.add_argument("--seed", type=typed_whole, default=1, help="of all that is drawn")
    parser.add_argument("--output", type=Path, help="CSV to write to")


def names(text: str) -> list[str]:
    """Read names with commas between."""
    found = [name.strip() for name in text.split(",") if name.strip()]
    if not found:
        raise argparse.ArgumentTypeError(f"'{text}' names nothing")
    return found


def _train(arguments: argparse.Namespace) -> tuple[int, list[Path]]:
    """Have the workflow train models on data sets; return its status and the score tables."""
    from opchar.pipeline.own.adding import ASKED, with_asked
    from opchar.pipeline.plan import Plan
    from opchar.pipeline.records import check_inputs
    from opchar.pipeline.runs import running
    from opchar.pipeline.runs.state import State

    given, profile = project_plan(arguments)
    plan = Plan(with_asked(given.config, arguments.data, arguments.models, arguments.protocol))
    files = plan.experiment_scores(profile, ASKED)
    os.environ["OPCHAR_GOALS"] = ASKED
    state = State(plan, profile)
    state.remind(given_settings(arguments))
    status = running.run(
        files,
        given_settings(arguments),
        profile=profile,
        forced=state.stale_or_modified(files),
        config=plan.config,
    )
    tables = [Path(file) for file in files]
    if status == 0:
        check_inputs(tables)
    return status, tables


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
