"""What the workflow's rules call: one subcommand a kind of rule.

Every job reads files, calls one function and writes files whole or not at all. The modules that it
needs are imported inside, so that each job pays only for its own.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from opchar.environment import prepare
from opchar.errors import OpcharError

if TYPE_CHECKING:
    import pandas as pd

    from opchar.config import Config


def fetch(arguments: argparse.Namespace) -> None:
    """Fetch the files of a data set and say where they came from."""
    from opchar.config import known
    from opchar.datasets.fetching import fetch

    config = _config()
    fetch(
        arguments.data,
        known(config.datasets, arguments.data, "data set"),
        policy=arguments.policy,
        mirrors=arguments.mirrors,
        user_folders={arguments.data: arguments.folders[0]} if arguments.folders else {},
        folder=arguments.output.parent,
        progress=sys.stderr.isatty(),
    )


def features(arguments: argparse.Namespace) -> None:
    """Read the fetched files of a data set, or make its stand-in, as a feature table."""
    from opchar.datasets.features import build, write_features
    from opchar.seeds import spawner

    config = _config()
    spawn = spawner(arguments.seed, "features")
    write_features(
        build(arguments.data, config.datasets, arguments.raw.parent, spawn), arguments.output
    )


def train(arguments: argparse.Namespace) -> None:
    """Train a model under a protocol and write the scores of the test objects."""
    from opchar.datasets.features import read_features
    from opchar.models.training import train
    from opchar.plan import Plan
    from opchar.scores import write_scores
    from opchar.seeds import spawner

    config = _config()
    model = Plan(config).model(arguments.data, arguments.protocol, arguments.output.stem)
    table = train(
        read_features(arguments.features),
        model,
        config.models,
        config.protocol(arguments.protocol, arguments.profile),
        spawner(arguments.seed, arguments.data, arguments.protocol),
        {"seed": arguments.seed, "protocol_name": arguments.protocol},
    )
    write_scores(table, arguments.output)


def experiment(arguments: argparse.Namespace) -> None:
    """Run an experiment and write its result table and curves."""
    import inspect

    from opchar.functions import imported
    from opchar.results import ANALYTIC
    from opchar.scores import read_scores
    from opchar.seeds import spawner

    config = _config()
    entry = config.experiment(arguments.name, arguments.profile)
    function = imported(entry["function"])
    wanted = inspect.signature(function).parameters
    supplied: dict[str, Any] = {}
    if "spawn" in wanted:
        supplied["spawn"] = spawner(arguments.seed, arguments.name)
    if "scores" in entry:
        names = [(g["data"], m) for g in entry.get("scores", []) for m in g["models"]]
        tables = [read_scores(path) for path in arguments.scores]
        supplied["scores"] = dict(zip(names, tables, strict=True))
    if "features" in entry:
        from opchar.datasets.features import read_features

        sets = [read_features(path) for path in arguments.features]
        supplied["features"] = dict(zip(entry["features"], sets, strict=True))
    if "protocols" in entry:
        supplied["protocols"] = config.experiment_protocols(arguments.name, arguments.profile)
    results = function(**entry["parameters"], **supplied)
    labels = {table.data for table in supplied.get("scores", {}).values()}
    labels |= {table.data for table in supplied.get("features", {}).values()}
    results.write(arguments.table, arguments.curves, "; ".join(sorted(labels)) or ANALYTIC)


def table(arguments: argparse.Namespace) -> None:
    """Lay out a table, ours beside the published, as CSV, Markdown and LaTeX."""
    from opchar.files import write_text
    from opchar.plan import Plan
    from opchar.report.assembly import table_block
    from opchar.report.published import read_lines

    plan = Plan(_config())
    paper = arguments.name.split("/")[0]
    lines = read_lines(arguments.published.parent, [paper])
    block = table_block(plan, arguments.profile, arguments.name, lines)
    csv, markdown, latex = arguments.output
    title = plan.config.artefacts[arguments.name]["title"]
    write_text(block.to_csv(), csv)
    write_text(block.to_markdown(), markdown)
    write_text(block.to_latex(title, f"tab:{arguments.name.replace('/', '-')}"), latex)


def figure(arguments: argparse.Namespace) -> None:
    """Draw a figure as SVG, PDF and PNG."""
    from opchar.config import known
    from opchar.figures.style import save, styled
    from opchar.functions import imported
    from opchar.results import read_curves

    entry = known(_config().artefacts, arguments.name, "artefact")
    results = _results(arguments.results)
    with styled():
        drawn = imported(entry["renderer"])(
            results, read_curves(arguments.curves), **entry.get("parameters", {})
        )
        paths = {path.suffix[1:]: path for path in arguments.output}
        save(drawn, paths, note="\n".join(stand_ins(results)))


def ledger(arguments: argparse.Namespace) -> None:
    """Write one line with a verdict for every published line, and what they say as a whole."""
    from opchar.files import write_csv
    from opchar.plan import Plan
    from opchar.report.ledger import build
    from opchar.report.sources import read_sources
    from opchar.report.summaries import by_artefact, by_cause, multiple_comparisons

    plan = Plan(_config(papers=arguments.papers))
    published = arguments.errata.parent
    sources = read_sources(plan, arguments.profile, results=arguments.results, published=published)
    lines = build(*sources)
    comparisons, artefacts, causes = arguments.summaries
    write_csv(multiple_comparisons(lines), comparisons)
    write_csv(by_artefact(lines), artefacts)
    write_csv(by_cause(lines), causes)
    write_csv(lines, arguments.output)


def report(arguments: argparse.Namespace) -> None:
    """Write the pages."""
    from opchar.plan import Plan
    from opchar.report.assembly import assemble

    assemble(
        Plan(_config(papers=arguments.papers)),
        arguments.profile,
        ledger=arguments.ledger,
        published=arguments.published.parent,
        provenance=arguments.provenance,
    )


def stand_ins(results: pd.DataFrame) -> list[str]:
    """Return the stand-ins that result lines rest on, in alphabetical order."""
    from opchar.results import STAND_IN

    parts = {part for label in results["data"] for part in label.split("; ")}
    return sorted(part for part in parts if part.startswith(STAND_IN))


def _results(path: Path) -> pd.DataFrame:
    from opchar.results import read_results

    return read_results(path)


def _config(**settings: Any) -> Config:
    from opchar.config import load

    return load(overrides=settings, check=False)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m opchar.jobs", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)

    def command(function: Any, *options: str, **special: dict[str, Any]) -> None:
        sub = commands.add_parser(function.__name__, help=function.__doc__)
        sub.set_defaults(function=function)
        for option in options:
            sub.add_argument(f"--{option}", required=True)
        for option, keywords in special.items():
            sub.add_argument(f"--{option}", **keywords)

    one: dict[str, Any] = {"type": Path, "required": True}
    many: dict[str, Any] = {"type": Path, "nargs": "*", "default": []}
    seed: dict[str, Any] = {"type": int, "required": True}
    names: dict[str, Any] = {"nargs": "*", "default": []}
    command(fetch, "data", "policy", mirrors=names, folders=names, output=one)
    command(features, "data", seed=seed, raw=one, output=one)
    command(train, "data", "protocol", "profile", seed=seed, features=one, output=one)
    command(
        experiment,
        "name",
        "profile",
        seed=seed,
        scores=many,
        features=many,
        table=one,
        curves=one,
    )
    command(table, "name", "profile", published=one, output=many)
    command(figure, "name", results=one, curves=one, output=many)
    command(ledger, "profile", papers=names, results=many, errata=one, output=one, summaries=many)
    command(report, "profile", papers=names, ledger=one, published=one, provenance=many)
    return parser


def main(arguments: list[str] | None = None) -> int:
    """Run one job; what a person can mend is said in one line."""
    prepare()
    chosen = _parser().parse_args(arguments)
    try:
        chosen.function(chosen)
    except OpcharError as error:
        print(f"opchar: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
