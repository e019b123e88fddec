"""The arguments of each job and its dependencies: functions, libraries and configuration.

A job gets its task from the configuration and nothing else. So the hash of its task covers all that
it can depend on besides its input files. Where data came from, who is to be cited and what captions
say is no part of a task that does not write it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from typing import Any

from opchar.errors import ConfigError, nearest
from opchar.models.names import split
from opchar_reproduction.project.closure import is_file
from opchar_reproduction.project.configuration.model import Entry, lookup
from opchar_reproduction.project.definitions import file_of, function
from opchar_reproduction.project.libraries import shown_versions
from opchar_reproduction.project.plan import Plan
from opchar_reproduction.project.task import Task
from opchar_reproduction.project.trainings import subject, training_groups
from opchar_reproduction.project.variants import PRIMARY, variant_changes

RESAMPLES = {"tiny": 20, "quick": 200, "paper": 1000}
# The extra `images` may come and go without a change to sets that have none.
OF_IMAGES = ("onnxruntime", "opencv-python-headless", "scikit-image")
# What tells people about a data set, or where to find it, and is no part of what it is.
TOLD = ("title", "official", "page", "licence", "citation", "notes", "folder", "recommended_split")

# What an entry of an experiment says that does not go into its own job.
# A function of a user's own among parameters: its file counts for what is made again.
FUNCTION_OF_FILE = re.compile(r"[\w./-]+\.py:\w+")
ASIDE = ("kind", "variants", "nothing_open", "page", "on_request")


@dataclass(frozen=True)
class Tasks:
    """The tasks that follow from a plan."""

    plan: Plan

    def of_profile(self, profile: str) -> Iterator[Task]:
        """Yield every task of a run of a profile, inputs first."""
        plan = self.plan
        sets = plan.datasets(profile)
        yield from map(self.fetch, sorted({plan.origin(name) for name in sets}))
        yield from map(self.features, sets)
        yield from self._trainings(profile, set(plan.trainings(profile)))
        for name in plan.needed_experiments(profile):
            yield self.experiment(profile, name)
        made = set(plan.profile_artefacts(profile))
        for rule, addresses in plan.exhibits(profile).items():
            if made.issuperset(addresses):
                yield self.exhibits(profile, rule)
        for name in plan.experiments_with_variants(profile):
            yield self.variants(profile, name)
        for paper in plan.config.settings["papers"]:
            yield self.statements(profile, paper)
        for paper in plan.works_with_variants(profile):
            yield self.compare_variants(profile, paper)
        yield self.ledger(profile)
        yield self.explorer(profile)
        yield self.report(profile)

    def made_besides(self, profile: str) -> Iterator[Task]:
        """Yield the tasks behind studies that were made and are no part of a run of a profile.

        They are our own and a user's, which are made when asked for.
        """
        plan, needed = self.plan, set(self.plan.needed_experiments(profile))
        names = [
            name
            for name in plan.experiments()
            if name not in needed
            and any(Path(file).exists() for file in plan.experiment_files(profile, name))
        ]
        groups = [group for n in names for group in plan.config.experiments[n].get("scores", [])]
        sets = {group["data"] for group in groups}
        sets |= {s for n in names for s in plan.config.experiments[n].get("features", [])}
        yield from map(self.fetch, sorted({plan.origin(name) for name in sets}))
        yield from map(self.features, sorted(sets))
        wanted = {(g["data"], g["protocol"], str(model)) for g in groups for model in g["models"]}
        yield from self._trainings(profile, wanted - set(plan.trainings(profile)))
        yield from (self.experiment(profile, name) for name in names)
        for rule, addresses in plan.exhibits(profile).items():
            entries = [plan.config.artefacts[address] for address in addresses]
            files = [file for a in addresses for file in plan.artefact_files(profile, a)]
            if entries[0]["experiment"] in names and any(Path(file).exists() for file in files):
                yield self.exhibits(profile, rule)

    def fetch(self, dataset: str) -> Task:
        """Return the task of fetching a data set."""
        entry = lookup(self.plan.config.datasets, dataset, "data set")
        given = {"name": dataset, "entry": _untold(entry)}
        return Task("fetch_data", dataset, _calls("making.fetch"), given, (self.plan.raw(dataset),))

    def features(self, dataset: str) -> Task:
        """Return the task of a feature table."""
        plan = self.plan
        origin = plan.origin(dataset)
        source = plan.config.datasets[origin]
        functions = [source["reader"]] if "reader" in source else []
        functions += [source["stand_in"]["generator"]] if "stand_in" in source else []
        entries = {name: _untold(plan.config.datasets[name]) for name in (dataset, origin)}
        given = {"name": dataset, "entries": entries, "seed": plan.config.seed}
        table = plan.features(dataset)
        files = (table, table.replace(".parquet", ".json"))
        unused = () if "images" in source else OF_IMAGES
        calls = _calls("making.features", *functions)
        raw = (plan.raw(dataset),)
        return Task("build_features", dataset, calls, given, files, raw, unused)

    def _trainings(self, profile: str, trained: set[tuple[str, str, str]]) -> Iterator[Task]:
        """Yield what training each model takes, with the rule of the job that does it."""
        for rule, tables in training_groups(self.plan, profile).items():
            took = f"logs/{profile}/train/{subject(tables)}.tsv"
            for table in [table for table in tables if table in trained]:
                task = self.train(profile, *table)
                yield replace(task, rule=rule, name="", benchmark=took)

    def train(self, profile: str, dataset: str, protocol: str, model: str) -> Task:
        """Return what training a model takes: a part of the task of a rule of `training_groups`.

        The `model` is its name or the stem of its file.
        """
        plan, config = self.plan, self.plan.config
        table = plan.scores(profile, dataset, protocol, model)
        stem = Path(table).name.removesuffix(".parquet")
        name = plan.model(dataset, protocol, stem)
        steps = split(name, config.models)
        entry = {k: v for k, v in config.protocol(protocol, profile).items() if k != "summary"}
        words = {
            word: {k: v for k, v in config.models[word].items() if k not in ("summary", "example")}
            for word, _, _ in steps
            if word in config.models
        }
        given = {
            "dataset": dataset,
            "protocol": protocol,
            "model": name,
            "words": words,
            "entry": entry,
            "seed": config.seed,
        }
        functions = _calls(
            "making.train", entry["function"], *(function for _, _, function in steps)
        )
        files = (table, table.removesuffix(".parquet") + ".json")
        read = (plan.features(dataset),)
        return Task("train", f"{dataset}/{protocol}/{stem}", functions, given, files, read)

    def experiment(self, profile: str, address: str) -> Task:
        """Return the task of an experiment."""
        plan = self.plan
        entry = plan.config.experiment(address, profile)
        given, called = self._measuring_task(address, entry)
        rule = f"run_{plan.config.experiments[address]['kind']}"
        functions = _calls("making.experiment", *called)
        files = plan.experiment_files(profile, address)
        took = f"logs/{profile}/experiments/{address}.tsv"
        read = (*plan.experiment_scores(profile, address), *plan.experiment_features(address))
        return Task(rule, address, functions, given, files, read, benchmark=took)

    def _measuring_task(self, address: str, entry: Entry) -> tuple[dict[str, Any], tuple[str, ...]]:
        """Return what a job that measures is given, and the functions that it calls."""
        entry = {key: value for key, value in entry.items() if key not in ASIDE}
        draws = "spawn" in function(entry["function"]).parameters
        given = {"name": address, "entry": entry, "seed": self.plan.config.seed if draws else None}
        own = [each for each in _texts(entry["parameters"]) if FUNCTION_OF_FILE.fullmatch(each)]
        return given, (entry["function"], *own)

    def variants(self, profile: str, address: str) -> Task:
        """Return the task of the other variants of an experiment."""
        declared = self.plan.config.experiments[address]["variants"]
        primary = self.experiment(profile, address)
        own = {k: v for k, v in variant_changes(declared).items() if k != PRIMARY}
        changes = {name: declared.get("with", {}) | change for name, change in own.items()}
        given = primary.given | {"changes": changes, "frames": declared.get("frames", [])}
        files = self.plan.variant_results(profile, address)
        calls = _calls("making.variants", *primary.functions[1:])
        took = f"logs/{profile}/variants/{address}.tsv"
        return Task("run_variants", address, calls, given, files, primary.inputs, benchmark=took)

    def compare_variants(self, profile: str, paper: str) -> Task:
        """Return the task of comparing the variants of a work."""
        plan = self.plan
        judged = self.statements(profile, paper)
        given = {
            "paper": paper,
            "experiments": plan.compared_studies(profile, paper),
            "declared": {
                name: list(variant_changes(plan.config.experiments[name]["variants"]))
                for name in plan.experiments_with_variants(profile)
                if name.split("/")[0] == paper
            },
            "blocks": {
                name: {key: said[key] for key in ("blocks", "contradicted") if key in said}
                for name in plan.experiments_with_variants(profile)
                if name.split("/")[0] == paper
                for said in [plan.config.experiments[name]["variants"]]
            },
            "entries": judged.given["entries"],
            "seed": plan.config.seed,
        }
        functions = _calls("judging.variants", *judged.functions[1:])
        files = tuple(plan.compared_variant_files(profile, paper))
        read = [
            file for name in given["experiments"] for file in plan.experiment_files(profile, name)
        ]
        read += [f for name in given["declared"] for f in plan.variant_results(profile, name)]
        return Task("compare_variants", paper, functions, given, files, tuple(read))

    def exhibits(self, profile: str, rule: str) -> Task:
        """Return the task of the figures and tables that a rule of `Plan.exhibits` makes."""
        shows = self.plan.exhibits(profile)
        if rule not in shows:
            raise ConfigError(f"no rule '{rule}' shows a study{nearest(rule, list(shows))}")
        addresses = shows[rule]
        single = [self.artefact(profile, address) for address in addresses]
        return Task(
            rule,
            "",
            tuple(dict.fromkeys(function for task in single for function in task.functions)),
            {address: task.given for address, task in zip(addresses, single, strict=True)},
            tuple(file for task in single for file in task.outputs),
            tuple(dict.fromkeys(file for task in single for file in task.inputs)),
        )

    def artefact(self, profile: str, address: str) -> Task:
        """Return what making one figure or table takes: its part of a task of `exhibits`."""
        entry = lookup(self.plan.config.artefacts, address, "artefact")
        shown = {"renderer": entry["renderer"], "parameters": entry.get("parameters", {})}
        files = tuple(self.plan.artefact_files(profile, address))
        read = self.plan.artefact_sources(profile, address)
        functions = _calls(f"showing.{entry['kind']}", entry["renderer"])
        if entry["kind"] == "figure":
            shown["lines"] = self.plan.labels(address)
            if "illustration" in entry:
                shown["illustration"] = entry["illustration"]
            return Task("figure", address, functions, {"entry": shown}, files, read)
        given = {
            "name": address,
            "entry": shown | {"title": entry["title"]},
            "labels": self.plan.labels(address),
        }
        return Task("table", address, functions, given, files, read)

    def statements(self, profile: str, paper: str) -> Task:
        """Return the task of judging the statements of a work."""
        entries = self.plan.statements(profile, paper)
        functions = {entry["function"] for entry in entries.values()}
        functions |= {
            control["function"]
            for entry in entries.values()
            for control in (entry["control"], *entry.get("leaf_controls", []))
        }
        given = {
            "entries": entries,
            "resamples": RESAMPLES[profile],
            "seed": self.plan.config.seed,
        }
        file = f"results/{profile}/statements/{paper}.csv"
        calls = _calls("judging.statements", *sorted(functions))
        results, curves = self.plan.statement_sources(profile, paper)
        return Task("judge_statements", paper, calls, given, (file,), (*results, *curves))

    def ledger(self, profile: str) -> Task:
        """Return the task of the ledger."""
        plan = self.plan
        labels = {address: plan.labels(address) for address in plan.profile_artefacts(profile)}
        given = {"labels": labels, "papers": plan.config.settings["papers"]}
        files = tuple(plan.ledger_files(profile))
        read = (*plan.results(profile), *plan.statement_tables(profile), *plan.weights(profile))
        return Task("compare_with_print", "", _calls("judging.ledger"), given, files, read)

    def explorer(self, profile: str) -> Task:
        """Return the task of gathering score tables for the explorer of the report."""
        plan = self.plan
        trained = plan.trainings(profile)
        given = {"models": [f"{model} ({protocol})" for _, protocol, model in trained]}
        read = tuple(plan.scores(profile, *wanted) for wanted in trained)
        return Task(
            "gather_scores",
            "",
            _calls("showing.explorer"),
            given,
            (plan.explorer_file(profile),),
            read,
        )

    def report(self, profile: str) -> Task:
        """Return the task of the pages."""
        config = self.plan.config
        shown = self.plan.needed_experiments(profile)
        functions = {
            config.artefacts[name]["renderer"] for name in self.plan.profile_artefacts(profile)
        }
        entries = [config.experiments[name] for name in shown]
        functions |= {entry["function"] for entry in entries}
        wanted = [config.artefacts[name] for name in self.plan.profile_artefacts(profile)]
        functions |= {entry["surface"] for entry in wanted if "surface" in entry}
        given = {
            "papers": config.settings["papers"],
            "seed": config.seed,
            "artefacts": {k: v for k, v in config.artefacts.items() if not k.startswith("own/")},
            "datasets": {k: v for k, v in config.datasets.items() if "own" not in v},
            "models": config.models,
            "protocols": config.protocols,
            "experiments": {name: config.experiment(name, profile) for name in shown},
            "versions": {name: str(self.experiment(profile, name)) for name in shown},
            "shown": shown_versions(),
            "workflow": self.plan.workflow_texts(),
            "texts": {name: _text(name) for name in sorted(functions) if not is_file(name)},
        }
        files = (f"results/{profile}/report/index.html",)
        plan = self.plan
        read = (
            *plan.ledger_files(profile),
            *plan.results(profile),
            *plan.statement_tables(profile),
            *plan.weights(profile),
            *plan.files(profile),
            *plan.provenance(profile),
            plan.explorer_file(profile),
            *plan.page_curves(profile),
        )
        calls = _calls("showing.report", *sorted(functions))
        return Task("write_report", "", calls, given, files, read)


def _text(reference: str) -> str:
    """Return the digest of the text in which a function stands, which the pages print."""
    return sha256(file_of(reference).read_bytes()).hexdigest()


def _calls(kind: str, *functions: str) -> tuple[str, ...]:
    return (f"opchar_reproduction.jobs.{kind}:run", *functions)


def _texts(value: Any) -> Iterator[str]:
    """Yield every text in parameters."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for part in value.values() if isinstance(value, dict) else value:
            yield from _texts(part)


def _untold(entry: Entry) -> Entry:
    """Return the entry of a data set without what is only told to people."""
    kept = {key: value for key, value in entry.items() if key not in TOLD}
    return kept | {"title": "", "licence": "", "citation": ""}
