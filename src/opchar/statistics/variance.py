"""Comparing models over folds and priors: blocked analysis of variance and its companions.

A *design* is a long table with one line per measurement: a ``value`` and one column per factor,
such as ``model``, ``fold`` and ``prior``. The first factor is under comparison; the others are
blocks.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
import pandas as pd

from opchar.statistics.differences import Differences, design_array, f_values


@dataclass(frozen=True)
class Anova:
    """An additive analysis of variance.

    Parameters
    ----------
    table : pandas.DataFrame
        Indexed by factor and ``residual``: ``df``, ``sum_sq``, ``mean_sq``, ``F``, ``p``, and the
        effect sizes ``eta_sq`` (share of the total sum of squares) and ``partial_eta_sq`` (share of
        what the other factors leave).
    normality_p : float
        Shapiro-Wilk test of the residuals; small values speak against normal errors. NaN when the
        residuals are all equal.
    equal_variance_p : float
        Levene test (about the median) of the residuals over the levels of the first factor; small
        values speak against equal variances. NaN when the residuals are all equal.
    """

    table: pd.DataFrame
    normality_p: float
    equal_variance_p: float

    def number(self, factor: str, column: str) -> float:
        """Return one entry of the table."""
        return float(self.table[column].to_dict()[factor])

    def F(self, factor: str) -> float:  # noqa: N802
        """Return the F-value of a factor."""
        return self.number(factor, "F")

    def p(self, factor: str) -> float:
        """Return the p-value of a factor."""
        return self.number(factor, "p")

    def df(self, factor: str) -> tuple[int, int]:
        """Return the degrees of freedom of a factor and of the residual."""
        return int(self.number(factor, "df")), int(self.number("residual", "df"))


def anova(design: pd.DataFrame, factors: Sequence[str] = ("model", "fold")) -> Anova:
    """Analyse a block design, ``value ~ C(model) + C(fold) + ...``, without interactions.

    Parameters
    ----------
    design : pandas.DataFrame
        Columns ``value`` and `factors`; every combination of levels once, and at least two levels a
        factor.
    factors : sequence of str
        Two for the 2-way and three for the 3-way analysis of landgrebe2007, Sec. 2.3.5.

    Returns
    -------
    Anova
        F is infinite, and p zero, for a factor that explains what nothing else does without any
        residual; F and p are NaN where the values do not vary.

    Raises
    ------
    ValueError
        If the design is not complete.
    """
    from scipy.stats import levene, shapiro
    from statsmodels.formula.api import ols
    from statsmodels.stats.anova import anova_lm

    _check(design, factors)
    formula = "value ~ " + " + ".join(f"C(Q('{factor}'))" for factor in factors)
    centred = design.assign(value=design["value"] - design["value"].mean())
    fitted = ols(formula, centred).fit()
    with np.errstate(divide="ignore", invalid="ignore"):
        raw = anova_lm(fitted)
    raw.index = pd.Index([*factors, "residual"])
    total, residual = raw["sum_sq"].sum(), raw.loc["residual", "sum_sq"]
    effects = raw["sum_sq"].drop("residual")
    scale = float(np.abs(design["value"]).max())
    rounding = (len(design) * np.finfo(float).eps * scale) ** 2 * len(design)
    table = pd.DataFrame(
        {
            "df": raw["df"].astype(int),
            "sum_sq": raw["sum_sq"],
            "mean_sq": raw["mean_sq"],
            "F": raw["F"],
            "p": raw["PR(>F)"],
            "eta_sq": effects / total if total > rounding else np.nan,
            "partial_eta_sq": effects / (effects + residual) if total > rounding else np.nan,
        },
        index=raw.index,
    )
    if total <= rounding:
        table[["F", "p"]] = np.nan
    elif residual <= rounding:
        varies = effects > rounding
        table.loc[effects.index, "F"] = np.where(varies, np.inf, np.nan)
        table.loc[effects.index, "p"] = np.where(varies, 0.0, np.nan)
    normality, equality = np.nan, np.nan
    if residual > rounding:
        residuals = fitted.resid.to_numpy()
        groups = [residuals[design[factors[0]] == level] for level in design[factors[0]].unique()]
        with np.errstate(divide="ignore", invalid="ignore"):
            normality, equality = float(shapiro(residuals).pvalue), float(levene(*groups).pvalue)
    return Anova(table, normality, equality)


def f_spread(design: pd.DataFrame, factors: Sequence[str] = ("model", "fold")) -> float:
    """Return the jackknife standard deviation of the F-value of ``model`` over the folds.

    An F-value is drawn with the folds; leaving out one fold at a time says how far another draw of
    as many folds may take it.

    Parameters
    ----------
    design : pandas.DataFrame
        As for `anova`, with the columns ``model`` and ``fold``; at least three folds.
    factors : sequence of str
        As for `anova`; the first is ``model``.

    Returns
    -------
    float
        In the units of F.

    Raises
    ------
    ValueError
        If the design is not complete, or for fewer than three folds.
    """
    _check(design, factors)
    values, axis = design_array(design, factors), list(factors).index("fold")
    n_folds = values.shape[axis]
    if n_folds < 3:
        raise ValueError(f"to leave out one fold takes three or more, not {n_folds}")
    left_out = [np.delete(values, fold, axis=axis) for fold in range(n_folds)]
    found = f_values(np.stack(left_out))
    return float(np.sqrt((n_folds - 1) * np.mean((found - found.mean()) ** 2)))


def compare(
    design: pd.DataFrame, factors: Sequence[str] = ("model", "fold"), alpha: float = 0.005
) -> pd.DataFrame:
    """Compare all pairs of levels of the first factor by Tukey's honest significant difference.

    The error is the residual mean square of the block design, so that what folds and priors explain
    does not count as noise; the family-wise level is `alpha`.

    Parameters
    ----------
    design : pandas.DataFrame
        As for `anova`.
    factors : sequence of str
        As for `anova`.
    alpha : float
        Level of significance, in (0, 1); the thesis takes 0.005.

    Returns
    -------
    pandas.DataFrame
        One line per pair: ``first``, ``second``, ``difference`` (mean of the first minus that of
        the second), ``q`` (studentised range), ``p`` and ``significant``. Pairs are in the order in
        which the levels occur.
    """
    from scipy.stats import studentized_range

    result = anova(design, factors)
    means = design.groupby(factors[0], sort=False)["value"].mean()
    degrees = result.df(factors[0])[1]
    error = result.number("residual", "mean_sq")
    spread = np.sqrt(error / (len(design) / len(means)))
    lines = []
    for first, second in combinations(means.index, 2):
        difference = float(means[first] - means[second])
        exact = not np.isfinite(result.F(factors[0]))
        if exact:
            q = np.inf if abs(difference) > np.finfo(float).eps else 0.0
        else:
            q = abs(difference) / spread
        p = float(studentized_range.sf(q, len(means), degrees)) if np.isfinite(q) else 0.0
        lines.append((first, second, difference, q, p, p < alpha))
    return pd.DataFrame(lines, columns=["first", "second", "difference", "q", "p", "significant"])


def differences_in_words(
    design: pd.DataFrame, factors: Sequence[str] = ("model", "fold"), alpha: float = 0.005
) -> tuple[Differences, str]:
    """Return what `compare` finds: which levels differ, and all pairs in words.

    Parameters
    ----------
    design, factors, alpha
        As for `compare`.

    Returns
    -------
    found : Differences
        Means, and the pairs of levels that differ.
    text : str
        Differences and p-values.
    """
    pairs = compare(design, factors, alpha)
    differing = pairs[pairs["significant"]]
    found = Differences(
        dict(design.groupby(factors[0], sort=False)["value"].mean()),
        frozenset(map(frozenset, zip(differing["first"], differing["second"], strict=True))),
    )
    listed = [
        f"{line['first']} - {line['second']} = {line['difference']:+.3f} (p = {line['p']:.2g})"
        for _, line in pairs.iterrows()
    ]
    return found, f"Tukey at {alpha:g}: " + ", ".join(listed)


def pair(comparison: pd.DataFrame, first: object, second: object) -> pd.Series:
    """Return the line of `compare` for two levels, with the difference ``first - second``.

    Parameters
    ----------
    comparison : pandas.DataFrame
        From `compare`.
    first, second : object
        Levels.

    Returns
    -------
    pandas.Series
        With the columns of `compare`.

    Raises
    ------
    ValueError
        If there is no such pair.
    """
    for one, other, sign in ((first, second, 1), (second, first, -1)):
        found = comparison[(comparison["first"] == one) & (comparison["second"] == other)]
        if len(found):
            line = found.iloc[0].copy()
            line["first"], line["second"] = first, second
            line["difference"] = sign * line["difference"]
            return line
    raise ValueError(f"no comparison of {first} and {second}")


def friedman(
    design: pd.DataFrame, factors: Sequence[str] = ("model", "fold")
) -> tuple[float, float]:
    """Return chi-square and p of Friedman's rank test, which assumes no normal errors.

    Parameters
    ----------
    design : pandas.DataFrame
        As for `anova`.
    factors : sequence of str
        The first is compared, at least three levels; the combinations of the others are the blocks.

    Returns
    -------
    chi_square, p : float
        The statistic, and its p-value by the chi-square distribution.

    Raises
    ------
    ValueError
        If the design is not complete or there are fewer than three levels.
    """
    from scipy.stats import friedmanchisquare

    _check(design, factors)
    ordered = design.sort_values(list(factors[1:]))
    groups = [part["value"] for _, part in ordered.groupby(factors[0], sort=False)]
    if len(groups) < 3:
        raise ValueError(f"Friedman's test wants three or more of {factors[0]}, not {len(groups)}")
    found = friedmanchisquare(*groups)
    return float(found.statistic), float(found.pvalue)


def _check(design: pd.DataFrame, factors: Sequence[str]) -> None:
    levels = {factor: design[factor].nunique() for factor in factors}
    if few := [factor for factor, number in levels.items() if number < 2]:
        raise ValueError(f"the design has only one level of '{few[0]}'")
    complete = len(design) == np.prod(list(levels.values()))
    if not complete or design.duplicated(list(factors)).any():
        raise ValueError(f"the design is not complete: {len(design)} lines for levels {levels}")
    if not np.isfinite(design["value"]).all():
        raise ValueError("the design has values that are not finite")
