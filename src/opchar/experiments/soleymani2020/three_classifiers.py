"""Experiment 4.1: naive Bayes, a perceptron and an RBF-SVM on faces (Figures 9 and 10)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.pipeline import make_pipeline

from opchar.datasets.features import FeatureTable
from opchar.experiments.soleymani2020.best_thresholds import choose_thresholds
from opchar.experiments.soleymani2020.evidence import listed, over_repeats
from opchar.experiments.soleymani2020.face_videos import (
    Faces,
    held_out_faces,
    rounds_of,
    training_faces,
)
from opchar.models.imbalance import bayes, mlp, rbfsvm
from opchar.models.mappings import sc
from opchar.models.training import seeded
from opchar.results import Results
from opchar.seeds import Spawn
from opchar.spaces.compare import Ranges, compare_cost, compare_f
from opchar.spaces.cost import lower_envelope
from opchar.spaces.f_measure import upper_envelope
from opchar.spaces.points import OperatingPoints, operating_points
from opchar.spaces.precision_recall import precision
from opchar.spaces.roc import auc, with_corners

NAMES = {"C_1": "naive Bayes", "C_2": "MLP", "C_3": "RBF-SVM"}


@dataclass(frozen=True)
class Trial:
    """One target: P(+) of training and test, and the three classifiers' operating points."""

    prior: float
    points: list[OperatingPoints]


def three_classifiers(
    *,
    features: dict[str, FeatureTable],
    spawn: Spawn,
    protocols: dict[str, dict[str, Any]],
    nodes: int,
    priors: list[float],
    alpha: float,
    grid: int,
    small: float,
    conditions: list[float],
    coarse: list[float],
    near: float,
    limits: list[float],
) -> Results:
    """Compare three classifiers of faces, and choose thresholds of one (Figures 9 and 10).

    Parameters
    ----------
    features : dict of str to FeatureTable
        The video to train on and the video to test on.
    spawn : Spawn
    protocols : dict of str to dict
        One entry of ``config/protocols.yaml``; of its rounds, one a target, the first is shown.
    nodes : int
        Hidden nodes of the perceptron.
    priors : list of float
        P(+) of the precision-recall curves.
    alpha : float
        Weight of precision. The cost weight m is 0.5, so that PC(+) = P(+).
    grid : int
        Number of operating conditions from 0 to 1.
    small : float
        Differences up to this are not easy to detect.
    conditions : list of float
        P(+) for which thresholds are chosen.
    coarse : [first, last, step]
        The grid of P(+) on which the work has its envelopes.
    near : float
        An operating point is close to (0, 0) within this distance.
    limits : [low, high]
        P(+) below which the cost optimum is said to be close to (0, 0), and above which both optima
        are said to be identical.

    Returns
    -------
    Results
        Curves ``roc``, ``pr``, ``cost-envelope``, ``f-envelope`` and those of `choose_thresholds`.

    Raises
    ------
    DataError
        If the videos do not show the same persons, or fewer than two.

    References
    ----------
    soleymani2020, Sec. 4.1.
    """
    (protocol,) = protocols.values()
    trials = []
    made = rounds_of(features, protocol, spawn)
    for one in made:
        faces = training_faces(features, one), held_out_faces(features, one)
        trials.append(one_target(*faces, nodes, spawn("perceptron", one.target, one.video)))
    results = Results()
    drawn_persons = len(made[0].persons)
    sample = f"{drawn_persons} persons, P(+) = {trials[0].prior:.3g} in the test"
    results.number("text-4.1", "sample", "persons", drawn_persons, note=sample)
    _curves(results, trials[0].points, priors, alpha, grid)
    _areas(results, trials)
    conditions_at = np.linspace(0, 1, grid)
    _who_is_best(results, trials, alpha, conditions_at, small, sample)
    _limits(results, trials, alpha, conditions_at, small)
    choose_thresholds(
        results,
        [trial.points[2] for trial in trials],
        conditions=conditions,
        coarse=_steps(*coarse),
        alpha=alpha,
        near=near,
        limits=limits,
    )
    return results


def _steps(first: float, last: float, step: float) -> np.ndarray:
    return np.round(first + step * np.arange(round((last - first) / step) + 1), 12)


def one_target(training: Faces, test: Faces, nodes: int, rng: np.random.Generator) -> Trial:
    """Train the three classifiers on one video and score the other.

    Parameters
    ----------
    training, test : Faces
        Of the same persons.
    nodes : int
        Hidden nodes of the perceptron.
    rng : numpy.random.Generator
        For the perceptron's first weights.

    Returns
    -------
    Trial
        Scores are log odds of naive Bayes, whose posteriors would round to one, and posteriors of
        the others.
    """
    points: list[OperatingPoints] = []
    for classifier in (bayes(), mlp(nodes), rbfsvm()):
        model = seeded(make_pipeline(sc(), classifier), rng).fit(training.X, training.is_positive)
        score = _log_odds(model, test.X) if not points else model.predict_proba(test.X)[:, 1]
        points.append(operating_points(test.is_positive, score))
    return Trial(test.prior, points)


def _log_odds(model: Any, X: np.ndarray) -> np.ndarray:
    log_posteriors = model.predict_log_proba(X)
    return np.asarray(log_posteriors[:, 1] - log_posteriors[:, 0])


