import matplotlib as mpl

mpl.use("agg")

import numpy as np
import pandas as pd
import pytest
from matplotlib import pyplot as plt
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_validate
from sklearn.naive_bayes import GaussianNB

from opchar.displays import BrierCurveDisplay, CostCurveDisplay, FMeasureDisplay
from opchar.spaces.cost import lower_envelope
from opchar.spaces.f_measure import upper_envelope
from opchar.spaces.points import operating_points

DISPLAYS = [FMeasureDisplay, CostCurveDisplay, BrierCurveDisplay]


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
