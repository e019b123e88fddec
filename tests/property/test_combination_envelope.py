"""The fast search against the listing itself, one decision vector at a time."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from opchar.combination.algorithm_1 import run_listing
from opchar.combination.functions import NAMES
from opchar.combination.iterative import iterative
from opchar.combination.likelihood_ratio import likelihood_ratio_roc
from opchar.combination.pairwise import number_of_candidates, pairwise
from opchar.combination.ranks import rank
from opchar.combination.selection import apply_rules
from opchar.spaces.f_measure import f_measure, upper_envelope
from opchar.spaces.points import OperatingPoints
from opchar.spaces.roc import auc

PRIORS = np.array([0.01, 0.1, 0.25, 0.5, 0.75, 0.9, 0.99])
FEW = settings(max_examples=40, deadline=None)


@st.composite
def samples(draw, classifiers=(1, 3), size=(2, 8)):
    """A labelled sample of both classes with many ties, constants and equal members among it."""
    M = draw(st.integers(*size))
    E = draw(st.integers(*classifiers))
    labels = draw(
        st.lists(st.booleans(), min_size=M, max_size=M).filter(lambda y: any(y) and not all(y))
    )
    column = st.lists(st.integers(0, 3), min_size=M, max_size=M)
    scores = {f"c{e}": np.array(draw(column), dtype=float) for e in range(E)}
    if draw(st.booleans()):
        scores["twin"] = scores["c0"].copy()
    return scores, np.array(labels)


def frontier_of(listing):
    """Return ``{FP: (most TP, first rule that has them)}``."""
    best = {}
    for rule, tp, fp in zip(
        listing.rules, listing.true_positives, listing.false_positives, strict=True
    ):
        if fp not in best or tp > best[fp][0]:
            best[int(fp)] = (int(tp), rule)
    return best


@FEW
@given(samples(), st.sampled_from([0.15, 0.5, 0.85]))
def test_envelope_and_rules_equal_the_listing(sample, alpha):
    scores, labels = sample
    listing = run_listing(scores, labels, priors=PRIORS, alpha=alpha)
    selection = pairwise(scores, labels, ordered=True)
    brute = frontier_of(listing)

    false_positives, true_positives, _, _ = selection.points.coordinates
    assert false_positives.tolist() == sorted(brute)
    assert true_positives.tolist() == [brute[fp][0] for fp in sorted(brute)]
    hull_fp, _, _, _ = selection.points.hull.coordinates
    assert list(selection.rules) == [brute[fp][1] for fp in hull_fp.tolist()]
    assert selection.n_candidates == len(listing.rules)
    np.testing.assert_allclose(
        upper_envelope(selection.points, alpha)(PRIORS), listing.f, rtol=1e-12, atol=1e-15
    )
    tpr, fpr = apply_rules(selection.choose(PRIORS, alpha), scores, labels)
    np.testing.assert_allclose(f_measure(tpr, fpr, PRIORS, alpha), listing.f, rtol=1e-12)


@FEW
@given(samples())
def test_one_order_of_each_pair_is_enough(sample):
    scores, labels = sample
    once, twice = pairwise(scores, labels), pairwise(scores, labels, ordered=True)
    assert once.points.coordinates[0].tolist() == twice.points.coordinates[0].tolist()
    assert once.points.coordinates[1].tolist() == twice.points.coordinates[1].tolist()
    counts = [len(thresholds) for thresholds in rank(scores, labels).thresholds]
    assert twice.n_candidates - sum(counts) == 2 * (once.n_candidates - sum(counts))
    assert twice.n_candidates == number_of_candidates(counts)


@FEW
@given(samples(), st.lists(st.sampled_from(NAMES), min_size=1, max_size=4, unique=True))
def test_a_choice_of_functions_equals_the_listing(sample, functions):
    scores, labels = sample
    listing = run_listing(scores, labels, priors=PRIORS, alpha=0.5, functions=functions)
    for ordered in (False, True):
        selection = pairwise(scores, labels, functions=functions, ordered=ordered)
        f = upper_envelope(selection.points, 0.5)(PRIORS)
        if ordered:
            np.testing.assert_allclose(f, listing.f, rtol=1e-12)
        else:
            assert (f <= listing.f * (1 + 1e-12)).all()


@FEW
@given(samples(classifiers=(1, 4)), st.sampled_from([pairwise, iterative]))
def test_rules_reproduce_their_points_exactly(sample, method):
    scores, labels = sample
    selection = method(scores, labels)
    hull = selection.points.hull
    tpr, fpr = apply_rules(selection.rules, scores, labels)
    assert tpr.tolist() == hull.tpr.tolist()
    assert fpr.tolist() == hull.fpr.tolist()


def codes(points: OperatingPoints):
    return set(zip(*(axis.tolist() for axis in points.coordinates[:2]), strict=True))


@FEW
@given(samples(classifiers=(1, 3)))
def test_iterative_is_at_least_as_good_as_each_classifier_and_pairs_in_order(sample):
    scores, labels = sample
    whole = iterative(scores, labels)
    first_two = dict(list(scores.items())[:2])
    assert auc(whole.points.hull) >= auc(pairwise(first_two, labels).points.hull) - 1e-12
    for name, score in scores.items():
        alone = pairwise({name: score}, labels).points.hull
        one_pass = iterative(scores, labels, max_rounds=0)
        assert auc(one_pass.points.hull) >= auc(alone) - 1e-12
        assert auc(whole.points.hull) >= auc(one_pass.points.hull) - 1e-12


@FEW
@given(samples(classifiers=(2, 2), size=(2, 10)))
def test_ten_functions_of_two_crisp_detectors_reach_the_likelihood_ratio_optimum(sample):
    scores, labels = sample
    crisp = {name: (score >= 2).astype(float) for name, score in scores.items()}
    pair = dict(list(crisp.items())[:2])
    found = pairwise(pair, labels).points.hull
    optimum = likelihood_ratio_roc(np.column_stack(list(pair.values())), labels)
    assert abs(auc(found) - auc(optimum)) < 1e-12


@FEW
@given(samples(classifiers=(3, 3), size=(2, 12)))
def test_likelihood_ratio_bounds_every_boolean_function_of_three_detectors(sample):
    scores, labels = sample
    crisp = np.column_stack([score >= 2 for score in list(scores.values())[:3]])
    optimum = likelihood_ratio_roc(crisp, labels)
    cell = crisp @ [1, 2, 4]
    positive = np.bincount(cell[labels], minlength=8) / labels.sum()
    negative = np.bincount(cell[~labels], minlength=8) / (~labels).sum()
    accepted = (np.arange(256)[:, np.newaxis] >> np.arange(8)) & 1
    tpr, fpr = accepted @ positive, accepted @ negative
    assert (tpr <= np.interp(fpr, *best_tpr(optimum)) + 1e-12).all()


def best_tpr(points):
    """Return FPR and the highest TPR at each, for interpolation."""
    fpr = np.unique(points.fpr)
    return fpr, [points.tpr[points.fpr == value].max() for value in fpr]
