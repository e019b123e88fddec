"""What was suspected of chapter 4 of the thesis: pairwise optimisation and decomposition."""

from math import log10, prod

import numpy as np
import pandas as pd
import pytest
from scipy.stats import norm

from leads import decide, number, numbers, printed, printed_table, values_of
from opchar.metrics import expected_loss, mean_subjective_utility
from opchar.multiclass.pairings import pairings
from opchar.multiclass.perturbation import groups

THESIS = "landgrebe2007"
BALANCED = np.full(8, 1 / 8)
COSTS = printed_table(THESIS, "text-4.2.5-cost-matrix").to_numpy()


def test_t19_seven_classes_have_no_48_pairings():
    by_formula = prod(range(6, 0, -2))
    without_one = len(list(pairings(list(range(6)))))
    without_any = len({p for left in range(7) for p in pairings(list({*range(7)} - {left}))})
    assert by_formula == 48
    decide("T19", "error", f"says: {without_one}", f"pairings, {without_any}", f"any; {by_formula}")


def test_t21_the_sum_needs_the_diagonal_and_the_priors():
    perfect = np.eye(8)
    chance = COSTS.sum() / 8 / 8
    rescaled = 1 - COSTS / chance
    as_printed = rescaled[~np.eye(8, dtype=bool)] @ perfect[~np.eye(8, dtype=bool)]
    all_cells = (rescaled * perfect).sum()
    weighted = float(mean_subjective_utility(perfect, COSTS, BALANCED))
    random = float(mean_subjective_utility(np.full((8, 8), 1 / 8), COSTS, BALANCED))
    assert (as_printed, weighted) == (0, 1)
    assert random == pytest.approx(0)
    losses = printed(THESIS, "text-4.2.5").set_index("row")["value"]
    utility = printed(THESIS, "text-4.2.6").set_index("row")["value"]
    slopes = [
        (1 - utility["PRTools8 / Default"]) / losses["PRTools8 / Default"],
        (1 - utility["PRTools8 / Pairs"]) / losses["PRTools8 / Pairs (no post-processing)"],
    ]
    assert slopes[0] == pytest.approx(slopes[1], rel=1e-3)
    decide(
        "T21",
        "error",
        f"4.18 is {as_printed:.0f}",
        f"cells {all_cells:.0f}",
        f"priors {weighted:.0f}",
        f"MSU)/L = {numbers(slopes)}",
    )


def test_t23_the_reduction_is_of_15_orders():
    orders = {r: log10(r**9 / (8 + r)) for r in (80, 100)}
    assert min(orders.values()) > 15
    decide(
        "T23",
        "error",
        "from r^9 to 8 + r are "
        + " and ".join(
            f"{number(value, 3)} orders of magnitude at r = {r}" for r, value in orders.items()
        )
        + "; r to the power of 9 is not 10 to the power of 9",
    )


def test_t25_the_threshold_belongs_above_the_largest_small_interaction():
    largest = printed_table(THESIS, "eq-4.36").to_numpy()
    small = np.unique(largest[(largest > 0) & (largest < 0.01)])
    above_smallest, above_largest = (groups(largest, t + 1e-4) for t in (small[0], small[-1]))
    stated = groups(largest, 0.01)
    assert above_largest == stated != above_smallest
    few = groups(largest, -1.0)
    shown = {
        name: " ".join(str([k + 1 for k in group]) for group in sorted(found))
        for name, found in (("smallest", above_smallest), ("largest", above_largest))
    }
    decide(
        "T25",
        "error",
        f"change, {small[0]:.4f}",
        f"groups are {shown['smallest']}",
        f"largest, {small[-1]:.4f}, {shown['largest']}",
        f"down to {len(few)}",
        f"group of {len(few[0])}",
    )


def test_t26_ten_folds_leave_nine_tenths():
    share = 1 - 1 / 10
    folds = 1 / (1 - 0.8)
    assert share != 0.8
    decide("T26", "inconsistent", f"trains on {share:.0%}", f"80% are {folds:.0f}")


def test_t51_losses_exceed_the_largest_that_the_costs_allow():
    wrong = np.eye(8)[COSTS.argmax(axis=1)]
    worst = float(expected_loss(wrong, COSTS, BALANCED))
    chance = COSTS.sum() / 8 / 8
    losses = printed(THESIS, "text-4.2.5").set_index("row")["value"]
    utility = printed(THESIS, "text-4.2.6").set_index("row")["value"]
    implied = [(1 - utility[f"PRTools8 / {name}"]) * chance for name in ("Default", "Pairs")]
    assert losses.min() > worst
    decide(
        "T51",
        "inconsistent",
        f"than {number(worst)}",
        f"guesses {number(chance)}",
        f"printed {numbers(losses)}",
        f"losses of {numbers(implied, 3)}",
    )


