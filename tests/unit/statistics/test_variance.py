from itertools import product

import numpy as np
import pandas as pd
import pytest
from scipy.stats import f, levene, rankdata

from opchar.statistics.differences import Differences, design_array, differences, f_values
from opchar.statistics.variance import (
    anova,
    compare,
    differences_in_words,
    f_spread,
    friedman,
    pair,
)


def design(models=3, folds=8, priors=None, effect=0.3, noise=0.1):
    rng, lines = np.random.default_rng(0), []
    blocks = rng.normal(size=folds)
    for model, fold, prior in product(range(models), range(folds), priors or [None]):
        value = effect * model + blocks[fold] + (prior or 0) + noise * rng.normal()
        lines.append(("ABCD"[model], fold, prior, value))
    return pd.DataFrame(lines, columns=["model", "fold", "prior", "value"])


def direct(frame, factors):
    """Sums of squares of an additive complete design, from means alone."""
    grand, n = frame["value"].mean(), len(frame)
    table, residual = {}, frame["value"].to_numpy() - grand
    for factor in factors:
        means = frame.groupby(factor)["value"].transform("mean").to_numpy() - grand
        table[factor] = (frame[factor].nunique() - 1, (means**2).sum())
        residual = residual - means
    rest = n - 1 - sum(df for df, _ in table.values())
    mse = (residual**2).sum() / rest
    total = ((frame["value"] - grand) ** 2).sum()
    return {
        factor: (df, ss, ss / df / mse, f.sf(ss / df / mse, df, rest), ss / total)
        for factor, (df, ss) in table.items()
    }, (rest, mse)


@pytest.mark.parametrize(
    ("priors", "factors"),
    [
        (None, ("model", "fold")),
        ([0.5, 0.1, 0.01], ("model", "fold", "prior")),
        ([0.5, 0.1, 0.01], ("prior", "fold", "model")),
    ],
)
def test_anova_is_the_direct_sums_of_squares(priors, factors):
    frame = design(priors=priors).sample(frac=1, random_state=1).reset_index(drop=True)
    expected, (rest, mse) = direct(frame, factors)
    result = anova(frame, factors)
    for factor, (df, ss, F, p, eta) in expected.items():
        line = result.table.loc[factor]
        assert result.df(factor) == (df, rest)
        assert line["sum_sq"] == pytest.approx(ss)
        assert result.F(factor) == pytest.approx(F)
        assert result.p(factor) == pytest.approx(p, rel=1e-6)
        assert line["eta_sq"] == pytest.approx(eta)
        assert line["partial_eta_sq"] == pytest.approx(ss / (ss + mse * rest))
    assert result.number("residual", "mean_sq") == pytest.approx(mse)


def test_residual_checks_see_what_is_wrong():
    good = design(folds=150)
    assert anova(good).normality_p > 0.01
    assert anova(good).equal_variance_p > 0.01
    skewed = good.assign(value=np.exp(3 * good["value"]))
    assert anova(skewed).normality_p < 1e-4
    uneven = good.copy()
    uneven.loc[uneven["model"] == "C", "value"] += 3 * np.random.default_rng(1).normal(size=150)
    assert anova(uneven).equal_variance_p < 1e-4
    wide = good.pivot_table(index="fold", columns="model", values="value")
    rest = wide.sub(wide.mean(axis=1), axis=0) - wide.mean() + wide.to_numpy().mean()
    expected = levene(*rest.to_numpy().T).pvalue
    assert anova(good).equal_variance_p == pytest.approx(expected)


def test_pairs_are_tukeys_with_the_error_of_the_blocked_design():
    frame = design(folds=10)
    _, (_, mse) = direct(frame, ("model", "fold"))
    means = frame.groupby("model")["value"].mean()
    found = compare(frame, alpha=0.005)
    assert len(found) == 3
    line = pair(found, "C", "A")
    assert line["difference"] == pytest.approx(means["C"] - means["A"])
    assert line["q"] == pytest.approx(abs(means["C"] - means["A"]) / np.sqrt(mse / 10))
    assert pair(found, "A", "C")["difference"] == pytest.approx(means["A"] - means["C"])
    assert (found["significant"] == (found["p"] < 0.005)).all()
    with pytest.raises(ValueError, match="no comparison of A and Z"):
        pair(found, "A", "Z")


def test_tukey_of_two_levels_is_the_f_test():
    frame = design(models=2, effect=0.05)
    assert compare(frame)["p"].iloc[0] == pytest.approx(anova(frame).p("model"), rel=1e-4)


def test_friedman_is_the_rank_formula():
    frame = design(folds=9)
    wide = frame.pivot_table(index="fold", columns="model", values="value")
    ranks = rankdata(wide.to_numpy(), axis=1)
    n, k = ranks.shape
    expected = 12 * n / (k * (k + 1)) * ((ranks.mean(axis=0) - (k + 1) / 2) ** 2).sum()
    shuffled = frame.sample(frac=1, random_state=2)
    assert friedman(shuffled)[0] == pytest.approx(expected)
    monotone = frame.assign(value=np.exp(frame["value"]))
    assert friedman(monotone) == pytest.approx(friedman(frame))
    with pytest.raises(ValueError, match="three or more"):
        friedman(design(models=2))


