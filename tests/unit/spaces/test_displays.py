import matplotlib as mpl

mpl.use("agg")

import numpy as np
import pandas as pd
import pytest
from matplotlib import pyplot as plt
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_validate
from sklearn.naive_bayes import GaussianNB

from opchar.displays import (
    BrierCurveDisplay,
    CostCurveDisplay,
    DetDisplay,
    FMeasureDisplay,
    PrecisionRecallDisplay,
    PriorDisplay,
    RejectDisplay,
    RocDisplay,
)
from opchar.displays.rates import highest_tpr, least_fpr
from opchar.reject.label_curve import reject_curve
from opchar.spaces.cost import lower_envelope
from opchar.spaces.f_measure import upper_envelope
from opchar.spaces.p_roc import exact_auprec
from opchar.spaces.points import operating_points
from opchar.spaces.roc import auc, with_corners

DISPLAYS = [
    FMeasureDisplay,
    CostCurveDisplay,
    BrierCurveDisplay,
    PriorDisplay,
    RocDisplay,
    DetDisplay,
    PrecisionRecallDisplay,
]


@pytest.fixture(autouse=True)
def _close():
    yield
    plt.close("all")


@pytest.fixture
def data():
    rng = np.random.default_rng(2)
    y = np.repeat([0, 1], [120, 60])
    return rng.normal(y[:, None], 1.0, (180, 2)), y


def test_predictions_draw_the_envelope(data):
    X, y = data
    score = X[:, 0]
    f = FMeasureDisplay.from_predictions(y, score, alpha=0.3, name="x")
    expected = upper_envelope(operating_points(y, score), 0.3)(f.condition)
    np.testing.assert_array_equal(f.line_.get_ydata(), expected)
    assert f.ax_.get_xlabel() == "P(+)"
    assert [text.get_text() for text in f.ax_.get_legend().get_texts()] == ["x"]
    assert f.band_ is None


@pytest.mark.parametrize("display", DISPLAYS)
def test_estimator_and_its_scores_draw_the_same(data, display):
    X, y = data
    model = GaussianNB().fit(X, y)
    one = display.from_estimator(model, X, y)
    two = display.from_predictions(y, model.predict_proba(X)[:, 1])
    np.testing.assert_array_equal(one.curves, two.curves)
    assert one.name == "GaussianNB"


@pytest.mark.parametrize("display", DISPLAYS)
def test_folds_give_mean_and_spread(data, display):
    X, y = data
    frame = pd.DataFrame(X)
    results = cross_validate(
        LogisticRegression(), frame, y, cv=4, return_estimator=True, return_indices=True
    )
    _, ax = plt.subplots()
    shown = display.from_cv_results(results, frame, y, ax=ax)
    assert shown.curves.shape == (4, len(shown.condition))
    np.testing.assert_allclose(shown.line_.get_ydata(), shown.curves.mean(axis=0))
    assert shown.spread.max() > 0
    assert shown.band_ in ax.collections


def test_the_other_class_may_be_the_positive_one(data):
    X, y = data
    model = LogisticRegression().fit(X, y)
    shown = CostCurveDisplay.from_estimator(model, X, y, pos_label=0)
    expected = lower_envelope(operating_points(y == 0, -model.decision_function(X)))
    np.testing.assert_allclose(shown.curves[0], expected(shown.condition))


def test_brier_curves_lie_above_the_cost_envelope(data):
    X, y = data
    model = LogisticRegression().fit(X, y)
    brier = BrierCurveDisplay.from_estimator(model, X, y)
    cost = CostCurveDisplay.from_estimator(model, X, y)
    assert (brier.curves >= cost.curves - 1e-12).all()
    assert (brier.curves > cost.curves + 1e-3).any()


@pytest.mark.parametrize("display", DISPLAYS)
def test_plain_arrays_are_drawn_as_they_are(display):
    _, ax = plt.subplots()
    condition, height = [0.0, 0.4, 1.0], [0.1, 0.3, 0.2]
    one = display(condition, height, "given").plot(ax, legend=False, color="black")
    assert one.line_.get_xydata().tolist() == [[0.0, 0.1], [0.4, 0.3], [1.0, 0.2]]
    assert (one.line_.get_label(), one.line_.get_color()) == ("given", "black")
    assert ax.get_legend() is None
    folds = display(condition, [height, height[::-1]]).plot(ax)
    np.testing.assert_allclose(folds.line_.get_ydata(), [0.15, 0.3, 0.15])
    assert folds.band_ is not None
    with pytest.raises(ValueError, match="one height a condition"):
        display(condition, [0.1, 0.2])


def test_mistakes_are_named(data):
    X, y = data
    with pytest.raises(ValueError, match="return_indices"):
        FMeasureDisplay.from_cv_results({"test_score": [1]}, X, y)
    with pytest.raises(ValueError, match="class 5"):
        FMeasureDisplay.from_predictions(y, X[:, 0], pos_label=5)
    with pytest.raises(ValueError, match="none of the classes"):
        CostCurveDisplay.from_estimator(GaussianNB().fit(X, y), X, y, pos_label=7)
    with pytest.raises(ValueError, match="3 classes"):
        three = GaussianNB().fit(X, np.arange(180) % 3)
        CostCurveDisplay.from_estimator(three, X, y)


