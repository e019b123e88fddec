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
    decide(
        "T19",
        "error",
        f"seven classes, one of them set aside as the text says: {without_one} pairings, "
        f"{without_any} if it may be any; {by_formula} = 6 x 4 x 2 is the product of Eq. 4.14, "
        "which ends in 1 for even C only",
    )


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
        f"a classifier without errors, which Eq. 4.19 sets to 1: the sum of Eq. 4.18 is "
        f"{as_printed:.0f}, over all cells {all_cells:.0f}, over all cells and weighted with the "
        f"priors {weighted:.0f}; so read it is linear in the loss, as print is: (1 - MSU)/L = "
        f"{numbers(slopes)}",
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
        f"Eq. 4.36: just above the smallest insignificant change, {small[0]:.4f}, the groups are "
        f"{shown['smallest']}; above the largest, {small[-1]:.4f}, {shown['largest']} as the text "
        f"has them; at most M groups are had by lowering t_s, down to {len(few)} group of "
        f"{len(few[0])} classes, the largest calculation",
    )


def test_t26_ten_folds_leave_nine_tenths():
    share = 1 - 1 / 10
    folds = 1 / (1 - 0.8)
    assert share != 0.8
    decide(
        "T26",
        "inconsistent",
        f"10-fold cross-validation trains on {share:.0%}; 80% are {folds:.0f} folds, or a repeated "
        "hold-out as elsewhere in the thesis",
    )


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
        f"with the printed costs and balanced priors no classifier loses more than "
        f"{number(worst)}, and one that guesses {number(chance)}; printed {numbers(losses)}; "
        f"the printed MSU of 0.8016 and 0.8675 belong to losses of {numbers(implied, 3)}",
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
        f"the weights are {numbers(on_linear.ravel())} eightieths and sum to 1 in each pair, also "
        "after the calibration of pairs to each other; on the grid of 80 logarithmic steps from "
        "1e-3 to 1e3 of Sec. 4.2.3 their ratios would be whole steps, not "
        f"{numbers(np.unique(np.round(steps, 2)))}",
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
        f"d = {first['d']:.0f} in both tables; {bands} bands of {pixels} pixels are "
        f"{bands * pixels}, as Secs. 2.3.6, 3.2.5, 3.3.5 and 5.3.4 say, and 17 are the principal "
        f"components of Sec. 3.2.5; the same classifier errs by {error:.2f}% in one table and "
        f"{other:.2f}% in the other, {number((other - error) / spread, 2)} spreads apart",
    )


def test_t56_26_classes_are_no_digits():
    calculations = 80.0**25
    assert f"{calculations:.3g}" == "3.78e+47"
    classes = printed_table(THESIS, "table-4.3").loc["Letter", "C"]
    decide(
        "T56",
        "error",
        f"{classes:.0f} classes, as 80^25 = {number(calculations, 3)} wants, are letters; digits "
        "have 10",
    )


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
        f"{'; '.join(found)}; as rates of {smallest} objects of class 1, the fewest that give "
        f"these digits, they lie {numbers(off, 2)} standard deviations off",
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
        f"both have {one['Objects']:.0f} objects, {one['C']:.0f} classes and the classifier "
        f"{classifiers[rows[0]]}, and the source of Delve is named image segmentation: one source, "
        f"here with {one['d']:.0f} and there with {two['d']:.0f} features, and errors "
        f"{one['equal error xi_eq']:.2f}% and {two['equal error xi_eq']:.2f}%, "
        f"{number(apart, 2)} spreads apart; no two places of the work disagree",
    )