def test_values_without_noise_give_infinite_f_and_without_variation_nan():
    frame = pd.DataFrame(list(product("ABC", range(4))), columns=["model", "fold"])
    exact = anova(frame.assign(value=frame["model"].map({"A": 0.1, "B": 0.2, "C": 0.2})))
    assert exact.F("model") == np.inf
    assert exact.p("model") == 0
    assert np.isnan(exact.F("fold"))
    same = compare(frame.assign(value=frame["model"].map({"A": 0.1, "B": 0.2, "C": 0.2})))
    assert same["significant"].tolist() == [True, True, False]
    flat = anova(frame.assign(value=0.3))
    assert np.isnan(flat.F("model"))
    assert np.isnan(flat.table.loc["model", "eta_sq"])


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda d: d.iloc[1:], "not complete"),
        (lambda d: pd.concat([d, d.iloc[:1]]), "not complete"),
        (lambda d: d[d["model"] == "A"], "only one level of 'model'"),
        (lambda d: d.assign(value=np.nan), "not finite"),
    ],
)
def test_incomplete_designs_are_refused(change, message):
    with pytest.raises(ValueError, match=message):
        anova(change(design()))


@pytest.mark.parametrize("factors", [("model", "fold"), ("model", "fold", "prior")])
def test_the_spread_of_f_is_the_jackknife_over_folds(factors):
    rng = np.random.default_rng(3)
    rows = [
        (m, f, p, 0.5 * m + 0.3 * f + rng.normal())
        for m in range(3)
        for f in range(3)
        for p in range(len(factors) - 1)
    ]
    design = pd.DataFrame(rows, columns=["model", "fold", "prior", "value"]).sample(
        frac=1, random_state=0
    )
    if "prior" not in factors:
        design = design[design["prior"] == 0]
    values = [anova(design[design["fold"] != fold], factors).F("model") for fold in range(3)]
    pseudo = 3 * anova(design, factors).F("model") - 2 * np.array(values)
    expected = pytest.approx(np.std(pseudo, ddof=1) / np.sqrt(3), rel=1e-12)
    assert f_spread(design, factors) == expected
    assert f_spread(design, factors) > 0


def test_without_residual_or_a_third_fold_f_has_no_spread():
    rows = [(m, f, 0.1 * m + 0.7 * f) for m in range(3) for f in range(4)]
    design = pd.DataFrame(rows, columns=["model", "fold", "value"])
    assert anova(design).F("model") == np.inf
    with np.errstate(invalid="ignore"):
        assert np.isnan(f_spread(design))
    with pytest.raises(ValueError, match="takes three or more, not 2"):
        f_spread(design[design["fold"] < 2])


@pytest.mark.parametrize("priors", [None, [0.5, 0.1, 0.01]])
def test_many_repeats_at_once_are_judged_as_each_alone(priors):
    factors = ["model", "fold"] + (["prior"] if priors else [])
    frames = [
        design(models=4, folds=6, priors=priors, effect=effect)
        for effect in np.linspace(0, 0.15, 6)
    ]
    shape = [frames[0][factor].nunique() for factor in factors]
    values = np.array([frame["value"].to_numpy().reshape(shape) for frame in frames])
    at_once = differences(values, "ABCD", alpha=0.05)
    seen = set()
    for frame, found, F in zip(frames, at_once, f_values(values), strict=True):
        alone, said = differences_in_words(frame, factors, alpha=0.05)
        assert found.differing == alone.differing
        assert found.means == pytest.approx(alone.means)
        assert pytest.approx(anova(frame, factors).F("model")) == F
        assert said.count("p = ") == 6
        seen.add(len(found.differing))
    assert len(seen) > 2


def test_equal_values_do_not_differ_and_exact_differences_do():
    same = np.tile(np.arange(4.0), (1, 3, 1))
    assert differences(same, "ABC")[0].in_words() == "none"
    assert np.isnan(f_values(same)[0])
    shifted = same + np.arange(3.0)[None, :, None]
    assert differences(shifted, "ABC")[0].in_words() == "B > A, C > A, C > B"
    assert f_values(shifted)[0] == f_values(shifted[:, :2])[0] == np.inf
    last = np.array([1.0, 1.0 + np.finfo(float).eps, 1.0 + 3 * np.finfo(float).eps])
    found = differences(np.tile(last[None, :, None], (1, 1, 2)), "ABC")[0]
    assert found.in_words() == "C > A, C > B", "one unit in the last place is no difference"
    assert f_values(0.1 * shifted + 1e6)[0] == np.inf, "rounding is no residual"


def test_differences_in_words_and_questions():
    found = Differences({1: 0.2, 2: 0.5, 3: 0.4}, frozenset({frozenset({1, 2})}))
    assert found.above(2, 1)
    assert not found.above(1, 2)
    assert not found.similar(1, 2, 3)
    assert found.similar(1, 3)
    assert found.in_words() == "2 > 1"


def test_a_design_as_an_array_has_one_axis_a_factor_in_the_order_of_occurrence():
    frame = design(priors=[0.5, 0.1])
    factors = ["prior", "model", "fold"]
    values = design_array(frame, factors)
    assert values.shape == (2, 3, 8)
    for (prior, model, fold), value in frame.set_index(factors)["value"].items():
        assert values[[0.5, 0.1].index(prior), "ABC".index(model), fold] == value
    assert (design_array(frame[::-1], factors) == values[::-1, ::-1, ::-1]).all()
    for wrong in (frame.iloc[1:], pd.concat([frame.iloc[1:], frame.iloc[1:2]])):
        with pytest.raises(ValueError, match=r"the design is not complete: 4[78] lines"):
            design_array(wrong, factors)


def test_a_comparison_of_some_levels_keeps_what_differs_among_them():
    pairs = frozenset({frozenset("AB"), frozenset("AC")})
    found = Differences({"A": 3.0, "B": 2.0, "C": 1.0}, pairs)
    assert found.restrict("BC").in_words() == "none"
    assert found.restrict("AC").in_words() == "A > C"
