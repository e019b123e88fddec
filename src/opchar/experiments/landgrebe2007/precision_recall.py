"""Precision-recall operating characteristics in imprecise environments (thesis, Sec. 2.3)."""

from __future__ import annotations

import numpy as np
import pandas as pd

from opchar.errors import ConfigError
from opchar.experiments.statistics import Anova, anova, compare, f_spread, friedman, pair
from opchar.results import Results
from opchar.scores import ScoreTable
from opchar.seeds import Spawn
from opchar.spaces.points import OperatingPoints, operating_points
from opchar.spaces.precision_recall import auprec, iauprec, precision
from opchar.spaces.roc import auc

LETTERS = "ABC"
TABLE = "table-2.3"
TEXT = "text-2.3.6"


def p_roc(
    *,
    scores: dict[tuple[str, str], ScoreTable],
    spawn: Spawn,
    positive: str,
    priors: list[float],
    prior_range: list[float],
    alpha: float,
    example: str,
    stable: float,
) -> Results:
    """Compare three models by precision at three priors, over a range of priors, and by AUC.

    Parameters
    ----------
    scores : dict of (data set, model) to ScoreTable
        Models A, B and C in this order, over the same folds.
    spawn : callable
        Generators by name.
    positive : str
        Name of the positive class.
    priors : list of float
        Priors of the positive class for AUPREC: balanced first, most skewed last.
    prior_range : [float, float]
        Range of the prior for IAUPREC.
    alpha : float
        Level of significance.
    example : str
        Name of the model behind Fig. 2.5, drawn from its first fold.
    stable : float
        A change of mean AUPREC between the first and last prior below this counts as hardly any,
        above it as strong.

    Returns
    -------
    Results
        ``table-2.3``, ``text-2.3.6`` and ``figure-2.5``; curves ``roc`` and ``precision-recall``.

    Raises
    ------
    ConfigError
        Unless there are three models, one of them the example, and three priors.

    References
    ----------
    landgrebe2007, Secs. 2.3.4 to 2.3.6.
    """
    if len(scores) != 3 or len(priors) != 3 or example not in {model for _, model in scores}:
        raise ConfigError(
            f"p_roc compares three models at three priors, and '{example}' must be one of them; "
            f"config/experiments/landgrebe2007.yaml has {len(scores)} and {len(priors)}"
        )
    curves = {
        letter: [operating_points(*part.log_odds(positive)) for _, part in table.folds()]
        for letter, table in zip(LETTERS, scores.values(), strict=True)
    }
    results = Results()
    measured = _measure(curves, priors, prior_range)
    _table(results, measured)
    _analysis(results, measured, priors, alpha, stable)
    table = next(table for (_, model), table in scores.items() if model == example)
    _example(results, table, positive, priors, spawn, stable)
    return results


def _measure(
    curves: dict[str, list[OperatingPoints]], priors: list[float], prior_range: list[float]
) -> pd.DataFrame:
    """Return the long table ``model, fold, measure, prior, value``."""
    low, high = prior_range
    lines = [
        (model, fold, measure, prior, value)
        for model, folds in curves.items()
        for fold, points in enumerate(folds)
        for measure, prior, value in [
            *[("AUPREC", prior, auprec(points, prior)) for prior in priors],
            ("IAUPREC", np.nan, iauprec(points, low, high)),
            ("AUC", np.nan, auc(points)),
        ]
    ]
    return pd.DataFrame(lines, columns=["model", "fold", "measure", "prior", "value"])


def _table(results: Results, measured: pd.DataFrame) -> None:
    """Add means and standard deviations over folds, and the least AUPREC at the mean AUC."""
    mean_auc = measured[measured["measure"] == "AUC"].groupby("model")["value"].mean()
    areas = {str(model): float(area) for model, area in mean_auc.items()}
    bounds: dict[tuple[str, str], float] = {}
    for (measure, prior, model), part in measured.groupby(
        ["measure", "prior", "model"], sort=False, dropna=False
    ):
        row, note, area = str(measure), "", areas[str(model)]
        mean, std, number = part["value"].mean(), part["value"].std(), len(part)
        if measure == "AUPREC":
            row, least = f"AUPREC ({prior:g})", least_auprec(area, float(part["prior"].iloc[0]))
            bounds[row, f"model {model}, least possible"] = least
            note = (
                f"over all of the recall; with the mean AUC {area:.3f} of this model no curve has "
                f"less than {least:.3f}"
            )
        results.number(
            TABLE, row, f"model {model}", mean, std=std, n=number, unit="fraction", note=note
        )
    for (row, column), least in bounds.items():
        results.number(TABLE, row, column, least, unit="fraction")


