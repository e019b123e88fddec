"""What of the container can be checked without building it."""

import re
import tomllib

import pytest

from checkout import ROOT
from opchar_reproduction.project.plan import Plan
from opchar_reproduction.project.tasks import Tasks

DEFINITION = ROOT / "container/opchar.def"
Sections = dict[str, list[str]]


def sections(text: str) -> Sections:
    """Return the lines of each section, without comments; those before the first are ``""``."""
    found: Sections = {"": []}
    name = ""
    for line in text.replace("\\\n", " ").splitlines():
        if line.startswith("%"):
            name = line.split()[0].removeprefix("%")
            found[name] = []
        elif line.strip() and not line.startswith("#"):
            found[name].append(" ".join(line.split()))
    return found


@pytest.fixture(scope="module")
def parts() -> Sections:
    return sections(DEFINITION.read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def copied(parts: Sections) -> dict[str, str]:
    """Where the files of the checkout go, by the place there."""
    return {target: source for source, target in (line.split() for line in parts["files"])}


def test_what_it_copies_is_there(copied: dict[str, str]) -> None:
    assert copied
    assert [source for source in copied.values() if not (ROOT / source).is_file()] == []


def test_it_installs_the_lock_by_hash_and_nothing_else(
    parts: Sections, copied: dict[str, str]
) -> None:
    installing = [line for line in parts["post"] if " install " in line]
    assert len(installing) == 1
    words = installing[0].split()
    assert "--require-hashes" in words
    given = words[words.index("install") + 1 :]
    assert [word for word in given if not word.startswith("--")] == ["/opt/requirements.lock"]
    assert copied[given[given.index("--requirement") + 1]] == "requirements.lock"


def test_its_python_is_one_that_the_project_runs_on(parts: Sections) -> None:
    head = dict(line.split(": ", 1) for line in parts[""])
    assert head["Bootstrap"] == "docker"
    version = re.fullmatch(r"python:(\d+)\.(\d+)-slim", head["From"])
    assert version
    least = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["requires-python"]
    assert least == ">=3.11"
    assert (3, 11) <= (int(version[1]), int(version[2])) < (3, 14)
    pins = (ROOT / "environment.yml").read_text(encoding="utf-8")
    assert "python >=3.11,<3.14" in pins


def test_its_python_comes_first_on_the_path(parts: Sections) -> None:
    made = next(line.split()[-1] for line in parts["post"] if " venv " in f" {line} ")
    installer = next(line.split()[0] for line in parts["post"] if " install " in line)
    assert installer == f"{made}/bin/python"
    assert f"export PATH={made}/bin:$PATH" in parts["environment"]
    assert "export PYTHONNOUSERSITE=1" in parts["environment"]


def test_rules_name_the_image_that_the_page_tells_how_to_build() -> None:
    common = (ROOT / "workflow/rules/common.smk").read_text(encoding="utf-8")
    named = re.search(r'IMAGE = \(ROOT / "(.+?)"\)', common)
    assert named
    build = f"apptainer build {named[1]} container/opchar.def"
    assert build in (ROOT / "docs/cluster.md").read_text(encoding="utf-8")
    assert build in DEFINITION.read_text(encoding="utf-8")
    assert "container: CONTAINER" in (ROOT / "workflow/Snakefile").read_text(encoding="utf-8")
    assert "/container/*.sif" in (ROOT / ".gitignore").read_text(encoding="utf-8").splitlines()


def test_jobs_ask_for_nothing_that_the_lock_lacks(plan: Plan) -> None:
    """The libraries that tasks name are in the lock, in one version for the image's Python."""
    lock = (ROOT / "requirements.lock").read_text(encoding="utf-8")
    locked = set(re.findall(r"^([A-Za-z0-9._-]+)==", lock, flags=re.MULTILINE))
    named = set()
    for task in Tasks(plan).of_profile("tiny"):
        said = task.parts()["libraries"]
        named |= {part.split(" ")[0].replace("_", "-") for part in said.split(", ")} - {"none"}
    assert len(named) > 5
    assert named - locked == set()
