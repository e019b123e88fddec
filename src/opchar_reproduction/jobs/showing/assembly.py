"""What the pages show, gathered from the files of a run."""

import ast
import json
from collections import ChainMap, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import pandas as pd

from opchar.errors import ConfigError
from opchar.files import read_json
from opchar.functions import import_function
from opchar_reproduction.figures.surface import View
from opchar_reproduction.figures.tables import TableBlock
from opchar_reproduction.project.definitions import file_of, shown_file
from opchar_reproduction.project.libraries import shown_versions
from opchar_reproduction.project.plan import Plan
from opchar_reproduction.project.tasks import Tasks
from opchar_reproduction.report.comparison.published_values import (
    read_catalogue,
    read_chapters,
    read_errata,
    read_leads,
    read_lines,
    read_papers,
)
from opchar_reproduction.report.comparison.whole_tables import CELL, Repeats
from opchar_reproduction.report.content import DataSet, Made, OnDemand
from opchar_reproduction.report.exports.citations import read_citation
from opchar_reproduction.report.pages.proofs import read_proofs
from opchar_reproduction.report.variant_tables import read_variant_tables
from opchar_reproduction.results import REPEATS, read_curves, read_results
from opchar_reproduction.statements.judging import read_judged


def gather(
    plan: Plan, profile: str, ledger: Path, provenance: Iterable[Path], explored: Path
) -> OnDemand:
    """Return what the pages show, each part read when a page asks for it."""
    config = plan.config
    wanted = plan.profile_artefacts(profile)
    verdicts = pd.read_csv(ledger, dtype=str, keep_default_na=False)
    with_lines = set(verdicts["paper"])
    works = {paper: folder for paper, folder in plan.works().items() if paper in with_lines}
    judged = [path for path in map(Path, plan.statement_tables(profile)) if path.stem in works]
    lines = read_lines(works)
    tables, figures = (plan.profile_artefacts(profile, kind=kind) for kind in ("table", "figure"))
    turned = [address for address in figures if "surface" in config.artefacts[address]]
    experiments = Made(
        plan.needed_experiments(profile), lambda name: config.experiment(name, profile)
    )
    renderers = [config.artefacts[address]["renderer"] for address in wanted]
    variant_files = (
        file
        for paper in plan.works_with_variants(profile)
        for file in plan.compared_variant_files(profile, paper)
    )
    proof_files = {
        name: plan.experiment_files(profile, name)[1] for name in plan.proof_experiments(profile)
    }
    return OnDemand(
        papers=lambda: read_papers(works),
        catalogue=lambda: read_catalogue(works),
        published=lambda: lines,
        artefacts=lambda: {address: config.artefacts[address] for address in wanted},
        experiments=lambda: experiments,
        code=lambda: sources([*(e["function"] for e in experiments.values()), *renderers]),
        versions=lambda: Made(experiments, lambda name: str(Tasks(plan).experiment(profile, name))),
        ledger=lambda: verdicts,
        tables=lambda: Made(tables, lambda address: table_block(plan, profile, address, lines)),
        figures=lambda: {
            address: {Path(f).suffix[1:]: Path(f) for f in plan.artefact_files(profile, address)}
            for address in figures
        },
        data=lambda: data_sets(plan, profile, provenance),
        run=lambda: {"profile": profile, "seed": str(config.seed), **shown_versions()},
        citation=lambda: read_citation(config.root / "CITATION.cff"),
        workflow=lambda: _workflow(plan, profile, experiments),
        errata=lambda: read_errata(works),
        leads=lambda: read_leads(works),
        found=lambda: _find_suspected(works),
        chapters=lambda: read_chapters(works),
        statements=lambda: pd.concat([read_judged(path) for path in judged]),
        variants=lambda: read_variant_tables(list(variant_files)),
        proofs=lambda: read_proofs(proof_files),
        explored=lambda: read_json(explored),
        repeats=lambda: Made(works, lambda paper: _repeats(plan, profile, paper)),
        surfaces=lambda: Made(turned, lambda address: surface(plan, profile, address)),
    )


def _repeats(plan: Plan, profile: str, paper: str) -> Repeats:
    """Return the single repeats of the cells of each table of a publication, read on demand."""
    names: dict[str, set[str]] = defaultdict(set)
    for address in plan.profile_artefacts(profile):
        if address.startswith(f"{paper}/"):
            for label in plan.labels(address):
                names[label].add(plan.config.artefacts[address]["experiment"])

    @cache
    def kept(name: str) -> dict[tuple[str, ...], list[float]]:
        file, cells = plan.experiment_files(profile, name)[1], defaultdict(list)
        frame = pd.read_parquet(file, filters=[("curve", "==", REPEATS)])
        if len(frame):
            for *cell, value in zip(*(frame[name] for name in [*CELL, "measured"]), strict=True):
                cells[tuple(cell)].append(value)
        return cells

    return Made(names, lambda label: ChainMap(*map(kept, sorted(names[label]))))