def least_auprec(area: float, prior: float) -> float:
    """Return a lower bound on AUPREC that every ROC curve of a given AUC obeys.

    With ``f(t)`` the FPR at recall ``t`` and skew ``lam = (1 - prior) / prior``, AUPREC is the
    integral of ``t / (t + lam f(t))`` and the integral of ``f`` is ``1 - AUC``. The integrand is
    convex in ``f``, so the least value follows from one Lagrange multiplier:
    ``t + lam f = sqrt(c t)`` where that leaves ``f`` positive. The bound is convex in the AUC, so
    by Jensen's inequality it holds for means over folds, too.

    Parameters
    ----------
    area : float
        AUC, in [0, 1].
    prior : float
        Prior of the positive class, in (0, 1).

    Returns
    -------
    float
        In [0, 1].

    Raises
    ------
    ValueError
        For an area or prior outside its range.

    References
    ----------
    Follows from landgrebe2007, Eqs. 2.5, 2.7 and 2.8 as an integral over all recall.

    Examples
    --------
    >>> round(least_auprec(0.943, 0.5), 3)
    0.805
    """
    if not (0 <= area <= 1 and 0 < prior < 1):
        raise ValueError(f"AUC must lie in [0, 1] and the prior in (0, 1), got {area} and {prior}")
    deficit = (1 - prior) / prior * (1 - area)
    if deficit <= 1 / 6:
        return 1 - float(np.sqrt(6 * deficit)) / 3
    return (2 / 3) / (1.5 * deficit + 0.75)


def _analysis(
    results: Results, measured: pd.DataFrame, priors: list[float], alpha: float, stable: float
) -> None:
    integrated = measured[measured["measure"] == "IAUPREC"].reset_index(drop=True)
    by_prior = measured[measured["measure"] == "AUPREC"].reset_index(drop=True)
    ways = {2: ("model", "fold"), 3: ("model", "fold", "prior")}
    tests = {2: anova(integrated, ways[2]), 3: anova(by_prior, ways[3])}
    names = {2: "2-way ANOVA on IAUPREC", 3: "3-way ANOVA on AUPREC with prior as block"}
    ranks = {2: friedman(integrated, ways[2]), 3: friedman(by_prior, ways[3])}
    for way, test in tests.items():
        spread = f_spread(integrated if way == 2 else by_prior, ways[way])
        _anova_lines(results, names[way], test, ranks[way], spread)
    two, three = compare(integrated, ways[2], alpha), compare(by_prior, ways[3], alpha)
    results.claim(
        TEXT,
        "2-way ANOVA",
        _above(two, "C", "A") and _above(two, "C", "B") and not _differ(two, "A", "B"),
        _evidence(two, alpha),
    )
    more = tests[3].F("model") > tests[2].F("model")
    results.claim(
        TEXT,
        "3-way ANOVA",
        _above(three, "C", "B") and _above(three, "B", "A") and more,
        f"{_evidence(three, alpha)}; F {tests[3].F('model'):.2f} against {tests[2].F('model'):.2f}",
    )
    at_each = {
        prior: compare(by_prior[by_prior["prior"] == prior].reset_index(drop=True), ways[2], alpha)
        for prior in priors
    }
    results.claim(
        TEXT,
        "three priors",
        all(
            _above(found, better, worse)
            for found in at_each.values()
            for better, worse in (("C", "B"), ("C", "A"), ("B", "A"))
        ),
        "; ".join(
            f"prior {prior:g}: {_evidence(found, alpha)}" for prior, found in at_each.items()
        ),
    )
    means = {
        str(model): {prior: float(part["value"].mean()) for prior, part in lines.groupby("prior")}
        for model, lines in by_prior.groupby("model")
    }
    change = {model: at[priors[0]] - at[priors[-1]] for model, at in means.items()}
    results.claim(
        TEXT,
        "stability",
        abs(change["A"]) < stable and abs(change["C"]) < stable < change["B"],
        "; ".join(
            f"{model}: AUPREC {at[priors[0]]:.3f} at {priors[0]:g}, "
            f"{at[priors[-1]]:.3f} at {priors[-1]:g}"
            for model, at in means.items()
        )
        + f"; the line is drawn at a change of {stable:g}",
    )
    between = compare(by_prior, ("prior", "fold", "model"), alpha)
    first, middle, last = priors
    results.claim(
        TEXT,
        "pairs of priors",
        _differ(between, first, last)
        and not _differ(between, first, middle)
        and not _differ(between, middle, last),
        _evidence(between, alpha),
    )
    _ranking(results, measured)


def _anova_lines(
    results: Results, row: str, test: Anova, rank: tuple[float, float], spread: float
) -> None:
    """Add F, p, degrees of freedom, effect sizes and checks of a test."""
    within, residual = test.df("model")
    note = f"df {within}, {residual}; spread of F by leaving out one fold at a time"
    results.number(TEXT, row, "F-value", test.F("model"), std=spread, n=1, unit="F", note=note)
    results.number(TEXT, row, "p-value", test.p("model"))
    results.number(TEXT, row, "df model", within)
    results.number(TEXT, row, "df residual", residual)
    results.number(TEXT, row, "eta squared", test.number("model", "eta_sq"))
    results.number(TEXT, row, "partial eta squared", test.number("model", "partial_eta_sq"))
    for block in test.table.index.drop(["model", "residual"]):
        results.number(TEXT, row, f"F-value of {block}", test.F(block), unit="F")
        results.number(TEXT, row, f"p-value of {block}", test.p(block))
    results.number(TEXT, row, "Shapiro-Wilk p of residuals", test.normality_p)
    results.number(TEXT, row, "Levene p of residuals", test.equal_variance_p)
    results.number(TEXT, row, "Friedman chi-square", rank[0])
    results.number(TEXT, row, "Friedman p", rank[1])


