"""Fixtures that every test may ask for."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import settings

from checkout import ROOT, Project, copied
from opchar.pipeline.configuration.config import load
from opchar.pipeline.plan import Plan

# Timing never decides a test; the same examples every time, so that a failure is a change.
settings.register_profile("opchar", deadline=None, derandomize=True)
settings.load_profile("opchar")


@pytest.fixture
def project(tmp_path: Path) -> Project:
    """A fresh copy, offline and without a mirror."""
    return copied(tmp_path / "project")


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory) -> Project:
    """A copy in which the tiny profile has been run once, offline, on two cores."""
    project = copied(tmp_path_factory.mktemp("made") / "project")
    done = project.opchar("run", "--profile", "tiny", "--policy", "offline", "--cores", "2")
    assert done.returncode == 0, done.stdout + done.stderr
    return project


@pytest.fixture(scope="session")
def plan() -> Plan:
    """The plan that follows from the project's own configuration."""
    return Plan(load(ROOT))
