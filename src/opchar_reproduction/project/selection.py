"""What a run takes: works, studies, artefacts, data sets and claims, by profile or by goal."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from opchar_reproduction.project.configuration.model import KINDS, Config, Entry

SAMPLED = "tiny"


@dataclass(frozen=True)
class Selection:
    """What a profile or a goal takes of all that a configuration has."""

    config: Config

    def _score_groups(self, addresses: Iterable[str]) -> Iterator[Entry]:
        for address in addresses:
            yield from self.config.experiments[address].get("scores", [])

    def experiments_with_variants(self, profile: str, paper: str = "") -> list[str]:
        """Return the experiments whose variants a run makes, of all works or one."""
        entries = self.config.experiments
        return [
            name
            for name in self.needed_experiments(profile)
            if "variants" in entries[name]
            and paper in ("", name.split("/")[0])
            and profile in entries[name]["variants"].get("profiles", [profile])
        ]

    def works_with_variants(self, profile: str) -> list[str]:
        """Return the works whose variants a run of a profile weighs."""
        found = {name.split("/")[0] for name in self.experiments_with_variants(profile)}
        return [paper for paper in self.config.settings["papers"] if paper in found]

    def compared_studies(self, profile: str, paper: str) -> list[str]:
        """Return the experiments of a work whose lines stand beside its variants."""
        own = [a for a in self.needed_experiments(profile) if a.split("/")[0] == paper]
        return sorted({*self.statement_experiments(profile, paper), *own})

    def statements(self, profile: str, paper: str) -> dict[str, Entry]:
        """Return the statements of a work that a run of a profile judges, by id.

        They are those whose experiments the run makes; of the experiments on which they are judged
        besides, those that it makes.
        """
        made = set(self.needed_experiments(profile))
        return {
            identifier: entry
            | {"also_judged_on": [name for name in entry.get("also_judged_on", []) if name in made]}
            for identifier, entry in self.config.statements.items()
            if identifier.split(":")[0] == paper and made.issuperset(entry["reads"])
        }

    def statement_experiments(self, profile: str, paper: str) -> list[str]:
        """Return the experiments on which the statements of a work are judged, by name."""
        entries = self.statements(profile, paper).values()
        return sorted(
            {name for each in entries for name in [*each["reads"], *each["also_judged_on"]]}
        )

    def proof_experiments(self, profile: str) -> list[str]:
        """Return the experiments of a run whose frames the page of proofs shows."""
        needed = self.needed_experiments(profile)
        return [name for name in needed if self.config.experiments[name].get("page") == "proofs"]

    def datasets(self, profile: str, goals: Iterable[str] = ()) -> list[str]:
        """Return the data sets that a run of a profile needs, or only those of some goals."""
        used: set[str] = set()
        for address in self.needed_experiments(profile, goals):
            entry = self.config.experiments[address]
            used |= {group["data"] for group in entry.get("scores", [])}
            used |= set(entry.get("features", []))
        return sorted(used)

    def works(self) -> dict[str, str]:
        """Return the folders of the works to reproduce, in the order of the settings."""
        return {key: self.config.publications[key] for key in self.config.settings["papers"]}

    def labels(self, address: str) -> list[str]:
        """Return the labels of the published lines that an artefact shows."""
        return list(self.config.artefacts[address].get("lines", [address.split("/")[1]]))

    def of_configured_works(self, addresses: Iterable[str]) -> list[str]:
        """Keep the addresses of the works that the configuration lists, on request or not."""
        keys = {*self.config.settings["papers"], *self.on_request()}
        return [name for name in addresses if name.split("/")[0] in keys]

    def on_request(self) -> list[str]:
        """Return the publications that only a goal of their name makes."""
        return list(self.config.settings.get("on_request") or [])

    @staticmethod
    def own(addresses: Iterable[str]) -> list[str]:
        """Keep the addresses of a user's artefacts, which only an explicit goal makes."""
        return [name for name in addresses if name.startswith("own/")]

    def experiments(self, kind: str | None = None) -> list[str]:
        """Return the experiments that can be run, of one kind of work if given."""
        entries = self.config.experiments
        addresses = [*self.of_configured_works(entries), *self.own(entries)]
        return [a for a in addresses if kind in (None, entries[a]["kind"])]

    def artefacts(self, *, kind: str | None = None, work: str | None = None) -> list[str]:
        """Return the artefacts of the chosen works, without those that are made on request."""
        entries = self.config.artefacts
        experiments = self.config.experiments
        return [
            a
            for a in self.of_configured_works(entries)
            if "on_request" not in entries[a]
            and kind in (None, entries[a]["kind"])
            and work in (None, experiments[entries[a]["experiment"]]["kind"])
        ]

    def artefacts_on_request(self) -> list[str]:
        """Return the artefacts that only a goal of their name or publication makes."""
        return [name for name, entry in self.config.artefacts.items() if "on_request" in entry]

    def profile_artefacts(
        self, profile: str, *, kind: str | None = None, work: str | None = None
    ) -> list[str]:
        """Return the artefacts that a run of a profile makes: all, or a sample in ``tiny``.

        Marks of a publication name the sample; without marks it is the first figure and the first
        table of each kind of work. It takes every code path of the workflow in under a minute. Any
        other artefact is made on request.
        """
        addresses = self.artefacts()
        if profile == SAMPLED:
            marked = [name for name in addresses if "sample" in self.config.artefacts[name]]
            chosen_by_marks = {name.split("/")[0] for name in marked}
            first = {self._stratum(name): name for name in reversed(addresses)}
            others = [n for n in first.values() if n.split("/")[0] not in chosen_by_marks]
            sampled = {*marked, *others}
            addresses = [name for name in addresses if name in sampled]
        chosen = set(self.artefacts(kind=kind, work=work))
        return [name for name in addresses if name in chosen]

    def _stratum(self, address: str) -> tuple[str, str, str]:
        entry = self.config.artefacts[address]
        work = self.config.experiments[entry["experiment"]]["kind"]
        return address.split("/")[0], work, entry["kind"]

    def needed_experiments(self, profile: str, goals: Iterable[str] = ()) -> list[str]:
        """Return the experiments that a run of a profile needs, or only those of some goals."""
        experiments: set[str] = set()
        for goal in goals:
            if goal in self.config.experiments:
                experiments.add(goal)
            elif (chosen := self._chosen_by(profile, goal)) is not None:
                experiments |= self._experiments_of(chosen)
            else:
                return self.needed_experiments(profile)
        return sorted(experiments or self._experiments_of(self.profile_artefacts(profile)))

    def _experiments_of(self, addresses: Iterable[str]) -> set[str]:
        return {self.config.artefacts[name]["experiment"] for name in addresses}

    def goals(self) -> list[str]:
        """Return the goals of a run besides single artefacts, experiments and the report."""
        papers = self.config.settings["papers"]
        return [*papers, *KINDS, "figures", "tables", "scores", *self.on_request()]

    def _chosen_by(self, profile: str, goal: str) -> list[str] | None:
        """Return the artefacts of a work, a kind of work or of artefact, or an address.

        None for any other goal.
        """
        if goal in self.config.artefacts:
            return [goal]
        if goal in self.on_request():
            return [name for name in self.artefacts_on_request() if name.startswith(f"{goal}/")]
        if goal in KINDS:
            return self.profile_artefacts(profile, work=goal)
        if goal in ("figures", "tables"):
            return self.profile_artefacts(profile, kind=goal.removesuffix("s"))
        if goal in self.config.settings["papers"]:
            return [name for name in self.profile_artefacts(profile) if name.startswith(f"{goal}/")]
        return None
