"""What nobody had suspected in the thesis, found by comparing its numbers."""

import re

import numpy as np
import pandas as pd
import pytest
from scipy.stats import binom

from leads import decide, number, numbers, printed, printed_table, values_of
from opchar.multiclass.gaussians import confusion_rates
from opchar.reject.characteristic import RejectCharacteristic
from opchar.reject.volume import vuc_of_patch
from opchar.spaces.p_roc import least_auprec
from opchar.spaces.points import from_rates
from opchar.spaces.roc import auc
from opchar_reproduction.publications.landgrebe2007.chapter5.validation.gains import patch_rates

THESIS = "landgrebe2007"


def test_t66_the_auprec_of_model_a_is_out_of_reach_of_its_auc():
    table, spreads = (printed_table(THESIS, "table-2.3", what) for what in ("value", "std"))
    row = "AUPREC (0.5)"
    least = {m: least_auprec(table.loc["AUC", m], 0.5) for m in table.columns}
    out = [m for m in table.columns if least[m] > table.loc[row, m]]
    assert out == ["model A"]
    low = least_auprec(table.loc["AUC", out[0]] - 3 * spreads.loc["AUC", out[0]], 0.5)
    assert low > table.loc[row, out[0]] + 3 * spreads.loc[row, out[0]]
    decide(
        "T66",
        "inconsistent",
        f"AUC {table.loc['AUC', out[0]]:.3f} ({spreads.loc['AUC', out[0]]:.3f}",
        f"below {number(least[out[0]], 3)}",
        f"below {number(low, 3)}",
        f"printed {table.loc[row, out[0]]:.3f} ({spreads.loc[row, out[0]]:.3f}",
        f"from {numbers([least['model B'], least['model C']], 3)}",
    )


def test_t67_the_caption_raises_the_weight_that_the_text_lowers():
    weights = np.array([[1, 1, 1, 1], [1, 0.3, 1, 1], [0.3, 1, 1, 1]])
    rates = confusion_rates([-3.0, 0.0, 3.0, 6.0], 1.0, weights)
    equal, text, caption = ((each[0, 1], each[1, 0]) for each in rates)
    assert text[0] < equal[0] < caption[0]
    assert text[1] > equal[1] > caption[1]
    decide(
        "T67",
        "inconsistent",
        f"from ({numbers(equal)}) to ({numbers(text)}",
        f"to ({numbers(caption)}",
    )


def test_t68_not_all_rates_of_a_group_change():
    weights = np.ones((2, 4))
    weights[1, 0] = 0.1
    equal, perturbed = confusion_rates([-8.0, -5.0, 5.0, 8.0], 1.0, weights)
    changes = np.abs(perturbed - equal)[:, 1]
    assert (changes[:2] > 0.01).all()
    assert (changes[2:] < 1e-9).all()
    decide("T68", "error", f"changes by {numbers(np.round(changes, 9))}")


def test_t69_without_rejection_mogc_is_not_worse_than_qdc():
    errors = printed_table(THESIS, "table-5.2")["eps_norej"]
    spreads = printed_table(THESIS, "table-5.2", "std")["eps_norej"]
    apart = (errors["QDC"] - errors["MOGC"]) / np.hypot(spreads["QDC"], spreads["MOGC"])
    assert errors["MOGC"] < errors["QDC"]
    worst = errors.idxmax()
    decide(
        "T69",
        "inconsistent",
        f"eps_norej is {errors['MOGC']:.3f}",
        f"MOGC and {errors['QDC']:.3f}",
        f"QDC, {number(apart, 2)}",
        f"worse, and {worst}",
    )


def change_of_volume(dims, own):
    """Return how the volume under the patch changes when t_d above 0.2 is left out.

    Normal targets and outliers and a ball of unseen objects; `own`: whether both ranges have eleven
    thresholds of their own, or the smaller one those of the whole that lie in it.
    """
    rng, n = np.random.default_rng(0), 400
    target, outlier = rng.normal(size=(n, dims)), rng.normal(size=(n, dims)) + 3 / np.sqrt(dims)
    unseen = rng.normal(size=(n, dims))
    unseen *= 4 * rng.uniform(size=(n, 1)) ** (1 / dims) / np.linalg.norm(unseen, axis=1)[:, None]

    def scored(x):
        distance = 3 * x.sum(axis=1) / np.sqrt(dims) - 4.5
        return np.c_[1 / (1 + np.exp(distance)), -(x**2).sum(axis=1) / 2]

    sample = RejectCharacteristic(scored(target), scored(outlier), scored(unseen))
    highest = sample.target[:, 1].max()
    whole, part = (
        vuc_of_patch(patch_rates(sample, (100, thresholds), level)).under_patch
        for thresholds, level in ((11, highest), (11 if own else 3, highest + np.log(0.2)))
    )
    return part - whole


