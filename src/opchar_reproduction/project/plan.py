"""The files of a run, and the inputs of each.

The workflow's rules wire what this module says; the command line asks it the same questions.
All paths are relative to the folder of the project.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from opchar.errors import ConfigError, nearest
from opchar.models.names import slug
from opchar_reproduction import publication
from opchar_reproduction.project.configuration.model import Entry, lookup
from opchar_reproduction.project.selection import SAMPLED, Selection

FORMATS = {"figure": ("svg", "pdf", "png"), "table": ("csv", "md", "tex")}


@dataclass(frozen=True)
class Plan(Selection):
    """The jobs that follow from a configuration."""

    def raw(self, dataset: str) -> str:
        """Return the file that says a data set has been fetched."""
        return f"data/raw/{self.origin(dataset)}/PROVENANCE.json"

    def origin(self, dataset: str) -> str:
        """Return the data set that is fetched for `dataset`: itself, or the source of a view."""
        entry = lookup(self.config.datasets, dataset, "data set")
        return self.origin(entry["view_of"]) if "view_of" in entry else dataset

    def features(self, dataset: str) -> str:
        """Return the feature table of a data set."""
        lookup(self.config.datasets, dataset, "data set")
        return f"data/features/{dataset}.parquet"

    def scores(self, profile: str, dataset: str, protocol: str, model: str) -> str:
        """Return the score table of a model on a data set under a protocol."""
        return f"data/scores/{profile}/{dataset}/{protocol}/{slug(model)}.parquet"

    def model(self, dataset: str, protocol: str, stem: str) -> str:
        """Return the model whose score table is called `stem`."""
        if (found := self._models.get((dataset, protocol, stem))) is not None:
            return found
        raise ConfigError(
            f"no experiment asks for model '{stem}' on '{dataset}' under '{protocol}': add it to "
            "the scores of a study"
        )

    @cached_property
    def _models(self) -> dict[tuple[str, str, str], str]:
        """The model of each score table, by the stem of its file; the first where two share it."""
        groups = list(self._score_groups(self.config.experiments))
        return {
            (group["data"], group["protocol"], slug(name)): str(name)
            for group in reversed(groups)
            for name in reversed(group["models"])
        }

    def experiment_scores(self, profile: str, address: str) -> list[str]:
        """Return the score tables an experiment reads."""
        return self._tables(profile, self._score_groups([address]))

    def _tables(self, profile: str, groups: Iterable[Entry]) -> list[str]:
        return [
            self.scores(profile, group["data"], group["protocol"], model)
            for group in groups
            for model in group["models"]
        ]

    def experiment_features(self, address: str) -> list[str]:
        """Return the feature tables an experiment reads."""
        entry = lookup(self.config.experiments, address, "experiment")
        return [self.features(name) for name in entry.get("features", [])]

    def experiment_files(self, profile: str, address: str) -> tuple[str, str]:
        """Return the result table and the curves of an experiment."""
        stem = f"results/{profile}/experiments/{address}"
        return f"{stem}.csv", f"{stem}.parquet"

    def variant_results(self, profile: str, address: str) -> tuple[str, str]:
        """Return the result table and the frames of an experiment under its other variants."""
        stem = f"results/{profile}/variants/{address}"
        return f"{stem}.csv", f"{stem}.parquet"

    def compared_variant_files(self, profile: str, paper: str) -> list[str]:
        """Return the weights of a work's variants, their cells, and what statements say in each."""
        stem = f"results/{profile}/variants/{paper}"
        return [f"{stem}.csv", f"{stem}-cells.csv", f"{stem}-statements.csv"]

    def artefact_files(self, profile: str, address: str) -> list[str]:
        """Return the files of a figure or table."""
        kind = lookup(self.config.artefacts, address, "artefact")["kind"]
        return [f"results/{profile}/{address}.{format_}" for format_ in FORMATS[kind]]

    def exhibits(self, profile: str) -> dict[str, list[str]]:
        """Return the figures and tables that one job makes, by its rule: those of one study.

        What a user has added to a study is made by a job of its own, and so is, in ``tiny``, what
        the sample leaves out.
        """
        if profile not in self._shown_by_profile:
            self._shown_by_profile[profile] = self._exhibits(profile)
        return self._shown_by_profile[profile]

    @cached_property
    def _shown_by_profile(self) -> dict[str, dict[str, list[str]]]:
        return {}

    def _exhibits(self, profile: str) -> dict[str, list[str]]:
        sampled = set(self.profile_artefacts(profile))
        found: dict[str, list[str]] = {}
        for address in [
            *self.artefacts(),
            *self.artefacts_on_request(),
            *self.own(self.config.artefacts),
        ]:
            left_out = profile == SAMPLED and address not in sampled
            words = ["show", *(["other"] if left_out else []), self._owned_study(address)]
            found.setdefault(re.sub(r"[/-]", "_", "_".join(words)), []).append(address)
        return found

    def _owned_study(self, address: str) -> str:
        owner, study = address.split("/")[0], str(self.config.artefacts[address]["experiment"])
        return study if study.startswith(f"{owner}/") else f"{owner}/{study}"

    def exhibit_rule(self, profile: str, address: str) -> str:
        """Return the rule that makes a figure or table."""
        lookup(self.config.artefacts, address, "artefact")
        made = self.exhibits(profile).items()
        return next(rule for rule, addresses in made if address in addresses)

    def artefact_sources(self, profile: str, address: str) -> tuple[str, str]:
        """Return the result table and the curves that a figure or table shows."""
        entry = lookup(self.config.artefacts, address, "artefact")
        return self.experiment_files(profile, entry["experiment"])

    def results(self, profile: str) -> list[str]:
        """Return the result tables that a run of a profile makes."""
        return [
            self.experiment_files(profile, name)[0] for name in self.needed_experiments(profile)
        ]

    def statement_sources(self, profile: str, paper: str) -> tuple[list[str], list[str]]:
        """Return the result tables and the curves that the statements of a work read."""
        names = self.statement_experiments(profile, paper)
        files = [self.experiment_files(profile, name) for name in names]
        return [table for table, _ in files], [curves for _, curves in files]

    def explorer_file(self, profile: str) -> str:
        """Return the file of what the explorer of the report shows of score tables."""
        return f"results/{profile}/explorer.json"

    def page_curves(self, profile: str) -> list[str]:
        """Return the curves that pages of the report show themselves, beside figures and tables.

        They belong to the proofs and to figures that can be turned.
        """
        entries = self.config.artefacts
        turned = [name for name in self.profile_artefacts(profile) if "surface" in entries[name]]
        names = {entries[name]["experiment"] for name in turned}
        names |= set(self.proof_experiments(profile))
        return [self.experiment_files(profile, name)[1] for name in sorted(names)]

    def statement_tables(self, profile: str) -> list[str]:
        """Return the tables of judged statements, one a work."""
        papers = self.config.settings["papers"]
        return [f"results/{profile}/statements/{paper}.csv" for paper in papers]

    def weights(self, profile: str) -> list[str]:
        """Return the file of variants of the works of a run."""
        works = self.works_with_variants(profile)
        return [file for work in works for file in self.compared_variant_files(profile, work)]

    def ledger_files(self, profile: str) -> list[str]:
        """Return the ledger and its summaries: multiple comparisons, by artefact, by cause."""
        names = ("ledger", "multiple-comparisons", "by-artefact", "by-cause")
        return [f"results/{profile}/report/{name}.csv" for name in names]

    def everything(self, profile: str) -> list[str]:
        """Return the files that a whole run of a profile makes, so that none can be missing."""
        tables = [self.features(name) for name in self.datasets(profile)]
        tables += [self.scores(profile, *wanted) for wanted in self.trainings(profile)]
        experiments = [
            self.experiment_files(profile, name) for name in self.needed_experiments(profile)
        ]
        return [
            *self.provenance(profile),
            *(file for table in tables for file in _with_provenance(table)),
            *(file for files in experiments for file in files),
            *(
                file
                for a in self.experiments_with_variants(profile)
                for file in self.variant_results(profile, a)
            ),
            *self.weights(profile),
            *self.files(profile),
            *self.statement_tables(profile),
            *self.ledger_files(profile),
            self.explorer_file(profile),
            f"results/{profile}/report/index.html",
        ]

    def files(self, profile: str) -> list[str]:
        """Return the files of all figures and tables that a run of a profile makes."""
        wanted = self.profile_artefacts(profile)
        return [file for name in wanted for file in self.artefact_files(profile, name)]

    def provenance(self, profile: str) -> list[str]:
        """Return the files with the origin of each data set that results use."""
        return sorted({self.raw(dataset) for dataset in self.datasets(profile)})

    def require_real(self, first: str | None, goals: Iterable[str] = ()) -> None:
        """Raise under the policy ``real`` when a data set is not available."""
        if self.config.settings["policy"] == "real":
            from opchar.datasets.inventory import require_real

            require_real(
                self.datasets(self.config.profile, goals),
                self.config.datasets,
                raw_root="data/raw",
                mirrors=self.mirrors(first),
                user_folders=self.config.settings["folders"],
            )

    def published_files(self, *names: str, work: str = "") -> list[str]:
        """Return files of what works print."""
        works = [self.config.publications[work]] if work else self.works().values()
        return [publication.file(folder, name).as_posix() for folder in works for name in names]

    def proofread(self) -> list[str]:
        """Return the files of facts that are checked in the text of works."""
        folders = [Path(folder) / "proofreading" for folder in self.works().values()]
        return [path.as_posix() for folder in folders for path in sorted(folder.glob("*.csv"))]

    def mirrors(self, first: str | None) -> list[str]:
        """Return the mirrors to try, `first` (``OPCHAR_MIRROR``) before those of the settings."""
        return [*([first] if first else []), *self.config.settings["mirrors"]]

    def targets(self, profile: str, goal: str) -> list[str]:
        """Return the files of a goal."""
        if goal == "report":
            return [f"results/{profile}/report/index.html"]
        if goal == "scores":
            return [self.scores(profile, *wanted) for wanted in self.trainings(profile)]
        if goal in self.config.experiments:
            return list(self.experiment_files(profile, goal))
        if not self._is_a_choice(goal):
            names = [*self.goals(), "report", *self.config.artefacts, *self.config.experiments]
            raise ConfigError(f"no paper, kind of work or artefact '{goal}'{nearest(goal, names)}")
        addresses = self._artefacts_of(profile, goal)
        return [file for name in addresses for file in self.artefact_files(profile, name)]

    def workflow_texts(self) -> dict[str, str]:
        """Return the rules and the environment of a run, by file, as the report keeps them."""
        folder = self.config.root / "workflow"
        files = [folder / "Snakefile", *sorted(folder.glob("rules/*.smk"))]
        texts = {path.relative_to(folder).as_posix(): path for path in files}
        texts["environment.yml"] = self.config.root / "environment.yml"
        there = {name: path for name, path in texts.items() if path.is_file()}
        return {name: path.read_text(encoding="utf-8") for name, path in there.items()}


def _with_provenance(table: str) -> list[str]:
    return [table, table.removesuffix(".parquet") + ".json"]


def one_of(names: Iterable[str]) -> str:
    """Return the regular expression that matches exactly `names`."""
    return "|".join(re.escape(name) for name in sorted(names)) or "(?!)"
