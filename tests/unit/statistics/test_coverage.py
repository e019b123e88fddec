"""Intervals and bands for 95 % hold the truth in 93 to 97 % of samples of 30 and 1,000 positives.

Positives have normal scores of mean d and standard deviation 1, negatives of mean 0; ten negatives
a positive. Second and third models share a part of their noise with the first, so that models are
compared on the same objects. What an interval is to cover is known: the area of the population, or
the cost and F-measure that the very thresholds that were chosen have there. Families of conditions
are covered when the whole band is right at once.

The share of samples is itself known to some standard errors only: where few samples are drawn, a
share must lie within `ERRORS` of them of that range.
"""

import numpy as np
import pytest
from scipy.special import ndtr
from scipy.stats import norm

from opchar.seeds import generator
from opchar.spaces.cost import expected_cost, lower_envelope
from opchar.spaces.f_measure import f_measure, upper_envelope
from opchar.statistics.areas import areas
from opchar.statistics.cross_fitting import cross_fitted, drawn_folds
from opchar.statistics.proportions import guaranteed_threshold
from opchar.statistics.ranking import rank_scores
from opchar.statistics.rate_curves import near_thresholds, rate_curves

PC = np.linspace(0.05, 0.95, 19)
MEANS = (1.2, 1.5, 1.2)
MANY = 500
LOW, HIGH = 0.93, 0.97
ERRORS = 2.6
SAMPLES = 250
# Beside what is used: the plain interval is the alternative that the page on analyses shows.
UNUSED = ("AUC, plain",)


def drawn(rng: np.random.Generator, positives: int, shift: float = 0.0):
    """Draw labels and the scores of three models, whose noise is correlated by one half."""
    is_positive = np.arange(11 * positives) < positives
    shared = rng.normal(size=len(is_positive))
    noise = np.sqrt(0.5) * (shared + rng.normal(size=(3, len(is_positive))))
    return is_positive, noise + (np.array(MEANS)[:, None] + shift) * is_positive


def true_rates(thresholds, fold, is_positive, mean):
    """Return the true rates of thresholds, averaged as the objects of the folds are."""
    rates = []
    for of_class, centre in ((is_positive, mean), (~is_positive, 0.0)):
        shares = np.bincount(fold[of_class], minlength=len(thresholds)) / of_class.sum()
        rates.append(shares @ ndtr(centre - thresholds))
    return rates


def one(rng: np.random.Generator, positives: int, shift: float) -> dict[str, bool]:
    """Return which intervals of one sample cover what they are to cover."""
    is_positive, scores = drawn(rng, positives, shift)
    means = np.array(MEANS) + shift
    truth = ndtr(means / np.sqrt(2))
    found = areas(is_positive, scores)
    covered = {"AUC, logit (used)": inside(truth[0], [end[0] for end in found.interval()])}
    reach = 1.96 * found.errors[0]
    covered["AUC, plain"] = inside(truth[0], (found.areas[0] - reach, found.areas[0] + reach))
    covered["AUC difference"] = inside(truth[1] - truth[0], found.difference(1, 0)[1:3])
    fold = drawn_folds(is_positive, rng)

    def cost(tpr, fpr):
        return expected_cost(tpr, fpr, PC)

    models = [rank_scores(is_positive, row) for row in scores]
    chosen = [cross_fitted(m, fold, lambda p: lower_envelope(p).threshold(PC)) for m in models]
    near = [near_thresholds(m.points(), cost) for m in models]
    curves = rate_curves(models, chosen, near, fold)
    true = np.array(
        [
            expected_cost(*true_rates(c.thresholds, fold, is_positive, mean), PC)
            for c, mean in zip(chosen, means, strict=True)
        ]
    )

    bands = curves.band(cost, rng)
    low, high = bands.low, bands.high
    for place in (1, 9, 17):
        inside_here = low[0, place] <= true[0, place] <= high[0, place]
        covered[f"cost at PC(+) {PC[place]:.1f}"] = bool(inside_here)
    low, high = bands.band_low, bands.band_high
    covered["cost, band"] = bool(((low[0] <= true[0]) & (true[0] <= high[0])).all())
    families = {"two models": [(0, 1)]}
    if positives < MANY:  # the widths take long
        families["three models"] = [(0, 1), (0, 2), (1, 2)]
    for name, pairs in families.items():
        differences = curves.differences(cost, pairs, rng)
        aim = np.array([true[a] - true[b] for a, b in pairs])
        low, high = differences.band_low, differences.band_high
        covered[f"cost differences, band, {name}"] = bool(((low <= aim) & (aim <= high)).all())
    low, high = differences.low, differences.high
    covered["cost difference at PC(+) 0.5"] = bool(low[0, 9] <= aim[0, 9] <= high[0, 9])
    covered |= _f_measures(rng, models[0], fold, is_positive, means[0])
    limit = guaranteed_threshold(scores[0][~is_positive], 0.05)
    covered["limit on FPR is kept"] = bool(norm.sf(limit) <= 0.05)
    return covered


