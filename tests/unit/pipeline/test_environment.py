"""The environment's three faces agree: pyproject.toml, requirements.lock, environment.yml."""

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml
from threadpoolctl import threadpool_info

from checkout import ROOT
from opchar_reproduction.project.environment import KEPT_MEMORY, ONE_THREAD, job_environment

LOCK = (ROOT / "requirements.lock").read_text(encoding="utf-8")


# What conda-forge calls otherwise, and what it does not have.
CONDA = {
    "matplotlib": "matplotlib-base",
    "moocore": "python-moocore",
    "opencv-python-headless": "opencv",
    "snakemake": "snakemake-minimal",
}
ELSEWHERE = {"onnxruntime"}  # a user's own ImageNet only
LIBRARY = ["matplotlib", "numpy", "pandas", "pyarrow", "scikit-learn", "scipy", "statsmodels"]


def bounds(text: str) -> tuple[str, str]:
    """Split ``name >=1.0`` into name and bounds."""
    match = re.fullmatch(r"([\w.-]+)(?:\[.*\])?\s*(.*)", text)
    assert match is not None, text
    return match[1].lower(), match[2]


def project() -> dict[str, Any]:
    return dict(tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"])


def test_environment_yml_has_the_bounds_of_the_project_and_no_tool_of_development() -> None:
    listed = yaml.safe_load((ROOT / "environment.yml").read_text(encoding="utf-8"))
    *named, pip = listed["dependencies"]
    given = dict(bounds(text) for text in [*named, *pip["pip"]])
    extras = project()["optional-dependencies"]
    used = ("workflow", "images", "fast")
    wanted = [*project()["dependencies"], *(each for extra in used for each in extras[extra])]
    asked = {CONDA.get(name, name): said for name, said in map(bounds, wanted)}
    assert asked.keys() - ELSEWHERE == given.keys() - {"python", "pip"}
    assert {name: asked[name] for name in given if name in asked} == {
        name: said for name, said in given.items() if name in asked
    }


def test_the_library_asks_for_no_workflow_engine() -> None:
    assert [bounds(text)[0] for text in project()["dependencies"]] == LIBRARY


def test_the_library_imports_without_what_only_the_workflow_needs() -> None:
    extras = [bounds(text)[0] for text in project()["optional-dependencies"]["workflow"]]
    modules = {"imbalanced-learn": "imblearn", "pyyaml": "yaml"}
    # matplotlib itself needs pillow.
    absent = [modules.get(name, name.replace("-", "_")) for name in extras if name != "pillow"]
    rooms = ["combination", "decisions", "metrics", "multiclass", "reject", "spaces", "statistics"]
    wanted = [
        ".".join(path.relative_to(ROOT / "src").with_suffix("").parts)
        for room in rooms
        for path in (ROOT / "src/opchar" / room).rglob("*.py")
        if path.name != "__init__.py"
    ]
    code = (
        f"import sys, importlib\nsys.modules.update(dict.fromkeys({absent!r}))\n"
        f"for name in {[*wanted, 'opchar.scores', 'opchar.displays']!r}: "
        "importlib.import_module(name)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_the_lock_has_hashes_for_all_and_addresses_for_none() -> None:
    blocks = re.split(r"\n(?=\S)", LOCK.strip())
    assert len(blocks) > 50
    assert all(re.search(r"--hash=sha256:[0-9a-f]{64}", block) for block in blocks)
    assert not re.search(r"https?://|index-url|find-links", LOCK)


def test_the_lock_has_every_dependency_within_its_bounds() -> None:
    from packaging.requirements import Requirement

    versions = dict(re.findall(r"^([\w.-]+)==([^\s\\]+)", LOCK, flags=re.MULTILINE))
    extras = project()["optional-dependencies"]
    given = [*project()["dependencies"], *extras["workflow"], *extras["images"], *extras["dev"]]
    for text in given:
        wanted = Requirement(text)
        if wanted.name == "opchar":
            continue
        assert versions[wanted.name.lower()] in wanted.specifier, text


def test_jobs_find_this_code_and_nothing_else_of_it_by_a_name_of_its_own() -> None:
    first = Path(job_environment({"PYTHONPATH": "/elsewhere"})["PYTHONPATH"])
    assert first == ROOT / "src"
    assert (first / "opchar/__init__.py").is_file()


def test_jobs_run_on_one_thread_with_bytecode() -> None:
    environment = job_environment({"PYTHONDONTWRITEBYTECODE": "1", "OMP_NUM_THREADS": "8"})
    assert "PYTHONDONTWRITEBYTECODE" not in environment
    assert {environment[name] for name in ONE_THREAD} == {"1"}
    assert {int(environment[name]) for name in KEPT_MEMORY} == set(KEPT_MEMORY.values())


def test_what_a_person_says_of_memory_folders_and_network_is_left() -> None:
    said = {"MALLOC_TRIM_THRESHOLD_": "1", "HOME": "/h", "https_proxy": "p", "OPCHAR_MIRROR": "m"}
    assert said.items() <= job_environment(said).items()


def test_the_environment_of_jobs_is_its_own() -> None:
    once = job_environment(os.environ)
    assert job_environment(once) == once


# What a machine or a person sets, a name that an import would notice, and what a job then sees.
CHANNELS = {
    "PYTHONHASHSEED": "123",
    "PYTHONOPTIMIZE": "1",
    "PYTHONUSERBASE": "user",
    "PYTHONWARNINGS": "error",
    "LC_ALL": "de_DE.UTF-8",
    "LANG": "tr_TR.UTF-8",
    "TZ": "Pacific/Kiritimati",
    "OMP_NUM_THREADS": "7",
    "OPENBLAS_NUM_THREADS": "7",
    "OPENBLAS_CORETYPE": "Prescott",
    "NPY_DISABLE_CPU_FEATURES": "AVX2",
    "GLIBC_TUNABLES": "glibc.cpu.hwcaps=-AVX2",
    "NUMBA_DISABLE_JIT": "1",
    "MATPLOTLIBRC": "style",
    "MPLBACKEND": "svg",
    "SKLEARN_WORKING_MEMORY": "1",
    "SOURCE_DATE_EPOCH": "0",
}
LOOK = """
import os, sys, time, locale
print(hash("text"), sys.flags.optimize, sys.flags.no_user_site, sys.warnoptions, time.tzname)
print(locale.setlocale(locale.LC_ALL), *sorted(f"{k}={v}" for k, v in os.environ.items()))
"""


@pytest.mark.parametrize("name", CHANNELS)
def test_no_setting_of_the_machine_reaches_a_job(name: str, tmp_path: Path) -> None:
    look = tmp_path / "look.py"
    look.write_text(
        "from opchar_reproduction.project.environment import start_anew\nstart_anew()\n" + LOOK
    )
    plain = {"PATH": os.environ["PATH"], "HOME": str(tmp_path), "PYTHONPATH": str(ROOT / "src")}

    def seen(**given: str) -> str:
        words, environment = [sys.executable, str(look)], plain | given
        done = subprocess.run(words, capture_output=True, text=True, check=True, env=environment)
        return done.stdout

    assert seen(**{name: CHANNELS[name]}) == seen()


def test_no_code_that_python_runs_at_its_start_reaches_a_job(tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text("import builtins; builtins.changed = True\n")
    look = "import opchar_reproduction.project.environment as e; e.start_anew(); "
    look += "import builtins; print(hasattr(builtins, 'changed'))"
    path = os.pathsep.join([str(tmp_path), str(ROOT / "src")])
    environment = {**os.environ, "PYTHONPATH": path}
    words = [sys.executable, "-c", look]
    done = subprocess.run(words, capture_output=True, text=True, check=True, env=environment)
    assert done.stdout == "False\n"


def test_a_matplotlibrc_reaches_no_figure(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import matplotlib as mpl

    from opchar.figures.style import STYLE, figure_style

    monkeypatch.chdir(tmp_path)
    (tmp_path / "matplotlibrc").write_text("axes.facecolor: yellow\nlines.linestyle: --\n")
    with mpl.rc_context():
        mpl.rc_file(mpl.matplotlib_fname())
        assert mpl.rcParams["axes.facecolor"] == "yellow"
        with figure_style():
            wanted = {**mpl.rcParamsDefault, **STYLE}
            assert {key: mpl.rcParams[key] for key in ("axes.facecolor", "lines.linestyle")} == {
                key: wanted[key] for key in ("axes.facecolor", "lines.linestyle")
            }
        assert mpl.rcParams["axes.facecolor"] == "yellow"


@pytest.mark.parametrize(
    ("module", "unwanted"),
    [
        ("opchar_reproduction.jobs.commands", {"numpy", "pandas", "matplotlib", "snakemake"}),
        ("opchar.cli", {"numpy", "pandas", "matplotlib", "snakemake"}),
        ("opchar_reproduction.project.plan", {"numpy", "pandas", "sklearn", "scipy"}),
        ("opchar.figures.style", {"sklearn", "scipy", "statsmodels", "snakemake"}),
    ],
)
def test_starting_is_light(module: str, unwanted: set[str]) -> None:
    code = f"import sys, {module}; print(*{{n.split('.')[0] for n in sys.modules}})"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert not unwanted & set(done.stdout.split())


def test_nothing_in_the_package_imports_snakemake_and_no_experiment_plots() -> None:
    for path in sorted((ROOT / "src").glob("opchar*/**/*.py")):
        text = path.read_text(encoding="utf-8")
        assert not re.search(r"^\s*(import|from) snakemake", text, flags=re.MULTILINE), path
        if "experiments" in path.parts:
            assert not re.search(r"^\s*(import|from) matplotlib", text, flags=re.MULTILINE), path
        if "figures" in path.parts:
            assert not re.search(r"^\s*(import|from) (scipy|sklearn)", text, flags=re.MULTILINE), (
                path
            )


def test_a_home_that_cannot_be_written_is_not_asked_for_a_cache(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("HOME", "/nowhere")
    assert job_environment({})["XDG_CACHE_HOME"].endswith(".opchar/cache")


@pytest.mark.check
def test_a_terminal_without_unicode_gets_no_traceback() -> None:
    words = [sys.executable, "-X", "utf8=0", "-m", "opchar.cli", "explain", "tablé"]
    environment = {**os.environ, "LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"}
    done = subprocess.run(
        words, capture_output=True, text=True, check=False, env=environment, cwd=ROOT
    )
    assert done.returncode and done.stderr.startswith("opchar") and "Traceback" not in done.stderr


def test_a_job_ends_at_once_with_its_words_its_status_and_what_libraries_leave_to_do() -> None:
    code = "\n".join(
        [
            "import atexit, sys",
            "from opchar_reproduction.jobs.__main__ import end",
            "atexit.register(print, 'tidied')",
            "print('said'), print('wrong', file=sys.stderr)",
            "sys.untidy = type('Untidy', (), {'__del__': lambda self: print('taken apart')})()",
            "end(3)",
        ]
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (3, "said\ntidied\n", "wrong\n")


def test_tests_compute_with_one_thread_as_jobs_do() -> None:
    assert {each["num_threads"] for each in threadpool_info()} <= {1}
    assert {os.environ[name] for name in ONE_THREAD} == {"1"}
