"""What was suspected of chapter 3 of the thesis: Neyman-Pearson optimisation and the VUS."""

from math import comb, prod

import numpy as np
import pytest
from scipy.stats import f as f_distribution

from leads import decide, number, numbers, printed_table
from opchar.multiclass.gaussians import confusion_rates
from opchar.multiclass.roc.volume import dominated_volume
from opchar.multiclass.weight_grids import weight_grid
from opchar_reproduction.publication import folders
from opchar_reproduction.report.comparison.published_values import read_catalogue

THESIS = "landgrebe2007"
OFF_DIAGONAL = ~np.eye(4, dtype=bool)


def posteriors(n, classes, seed=0):
    return np.random.default_rng(seed).dirichlet(np.ones(classes), n)


def test_t8_factors_make_rates_no_rates():
    phi = np.array([0.1, 1.0, 1.0, 1.0])
    pairs = [-8.0, -5.0, 5.0, 8.0]
    rates = confusion_rates(pairs, 1.0, np.stack([phi, np.ones(4)]))
    sums = rates.sum(axis=2)
    as_printed = (phi / 4) * sums[0]
    assert sums == pytest.approx(np.ones((2, 4)))
    assert round(rates[1, 0, 0], 4) == 0.9332
    decide(
        "T8",
        "error",
        f"sum to {number(sums.max())}",
        f"factors to {numbers(as_printed)}",
        f"xi_11 is {number(rates[1, 0, 0])}",
        f"factors {number(rates[1, 0, 0] / 4)}",
    )


def test_t9_both_errors_cannot_have_the_same_weight():
    phi = 1e-12
    rates = confusion_rates([-1.6, 1.6], 2.0, [[phi, 1 - phi]])[0]
    as_printed = phi / 2 * rates[0, 1], phi / 2 * rates[1, 0]
    assert rates[0, 1] == pytest.approx(1)
    assert max(as_printed) < 1e-12
    decide(
        "T9",
        "error",
        f"xi_12 = {rates[0, 1]:.0f}",
        f"xi_21 = {rates[1, 0]:.0f}",
        f"goes to {as_printed[0]:.0f} and {as_printed[1]:.0f}",
    )


def test_t10_the_last_weight_may_be_one_minus_the_first():
    weights = np.exp(np.random.default_rng(1).normal(0, 3, (500, 4)))
    scaled = weights / (weights[:, :1] + weights[:, 3:])
    objects = posteriors(200, 4)
    changed = sum(
        ((objects * a).argmax(1) != (objects * b).argmax(1)).sum()
        for a, b in zip(weights, scaled, strict=True)
    )
    assert scaled[:, 0] + scaled[:, 3] == pytest.approx(np.ones(500))
    grid = np.unique(weight_grid(2, 80)[:, 0])
    negative = int((1 - grid < 0).sum())
    decide(
        "T10",
        "notation",
        f"change {changed} of {len(weights) * len(objects)}",
        f"negative at {negative} of {len(grid)}",
    )


def test_t11_the_indicator_does_not_depend_on_the_true_class():
    def printed(p, i, j):
        own = p[i] if i == j else p[j]
        return int(all(own > p[k] for k in range(4) if k != j))

    objects = posteriors(500, 4)
    different = sum(
        printed(p, i, j) != (p.argmax() == j) for p in objects for i in range(4) for j in range(4)
    )
    tie = np.array([0.4, 0.4, 0.1, 0.1])
    assigned = sum(printed(tie, 0, j) for j in range(4))
    assert different == 0 == assigned
    decide("T11", "notation", f"4.4 in {different} of {len(objects) * 16}", f"sums to {assigned}")


def test_t12_step_5_leaves_out_what_is_specified():
    """The matrices of the two successful sets of three specifications, as printed."""
    first, second = (printed_table(THESIS, f"text-3.2.5-confusion-{k}").to_numpy() for k in (4, 5))
    red, cotton, veget, grey = range(4)
    specified = np.zeros((4, 4), bool)
    specified[veget, red] = specified[cotton, veget] = specified[veget, grey] = True
    meets = first[veget, red] <= 0.05, first[cotton, veget] <= 0.15, first[veget, grey] <= 0.05
    over_all = [matrix[OFF_DIAGONAL].sum() for matrix in (first, second)]
    unspecified = [matrix[OFF_DIAGONAL & ~specified].sum() for matrix in (first, second)]
    assert all(meets)
    assert over_all[0] < over_all[1]
    assert unspecified[0] == pytest.approx(unspecified[1])
    decide("T12", "error", f"prints ({numbers(over_all)}", f"errors ({numbers(unspecified)}")


