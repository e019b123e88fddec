"""``opchar data``: lists every set with its state, fetches, and finds a flipped byte."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml

from checkout import Project
from faults.test_fetching_server import RIGHT, entry
from opchar.cli import main
from opchar.datasets.registry import is_view
from opchar.files import read_json

pytestmark = pytest.mark.workflow


@pytest.fixture
def mirror(tmp_path: Path) -> str:
    folder = tmp_path / "mirror" / "toy"
    folder.mkdir(parents=True)
    (folder / "toy.data").write_bytes(RIGHT)
    return str(folder.parent)


Opchar = Callable[..., tuple[int, str]]


@pytest.fixture
def opchar_data(
    project: Project, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Opchar:
    """Return what runs ``opchar data`` in the copy and gives its exit status and its words."""
    monkeypatch.chdir(project.folder)
    monkeypatch.delenv("OPCHAR_MIRROR", raising=False)

    def run(*words: str) -> tuple[int, str]:
        status = main(["data", *words, "--policy", "offline"])
        said = capsys.readouterr()
        return status, said.out + said.err

    return run


def states(listed: str) -> dict[str, str]:
    """Return the state of each set from the lines that are not indented."""
    lines = [line for line in listed.splitlines() if not line.startswith(" ")]
    found = (re.match(r"(have|can fetch|licensed: put it here|stand-in) +(\S+) ", x) for x in lines)
    return {match[2]: match[1] for match in found if match}


@pytest.mark.check
def test_list_fetch_and_verify(
    project: Project, opchar_data: Opchar, mirror: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = project.folder / "config/datasets.yaml"
    known = path.read_text(encoding="utf-8")
    path.write_text(known + "\n" + yaml.safe_dump({"toy": entry()}), encoding="utf-8")
    sets = {name for name, each in yaml.safe_load(known).items() if not is_view(each)}

    status, listed = opchar_data()
    assert status == 0 and set(states(listed)) == sets | {"toy"}
    assert states(listed)["toy"] == "stand-in" and states(listed)["prtools8"] == "have"
    assert states(listed)["cox"] == "licensed: put it here"
    assert "get toy.data from https://example.org/toy" in listed
    assert "under folders: cox: in config/config.yaml" in listed

    monkeypatch.setenv("OPCHAR_MIRROR", mirror)
    status, said = opchar_data("fetch", "toy")
    assert status == 0, said
    raw = project.folder / "data/raw/toy"
    assert (raw / "toy.data").read_bytes() == RIGHT
    assert read_json(raw / "PROVENANCE.json")["address"] == f"{mirror}/toy"

    monkeypatch.setenv("OPCHAR_MIRROR", "no/folder")
    status, said = opchar_data("fetch", "toy")
    assert status == 0 and "the mirror 'no/folder' is no folder, and not used" in said

    monkeypatch.delenv("OPCHAR_MIRROR")
    assert opchar_data("verify") == (0, "right  toy/toy.data \n")
    flipped = bytearray(RIGHT)
    flipped[100] ^= 1
    (raw / "toy.data").write_bytes(flipped)
    status, said = opchar_data("verify")
    assert status == 1
    assert said.startswith("wrong  toy/toy.data changed since it was fetched: delete data/raw/toy")


def test_an_unknown_set_names_the_nearest(opchar_data: Opchar) -> None:
    status, said = opchar_data("fetch", "sonnar")
    assert status == 1
    assert "did you mean 'sonar'" in said and said.count("\n") == 1