def test_t53_the_weights_are_not_of_the_logarithmic_grid():
    weights = printed(THESIS, "eq-4.17")["value"].to_numpy().reshape(4, 2)
    on_linear = weights * 80
    assert on_linear == pytest.approx(np.round(on_linear))
    assert weights.sum(axis=1) == pytest.approx(np.ones(4))
    steps = np.abs(np.log10(weights[:, 0] / weights[:, 1])) * 79 / 6
    assert np.abs(steps - np.round(steps)).min() > 0.3
    decide(
        "T53",
        "inconsistent",
        f"weights are {numbers(on_linear.ravel())}",
        f"steps, not {numbers(np.unique(np.round(steps, 2)))}",
    )


def test_t54_satellite_has_36_features():
    first, second = (printed_table(THESIS, f"table-4.{k}").loc["Satellite"] for k in (3, 8))
    spread = printed_table(THESIS, "table-4.8", "std").loc["Satellite", "equal error xi_eq"]
    error, other = first["mean error eps"], second["equal error xi_eq"]
    bands, pixels = 4, 9
    assert first["d"] == second["d"] == 17 != bands * pixels
    assert (other - error) / spread > 3
    decide(
        "T54",
        "inconsistent",
        f"d = {first['d']:.0f}",
        f"tables; {bands}",
        f"bands of {pixels}",
        f"pixels are {bands * pixels}",
        f"errs by {error:.2f}",
        f"table and {other:.2f}",
        f"other, {number((other - error) / spread, 2)}",
    )


def test_t56_26_classes_are_no_digits():
    calculations = 80.0**25
    assert f"{calculations:.3g}" == "3.78e+47"
    classes = printed_table(THESIS, "table-4.3").loc["Letter", "C"]
    decide("T56", "error", f"{classes:.0f}", f"80^25 = {number(calculations, 3)}")


def test_t58_the_printed_rates_are_those_of_a_sample():
    """Class 1 has 0.95 of its mass about 0 and the rest about 7.5; classes 2 and 3 are about -3
    and 8. One edge between two modes gives both rates of a pair."""
    deviation = 0.5**0.5
    pairs, needed = [], []
    for equation in ("eq-4.38", "eq-4.39"):
        rates = printed_table(THESIS, equation)
        needed += rates.loc["xi_{1,j}"].tolist()
        for k, weight, mode, rival in ((2, 0.95, 0.0, -3.0), (3, 0.05, 7.5, 8.0)):
            missed = rates.loc[f"xi_{{{k},j}}", "xi_{i,1}"]
            if missed > 0:
                side = 1 if mode > rival else -1
                edge = rival + side * norm.isf(missed) * deviation
                exact = weight * norm.cdf(side * (edge - mode) / deviation)
                pairs.append((k, rates.loc["xi_{1,j}", f"xi_{{i,{k}}}"], missed, exact))
    smallest = next(
        n for n in range(1, 10_000) if all(abs(round(v * n) / n - v) <= 5.0001e-5 for v in needed)
    )
    off = [(one - exact) / (exact * (1 - exact) / smallest) ** 0.5 for _, one, _, exact in pairs]
    assert len(off) == 3
    assert max(map(abs, off)) < 2
    found = [
        f"xi_1{k} is {one:.4f} at xi_{k}1 = {missed:.4f}, where the ROC has {exact:.4f}"
        for k, one, missed, exact in pairs
    ]
    decide(
        "T58",
        "correct",
        f"{'; '.join(found)}",
        f"rates of {smallest}",
        f"they lie {numbers(off, 2)}",
    )


def test_t59_delve_and_segmentation_are_one_set():
    table = printed_table(THESIS, "table-4.8")
    spreads = printed_table(THESIS, "table-4.8", "std")["equal error xi_eq"]
    rows = ["Delve", "Segmentation"]
    texts = pd.read_csv(values_of(THESIS), dtype=str, keep_default_na=False)
    texts = texts[(texts["artefact"] == "table-4.8") & (texts["column"] == "Classifier")]
    classifiers = texts.set_index("row")["value"]
    one, two = table.loc[rows[0]], table.loc[rows[1]]
    assert (one["Objects"], one["C"]) == (two["Objects"], two["C"])
    assert classifiers[rows[0]] == classifiers[rows[1]]
    apart = (one["equal error xi_eq"] - two["equal error xi_eq"]) / spreads[rows].max()
    assert apart > 3
    decide(
        "T59",
        "correct",
        f"have {one['Objects']:.0f}",
        f"objects, {one['C']:.0f}",
        f"classifier {classifiers[rows[0]]}",
        f"with {one['d']:.0f}",
        f"with {two['d']:.0f}",
        f"errors {one['equal error xi_eq']:.2f}% and {two['equal error xi_eq']:.2f}%",
        number(apart, 2),
    )
