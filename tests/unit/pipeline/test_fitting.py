"""A configuration that was found to fit is checked again when anything of it has changed."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from checkout import ROOT, Project
from opchar.pipeline.configuration import fitting, validation
from opchar.pipeline.configuration.config import load
from opchar.pipeline.configuration.model import Config
from opchar.pipeline.plan import Plan


@pytest.fixture
def checked(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[Config]:
    """The configurations that are checked in an empty folder, where a run has kept something."""
    found: list[Config] = []
    monkeypatch.setattr(validation, "validate", lambda config, *_: found.append(config))
    monkeypatch.chdir(tmp_path)
    (tmp_path / ".opchar").mkdir()
    return found


def test_what_fits_is_checked_once_for_each_profile(checked: list[Config]) -> None:
    for profile in ("tiny", "quick", "tiny", "quick"):
        load(ROOT, {"profile": profile})
    assert [config.profile for config in checked] == ["tiny", "quick"]


def test_nothing_is_kept_where_no_run_was(checked: list[Config]) -> None:
    Path(".opchar").rmdir()
    for _ in range(2):
        load(ROOT)
    assert len(checked) == 2
    assert not Path(".opchar").exists()


def test_what_is_a_users_own_is_checked_each_time(checked: list[Config]) -> None:
    for _ in range(2):
        load(ROOT, {"folders": {"sonar": "mine"}})
    assert len(checked) == 2


def test_a_file_that_cannot_be_read_is_no_finding(checked: list[Config]) -> None:
    Path(".opchar/fitting").write_bytes(b"\xff\n")
    load(ROOT)
    assert len(checked) == 1


def test_what_does_not_fit_is_not_kept(
    checked: list[Config], monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(*_: object) -> None:
        raise ValueError

    monkeypatch.setattr(validation, "validate", refused)
    for _ in range(2):
        with pytest.raises(ValueError):
            load(ROOT)


def test_every_entry_counts(plan: Plan) -> None:
    before = fitting.fingerprint(plan.config)
    for name in ("settings", "datasets", "models", "protocols", "experiments", "artefacts"):
        changed = getattr(plan.config, name) | {"a": {}}
        assert fitting.fingerprint(replace(plan.config, **{name: changed})) != before
    assert fitting.fingerprint(replace(plan.config, statements={}, general={})) != before


@pytest.mark.parametrize(
    ("file", "kept"),
    [
        ("src/opchar/spaces/roc.py", False),
        ("src/opchar/publications/landgrebe2007/values.csv", False),
        ("config/schemas/models.schema.json", False),
        ("docs/design.md", True),
    ],
)
def test_code_print_and_schemas_count(
    project: Project, plan: Plan, monkeypatch: pytest.MonkeyPatch, file: str, kept: bool
) -> None:
    monkeypatch.setattr(fitting, "PACKAGE", project.folder / "src/opchar")
    folders = {
        key: str(project.folder / "src/opchar/publications" / key)
        for key in plan.config.publications
    }
    config = replace(plan.config, root=project.folder, publications=folders)
    before = fitting.fingerprint(config)
    path = project.folder / file
    path.parent.mkdir(exist_ok=True)
    path.write_text(path.read_text() + "\n" if path.exists() else "")
    assert (fitting.fingerprint(config) == before) == kept
