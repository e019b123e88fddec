"""The command line for people: run, list, where, status, data, models, ledger, analyse."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from opchar import __version__
from opchar.environment import mirror
from opchar.errors import OpcharError

if TYPE_CHECKING:
    from opchar.plan import Plan


def run(arguments: argparse.Namespace) -> int:
    """Make everything, or the given papers, kinds of work, artefacts and files."""
    from opchar import running

    plan, profile = _plan(arguments)
    targets = [file for goal in arguments.goals for file in _targets(plan, profile, goal)]
    os.environ["OPCHAR_GOALS"] = " ".join(arguments.goals)
    options = ["--dry-run"] if arguments.dry_run else []
    options += ["--force"] if arguments.force else []
    status = running.run(targets, _settings(arguments), cores=arguments.cores, options=options)
    ledger = Path(f"results/{profile}/report/ledger.csv")
    if status == 0 and ledger.exists() and not arguments.dry_run:
        import pandas as pd

        from opchar.report.history import keep
        from opchar.report.ledger import summary_lines

        lines = pd.read_csv(ledger, dtype=str, keep_default_na=False)
        said = summary_lines(lines, str(ledger.with_name("index.html")))
        print("\n".join([*keep(ledger), *said]))
    return status


def list_artefacts(arguments: argparse.Namespace) -> int:
    """List the artefacts of the works with their kind and whether they are built."""
    from opchar.listing import artefacts

    plan, profile = _plan(arguments)
    print("\n".join(artefacts(plan, profile, arguments.paper)))
    return 0


def where(arguments: argparse.Namespace) -> int:
    """Show the rule, function, parameters, inputs and files behind an artefact."""
    from opchar.listing import describe

    plan, profile = _plan(arguments)
    print("\n".join(describe(plan, profile, arguments.address)))
    return 0


def status(arguments: argparse.Namespace) -> int:
    """Show what is done, what is stale and why, and how long the rest may take."""
    from opchar.listing import state

    plan, profile = _plan(arguments)
    print("\n".join(state(plan, profile, _settings(arguments))))
    return 0


def data(arguments: argparse.Namespace) -> int:
    """List the data sets with their state, fetch some, or check the bytes of the fetched ones."""
    from opchar import running
    from opchar.datasets.listing import states, verify

    plan, _ = _plan(arguments)
    if arguments.action == "fetch":
        wanted = arguments.names or [n for n, e in plan.config.datasets.items() if "files" in e]
        return running.run(sorted({plan.raw(name) for name in wanted}), _settings(arguments))
    settings, registry, folder = plan.config.settings, plan.config.datasets, Path("data/raw")
    if arguments.action == "verify":
        checked = verify(registry, raw_root=folder)
        for item in checked:
            print(
                f"{'wrong' if item.fault else 'right':6} {item.name}/{item.file} {item.fault or ''}"
            )
        return int(any(item.fault for item in checked))
    for state in states(
        registry,
        raw_root=folder,
        policy=settings["policy"],
        mirrors=plan.mirrors(mirror()),
        user_folders=settings["folders"],
    ):
        print(f"{state.state:21} {state.name:22} {state.title}")
        print("\n".join(f"{'':45}{line}" for line in (state.source, state.action) if line))
    return 0


def ledger(arguments: argparse.Namespace) -> int:
    """Show lines of the ledger, or compare all verdicts with the expected ones."""
    from opchar.report import expected, query

    plan, profile = _plan(arguments)
    lines = query.read_ledger(Path(f"results/{profile}/report/ledger.csv"))
    if arguments.renew:
        print(expected.renew(plan, profile, lines))
        return 0
    if arguments.check:
        regressed, said = expected.check(plan, profile, lines)
        print("\n".join(said))
        return int(regressed)
    names = ("paper", "artefact", "verdict", "cause", "search")
    found = query.chosen(lines, **{name: getattr(arguments, name) for name in names})
    print("\n".join([*query.table(found, reasons=arguments.reasons), query.closing(found)]))
    return 0


def analyse(arguments: argparse.Namespace) -> int:
    """Put your own scores through the analyses: areas, F and cost curves, thresholds, volume."""
    from opchar.analysis import analyse
    from opchar.figures.own import four_spaces
    from opchar.figures.style import save, styled
    from opchar.files import write_csv
    from opchar.scores import read_scores

    table = read_scores(arguments.scores)
    results = analyse(table, positive=arguments.positive, alpha=arguments.alpha)
    folder = Path(arguments.output or arguments.scores.with_suffix(""))
    summary = results.frame(table.data)[["row", "column", "value"]]
    write_csv(summary.rename(columns={"row": "class", "column": "measure"}), folder / "summary.csv")
    write_csv(results.curves["thresholds"], folder / "thresholds.csv")
    with styled():
        drawn = four_spaces(summary, results.curves)
        save(drawn, {kind: folder / f"four-spaces.{kind}" for kind in ("svg", "pdf", "png")})
    for line in results.lines:
        print(f"{line['row']:16} {line['column']:48} {line['value']:.6g}")
    print(f"thresholds for every prior, and the four spaces: {folder}")
    return 0


def models(arguments: argparse.Namespace) -> int:
    """List the words that models' names are made of."""
    plan, _ = _plan(arguments)
    for word, entry in plan.config.models.items():
        print(f"{word:12} {entry['summary']}")
    return 0


