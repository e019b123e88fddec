"""Fixtures that every test may ask for."""

import gc
import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

import opened
import said
from checkout import ROOT, Project, at, copied, locked
from opchar_reproduction.project import checked, closure
from opchar_reproduction.project.configuration.config import load
from opchar_reproduction.project.environment import ONE_THREAD
from opchar_reproduction.project.plan import Plan
from opchar_reproduction.publication import make_importable

# Tests of studies on request import them as a run does.
make_importable({"studies": ROOT / "studies"})
# As jobs compute, and before numpy is loaded: two workers whose threads of linear algebra share two
# cores wait for each other, for most of some tests.
os.environ.update(dict.fromkeys(ONE_THREAD, "1"))
# Where `make setup` has compiled, for whoever calls compiled code in a process of the tests.
os.environ.setdefault("NUMBA_CACHE_DIR", str(ROOT / checked.compiled_folder()))
# Timing never decides a test; the same examples every time, so that a failure is a change.
settings.register_profile("opchar", deadline=None, derandomize=True)
settings.load_profile("opchar")

# What is not run unless it is asked for, by its marker: the variable and the reason.
LATER = {
    "check": ("OPCHAR_CHECK", "long: make check, or OPCHAR_CHECK=1, runs it"),
    "slow": ("OPCHAR_SLOW", "minutes: OPCHAR_SLOW=1 runs it"),
}


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[None]:
    """Collect without looking for garbage: all that is made here stays to the end."""
    gc.disable()
    found = yield
    gc.freeze()
    gc.enable()
    return found


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Leave out what is for later; runs of the workflow come first, then files that take long."""
    for marker, (variable, reason) in LATER.items():
        if os.environ.get(variable) != "1":
            for item in items:
                if item.get_closest_marker(marker):
                    item.add_marker(pytest.mark.skip(reason=reason))
    place = {file: number for number, file in enumerate(said.LONG)}
    items.sort(
        key=lambda item: (
            item.get_closest_marker("workflow") is None,
            place.get(item.nodeid.partition("::")[0], len(place)),
        )
    )


def pytest_unconfigure(config: pytest.Config) -> None:
    """Say last what each suite took and what was not tested; workers say nothing."""
    reporter = config.pluginmanager.get_plugin("terminalreporter")
    if reporter and not hasattr(config, "workerinput") and not config.option.collectonly:
        print(
            said.suites(reporter.stats), said.untested(reporter.stats.get("skipped", [])), sep="\n"
        )


@pytest.fixture(scope="session")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that workers that test side by side have in common."""
    base = tmp_path_factory.getbasetemp()
    return base.parent if "PYTEST_XDIST_WORKER" in os.environ else base


@pytest.fixture(scope="session")
def summaries(shared: Path) -> Path:
    """What modules define, kept from test to test as from run to run."""
    folder = shared / "summaries"
    folder.mkdir(exist_ok=True)
    return folder


@pytest.fixture(scope="session", autouse=True)
def read_once(summaries: Path) -> Iterator[None]:
    """Keep them from the plans of this process too, whatever folder it is in."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(closure, "MODULES", summaries)
        yield


@pytest.fixture
def project(tmp_path: Path, summaries: Path) -> Project:
    """A copy, offline and without a mirror, in which nothing was made yet."""
    project = copied(tmp_path / "project")
    (project.folder / ".opchar").mkdir()
    (project.folder / ".opchar/modules").symlink_to(summaries)
    return project


@pytest.fixture(scope="session")
def ran(shared: Path) -> Path:
    """A folder with a `project` in which the tiny profile was run once, offline, on two cores.

    Beside it, in `opened`, stands what its jobs opened. Workers that test side by side share the
    run, as do sessions that `OPCHAR_MADE` gives the same folder.
    """
    folder = Path(os.environ.get("OPCHAR_MADE") or shared / "made")
    folder.mkdir(parents=True, exist_ok=True)
    with locked(folder / "lock"):
        if not (folder / "done").exists():
            for name in ("project", "opened"):
                shutil.rmtree(folder / name, ignore_errors=True)
            (folder / "opened").mkdir()
            project = copied(folder / "project")
            watch = project.folder / "src/sitecustomize.py"
            shutil.copy2(opened.__file__, watch)
            words = ("--profile", "tiny", "--policy", "offline", "--cores", "2")
            done = project.opchar("run", *words, **{opened.FOLDER: str(folder / "opened")})
            assert done.returncode == 0, done.stdout + done.stderr
            watch.unlink()
            (folder / "done").touch()
    return folder


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory, ran: Path) -> Project:
    """A copy of the project in which the tiny profile has been run."""
    own = tmp_path_factory.mktemp("made") / "project"
    shutil.copytree(ran / "project", own, symlinks=True)
    return at(own)


@pytest.fixture(scope="session")
def plan() -> Plan:
    """The plan that follows from the project's own configuration."""
    return Plan(load(ROOT))
