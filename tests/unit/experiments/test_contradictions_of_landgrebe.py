"""Printed numbers of the thesis that exclude each other, each shown by a bound on what can be."""

import re
from ast import literal_eval
from itertools import product

import numpy as np
import pytest

from leads import printed_table
from opchar.spaces.p_roc import exact_auprec
from opchar.spaces.points import from_rates
from opchar.spaces.roc import auc
from opchar_reproduction.publication import folders
from opchar_reproduction.report.comparison.published_values import read_errata, read_lines

THESIS = "landgrebe2007"
BALANCED = 0.5
# A mean over priors is below the mean over the upper ends of parts of their range.
PRIORS = {
    "AUPREC (0.1)": [0.1],
    "AUPREC (0.01)": [0.01],
    "IAUPREC": np.linspace(0.05, 0.2, 31)[1:],
}


def precision(prior, recall, fpr):
    return np.where(fpr == 0, 1.0, prior * recall / (prior * recall + (1 - prior) * fpr + 1e-300))


def least_balanced(priors, given, area, steps=300):
    """Return a bound that no AUPREC(0.5) of a mean of rising ROC curves is below.

    `given`: The mean area at other priors; `area`: the AUC. The curve crosses cells of recall and
    FPR. In each, least and largest precisions bound its part of
    AUPREC(0.5) - y * given - z * area, for any y and z.
    """
    recall, fpr = np.linspace(0, 1, steps + 1)[:, None], np.r_[0, np.geomspace(1e-4, 1, steps)]
    low = precision(BALANCED, recall[:-1], fpr[1:])
    high = np.mean([precision(prior, recall[1:], fpr[:-1]) for prior in priors], axis=0)

    def bound(y, z):
        least = np.zeros(steps)
        for row in (low - y * high - z * (1 - fpr[:-1])) / steps:
            least = np.minimum.accumulate(least + row)
        return float(least.min() + y * given + z * area)

    weights = product(np.arange(0.1, 0.8, 0.1), [0.0, 0.5, 1.25])
    return max(bound(y, z) for y, z in weights)


def test_the_bound_is_below_the_area_of_any_curve_and_of_their_mean():
    rng, found = np.random.default_rng(0), []
    for _ in range(20):
        rates = np.sort(rng.uniform(size=(2, 8)) ** rng.uniform(0.2, 4, size=(2, 1)), axis=1)
        curve = from_rates([0, *rates[0], 1], [0, *rates[1], 1])
        areas = [exact_auprec(curve, prior) for prior in (0.1, BALANCED)]
        found.append([*areas, auc(curve)])
    for given, balanced, area in [*found, np.mean(found, axis=0)]:
        assert least_balanced([0.1], given, area) < balanced


@pytest.mark.parametrize("other", list(PRIORS))
@pytest.mark.parametrize(("model", "line"), [("model A", "0093"), ("model C", "0095")])
def test_the_areas_of_two_models_exclude_each_other(model, line, other):
    """By convexity the bound holds for means over folds, whatever their spread.

    Steps of the sums cannot make up for it: the printed area is more than 0.04 below the bound.
    """
    areas = printed_table(THESIS, "table-2.3")[model]
    half_digit = 0.0005
    least = least_balanced(PRIORS[other], areas[other] - half_digit, areas["AUC"] - half_digit)
    why = read_errata(folders(THESIS)).set_index("id").loc[f"{THESIS}:{line}", "why"]
    said = re.search(r"at least (\S+), (\S+) and ([\d.]+)", why)
    stated = dict(zip(PRIORS, map(float, said.groups()), strict=True))[other]
    assert areas["AUPREC (0.5)"] + 0.04 < stated <= least < stated + 0.02


def test_without_interactions_the_printed_areas_allow_no_f_of_480():
    """The residual has at least what one common fold effect leaves of the printed spreads."""
    names = ["AUPREC (0.5)", "AUPREC (0.1)", "AUPREC (0.01)"]
    means, spreads = (
        printed_table(THESIS, "table-2.3", what).loc[names].to_numpy().T
        for what in ("value", "std")
    )
    folds, (models, priors) = 20, means.shape
    apart = means.mean(axis=1) - means.mean()
    between = folds * priors * (apart**2).sum() / (models - 1)
    crossed = means - means.mean(axis=1, keepdims=True) - means.mean(axis=0) + means.mean()
    # Cells whose folds all move together leave the least: sum of squares of s minus their mean.
    least = (folds - 1) * ((spreads**2).sum() - spreads.sum() ** 2 / spreads.size)
    freedom = folds * models * priors - 1 - (models - 1) - (priors - 1) - (folds - 1)
    largest = between / ((folds * (crossed**2).sum() + least) / freedom)
    assert round(largest) == 81
    lines = read_lines(folders(THESIS)).set_index("id")
    assert float(lines.loc["landgrebe2007:0109", "value"]) > 5 * largest


def test_independent_losses_of_mfeat_exceed_what_those_at_other_costs_allow():
    """Best alone, the stages lose at most what each loses in any design of the same system.

    A target is lost by at most both stages and by at least either. The classifier is best alone at
    equal costs of the targets. The detector has the same threshold at the costs 3 and 3 as at 10
    and 10; at 3 and 12 it is best, so that it loses at most three times as much as any other.
    """
    table = printed_table(THESIS, "table-6.1").dropna(subset="Cost 1 [1, 1, 1, 3]")
    independent = table[table.index.str.endswith(" I")]
    costs = {
        name: literal_eval(name.split(" ", 2)[2])
        for name in table
        if name.startswith("Cost") and name.count(",") == 3
    }
    known, balanced, outlier = (list(costs)[at] for at in (1, 0, 3))
    assert [costs[name] for name in (known, balanced, outlier)] == [
        [8, 1, 1, 10],
        [1, 1, 1, 3],
        [1, 1, 1, 12],
    ]
    assert len(independent) == 3
    half_digit = 0.0005
    for name, stages in ((balanced, 1 + 1), (outlier, 1 + 3)):
        most = stages * (independent[known] + half_digit)
        assert (independent[name] - half_digit > most).all()


@pytest.mark.parametrize("artefact", ["table-4.7", "table-4.9", "table-4.10"])
def test_the_print_has_no_place_for_equal_losses(artefact):
    """Lost and won add up to the fifty scenarios, and no equal ones are told."""
    table = printed_table(THESIS, artefact)
    assert (table["Lost"] + table["Won"] == 50).all()
    if artefact != "table-4.7":
        significant = table.filter(like="significant").loc["Dermatology / vs Greedy"]
        assert (significant == 0).all()


def test_every_number_of_a_contradiction_is_listed():
    """The area under the ROC curve is not; the data give it nearly as printed."""
    errata = read_errata(folders(THESIS)).set_index("id")
    lines = read_lines(folders(THESIS))
    of_models = (lines["artefact"] == "table-2.3") & lines["column"].isin(["model A", "model C"])
    of_volumes = (lines["artefact"] == "text-5.3.4") & (lines["kind"] == "number")
    chosen = lines[(of_models & (lines["row"] != "AUC")) | of_volumes]
    assert len(chosen) == 10
    for line in chosen.itertuples():
        assert errata.loc[line.id, "verdict"] == "inconsistent", line.id
        assert errata.loc[line.id, "printed"] == line.value
