"""AURC, AUGRC and OSCR beside their definitions by brute force."""

import numpy as np
import pandas as pd
import pytest

import opchar

LABELS = np.array(["a", "b", "c"])


def sample(seed: int, n: int = 40):
    """Return labels, some of an unseen class, posteriors with ties, and whole weights."""
    rng = np.random.default_rng(seed)
    y = rng.choice(["a", "b", "c", "?"], n)
    scores = np.round(rng.random((n, 3)), 1) + 0.4 * (y[:, None] == LABELS)
    return y, scores, rng.integers(0, 3, n)


def aurc_by_force(right, sure, weight) -> float:
    """Mean over objects of the error rate of those at least as confident."""
    total = 0.0
    for own, w in zip(sure, weight, strict=True):
        kept = sure >= own
        total += w * (weight[kept] @ ~right[kept]) / weight[kept].sum() if w else 0.0
    return total / weight.sum()


@pytest.mark.parametrize("seed", range(5))
def test_areas_under_risk_over_coverage(seed: int) -> None:
    y, scores, weight = sample(seed)
    known = y != "?"
    y, scores, weight = y[known], scores[known], weight[known]
    right, sure = LABELS[scores.argmax(axis=1)] == y, scores.max(axis=1)
    given = {"labels": LABELS, "sample_weight": weight}
    assert opchar.aurc(y, scores, **given) == pytest.approx(aurc_by_force(right, sure, weight))
    accuracy = np.average(right, weights=weight)
    ranks = opchar.roc_auc(right, sure, sample_weight=weight)
    formula = (1 - ranks) * accuracy * (1 - accuracy) + (1 - accuracy) ** 2 / 2
    assert opchar.augrc(y, scores, **given) == pytest.approx(formula, abs=1e-14)
    repeated = np.repeat(np.arange(len(y)), weight)
    for area in (opchar.aurc, opchar.augrc):
        assert area(y, scores, **given) == pytest.approx(
            area(y[repeated], scores[repeated], labels=LABELS), abs=1e-14
        )


def test_distinct_confidences_give_the_mean_selective_risk() -> None:
    rng = np.random.default_rng(0)
    y, scores = rng.choice(LABELS, 30), rng.random((30, 3))
    wrong = (LABELS[scores.argmax(axis=1)] != y)[np.argsort(-scores.max(axis=1))]
    published = np.mean(np.cumsum(wrong) / np.arange(1, 31))
    assert opchar.aurc(y, scores) == pytest.approx(published)
    random_order = np.zeros(30)
    assert opchar.aurc(y, scores, confidence=random_order) == pytest.approx(wrong.mean())


@pytest.mark.parametrize("seed", range(5))
def test_oscr_and_its_area_by_force(seed: int) -> None:
    y, scores, weight = sample(seed)
    curve = opchar.oscr_curve(y, scores, labels=LABELS, sample_weight=weight)
    known, sure = y != "?", scores.max(axis=1)
    right = known & (LABELS[scores.argmax(axis=1)] == y)
    for fpr, ccr, cut in zip(*curve, strict=True):
        kept = sure >= cut
        assert fpr == pytest.approx(weight[kept & ~known].sum() / weight[~known].sum())
        assert ccr == pytest.approx(weight[kept & right].sum() / weight[known].sum())
    pairs = 0.0
    for i in np.flatnonzero(right):
        for j in np.flatnonzero(~known):
            pairs += weight[i] * weight[j] * (np.sign(sure[i] - sure[j]) + 1) / 2
    pairs /= weight[known].sum() * weight[~known].sum()
    area = opchar.oscr_auc(y, scores, labels=LABELS, sample_weight=weight)
    assert area == pytest.approx(pairs, abs=1e-14)
    assert curve.ccr[-1] >= area


def test_a_perfect_and_a_blind_confidence() -> None:
    y, scores, _ = sample(1)
    known = (y != "?").astype(float)
    right = LABELS[scores.argmax(axis=1)] == y
    accuracy = right[y != "?"].mean()
    given = {"labels": LABELS}
    assert opchar.oscr_auc(y, scores, confidence=known, **given) == pytest.approx(accuracy)
    blind = opchar.oscr_auc(y, scores, confidence=np.ones(len(y)), **given)
    assert blind == pytest.approx(accuracy / 2)
    frame = opchar.oscr_curve(pd.Series(y), pd.DataFrame(scores), **given)
    assert list(frame.columns) == ["fpr", "ccr", "threshold"]


def test_what_cannot_be_asked_is_said() -> None:
    y, scores, _ = sample(2)
    with pytest.raises(ValueError, match="shape"):
        opchar.oscr_curve(y, scores[:, :2], labels=LABELS)
    with pytest.raises(ValueError, match="unseen"):
        opchar.oscr_curve(y[y != "?"], scores[y != "?"], labels=LABELS)
    with pytest.raises(ValueError, match="NaN"):
        opchar.oscr_curve(y, scores * np.nan, labels=LABELS)
    with pytest.raises(ValueError, match="one confidence an object"):
        opchar.oscr_curve(y, scores, labels=LABELS, confidence=[1.0])
