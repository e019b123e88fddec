"""Which models are trained by one job."""

from __future__ import annotations

import pytest

from opchar_reproduction.project.plan import Plan
from opchar_reproduction.project.trainings import training_groups


def readers(plan: Plan, profile: str, table: tuple[str, str, str]) -> set[str]:
    """Return the studies of a default run that read a score table."""
    file = plan.scores(profile, *table)
    studies = plan.needed_experiments(profile)
    return {name for name in studies if file in plan.experiment_scores(profile, name)}


@pytest.mark.parametrize("profile", ["tiny", "quick"])
def test_what_reads_one_table_of_a_job_reads_all(plan: Plan, profile: str) -> None:
    """So a changed model makes a default run repeat no study that does not read it."""
    wanted = set(plan.trainings(profile))
    for tables in training_groups(plan, profile).values():
        found = [readers(plan, profile, table) for table in tables if table in wanted]
        assert all(each == found[0] for each in found), tables


def test_every_table_is_trained_by_one_job_and_few_do_all(plan: Plan) -> None:
    tables = [table for each in training_groups(plan, "quick").values() for table in each]
    assert len(tables) == len(set(tables)) and set(plan.trainings("quick")) <= set(tables)
    wanted = set(plan.trainings("quick"))
    jobs = [each for each in training_groups(plan, "quick").values() if wanted & set(each)]
    assert len(jobs) * 5 < len(wanted)


def test_each_model_of_the_paper_profile_has_a_job_of_its_own(plan: Plan) -> None:
    assert all(len(tables) == 1 for tables in training_groups(plan, "paper").values())
