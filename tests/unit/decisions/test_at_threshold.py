"""What a threshold in use does, against counts by hand and against coverage."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import norm
from sklearn.metrics import confusion_matrix

import opchar
from opchar.decisions.at_threshold import at_threshold
from opchar.decisions.two_decisions import measure_of, paired_difference
from opchar.statistics.proportions import wilson

Y = np.array([1, 1, 1, 1, 1, 1, 0, 0, 1, 1, 1, 1, 1, 0, 0, 1, 1, 1, 0, 1])
X = np.array([81.3, 123.3, 42.9, 49.3, 31.9, 12.6, 23.3, 2, 165.8, 3.1, 13.6, 13.6, 10.4, 3.7, 2,
              23.8, 47.5, 126.8, 10.3, 18.4])  # fmt: skip


def test_a_public_case() -> None:
    found = at_threshold(Y, X, 5)
    assert (found.tpr.value, found.tnr.value) == (14 / 15, 3 / 5)
    assert found.tpr[1:] == pytest.approx(tuple(map(float, wilson(14 / 15, 15))))
    assert found.precision.value == 14 / 16
    assert found.alerts.value == 16 / 20
    assert list(found.to_frame()["measure"])[:2] == ["tpr", "fnr"]
    assert len(repr(found)) < 230 and "tpr 0.933 (0.702 to 0.988)" in repr(found)
    assert at_threshold(Y, X, "accept all").alerts.value == 1
    assert at_threshold(Y, X, "accept none").alerts.value == 0


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10**6), st.floats(0.01, 0.99), st.floats(-3, 3), st.floats(0.1, 50))
def test_all_follow_from_the_counts(seed: int, prior: float, threshold: float, cost: float) -> None:
    rng = np.random.default_rng(seed)
    y = np.arange(30) % 3 == 0
    score = rng.normal(size=30).round(1)
    (tn, fp), (fn, tp) = confusion_matrix(y, score >= threshold, labels=[False, True]).tolist()
    found = at_threshold(y, score, threshold, prior=prior, cost_fn=cost, rule=None)
    t, f = tp / (tp + fn), fp / (fp + tn)
    assert found.tpr.value == pytest.approx(t) and found.fnr.value == pytest.approx(1 - t)
    assert found.fpr.value == pytest.approx(f) and found.tnr.value == pytest.approx(1 - f)
    alerts = prior * t + (1 - prior) * f
    assert found.alerts.value == pytest.approx(alerts)
    assert found.cost.value == pytest.approx(prior * (1 - t) * cost + (1 - prior) * f)
    if tp + fp:
        assert found.precision.value == pytest.approx(prior * t / alerts)
    else:
        assert np.isnan(found.precision.value)
    for name in ("tpr", "fpr", "alerts", "cost"):
        each = getattr(found, name)
        assert each.low <= each.value + 1e-12 and each.value <= each.high + 1e-12


def test_weights_are_repeated_objects_and_groups_add_no_certainty() -> None:
    times = np.arange(20) % 3 + 1
    row = np.repeat(np.arange(20), times)
    weighted = at_threshold(Y, X, 5, prior=0.2, sample_weight=times)
    repeated = at_threshold(Y[row], X[row], 5, prior=0.2, groups=row)
    for name in ("tpr", "fpr", "precision", "npv", "alerts", "cost"):
        assert getattr(weighted, name) == pytest.approx(getattr(repeated, name))


def test_intervals_hold_what_they_say() -> None:
    rng = np.random.default_rng(0)
    held = []
    for _ in range(300):
        y = np.arange(300) % 3 == 0
        found = at_threshold(
            y, rng.normal(size=300) + 1.5 * y, 1.0, prior=0.1, cost_fn=5, rule=None
        )
        t, f = 0.6914624612740131, 0.15865525393145707
        true = (t, f, 0.1 * t / (0.1 * t + 0.9 * f), 0.1 * t + 0.9 * f, 0.5 * (1 - t) + 0.9 * f)
        each = (found.tpr, found.fpr, found.precision, found.alerts, found.cost)
        held.append([one.low <= value <= one.high for one, value in zip(each, true, strict=True)])
    share = np.mean(held, axis=0)
    assert (share > 0.91).all() and (share < 0.99).all()


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"prior": 2.0}, "prior must"),
        ({"cost_fn": -1.0}, "cost_fn and cost_fp"),
        ({"confidence": 1.0}, "confidence must lie"),
        ({"groups": [1, 2]}, "groups: shape"),
        ({"threshold": np.nan}, "threshold must be"),
        ({"threshold": "accept some"}, "'accept all' or 'accept none', not 'accept some'"),
        ({"threshold": [1.0, 2.0]}, "threshold must be"),
    ],
)
def test_what_cannot_be_asked(more: dict, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        at_threshold(Y, X, **({"threshold": 5.0} | more))


def test_the_difference_to_the_recommendation_is_paired_and_judged_on_other_folds() -> None:
    rng = np.random.default_rng(3)
    y = np.arange(600) % 4 == 0
    score = rng.normal(size=600) + 2 * y
    found = at_threshold(y, score, 0.0, prior=0.1, cost_fn=10)
    advice = opchar.choose_threshold(y, score, prior=0.1, cost_fn=10).threshold
    assert found.recommended == advice
    assert found.differences["tpr"].value > 0 and found.differences["fpr"].value > 0
    for name in ("tpr", "fnr", "fpr", "tnr", "alerts", "cost"):
        each = found.differences[name]
        assert each.low < each.value < each.high

        assert each.high - each.low < 2 * (getattr(found, name).high - getattr(found, name).low)
    frame = found.to_frame().set_index("measure")
    assert tuple(frame.loc["cost"].iloc[3:]) == found.differences["cost"]
    alone = at_threshold(y, score, 0.0, prior=0.1, cost_fn=10, rule=None)
    assert not alone.differences and "difference" not in alone.to_frame()
    assert "recommended" in repr(found) and "recommended" not in repr(alone)


def test_the_reach_of_a_difference_is_the_delta_method_with_half_an_object_in_each_cell() -> None:
    """Of precision P = pt / (pt + qf), whose slopes are P (1 - P) / t and -P (1 - P) / f."""
    rng, y, p = np.random.default_rng(5), np.arange(60) % 3 == 0, 0.2
    both = (rng.random(60) < 0.3 + 0.4 * y, rng.random(60) < 0.1 + 0.5 * y)
    rates = np.array([[d[y].mean(), d[~y].mean()] for d in both])
    precision = p * rates[:, 0] / (p * rates[:, 0] + (1 - p) * rates[:, 1])
    slopes = (precision * (1 - precision))[:, None] * [1, -1] / rates
    variance = 0.0
    for c, n, r, s in zip((y, ~y), (20, 40), rates.T, slopes.T, strict=True):
        moved = ([1, -1] * s) @ (np.array([d[c] for d in both]) - r[:, None])
        variance += (moved @ moved + np.abs(s).max() ** 2) / (n + 2) ** 2
    value = measure_of("precision", p, 5.0, 1.0)
    found = paired_difference(value, y, both, np.ones(60), (20, 40), 0.95)[:2]
    expected = precision[0] - precision[1], norm.ppf(0.975) * variance**0.5
    assert found == pytest.approx(expected, rel=1e-6)


def test_a_difference_holds_what_it_says() -> None:
    rng = np.random.default_rng(8)
    many = np.arange(200_000) % 4 == 0
    others = rng.normal(size=len(many)) + 2 * many
    held = []
    for _ in range(60):
        y = np.arange(240) % 4 == 0
        score = rng.normal(size=240) + 2 * y
        found = at_threshold(y, score, 0.4, rule="theory")
        true = [at_threshold(many, others, t, rule=None) for t in (0.4, found.recommended)]
        pairs = ((found.differences[k], getattr(true[0], k).value - getattr(true[1], k).value)
                 for k in ("tpr", "fpr", "cost"))  # fmt: skip
        held.append([each.low <= value <= each.high for each, value in pairs])
    assert (np.mean(held, axis=0) > 0.85).all()


@pytest.mark.parametrize("prior", [None, 0.1])
@pytest.mark.parametrize("decision", ["accept all", "accept none"])
def test_what_accepting_all_or_none_does_is_known(prior: float | None, decision: str) -> None:
    rng = np.random.default_rng(0)
    y = np.arange(90) % 3 == 0
    found = at_threshold(y, rng.normal(size=90) + y, decision, prior=prior, cost_fn=4)
    everything, p = decision == "accept all", 1 / 3 if prior is None else prior
    assert found.tpr == (everything,) * 3 and found.tnr == (not everything,) * 3
    assert found.cost == pytest.approx([1 - p if everything else 4 * p] * 3)
    assert found.precision == pytest.approx([p if everything else np.nan] * 3, nan_ok=True)
    other = at_threshold(y, rng.normal(size=90), decision, prior=0.01, cost_fn=1)
    assert np.isposinf(other.recommended)
    assert other.differences["cost"] == pytest.approx([0.98 if everything else 0.0] * 3)


def test_a_difference_to_the_same_decision_is_none() -> None:
    y, score = np.array([0, 0, 0, 1, 0, 1] * 10), np.arange(60.0)
    found = at_threshold(y, score, "accept all", cost_fn=100)
    assert np.isneginf(found.recommended)
    assert all(found.differences[name].value == 0 for name in ("tpr", "fpr", "cost"))
    assert not at_threshold([0, 0, 1], [1, 2, 3], 2).differences  # one positive: no folds
    score[-1] = np.inf  # only a search takes it
    assert np.isnan(at_threshold(y, score, 20, rule="theory").recommended)
    assert at_threshold(y, score, 20, rule="search").recommended > 0
    with pytest.raises(ValueError, match="rule is one of"):
        at_threshold(y, score, 3, rule="best")  # type: ignore[arg-type]
