import numpy as np
import pytest

import opchar.combination.ranks as ranks
from opchar.combination.functions import NAMES
from opchar.combination.iterative import iterative
from opchar.combination.likelihood_ratio import likelihood_ratio, likelihood_ratio_roc
from opchar.combination.pairwise import COMPILED, number_of_candidates, pairwise
from opchar.spaces.roc import auc

PRIORS = np.linspace(0.01, 0.99, 25)


def pool(classifiers, samples, positives, seed=3):
    rng = np.random.default_rng(seed)
    labels = np.arange(samples) < positives
    scores = {f"c{e}": rng.normal(size=samples) + 0.8 * labels for e in range(classifiers)}
    return scores, labels


def assert_same(one, other):
    assert one.points.fpr.tolist() == other.points.fpr.tolist()
    assert one.points.tpr.tolist() == other.points.tpr.tolist()
    assert one.rules == other.rules


def test_blocks_change_nothing(monkeypatch):
    scores, labels = pool(4, 40, 9)
    whole = pairwise(scores, labels, ordered=True)
    monkeypatch.setattr(ranks, "BLOCK", 100)
    assert_same(whole, pairwise(scores, labels, ordered=True))


@pytest.mark.parametrize("ordered", [False, True])
@pytest.mark.parametrize("seed", range(6))
def test_compiled_code_keeps_the_points_and_rules_of_arrays(monkeypatch, seed, ordered):
    pytest.importorskip("numba", reason="compiled pairs: pip install opchar[fast]")
    rng = np.random.default_rng(seed)
    labels = np.arange(n := int(rng.integers(5, 60))) < rng.integers(1, n)
    scores = {f"c{e}": rng.integers(0, levels, n) for e, levels in enumerate((1, 2, 3, 9, 99, n))}
    functions = rng.permutation(NAMES)[: 1 + 3 * seed // 2].tolist()
    found = []
    for worth in (np.inf, -1):
        monkeypatch.setattr(COMPILED, "worth", worth)
        found.append(pairwise(scores, labels, functions=functions, ordered=ordered))
    assert_same(*found)
    assert found[0].n_candidates == found[1].n_candidates


def test_marking_and_sorting_find_the_assert_same(monkeypatch):
    scores, labels = pool(3, 40, 9)
    marked = pairwise(scores, labels)
    monkeypatch.setattr(ranks, "_DENSE", 0)
    crisp = {name: (score > 0.5).astype(float) for name, score in scores.items()}
    assert_same(marked, pairwise(scores, labels))
    sorted_ = pairwise(crisp, labels)
    monkeypatch.undo()
    assert_same(sorted_, pairwise(crisp, labels))


def test_constant_classifiers_leave_the_two_trivial_points():
    selection = pairwise({"a": np.ones(6), "b": np.zeros(6)}, np.arange(6) < 2)
    assert selection.points.hull.fpr.tolist() == [0, 1]
    assert selection.points.hull.tpr.tolist() == [0, 1]
    assert [str(rule) for rule in selection.rules] == ["a >= inf", "a >= 1.0"]


def test_identical_members_add_bands_of_one_score_and_prefer_the_single_detector():
    labels = np.array([True, True, False, False])
    score = np.array([0.5, 0.6, 0.1, 0.9])
    twins = pairwise({"a": score, "b": score.copy()}, labels)
    assert twins.points.hull.tpr.tolist() == [1, 1]
    assert str(twins.rules[0]) == "NOT_A_AND_B(a >= 0.9, b >= 0.5)"
    good = np.array([0.9, 0.8, 0.1, 0.2])
    assert str(pairwise({"a": good, "b": good}, labels).rules[0]) == "a >= 0.8"


def test_selection_depends_on_nothing_but_the_validation_sample():
    scores, labels = pool(3, 40, 10)
    new, _ = pool(3, 40, 10, seed=4)
    rules = pairwise(scores, labels).choose(PRIORS, 0.5)
    decisions = [rule.decide(new).tolist() for rule in rules]
    assert decisions == [
        rule.decide(new).tolist() for rule in pairwise(scores, labels).choose(PRIORS, 0.5)
    ]
    one_by_one = [
        bool(rules[0].decide({name: score[[i]] for name, score in new.items()})[0])
        for i in range(40)
    ]
    assert one_by_one == decisions[0]


def test_iterative_goes_beyond_pairs_and_stops():
    scores, labels = pool(6, 80, 30)
    pairs, once = pairwise(scores, labels), iterative(scores, labels, max_rounds=0)
    rounds = iterative(scores, labels)
    assert auc(once.points.hull) > auc(pairs.points.hull)
    assert auc(rounds.points.hull) >= auc(once.points.hull)
    assert max(len(rule.detectors()) for rule in rounds.rules) > 2
    again = iterative(scores, labels, tolerance=1.0)
    assert again.n_candidates < rounds.n_candidates


def test_iterative_of_one_classifier_may_combine_it_with_itself():
    labels = np.array([True, True, False, False])
    band = iterative({"a": np.array([0.5, 0.6, 0.1, 0.9])}, labels)
    assert auc(band.points.hull) == 1


@pytest.mark.parametrize(
    ("scores", "labels", "message"),
    [
        ({}, [True, False], "no classifier"),
        ({"a": [1.0, 2.0]}, [True, True], "both classes"),
        ({"a": [1.0, np.nan]}, [True, False], "a has a score that is not finite"),
        ({"a": [1.0, 2.0, 3.0]}, [True, False], "shape"),
        ({"a": [1.0, 2.0]}, [2, 0], "boolean"),
    ],
)
def test_what_cannot_be_combined(scores, labels, message):
    for method in (pairwise, iterative):
        with pytest.raises(ValueError, match=message):
            method(scores, labels)


def test_unknown_function_is_named():
    scores, labels = pool(2, 10, 4)
    with pytest.raises(ValueError, match="'IF'"):
        pairwise(scores, labels, functions=["AND", "IF"])


def test_number_of_candidates_at_paper_size():
    assert number_of_candidates([125] * 20) == 20 * 125 + 10 * 20 * 19 * 125 * 125
    assert number_of_candidates([3, 4], functions=1, ordered=False) == 7 + 12


def test_likelihood_ratio_of_unseen_outcomes_and_smoothing():
    decisions = [[1, 1], [1, 0], [0, 0], [0, 0]]
    labels = [True, True, False, False]
    fitted = likelihood_ratio(decisions, labels)
    assert fitted.score([[1, 1], [0, 0], [0, 1]]).tolist() == [np.inf, 0, 1]
    smooth = likelihood_ratio(decisions, labels, smoothing=1)
    assert np.isfinite(smooth.ratio).all()
    assert auc(likelihood_ratio_roc(decisions, labels)) == 1
    with pytest.raises(ValueError, match="fitted on 2 detectors, got 3"):
        fitted.score([[1, 1, 1]])
    with pytest.raises(ValueError, match="smoothing"):
        likelihood_ratio(decisions, labels, smoothing=-1)
    with pytest.raises(ValueError, match="both classes"):
        likelihood_ratio(decisions, [True] * 4)
