"""The files of a run, and the inputs of each.

The workflow's rules wire what this module says; the command line asks it the same questions.
All paths are relative to the folder of the project.
"""

import re
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from opchar.errors import ConfigError, nearest
from opchar_reproduction import publication
from opchar_reproduction.formats import FORMATS
from opchar_reproduction.project.configuration.model import PROFILES, Entry, lookup
from opchar_reproduction.project.selection import SAMPLED, Selection

# Where a user's own study asks for other models than publications do, its models stand in a table
# of their own: adding a study trains nothing else anew.
OWN = ".own"
# Of a study in ``tiny``: the artefacts that its sample leaves out.
UNSAMPLED = "-not-sampled"


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

    def scores(self, profile: str, dataset: str, table: str) -> str:
        """Return a score table: of all models of a data set under the protocol that names it."""
        return f"data/scores/{profile}/{dataset}/{table}.parquet"

    def models(self, dataset: str, table: str) -> list[str]:
        """Return the models of a score table."""
        if (found := self.models_by_table.get((dataset, table))) is not None:
            return found
        raise ConfigError(
            f"no experiment asks for models on '{dataset}' under '{table}': add them to the scores "
            "of a study"
        )

    @cached_property
    def models_by_table(self) -> dict[tuple[str, str], list[str]]:
        """The models of each score table, by data set and name of the table."""
        found: dict[tuple[str, str], set[str]] = defaultdict(set)
        for address in self.config.experiments:
            for group in self._score_groups([address]):
                found[self.table_of(group)].update(map(str, group["models"]))
        return {table: sorted(models) for table, models in found.items()}

    def table_of(self, group: Entry) -> tuple[str, str]:
        """Return data set and name of the score table with a group of models."""
        dataset, protocol = group["data"], group["protocol"]
        shared = self._of_publications.get((dataset, protocol), set())
        return dataset, protocol if shared.issuperset(group["models"]) else f"{protocol}{OWN}"

    @cached_property
    def _of_publications(self) -> dict[tuple[str, str], set[str]]:
        """The models that studies of publications read, by data set and protocol."""
        found: dict[tuple[str, str], set[str]] = defaultdict(set)
        own = set(self.own(self.config.experiments))
        for group in self._score_groups(n for n in self.config.experiments if n not in own):
            found[group["data"], group["protocol"]].update(group["models"])
        return found

    def score_tables(self, addresses: Iterable[str]) -> list[tuple[str, str]]:
        """Return data set and name of each score table that some experiments read."""
        return sorted({self.table_of(group) for group in self._score_groups(addresses)})

    def trainings(self, profile: str) -> list[tuple[str, str]]:
        """Return data set and name of each score table that a run of a profile makes."""
        return self.score_tables(self.needed_experiments(profile))

    def of_data(self, profile: str, address: str) -> dict[str, list[str]]:
        """Return what an experiment reads: a score table for each group of models, features."""
        entry = lookup(self.config.experiments, address, "experiment")
        groups = entry.get("scores", [])
        return {
            "scores": [self.scores(profile, *self.table_of(group)) for group in groups],
            "features": [self.features(name) for name in entry.get("features", [])],
        }

    def measurements(self, profile: str, addresses: Iterable[str]) -> dict[str, list[str]]:
        """Return the result tables and the curves of experiments."""
        files = [self.experiment_files(profile, name) for name in addresses]
        return {"results": [one for one, _ in files], "curves": [two for _, two in files]}

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
        """Return the files of a figure or table, which stand in the folder of its study."""
        kind = lookup(self.config.artefacts, address, "artefact")["kind"]
        stem = f"{self.exhibits_folder(profile, address)}/{address.split('/')[1]}"
        return [f"{stem}.{format_}" for format_ in FORMATS[kind]]

    def exhibits_folder(self, profile: str, address: str) -> str:
        """Return the folder with the figures and tables of the study that shows an artefact."""
        return f"results/{profile}/{self._folders[profile][address]}"

    def folders(self, profile: str, addresses: Iterable[str]) -> list[str]:
        """Return the folders of the studies that show some artefacts."""
        return list(dict.fromkeys(self.exhibits_folder(profile, name) for name in addresses))

    @cached_property
    def _folders(self) -> dict[str, dict[str, str]]:
        """The folder of each artefact below the results, by profile."""
        return {
            profile: {name: folder for folder, names in shown.items() for name in names}
            for profile, shown in self._exhibits.items()
        }

    def exhibits(self, profile: str) -> dict[str, list[str]]:
        """Return the figures and tables that one job makes, by folder: those of one study.

        What a user has added to a study is made by a job of its own, and so is, in ``tiny``, what
        the sample leaves out.
        """
        return self._exhibits[profile]

    @cached_property
    def _exhibits(self) -> dict[str, dict[str, list[str]]]:
        sampled = set(self.profile_artefacts(SAMPLED))
        studies = {self._owned_study(address) for address in sampled}
        found: dict[str, dict[str, list[str]]] = {profile: {} for profile in PROFILES}
        for address in self.config.artefacts:
            study = self._owned_study(address)
            left_out = study in studies and address not in sampled
            for profile, shown in found.items():
                rest = UNSAMPLED if left_out and profile == SAMPLED else ""
                shown.setdefault(f"{study}{rest}", []).append(address)
        return found

    def _owned_study(self, address: str) -> str:
        owner, study = address.split("/")[0], str(self.config.artefacts[address]["experiment"])
        return study if study.startswith(f"{owner}/") else f"{owner}/{study}"

    def shown_in(self, profile: str, folder: str) -> list[str]:
        """Return the figures and tables that stand in the folder of a study."""
        shown = self.exhibits(profile)
        if folder not in shown:
            near = nearest(folder, list(shown))
            raise ConfigError(f"no study '{folder}' with figures or tables{near}")
        return shown[folder]

    def artefact_sources(self, profile: str, address: str) -> tuple[str, str]:
        """Return the result table and the curves that a figure or table shows."""
        entry = lookup(self.config.artefacts, address, "artefact")
        return self.experiment_files(profile, entry["experiment"])

    def results(self, profile: str) -> list[str]:
        """Return the result tables that a run of a profile makes."""
        return self.measurements(profile, self.needed_experiments(profile))["results"]

    def run_scores(self, profile: str) -> list[str]:
        """Return the score tables of a run."""
        return [self.scores(profile, *table) for table in self.trainings(profile)]

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

    def shown_studies(self, profile: str) -> list[str]:
        """Return the folders of all figures and tables that a run of a profile makes."""
        return self.folders(profile, self.profile_artefacts(profile))

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

    def outside(self) -> list[str]:
        """Return the folders of the publications that do not come with the package."""
        folders = {key: Path(folder).resolve() for key, folder in self.config.publications.items()}
        ours = publication.folders()
        return [folder.as_posix() for key, folder in folders.items() if key not in ours]

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
            return self.run_scores(profile)
        if goal in self.config.experiments:
            return list(self.experiment_files(profile, goal))
        if (chosen := self._chosen_by(profile, goal)) is None:
            names = [*self.goals(), "report", *self.config.artefacts, *self.config.experiments]
            raise ConfigError(f"no paper, kind of work or artefact '{goal}'{nearest(goal, names)}")
        return self.folders(profile, chosen)

    def workflow_texts(self) -> dict[str, str]:
        """Return the rules and the environment of a run, by file, as the report keeps them."""
        folder = self.config.root / "workflow"
        files = [folder / "Snakefile", *sorted(folder.glob("rules/*.smk"))]
        texts = {path.relative_to(folder).as_posix(): path for path in files}
        texts["environment.yml"] = self.config.root / "environment.yml"
        there = {name: path for name, path in texts.items() if path.is_file()}
        return {name: path.read_text(encoding="utf-8") for name, path in there.items()}


def one_of(names: Iterable[str]) -> str:
    """Return the regular expression that matches exactly `names`."""
    return "|".join(re.escape(name) for name in sorted(names)) or "(?!)"
