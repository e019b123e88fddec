"""What a validation sample chooses from a pool, way by way."""

import numpy as np
import pytest

from opchar.combination.functions import NAMES, decide
from opchar.combination.likelihood_ratio import ratio_rules
from opchar.combination.pools import chosen_rules, selections, with_mean
from opchar.combination.samples import gaussian_scores
from opchar.combination.selection import apply_rules, f_of_rules
from opchar.spaces.f_measure import f_measure

PRIORS = np.arange(1, 20) / 20


def sample(seed: int, positives: int = 8, negatives: int = 40, members: int = 3):
    rng = np.random.default_rng(seed)
    labels = np.arange(positives + negatives) < positives
    scores = {f"m{e}": rng.normal(size=len(labels)) + labels for e in range(members)}
    return scores, labels


@pytest.mark.parametrize("seed", range(5))
def test_the_likelihood_ratio_beats_every_function_of_the_same_two_decisions(seed: int) -> None:
    scores, labels = sample(seed, members=2)
    for prior, rule in zip(PRIORS.tolist(), ratio_rules(scores, labels, PRIORS, 0.5), strict=True):
        tpr, fpr = apply_rules([rule], scores, labels)
        f = f_measure(tpr, fpr, prior, 0.5)[0]
        a, b = (member.decide(scores) for member in rule.detectors())
        made = [a, b, *(decide(name, a, b) for name in NAMES)]
        every = [f_measure(d[labels].mean(), d[~labels].mean(), prior, 0.5) for d in made]
        assert f >= max(every) - 1e-12


def test_ratio_rules_can_be_read_and_take_unseen_outcomes() -> None:
    scores, labels = sample(0)
    (rule,) = ratio_rules(scores, labels, np.array([0.3]), 0.5)
    assert f"{rule:.2f}".startswith("LR(m0 >= ")
    new = {name: np.array([-9.0, 9.0]) for name in scores}
    assert rule.decide(new).tolist() == [False, True]


def test_every_way_chooses_a_rule_for_each_prior_and_f_is_that_of_its_decisions() -> None:
    scores, labels = sample(6)
    rules = chosen_rules(selections(scores, labels), scores, labels, PRIORS, 0.5)
    averaged = with_mean(scores)
    assert list(rules) == [
        "score average",
        "single member",
        "pairwise",
        "iterative",
        "likelihood ratio",
    ]
    for chosen in rules.values():
        f = f_of_rules(chosen, (averaged, labels), PRIORS, 0.5)
        for prior, rule, value in zip(PRIORS, chosen, f, strict=True):
            decided = rule.decide(averaged)
            expected = f_measure(decided[labels].mean(), decided[~labels].mean(), prior, 0.5)
            assert value == pytest.approx(float(expected))


def test_gaussian_scores_have_the_shifts_and_correlations_asked_for() -> None:
    scores, labels = gaussian_scores(
        np.random.default_rng(0),
        positives=40_000,
        negatives=40_000,
        shifts=[1.5, 0.5],
        correlation=0.3,
    )
    for name, shift in (("C1", 1.5), ("C2", 0.5)):
        assert scores[name][labels].mean() == pytest.approx(shift, abs=0.03)
        assert scores[name][~labels].mean() == pytest.approx(0, abs=0.03)
        assert scores[name][labels].std() == pytest.approx(1, abs=0.02)
    for members in (labels, ~labels):
        found = np.corrcoef(scores["C1"][members], scores["C2"][members])[0, 1]
        assert found == pytest.approx(0.3, abs=0.02)


def test_the_last_of_equally_good_rules_has_the_rates_of_the_first() -> None:
    scores, labels = sample(3)
    first, last = (
        selections(scores, labels, last=reverse)["pairwise"] for reverse in (False, True)
    )
    np.testing.assert_array_equal(first.points.tpr, last.points.tpr)
    rules = [[str(rule) for rule in found.rules] for found in (first, last)]
    assert rules[0] != rules[1]
    rates = [apply_rules(found.rules, scores, labels) for found in (first, last)]
    np.testing.assert_array_equal(*rates)
    assert list(selections(scores, labels, ways=["pairwise"])) == ["pairwise"]
