"""The findings of a job in one line, as soon as a study is shown or a work judged."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from opchar_reproduction.project.plan import Plan
from opchar_reproduction.runs.progress import Step, fit_line

if TYPE_CHECKING:
    import pandas as pd

OPPOSITE = {"agrees": "differs", "holds": "fails"}


@dataclass(frozen=True)
class Telling:
    """Describes the findings of jobs, by the published lines and the rules of the ledger.

    Which protocol variant explains what differs is weighed later: a line that differs here may
    agree otherwise in the ledger. Lines that nothing stands beside yet are not counted.
    """

    plan: Plan
    profile: str

    @cached_property
    def _print(self) -> tuple[pd.DataFrame, pd.DataFrame]:
        """The published lines of all works, and their errata."""
        from opchar_reproduction.report.comparison.published_values import read_errata, read_lines

        works = self.plan.works()
        return read_lines(works), read_errata(works)

    def line(self, step: Step) -> str:
        """Return what a finished job found in one line, with its first figure; empty for others."""
        if step.rule == "judge_statements":
            paper = step.wildcards["paper"]
            return fit_line(
                f"{paper}: {self._holding_claims(paper, step.outputs[0]) or 'no claim judged'}"
            )
        if step.rule != "show_study":
            return ""
        shown = self.plan.exhibits(self.profile)[step.subject]
        from opchar_reproduction.figures.labels import label_in_words

        entries = self.plan.config.artefacts
        sections = {address: str(entries[address].get("section", "")) for address in shown}
        names = {name: label_in_words(name.split("/", 1)[1], sections[name]) for name in shown}
        compared = {name: self._agreeing_numbers(name) for name in shown}
        said = [f"{names[name]}: {found}" for name, found in compared.items() if found]
        first = min(shown, key=lambda name: entries[name]["kind"] != "figure")
        files = self.plan.artefact_files(self.profile, first)
        (seen,) = (file for file in files if file.endswith((".png", ".md")))
        if not compared[first]:
            said.append(f"{names[first]}: {entries[first]['title']}")
        paper = first.split("/")[0]
        return f"{fit_line(f'{paper}: ' + '; '.join(said), 150)}  {seen}"

    def _agreeing_numbers(self, address: str) -> str:
        """Return how many of the published numbers that an artefact shows agree."""
        from opchar_reproduction.results import read_results

        paper, labels = address.split("/")[0], self.plan.labels(address)
        lines = self._print[0]
        lines = lines[(lines["paper"] == paper) & lines["artefact"].isin(labels)]
        table = self.plan.artefact_sources(self.profile, address)[0]
        results = read_results(Path(table)).assign(paper=paper)
        results = results[results["artefact"].isin(labels)]
        return self._counts_in_words(lines, "agrees", "agree", results=results)

    def _holding_claims(self, paper: str, judged: str) -> str:
        """Return how many of the claims of a work that were judged hold."""
        from opchar_reproduction.statements.judging import read_judged

        statements = read_judged(Path(judged))
        lines = self._print[0]
        lines = lines[lines["id"].isin(statements["id"])]
        return self._counts_in_words(lines, "holds", "claims hold", statements=statements)

    def _counts_in_words(self, lines: pd.DataFrame, good: str, words: str, **found: Any) -> str:
        """Return in words how many lines have a good verdict, of those that have one at all."""
        from opchar_reproduction.report.comparison.ledger import address, build
        from opchar_reproduction.results import COLUMNS

        if lines.empty:
            return ""
        import pandas as pd

        errata = self._print[1]
        results = found.pop("results", pd.DataFrame(columns=[*COLUMNS, "paper"]))
        built = {address(line) for line in lines.to_dict("records")}
        whole = build(lines, results, errata[errata["id"].isin(lines["id"])], built, **found)
        number = {name: int((whole["verdict"] == name).sum()) for name in (good, OPPOSITE[good])}
        return f"{number[good]} of {sum(number.values())} {words}" if any(number.values()) else ""
