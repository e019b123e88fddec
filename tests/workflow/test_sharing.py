"""Features and scores of another folder are used where they are whole, and only there."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from checkout import Project

pytestmark = pytest.mark.workflow
RUN = ("run", "scores", "--profile", "tiny", "--policy", "offline")
TABLE = "data/scores/tiny/three-gaussians/drawn/qdc.parquet"


def to_be_made(project: Project) -> dict[str, int]:
    """Return how many jobs of each rule a run of all trainings would do."""
    done = project.opchar(*RUN, "--dry-run")
    assert done.returncode == 0, done.stderr
    if done.stdout == "nothing to be done\n":
        return {}
    said = " ".join(done.stdout.split("jobs: ")[1].split())
    return {rule: int(number) for rule, number in re.findall(r"([a-z ]+) (\d+),?", said)}


def test_a_copy_of_data_with_its_records_trains_nothing(project: Project, made: Project) -> None:
    alone = {rule.strip(): number for rule, number in to_be_made(project).items()}
    assert alone["train model"] > 10
    shutil.copytree(made.folder / "data", project.folder / "data", dirs_exist_ok=True)
    assert to_be_made(project) == {}
    done = project.opchar(*RUN)
    assert done.returncode == 0, done.stderr
    assert not list(Path(project.folder, "logs").rglob("*.tsv"))
    tables = made.bytes_of("data/scores/**/*.parquet")
    assert len(tables) == alone["train model"]
    assert project.bytes_of("data/scores/**/*.parquet") == tables


@pytest.mark.parametrize("damage", ["the table", "its record", "the features"])
def test_what_is_not_whole_is_made_again(project: Project, made: Project, damage: str) -> None:
    shutil.copytree(made.folder / "data", project.folder / "data", dirs_exist_ok=True)
    if damage == "the table":
        others = project.folder.glob("data/scores/**/*.parquet")
        shutil.copy(
            next(path for path in others if path.name != Path(TABLE).name), project.folder / TABLE
        )
    elif damage == "its record":
        Path(project.folder, "data/made", TABLE[5:]).with_suffix(".json").unlink()
    else:
        Path(project.folder, "data/features/three-gaussians.parquet").unlink()
    again = {rule.strip(): number for rule, number in to_be_made(project).items()}
    assert again.pop("build features", 0) == (damage == "the features")
    assert list(again) == ["train model"]
    assert again["train model"] >= 1
    if damage != "the features":
        assert again["train model"] == 1
