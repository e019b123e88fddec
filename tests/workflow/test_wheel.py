"""The wheel alone, in an empty folder: the library works, and what needs the project says so."""

import os
import re
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path

import pytest

import opchar
from checkout import ROOT

PARTS = ("src", "pyproject.toml", "README.md", "LICENSE")
NEEDS_THE_PROJECT = [
    ["run"],
    ["list"],
    ["status"],
    ["verify"],
    ["data"],
    ["ledger"],
    ["where", "table-2.3"],
    ["variants", "landgrebe2007/table-2.2"],
    ["add", "data", "wine.csv", "--target", "class"],
    ["new", "folder"],
]


def has(module: str) -> bool:
    """Return whether a tool can be run as a module."""
    command = [sys.executable, "-m", module, "--version"]
    return subprocess.run(command, capture_output=True, check=False).returncode == 0


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What a distribution is built from, without what earlier builds left."""
    folder = tmp_path_factory.mktemp("source")
    for part in PARTS:
        place = ROOT / part
        if place.is_dir():
            shutil.copytree(
                place, folder / part, ignore=shutil.ignore_patterns("__pycache__", "*.egg-info")
            )
        else:
            shutil.copy(place, folder / part)
    return folder


@pytest.fixture(scope="module")
def dist(source: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the sdist and the wheel, built without a network."""
    folder = tmp_path_factory.mktemp("dist")
    code = (
        "from setuptools import build_meta as build\n"
        f"print(build.build_sdist({str(folder)!r}))\nprint(build.build_wheel({str(folder)!r}))"
    )
    subprocess.run([sys.executable, "-c", code], cwd=source, capture_output=True, check=True)
    return folder


@pytest.fixture(scope="module")
def installed(dist: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The unpacked wheel."""
    folder = tmp_path_factory.mktemp("installed")
    (wheel,) = dist.glob("*.whl")
    shutil.unpack_archive(wheel, folder, format="zip")
    return folder


# The checkout, to which this Python's packages point, is not at hand.
ALONE = f"""import runpy, sys
sys.path[:] = [path for path in sys.path if path != {str(ROOT / "src")!r}]
sys.argv = ["opchar", *sys.argv[1:]]
"""


def python(
    installed: Path, empty: Path, code: str, *words: str
) -> subprocess.CompletedProcess[str]:
    """Run code in an empty folder, with the wheel before all else."""
    environment = os.environ | {"PYTHONPATH": str(installed), "MPLBACKEND": "agg"}
    return subprocess.run(
        [sys.executable, "-c", ALONE + code, *words],
        cwd=empty,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )


def command(installed: Path, empty: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Run a command of the wheel in an empty folder."""
    return python(installed, empty, "runpy.run_module('opchar', run_name='__main__')", *words)


def test_the_version_stands_in_one_place(dist: Path) -> None:
    (wheel,) = dist.glob("*.whl")
    (sdist,) = dist.glob("*.tar.gz")
    assert wheel.name == f"opchar-{opchar.__version__}-py3-none-any.whl"
    with tarfile.open(sdist) as archive:
        assert f"opchar-{opchar.__version__}/PKG-INFO" in archive.getnames()
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert f"\nversion: {opchar.__version__}\n" in citation


def test_the_library_works(installed: Path, tmp_path: Path) -> None:
    code = (
        "import opchar\nprint(opchar.__file__)\n"
        "print(opchar.roc_auc([0, 1, 1], [0.1, 0.3, 0.2]))\n"
        "for name in dir(opchar):\n    getattr(opchar, name)\n"
    )
    done = python(installed, tmp_path, code)
    assert done.returncode == 0, done.stderr
    place, area = done.stdout.split()
    assert Path(place).is_relative_to(installed)
    assert area == "1.0"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--help"], "COMMAND"),
        (["--version"], opchar.__version__),
        (["condition", "acsa", "--matrices", "500"], "acsa"),
        (["analyse", "--help"], "CSV"),
        (["explain", "OPC040"], "AUC"),
    ],
    ids=lambda value: "-".join(value) if isinstance(value, list) else "",
)
def test_commands_that_need_no_project(
    installed: Path, tmp_path: Path, words: list[str], said: str
) -> None:
    done = command(installed, tmp_path, *words)
    assert done.returncode == 0, done.stderr
    assert said in done.stdout
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("words", NEEDS_THE_PROJECT, ids=lambda words: words[0])
def test_what_needs_the_project_says_so_in_one_line(
    installed: Path, tmp_path: Path, words: list[str]
) -> None:
    done = command(installed, tmp_path, *words)
    assert (done.returncode, done.stdout) == (2, "")
    assert re.fullmatch(r"opchar: no command .* come with a checkout .*\n", done.stderr)


def test_the_wheel_has_the_library_alone(installed: Path, tmp_path: Path) -> None:
    """What only the workflow needs may be absent, and nothing of the reproduction is there."""
    tops = {path.name for path in installed.iterdir() if path.suffix != ".dist-info"}
    assert tops == {"opchar"}
    absent = ["snakemake", "jinja2", "yaml", "pooch", "imblearn", "opchar_reproduction"]
    code = (
        f"sys.modules.update(dict.fromkeys({absent!r}))\nimport opchar\n"
        "for name in dir(opchar):\n    getattr(opchar, name)\n"
        "from opchar.cli import main\nsys.exit(main(['analyse', '--example']))"
    )
    done = python(installed, tmp_path, code)
    assert done.returncode == 0, done.stderr
    assert "threshold" in done.stdout


@pytest.mark.skipif(not has("twine"), reason="twine is not installed")
def test_an_index_can_show_the_distributions(dist: Path) -> None:
    files = [str(path) for path in dist.iterdir()]
    command = [sys.executable, "-m", "twine", "check", "--strict", *files]
    assert subprocess.run(command, check=False).returncode == 0


@pytest.mark.skipif(not has("check_wheel_contents"), reason="check-wheel-contents is not installed")
def test_the_wheel_holds_what_a_wheel_should(dist: Path) -> None:
    (wheel,) = dist.glob("*.whl")
    settings = ["--config", str(ROOT / "pyproject.toml")]
    command = [sys.executable, "-m", "check_wheel_contents", *settings, str(wheel)]
    subprocess.run(command, check=True)