def test_t70_a_restricted_volume_moves_both_ways_by_its_thresholds():
    full = printed_table(THESIS, "table-5.3")["VUC"]
    restricted = printed(THESIS, "text-5.3.4")
    changes = {}
    for name in ("Fisher LDC", "PCA-4D LDC"):
        whole = full[f"Satellite / {name} t_d=0.10"]
        part = restricted.loc[restricted["row"].str.contains(name), "value"].iloc[0]
        changes[name] = part - whole
    assert min(changes.values()) < 0 < max(changes.values())
    assert max(change_of_volume(dims, own=False) for dims in (1, 4)) < 0
    falls, rises = (change_of_volume(dims, own=True) for dims in (1, 4))
    assert falls < 0 < rises
    shown = ", ".join(f"{name} by {change:+.3f}" for name, change in changes.items())
    by_own = f"moves by {falls:+.3f}", f"by {rises:+.3f}"
    decide("T70", "undecided", f"VUC_2 {shown}", *by_own)


def test_t71_one_term_of_a_decomposition_lacks_its_order():
    lines = pd.read_csv(values_of(THESIS), dtype=str, keep_default_na=False)
    lines = lines[(lines["artefact"] == "table-4.8") & (lines["column"] == "Decomposition")]
    terms = {line.row: line.value.split(" + ") for line in lines.itertuples()}
    orders = re.compile(r"\d*O\(r(\^\d)?\)")
    without = {row: [t for t in each if not orders.fullmatch(t)] for row, each in terms.items()}
    found = [f"{row} {term}" for row, each in without.items() for term in each]
    assert found == ["Nist 2(r)"]
    decide("T71", "notation", f"of {sum(map(len, terms.values()))}", f"order: {found[0]}")


def test_t72_an_auc_may_be_below_one_half():
    reversed_ = auc(from_rates([0.2, 0.6], [0.6, 0.9]))
    worst = auc(from_rates([0.0], [1.0]))
    assert worst == 0
    assert reversed_ < 0.5
    decide("T72", "inconsistent", f"have AUC {number(reversed_)}", f"(1, 0) {number(worst)}")


def same_digits(first: int, second: int, share: float) -> float:
    """Return how likely two sets of objects give one error in two decimals of a percent.

    Each object is wrong with the same probability in both.
    """
    chances = []
    for objects in (first, second):
        wrong = np.arange(objects + 1)
        shown = np.round(100 * wrong / objects + 1e-9, 2)
        chances.append(pd.Series(binom.pmf(wrong, objects, share)).groupby(shown).sum())
    both = pd.concat(chances, axis=1, join="inner")
    return float((both[0] * both[1]).sum())


def test_t73_two_pairs_of_errors_are_alike_to_the_digit():
    table = printed_table(THESIS, "table-4.3")
    errors, objects = table["mean error eps"], table["Test"].astype(int)
    alike = [tuple(errors.index[errors == e]) for e in errors[errors.duplicated()].unique()]
    assert alike == [("PRTools8", "PRTools16"), ("Letter", "Satellite")]
    wrong = errors / 100 * objects
    one, ten, other = (
        same_digits(splits * objects[a], splits * objects[b], errors[a] / 100)
        for splits, (a, b) in ((1, alike[0]), (10, alike[0]), (1, alike[1]))
    )
    assert max(one, ten, other) < 0.05
    assert same_digits(1, 1, 0.5) == pytest.approx(0.5)
    whole = {name: abs(value - round(value)) < 1e-9 for name, value in wrong.items()}
    assert [whole[name] for pair in alike for name in pair] == [False, False, True, True]
    decide(
        "T73",
        "undecided",
        *(f"by {errors[a]:.2f}%" for a, _ in alike),
        *(f"{number(wrong[name])} of {objects[name]}" for pair in alike for name in pair),
        f"chance in {one:.1%}",
        f"splits or {ten:.1%}",
        f"and in {other:.1%}",
    )


def test_t74_repeated_counts_are_those_at_the_limit():
    """A row in which all fifty are won has one number left, and that is at most fifty."""
    found = []
    for label in ("4.7", "4.9", "4.10"):
        table = printed_table(THESIS, f"table-{label}")
        won = table[table["Won"] == 50]
        repeated = table[table.duplicated(keep=False)]
        assert set(repeated.index) <= set(won.index)
        counts = won["Won significant (95%)"]
        assert won.drop(columns=counts.name).drop_duplicates().shape[0] == 1
        possible = 50 - counts.min() + 1
        chance = 1 - np.prod(np.clip(1 - np.arange(len(won)) / possible, 0, 1))
        assert chance > 0.8
        found.append(
            f"{len(repeated)} of {len(table)} rows of Table {label} (of {len(won)} with fifty won, "
            f"significant in {counts.min():.0f} to 50, two are alike by chance in {chance:.0%})"
        )
    decide("T74", "correct", f"repeated by {'; '.join(found)}")
