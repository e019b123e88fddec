import numpy as np
import pandas as pd
import pytest
from scipy.special import expit
from scipy.stats import norm

from measuring import entries, under_variants
from opchar.scores import ScoreTable
from opchar.spaces.det import equal_error_rate
from opchar.spaces.points import operating_points
from opchar_reproduction.project.variants import variant_changes
from opchar_reproduction.publication import folders
from opchar_reproduction.publications.landgrebe2007.chapter2.prior_sensitivity.measure import (
    real_data,
)
from opchar_reproduction.publications.landgrebe2007.chapter2.two_gaussians.measure import (
    equal_weighted,
    rates,
)
from opchar_reproduction.publications.landgrebe2007.chapter2.variants import (
    EPSILON,
    EQUAL,
    EQUAL_ERRORS,
    ERROR,
    EXCHANGED,
    JUDGED,
    LEAST,
    SWAPPED,
    Choices,
    measure_fold,
    measures,
    variants_beside,
)
from opchar_reproduction.report.comparison.published_values import read_lines
from opchar_reproduction.study import Shared

READ = [
    "least error",
    "least error, 100 thresholds",
    "equal weighted errors",
    "equal weighted errors, 100 thresholds",
    "posteriors weighted anew",
]


def scored(shift, folds=6, n=400, seed=0, scale=1.0):
    """Score two unit Gaussians `shift` apart by `scale` times their log odds, classes halved."""
    rng = np.random.default_rng(seed)
    y = np.tile(np.repeat([0, 1], n // 2), folds)
    x = rng.normal(size=len(y)) + shift * (y == 0)
    z = scale * shift * (x - shift / 2)
    fold = np.repeat(np.arange(folds), n)
    scores = np.column_stack([expit(z), expit(-z)])
    return ScoreTable(fold, np.arange(len(y)), y, scores, ("w1", "w2"), {"data": "gaussians"})


def by_variant(table, **more):
    return measure_fold(table, {"": Choices(), **variants_beside(100), **more}, 0.1, 0.9, Shared())


def test_the_table_has_the_variant_of_least_error_and_equal_errors():
    found = by_variant(scored(1.5, folds=1, n=100_000))
    assert set(found) == {"", *READ}
    assert {name: found[""][name] for name in JUDGED} == {
        name: found["least error"][name] for name in JUDGED
    }
    assert found[""][EPSILON] == pytest.approx(norm.sf(0.75), abs=0.01)
    assert found["least error"]["Sens"] > found["equal weighted errors"]["Sens"] + 0.05


def test_only_posteriors_weighted_anew_depend_on_the_scale_of_the_scores():
    plain, flat = (by_variant(scored(1.5, scale=scale)) for scale in (1, 0.2))
    for variant in ("", "least error", "equal weighted errors"):
        assert plain[variant] == pytest.approx(flat[variant])
    anew = "posteriors weighted anew"
    assert flat[anew]["Sens"] > plain[anew]["Sens"] + 0.1


def test_every_combination_of_choices_is_a_variant_and_is_not_changed_by_what_they_share():
    entry = entries("experiments", "landgrebe2007")["landgrebe2007/prior-sensitivity"]
    changes = variant_changes(entry["variants"])
    assert len(changes) == 72
    given = {"titles": {"s": "Sonar"}, "beyond": False}
    given["scores"] = {("s", f"m{n}"): scored(n, folds=3, n=60, seed=n) for n in (1, 2, 3)}
    found = under_variants(real_data, changes, **given)
    assert all(one.curves["measured"]["value"].between(0, 1).all() for one in found.values())
    for name in list(changes)[::5]:
        alone = real_data(**given | changes[name], shared=Shared())
        pd.testing.assert_frame_equal(found[name].frame(), alone.frame())
    whole = real_data(**given | {"beyond": True}, shared=Shared()).frame().drop(columns="note")
    printed = whole[whole["artefact"] == "table-2.2"].reset_index(drop=True)
    pd.testing.assert_frame_equal(found["primary"].frame().drop(columns="note"), printed)


def test_few_thresholds_cannot_tell_saturated_posteriors_apart():
    found = by_variant(scored(1.5, scale=40))
    coarse, fine = found["equal weighted errors, 100 thresholds"], found["equal weighted errors"]
    assert coarse["Sens"] > fine["Sens"] + 0.1


def test_eps_is_the_least_mean_error_whatever_the_rule_for_other_priors():
    """A class of two parts on either side of the other: equal errors are not the least."""
    y = np.repeat([True, False], [10, 10])
    points = operating_points(y, np.r_[np.arange(6.0) + 20, np.arange(4.0), np.arange(10.0) + 5])
    assert equal_error_rate(points).rate == pytest.approx(0.4)
    for rule in (LEAST, EQUAL):
        found = measures(points, Choices(rule), 0.1, 0.9)
        assert found[EPSILON] == pytest.approx(0.2)
        other = measures(points, Choices(rule, epsilon=EQUAL_ERRORS), 0.1, 0.9)
        assert other[EPSILON] == pytest.approx(0.4)


def test_a_perfect_classifier_does_not_drift():
    measured = by_variant(scored(60.0))[""]
    assert (measured["AUC"], measured["Sens"], measured[EPSILON]) == (1, 0, 0)


def test_printed_eps_and_sens_go_with_equal_weighted_errors():
    """What print says of itself: Gaussian classes with the printed eps, by both variants."""
    lines = read_lines(folders("landgrebe2007"))
    cells = lines[(lines["artefact"] == "table-2.2") & (lines["kind"] == "number")]
    printed = cells.pivot_table(index="row", columns="column", values="value", aggfunc="first")
    off = {"least error": [], "equal weighted errors": []}
    for _, line in printed.iterrows():
        half = -norm.ppf(float(line[EPSILON]))
        means, priors = [-half, half], np.array([0.1, 0.9])
        balanced = np.array([equal_weighted(means, 1.0, prior) for prior in priors])
        for variant, weights in (("least error", priors), ("equal weighted errors", balanced)):
            fnr, fpr = rates(means, 1.0, weights)
            sens = np.hypot(*np.diff([fnr, fpr], axis=1)[:, 0]) / np.sqrt(2)
            off[variant].append(abs(sens - float(line["Sens"])))
    assert len(printed) == 17
    least, equal = (np.array(found) for found in off.values())
    assert np.median(least).round(3) == 0.120
    assert np.median(equal).round(3) == 0.022
    assert (equal < least).sum() == 15


def test_printed_acc_sens_is_that_of_its_auc_and_sens():
    """A mean of roots over folds is no less than the root of the means, and not far above it."""
    lines = read_lines(folders("landgrebe2007"))
    cells = lines[(lines["artefact"] == "table-2.2") & (lines["kind"] == "number")]
    printed = cells.pivot_table(index="row", columns="column", values="value", aggfunc="first")
    area, sens, both = (printed[name].astype(float) for name in JUDGED)
    excess = both - np.sqrt(((1 - area) ** 2 + sens**2) / 2)
    assert excess.min() > -0.001
    assert (excess < 0.01).sum() == 16
    assert excess.idxmax() == "Ionosphere / 4) sc svc r 1.0"


def run(shifts, folds=6):
    titles = {"r": "Road sign", "p": "Phoneme", "s": "Sonar", "i": "Ionosphere"}
    numbers = {"r": 6, "p": 3, "s": 4, "i": 4}
    scores = {
        (data, f"m{number}"): scored(shifts(data, number), folds, seed=17 * number)
        for data in titles
        for number in range(1, numbers[data] + 1)
    }
    given = {"scores": scores, "titles": titles, "prior_range": [0.1, 0.9], "alpha": 0.005}
    return real_data(**given, thresholds=100, shared=Shared()).frame()


@pytest.fixture(scope="module")
def better_two():
    return run(lambda data, number: 3.0 if number == 2 else 1.0)


def test_every_cell_has_its_number_and_its_other_variants(better_two):
    numbers = better_two[better_two["kind"] == "number"]
    cells = numbers[numbers["artefact"] == "table-2.2"]
    assert len(cells) == 17 * 4
    assert set(cells["n"]) == {6}
    assert (numbers["artefact"] == "table-2.2-variants").sum() == 17 * 5 * 5
    sens = cells[(cells["row"] == "Sonar / 1) m1") & (cells["column"] == "Sens")].iloc[0]
    beside = numbers.set_index(["row", "column"])["value"]
    equal = beside["Sonar / 1) m1: equal weighted errors", "Sens"]
    assert "is not stated; other variants" in sens["note"]
    assert f"equal weighted errors {equal:.3f}" in sens["note"]
    assert "Phoneme / 2) m2" in set(cells["row"])
    assert set(better_two["data"]) == {"gaussians"}


def test_classes_exchanged_and_error_over_the_range_are_variants():
    found = by_variant(
        scored(1.5, folds=1, n=2000), exchanged=Choices(classes=SWAPPED), error=Choices(area=ERROR)
    )
    assert found["exchanged"]["AUC"] == pytest.approx(found[""][EXCHANGED], abs=0.01)
    assert found["exchanged"]["Sens"] == pytest.approx(found[""]["Sens"], abs=0.02)
    assert found["error"]["Sens"] == found[""]["Sens"]
    assert found["error"]["AUC"] > 1 - found[""][EPSILON]


def test_analyses_have_degrees_of_freedom_checks_ranks_and_pairs(better_two):
    text = better_two[better_two["artefact"] == "text-2.2.6"].set_index(["row", "column"])
    for title, models in (("Road sign", 6), ("Phoneme", 3), ("Sonar", 4), ("Ionosphere", 4)):
        for name in JUDGED:
            row = f"{title}, {name}"
            assert text.loc[(row, "df model"), "value"] == models - 1
            assert text.loc[(row, "df residual"), "value"] == 5 * (models - 1)
            assert text.loc[(row, "F-value"), "std"] > 0
            assert 0 < text.loc[(row, "partial eta squared"), "value"] < 1
            for check in ("Shapiro-Wilk p of residuals", "Levene p of residuals", "Friedman p"):
                assert 0 <= text.loc[(row, check), "value"] <= 1
            pairs = text.loc[(row, "pairs that differ at 99.5 %"), "note"]
            others = [str(k) for k in range(1, models + 1) if k != 2]
            best = ("2 > {}" if name == "AUC" else "{} > 2").format
            assert pairs == ", ".join(sorted(map(best, others), key=lambda p: "2 > 1" not in p))
