"""`import opchar` is quick, and finds what it names when that is asked for."""

import ast
import subprocess
import sys

import pytest

import opchar
from checkout import ROOT
from opchar.retired import FUNCTIONS

HEAVY = (
    "matplotlib",
    "matplotlib.pyplot",
    "numpy",
    "pandas",
    "pyarrow",
    "scipy",
    "sklearn",
    "statsmodels",
    "snakemake",
)
SMALLER = ("scipy.sparse", "scipy.stats", "opchar.reject")
INIT = ROOT / "src/opchar/__init__.py"


def loaded_by(statement: str) -> set[str]:
    """Return which heavy modules a fresh interpreter has after a statement."""
    code = f"import sys\n{statement}\nprint(*{{*{HEAVY + SMALLER}}} & {{*sys.modules}})"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return set(done.stdout.split())


def test_nothing_heavy_is_loaded_by_the_package() -> None:
    assert loaded_by("import opchar; dir(opchar)") == set()


def test_spaces_need_no_estimators_and_no_tables() -> None:
    for call in (
        "roc_auc([0, 1], [0.1, 0.2])",
        "confusion([0, 1], [0, 1])",
        "brier_score([0, 1], [0, 1])",
    ):
        assert loaded_by(f"import opchar; opchar.{call}") == {"numpy"}


def test_asking_ones_own_scores_needs_no_scikit_learn() -> None:
    """It trains nothing; scikit-learn and statsmodels would take a third of the time it has."""
    loaded = loaded_by("import opchar.analysis.command, opchar.analysis.answers.comparison")
    assert not loaded & {"sklearn", "statsmodels", *SMALLER}


def test_figures_are_saved_without_the_interactive_half_of_matplotlib() -> None:
    """It takes a tenth of the second in which a figure is drawn."""
    loaded = loaded_by("import opchar.figures.style")
    assert "matplotlib" in loaded and "matplotlib.pyplot" not in loaded


@pytest.mark.parametrize("name", sorted({*opchar._HOMES, *opchar._ROOMS}))
def test_every_name_is_there(name: str) -> None:
    assert getattr(opchar, name).__doc__


def test_what_tools_see_is_what_is_imported() -> None:
    """The imports for type checkers and the names that are found at run time are the same."""
    block = next(
        node
        for node in ast.parse(INIT.read_text(encoding="utf-8")).body
        if isinstance(node, ast.If)
    )
    seen = {
        alias.name: node.module
        for node in block.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    retired = {name: module for name, (module, _) in FUNCTIONS.items()}
    assert seen == opchar._HOMES | dict.fromkeys(opchar._ROOMS, "opchar") | retired


def test_a_name_that_is_none() -> None:
    with pytest.raises(AttributeError, match="no attribute 'roc_auk'"):
        opchar.roc_auk  # noqa: B018


def test_the_package_itself_goes_by_modules() -> None:
    """Code inside names modules, so that what it reaches can be told from its syntax."""
    short = {*opchar._HOMES, *opchar._ROOMS}
    for path in (ROOT / "src").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.module == "opchar":
                named = {alias.name for alias in node.names} & set(opchar._HOMES)
                assert not named, path
    assert short


def test_a_star_brings_what_the_package_lists() -> None:
    brought: dict[str, object] = {}
    exec("from opchar import *", brought)
    assert (
        set(opchar._HOMES) | set(opchar._ROOMS)
        <= set(brought)
        == set(opchar.__all__) | {"__builtins__"}
    )