def _find_suspected(works: Mapping[str, str]) -> pd.DataFrame:
    """Return the suspected errors that checks find; only their page loads the checks."""
    from opchar_reproduction.report.proofreading.checks import leads_found

    return leads_found(works)


def sources(references: Iterable[str]) -> dict[str, tuple[str, str]]:
    """Return file and text of functions of the package and of publications from outside."""
    wanted = sorted(set(references))
    texts: dict[str, str] = {}
    for module in sorted({name.partition(":")[0] for name in wanted}):
        text = file_of(module).read_text(encoding="utf-8")
        lines = text.splitlines()
        texts |= {
            f"{module}:{node.name}": "\n".join(lines[_first(node) - 1 : node.end_lineno])
            for node in ast.parse(text).body
            if isinstance(node, ast.FunctionDef)
        }
    if missing := [name for name in wanted if name not in texts]:
        raise ConfigError(f"'{missing[0]}': its module does not define it; name the one that does")
    return {name: (shown_file(name), texts[name]) for name in wanted}


def _first(node: ast.FunctionDef) -> int:
    """Return the line on which a function begins, its decorators included."""
    return min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])


def table_block(plan: Plan, profile: str, address: str, published: pd.DataFrame) -> TableBlock:
    """Return the table of an artefact from the result lines of its experiment."""
    entry = plan.config.artefacts[address]
    labels = plan.labels(address)
    results = read_results(plan.artefact_sources(profile, address)[0])
    same_work = published["paper"] == address.split("/")[0]
    return import_function(entry["renderer"])(
        results[results["artefact"].isin(labels)],
        published[same_work & published["artefact"].isin(labels)],
        **entry.get("parameters", {}),
    )


def surface(plan: Plan, profile: str, address: str) -> Sequence[View]:
    """Return the views of a figure that can be turned."""
    entry = plan.config.artefacts[address]
    _, curves = plan.artefact_sources(profile, address)
    views: Sequence[View] = import_function(entry["surface"])(
        read_curves(Path(curves)), **entry.get("parameters", {})
    )
    return views


def data_sets(plan: Plan, profile: str, provenance: Iterable[Path]) -> list[DataSet]:
    """Return the data sets of a run, by name: what was used, under which licence, and by what."""
    used = _used_by(plan, profile)
    sets = []
    for fetched in map(read_json, provenance):
        entry = plan.config.datasets[fetched["set"]]
        told = fetched if fetched["stand_in"] else entry
        sets.append(
            DataSet(
                key=fetched["set"],
                title=fetched["title"],
                licence=told.get("licence", fetched["licence"]),
                citation=told.get("citation", fetched["citation"]),
                stand_in=fetched["stand_in"] or "",
                page=entry.get("page", ""),
                shape=tuple(entry.get("shape", ())),
                files=dict(sorted(fetched["files"].items())),
                used_by=tuple(used.get(fetched["set"], ())),
            )
        )
    return sorted(sets, key=lambda each: each.key)


def _used_by(plan: Plan, profile: str) -> dict[str, list[str]]:
    """Return the artefacts that rest on each fetched data set."""
    used: dict[str, list[str]] = {}
    for address in plan.profile_artefacts(profile):
        entry = plan.config.experiments[plan.config.artefacts[address]["experiment"]]
        names = [group["data"] for group in entry.get("scores", [])] + entry.get("features", [])
        for origin in sorted({plan.origin(name) for name in names}):
            used.setdefault(origin, []).append(address)
    return used


def _workflow(plan: Plan, profile: str, experiments: Mapping[str, Any]) -> dict[str, str]:
    """Return the rules, the environment and the configuration of a run; no place of a machine."""
    config = plan.config
    planned = {
        "profile": profile,
        "seed": config.seed,
        "papers": config.settings["papers"],
        "experiments": dict(experiments),
        "artefacts": {
            address: config.artefacts[address] for address in plan.profile_artefacts(profile)
        },
        "datasets": config.datasets,
        "models": config.models,
        "protocols": config.protocols,
    }
    texts = plan.workflow_texts()
    texts["config.json"] = json.dumps(planned, indent=1, ensure_ascii=False, default=str) + "\n"
    return texts
