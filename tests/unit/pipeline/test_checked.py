"""A configuration that was checked once is not checked again, and any change of it is noticed."""

import shutil
from pathlib import Path

import pytest

from checkout import ROOT
from opchar.errors import ConfigError
from opchar.pipeline.configuration import checked, config


@pytest.fixture
def folder(tmp_path, monkeypatch):
    shutil.copytree(ROOT / "config", tmp_path / "config")
    monkeypatch.chdir(tmp_path)
    checked.KEPT.parent.mkdir()
    return tmp_path


def load(changes=None):
    return config.load(".", changes or {"profile": "tiny"}, here=".")


def test_the_second_reading_is_the_first_without_checking(folder, monkeypatch):
    first = load()

    def never(*_, **__):
        raise AssertionError("the configuration was checked again")

    monkeypatch.setattr(config, "_read", never)
    assert load() == first
    with pytest.raises(AssertionError, match="checked again"):
        load({"profile": "quick"})


def test_a_changed_configuration_is_checked(folder):
    load()
    path = folder / "config/models.yaml"
    said = path.read_text(encoding="utf-8")
    path.write_text(said + "\nnonsense: 3\n", encoding="utf-8")
    with pytest.raises(ConfigError, match="nonsense"):
        load()
    path.write_text(said, encoding="utf-8")
    assert load().settings["profile"] == "tiny"


def test_changed_code_is_a_reason_to_check(folder, tmp_path, monkeypatch):
    source = tmp_path / "opchar"
    shutil.copytree(checked.SOURCE / "pipeline", source / "pipeline")
    monkeypatch.setattr(checked, "SOURCE", source)
    before = checked.fingerprint([Path()], {})
    with (source / "pipeline/plan.py").open("a", encoding="utf-8") as file:
        file.write("\n")
    assert checked.fingerprint([Path()], {}) != before


def test_what_rests_on_files_elsewhere_is_checked_every_time(folder):
    data = folder / "mine"
    data.mkdir()
    load({"profile": "tiny", "folders": {"cox": str(data)}})
    data.rmdir()
    with pytest.raises(ConfigError, match="no folder"):
        load({"profile": "tiny", "folders": {"cox": str(data)}})
    own = "datasets: {}  # as in mine.py:reader\n"
    (folder / "config/own.yaml").write_text(own, encoding="utf-8")
    assert checked.fingerprint([Path()], {}) == ""


def test_nothing_is_kept_where_nothing_was_run(folder):
    checked.KEPT.parent.rmdir()
    load()
    assert not checked.KEPT.parent.exists()


def test_a_spoilt_file_is_no_configuration(folder):
    first = load()
    checked.KEPT.write_text(checked.KEPT.read_text("utf-8")[:-40], "utf-8")
    assert load() == first
