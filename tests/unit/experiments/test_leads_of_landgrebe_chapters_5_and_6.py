"""What was suspected of chapters 5 and 6 of the thesis: rejection and two-stage systems."""

from ast import literal_eval
from fractions import Fraction
from itertools import permutations

import numpy as np
import pytest
from scipy.stats import chi2

from leads import decide, number, numbers, printed_table
from opchar.models.classifiers.gaussian import ldc
from opchar.models.classifiers.one_class import gauss
from opchar.reject.analytic import Gaussian, Uniform, reject_rates
from opchar.reject.outliers import gaussian_outliers
from opchar.reject.sequential import SequentialOneClassMultiClass

TARGET, OUTLIER, UNSEEN = Gaussian(0.0), Gaussian(2.5), Uniform(-6.0, 9.0)
FIRST, SECOND = Gaussian(-1.5, 1.5), Gaussian(1.5, 1.5)
STEP = 0.004
X = np.arange(-10, 10, STEP) + STEP / 2
TARGETS = np.stack([FIRST.pdf(X), SECOND.pdf(X)])
DENSITY = 0.05


def test_t27_what_falls_below_the_threshold_is_rejected():
    t_d = 0.15
    reach = np.sqrt(-2 * np.log(t_d * np.sqrt(2 * np.pi)))
    inside = float(TARGET.cdf(np.array(reach)) - TARGET.cdf(np.array(-reach)))
    at_the_edge, beyond = TARGET.pdf(np.array([reach, reach + 1]))
    assert at_the_edge == pytest.approx(t_d)
    assert beyond < t_d
    decide(
        "T27", "inconsistent", f"|x| <= {number(reach)}, {inside:.1%}", f"beyond, {1 - inside:.1%}"
    )


def test_t28_the_second_stage_has_the_subset():
    rng = np.random.default_rng(0)
    x = np.concatenate([rng.normal(0, 1, (100, 2)), rng.normal(2.5, 1, (100, 2))])
    y = np.repeat(["target", "outlier"], 100)
    system = SequentialOneClassMultiClass(gauss(), ldc(), outlier="outlier").fit(x, y)
    accepted = int(system.accepts(x).sum())
    on_all = ldc().fit(x, y).predict_proba(x)
    kept = system.accepts(x)
    on_subset = ldc().fit(x[kept], y[kept]).predict_proba(x)
    assert system.classifier_.predict_proba(x) == pytest.approx(on_subset)
    assert np.abs(on_subset - on_all).max() > 0.01
    decide("T28", "inconsistent", f"accepts, {accepted} of {len(x)}")


