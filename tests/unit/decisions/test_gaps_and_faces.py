"""Thresholds see a gap between the classes, and options that contradict each other are refused."""

import numpy as np
import pytest
from scipy.special import expit, logit
from scipy.stats import norm

import opchar
from opchar.decisions.priors import mixture_misfit
from opchar.decisions.smooth_curves import check_labelled, middle
from opchar.statistics.calibration import calibration

RULES = ("auto", "search", "theory")


def excess(draw, true_costs, ratio: float, samples: int = 40) -> dict[str, float]:
    """Return the mean excess of each rule, in % of the better trivial classifier's cost."""
    found = dict.fromkeys(RULES, 0.0)
    for sample in range(samples):
        y, score = draw(np.random.default_rng(sample))
        chosen = opchar.choose_threshold(y, score, cost_fn=ratio).thresholds
        for rule in RULES:
            found[rule] += true_costs(chosen[rule], ratio) / samples
    return found


@pytest.mark.parametrize(("distance", "ratio"), [(6, 10), (7, 10), (8, 10), (8, 1)])
@pytest.mark.parametrize("mapped", [False, True])
def test_auto_is_within_a_point_of_the_better_rule_where_classes_lie_apart(
    distance: float, ratio: float, mapped: bool
) -> None:
    prior, n = 0.3, 150

    def forth(score: np.ndarray) -> np.ndarray:
        return expit(distance * (score - distance / 2)) if mapped else score

    def draw(rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
        y = (np.arange(n) < n * prior).astype(int)
        return y, forth(rng.normal(size=n) + distance * y)

    def true_costs(t: float, ratio: float) -> float:
        if mapped:
            t = float(np.clip(t, 0, 1))
            with np.errstate(divide="ignore"):
                t = distance / 2 + logit(t) / distance
        cost = prior * ratio * norm.cdf(t - distance) + (1 - prior) * norm.sf(t)
        return 100 * cost / min(prior * ratio, 1 - prior)

    found = excess(draw, true_costs, ratio)
    assert found["auto"] <= min(found["search"], found["theory"]) + 1


def test_a_wide_gap_holds_the_threshold() -> None:
    rng = np.random.default_rng(3)
    y = np.repeat([0, 1], [70, 35])
    score = np.r_[rng.uniform(0.01, 0.12, 70), rng.uniform(0.74, 0.99, 35)]
    for ratio in (1, 10, 50):
        spread = opchar.threshold_spread(y, score, cost_fn=ratio, resamples=2)
        assert score[y == 0].max() < spread.lowest <= spread.threshold
        assert spread.threshold <= spread.highest == score[y == 1].min()
        found = opchar.choose_threshold(y, score, cost_fn=ratio)
        assert 0.12 < found.threshold < 0.74


def test_a_sigmoid_of_probabilities_is_one_of_their_logits() -> None:
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 300)
    margin = rng.normal(size=300) + 2 * y
    first, second = calibration(y, margin), calibration(y, expit(margin))
    np.testing.assert_allclose(first.log_odds(margin), second.log_odds(expit(margin)), atol=1e-6)
    wanted = np.array([-1.0, 0.0, 2.0])
    np.testing.assert_allclose(logit(second.threshold(wanted)), first.threshold(wanted), atol=1e-6)


def test_probabilities_of_zero_and_one_are_near_the_next() -> None:
    share = np.array([0, 1, 2, 3]) / 3
    score = np.repeat(share, 20)
    y = np.concatenate([np.arange(20) < k for k in (1, 4, 14, 19)])
    found = calibration(y, score)
    assert found.nearest == pytest.approx(1 / 6)
    assert (np.diff(found.log_odds(share)) > 0).all()
    assert abs(found.probabilities([0.0])[0] - 0.05) < 0.05


def test_scores_between_neighbours_are_reached_by_the_higher_alone() -> None:
    low = np.array([1.0, 0.0, -1.0])
    high = np.nextafter(low, np.inf)
    assert (middle(low, high) == high).all()
    y, score = [0, 0, 1, 1], np.array([0.0, 1.0, np.nextafter(1.0, 2), 2.0])
    found = opchar.choose_threshold(y, score, rule="search").threshold
    np.testing.assert_array_equal(score >= found, np.array(y) == 1)


@pytest.mark.parametrize("function", [opchar.choose_threshold])
def test_costs_beside_f_are_an_error(function) -> None:
    y, score = [0, 1, 0, 1, 1], [0.1, 0.4, 0.5, 0.7, 0.9]
    with pytest.raises(ValueError, match="costs do not count"):
        function(y, score, criterion="f", cost_fn=20)
    with pytest.raises(ValueError, match="alpha"):
        function(y, score, alpha=0.3, cost_fn=20)
    with pytest.raises(ValueError, match="no fixed costs"):
        function(y, score, alpha=0.3, calibrate="beta")
    with pytest.raises(ValueError, match="criterion is"):
        function(y, score, criterion="g")
    with pytest.raises(ValueError, match="prior must be between"):
        function(y, score, prior=37)


def test_costs_alone_mean_the_cost() -> None:
    from sklearn.linear_model import LogisticRegression

    rng = np.random.default_rng(1)
    y = (rng.random(400) < 0.2).astype(int)
    X = rng.normal(size=(400, 2)) + y[:, None]
    plain = opchar.PriorThresholdClassifier(LogisticRegression()).fit(X, y)
    costly = opchar.PriorThresholdClassifier(LogisticRegression(), cost_fn=20).fit(X, y)
    named = opchar.PriorThresholdClassifier(LogisticRegression(), criterion="cost", cost_fn=20)
    assert costly.threshold_ == named.fit(X, y).threshold_ < plain.threshold_
    with pytest.raises(ValueError, match="costs do not count"):
        named.set_params(criterion="f").fit(X, y)