def _settings(arguments: argparse.Namespace) -> dict[str, str]:
    """Return what the command line replaces in ``config/config.yaml``."""
    given = {name: getattr(arguments, name) for name in ("profile", "policy")}
    return {name: value for name, value in given.items() if value}


def _plan(arguments: argparse.Namespace) -> tuple[Plan, str]:
    from opchar.config import load
    from opchar.plan import Plan

    config = load(overrides=_settings(arguments))
    return Plan(config), config.profile


def _targets(plan: Plan, profile: str, goal: str) -> list[str]:
    """Return the files of a goal; a goal that is a path stands for itself."""
    return [goal] if goal.startswith(("results/", "data/")) else plan.targets(profile, goal)


def _enter_project() -> None:
    """Go to the folder of the project, from wherever inside it."""
    here = Path.cwd()
    for folder in [here, *here.parents]:
        if (folder / "config/config.yaml").is_file() and (folder / "Snakefile").is_file():
            os.chdir(folder)
            return
    raise OpcharError(f"{here}: not inside a checkout of OpChar; change to its folder first")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="opchar", description=__doc__)
    parser.add_argument("--version", action="version", version=f"opchar {__version__}")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")

    def command(name: str, function: Any) -> argparse.ArgumentParser:
        sub = commands.add_parser(name, help=function.__doc__, description=function.__doc__)
        sub.set_defaults(function=function)
        sub.add_argument("--profile", help="tiny, quick or paper; that of config.yaml if not given")
        sub.add_argument("--policy", help="auto, real or offline; that of config.yaml if not given")
        return sub

    sub = command("run", run)
    sub.add_argument("goals", nargs="*", help="paper, kind of work, artefact or file")
    sub.add_argument("--cores", type=int, help="jobs side by side")
    sub.add_argument("--dry-run", action="store_true", help="only plan")
    sub.add_argument("--force", action="store_true", help="make the goals even when up to date")
    command("list", list_artefacts).add_argument("paper", nargs="?", help="only this work")
    command("where", where).add_argument("address", help="as in landgrebe2007/table-2.3")
    command("status", status)
    sub = command("data", data)
    sub.add_argument("action", nargs="?", choices=["list", "fetch", "verify"], default="list")
    sub.add_argument("names", nargs="*", help="data sets to fetch; all public ones if none")
    command("models", models)
    sub = command("ledger", ledger)
    sub.add_argument("--paper", help="only lines of this work")
    sub.add_argument("--artefact", help="as in table-2.3 or landgrebe2007/table-2.3")
    sub.add_argument("--verdict", help="as in agrees, differs, erratum, 'not comparable'")
    sub.add_argument("--cause", help="as in 'stand-in data', 'random spread'")
    sub.add_argument("--search", help="words that a line must have, in any column")
    sub.add_argument("--reasons", action="store_true", help="with the reason under each line")
    action = sub.add_mutually_exclusive_group()
    action.add_argument(
        "--check", action="store_true", help="exit 1 if a verdict is worse than expected"
    )
    action.add_argument(
        "--renew", action="store_true", help="make the verdicts of an offline run the expected ones"
    )
    sub = command("analyse", analyse)
    sub.add_argument("scores", type=lambda path: Path(path).resolve(), help="CSV or Parquet")
    sub.add_argument("--positive", help="the positive class; the rarer of two if not given")
    sub.add_argument("--alpha", type=_share, default=0.5, help="weight of precision in F")
    sub.add_argument("--output", type=lambda path: Path(path).resolve(), help="where to write")
    return parser


def _share(text: str) -> float:
    """Read a number in [0, 1]."""
    value = float(text)
    if not 0.0 <= value <= 1.0:
        raise argparse.ArgumentTypeError(f"{text} is not in [0, 1]")
    return value


def main(arguments: list[str] | None = None) -> int:
    """Run a command; what a person can mend is said in one line."""
    chosen = _parser().parse_args(arguments)
    try:
        _enter_project()
        return int(chosen.function(chosen))
    except OpcharError as error:
        print(f"opchar: {error}", file=sys.stderr)
        return 1
    except BrokenPipeError:
        sys.stdout = None  # the reader has seen enough, as in `opchar list | head`
        return 1


if __name__ == "__main__":
    sys.exit(main())
