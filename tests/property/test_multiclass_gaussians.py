"""Confusion rates of known Gaussians against numerical integration."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from opchar.multiclass.gaussians import confusion_rates, densities

coordinates = st.floats(-4, 4)


@st.composite
def problems(draw, *, equal_variances):
    c = draw(st.integers(2, 5))
    means = draw(st.lists(coordinates, min_size=c, max_size=c))
    one = st.floats(0.2, 3)
    variances = [draw(one)] * c if equal_variances else draw(st.lists(one, min_size=c, max_size=c))
    exponents = draw(st.lists(st.floats(-3, 3), min_size=c, max_size=c))
    return np.array(means), np.array(variances), 10 ** np.array(exponents)


def integrated(means, variances, weights):
    """Return the rates by a fine midpoint sum."""
    edges = np.linspace(-60, 60, 48_001)
    x = (edges[1:] + edges[:-1]) / 2
    log_density = -((x - means[:, None]) ** 2) / (2 * variances[:, None])
    log_density -= np.log(variances[:, None]) / 2
    winner = np.argmax(np.log(weights)[:, None] + log_density, axis=0)
    mass = densities(means, variances, x) * (edges[1] - edges[0])
    return np.array([[row[winner == j].sum() for j in range(len(means))] for row in mass])


@settings(max_examples=120, deadline=None)
@given(st.booleans().flatmap(lambda equal: problems(equal_variances=equal)))
def test_rates_equal_numerical_integration(problem):
    """With quadratic borders, and with lines of equal variances."""
    means, variances, weights = problem
    exact = confusion_rates(means, variances, weights[None])[0]
    assert np.allclose(exact.sum(axis=1), 1)
    if _well_separated(means, variances, weights):
        assert np.abs(exact - integrated(means, variances, weights)).max() < 6e-3


def _well_separated(means, variances, weights):
    """Tell whether no two classes are so alike that rounding decides who wins."""
    i, j = np.triu_indices(len(means), 1)
    alike = np.abs(means[i] - means[j]) + np.abs(variances[i] - variances[j])
    return alike.min() > 1e-3