def test_the_largest_f_is_that_of_the_sample() -> None:
    rng = np.random.default_rng(2)
    y = rng.integers(0, 2, 60)
    score = rng.normal(size=60) + y
    found = opchar.choose_threshold(y, score, alpha=0.5)
    reached = score >= found.threshold
    f = 2 * (reached & (y == 1)).sum() / (reached.sum() + y.sum())
    assert f == pytest.approx(opchar.best_f(y, score))
    assert found.rule == "search" and found.to_frame()["cost"].isna().all()


def test_scores_that_are_no_mixture_widen_the_interval_of_the_prior() -> None:
    rng = np.random.default_rng(4)
    y, new = np.repeat([0, 1], [300, 100]), rng.random(500) < 0.1
    score = rng.normal(size=400) + 2 * y
    right = opchar.estimate_prior(y, score, rng.normal(size=500) + 2 * new, resamples=40)
    assert right.mixture > 0.05 and right.high - right.low < 0.2
    with pytest.warns(UserWarning, match="no mixture"):
        other = opchar.estimate_prior(y, score, 3 * rng.normal(size=500) + 2, resamples=40)
    assert (other.low, other.high) == (0.0, 1.0)
    use = 1.3 * rng.normal(size=500) + 2 * new
    with pytest.warns(UserWarning, match="no mixture"):
        doubted = opchar.estimate_prior(y, score, use, resamples=40)
    misfit, free = mixture_misfit(check_labelled(y, score), use)
    drawn = np.quantile(doubted.draws, [0.025, 0.975]) - doubted.prior
    ends = doubted.prior + (misfit / free) ** 0.5 * drawn
    np.testing.assert_allclose((doubted.low, doubted.high), np.maximum(ends, 0))
    assert set(right.to_frame()) >= {"prior", "low", "high", "mixture"}


def test_the_test_of_a_mixture_keeps_its_level() -> None:
    doubted = 0
    for sample in range(200):
        rng = np.random.default_rng(sample)
        y, new = np.repeat([0, 1], [150, 50]), rng.random(200) < 0.3
        data = check_labelled(y, rng.gamma(1 + 2 * y))
        chi, free = mixture_misfit(data, rng.gamma(1 + 2 * new))
        doubted += chi > [0, 3.84, 5.99, 7.81, 9.49, 11.07, 12.59, 14.07, 15.51][free]
    assert doubted <= 22  # 99.9 % of a binomial of 200 and 0.05


def test_a_mixture_needs_three_ranges_of_scores() -> None:
    data = check_labelled([0, 1, 0, 1], [0.0, 1.0, 0.0, 1.0])
    assert mixture_misfit(data, np.array([0.0, 1.0])) == (0.0, 0)


def test_the_rule_for_objects_applies_to_new_rows() -> None:
    rng = np.random.default_rng(5)
    y = rng.integers(0, 2, 300)
    score = rng.normal(size=300) + 2 * y
    rule = opchar.object_rule(y, score, prior=0.1)
    new, miss = rng.normal(size=50), rng.exponential(50, 50)
    said = rule.accept(new, cost_fn=miss, cost_fp=5.0)
    np.testing.assert_array_equal(said, new >= rule.thresholds(cost_fn=miss, cost_fp=5.0))
    slope, constant = rule.calibration.coefficients
    odds = slope * new + constant + logit(0.1) - logit(rule.calibration.prior)
    np.testing.assert_allclose(rule.probabilities(new), expit(odds))
    with pytest.raises(ValueError, match="excluded"):
        opchar.object_rule(y, score, prior=0.0)


def test_equal_scores_of_a_class_are_no_proof_that_the_next_is_equal() -> None:
    y = np.repeat([0, 1], 25)
    by_ratio = [
        opchar.choose_threshold(y, y.astype(float), cost_fn=ratio).threshold
        for ratio in (1 / 50, 1, 50)
    ]
    # Voters of nearest neighbours agree on all objects: the middle, and nearer to the cheap error.
    assert by_ratio[1] == pytest.approx(0.5)
    assert by_ratio[0] > 0.6 and by_ratio[2] < 0.4
    # Equal positives above spread negatives: not the positives' own score, which all would miss.
    score = np.where(y == 1, 5.0, np.linspace(-1, 1, 50))
    assert opchar.choose_threshold(y, score, cost_fn=10).threshold < 4


@pytest.mark.parametrize("voters", [3, 5, 9])
def test_shares_of_voters_that_separate_a_sample_cost_no_more_than_the_search(voters: int) -> None:
    rng = np.random.default_rng(voters)
    y = np.repeat([0, 1], [50, 25])
    many = np.repeat([0, 1], [4000, 2000])
    chance = np.where(many == 1, 0.995, 0.005)
    others = rng.binomial(voters, chance) / voters
    excess: dict[str, list[float]] = {"auto": [], "search": []}
    for _ in range(40):
        score = rng.binomial(voters, np.where(y == 1, 0.995, 0.005)) / voters
        for rule, costs in excess.items():
            at = opchar.choose_threshold(y, score, cost_fn=50, rule=rule).threshold  # type: ignore[arg-type]
            said = others >= at
            costs.append(50 * (~said[many == 1]).sum() + said[many == 0].sum())
    more = np.mean(excess["auto"]) - np.mean(excess["search"])
    assert more <= 0.05 * 4000  # a twentieth of what accepting all costs