def test_folds_in_a_band_of_weights(data):
    """Weights of two are objects that are there twice, in each fold."""
    X, y = data
    results = cross_validate(GaussianNB(), X, y, cv=3, return_estimator=True, return_indices=True)
    plain = RocDisplay.from_cv_results(results, X, y)
    doubled = RocDisplay.from_cv_results(results, X, y, sample_weight=np.full(len(y), 2.0))
    np.testing.assert_array_equal(plain.curves, doubled.curves)
    weighted = RocDisplay.from_cv_results(results, X, y, sample_weight=np.arange(180.0))
    assert np.abs(weighted.curves - plain.curves).max() > 0.01


def test_rates_are_read_off_the_straight_lines():
    points = operating_points([1, 0, 1, 0, 0], [0.9, 0.8, 0.5, 0.5, 0.1])
    assert highest_tpr(points, np.array([0, 1 / 3, 0.5, 2 / 3, 0.9, 1])).tolist() == (
        pytest.approx([0.5, 0.5, 0.75, 1, 1, 1])
    )
    assert least_fpr(points, np.array([0, 0.25, 0.5, 0.75, 1])).tolist() == pytest.approx(
        [0, 0, 0, 0.5, 2 / 3]
    )


@pytest.mark.parametrize("seed", range(5))
def test_what_is_drawn_has_the_areas_of_the_space(seed):
    rng = np.random.default_rng(seed)
    y = np.append([0, 1], rng.random(60) < 0.4)
    points = operating_points(y, np.round(rng.normal(y), 1))
    fine = np.linspace(0, 1, 200_001)
    assert np.trapezoid(highest_tpr(points, fine), fine) == pytest.approx(auc(points), abs=1e-5)
    assert np.trapezoid(1 - least_fpr(points, fine), fine) == pytest.approx(auc(points), abs=1e-5)
    curve = PrecisionRecallDisplay.curve(points, fine[1:], prior=0.2)
    assert np.trapezoid(curve, fine[1:]) == pytest.approx(exact_auprec(points, 0.2), abs=1e-4)
    for fpr, tpr in zip(*with_corners(points), strict=True):
        assert highest_tpr(points, np.array([fpr]))[0] >= tpr - 1e-12


def test_a_detection_error_curve_has_axes_of_normal_deviates(data):
    X, y = data
    shown = DetDisplay.from_predictions(y, X[:, 0])
    to_pixels = shown.ax_.transData.transform
    middle, ends = to_pixels((0.5, 0.5))[0], [to_pixels((p, 0.5))[0] for p in (0.01, 0.99)]
    assert np.mean(ends) == pytest.approx(middle)
    roc = RocDisplay.from_predictions(y, X[:, 0])
    found = np.interp(shown.condition, roc.condition, 1 - roc.curves[0])
    np.testing.assert_allclose(shown.curves[0], found, atol=0.05)
    shown.figure_.canvas.draw()


def test_errors_over_rejection_for_any_number_of_classes(data):
    X, _ = data
    y = np.array(["a", "b", "c"])[np.arange(180) % 3]
    X = X + 2.0 * (np.arange(180) % 3)[:, None]
    model = GaussianNB().fit(X, y)
    shown = RejectDisplay.from_estimator(model, X, y)
    curve = reject_curve(y, model.predict_proba(X))
    assert shown.curves[0, 0] == curve.error[0] == np.mean(model.predict(X) != y)
    middle = np.searchsorted(curve.rejected, 0.5)
    assert shown.curves[0, 500] == curve.error_of_accepted[middle]
    results = cross_validate(model, X, y, cv=3, return_estimator=True, return_indices=True)
    assert RejectDisplay.from_cv_results(results, X, y).curves.shape == (3, 1001)
    frame = pd.DataFrame(model.predict_proba(X))
    again = RejectDisplay.from_predictions(pd.Series(y), frame)
    np.testing.assert_array_equal(again.curves, shown.curves)
    with pytest.raises(ValueError, match="give no pos_label"):
        RejectDisplay.from_estimator(model, X, y, pos_label="a")


def test_precision_under_another_prior(data):
    X, y = data
    own = PrecisionRecallDisplay.from_predictions(y, X[:, 0])
    rare = PrecisionRecallDisplay.from_predictions(y, X[:, 0], prior=0.01)
    called = X[:, 0] >= X[y == 1, 0].min()
    assert own.curves[0, -1] == pytest.approx(y[called].mean())
    fpr = called[y == 0].mean()
    assert rare.curves[0, -1] == pytest.approx(0.01 / (0.01 + 0.99 * fpr))
    assert (rare.curves <= own.curves).all()
