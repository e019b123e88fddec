"""What the pages show, gathered from the files of a run."""

import ast
import json
from collections.abc import Iterable, Sequence
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
from opchar_reproduction.report.content import Content, DataSet
from opchar_reproduction.report.exports.citations import read_citation
from opchar_reproduction.report.pages.proofs import read_proofs
from opchar_reproduction.report.pages.writing import write
from opchar_reproduction.report.proofreading.checks import leads_found
from opchar_reproduction.report.variant_tables import read_variant_tables
from opchar_reproduction.results import read_curves, read_results
from opchar_reproduction.statements.judging import read_judged


def assemble(
    plan: Plan, profile: str, *, ledger: Path, provenance: Iterable[Path], explored: Path
) -> Path:
    """Write the pages of a run beside its ledger."""
    config = plan.config
    wanted = plan.profile_artefacts(profile)
    works = plan.works()
    leads = pd.concat([read_leads(works), leads_found(works)], ignore_index=True)
    lines = read_lines(works)
    experiments = {
        name: config.experiment(name, profile) for name in plan.needed_experiments(profile)
    }
    measured = list(experiments.values())
    shown = [entry["function"] for entry in measured]
    shown += [config.artefacts[address]["renderer"] for address in wanted]
    content = Content(
        papers=read_papers(works),
        catalogue=read_catalogue(works),
        published=lines,
        artefacts={address: config.artefacts[address] for address in wanted},
        experiments=experiments,
        code=sources(shown),
        versions={name: str(Tasks(plan).experiment(profile, name)) for name in experiments},
        ledger=pd.read_csv(ledger, dtype=str, keep_default_na=False),
        tables={
            address: table_block(plan, profile, address, lines)
            for address in plan.profile_artefacts(profile, kind="table")
        },
        figures={
            address: {Path(f).suffix[1:]: Path(f) for f in plan.artefact_files(profile, address)}
            for address in plan.profile_artefacts(profile, kind="figure")
        },
        data=data_sets(plan, profile, provenance),
        run=_facts(plan, profile),
        citation=read_citation(config.root / "CITATION.cff"),
        workflow=_workflow(plan, profile, experiments),
        errata=read_errata(works),
        leads=leads,
        chapters=read_chapters(works),
        statements=pd.concat([read_judged(Path(path)) for path in plan.statement_tables(profile)]),
        variants=read_variant_tables(
            [
                file
                for paper in plan.works_with_variants(profile)
                for file in plan.compared_variant_files(profile, paper)
            ]
        ),
        proofs=read_proofs(
            {
                name: plan.experiment_files(profile, name)[1]
                for name in plan.proof_experiments(profile)
            }
        ),
        explored=read_json(explored),
        surfaces=surfaces(plan, profile),
    )
    return write(ledger.parent, content)


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


def surfaces(plan: Plan, profile: str) -> dict[str, Sequence[View]]:
    """Return the views of figures that can be turned, by address."""
    found = {}
    for address in plan.profile_artefacts(profile, kind="figure"):
        entry = plan.config.artefacts[address]
        if "surface" in entry:
            _, curves = plan.artefact_sources(profile, address)
            found[address] = import_function(entry["surface"])(
                read_curves(Path(curves)), **entry.get("parameters", {})
            )
    return found


def data_sets(plan: Plan, profile: str, provenance: Iterable[Path]) -> list[DataSet]:
    """Return the data sets of a run, by name: what was used, under which licence, and by what."""
    used = _used_by(plan, profile)
    sets = []
    for fetched in map(read_json, provenance):
        entry = plan.config.datasets[fetched["set"]]
        sets.append(
            DataSet(
                key=fetched["set"],
                title=fetched["title"],
                licence=(fetched if fetched["stand_in"] else entry).get(
                    "licence", fetched["licence"]
                ),
                citation=(fetched if fetched["stand_in"] else entry).get(
                    "citation", fetched["citation"]
                ),
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


def _facts(plan: Plan, profile: str) -> dict[str, str]:
    return {"profile": profile, "seed": str(plan.config.seed), **shown_versions()}


def _workflow(plan: Plan, profile: str, experiments: dict[str, Any]) -> dict[str, str]:
    """Return the rules, the environment and the configuration of a run; no place of a machine."""
    config = plan.config
    planned = {
        "profile": profile,
        "seed": config.seed,
        "papers": config.settings["papers"],
        "experiments": experiments,
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