def test_t13_pairs_of_classes_are_few():
    pairs, product = comb(10, 2), prod(range(9, 0, -2))
    assert pairs < product
    decide("T13", "error", f"have {pairs}", f"(C-1)(C-3)...1 = {product}")


def test_t14_the_volume_uses_intraclass_rates():
    rates = confusion_rates([-1.0, 0.0, 1.0], 1.0, weight_grid(3, 20))
    moved = rates[:, :, [0, 1, 2]].copy()
    for own, (one, other) in enumerate(((1, 2), (0, 2), (0, 1))):
        moved[:, own, one], moved[:, own, other] = rates[:, own, other], rates[:, own, one]
    volumes = [dominated_volume(np.einsum("nii->ni", each)) for each in (rates, moved)]
    assert np.abs(rates - moved).max() > 0.5
    assert volumes[0] == volumes[1]
    decide(
        "T14",
        "inconsistent",
        f"up to {number(np.abs(rates - moved).max(), 2)}",
        f"stays {number(volumes[0])} = {number(volumes[1])}",
    )


def test_t16_numbers_of_equations_stand_at_two_tables():
    catalogue = read_catalogue(folders("landgrebe2007"))
    catalogue = catalogue[catalogue["paper"] == THESIS].set_index("artefact")
    twice = {
        artefact: number
        for artefact, number in (("table-3.3", "3.18"), ("table-3.4", "3.19"))
        if f"eq {number}" in catalogue.loc[artefact, "caption_in_own_words"]
    }
    without = [name for name in catalogue.index if name.startswith("table-3.3.4")]
    assert len(twice) == 2
    assert "eq-3.18" not in catalogue.index
    assert without == ["table-3.3.4-numeric-integration"]
    decide("T16", "notation", f"{len(twice)}", f"well; {len(without)}")


def test_t47_a_p_value_of_0_995_finds_everything():
    means, spreads = (
        printed_table(THESIS, "table-3.5", what).loc[
            lambda t: t.index.str.startswith("Sign"), "VUS"
        ]
        for what in ("value", "std")
    )
    folds = 10
    ratio = folds * means.var(ddof=1) / (spreads**2).mean()
    p = f_distribution.sf(ratio, 3, 4 * (folds - 1))
    assert 0.005 < p < 0.995
    decide("T47", "error", f"have F = {number(ratio, 2)}", f"and p = {number(p, 2)}")


def test_t50_the_label_of_digits_stands_too_high():
    errors, spreads = (printed_table(THESIS, "table-3.6", what) for what in ("value", "std"))
    row = "Digits / sc-svc p3"
    digits = errors.index[errors.index.str.startswith("Digits")]
    vehicle = errors.index[errors.index.str.startswith("Vehicle")]

    def correlation(rows):
        ranks = errors.loc[rows].rank()
        return float(np.corrcoef(ranks["Error"], ranks["VUS"])[0, 1])

    def relative_spread(rows, objects):
        e = errors.loc[rows, "Error"]
        return spreads.loc[rows, "Error"] / np.sqrt(e * (1 - e) / (0.2 * objects))

    others = digits.drop(row)
    here, there = (float(relative_spread([row], n).iloc[0]) for n in (2000, 846))
    spread_digits, spread_vehicle = relative_spread(others, 2000), relative_spread(vehicle, 846)
    assert correlation(digits) < -0.8 > correlation([*vehicle, row])
    assert here > spread_digits.max()
    assert spread_vehicle.min() < there < spread_vehicle.max()
    decide(
        "T50",
        "undecided",
        f"correlation {number(correlation(digits), 2)}",
        f"without ({number(correlation(others), 2)}",
        f"Vehicle: {number(here, 2)}",
        f"Digits {numbers([spread_digits.min(), spread_digits.max()], 2)}",
        f"of 169 {number(there, 2)}",
        f"Vehicle {numbers([spread_vehicle.min(), spread_vehicle.max()], 2)}",
    )
