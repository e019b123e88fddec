"""Public questions on indices and on the face of the program, with what they are by hand."""

import ast

import numpy as np
import pandas as pd
import pytest

import opchar
from checkout import ROOT
from opchar import cli

FOUR = [0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]


@pytest.mark.parametrize("size", [1e-300, 1, 1e300])
@pytest.mark.parametrize(
    ("y", "score", "roc", "pr"),
    [
        # Three of four pairs are in order; from 1 the precision falls to 1/2 and rises to 2/3.
        (*FOUR, 3 / 4, None),
        # Equal scores order nothing: the precision is the prior at every recall.
        ([0, 1, 0, 0, 1], [0.5] * 5, 1 / 2, 2 / 5),
        # One tie of the four pairs counts one half.
        ([0, 1, 0, 1], [0.2, 0.5, 0.5, 0.9], 7 / 8, None),
        ([0, 0, 1, 1], [1, 2, 3, 4], 1, 1),
    ],
)
def test_areas_do_not_depend_on_the_unit_of_scores(y, score, size, roc, pr) -> None:
    """scikit-learn#6377, #6688 and #4275, ROC.jl#7: tiny scores, ties and constants."""
    scores = np.array(score) * size
    assert opchar.roc_auc(y, scores) == pytest.approx(roc, abs=1e-15)
    assert opchar.pr_auc(y, scores) == opchar.pr_auc(y, score)
    if pr is not None:
        assert opchar.pr_auc(y, scores) == pytest.approx(pr, abs=1e-15)


def test_rows_of_a_matrix_of_costs_are_true_classes(tmp_path, capsys) -> None:
    """optimal-classification-cutoffs#15: a miss costs ten times as much: odds 1 to 10."""
    assert opchar.bayes_threshold(cost_fn=10) == pytest.approx(1 / 11)
    rng = np.random.default_rng(0)
    y = rng.random(4000) < 0.3
    p = np.where(y, rng.beta(3, 2, 4000), rng.beta(2, 3, 4000))
    found = opchar.choose_threshold(y, p, cost_fn=10, rule="search")
    accepted = p >= found.threshold
    paid = 10 * (y & ~accepted).mean() + (accepted & ~y).mean()
    assert found.costs["search"] == pytest.approx(paid)
    assert paid < 10 * (y & (p < 0.5)).mean() + ((p >= 0.5) & ~y).mean()
    table = pd.DataFrame({"y": y[:60].astype(int), "score": p[:60]})
    table.to_csv(tmp_path / "s.csv", index=False)
    (tmp_path / "c.csv").write_text("true,0,1\n0,0,1\n1,10,0\n")
    names = [str(tmp_path / name) for name in ("s.csv", "c.csv", "out")]
    assert cli.main(["analyse", names[0], "--costs", names[1], "--output", names[2]]) == 0
    assert "--costs is for more than two classes; give --cost instead" in capsys.readouterr().out


def test_misspelt_names_are_no_names_for_a_type_checker() -> None:
    """A function that finds names at run time would make every name an `Any`."""
    tree = ast.parse((ROOT / "src/opchar/__init__.py").read_text(encoding="utf-8"))
    seen = {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}
    hidden = [node for node in ast.walk(tree) if getattr(node, "name", "") == "__getattr__"]
    assert len(hidden) == 1
    assert "__getattr__" not in seen


def test_the_version_has_its_changes_and_says_what_is_stable() -> None:
    changes = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8").split("\n## ")[1]
    assert changes.startswith(f"{opchar.__version__} (")
    assert "are stable until" in changes


@pytest.mark.parametrize("words", [[], ["--help"]])
def test_commands_are_grouped_with_those_for_scores_first(words, capsys) -> None:
    with pytest.raises(SystemExit):
        cli.main(words)
    said = "".join(capsys.readouterr())
    places = [said.index(f"\n{group}:") for group in ("Your scores", "Printed tables")]
    commands = [said.index(f"\n  {name}  ") for name in ("analyse", "cascade", "check")]
    assert sorted(places + commands) == [places[0], *commands[:2], places[1], commands[2]]
    assert said.find("\nThe reproduction:") not in range(places[1])
