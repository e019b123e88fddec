"""What chapters 4 and 5 of the thesis say of known classes, held to measurements both ways."""

import numpy as np
import pytest

from measuring import entries, find, measure
from opchar_reproduction.statements import controls

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


def of(identifier, measured):
    entry = STATEMENTS[f"{PAPER}:{identifier}"]
    return entry, measured[entry["reads"][0]]


def test_a_heavier_second_class_has_the_opposite_effect(tmp_path):
    run = measure(
        PAPER, "landgrebe2007/costs-operating-points", tmp_path, phi=[1.0, 3.0, 1.0, 1.0], r=3
    )
    assert not find(STATEMENTS[f"{PAPER}:0317"], run)


def test_near_pairs_are_no_separate_groups(tmp_path):
    run = measure(
        PAPER, "landgrebe2007/costs-separate-pairs", tmp_path, means=[-3.0, -1.0, 1.0, 3.0]
    )
    assert not find(STATEMENTS[f"{PAPER}:0620"], run)


def test_a_weight_that_acts_on_another_pair_is_found(tmp_path):
    run = measure(
        PAPER, "landgrebe2007/costs-separate-pairs", tmp_path, means=[-8.0, 5.0, -5.0, 8.0]
    )
    assert not find(STATEMENTS[f"{PAPER}:0621"], run)


def test_a_third_class_as_near_as_the_second_interacts_as_much(tmp_path):
    run = measure(
        PAPER,
        "landgrebe2007/costs-approximate-decomposition",
        tmp_path,
        means=[-3.0, 0.0, 3.0],
        moving=[3.0],
    )
    assert not find(STATEMENTS[f"{PAPER}:0625"], run)


def test_losses_that_do_not_depend_on_the_overlap_fail(measured):
    entry, found = of("0626", measured)
    assert not find(entry, controls.flatten(found, frame="relative loss", column="relative loss"))


def test_losses_are_resampled_over_cost_matrices(measured):
    entry, found = of("0626", measured)
    drawn = found.resample(entry["units"], np.random.default_rng(1))
    before, after = found.frame("relative loss"), drawn.frame("relative loss")
    assert len(before) == len(after)
    assert set(after["relative loss"]) < set(before["relative loss"])
    assert find(entry, drawn)


def test_a_volume_that_stays_off_fails(measured):
    entry, found = of("0627", measured)
    off = found.with_frame("vus", lambda table: table.assign(resampled=table["resampled"] + 0.03))
    assert not find(entry, off)


def test_classes_that_all_overlap_form_one_group(tmp_path):
    run = measure(PAPER, "landgrebe2007/costs-perturbation", tmp_path, means=[-2.0, 0.0, -1.0, 1.0])
    for number in ("0660", "0661", "0662", "1072"):
        assert not find(STATEMENTS[f"{PAPER}:{number}"], run)


def test_without_room_outside_the_classes_a_loose_threshold_gains_little(tmp_path):
    run = measure(PAPER, "landgrebe2007/reject-known-densities", tmp_path, unseen=[-2.0, 4.0])
    assert not find(STATEMENTS[f"{PAPER}:0961"], run)


def test_a_region_outside_the_rejection_boundary_is_found(measured):
    entry, found = of("1078", measured)
    assert not find(
        entry, found.with_frame("regions", lambda table: table.assign(**{"least density": 0.1}))
    )
