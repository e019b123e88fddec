"""The arguments of each job and its dependencies: functions, libraries and configuration.

A job gets its task from the configuration and nothing else. So the hash of its task covers all that
it can depend on besides its input files. Where data came from, who is to be cited and what captions
say is no part of a task that does not write it.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from opchar.models.names import split
from opchar_reproduction.project.closure import is_file
from opchar_reproduction.project.configuration.model import Entry, lookup
from opchar_reproduction.project.definitions import file_of, function
from opchar_reproduction.project.libraries import shown_versions
from opchar_reproduction.project.plan import OWN, Plan
from opchar_reproduction.project.records import digest
from opchar_reproduction.project.task import Task
from opchar_reproduction.project.variants import PRIMARY, variant_changes
from opchar_reproduction.publication import MARGINS, from_here

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
        yield from self._before_pages(profile)
        yield self.report(profile)

    def _before_pages(self, profile: str) -> Iterator[Task]:
        plan = self.plan
        sets = plan.datasets(profile)
        yield from map(self.fetch, sorted({plan.origin(name) for name in sets}))
        yield from map(self.features, sets)
        yield from (self.train(profile, *table) for table in plan.trainings(profile))
        for name in plan.needed_experiments(profile):
            yield self.experiment(profile, name)
        made = set(plan.profile_artefacts(profile))
        for study, addresses in plan.exhibits(profile).items():
            if made.issuperset(addresses):
                yield self.exhibits(profile, *study.split("/", 1))
        for name in plan.experiments_with_variants(profile):
            yield self.variants(profile, name)
        for paper in plan.config.settings["papers"]:
            yield self.statements(profile, paper)
        for paper in plan.works_with_variants(profile):
            yield self.compare_variants(profile, paper)
        yield self.ledger(profile)
        yield self.explorer(profile)

    def files(self, profile: str) -> list[str]:
        """Return what a run of a profile makes: files, and the folders of figures and tables."""
        files = [
            file
            for task in self._before_pages(profile)
            for file in task.outputs[: 1 if task.rule == "show_study" else None]
        ]
        # The task of the pages hashes all code of a run: its one file is known without that.
        return [*files, *self.plan.targets(profile, "report")]

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
        sets = plan.datasets(profile, names) if names else []
        yield from map(self.fetch, sorted({plan.origin(name) for name in sets}))
        yield from map(self.features, sets)
        wanted = set(plan.score_tables(names)) - set(plan.trainings(profile))
        yield from (self.train(profile, *table) for table in sorted(wanted))
        yield from (self.experiment(profile, name) for name in names)
        for study, addresses in plan.exhibits(profile).items():
            shown = plan.config.artefacts[addresses[0]]["experiment"]
            if shown in names and Path(f"results/{profile}/{study}").exists():
                yield self.exhibits(profile, *study.split("/", 1))

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
        read = {"raw": [plan.raw(dataset)]}
        return Task("build_features", dataset, calls, given, files, read, unused)

    def train(self, profile: str, dataset: str, table: str) -> Task:
        """Return the task of training the models of a score table."""
        plan, config = self.plan, self.plan.config
        protocol = table.removesuffix(OWN)
        entry = {k: v for k, v in config.protocol(protocol, profile).items() if k != "summary"}
        models = plan.models(dataset, table)
        steps = [step for model in models for step in split(model, config.models)]
        words = {
            word: {k: v for k, v in config.models[word].items() if k not in ("summary", "example")}
            for word, _, _ in steps
            if word in config.models
        }
        given = {
            "dataset": dataset,
            "protocol": protocol,
            "models": models,
            "words": words,
            "entry": entry,
            "seed": config.seed,
        }
        functions = dict.fromkeys(function for _, _, function in steps)
        calls = _calls("making.train", entry["function"], *functions)
        file = plan.scores(profile, dataset, table)
        files = (file, file.removesuffix(".parquet") + ".json")
        read = {"features": [plan.features(dataset)]}
        return Task("train_models", f"{dataset}/{table}", calls, given, files, read)

    def experiment(self, profile: str, address: str) -> Task:
        """Return the task of an experiment."""
        plan = self.plan
        entry = plan.config.experiment(address, profile)
        given, called = self._measuring_task(address, entry)
        rule = f"run_{plan.config.experiments[address]['kind']}"
        functions = _calls("making.experiment", *called)
        files = plan.experiment_files(profile, address)
        return Task(rule, address, functions, given, files, plan.of_data(profile, address))

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
        return Task("run_variants", address, calls, given, files, primary.read)

    def compare_variants(self, profile: str, paper: str) -> Task:
        """Return the task of comparing the variants of a work."""
        plan = self.plan
        judged = self.statements(profile, paper)
        compared = plan.compared_studies(profile, paper)
        others = plan.experiments_with_variants(profile, paper)
        variants = {name: plan.config.experiments[name]["variants"] for name in others}
        given = {
            "paper": paper,
            "experiments": compared,
            "declared": {name: list(variant_changes(said)) for name, said in variants.items()},
            "blocks": {
                name: {key: said[key] for key in ("blocks", "contradicted") if key in said}
                for name, said in variants.items()
            },
            "entries": judged.given["entries"],
            "seed": plan.config.seed,
        }
        functions = _calls("judging.variants", *judged.functions[1:])
        files = tuple(plan.compared_variant_files(profile, paper))
        varied = [plan.variant_results(profile, name) for name in others]
        read = plan.measurements(profile, compared) | {
            "other_results": [lines for lines, _ in varied],
            "other_curves": [curves for _, curves in varied],
            "published": plan.published_files("values", "errata", work=paper),
        }
        return Task("compare_variants", paper, functions, given, files, read)

    def exhibits(self, profile: str, paper: str, study: str) -> Task:
        """Return the task of the figures and tables that stand in the folder of a study."""
        folder = f"{paper}/{study}"
        single = [self.artefact(profile, name) for name in self.plan.shown_in(profile, folder)]
        given = {
            f"{kind}s": {task.name: task.given for task in single if task.rule == kind}
            for kind in ("figure", "table")
        }
        functions = dict.fromkeys(name for task in single for name in task.functions)
        calls = _calls("showing.exhibits", *functions)
        files = (f"results/{profile}/{folder}", *(f for task in single for f in task.outputs))
        # A user's own tables stand beside nothing printed.
        beside = given["tables"] and paper != "own"
        printed = self.plan.published_files("values", "about", work=paper) if beside else []
        read = {**single[0].read, "published": printed}
        return Task("show_study", folder, calls, given, files, read)

    def artefact(self, profile: str, address: str) -> Task:
        """Return what making one figure or table takes: its part of a task of `exhibits`."""
        entry = lookup(self.plan.config.artefacts, address, "artefact")
        shown = {"renderer": entry["renderer"], "parameters": entry.get("parameters", {})}
        files = tuple(self.plan.artefact_files(profile, address))
        read = self.plan.measurements(profile, [entry["experiment"]])
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
        given = {"entries": entries, "resamples": RESAMPLES[profile], "seed": self.plan.config.seed}
        file = f"results/{profile}/statements/{paper}.csv"
        calls = _calls("judging.statements", *sorted(functions))
        read = self.plan.measurements(profile, self.plan.statement_experiments(profile, paper))
        return Task("judge_statements", paper, calls, given, (file,), read)

    def ledger(self, profile: str) -> Task:
        """Return the task of the ledger."""
        plan = self.plan
        labels = {address: plan.labels(address) for address in plan.profile_artefacts(profile)}
        given = {"labels": labels, "papers": plan.config.settings["papers"]}
        files = tuple(plan.ledger_files(profile))
        printed = plan.published_files("values", "errata", "causes", "apart")
        read = {
            "results": plan.results(profile),
            "statements": plan.statement_tables(profile),
            "weights": plan.weights(profile),
            "published": [*printed, from_here(MARGINS)],
        }
        return Task("compare_with_print", "", _calls("judging.ledger"), given, files, read)

    def explorer(self, profile: str) -> Task:
        """Return the task of gathering score tables for the explorer of the report."""
        read, file = {"scores": self.plan.run_scores(profile)}, f"results/{profile}/explorer.json"
        return Task("gather_scores", "", _calls("showing.explorer"), {}, (file,), read)

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
            # What pages print: the text in which a function stands.
            "texts": {n: digest(file_of(n)) for n in sorted(functions) if not is_file(n)},
        }
        files = tuple(self.plan.targets(profile, "report"))
        calls = _calls("showing.report", *sorted(functions))
        return Task("write_report", "", calls, given, files, self.shown_on_pages(profile))

    def shown_on_pages(self, profile: str) -> dict[str, list[str]]:
        """Return what the task of the pages reads, for which no code has to be read."""
        plan = self.plan
        ledger, *summaries = plan.ledger_files(profile)
        printed = plan.published_files("about", "catalogue", "values", "errata", "leads")
        citation = (plan.config.root / "CITATION.cff").as_posix()
        measured = plan.measurements(profile, plan.needed_experiments(profile))
        return {
            "ledger": [ledger],
            "summaries": summaries,
            "results": measured["results"],
            "statements": plan.statement_tables(profile),
            "weights": plan.weights(profile),
            "artefacts": plan.shown_studies(profile),
            "provenance": plan.provenance(profile),
            "explored": [f"results/{profile}/explorer.json"],
            "curves": measured["curves"],
            "published": [*printed, *plan.proofread(), citation],
        }


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