def _ranking(results: Results, measured: pd.DataFrame) -> None:
    """Judge the order C, B, A by the means of every measure of the table."""
    labels = measured["measure"].where(
        measured["prior"].isna(), measured["measure"] + " (" + measured["prior"].astype(str) + ")"
    )
    means = measured.assign(label=labels).groupby(["label", "model"], sort=False)["value"].mean()
    orders = {
        str(label): "".join(part.droplevel(0).sort_values(ascending=False).index)
        for label, part in means.groupby("label", sort=False)
    }
    results.claim(
        TEXT,
        "absolute ranking",
        all(order == "CBA" for order in orders.values()),
        "best first: " + ", ".join(f"{label} {order}" for label, order in orders.items()),
    )


def _example(
    results: Results,
    table: ScoreTable,
    positive: str,
    priors: list[float],
    spawn: Spawn,
    stable: float,
) -> None:
    """Give the curves of Fig. 2.5, and judge what the prior does to them on thinned test sets."""
    points = operating_points(*next(part for _, part in table.folds()).log_odds(positive))
    results.curve("roc", {"fpr": points.fpr, "tpr": points.tpr})
    for prior in priors:
        heights = precision(points.tpr, points.fpr, prior)
        curve = {"prior": prior, "recall": points.tpr, "precision": heights}
        results.curve("precision-recall", pd.DataFrame(curve).dropna())
    areas: dict[float, list[tuple[float, float, float]]] = {prior: [] for prior in priors}
    for fold, part in table.folds():
        is_positive, score = part.log_odds(positive)
        whole = auc(operating_points(is_positive, score))
        for prior in priors:
            kept = thinned(is_positive, prior, spawn("thinned", fold, prior))
            thin = operating_points(is_positive[kept], score[kept])
            areas[prior].append((auc(thin) - whole, auc(thin), auprec(thin, prior)))
    shifts = {prior: np.array(found)[:, 0] for prior, found in areas.items()}
    shift = {prior: values.mean() for prior, values in shifts.items()}
    error = {prior: values.std(ddof=1) / np.sqrt(len(values)) for prior, values in shifts.items()}
    means = {prior: np.mean(found, axis=0)[1:] for prior, found in areas.items()}
    falls = [means[prior][1] for prior in priors]
    same = all(abs(shift[prior]) <= 3 * error[prior] for prior in priors)
    results.claim(
        "figure-2.5",
        "precision-recall at pi_p=" + ", ".join(f"{prior:g}" for prior in priors),
        bool(same and np.all(np.diff(falls) < 0) and falls[0] - falls[-1] > stable),
        "test sets thinned to each prior, mean of all folds: "
        + "; ".join(
            f"prior {prior:g}: AUC {means[prior][0]:.3f} ({shift[prior]:+.3f} +/- "
            f"{error[prior]:.3f} from the whole), AUPREC {means[prior][1]:.3f}"
            for prior in priors
        ),
    )


def thinned(is_positive: np.ndarray, prior: float, rng: np.random.Generator) -> np.ndarray:
    """Draw the largest sample in which the positive class has a given share.

    Parameters
    ----------
    is_positive : ndarray of bool, shape (n,)
        At least one object of each class.
    prior : float
        Share of the positive class, in (0, 1).
    rng : numpy.random.Generator

    Returns
    -------
    ndarray of int
        Rows, drawn without replacement, with at least one of each class.
    """
    positives, negatives = np.flatnonzero(is_positive), np.flatnonzero(~is_positive)
    size = min(len(positives) / prior, len(negatives) / (1 - prior))
    wanted = max(round(size * prior), 1), max(round(size * (1 - prior)), 1)
    drawn = [
        rng.permutation(rows)[:n] for rows, n in zip((positives, negatives), wanted, strict=True)
    ]
    return np.sort(np.concatenate(drawn))


def _differ(comparison: pd.DataFrame, first: object, second: object) -> bool:
    return bool(pair(comparison, first, second)["significant"])


def _above(comparison: pd.DataFrame, first: object, second: object) -> bool:
    line = pair(comparison, first, second)
    return bool(line["significant"] and line["difference"] > 0)


def _evidence(comparison: pd.DataFrame, alpha: float) -> str:
    pairs = [
        f"{line['first']} - {line['second']} = {line['difference']:+.3f} (p = {line['p']:.2g})"
        for _, line in comparison.iterrows()
    ]
    return f"Tukey at {alpha:g}: " + ", ".join(pairs)