def test_t29_the_example_has_two_numbers_of_components():
    def parameters(components, features=2):
        return components * (1 + features + features * (features + 1) // 2) - 1

    captions, text = 15, 6
    assert parameters(captions) != parameters(text)
    decide(
        "T29",
        "inconsistent",
        f"D2 has {captions}",
        f"5.4, {parameters(captions)}",
        f"plane, and {text}",
        f"5.2.4, {parameters(text)}",
    )


def test_t30_enlarged_gaussians_are_not_uniform():
    rng = np.random.default_rng(0)
    targets = rng.normal(size=(500, 2))
    drawn = gaussian_outliers(targets, 20_000, rng)
    squared = np.sum((drawn - targets.mean(axis=0)) ** 2, axis=1)
    edge = 1.5 * chi2.ppf(0.95, 2)
    exact = chi2.cdf(edge / 2 / 1.5, 2) / 0.95
    within = squared < edge
    assert (squared[within] < edge / 2).mean() == pytest.approx(exact, abs=0.02)
    assert exact > 0.7
    decide("T30", "inconsistent", f"covariance has {exact:.1%}")


def test_t31_priors_keep_the_rates_from_one():
    accept_all = reject_rates(TARGET, OUTLIER, UNSEEN, [-100.0], [0.0])
    rates = [float(r[0, 0]) for r in (accept_all.tpr, accept_all.fpr_outlier)]
    as_printed = [rate / 3 for rate in rates]
    assert rates == pytest.approx([1, 1])
    decide(
        "T31",
        "error",
        f"FP_r^o are {numbers(rates)}",
        f"5.12 {numbers(as_printed)}",
        f"FP_r^o is {number(rates[1])}",
    )


def test_t32_the_difference_loses_true_positives():
    outlier = Gaussian(1.5, 2.5)
    ratio = reject_rates(TARGET, outlier, UNSEEN, np.linspace(-60, 60, 4001), [0.0])
    order = np.argsort(ratio.fpr_outlier[0])
    by_difference = reject_rates(
        TARGET, outlier, UNSEEN, np.linspace(-0.19, 0.19, 191), [0.0], rule="difference"
    )
    best = np.interp(by_difference.fpr_outlier[0], ratio.fpr_outlier[0][order], ratio.tpr[0][order])
    loss = best - by_difference.tpr[0]
    worst = loss.argmax()
    assert loss.min() > -1e-3
    assert loss.max() > 0.02
    decide(
        "T32",
        "error",
        f"FP_r^o = {number(by_difference.fpr_outlier[0, worst], 2)}",
        f"TP_r = {number(by_difference.tpr[0, worst], 3)}",
        f"ratio {number(best[worst], 3)}",
    )


def test_t33_thresholds_are_no_costs():
    costs = {"t": 1.0, "o": 1.0, "r": 5.0}
    rates = reject_rates(TARGET, OUTLIER, UNSEEN, [0.0], [0.0, 0.05])
    share = 1 / 3
    tpr, known, unseen = (r[:, 0] for r in (rates.tpr, rates.fpr_outlier, rates.fpr_reject))
    loss = share * (costs["t"] * (1 - tpr) + costs["o"] * known + costs["r"] * unseen)
    of_targets, of_unseen = 0 * share * (1 - tpr), rates.distances * share * unseen
    assert loss[1] < loss[0]
    assert unseen[1] < unseen[0]
    decide(
        "T33",
        "error",
        f"from {number(unseen[0], 3)} to {number(unseen[1], 3)}",
        f"from {number(loss[0], 3)} to {number(loss[1], 3)}",
        f"from {number(of_unseen[0])} to {number(of_unseen[1], 2)}",
        f"count {numbers(of_targets)}",
    )


def two_stage(theta_c, theta_d, rule):
    """eps_I, eps_II and FP_r^o of Eq. 6.8, with class 1 where it is the likelier one."""
    score = np.log(TARGETS[0] / TARGETS[1]) if rule == "ratio" else (TARGETS[0] - TARGETS[1]) / 3
    first = (score > theta_c) & (TARGETS[0] > theta_d)
    second = (score <= theta_c) & (TARGETS[1] > theta_d)
    areas = TARGETS[0][first].sum(), TARGETS[1][second].sum(), DENSITY * (first | second).sum()
    missed_first, missed_second, accepted = (STEP * area for area in areas)
    return 1 - missed_first, 1 - missed_second, accepted


def loss(theta_c, theta_d, rule="ratio"):
    first, second, outlier = two_stage(theta_c, theta_d, rule)
    return 2 * first + 3 * second + 10 * outlier


def test_t34_the_indicators_point_to_the_other_class():
    difference = (TARGETS[0] - TARGETS[1]) / 3
    as_printed = 1 - STEP * TARGETS[0][difference < 0].sum()
    reversed_ = 1 - STEP * TARGETS[0][difference >= 0].sum()
    bayes = float(FIRST.cdf(np.array(-0.0)))
    assert reversed_ == pytest.approx(1 - bayes, abs=1e-3)
    assert as_printed > 0.8
    decide("T34", "error", f"eps_I is {number(as_printed)}", f"chance, and {number(reversed_)}")


def test_t35_the_two_forms_of_the_loss_differ():
    share, rates = Fraction(1, 3), (Fraction(1, 4), Fraction(1, 4))
    first, second = Fraction(2), Fraction(3)
    together = (first + second) * sum(share * rate for rate in rates)
    apart = first * share * rates[0] + second * share * rates[1]
    equal_costs = 5 * share * rates[0] + 5 * share * rates[1]
    assert together == 2 * apart == equal_costs
    decide("T35", "error", f"FN_r = {number(together)}", f"the sum {number(apart)}")


def test_t61_digits_are_targets_and_outliers_at_once():
    target, known, unseen = {2, 6}, {4, 5, 6, 8}, {1, 2, 9}
    both, later = target & known, target & unseen
    missing = set(range(10)) - target - known - unseen
    assert both and later
    decide(
        "T61",
        "inconsistent",
        f"digit {both.pop()}",
        f"digit {later.pop()}",
        f"class; {', '.join(map(str, sorted(missing)))}",
    )


def test_t62_the_gain_has_the_other_sign():
    errors = printed_table("landgrebe2007", "table-5.2")
    as_printed = 100 * (errors["eps_rej"] - errors["eps_norej"])
    gains = printed_table("landgrebe2007", "table-5.3")["Percentage gain"]
    assert as_printed.max() < 0
    decide(
        "T62",
        "error",
        f"eps_norej) is {numbers(as_printed)}",
        f"improvement, and {int((gains > 0).sum())} of {len(gains)}",
    )


def test_t64_the_holistic_loss_is_reached():
    """Independent design: the detector by merged targets at 5 and 10, the classifier by 2 and 3."""
    thetas, distances = np.linspace(-1, 3, 41), np.linspace(0, 0.33, 67)
    holistic = min(loss(c, d) for c in thetas for d in distances)
    by_difference = min(
        loss(c, d, "difference") for c in np.linspace(-0.1, 0.1, 81) for d in distances
    )
    merged = TARGETS.mean(axis=0)
    accepted = {
        "of each class": lambda d: (d < TARGETS).any(axis=0),
        "of their mixture": lambda d: merged > d,
    }
    alone = {}
    for name, accepts in accepted.items():
        areas = [accepts(d) for d in distances]
        costs = [5 * (1 - STEP * merged[a].sum()) + 10 * STEP * DENSITY * a.sum() for a in areas]
        alone[name] = loss(np.log(3 / 2), distances[int(np.argmin(costs))])
    assert round(holistic, 2) == 4.02
    assert min(alone.values()) > holistic
    decide(
        "T64",
        "correct",
        f"the least loss is {number(holistic)} with theta_c on the ratio of the densities "
        f"({number(by_difference)} on their difference, as Eq. 6.7 prints it); detectors optimised "
        "alone by the density "
        + " and ".join(f"{name} give {number(value, 3)}" for name, value in alone.items())
        + ", printed 4.18: what the detector thresholds is not said",
    )


def test_holistic_losses_of_mfeat_contradict_each_other():
    """L is linear in the costs, and its least value over all thresholds grows with each of them."""
    table = printed_table("landgrebe2007", "table-6.1").dropna(subset="Cost 1 [1, 1, 1, 3]")
    costs = {
        name: np.array(literal_eval(name.split(" ", 2)[2])) for name in table if "1, 1" in name
    }
    balanced, first, second, outlier = sorted(
        (name for name in costs if len(costs[name]) == 4), key=lambda name: int(name[5])
    )
    for favoured in (first, second):
        assert (costs[favoured] >= costs[balanced]).all()
        largest = (costs[outlier] / costs[favoured]).max()
        assert largest == pytest.approx(1.2)
        holistic = table[table.index.str.endswith(" H")]
        assert len(holistic) == 3
        assert (holistic[favoured] < holistic[balanced]).all()
        assert (holistic[outlier] > largest * holistic[favoured]).all()
        independent = table[table.index.str.endswith(" I")][favoured].to_numpy()
        assert (independent < holistic[balanced].to_numpy()).all()


def test_costs_in_tenths_leave_no_contradiction_in_mfeat():
    """As printed 12 of 36 pairs of holistic losses contradict each other; in tenths none does."""
    table = printed_table("landgrebe2007", "table-6.1").dropna(subset="Cost 1 [1, 1, 1, 3]")
    holistic = table[table.index.str.endswith(" H")]
    columns = [name for name in table if name.startswith("Cost") and name.count(",") == 3]
    costs = {name: np.array(literal_eval(name.split(" ", 2)[2]), float) for name in columns}
    assert len(columns) == 4

    def contradictions(unit):
        scaled = {
            name: each * (unit if each[:-1].sum() == 10 else 1.0) for name, each in costs.items()
        }
        count = 0
        for one, other in permutations(columns, 2):
            most = (scaled[one] / scaled[other]).max()
            count += (holistic[one] > most * holistic[other] + 0.0005 * (1 + most)).sum()
        return count

    assert contradictions(1.0) == 12
    assert contradictions(0.1) == 0


def test_t65_larger_costs_have_smaller_losses():
    """L is linear in the costs: with all costs at least k times as large L is at least k times."""
    table = printed_table("landgrebe2007", "table-6.1")
    banana = table.dropna(subset="Cost 1 [5, 5, 10]")
    large, small = banana["Cost 1 [5, 5, 10]"], banana["Cost 4 [1, 1, 4]"]
    costs = np.array([5, 5, 10]), np.array([1, 1, 4])
    factor = (costs[0] / costs[1]).min()
    normalised = (costs[0] / 20 / (costs[1] / 6)).min()
    digits = table.dropna(subset="Cost 1 [1, 1, 1, 3]")
    assert (large < factor * small).all()
    assert (large < normalised * small).all()
    below = digits["Cost 2 [8, 1, 1, 10]"] < digits["Cost 1 [1, 1, 1, 3]"]
    assert below.all()
    decide(
        "T65",
        "error",
        f"least {number(factor)}",
        f"4], and {number(normalised)}",
        f"it is {number((large / small).min(), 2)} to {number((large / small).max(), 2)}",
        f"in all {len(banana)}",
        f"in all {int(below.sum())}",
    )
