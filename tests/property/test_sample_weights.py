"""An object of weight w counts as w objects: for every function that takes weights."""

import ast
from pathlib import Path

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import opchar
from checkout import ROOT
from opchar.metrics.counts import confusion_matrix
from opchar.metrics.registry import INDICES
from opchar.reject.options import error_reject_curve
from opchar.spaces.brier import brier_score, sample_brier_score
from opchar.spaces.points import operating_points
from opchar.statistics.areas import areas

SETTINGS = settings(max_examples=40, deadline=None)
NAMES = [entry.name for entry in INDICES if entry.of != "conditions"]

# Functions of labels and scores in [0, 1]; all are judged under a prior of their own, too.
OF_SCORES = {
    "roc_curve": {},
    "roc_auc": {},
    "precision_recall_curve": {},
    "pr_auc": {},
    "mean_pr_auc": {"low": 0.1, "high": 0.7},
    "f_curve": {"alpha": 0.3},
    "best_f": {"prior": [0.0, 0.2, 1.0]},
    "cost_curve": {},
    "least_cost": {"cost_fn": 3.0},
    "brier_curve": {},
    "det_curve": {},
    "equal_error_rate": {},
    "best_threshold": {"criterion": "cost"},
    "neyman_pearson": {"max_fpr": 0.3},
    "points_of": {},
}
SCORES = st.integers(0, 6).map(lambda k: k / 6)


@st.composite
def weighted(draw):
    n = draw(st.integers(2, 20))
    y = np.array([0, 1, *draw(st.lists(st.integers(0, 1), min_size=n - 2, max_size=n - 2))])
    weights = draw(st.lists(st.integers(0, 4), min_size=n, max_size=n))
    weights[:2] = [max(weight, 1) for weight in weights[:2]]
    return y, np.array(draw(st.lists(SCORES, min_size=n, max_size=n))), np.array(weights)


def assert_same(one, two):
    if hasattr(one, "n_positive"):
        assert (one.n_positive, one.n_negative) == (two.n_positive, two.n_negative)
        one, two = ((each.fpr, each.tpr, each.thresholds) for each in (one, two))
    if isinstance(one, tuple):
        for first, second in zip(one, two, strict=True):
            np.testing.assert_array_equal(first, second)
    else:
        np.testing.assert_array_equal(one, two)


@pytest.mark.parametrize("name", OF_SCORES)
@SETTINGS
@given(weighted())
def test_weights_are_repeated_rows_in_every_space(name, sample):
    y, score, weight = sample
    function, options = getattr(opchar, name), OF_SCORES[name]
    once = function(y, score, sample_weight=weight.astype(float), **options)
    assert_same(once, function(np.repeat(y, weight), np.repeat(score, weight), **options))


@pytest.mark.parametrize("method", ["em", "confusion"])
@settings(max_examples=20, deadline=None)
@given(weighted(), st.lists(SCORES, min_size=1, max_size=20))
def test_weights_are_repeated_rows_in_an_estimated_prior(method, sample, unlabelled):
    y, score, weight = sample
    assume(len(np.unique(score)) > 1)  # equal scores tell nothing of a prior, and are refused
    given_once = {"method": method, "repeats": 2}
    once = opchar.estimate_prior(y, score, unlabelled, sample_weight=weight, **given_once)
    repeated = opchar.estimate_prior(
        np.repeat(y, weight), np.repeat(score, weight), unlabelled, **given_once
    )
    assert once.prior == pytest.approx(repeated.prior, abs=1e-6, nan_ok=True)


@SETTINGS
@given(weighted(), st.sampled_from([None, 0.0, 0.3, 1.0]))
def test_the_brier_score_of_a_sample_is_that_of_its_points(sample, prior):
    y, score, weight = sample
    points = operating_points(y, score, weight)
    expected = brier_score(points, points.prior if prior is None else prior)
    found = sample_brier_score(y, score, prior, weight)
    assert found == pytest.approx(expected, rel=1e-14, abs=1e-15)
    repeated = np.repeat(y, weight), np.repeat(score, weight)
    assert opchar.brier_score(*repeated, prior=prior) == pytest.approx(found, rel=1e-14, abs=1e-15)


@SETTINGS
@given(weighted(), st.randoms(use_true_random=False))
def test_weights_are_repeated_rows_in_confusion_matrices(sample, random):
    y, _, weight = sample
    guess = np.array([random.randint(0, 1) for _ in y])
    repeated = np.repeat(y, weight), np.repeat(guess, weight)
    assert_same(
        opchar.confusion(y, guess, labels=[0, 1], sample_weight=weight),
        opchar.confusion(*repeated, labels=[0, 1]),
    )
    assert_same(confusion_matrix(y, guess, 2, weight), confusion_matrix(*repeated, 2))
    for name in NAMES:
        assert_same(
            opchar.index_score(y, guess, name, sample_weight=weight),
            opchar.index_score(*repeated, name),
        )


