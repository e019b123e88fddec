"""Printed numbers of the thesis that exclude each other, each shown by a bound on what can be."""

import re
from ast import literal_eval

import numpy as np
import pytest
from scipy.stats import f, studentized_range

from leads import printed_table
from opchar.spaces.p_roc import exact_auprec
from opchar.spaces.points import from_rates
from opchar.spaces.roc import auc
from opchar_reproduction.publication import folders
from opchar_reproduction.report.comparison.published_values import read_errata, read_lines

THESIS = "landgrebe2007"
BALANCED = 0.5
FOLDS = 20
HALF_DIGIT = 0.0005
# Of negatives to positives. Of the range of IAUPREC the largest prior is 0.2.
ODDS = {"AUPREC (0.1)": 9, "AUPREC (0.01)": 99, "IAUPREC": 4}


def fall(fpr_by_recall, odds):
    """Return how far precision falls from balanced priors to these odds."""
    t = np.minimum(fpr_by_recall, 1e9)
    return (odds - 1) * t / ((1 + t) * (1 + odds * t))


def least_fall(odds, missed, worst, latest, steps=200):
    """Return a bound that no mean fall of AUPREC from balanced priors to these odds is below.

    `missed`: 1 - AUC, the mean of all curves; `worst`: the largest of one curve; `latest`: the
    largest recall at which the sum of a curve starts; it ends at recall one. In each cell of recall
    and FPR that a curve crosses, the least fall and the largest FPR bound its part of
    fall - y * missed, for any y. Up to its start a curve misses at most the FPR there.
    """
    recall, fpr = np.linspace(0, 1, steps + 1), np.r_[0, np.geomspace(1e-4, 1, steps)]
    with np.errstate(divide="ignore"):
        ends = fpr[:-1] / recall[1:, None], fpr[1:] / recall[:-1, None]
    cells = np.minimum(*(fall(end, odds) for end in ends))
    cells[fpr[:-1] * (1 - recall[1:, None]) > worst] = np.inf
    starts = np.arange(int(np.ceil(latest * steps)) + 2)[:, None]

    def bound(y):
        least = np.zeros((len(starts), steps))
        for at, cell in enumerate(cells):
            part = np.where(starts > at, np.where(np.isinf(cell), np.inf, 0), cell) - y * fpr[1:]
            least = np.minimum.accumulate(least + part / steps, axis=1)
        return float(least.min() + y * missed)

    return max(bound(y) for y in (0.24, 0.32, 0.4, 0.48))


def test_the_bound_is_below_the_fall_of_any_curve_and_of_their_mean():
    rng, found = np.random.default_rng(0), []
    for _ in range(20):
        rates = np.sort(rng.uniform(size=(2, 8)) ** rng.uniform(0.2, 4, size=(2, 1)), axis=1)
        curve = from_rates([0, *rates[0], 1], [0, *rates[1], 1])
        areas = [exact_auprec(curve, prior) for prior in (BALANCED, 0.1)]
        found.append([areas[0] - areas[1], 1 - auc(curve)])
    fell, missed = np.array(found).T
    for one, area in zip(fell, missed, strict=True):
        assert least_fall(9, area, area, 0) < one
    assert 0 < least_fall(9, missed.mean(), missed.max(), 0.3) < fell.mean()


@pytest.mark.parametrize(
    ("model", "line", "others"),
    [("model A", "0093", list(ODDS)), ("model C", "0095", ["AUPREC (0.1)", "IAUPREC"])],
)
def test_the_areas_of_two_models_exclude_each_other(model, line, others):
    """The sum ends where all is accepted, and may start at any recall that its area allows.

    No curve of a fold is further from the mean than the printed spread allows.
    """
    areas = printed_table(THESIS, "table-2.3")[model]
    spreads = printed_table(THESIS, "table-2.3", "std")[model] + HALF_DIGIT
    furthest = spreads * (FOLDS - 1) / np.sqrt(FOLDS) + HALF_DIGIT
    balanced = "AUPREC (0.5)"
    missed = 1 - areas["AUC"]
    why = read_errata(folders(THESIS)).set_index("id").loc[f"{THESIS}:{line}", "why"]
    said = re.search(r"by at least (.*?); the print has at most (.*)", why)
    stated = [[float(each) for each in re.findall(r"0\.\d+", part)] for part in said.groups()]
    for other, low, most in zip(others, *stated, strict=True):
        worst, latest = missed + furthest["AUC"], 1 - areas[balanced] + furthest[balanced]
        least = least_fall(ODDS[other], missed - HALF_DIGIT, worst, latest)
        printed = areas[balanced] - areas[other] + 2 * HALF_DIGIT
        assert printed == pytest.approx(most)
        assert most < low <= least < low + 0.01


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
    of_range, of_priors = (float(lines.loc[f"{THESIS}:{n}", "value"]) for n in ("0108", "0109"))
    assert of_priors > 5 * largest
    assert round(of_priors / of_range, 2) == 23


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


def test_phoneme_models_that_compete_differ_as_clearly_as_those_that_do_not():
    """Model 3 "competes" with 2 in AUC (Sec. 2.2.6); 2 is better in AccSens, "(significant)".

    The work tests at 99.5 %. Without a common effect of the hold-outs the printed spreads make both
    significant; blocks of hold-outs alter that only where the AUC of one falls as the other rises.
    """
    means, spreads = (printed_table(THESIS, "table-2.2", what) for what in ("value", "std"))
    rows = [name for name in means.index if name.startswith("Phoneme")]
    folds, level = 10, 0.005

    def studentized(measure, third=0.0):
        mean, spread = means.loc[rows, measure].to_numpy(), spreads.loc[rows, measure].to_numpy()
        return abs(mean[2] + third - mean[1]) / np.sqrt((spread**2).mean() / folds)

    area, both = studentized("AUC"), studentized("AccSens")
    for freedom in (len(rows) * (folds - 1), (len(rows) - 1) * (folds - 1)):
        limit = studentized_range.isf(level, len(rows), freedom)
        assert both < area and limit < both
        # Had model 3 been as good as model 1, the claim would hold.
        assert studentized("AUC", third=0.014) < limit
    apart = means.loc[rows[1], "AUC"] - means.loc[rows[2], "AUC"]
    one, other = (spreads.loc[rows[k], "AUC"] for k in (1, 2))
    # The correlation below which the two-way test of this pair is not significant.
    least = f.isf(level, 1, folds - 1)
    opposed = ((one**2 + other**2) / 2 - folds * apart**2 / 2 / least) / (one * other)
    assert opposed == pytest.approx(-0.31, abs=0.01)


def test_every_number_of_a_contradiction_is_listed():
    """The area under the ROC curve is not; the data give it nearly as printed.

    AUPREC(0.01) of model C is not either; where a sum may start at any recall it is possible.
    """
    errata = read_errata(folders(THESIS)).set_index("id")
    lines = read_lines(folders(THESIS))
    chosen = lines[
        (lines["artefact"] == "table-2.3") & lines["column"].isin(["model A", "model C"])
    ]
    listed = chosen[chosen["id"].isin(errata.index)]
    missing = chosen[~chosen["id"].isin(errata.index)]
    assert len(listed) == 7
    assert missing["row"].tolist() == ["AUPREC (0.01)", "AUC", "AUC"]
    for line in listed.itertuples():
        assert errata.loc[line.id, "verdict"] == "inconsistent", line.id
        assert errata.loc[line.id, "printed"] == line.value
