"""A job that cannot go on says why in one line and leaves nothing half-written."""

import errno
import json
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

from checkout import ROOT
from opchar.errors import ConfigError
from opchar.files import write_json, write_parquet
from opchar.scores import ScoreTable, write_models
from opchar_reproduction.jobs.commands import main
from opchar_reproduction.jobs.showing import assembly, explorer
from opchar_reproduction.project.configuration.config import load, write_resolved
from opchar_reproduction.project.plan import Plan
from opchar_reproduction.project.tasks import Tasks

EXPERIMENT = "landgrebe2007/p-roc"


@pytest.fixture(autouse=True)
def in_the_project(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)


@pytest.fixture
def score_tables(tmp_path: Path) -> list[Path]:
    """Score tables of the right classes for the experiment, from random numbers."""
    rng = np.random.default_rng(5)
    paths = []
    for number, group in enumerate(load(check=False).experiments[EXPERIMENT]["scores"]):
        y, fold = rng.integers(0, 2, 60), np.repeat([0, 1, 2], 20)
        provenance = {"data": "satellite-cotton-damp"}
        given = (fold, np.arange(60), y, rng.dirichlet([1, 1], 60), ("positive", "rest"))
        path = tmp_path / f"{number}.parquet"
        write_models({model: ScoreTable(*given, provenance) for model in group["models"]}, path)
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
    given = json.dumps(Tasks(Plan(load(check=False))).experiment("tiny", EXPERIMENT).given)
    return ["measure", "--given", given, "--scores", *tables, *out]


@pytest.mark.parametrize("damage", ["truncated", "missing", "text"])
def test_unreadable_scores(tmp_path, score_tables, capsys, damage) -> None:
    folder = tmp_path / "out"
    folder.mkdir()
    broken = score_tables[-1]
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
    given = json.dumps(Tasks(Plan(load(check=False))).features("sonar").given)
    words = ["--raw", raw / "PROVENANCE.json", "--table", output]
    said = run(capsys, "features", "--given", given, *words)
    assert f"delete {raw} and run again" in said
    assert not output.parent.exists()


def test_a_set_that_cannot_be_had(tmp_path, capsys) -> None:
    output = tmp_path / "raw" / "sonar" / "PROVENANCE.json"
    settings = {"policy": "real", "mirrors": [str(tmp_path / "empty")]}
    config = write_resolved(load(overrides=settings), tmp_path / "config")
    broken = tmp_path / "empty" / "sonar" / "sonar.all-data"
    broken.parent.mkdir(parents=True)
    broken.write_bytes(b"<html>not found</html>")
    given = json.dumps(Tasks(Plan(load(check=False))).fetch("sonar").given)
    words = ["--planned", config, "--provenance", output]
    said = run(capsys, "fetch", "--given", given, *words)
    assert "sonar" in said
    assert "OPCHAR_MIRROR" in said
    assert list(tmp_path.glob("raw/sonar/*")) == []


def test_unknown_names_offer_the_nearest() -> None:
    tasks = Tasks(Plan(load(check=False)))
    with pytest.raises(ConfigError, match="did you mean 'landgrebe2007/p-roc'"):
        tasks.exhibits("tiny", "landgrebe2007", "p-rok")
    with pytest.raises(ConfigError, match="did you mean 'sonar'"):
        tasks.fetch("sonnar")


def test_a_job_without_dependencies_is_not_recorded_and_a_full_disk_is_one_line(
    tmp_path, score_tables, capsys, monkeypatch
) -> None:
    output = tmp_path / "out/explored.json"
    words = ["explorer", "--scores", *score_tables, "--output", output]
    assert main([str(word) for word in words]) == 0
    assert outputs(output.parent) == ["explored.json"]

    def fail(number: int) -> None:
        def write(*_: object) -> None:
            raise OSError(number, "No space left on device", str(output))

        monkeypatch.setattr(explorer, "write_json", write)

    fail(errno.ENOSPC)
    assert "explored.json: No space left on device; nothing is lost" in run(capsys, *words)
    fail(errno.EBADF)
    with pytest.raises(OSError, match="No space"):
        main([str(word) for word in words])


def test_variants_keep_only_frames_that_the_study_gives(tmp_path, score_tables, capsys) -> None:
    words = words_of(tmp_path, score_tables)
    given = json.loads(str(words[2])) | {"changes": {"other": {}}, "frames": ["no such"]}
    said = run(capsys, "variants", "--given", json.dumps(given), *words[3:])
    assert f"{EXPERIMENT}: variants: frames: the study gives no frame 'no such'" in said
    assert not (tmp_path / "r.csv").exists()


def test_pages_take_functions_from_where_they_are_defined_and_views_from_curves(tmp_path) -> None:
    with pytest.raises(ConfigError, match="its module does not define it"):
        assembly.sources(["opchar_reproduction.jobs.showing.explorer:write_json"])
    curves = tmp_path / "c.parquet"
    write_parquet(pd.DataFrame({"curve": ["a", "a"], "x": [1.0, 2.0]}), curves)
    plan = SimpleNamespace(
        config=SimpleNamespace(artefacts={"w/one": {"surface": "builtins:sorted"}}),
        artefact_sources=lambda *_: (None, curves),
    )
    assert assembly.surface(plan, "tiny", "w/one") == ["a"]


def test_the_configuration_of_a_run_is_shown_with_its_letters() -> None:
    plan = Plan(load(check=False))
    experiments = {"a/b": {"title": "Größe α"}}
    texts = assembly._workflow(plan, "tiny", experiments)
    assert "Größe α" in texts["config.json"]
    assert json.loads(texts["config.json"])["experiments"] == experiments