@SETTINGS
@given(weighted())
def test_weights_are_repeated_rows_under_rejection(sample):
    y, score, weight = sample
    posteriors = np.column_stack([1 - score, score])
    once = opchar.reject_curve(y, posteriors, sample_weight=weight)
    assert_same(
        once, opchar.reject_curve(np.repeat(y, weight), np.repeat(posteriors, weight, axis=0))
    )
    one = error_reject_curve(y == 1, score, weight)
    two = error_reject_curve(np.repeat(y, weight) == 1, np.repeat(score, weight))
    assert_same((one.rejected, one.errors), (two.rejected, two.errors))


# Weights of these are tested beside the functions, in tests/unit; `analyse` hands them on.
WITH_TESTS_OF_THEIR_OWN = (
    *("analyse", "augrc", "aurc", "choose_threshold", "decision_curve"),
    *("decision_curve_difference", "design_cascade", "h_measure", "check_labelled", "object_cost"),
    *("object_cost_threshold", "oscr_auc", "oscr_curve", "threshold_spread"),
    *("roc_auc_interval", "roc_auc_difference", "pr_auc_interval", "pr_auc_difference"),
    *("at_threshold", "object_rule"),
)


def test_every_function_that_takes_weights_is_here():
    """Functions only: what is fitted with weights has scikit-learn's own check."""
    found = set()
    for path in (ROOT / "src/opchar").rglob("*.py"):
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.FunctionDef) and not node.name.startswith("_"):
                arguments = [*node.args.args, *node.args.kwonlyargs]
                if "sample_weight" in [argument.arg for argument in arguments]:
                    found.add(node.name)
    checker = {"checked_weights", "counting_weights", *WITH_TESTS_OF_THEIR_OWN}
    source = Path(__file__).read_text(encoding="utf-8")
    assert {name for name in found - checker if f"{name}(" not in source} <= set(OF_SCORES)


WEIGHTS = st.lists(st.floats(1e-3, 1e3), min_size=5, max_size=20)


@SETTINGS
@given(WEIGHTS, WEIGHTS, st.booleans())
def test_perfect_and_reversed_orders_have_the_areas_one_and_zero(of_positive, of_negative, perfect):
    """Sums of weights round; an area above one had no interval."""
    weights = [*of_positive, *of_negative]
    y = np.repeat([1, 0], [len(of_positive), len(of_negative)])
    scores = np.linspace(0, 1, len(y))[:: -1 if perfect else 1]
    found = areas(y == 1, [scores, np.ones(len(y))], weights)
    assert found.areas.tolist() == [float(perfect), 0.5]
    low, high = found.interval()
    assert ((low >= 0) & (low <= found.areas) & (found.areas <= high) & (high <= 1)).all()
    for name in ("roc_auc", "pr_auc", "mean_pr_auc", "equal_error_rate"):
        function, options = getattr(opchar, name), OF_SCORES[name]
        assert 0 <= function(y, scores, sample_weight=weights, **options) <= 1, name


# Weights of sizes that are lost beside each other.
POWERS = st.integers(-12, 12)
UNEQUAL = st.builds(lambda digits, power: digits * 10.0**power, st.floats(0.1, 1), POWERS)
RATES = ("roc_auc", "pr_auc", "mean_pr_auc", "brier_score", "h_measure", "equal_error_rate")
CURVES = ("roc_curve", "det_curve", "precision_recall_curve", "cost_curve", "brier_curve")


@settings(max_examples=150, deadline=None)
@given(st.data(), st.integers(4, 12))
def test_no_weights_make_a_share_of_more_than_one(data, number):
    """Sums of weights round, each in its own way."""
    some = data.draw(st.sampled_from([UNEQUAL, st.sampled_from([0.1, 1 / 3, 2.5, 1e-3])]))
    weights = data.draw(st.lists(some, min_size=number, max_size=number))
    y = np.arange(number) % 2
    steps = data.draw(st.lists(st.integers(0, 4), min_size=number, max_size=number))
    scores = data.draw(st.sampled_from([np.array(steps) / 4, y * 1.0, 1.0 - y]))
    outputs = np.column_stack([1 - scores, scores])
    found = {}
    for name in (*RATES, *CURVES):
        options = OF_SCORES.get(name, {})
        found[name] = getattr(opchar, name)(y, scores, sample_weight=weights, **options)
    for name in ("aurc", "augrc", "reject_curve"):
        found[name] = getattr(opchar, name)(y, outputs, sample_weight=weights)
    unseen = np.where(np.arange(number) < 2, 2, y)
    for name in ("oscr_auc", "oscr_curve"):
        given_labels = {"labels": [0, 1], "sample_weight": weights}
        found[name] = getattr(opchar, name)(unseen, outputs, **given_labels)
    for name, values in found.items():
        fields = getattr(values, "_fields", None)
        shares = {name: values} if fields is None else values._asdict()
        for field, value in shares.items():
            if not field.startswith("threshold") and field != "error_of_accepted":
                assert ((np.asarray(value) >= 0) & (np.asarray(value) <= 1)).all(), (name, field)


