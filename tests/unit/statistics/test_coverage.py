"""Intervals and bands for 95 % hold the truth in 93 to 97 % of samples of 30 and 1,000 positives.

The share of samples is itself known to some standard errors only: where few samples are drawn, a
share must lie within `ERRORS` of them of that range.
"""

from __future__ import annotations

import runpy

import numpy as np
import pytest
from scipy.special import ndtr

from checkout import ROOT
from opchar.statistics.areas import areas

BENCH = runpy.run_path(str(ROOT / "benchmarks/intervals.py"))
LOW, HIGH = 0.93, 0.97
ERRORS = 2.6
SAMPLES = 250
# Beside what is used: the plain interval is the alternative that the page on analyses shows.
UNUSED = ("AUC, plain",)


@pytest.mark.check
@pytest.mark.parametrize("positives", [30, 1000])
@pytest.mark.parametrize("shift", [0.0, 1.2])
def test_areas_and_their_differences_are_covered(positives: int, shift: float) -> None:
    means = np.array(BENCH["MEANS"])[:2] + shift
    truth = ndtr(means / np.sqrt(2))
    own, apart = [], []
    for seed in range(700):
        rng = np.random.default_rng([positives, seed])
        is_positive, scores = BENCH["drawn"](rng, positives, shift)
        found = areas(is_positive, scores[:2])
        own.append(BENCH["inside"](truth[0], [end[0] for end in found.interval()]))
        apart.append(BENCH["inside"](truth[1] - truth[0], found.difference(1, 0)[1:3]))
    assert LOW <= np.mean(own) <= HIGH
    assert LOW <= np.mean(apart) <= HIGH


def outside(share: float, samples: int) -> bool:
    """Whether a share of samples is farther from 93 to 97 % than its error explains."""
    near = min(max(share, LOW), HIGH)
    return abs(share - near) > ERRORS * np.sqrt(near * (1 - near) / samples)


def test_a_wrong_coverage_is_noticed() -> None:
    assert not outside(0.95, SAMPLES)
    assert outside(0.88, SAMPLES)
    assert outside(1.0, SAMPLES)


@pytest.mark.slow
@pytest.mark.parametrize("positives", [30, 1000])
@pytest.mark.parametrize("shift", [0.0, 1.2])
def test_costs_f_measures_bands_and_limits_are_covered(positives: int, shift: float) -> None:
    """Cross-fitted thresholds, and bands over all conditions and pairs of models at once."""
    found = BENCH["coverage"](positives, SAMPLES, shift, 0)
    used = {name: share for name, share in found.items() if name not in UNUSED}
    assert {"cost, band", "F, band", "cost differences, band, two models"} <= set(used)
    assert {name: share for name, share in used.items() if outside(share, SAMPLES)} == {}
