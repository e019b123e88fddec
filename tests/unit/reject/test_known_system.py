"""The analytic example of a two-stage system (landgrebe2007, Sec. 6.2.2)."""

from functools import cache

import numpy as np
import pytest
from scipy.optimize import differential_evolution
from scipy.special import ndtr
from scipy.stats import norm

from opchar.reject.analytic import Gaussian, Uniform
from opchar.reject.two_stage.known_system import KnownSystem, published_example

SPREAD = np.sqrt(1.5)


@cache
def example():
    return published_example()


@cache
def alone():
    return example().independent()


def closed_form(cut, reach):
    """Class 1 left of the cut within its reach of -1.5, class 2 right of it within that of 1.5."""
    left = -1.5 - reach, min(cut, -1.5 + reach)
    right = max(cut, 1.5 - reach), 1.5 + reach
    found = ndtr((np.array(left) + 1.5) / SPREAD), ndtr((np.array(right) - 1.5) / SPREAD)
    first, second = (max(high - low, 0) for low, high in found)
    length = max(left[1] - left[0], 0) + max(right[1] - right[0], 0)
    return 2 * (1 - first) + 3 * (1 - second) + 0.5 * length


def test_the_holistic_loss_to_six_digits_against_its_closed_form():
    found = differential_evolution(
        lambda p: closed_form(*p), [(-3, 3), (0.1, 4)], seed=0, tol=1e-14, popsize=30
    )
    best = example().holistic()
    assert best.loss == pytest.approx(found.fun, abs=1e-9)
    assert f"{best.loss:.6f}" == "4.016265"
    cut = -best.theta_c * 1.5 / 3
    reach = SPREAD * np.sqrt(-2 * np.log(best.theta_d * SPREAD * np.sqrt(2 * np.pi)))
    assert closed_form(cut, reach) == pytest.approx(best.loss, abs=1e-12)
    assert best.loss == pytest.approx(np.dot([2, 3, 10], best.errors))


def test_stages_alone_have_their_closed_forms():
    assert example().classifier_alone() == pytest.approx(np.log(1.5))
    assert example().detector_alone("merged", 5, 10) == pytest.approx(0.1, abs=1e-6)
    level = example().detector_at_equal_errors("merged")
    x = np.linspace(-9, 9, 200_001)
    merged = (norm(-1.5, SPREAD).pdf(x) + norm(1.5, SPREAD).pdf(x)) / 2
    accepted, step = merged > level, x[1] - x[0]
    assert 1 - merged[accepted].sum() * step == pytest.approx(accepted.sum() * step / 20, abs=1e-3)


def test_every_criterion_of_the_independent_design_is_listed_with_its_loss():
    designs = alone()
    assert len(designs) == 2 * 6 * 2 * 2
    least = {name: example().holistic(name).loss for name in ("assigned", "either", "merged")}
    for name, design in designs.items():
        density, _, _, system = name.split("; ")
        assert design.loss == pytest.approx(np.dot([2, 3, 10], design.errors))
        assert design.loss >= least["assigned" if system == "by class" else density] - 1e-9


def test_the_named_criteria_do_what_they_say():
    designs = alone()
    assert designs["merged; costs; costs; by stage"].theta_d == pytest.approx(0.1, abs=1e-6)
    assert designs["merged; costs and class priors; costs; by stage"].theta_d == pytest.approx(0.05)
    assert designs["either; costs; error; by stage"].theta_c == 0
    dear = designs["either; mean cost; costs; by stage"]
    assert dear.errors == pytest.approx((1, 1, 0), abs=1e-3)


def test_rates_equal_a_fine_sum():
    system = KnownSystem(Gaussian(-1, 1), Gaussian(1, 2), Uniform(-9, 9), (1, 1, 1), "difference")
    x = np.linspace(-12, 12, 600_001)
    step = x[1] - x[0]
    first, second = norm(-1, 1).pdf(x), norm(1, np.sqrt(2)).pdf(x)
    called = (first - second) / 3 > 0.02
    for acceptance, density in (
        ("assigned", np.where(called, first, second)),
        ("either", np.maximum(first, second)),
        ("merged", (first + second) / 2),
    ):
        passes = density > 0.07
        expected = (
            1 - step * first[passes & called].sum(),
            1 - step * second[passes & ~called].sum(),
            step * (np.abs(x[passes]) < 9).sum() / 18,
        )
        found = system.rates([0.07], [0.02], acceptance)[:, 0, 0]
        assert found == pytest.approx(expected, abs=1e-4)


def test_differences_over_costs_are_those_of_the_designs():
    system = example()
    found = system.loss_differences([1.0, 3.0], [0.0, 10.0])
    assert found.shape == (2, 2)
    assert (found >= 0).all()
    assert found[:, 0] == pytest.approx(0, abs=1e-9)
    design = alone()["merged; costs; costs; by class"]
    assert found[1, 1] == pytest.approx(design.loss - system.holistic().loss, abs=5e-3)


def test_nonsense_is_refused():
    classes = Gaussian(0), Gaussian(1), Uniform(-5, 5)
    with pytest.raises(ValueError, match="three positive costs"):
        KnownSystem(*classes, (1, 0, 1))
    with pytest.raises(ValueError, match="unknown rule"):
        KnownSystem(*classes, (1, 1, 1), "sum")
    with pytest.raises(ValueError, match="must not be negative"):
        example().rates([-0.1], [0])
    with pytest.raises(ValueError, match="costs must not be negative"):
        example().loss_differences([-1.0], [1.0])
    with pytest.raises(ValueError, match="unknown acceptance"):
        example().rates([0.1], [0], "both")


def test_levels_reject_their_share_of_the_targets():
    shares = np.array([0.0, 0.1, 0.5, 0.9])
    levels = example().levels_rejecting(shares, "merged")
    assert levels[0] == 0
    x = np.linspace(-12, 12, 400_001)
    merged = (norm(-1.5, SPREAD).pdf(x) + norm(1.5, SPREAD).pdf(x)) / 2
    rejected = [merged[merged <= level].sum() * (x[1] - x[0]) for level in levels]
    assert rejected == pytest.approx(shares, abs=1e-3)
    with pytest.raises(ValueError, match="below 1"):
        example().levels_rejecting([1.0], "merged")


def test_designs_on_few_levels_are_the_best_of_these():
    shares = np.arange(5) / 5
    levels = example().levels_rejecting(shares, "merged")
    design = example().independent(shares)["merged; costs; costs; by stage"]
    x = np.linspace(-12, 12, 400_001)
    merged = (norm(-1.5, SPREAD).pdf(x) + norm(1.5, SPREAD).pdf(x)) / 2
    step = x[1] - x[0]
    inside = np.abs(x) <= 10
    detection = [
        5 * (1 - merged[merged > level].sum() * step)
        + 0.5 * (inside & (merged > level)).sum() * step
        for level in levels
    ]
    assert design.theta_d == levels[int(np.argmin(detection))]
    best = example().holistic(levels=levels)
    cuts = np.linspace(*example().score_range(), 4001)
    assert best.loss == pytest.approx(example().loss(levels, cuts).min(), abs=1e-5)
    assert best.loss >= example().holistic().loss
