"""Secs. 3.2.4 and 3.2.5: specifications on the satellite data, and the loss with weights in it."""

import numpy as np
import pytest

from opchar.errors import ConfigError
from opchar.experiments.landgrebe2007.neyman_pearson import (
    MULTI,
    SINGLE,
    TEXT,
    limits_of,
    own_split,
    random_splits,
)
from opchar.experiments.landgrebe2007.system_loss import losses, system_loss
from opchar.multiclass.gaussians import confusion_rates, weight_grid
from opchar.multiclass.hypersurface import weighted_scores
from opchar.multiclass.neyman_pearson import neyman_pearson
from opchar.scores import ScoreTable

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
    settings = {"r": 8, "weights": [1e-3, 1e3], "unusual": 0.05} | options
    results = random_splits(
        scores={("x", "m"): table(3)}, specifications=specifications, **settings
    )
    return results.frame().set_index(["artefact", "row", "column"])


def test_matrices_are_means_over_the_splits_that_meet_the_limits():
    lines = run()
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
    lines = run().loc[TEXT]["value"]
    for specification in SPECIFICATIONS.values():
        title = specification["title"]
        if lines[title, "splits that meet it"]:
            rough = lines[title, "sum of the other errors"]
            assert lines[title, "sum of the other errors, refined"] <= rough + 1e-12


def test_statements_follow_what_can_be_met():
    lines = run()
    third = "specification 3 (veget->red 5, cotton->veget 10, veget->grey 5%)"
    possible = lines.loc[(TEXT, "multi 3", "splits that meet it"), "value"]
    told = lines.loc[(TEXT, third, "")]
    assert told["value"] == float(possible < 3)
    easy = SPECIFICATIONS | {"third": {"title": "multi 3", "limits": {"veget->red": 1.0}}}
    assert run(easy).loc[(TEXT, third, ""), "value"] == 0
    hard = SPECIFICATIONS | {
        MULTI[0]: {
            "title": "multi 1",
            "limits": {f"{a}->{b}": 0.0 for a in CLASSES for b in CLASSES if a != b},
        }
    }
    lines = run(hard)
    assert lines.loc[(TEXT, third, ""), "value"] == 0
    assert lines.loc[(TEXT, "multi 2 vs multi 1", ""), "value"] == 0
    nothing = lines.loc[(MULTI[0], "multi 1 / true red", "estimated red")]
    assert np.isnan(nothing["value"]) and "no split meets" in nothing["note"]


def test_changes_are_against_the_unweighted_classifier():
    lines = run()
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


MEANS = [-6.0, -3.0, 0.0, 6.0, 9.0]


def test_losses_stand_beside_the_printed_ones():
    lines = system_loss(
        means=MEANS,
        weightings=[[1.0] * 5, [10.0] * 5],
        r=5,
        weights=[1e-3, 1e3],
        two_means=[0.0, 2.0],
        phis=[0.5, 0.9],
    ).frame()
    values = lines.set_index(["row", "column"])["value"]
    assert values["Phi = [1, 1, 1, 1, 1]", "loss"] == pytest.approx(0.080709, abs=1e-6)
    assert values["two classes, phi = 0.5", "xi_{1,2}"] == pytest.approx(0.158655, abs=1e-6)
    printed = values["two classes, phi = 0.9", "xi_{2,1} as printed"]
    assert printed == pytest.approx(0.45 * values["two classes, phi = 0.9", "xi_{2,1}"])


def test_erratum_the_weights_in_the_loss_move_its_minimum():
    """Eq. 3.7: as printed, factors common to all weights change the loss but no decision."""
    equal, ten = np.ones((1, 5)), np.full((1, 5), 10.0)
    rates = confusion_rates(MEANS, 1.0, np.vstack([equal, ten]))
    assert rates[0] == pytest.approx(rates[1])
    assert losses(rates[1:], ten) == pytest.approx(10 * losses(rates[:1], equal))
    grid = weight_grid(5, 7)
    every = confusion_rates(MEANS, 1.0, grid)
    as_printed = losses(every)[losses(every, grid).argmin()]
    assert as_printed > 2 * losses(every).min()


def test_erratum_both_rates_cannot_carry_the_weight_of_the_first_class():
    """Eq. 3.8: as printed both rates vanish as phi does, though one class is all missed."""
    phi = 1e-6
    rates = confusion_rates([0.0, 2.0], 1.0, [[phi, 1 - phi]])[0]
    assert rates[0, 1] > 0.99
    assert max(phi * rates[0, 1] / 2, phi * rates[1, 0] / 2) < 1e-6
