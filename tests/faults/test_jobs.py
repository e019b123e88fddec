"""A job that cannot go on says why in one line and leaves nothing half-written."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from checkout import ROOT
from opchar.files import write_json
from opchar.scores import ScoreTable, write_scores
from opchar_reproduction.jobs.commands import main
from opchar_reproduction.project.configuration.config import load, write_resolved

EXPERIMENT = "landgrebe2007/p-roc"


@pytest.fixture(autouse=True)
def in_the_project(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)


@pytest.fixture
def score_tables(tmp_path: Path) -> list[Path]:
    """Score tables of the right classes for the experiment, from random numbers."""
    rng = np.random.default_rng(5)
    groups = load(check=False).experiments[EXPERIMENT]["scores"]
    paths = []
    for number in range(sum(len(group["models"]) for group in groups)):
        y = rng.integers(0, 2, 60)
        scores = rng.dirichlet([1, 1], 60)
        fold = np.repeat([0, 1, 2], 20)
        path = tmp_path / f"{number}.parquet"
        classes = ("positive", "rest")
        provenance = {"data": "satellite-cotton-damp"}
        write_scores(ScoreTable(fold, np.arange(60), y, scores, classes, provenance), path)
        paths.append(path)
    return paths


def run(capsys: pytest.CaptureFixture[str], *words: object) -> str:
    """Run a job that must fail and return its one line."""
    assert main([str(word) for word in words]) == 1
    said = capsys.readouterr().err
    assert said.startswith("opchar: ")
    assert said.count("\n") == 1
    return said


def outputs(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.rglob("*"))


def words_of(folder: Path, tables: list[Path]) -> list[object]:
    out = ["--table", folder / "r.csv", "--curves", folder / "c.parquet"]
    head = ["experiment", "--name", EXPERIMENT, "--profile", "tiny"]
    return [*head, "--scores", *tables, *out]


@pytest.mark.parametrize("damage", ["truncated", "missing", "text"])
def test_unreadable_scores(tmp_path, score_tables, capsys, damage) -> None:
    folder = tmp_path / "out"
    folder.mkdir()
    broken = score_tables[1]
    if damage == "missing":
        broken.unlink()
    else:
        content = broken.read_bytes()
        broken.write_bytes(content[: len(content) // 2] if damage == "truncated" else b"y,a\n")
    said = run(capsys, *words_of(folder, score_tables))
    assert str(broken) in said
    assert outputs(folder) == []


def test_raw_data_that_changed_since_they_were_fetched(tmp_path, capsys) -> None:
    raw = tmp_path / "raw" / "sonar"
    raw.mkdir(parents=True)
    (raw / "sonar.all-data").write_text("0.1,R\n")
    entry = load(check=False).datasets["sonar"]
    known = {name: said["sha256"] for name, said in entry["files"].items()}
    write_json({"files": known, "stand_in": None, "set": "sonar"}, raw / "PROVENANCE.json")
    output = tmp_path / "features" / "sonar.parquet"
    words = ["--raw", raw / "PROVENANCE.json", "--output", output]
    said = run(capsys, "features", "--data", "sonar", *words)
    assert f"delete {raw} and run again" in said
    assert not output.parent.exists()


def test_a_set_that_cannot_be_had(tmp_path, capsys) -> None:
    output = tmp_path / "raw" / "sonar" / "PROVENANCE.json"
    settings = {"policy": "real", "mirrors": [str(tmp_path / "empty")]}
    config = write_resolved(load(overrides=settings), tmp_path / "config")
    broken = tmp_path / "empty" / "sonar" / "sonar.all-data"
    broken.parent.mkdir(parents=True)
    broken.write_bytes(b"<html>not found</html>")
    said = run(capsys, "--config", config, "fetch", "--data", "sonar", "--output", output)
    assert "sonar" in said
    assert "OPCHAR_MIRROR" in said
    assert list(tmp_path.glob("raw/sonar/*")) == []


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (
            ["exhibits", "--profile", "tiny", "--rule", "show_landgrebe2007_p_rok"],
            "did you mean 'show_landgrebe2007_p_roc'",
        ),
        (["fetch", "--data", "sonnar"], "did you mean 'sonar'"),
    ],
)
def test_unknown_names_offer_the_nearest(tmp_path, capsys, words, expected) -> None:
    more = {
        "exhibits": ["--results", tmp_path / "r.csv", "--curves", tmp_path / "c", "--output"],
        "fetch": ["--output"],
    }
    assert expected in run(capsys, *words, *more[words[0]], tmp_path / "x.svg")
    assert outputs(tmp_path) == []
