"""Sec. 3.2.4: the loss with weights in it."""

import numpy as np
import pytest

from opchar.multiclass.gaussians import confusion_rates
from opchar.multiclass.weight_grids import weight_grid
from opchar_reproduction.publications.landgrebe2007.chapter3.system_loss import losses, system_loss

MEANS = [-6.0, -3.0, 0.0, 6.0, 9.0]


def test_losses_stand_beside_the_printed_ones():
    lines = system_loss(
        means=MEANS,
        weightings=[[1.0] * 5, [10.0] * 5],
        r=5,
        weights=[1e-3, 1e3],
        two_means=[0.0, 2.0],
        phis=[0.5, 0.9],
    ).frame()
    values = lines.set_index(["row", "column"])["value"]
    assert values["Phi = [1, 1, 1, 1, 1]", "loss"] == pytest.approx(0.080709, abs=1e-6)
    assert values["two classes, phi = 0.5", "xi_{1,2}"] == pytest.approx(0.158655, abs=1e-6)
    printed = values["two classes, phi = 0.9", "xi_{2,1} as printed"]
    assert printed == pytest.approx(0.45 * values["two classes, phi = 0.9", "xi_{2,1}"])


def test_erratum_the_weights_in_the_loss_move_its_minimum():
    """Eq. 3.7: as printed, factors common to all weights change the loss but no decision."""
    equal, ten = np.ones((1, 5)), np.full((1, 5), 10.0)
    rates = confusion_rates(MEANS, 1.0, np.vstack([equal, ten]))
    assert rates[0] == pytest.approx(rates[1])
    assert losses(rates[1:], ten) == pytest.approx(10 * losses(rates[:1], equal))
    grid = weight_grid(5, 7)
    every = confusion_rates(MEANS, 1.0, grid)
    as_printed = losses(every)[losses(every, grid).argmin()]
    assert as_printed > 2 * losses(every).min()


def test_erratum_both_rates_cannot_carry_the_weight_of_the_first_class():
    """Eq. 3.8: as printed both rates vanish as phi does, though one class is all missed."""
    phi = 1e-6
    rates = confusion_rates([0.0, 2.0], 1.0, [[phi, 1 - phi]])[0]
    assert rates[0, 1] > 0.99
    assert max(phi * rates[0, 1] / 2, phi * rates[1, 0] / 2) < 1e-6
