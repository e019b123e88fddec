"""Sec. 3.2.5: specifications on the satellite data."""

import numpy as np
import pytest

from opchar.errors import ConfigError
from opchar.multiclass.neyman_pearson import neyman_pearson
from opchar.multiclass.roc.weighted_scores import weighted_scores
from opchar.scores import ScoreTable
from opchar_reproduction.publications.landgrebe2007.chapter3.neyman_pearson.measure import (
    TEXT,
    limits_of,
    own_split,
    random_splits,
)

SINGLE = [f"{TEXT}-confusion-2", f"{TEXT}-confusion-3"]
MULTI = [f"{TEXT}-confusion-4", f"{TEXT}-confusion-5"]
CLASSES = ("red", "cotton", "veget", "grey")
SPECIFICATIONS = {
    SINGLE[0]: {"title": "single a", "limits": {"veget->grey": 0.1}},
    SINGLE[1]: {"title": "single b", "limits": {"cotton->veget": 0.1}},
    MULTI[0]: {"title": "multi 1", "limits": {"veget->red": 0.2, "veget->grey": 0.2}},
    MULTI[1]: {"title": "multi 2", "limits": {"veget->red": 0.2, "cotton->veget": 0.3}},
    "third": {"title": "multi 3", "limits": {f"{c}->grey": 0.0 for c in CLASSES[:3]}},
}


def table(folds: int, seed: int = 0, signal: float = 0.5) -> ScoreTable:
    rng = np.random.default_rng(seed)
    n = 80 * folds
    y = np.arange(n) % 4
    scores = rng.dirichlet(np.ones(4), n)
    scores[np.arange(n), y] += signal * rng.random(n)
    return ScoreTable(np.arange(n) // 80, np.arange(n), y, scores, CLASSES, {"data": "x"})


def run(specifications=SPECIFICATIONS, **options):
    settings = {"r": 8, "weights": [1e-3, 1e3], "data": "x", "model": "m"} | options
    return random_splits(scores={("x", "m"): table(3)}, specifications=specifications, **settings)


def lines_of(results):
    return results.frame().set_index(["artefact", "row", "column"])


def test_matrices_are_means_over_the_splits_that_meet_the_limits():
    lines = lines_of(run())
    found = [
        neyman_pearson(
            weighted_scores(part.y, part.scores, 8),
            limits_of(SPECIFICATIONS[SINGLE[0]]["limits"], CLASSES),
            refine=False,
        )
        for _, part in table(3).folds()
    ]
    rates = np.array([one.rates for one in found])
    cell = lines.loc[(SINGLE[0], "single a / true veget", "estimated grey")]
    assert cell["value"] == pytest.approx(rates[:, 2, 3].mean())
    assert cell["value"] <= 0.1 and cell["n"] == 3
    assert cell["std"] == pytest.approx(rates[:, 2, 3].std(ddof=1))
    rows = lines.loc[MULTI[0]]["value"].groupby(level=0).sum()
    assert rows.to_numpy() == pytest.approx(1)


def test_refinement_never_leaves_more_of_the_other_errors():
    lines = lines_of(run()).loc[TEXT]["value"]
    for specification in SPECIFICATIONS.values():
        title = specification["title"]
        if lines[title, "splits that meet it"]:
            rough = lines[title, "sum of the other errors"]
            assert lines[title, "sum of the other errors, refined"] <= rough + 1e-12


def test_frames_hold_every_split_and_specification():
    results = run()
    met = results.curves["specifications"].groupby("specification")["feasible"].sum()
    lines = lines_of(results)
    assert met["third"] == lines.loc[(TEXT, "multi 3", "splits that meet it"), "value"]
    limited = results.curves["limited errors"]
    assert len(limited) == 3 * sum(len(one["limits"]) for one in SPECIFICATIONS.values())
    own = limited[(limited["specification"] == "confusion-2") & (limited["split"] == 0)].iloc[0]
    part = next(part for _, part in table(3).folds())
    wrong = part.scores[part.y == 2].argmax(axis=1) == 3
    assert own["unweighted"] == pytest.approx(wrong.mean())
    assert own["found"] <= own["limit"] == 0.1
    matrices = results.curves["matrices"]
    assert len(matrices) == 5 * 3 * 16
    chosen = matrices[matrices["specification"] == "confusion-2"]
    chosen = chosen[(chosen["true"] == "veget") & (chosen["estimated"] == "grey")]
    cell = lines.loc[(SINGLE[0], "single a / true veget", "estimated grey")]
    assert chosen["rate"].mean() == pytest.approx(cell["value"])


def test_matrices_without_a_solution_are_undefined():
    never = {f"{a}->{b}": 0.0 for a in CLASSES for b in CLASSES if a != b}
    results = run(SPECIFICATIONS | {MULTI[0]: {"title": "multi 1", "limits": never}})
    nothing = lines_of(results).loc[(MULTI[0], "multi 1 / true red", "estimated red")]
    assert np.isnan(nothing["value"]) and "no split meets" in nothing["note"]


def test_changes_are_against_the_unweighted_classifier():
    lines = lines_of(run())
    before = [np.mean(part.scores[part.y == 2].argmax(axis=1) == 2) for _, part in table(3).folds()]
    row = lines.loc[(TEXT, "multi 1, xi_veget,veget before", "rounded in text")]
    assert row["value"] == pytest.approx(100 * np.mean(before))


def test_the_own_split_has_weights_that_give_its_matrices():
    results = own_split(
        scores={("x", "m"): table(1)}, specifications=SPECIFICATIONS, r=8, weights=[1e-3, 1e3]
    )
    lines = results.frame().set_index(["artefact", "row", "column"])["value"]
    phi = [lines["algorithm-1", "single a", f"phi {name}"] for name in CLASSES]
    part = table(1)
    assigned = (np.array(phi) * part.scores).argmax(axis=1)
    share = np.mean(assigned[part.y == 2] == 3)
    assert lines[f"{TEXT}-own-split", "single a / true veget", "estimated grey"] == share <= 0.1
    assert lines["algorithm-1", "single a", "weightings"] == 512


def test_unknown_classes_in_limits_are_named():
    with pytest.raises(ConfigError, match=r"'veget->blue' wants true->estimated"):
        limits_of({"veget->blue": 0.1}, CLASSES)
