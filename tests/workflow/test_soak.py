"""A sample of the soak: small goals in another order, killed, starved and blocked."""

from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from checkout import Project
from outcome import differing
from soak.runs.kills import kills
from soak.runs.machine import TRIALS
from soak.runs.places import PLACES, elsewhere
from soak.runs.small import GOALS, Goal, Right, right

pytestmark = [pytest.mark.workflow, pytest.mark.check]


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Right:
    """A work made to its ledger and pages, in a copy of the project that has no other."""
    return right(GOALS[1], tmp_path_factory.mktemp("right") / "project")


@pytest.mark.slow
def test_killed_runs_end_with_the_same_bytes(pages: Right, tmp_path: Path) -> None:
    found = kills([pages], tmp_path, 2)
    assert found.total >= 2
    assert found.wrong == []


class Part(Right):
    """Goals out of a run of more."""

    def differing(self, project: Project) -> list[str]:
        return differing(project, self.project, whole=False)


def test_jobs_in_another_order_beside_files_of_others_make_the_same_bytes(
    made: Project, tmp_path: Path
) -> None:
    others = PLACES["files that Matplotlib and Python look for"]
    place = replace(others, order=PLACES["jobs in another order"].order)
    part = Part(Goal("a work", "", ("soleymani2018",)), made)
    assert elsewhere(part, tmp_path, place) == []


@pytest.mark.slow
@pytest.mark.parametrize("title", TRIALS)
def test_what_machine_and_people_do_loses_nothing(pages: Right, tmp_path: Path, title: str) -> None:
    trial, _ = TRIALS[title]
    for number in range(2):
        _, wrong = trial(pages, tmp_path / str(number), Random(f"{title}/{number}"))
        assert wrong == []
