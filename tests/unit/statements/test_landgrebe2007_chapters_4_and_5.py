"""What chapters 4 and 5 of the thesis say of known classes, held to measurements both ways."""

import numpy as np
import pytest

from measuring import entries, find, measure

PAPER = "landgrebe2007"
STATEMENTS = entries("statements", PAPER)


@pytest.fixture(scope="module")
def measured(tmp_path_factory):
    """Twenty weights, as in the profile ``tiny``, are too few for the lowest loss."""
    finer = {"landgrebe2007/costs-approximate-decomposition": {"r": 40}}
    read = {STATEMENTS[f"{PAPER}:{number}"]["reads"][0] for number in ("0626", "0627", "1078")}
    return {
        name: measure(PAPER, name, tmp_path_factory.mktemp("run"), **finer.get(name, {}))
        for name in sorted(read)
    }


# What a study measures of other examples, for which the claims fail.
OTHER = {
    "a heavier second class": (
        "costs-operating-points",
        {"phi": [1.0, 3.0, 1.0, 1.0], "r": 3},
        ["0317"],
    ),
    "near pairs": ("costs-separate-pairs", {"means": [-3.0, -1.0, 1.0, 3.0]}, ["0620"]),
    "a weight that acts on another pair": (
        "costs-separate-pairs",
        {"means": [-8.0, 5.0, -5.0, 8.0]},
        ["0621"],
    ),
    "a third class as near as the second": (
        "costs-approximate-decomposition",
        {"means": [-3.0, 0.0, 3.0], "moving": [3.0]},
        ["0625"],
    ),
    "classes that all overlap": (
        "costs-perturbation",
        {"means": [-2.0, 0.0, -1.0, 1.0]},
        ["0660", "0661", "0662", "1072"],
    ),
    "no room outside the classes": (
        "reject-known-densities",
        {"unseen": [-2.0, 4.0]},
        ["0961"],
    ),
}


@pytest.mark.parametrize("example", OTHER)
def test_a_claim_fails_of_another_example(example, tmp_path):
    study, changes, numbers = OTHER[example]
    run = measure(PAPER, f"{PAPER}/{study}", tmp_path, **changes)
    for number in numbers:
        assert not find(STATEMENTS[f"{PAPER}:{number}"], run)


# Frames in which the effect is gone.
WITHOUT_EFFECT = {
    "0626": ("relative loss", lambda table: table.assign(**{"relative loss": 0.1})),
    "0627": ("vus", lambda table: table.assign(resampled=table["resampled"] + 0.03)),
    "1078": ("regions", lambda table: table.assign(**{"least density": 0.1})),
}


@pytest.mark.parametrize("number", WITHOUT_EFFECT)
def test_a_claim_fails_without_its_effect(number, measured):
    entry = STATEMENTS[f"{PAPER}:{number}"]
    assert not find(entry, measured[entry["reads"][0]].with_frame(*WITHOUT_EFFECT[number]))


def test_losses_are_resampled_over_cost_matrices(measured):
    entry = STATEMENTS[f"{PAPER}:0626"]
    found = measured[entry["reads"][0]]
    drawn = found.resample(entry["units"], np.random.default_rng(1))
    before, after = found.frame("relative loss"), drawn.frame("relative loss")
    assert len(before) == len(after)
    assert set(after["relative loss"]) < set(before["relative loss"])
    assert find(entry, drawn)