def _f_measures(rng, model, fold, is_positive, mean) -> dict[str, bool]:
    priors = np.linspace(0.05, 0.95, 19)
    chosen = cross_fitted(model, fold, lambda p: upper_envelope(p, 0.5).threshold(priors))

    def value(tpr, fpr):
        return f_measure(tpr, fpr, priors, 0.5)

    true = value(*true_rates(chosen.thresholds, fold, is_positive, mean))
    near = near_thresholds(model.points(), value, largest=True)
    bands = rate_curves([model], [chosen], [near], fold).band(value, rng)
    (low, high), (band_low, band_high) = (bands.low, bands.high), (bands.band_low, bands.band_high)
    at = {
        f"F at prior {priors[place]:.2f}": bool(low[0, place] <= true[place] <= high[0, place])
        for place in (1, 9)
    }
    return at | {"F, band": bool(((band_low[0] <= true) & (true <= band_high[0])).all())}


def inside(value: float, ends) -> bool:
    return bool(ends[0] <= value <= ends[1])


@pytest.mark.check
@pytest.mark.parametrize("positives", [30, 1000])
@pytest.mark.parametrize("shift", [0.0, 1.2])
def test_areas_and_their_differences_are_covered(positives: int, shift: float) -> None:
    means = np.array(MEANS)[:2] + shift
    truth = ndtr(means / np.sqrt(2))
    own, apart = [], []
    for seed in range(700):
        rng = np.random.default_rng([positives, seed])
        is_positive, scores = drawn(rng, positives, shift)
        found = areas(is_positive, scores[:2])
        own.append(inside(truth[0], [end[0] for end in found.interval()]))
        apart.append(inside(truth[1] - truth[0], found.difference(1, 0)[1:3]))
    assert LOW <= np.mean(own) <= HIGH
    assert LOW <= np.mean(apart) <= HIGH


def outside(share: float, samples: int) -> bool:
    """Whether a share of samples is farther from 93 to 97 % than its error explains."""
    near = min(max(share, LOW), HIGH)
    return abs(share - near) > ERRORS * np.sqrt(near * (1 - near) / samples)


def test_a_wrong_coverage_is_noticed() -> None:
    assert not outside(0.95, SAMPLES)
    assert outside(0.88, SAMPLES)
    assert outside(1.0, SAMPLES)


@pytest.mark.slow
@pytest.mark.parametrize("positives", [30, 1000])
@pytest.mark.parametrize("shift", [0.0, 1.2])
def test_costs_f_measures_bands_and_limits_are_covered(positives: int, shift: float) -> None:
    """Cross-fitted thresholds, and bands over all conditions and pairs of models at once."""
    found = [
        one(generator(1, "coverage", positives, shift, sample), positives, shift)
        for sample in range(SAMPLES)
    ]
    shares = {name: float(np.mean([each[name] for each in found])) for name in found[0]}
    used = {name: share for name, share in shares.items() if name not in UNUSED}
    assert {"cost, band", "F, band", "cost differences, band, two models"} <= set(used)
    assert {name: share for name, share in used.items() if outside(share, SAMPLES)} == {}