def _curves(
    results: Results,
    classifiers: list[OperatingPoints],
    priors: list[float],
    alpha: float,
    grid: int,
) -> None:
    """Add the curves of one trial in the four spaces."""
    for name, whole in zip(_named(), classifiers, strict=True):
        points = without_flat_runs(whole)
        results.curve("roc", {"series": name, "fpr": points.fpr, "tpr": points.tpr})
        for prior in priors:
            height = precision(points.tpr[1:], points.fpr[1:], prior)
            columns = {"recall": points.tpr[1:], "precision": height}
            results.curve("pr", {"series": name, "prior": prior} | columns)
        cost, f = lower_envelope(points), upper_envelope(points, alpha)
        pc = np.union1d(np.linspace(0, 1, grid), cost.breakpoints)
        prior_at = np.union1d(np.linspace(0, 1, grid), f.breakpoints)
        results.curve("cost-envelope", {"series": name, "pc": pc, "cost": cost(pc)})
        results.curve("f-envelope", {"series": name, "prior": prior_at, "f": f(prior_at)})


def _named() -> list[str]:
    return [f"{name}: {classifier}" for name, classifier in NAMES.items()]


def without_flat_runs(points: OperatingPoints) -> OperatingPoints:
    """Leave out the points inside horizontal runs of a ROC curve, which change no curve."""
    level = np.diff(points.tpr) == 0
    inside = np.append(False, level) & np.append(level, False)
    return points[~inside]


def _areas(results: Results, trials: list[Trial]) -> None:
    for place, name in enumerate(_named()):
        areas = np.array([auc(trial.points[place]) for trial in trials])
        over_repeats(results, ("text-4.1", name, "AUC"), areas)


def _who_is_best(
    results: Results,
    trials: list[Trial],
    alpha: float,
    at: np.ndarray,
    small: float,
    sample: str,
) -> None:
    """Judge: C_3 is best in ROC, cost and F-measure space."""
    gains = np.array([_gains_of_last(trial.points, alpha, at) for trial in trials])
    mean = gains.mean(axis=0)
    single = [bool(_leads(gain, small)) for gain in gains]
    spaces = ", ".join(
        f"{name} {gain.mean():+.4f} ({gain.min():+.4f} to {gain.max():+.4f})"
        for name, gain in zip(("TPR", "EC saved", "F"), mean, strict=True)
    )
    results.claim(
        "figure-9",
        "C_3 (RBF-SVM)",
        _leads(mean, small),
        f"{sample}; mean curves of {len(trials)} targets, C_3 against the better of the others, on "
        f"average (from least to most): {spaces}; holds if all averages are above 0 and no "
        f"difference is below -{small:g}; of single targets it holds in {sum(single)}, and it "
        f"{'holds' if single[0] else 'fails'} on the one that is shown",
    )


def _gains_of_last(points: list[OperatingPoints], alpha: float, at: np.ndarray) -> np.ndarray:
    """Return the last classifier's gain over the better of the others in three spaces."""
    spaces = (
        np.array([np.interp(at, *with_corners(each.hull)) for each in points]),
        -np.array([lower_envelope(each)(at) for each in points]),
        np.array([upper_envelope(each, alpha)(at) for each in points]),
    )
    return np.array([heights[-1] - heights[:-1].max(axis=0) for heights in spaces])


def _leads(gains: np.ndarray, small: float) -> bool:
    return bool((gains.mean(axis=1) > 0).all() and (gains >= -small).all())


def _limits(
    results: Results, trials: list[Trial], alpha: float, at: np.ndarray, small: float
) -> None:
    """Add up to where C_2 is better than C_1, and up to where C_2 and C_3 look alike."""
    costs = [[lower_envelope(points) for points in trial.points] for trial in trials]
    fs = [[upper_envelope(points, alpha) for points in trial.points] for trial in trials]
    rows = {
        "cost space: C_2 (MLP) outperforms C_1 (NB) below PC(+)": (
            "PC(+)",
            [leads_up_to(compare_cost(two, one)) for one, two, _ in costs],
        ),
        "F space: C_2 outperforms C_1 below P(+)": (
            "P(+)",
            [leads_up_to(compare_f(two, one)) for one, two, _ in fs],
        ),
        "C_2 vs C_3 hard to tell apart below P(+)": (
            "P(+)",
            [
                alike_up_to(
                    at, np.abs([cost[1](at) - cost[2](at), f[1](at) - f[2](at)]).max(axis=0), small
                )
                for cost, f in zip(costs, fs, strict=True)
            ],
        ),
    }
    for row, (unit, found) in rows.items():
        quartiles = listed(np.quantile(found, [0.25, 0.5, 0.75]), ".3f")
        note = f"on the target shown {found[0]:.3f}; quartiles over targets {quartiles}"
        over_repeats(results, ("figure-9", row, "threshold"), found, unit=unit, note=note)


def leads_up_to(order: Ranges) -> float:
    """Return the operating condition below which the first is never worse and somewhere better.

    Parameters
    ----------
    order : Ranges
        The comparison over all conditions.

    Returns
    -------
    float
        Where the second is better for the first time; 0 if nothing is gained before that, 1 if the
        second is better nowhere and the first somewhere.
    """
    worse = np.flatnonzero(order.better < 0)
    end = int(worse[0]) if len(worse) else len(order.better)
    if not (order.better[:end] > 0).any():
        return 0.0
    return float(order.edges[end])


def alike_up_to(at: np.ndarray, apart: np.ndarray, small: float) -> float:
    """Return the condition up to which two curves are nowhere more than `small` apart.

    Parameters
    ----------
    at : ndarray of float, shape (g,)
        Ascending operating conditions from 0; at 0 itself nothing is compared.
    apart : ndarray of float, shape (g,)
    small : float
    """
    detected = np.flatnonzero(apart[1:] > small)
    return float(at[detected[0]]) if len(detected) else float(at[-1])
