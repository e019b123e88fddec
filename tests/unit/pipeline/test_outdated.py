"""Jobs whose files no rule can list are done again when one is gone or better can be had."""

import json
from pathlib import Path

import pytest

from checkout import ROOT, configured
from opchar.datasets.sources.fetching import fetch
from opchar.datasets.sources.outdated import why_outdated
from opchar.files import write_json, write_text
from opchar_reproduction.project import records
from opchar_reproduction.project.configuration.config import load
from opchar_reproduction.project.plan import Plan
from opchar_reproduction.runs.state import State, data_outdated

ENTRY = configured("datasets")["sonar"]
FETCHED = {"files": {"sonar.all-data": "0"}, "stand_in": None, "passed_over": [], "address": "x"}


@pytest.fixture
def raw(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of a set, in a working folder of its own."""
    monkeypatch.chdir(tmp_path)
    folder = Path("data/raw/sonar")
    folder.mkdir(parents=True)
    return folder


def why(folder: Path, policy: str = "offline", mirrors: tuple[str, ...] = (), **own: str) -> str:
    return why_outdated(
        "sonar", ENTRY, policy=policy, mirrors=mirrors, user_folders=own, folder=folder
    )


def stood_in(folder: Path, *mirrors: str) -> None:
    """Fetch the set where no source has it."""
    known = {"official": None, **ENTRY}
    known.pop("official")
    fetch("sonar", known, policy="offline", mirrors=mirrors, user_folders={}, folder=folder)


def test_a_raw_file_that_is_gone_is_fetched_again(raw: Path) -> None:
    write_json(FETCHED, raw / "PROVENANCE.json")
    (raw / "sonar.all-data").touch()
    assert why(raw) == ""
    (raw / "sonar.all-data").unlink()
    assert why(raw) == "missing: data/raw/sonar/sonar.all-data"


def test_real_files_are_right_wherever_they_came_from(raw: Path, tmp_path: Path) -> None:
    write_json(FETCHED, raw / "PROVENANCE.json")
    (raw / "sonar.all-data").touch()
    (tmp_path / "mirror").mkdir()
    for policy in ("offline", "auto", "real"):
        for mirrors in ((), (str(tmp_path / "mirror"),), ("https://example.org/data/",)):
            assert why(raw, policy, mirrors) == ""


def test_a_stand_in_is_right_until_another_source_is_named(raw: Path, tmp_path: Path) -> None:
    mirror = tmp_path / "mirror"
    (mirror / "sonar").mkdir(parents=True)
    stood_in(raw, str(mirror))
    assert why(raw, mirrors=(str(mirror),)) == ""
    assert why(raw, mirrors=(f"{mirror}/",)) == ""
    (tmp_path / "other/sonar").mkdir(parents=True)
    said = why(raw, mirrors=(str(mirror), str(tmp_path / "other")))
    assert said == f"a source that was not tried: {tmp_path}/other/sonar"
    assert why(raw, policy="real", mirrors=(str(mirror),)).startswith("policy 'real' refuses")


def test_a_stand_in_is_fetched_again_when_it_can_be_had(
    raw: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan = Plan(load(ROOT, {"policy": "offline"}, check=False))
    stood_in(raw)
    monkeypatch.delenv("OPCHAR_MIRROR", raising=False)
    assert data_outdated(plan, "sonar") == ""
    (tmp_path / "mirror/sonar").mkdir(parents=True)
    monkeypatch.setenv("OPCHAR_MIRROR", str(tmp_path / "mirror"))
    assert data_outdated(plan, "sonar").startswith("a source that was not tried")


def test_a_made_up_set_gives_way_to_a_real_one_that_may_stand_in(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Results are the same whether a mirror was named at first or after a run without."""
    monkeypatch.chdir(tmp_path)
    name, entry = "imagenet-inception", configured("datasets")["imagenet-inception"]
    folder = Path("data/raw") / name

    def said(*mirrors: str) -> str:
        return why_outdated(
            name, entry, policy="offline", mirrors=mirrors, user_folders={}, folder=folder
        )

    fetch(name, entry, policy="offline", mirrors=(), user_folders={}, folder=folder)
    assert said() == ""
    place = tmp_path / "mirror" / entry["stand_in"]["folder"]
    place.mkdir(parents=True)
    assert said("mirror") == f"a source that was not tried: mirror/{place.name}"
    # The mirror has a folder without the file: this was tried.
    fetch(name, entry, policy="offline", mirrors=("mirror",), user_folders={}, folder=folder)
    assert said("mirror") == ""
    provenance = json.loads((folder / "PROVENANCE.json").read_text())
    (folder / "real.npz").touch()
    write_json(
        provenance | {"source": "mirror", "files": {"real.npz": "0"}}, folder / "PROVENANCE.json"
    )
    assert said("another") == said("mirror") == ""


def test_a_page_that_is_gone_is_a_reason(raw: Path) -> None:
    plan = Plan(load(ROOT, {"policy": "offline", "profile": "tiny"}, check=False))
    index, page = (Path("results/tiny/report") / f"{name}.html" for name in ("index", "errata"))
    for path in (index, page):
        write_text("page", path)
    records.write(index, "job", {}, [index, page])
    page.unlink()
    found = State(plan, "tiny")
    assert found.reasons[index.as_posix()] == f"missing: {page}"
    assert index.as_posix() in found.stale_or_modified()
