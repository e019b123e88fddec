"""``opchar condition``: its words, its errors, and the examples of docs/conditions.md."""

import re
import sys
import tomllib

import pytest

from checkout import ROOT
from opchar.cli import main
from opchar.metrics.conditions import MetricError
from opchar.metrics.conditions.command import report_on
from opchar.metrics.conditions.page import markdown

PAGE = (ROOT / "docs/conditions.md").read_text(encoding="utf-8")


def blocks(language):
    return re.findall(rf"```{language}\n(.*?)```", PAGE, flags=re.DOTALL)


@pytest.fixture
def module(tmp_path):
    """Write a module and return its folder; it is forgotten afterwards."""
    before = set(sys.modules)
    yield lambda name, text: (tmp_path / f"{name}.py").write_text(text) and tmp_path
    for name in set(sys.modules) - before:
        if getattr(sys.modules[name], "__file__", None) and str(tmp_path) in str(
            sys.modules[name].__file__
        ):
            del sys.modules[name]


@pytest.mark.check
def test_the_page_is_current():
    assert markdown() == PAGE, "run python -m opchar.metrics.conditions.page > docs/conditions.md"


def test_the_command_says_what_the_page_says(module, monkeypatch, capsys):
    own, _ = blocks("python")
    monkeypatch.chdir(module("mymodule", own))
    assert main(["condition", "mymodule:kappa", "--classes", "3"]) == 0
    (said,) = blocks("text")
    assert capsys.readouterr().out == said


def test_the_python_example_runs(capsys):
    _, example = blocks("python")
    names = {}
    exec(example, names)
    printed = capsys.readouterr().out
    assert printed.startswith("False")
    assert pytest.approx(float(re.findall(r"^0\.208\d+$", printed, re.M)[0]), abs=1e-4) == 0.2083
    assert names["spread"].distortion > 0


def test_the_words_for_two_classes():
    said = report_on("precision")
    assert "Condition 1, free of the test set's class sizes: violated" in said
    assert "gives 0.5000 and 0.3333" in said
    assert "Condition 2, range free of the number of classes: does not apply" in said
    assert "Undefined (0/0) for 666 of 99,789 matrices" in said
    assert "two classes only: precision raises ValueError" in said


def test_the_words_for_a_collapse_and_a_limit():
    assert "smallest case: one class wrong, beside all wrong" in report_on("g_mean_multiclass")
    said = report_on("overall_accuracy", most_classes=3)
    assert "violated over test sets of any sizes, holds over equal classes" in said
    assert "near the limit" in said
    assert "-0.0000" not in said


def test_a_convention_that_decides(module):
    folder = module(
        "strict",
        "import numpy as np\n"
        "from opchar.metrics import acsa\n"
        "def metric(m):\n"
        "    kept = (m.sum(axis=-2) > 0).all(axis=-1) & (np.trace(m, axis1=-2, axis2=-1) > 0)\n"
        "    return np.where(kept, 0.5 + acsa(m) / 2, np.nan)\n",
    )
    said = report_on("strict:metric", folder, most_classes=3)
    assert "whether it counts as nothing, 0 or 1 decides Condition 2" in said


BROKEN = """
import numpy as np
class holder:
    @staticmethod
    def metric(m):
        return m.sum()
def undefined(m):
    return np.full(m.shape[:-2], np.nan)
def fails(m):
    raise KeyError("a\\nb")
number = 3
"""


@pytest.mark.parametrize(
    ("reference", "said"),
    [
        ("broken:nothing", "broken:nothing: broken has no function 'nothing'"),
        ("broken:number", "broken has no function 'number'"),
        ("broken:holder.metric", "numpy.vectorize"),
        ("broken:undefined", "undefined is NaN for each of"),
        ("broken:fails", "fails raises KeyError on matrices of shape"),
        ("missing_module:metric", "importing missing_module raises ModuleNotFoundError"),
        ("acs", "did you mean 'acsa'"),
        ("equal_error_rate", "several operating conditions"),
    ],
)
def test_what_is_wrong_is_one_line(module, monkeypatch, capsys, reference, said):
    monkeypatch.chdir(module("broken", BROKEN))
    assert main(["condition", reference]) == 1
    printed = capsys.readouterr().err
    assert said in printed
    assert printed.count("\n") == 1


def test_a_function_of_one_matrix_is_told_how_to_take_stacks(module):
    text = (
        "import numpy as np\n"
        "from math import sqrt\n"
        "def one(m):\n"
        "    return sqrt(np.trace(m) / m.sum()) if m.ndim == 2 else sqrt(m)\n"
        "stacks = np.vectorize(one, signature='(c,c)->()')\n"
    )
    folder = module("single", text)
    with pytest.raises(MetricError, match=r"raises TypeError .* numpy\.vectorize"):
        report_on("single:one", folder)
    said = report_on("single:stacks", folder, most_classes=3, budget=500)
    assert "gives" in said
    assert "Condition 1, free of the test set's class sizes: violated" in said
    with pytest.raises(MetricError, match="at least one matrix"):
        report_on("single:stacks", folder, budget=0)


def test_too_few_classes():
    with pytest.raises(MetricError, match="up to 3 at least"):
        report_on("acsa", most_classes=2)


def test_the_path_is_left_as_it_was(module):
    folder = module("clean", "def metric(m):\n    return m[..., 0, 0] / m.sum(axis=(-2, -1))\n")
    before = list(sys.path)
    assert report_on("clean:metric", folder, most_classes=3).startswith("clean:metric, 2 and 3")
    assert sys.path == before


def test_sympy_is_for_tests_only():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert not any(name.startswith("sympy") for name in project["dependencies"])
    room = (ROOT / "src/opchar/metrics").rglob("*.py")
    assert not any("sympy" in path.read_text(encoding="utf-8") for path in room)
