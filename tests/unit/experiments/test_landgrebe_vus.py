"""Sec. 3.3: lower bounds, known distributions, and the printed values that cannot be right."""

import numpy as np
import pytest

from opchar.experiments.landgrebe2007.vus import known_distributions, lower_bounds, surfaces
from opchar.multiclass.bounds import lower_bound
from opchar.multiclass.gaussians import class_rates, confusion_rates, weight_grid
from opchar.multiclass.volume import ordered_gaussian_volume, resampled_volume

TABLES = {
    "table-3.3": [["-0.05; 0.0; 0.05", 200], ["-0.5; 0.0; 0.5", 100], ["-4.0; 0.0; 4.0", 100]],
    "table-3.4": [["-0.15; -0.05; 0.05; 0.15", 70], ["-0.75; -0.25; 0.25; 0.75", 50]],
}


def values(results, artefact):
    frame = results.frame()
    lines = frame[frame["artefact"] == artefact]
    return {(line.row, line.column): line.value for line in lines.itertuples()}


def test_lower_bounds_give_every_line():
    results = lower_bounds(classes=[2, 3, 4], joggles=2, grids=[[3, 5], [3, 9]])
    hull = values(results, "eq-3.17")
    assert hull["C=4", "Estimated VUS (QHull, random classifier)"] == pytest.approx(1 / 24)
    assert hull["trend", ""] == 1
    assert values(results, "eq-3.24")["theorem", ""] == 1
    table = values(results, "table-3.3.4-numeric-integration")
    assert table["C=3, r=5", "Actual VUS"] == pytest.approx(1 / 6)
    assert table["trend", ""] == 1


def test_trend_fails_when_the_finer_grid_is_worse(monkeypatch):
    module = "opchar.experiments.landgrebe2007.vus.random_volume"
    monkeypatch.setattr(module, lambda c, r: 1 / 6 + 0.01 * r)
    results = lower_bounds(classes=[3], joggles=1, grids=[[3, 5], [3, 9]])
    assert values(results, "table-3.3.4-numeric-integration")["trend", ""] == 0


def test_known_distributions_stand_beside_the_exact_values():
    results = known_distributions(
        tables=TABLES,
        weights=[1e-3, 1e3],
        other_weights=[[1e-2, 1e2]],
        common_r=30,
        largest_hypervolume=2000,
        largest_r=12,
        figure_table="table-3.4",
        figure_rows=[1, 2],
    )
    three = values(results, "table-3.3")
    assert three["-0.5; 0.0; 0.5", "r"] == 12
    assert three["-0.5; 0.0; 0.5", "VUS exact"] == pytest.approx(0.33724, abs=1e-5)
    assert three["-0.5; 0.0; 0.5", "VUS est."] == pytest.approx(0.337, rel=0.2)
    dominated = three["-0.5; 0.0; 0.5", "VUS dominated"]
    assert dominated < three["-0.5; 0.0; 0.5", "VUS exact"]
    assert values(results, "table-3.4")["trend", ""] == 1
    assert values(results, "text-3.3.4")["resolution", ""] == 1
    assert values(results, "figure-3.8")["2nd and 4th 4-class experiment", ""] == 1
    assert set(results.curves["densities"]["experiment"]) == {1, 2}


def test_surfaces_are_measured():
    results = surfaces(
        separable=[-4.0, 4.0], overlapping=[-0.5, 0.5], three_classes=[-1.0, 0.0, 1.0], nodes=81
    )
    assert values(results, "figure-3.5")["AUC range", ""] == 1
    assert values(results, "figure-3.6")["random 3-class ROC", ""] == 1
    assert values(results, "figure-3.7")["overlapping", "VUS exact"] == pytest.approx(
        0.53615, abs=1e-5
    )
    plane = results.curves["surface"].query("series == 'random'")
    assert plane[["xi_11", "xi_22", "xi_33"]].sum(axis=1).to_numpy() == pytest.approx(1)


def rule(means, r, low=1e-3, high=1e3):
    rates = class_rates(means, 1.0, weight_grid(len(means), r, low, high))
    return resampled_volume(rates.reshape((r,) * (len(means) - 1) + (len(means),)), r)


def test_erratum_table_3_4_row_2_is_less_than_half_of_its_volume():
    """0.07782 cannot belong to the means -0.75; -0.25; 0.25; 0.75."""
    printed, means = 0.07782, np.array([-0.75, -0.25, 0.25, 0.75])
    exact, error = ordered_gaussian_volume(means)
    assert error < 1e-8 and exact == pytest.approx(0.16208, abs=1e-5)
    assert printed < 0.5 * exact
    assert rule(means, 50, 1e-4, 1e4) > 1.9 * printed


@pytest.mark.parametrize(
    ("row", "r", "printed"),
    [
        ("-0.05; 0.0; 0.05", 200, 0.16876),
        ("-0.3; 0.0; 0.3", 100, 0.24140),
        ("-0.5; 0.0; 0.5", 100, 0.31428),
        ("-1.0; 0.0; 1.0", 100, 0.51214),
        ("-1.00; -0.33; 0.33; 1.00", 50, 0.19972),
        ("-1.50; -0.50; 0.50; 1.5", 50, 0.33097),
    ],
)
def test_erratum_printed_volumes_lie_below_what_the_rule_can_lose(row, r, printed):
    """Neither a ten times wider range of weights nor half a cell lost at a border explains them."""
    means = [float(mean) for mean in row.split(";")]
    exact, error = ordered_gaussian_volume(means)
    worst = rule(means, r, 1e-4, 1e4) * (1 - 0.5 / (r - 1)) ** (len(means) - 1)
    assert error < 1e-8
    assert printed < worst < exact


@pytest.mark.parametrize(
    ("c", "printed"), [(6, 0.0013888888932), (7, 0.00019841269853), (9, 0.00000275573193)]
)
def test_erratum_eq_3_17_is_off_in_its_last_digits(c, printed):
    """The printed hull volumes are not 1/C! in their last digits; the hull of a simplex is."""
    digits = {6: 13, 7: 14, 9: 14}[c]
    assert abs(printed - lower_bound(c)) > 0.5 * 10.0**-digits


def test_erratum_a_digit_is_missing_for_six_classes():
    relative = {5: 0.00833333333563, 6: 0.0013888888932, 7: 0.00019841269853}
    off = {c: abs(volume / lower_bound(c) - 1) for c, volume in relative.items()}
    with_the_digit = abs(0.00138888888932 / lower_bound(6) - 1)
    assert off[6] > 4 * off[7] > 4 * off[5]
    assert off[5] < with_the_digit < off[7]


def test_erratum_factors_of_prior_and_weight_make_no_rates():
    """Eqs. 3.5, 4.7, 4.24 as printed: the rows of Eq. 4.26 would not sum to one."""
    phi = np.array([0.1, 1.0, 1.0, 1.0])
    rates = confusion_rates([-8.0, -5.0, 5.0, 8.0], 1.0, phi[None])[0]
    assert rates.sum(axis=1) == pytest.approx(np.ones(4))
    printed = (phi / 4)[:, None] * rates
    assert printed.sum(axis=1).max() == pytest.approx(0.25)
    equal = confusion_rates([-8.0, -5.0, 5.0, 8.0], 1.0, np.ones((1, 4)))[0]
    assert round(equal[0, 0], 4) == 0.9332
    assert round(equal[0, 0] / 4, 4) != 0.9332
