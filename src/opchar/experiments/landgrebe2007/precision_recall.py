"""Precision-recall operating characteristics in imprecise environments (thesis, Sec. 2.3)."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pandas as pd

from opchar.errors import ConfigError
from opchar.experiments.differences import Differences
from opchar.experiments.statistics import add_analysis, compared
from opchar.results import Results
from opchar.scores import ScoreTable
from opchar.seeds import Spawn
from opchar.spaces.p_roc import exact_auprec, exact_iauprec, least_auprec
from opchar.spaces.points import OperatingPoints, operating_points
from opchar.spaces.precision_recall import auprec, iauprec, precision
from opchar.spaces.roc import auc

LETTERS = "ABC"
TABLE = "table-2.3"
TEXT = "text-2.3.6"
EXACT = ", exact integral"
WAYS = {2: ["model", "fold"], 3: ["model", "fold", "prior"], 0: ["prior", "fold", "model"]}


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
    measured = measure(curves, priors, prior_range)
    _table(results, measured)
    _analysis(results, measured, priors, alpha, stable)
    table = next(table for (_, model), table in scores.items() if model == example)
    _example(results, table, positive, priors, spawn, stable)
    return results


def measure(
    curves: dict[str, list[OperatingPoints]],
    priors: list[float],
    prior_range: list[float],
    *,
    exactly: bool = True,
) -> pd.DataFrame:
    """Return the long table ``model, fold, measure, prior, value``.

    Parameters
    ----------
    curves : dict of str to list of OperatingPoints
        The folds of each model.
    priors : list of float
        Priors of the positive class for AUPREC.
    prior_range : [float, float]
        Range of the prior for IAUPREC.
    exactly : bool
        Whether to give the exact integrals, too.

    Returns
    -------
    pandas.DataFrame
        AUPREC and IAUPREC by the trapezoid of Eq. 2.8 and exactly, and AUC.
    """
    lines = [
        (model, fold, name, prior, value)
        for model, folds in curves.items()
        for fold, points in enumerate(folds)
        for name, prior, value in _areas(points, priors, prior_range, exactly)
    ]
    return pd.DataFrame(lines, columns=["model", "fold", "measure", "prior", "value"])


def _areas(
    points: OperatingPoints, priors: list[float], prior_range: list[float], exactly: bool
) -> Iterator[tuple[str, float, float]]:
    """Yield measure, prior and value for one curve."""
    low, high = prior_range
    for prior in priors:
        yield "AUPREC", prior, auprec(points, prior)
    yield "IAUPREC", np.nan, iauprec(points, low, high)
    yield "AUC", np.nan, auc(points)
    if exactly:
        for prior in priors:
            yield f"AUPREC{EXACT}", prior, exact_auprec(points, prior)
        yield f"IAUPREC{EXACT}", np.nan, exact_iauprec(points, low, high)
        yield "IAUPREC over the skew", np.nan, exact_iauprec(points, low, high, over="skew")


def _table(results: Results, measured: pd.DataFrame) -> None:
    """Add means and standard deviations over folds, and the least AUPREC at the mean AUC."""
    mean_auc = measured[measured["measure"] == "AUC"].groupby("model")["value"].mean()
    areas = {str(model): float(area) for model, area in mean_auc.items()}
    bounds: dict[tuple[str, str], float] = {}
    for (name, prior, model), part in measured.groupby(
        ["measure", "prior", "model"], sort=False, dropna=False
    ):
        kind, comma, exact = str(name).partition(EXACT[0])
        row, note = str(name), ""
        mean, std, number = part["value"].mean(), part["value"].std(), len(part)
        if kind == "AUPREC":
            row = f"AUPREC ({prior:g}){comma}{exact}"
        if name == "AUPREC":
            area = areas[str(model)]
            least = least_auprec(area, float(part["prior"].iloc[0]))
            bounds[f"{row}, least possible", f"model {model}"] = least
            note = (
                f"over all of the recall; with the mean AUC {area:.3f} of this model no curve has "
                f"less than {least:.3f}"
            )
        results.number(
            TABLE, row, f"model {model}", mean, std=std, n=number, unit="fraction", note=note
        )
    for (row, column), least in bounds.items():
        results.number(TABLE, row, column, least, unit="fraction")


def _analysis(
    results: Results, measured: pd.DataFrame, priors: list[float], alpha: float, stable: float
) -> None:
    integrated = measured[measured["measure"] == "IAUPREC"].reset_index(drop=True)
    by_prior = measured[measured["measure"] == "AUPREC"].reset_index(drop=True)
    two_way = add_analysis(results, TEXT, "2-way ANOVA on IAUPREC", integrated, WAYS[2])
    name = "3-way ANOVA on AUPREC with prior as block"
    three_way = add_analysis(results, TEXT, name, by_prior, WAYS[3])
    two, said_of_two = compared(integrated, WAYS[2], alpha)
    three, said_of_three = compared(by_prior, WAYS[3], alpha)
    between, said_between = compared(by_prior, WAYS[0], alpha)
    singly = {
        prior: compared(by_prior[by_prior["prior"] == prior].reset_index(drop=True), WAYS[2], alpha)
        for prior in priors
    }
    F = two_way.F("model"), three_way.F("model")
    at_each = [found for found, _ in singly.values()]
    holds = statements(two, three, at_each, between, F, priors)
    evidence = {
        "2-way ANOVA": said_of_two,
        "3-way ANOVA": f"{said_of_three}; F {F[1]:.2f} against {F[0]:.2f}",
        "three priors": "; ".join(
            f"prior {prior:g}: {said}" for prior, (_, said) in singly.items()
        ),
        "pairs of priors": said_between,
    }
    for row, note in evidence.items():
        results.claim(TEXT, row, holds[row], note)
    _stability(results, by_prior, priors, stable)
    _ranking(results, measured[measured["measure"].isin(["AUPREC", "IAUPREC", "AUC"])])


def statements(
    two: Differences,
    three: Differences,
    at_each: list[Differences],
    between: Differences,
    F: tuple[float, float],
    priors: list[float],
) -> dict[str, bool]:
    """Judge what the text says of significance.

    Parameters
    ----------
    two, three : Differences
        Of the models by IAUPREC, and by AUPREC with the priors as blocks.
    at_each : list of Differences
        Of the models by AUPREC at each prior.
    between : Differences
        Of the priors by AUPREC.
    F : (float, float)
        F-values of the model in the 2-way and the 3-way analysis.
    priors : list of float
        The three priors, levels of `between`.

    Returns
    -------
    dict of row to bool
    """
    first, middle, last = priors
    downwards = [("C", "B"), ("C", "A"), ("B", "A")]
    return {
        "2-way ANOVA": two.above("C", "A") and two.above("C", "B") and two.similar("A", "B"),
        "3-way ANOVA": three.above("C", "B") and three.above("B", "A") and F[1] > F[0],
        "three priors": all(found.above(*pair) for found in at_each for pair in downwards),
        "pairs of priors": between.differ(first, last)
        and between.similar(first, middle)
        and between.similar(middle, last),
    }


def _stability(
    results: Results, by_prior: pd.DataFrame, priors: list[float], stable: float
) -> None:
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