# Functions of which only shares of the weights matter, beside those of scores in test_edges.
SCALED = {
    "h_measure": lambda y, s, w: opchar.h_measure(y, s, sample_weight=w),
    "choose_threshold": lambda y, s, w: opchar.choose_threshold(y, s, prior=0.2, sample_weight=w),
    "choose_threshold by theory": lambda y, s, w: opchar.choose_threshold(
        y, s, prior=0.2, rule="theory", sample_weight=w
    ),
    "estimate_prior": lambda y, s, w: opchar.estimate_prior(
        y, s, [0.2, 0.4, 0.6], sample_weight=w, repeats=2
    ),
    "oscr_auc": lambda y, s, w: opchar.oscr_auc(
        np.where(s > 0.8, 2, y), np.column_stack([1 - s, s]), labels=[0, 1], sample_weight=w
    ),
    "aurc": lambda y, s, w: opchar.aurc(y, np.column_stack([1 - s, s]), sample_weight=w),
    "best_threshold": lambda y, s, w: opchar.best_threshold(y, s, sample_weight=w),
}


@pytest.mark.parametrize("scale", [1e-300, 1e-9, 2.0**60, 1e100, 1e290, 10**25])
@pytest.mark.parametrize("name", SCALED)
def test_weights_of_any_size_give_what_their_shares_give(name, scale):
    """Weights whose sum exceeds 2**53 ended in a TypeError of NumPy's in some functions."""
    rng = np.random.default_rng(0)
    y = np.arange(40) % 2
    s = np.clip(np.round(0.35 + 0.3 * y + 0.2 * rng.normal(size=40), 2), 0.01, 0.99)
    s[:2] = 0.9
    weight = rng.integers(1, 5, size=40)
    scaled = [int(each) * scale for each in weight]
    one, two = SCALED[name](y, s, weight), SCALED[name](y, s, scaled)
    one, two = (
        each if isinstance(each, tuple) else (getattr(each, "prior", each),) for each in (one, two)
    )
    for first, second in zip(one, two, strict=True):
        np.testing.assert_allclose(
            np.asarray(first, float), np.asarray(second, float), rtol=1e-6, atol=1e-9
        )


@pytest.mark.parametrize("weight", [["a", "b"], {0: 1.0}, [None, "c"]])
def test_weights_that_are_no_numbers_are_named(weight):
    """It was said that 'a' could not be converted, not what it was given as."""
    with pytest.raises(ValueError, match="sample_weight"):
        opchar.roc_auc([0, 1], [0.1, 0.2], sample_weight=weight)


@pytest.mark.parametrize(
    "asked",
    [
        lambda y, s, w: opchar.decision_curve(y, s, sample_weight=w, threshold=[0.1, 0.3]),
        lambda y, s, w: opchar.decision_curve_difference(
            y, s, s[::-1], sample_weight=w, threshold=[0.1, 0.3]
        ),
        lambda y, s, w: opchar.object_cost(
            y, s, cost_fn=3.0, cost_fp=1.0, threshold=0.5, sample_weight=w
        ),
    ],
    ids=["decision_curve", "decision_curve_difference", "object_cost"],
)
def test_an_object_of_weight_zero_is_none_in_the_widths_either(asked):
    rng = np.random.default_rng(0)
    y = np.arange(40) % 2
    s = np.clip(np.round(0.35 + 0.3 * y + 0.2 * rng.normal(size=40), 2), 0.01, 0.99)
    weight = np.where(np.arange(40) % 5 < 2, 0.0, 1.5)
    mirrored = np.minimum(weight, weight[::-1])  # so that both scores lose the same objects
    kept = mirrored > 0
    one, two = asked(y, s, mirrored), asked(y[kept], s[kept], mirrored[kept])
    for name in getattr(one, "_fields", None) or one.__dataclass_fields__:
        np.testing.assert_allclose(getattr(one, name), getattr(two, name), rtol=1e-9, atol=1e-12)
