"""Features and scores of another folder are used where they are whole, and only there."""

import shutil
from pathlib import Path

import pytest

from changes import rewritten
from checkout import Project
from opchar_reproduction.project.closure import Sources
from opchar_reproduction.project.plan import Plan
from opchar_reproduction.project.records import place_of
from opchar_reproduction.project.tasks import Tasks

pytestmark = pytest.mark.workflow
CHANGED = "opchar/models/classifiers/dissimilarity"  # some models of a job import it
RUN = ("run", "scores", "--profile", "tiny", "--policy", "offline")
TABLES = (
    "data/scores/tiny/satellite-cotton-damp/holdout-20.parquet",
    "data/scores/tiny/satellite-4/shuffled-4435-2000.parquet",
    "data/scores/tiny/three-gaussians/drawn.parquet",
)


def to_be_made(project: Project) -> set[str]:
    """Return the jobs that a run of all trainings would do, in words with their number."""
    done = project.opchar(*RUN, "--dry-run")
    assert done.returncode == 0, done.stderr
    if done.stdout == "nothing to be done\n":
        return set()
    said = " ".join(done.stdout.split("jobs: ")[1].split())
    return set(said.split(", "))


def trained_in(project: Project, *words: str) -> set[str]:
    """Run all trainings, and return the tables that were trained: those with a new record."""
    records = [*project.folder.glob("data/made/scores/**/*.json")]
    before = {path: path.stat().st_mtime_ns for path in records}
    done = project.opchar(*RUN, *words)
    assert done.returncode == 0, done.stderr
    tables = project.folder.glob("data/scores/**/*.parquet")
    names = {path.relative_to(project.folder).as_posix() for path in tables}
    places = {name: project.folder / place_of(name) for name in names}
    return {n for n, place in places.items() if place.stat().st_mtime_ns != before.get(place)}


@pytest.mark.check
def test_a_copy_of_data_with_its_records_trains_nothing(project: Project, made: Project) -> None:
    shutil.copytree(made.folder / "data", project.folder / "data", dirs_exist_ok=True)
    assert to_be_made(project) == set()


@pytest.mark.check
def test_what_is_not_whole_or_of_another_set_is_made_again_and_no_other(
    project: Project, made: Project, plan: Plan
) -> None:
    """A table of another set, one without a record, none, lost features, and a changed module.

    With one job at a time, after `made` has run with two: the same bytes.
    """
    shutil.copytree(made.folder / "data", project.folder / "data", dirs_exist_ok=True)
    swapped, unrecorded, lost = (project.folder / name for name in TABLES)
    shutil.copy(lost, swapped)
    Path(project.folder, place_of(TABLES[1])).unlink()
    lost.unlink()
    Path(project.folder, "data/features/satellite-4-as-filed.parquet").unlink()
    assert unrecorded.is_file()
    changed = {
        plan.scores("tiny", *each)
        for each in plan.trainings("tiny")
        if CHANGED in Sources().closure(*Tasks(plan).train("tiny", *each).functions)
    }
    assert changed and len(changed | set(TABLES)) < len(set(plan.trainings("tiny")))
    again = changed | {*TABLES, "data/scores/tiny/satellite-4-as-filed/first-4435.parquet"}
    with rewritten(f"src/{CHANGED}.py", "mindist")(project):  # type: ignore[attr-defined]
        assert to_be_made(project) == {"build features 1", f"train models {len(again)}"}
        assert trained_in(project, "--cores", "1") == again
    tables = made.bytes_of("data/scores/**/*.parquet")
    assert len(tables) == len(set(plan.trainings("tiny")))
    assert project.bytes_of("data/scores/**/*.parquet") == tables
