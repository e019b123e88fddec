"""Net benefit and H-measure beside their definitions, and packages of theirs."""

from itertools import pairwise

import numpy as np
import pandas as pd
import pytest
from scipy.integrate import quad
from scipy.stats import beta

import opchar
from opchar.spaces.decision_curve import best_net_benefit, net_benefit
from opchar.statistics.ranking import rank_scores
from opchar.statistics.resampling import resample_objects

AT = np.array([0.05, 0.1, 0.33, 0.5, 0.8, 0.99])


def sample(n: int = 60, seed: int = 0) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return labels, probabilities with many ties, and whole weights."""
    rng = np.random.default_rng(seed)
    y = (rng.random(n) < 0.3).astype(int)
    score = np.round((rng.random(n) + y * rng.random(n)) / 2, 1)
    return y, score, rng.integers(0, 4, n)


def benefit(y: np.ndarray, accepted: np.ndarray, t: float, w: np.ndarray) -> float:
    """Return the net benefit by its definition."""
    tp, fp = w[accepted & (y == 1)].sum(), w[accepted & (y == 0)].sum()
    return float((tp - fp * t / (1 - t)) / w.sum())


@pytest.mark.parametrize("seed", range(5))
def test_net_benefit_is_its_definition(seed: int) -> None:
    y, score, weight = sample(seed=seed)
    curve = opchar.decision_curve(y, score, sample_weight=weight, threshold=AT)
    cuts = [np.inf, *np.unique(score)]
    for place, t in enumerate(AT):
        assert curve.net_benefit[place] == pytest.approx(benefit(y, score >= t, t, weight))
        best = max(benefit(y, score >= cut, t, weight) for cut in cuts)
        assert curve.best[place] == pytest.approx(best, abs=1e-14)
        assert curve.accept_all[place] == pytest.approx(benefit(y, score >= -1, t, weight))
    for low, high in ((curve.low, curve.high), (curve.band_low, curve.band_high)):
        assert ((low <= curve.net_benefit + 1e-9) & (curve.net_benefit <= high + 1e-9)).all()
    assert (curve.band_low <= curve.low + 1e-12).all()


def test_weights_are_repeats_and_pandas_comes_back() -> None:
    y, score, weight = sample()
    repeated = np.repeat(np.arange(len(y)), weight)
    once = opchar.decision_curve(y, score, sample_weight=weight, threshold=AT, prior=0.1)
    many = opchar.decision_curve(y[repeated], score[repeated], threshold=AT, prior=0.1)
    np.testing.assert_allclose(once.net_benefit, many.net_benefit, rtol=1e-13)
    assert opchar.h_measure(y, score, sample_weight=weight) == pytest.approx(
        opchar.h_measure(y[repeated], score[repeated]), abs=1e-14
    )
    frame = opchar.decision_curve(pd.Series(y), pd.Series(score), threshold=AT)
    assert list(frame.columns)[:2] == ["threshold", "net_benefit"]


def test_the_difference_is_that_of_both_curves_and_antisymmetric() -> None:
    y, score, weight = sample()
    other = score**2
    found = opchar.decision_curve_difference(y, score, other, sample_weight=weight, threshold=AT)
    back = opchar.decision_curve_difference(y, other, score, sample_weight=weight, threshold=AT)
    one, two = (
        opchar.decision_curve(y, each, sample_weight=weight, threshold=AT)
        for each in (score, other)
    )
    np.testing.assert_allclose(found.difference, one.net_benefit - two.net_benefit, atol=1e-14)
    for ends in ("low", "high"), ("band_low", "band_high"):  # widths are simulated
        low, high = (getattr(each, name) for each, name in zip((found, back), ends, strict=True))
        np.testing.assert_allclose(low, -high, rtol=0.05, atol=0.005)


def test_intervals_and_bands_of_decision_curves_cover() -> None:
    """Uniform probabilities that are calibrated have a known net benefit."""
    rng, grid = np.random.default_rng(3), np.array([0.2, 0.4, 0.6])
    tpr, fpr = 1 - grid**2, (1 - grid) ** 2
    truth = net_benefit(tpr, fpr, 0.5, grid)
    held = np.zeros(4)
    for _ in range(100):
        p, q = rng.random(300), rng.random(300)
        y = (rng.random(300) < p).astype(int)
        curve = opchar.decision_curve(y, p, threshold=grid, prior=0.5)
        held[0] += curve.low[1] <= truth[1] <= curve.high[1]
        held[1] += ((curve.band_low <= truth) & (truth <= curve.band_high)).all()
        apart = opchar.decision_curve_difference(y, p, q, threshold=grid, prior=0.5)
        aim = truth - net_benefit(1 - grid, 1 - grid, 0.5, grid)
        held[2] += apart.low[1] <= aim[1] <= apart.high[1]
        held[3] += ((apart.band_low <= aim) & (aim <= apart.band_high)).all()
    assert (held >= 100 * 0.95 - 3 * np.sqrt(100 * 0.95 * 0.05)).all(), held


def h_by_quadrature(y: np.ndarray, score: np.ndarray, severity: float | None = None) -> float:
    """Return the H-measure by its definition: integrals over costs, minima over thresholds."""
    positive = y.mean()
    ratio = positive / (1 - positive) if severity is None else severity
    density = beta(2, 1 + 1 / ratio).pdf
    cuts = [np.inf, *np.unique(score)]
    rates = [((score[y == 0] >= cut).mean(), (score[y == 1] < cut).mean()) for cut in cuts]
    trivial = [(0.0, 1.0), (1.0, 0.0)]

    def loss(points):
        def at(m):
            return density(m) * min(
                (1 - positive) * fpr * m + positive * fnr * (1 - m) for fpr, fnr in points
            )

        parts = np.linspace(0, 1, 51)
        return sum(quad(at, a, b)[0] for a, b in pairwise(parts))

    return 1 - loss(rates) / loss(trivial)


@pytest.mark.parametrize("severity", [None, 0.2])
def test_the_h_measure_is_its_definition(severity: float | None) -> None:
    y, score, _ = sample()
    found = opchar.h_measure(y, score, severity=severity)
    assert found == pytest.approx(h_by_quadrature(y, score, severity), abs=1e-7)


def test_the_h_measure_equals_the_published_package() -> None:
    """Values of the package hmeasure 0.1.6 on these very objects."""
    y, score = [1, 0, 1, 0, 0], [0.9, 0.8, 0.7, 0.3, 0.2]
    assert opchar.h_measure(y, score) == pytest.approx(0.5915901307893472, abs=1e-14)
    rng = np.random.default_rng(0)
    labels = (rng.random(30) < 0.3).astype(int)
    noisy = np.round(1 / (1 + np.exp(-(rng.normal(size=30) + 1.5 * labels - 1))), 2)
    assert opchar.h_measure(labels, noisy) == pytest.approx(0.5342513639371318, abs=1e-14)
    assert opchar.h_measure(labels, noisy, severity=0.3) == pytest.approx(
        0.5456265519345473, abs=1e-14
    )


def test_the_h_measure_at_its_ends_and_its_interval() -> None:
    y, score, _ = sample()
    assert opchar.h_measure(y, y) == 1
    assert opchar.h_measure(y, np.zeros(len(y))) == 0
    assert opchar.h_measure(y, np.exp(score)) == opchar.h_measure(y, score)
    from opchar.spaces.h_measure import h_measure_of

    drawn = resample_objects(
        rank_scores(y, score), h_measure_of, np.random.default_rng(0), repeats=200
    )
    low, high = drawn.share_interval(0)
    assert 0 < low < opchar.h_measure(y, score) < high < 1


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda y, s: opchar.h_measure(y, s, prior=0.0), "strictly between"),
        (lambda y, s: opchar.h_measure(y, s, severity=-1.0), "severity"),
        (lambda y, s: opchar.h_measure(y, s, severity=np.nan), "severity"),
        (lambda y, s: opchar.decision_curve(y, s + 1), "probabilities"),
        (lambda y, s: opchar.decision_curve(y, s, threshold=[0.5, 0.2]), "ascend"),
        (lambda y, s: opchar.decision_curve(y, s, threshold=[0.5, np.nan]), "ascend"),
        (lambda y, s: best_net_benefit(opchar.points_of(y, s), 1.0), "below 1"),
    ],
)
def test_what_cannot_be_asked_is_said(call, said: str) -> None:
    y, score, _ = sample()
    with pytest.raises(ValueError, match=said):
        call(y, score)


def test_the_display_shows_accepting_all_and_none() -> None:
    y, score, _ = sample()
    shown = opchar.DecisionCurveDisplay.from_predictions(y, score, name="model", prior=0.1)
    assert len(shown.ax_.lines) == 3
    t = shown.condition
    np.testing.assert_allclose(
        shown.mean[[100, 500]],
        opchar.decision_curve(y, score, threshold=t[[100, 500]], prior=0.1).net_benefit,
    )
    folds = opchar.DecisionCurveDisplay(t, [shown.mean - 0.5, shown.mean - 0.7]).plot()
    assert folds.band_.get_paths()[0].vertices[:, 1].min() < -0.5
