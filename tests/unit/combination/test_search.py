import numpy as np
import pytest

import opchar.combination.ranks as ranks
from opchar.combination.functions import NAMES
from opchar.combination.iterative import iterative
from opchar.combination.likelihood_ratio import likelihood_ratio, likelihood_ratio_roc
from opchar.combination.pairwise import COMPILED, number_of_candidates, pairwise
from opchar.combination.selection import apply_rules
from opchar.spaces.f_measure import f_measure, upper_envelope
from opchar.spaces.points import operating_points
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


def test_a_constant_partner_adds_only_the_negations_of_a_classifier():
    scores, labels = pool(1, 30, 10)
    alone = operating_points(labels, scores["c0"])
    with_constant = pairwise({**scores, "dull": np.zeros(30)}, labels)
    assert with_constant.points.hull.tpr.tolist() == alone.hull.tpr.tolist()[1:]
    backwards = pairwise({"c0": -scores["c0"], "dull": np.zeros(30)}, labels)
    assert auc(backwards.points.hull) == pytest.approx(auc(alone.hull))


def test_identical_members_add_bands_of_one_score_and_prefer_the_single_detector():
    labels = np.array([True, True, False, False])
    score = np.array([0.5, 0.6, 0.1, 0.9])
    twins = pairwise({"a": score, "b": score.copy()}, labels)
    assert twins.points.hull.tpr.tolist() == [1, 1]
    assert str(twins.rules[0]) == "NOT_A_AND_B(a >= 0.9, b >= 0.5)"
    good = np.array([0.9, 0.8, 0.1, 0.2])
    assert str(pairwise({"a": good, "b": good}, labels).rules[0]) == "a >= 0.8"


def test_one_positive_sample():
    scores, labels = pool(3, 25, 1)
    selection = pairwise(scores, labels)
    assert set(selection.points.tpr.tolist()) <= {0.0, 1.0}
    tpr, fpr = apply_rules(selection.choose(PRIORS, 0.5), scores, labels)
    assert (tpr == 1).all()
    assert (fpr == selection.points.fpr[selection.points.tpr == 1].min()).all()


def test_iterative_of_constants_twins_and_one_positive():
    labels = np.array([True, True, False, False])
    dull = iterative(dict.fromkeys("abc", np.zeros(4)), labels)
    assert dull.points.hull.coordinates[0].tolist() == [0, 2]
    assert dull.points.hull.coordinates[1].tolist() == [0, 2]
    good = np.array([0.9, 0.8, 0.1, 0.2])
    twins = iterative(dict.fromkeys("abc", good), labels)
    assert str(twins.rules[0]) == "a >= 0.8"
    scores, one = pool(4, 25, 1)
    selection = iterative(scores, one)
    tpr, fpr = apply_rules(selection.rules, scores, one)
    assert tpr.tolist() == selection.points.hull.tpr.tolist()
    assert fpr.tolist() == selection.points.hull.fpr.tolist()
    best = pairwise(scores, one).points
    assert selection.points.fpr[selection.points.tpr == 1].min() <= best.fpr[best.tpr == 1].min()


def test_twice_the_same_member_changes_no_point_that_others_reach():
    scores, labels = pool(3, 30, 10)
    alone = pairwise(scores, labels).points.hull
    with_twin = pairwise({**scores, "twin": scores["c1"].copy()}, labels)
    heights = np.interp(alone.fpr, with_twin.points.hull.fpr, with_twin.points.hull.tpr)
    assert (heights >= alone.tpr).all()
    tpr, fpr = apply_rules(with_twin.rules, {**scores, "twin": scores["c1"]}, labels)
    assert tpr.tolist() == with_twin.points.hull.tpr.tolist()
    assert fpr.tolist() == with_twin.points.hull.fpr.tolist()


def test_ties_are_decided_together():
    labels = np.array([True, False, True, False])
    tied = {"a": np.array([1.0, 1.0, 0.0, 0.0]), "b": np.array([1.0, 0.0, 1.0, 0.0])}
    assert str(pairwise(tied, labels).rules[0]) == "b >= 1.0"
    assert auc(pairwise({"a": tied["a"]}, labels).points.hull) == 0.5


def test_choice_by_f():
    scores, labels = pool(4, 60, 20)
    selection = pairwise(scores, labels)
    tpr, fpr = apply_rules(selection.choose(PRIORS, 0.3), scores, labels)
    f = f_measure(tpr, fpr, PRIORS, 0.3)
    np.testing.assert_allclose(f, upper_envelope(selection.points, 0.3)(PRIORS), rtol=1e-14)
    every = f_measure(selection.points.tpr, selection.points.fpr, PRIORS[:, np.newaxis], 0.3)
    np.testing.assert_allclose(f, every.max(axis=1), rtol=1e-14)


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
