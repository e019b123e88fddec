"""Experiment 4.1: naive Bayes, a perceptron and an RBF-SVM on faces (Figures 9 and 10)."""

from dataclasses import dataclass

import numpy as np

from opchar.ranges import Rate
from opchar.scores import ScoreTable
from opchar.spaces.compare import Ranges, compare_cost, compare_f
from opchar.spaces.cost import lower_envelope
from opchar.spaces.f_measure import upper_envelope
from opchar.spaces.points import OperatingPoints, operating_points
from opchar.spaces.precision_recall import precision
from opchar.spaces.roc import auc, with_corners
from opchar_reproduction.publications.soleymani2020.section4.best_thresholds import (
    EXACT,
    choose_thresholds,
)
from opchar_reproduction.results import Results
from opchar_reproduction.study import study

NAMES = {"C_1": "naive Bayes", "C_2": "MLP", "C_3": "RBF-SVM"}
SPACES = {"ROC": "TPR", "cost": "EC saved", "F": "F"}
_EVERY = 10
BEFORE, TIE = "until it is worse", "until a tie"


@dataclass(frozen=True)
class Trial:
    """One target: its number, P(+) of training and test, and the three classifiers' points."""

    target: int
    prior: float
    points: list[OperatingPoints]


@study(
    "three-classifiers",
    scores=["cox-videos | cox-99 | sc bayes; sc mlp8; sc rbfsvm"],
    profiles={"tiny": {"grid": 101}},
    variants={"profiles": ["paper"], "frames": ["lead", "near-origin", "differ", "interpolated"]},
    units="target",
)
def three_classifiers(
    *,
    scores: dict[tuple[str, str], ScoreTable],
    priors: list[Rate] = [0.01, 0.25, 0.5],
    alpha: Rate = 0.5,
    grid: int = 1001,
    small: float = 0.02,
    conditions: list[float] = [0.015, 0.035, 0.065, 0.285],
    coarse: list[float] = [0.01, 0.5, 0.01],
    near: float = 0.1,
    ties: str = BEFORE,
    optimum: str = EXACT,
) -> Results:
    """Compare three classifiers of faces, and choose thresholds of one (Figures 9 and 10).

    scores: Naive Bayes, the perceptron and the RBF-SVM, in this order; one fold a target, of which
        the first is shown.
    alpha: Weight of precision. The cost weight m is 0.5, so that PC(+) = P(+).
    small: Differences up to this are not easy to detect.
    conditions: P(+) for which thresholds are chosen.
    coarse ([first, last, step]): The grid of P(+) on which the work has its envelopes.
    near: An operating point is close to (0, 0) within this distance.
    ties ({"until it is worse", "until a tie"}): How far a classifier outperforms another.
    optimum ({"exact", "by the grid"}): The optimum of the rates of Figure 10.
    """
    trials = trials_of(list(scores.values()))
    results = Results()
    first = next(iter(scores.values())).provenance.get("folds", {}).get("0", {})
    persons = int(first.get("others", 0)) + 1
    sample = f"{persons} persons, P(+) = {trials[0].prior:.3g} in the test"
    results.number("text-4.1", "sample", "persons", persons, note=sample)
    _curves(results, trials[0].points, priors, alpha, grid)
    _areas(results, trials)
    conditions_at = np.linspace(0, 1, grid)
    _leads(results, trials, alpha, conditions_at[::_EVERY])
    _bands(results, trials, alpha, conditions_at[::_EVERY])
    _limits(results, trials, alpha, conditions_at, small, ties)
    choose_thresholds(
        results,
        {trial.target: trial.points[2] for trial in trials},
        conditions=conditions,
        coarse=_steps(*coarse),
        alpha=alpha,
        near=near,
        optimum=optimum,
    )
    return results


def _steps(first: float, last: float, step: float) -> np.ndarray:
    return np.round(first + step * np.arange(round((last - first) / step) + 1), 12)


def trials_of(tables: list[ScoreTable]) -> list[Trial]:
    """Return the operating points of the classifiers for each target."""
    bayes, *others = tables
    trials = []
    for (fold, first), *rest in zip(*(each.folds() for each in (bayes, *others)), strict=True):
        scored = [first.decision("target"), *(each.binary("target") for _, each in rest)]
        points = [operating_points(is_positive, score) for is_positive, score in scored]
        trials.append(Trial(fold, float(scored[0][0].mean()), points))
    return trials


def _curves(
    results: Results,
    classifiers: list[OperatingPoints],
    priors: list[float],
    alpha: float,
    grid: int,
) -> None:
    """Add the curves of one trial in the four spaces."""
    for name, whole in zip(_rule_names(), classifiers, strict=True):
        points = without_flat_runs(whole)
        results.add_frame("roc", {"series": name, "fpr": points.fpr, "tpr": points.tpr})
        for prior in priors:
            height = precision(points.tpr[1:], points.fpr[1:], prior)
            columns = {"recall": points.tpr[1:], "precision": height}
            results.add_frame("pr", {"series": name, "prior": prior} | columns)
        cost, f = lower_envelope(points), upper_envelope(points, alpha)
        pc = np.union1d(np.linspace(0, 1, grid), cost.breakpoints)
        prior_at = np.union1d(np.linspace(0, 1, grid), f.breakpoints)
        results.add_frame("cost-envelope", {"series": name, "pc": pc, "cost": cost(pc)})
        results.add_frame("f-envelope", {"series": name, "prior": prior_at, "f": f(prior_at)})


def _rule_names() -> list[str]:
    return [f"{name}: {classifier}" for name, classifier in NAMES.items()]


def without_flat_runs(points: OperatingPoints) -> OperatingPoints:
    """Leave out the points inside horizontal runs of a ROC curve, which change no curve."""
    level = np.diff(points.tpr) == 0
    inside = np.append(False, level) & np.append(level, False)
    return points[~inside]


def _areas(results: Results, trials: list[Trial]) -> None:
    for index, name in enumerate(_rule_names()):
        areas = np.array([auc(trial.points[index]) for trial in trials])
        results.mean("text-4.1", name, "AUC", areas)


def _leads(results: Results, trials: list[Trial], alpha: float, at: np.ndarray) -> None:
    """Add the gain of C_3 over the better of the others for each target, in three spaces."""
    for trial in trials:
        gains = _gains_of_last(trial.points, alpha, at)
        for space, gain in zip(SPACES, gains, strict=True):
            who = {"target": trial.target, "space": space, "at": at}
            results.add_frame("lead", who | {"gain": gain})


def _bands(results: Results, trials: list[Trial], alpha: float, at: np.ndarray) -> None:
    """Add the tenth and the ninetieth percentile over targets of each curve, in three spaces."""
    for index, name in enumerate(_rule_names()):
        heights = {
            "ROC": [np.interp(at, *with_corners(each.points[index].hull)) for each in trials],
            "cost": [lower_envelope(each.points[index])(at) for each in trials],
            "F": [upper_envelope(each.points[index], alpha)(at) for each in trials],
        }
        for space, drawn in heights.items():
            low, high = np.quantile(drawn, [0.1, 0.9], axis=0)
            where = {"series": name, "space": space, "targets": len(trials), "at": at}
            results.add_frame("bands", where | {"low": low, "high": high})


def _gains_of_last(points: list[OperatingPoints], alpha: float, at: np.ndarray) -> np.ndarray:
    """Return the last classifier's gain over the better of the others in three spaces."""
    spaces = (
        np.array([np.interp(at, *with_corners(each.hull)) for each in points]),
        -np.array([lower_envelope(each)(at) for each in points]),
        np.array([upper_envelope(each, alpha)(at) for each in points]),
    )
    return np.array([heights[-1] - heights[:-1].max(axis=0) for heights in spaces])


def _limits(
    results: Results, trials: list[Trial], alpha: float, at: np.ndarray, small: float, ties: str
) -> None:
    """Add up to where C_2 is better than C_1, and up to where C_2 and C_3 look alike."""
    costs = [[lower_envelope(points) for points in trial.points] for trial in trials]
    fs = [[upper_envelope(points, alpha) for points in trial.points] for trial in trials]
    cheaper = [leads_up_to(compare_cost(two, one), ties) for one, two, _ in costs]
    higher = [leads_up_to(compare_f(two, one), ties) for one, two, _ in fs]
    apart = (
        np.abs([cost[1](at) - cost[2](at), f[1](at) - f[2](at)]).max(axis=0)
        for cost, f in zip(costs, fs, strict=True)
    )
    alike = [alike_up_to(at, each, small) for each in apart]
    for row, unit, found in (
        ("cost space: C_2 (MLP) outperforms C_1 (NB) below PC(+)", "PC(+)", cheaper),
        ("F space: C_2 outperforms C_1 below P(+)", "P(+)", higher),
        ("C_2 vs C_3 hard to tell apart below P(+)", "P(+)", alike),
    ):
        quartiles = ", ".join(f"{q:.3f}" for q in np.quantile(found, [0.25, 0.5, 0.75]))
        note = f"on the target shown {found[0]:.3f}; quartiles over targets {quartiles}"
        results.mean("figure-9", row, "threshold", found, unit=unit, note=note)


def leads_up_to(order: Ranges, ties: str = BEFORE) -> float:
    """Return the operating condition below which the first is never worse and somewhere better."""
    worse = np.flatnonzero(order.better < 0)
    end = int(worse[0]) if len(worse) else len(order.better)
    ahead = np.flatnonzero(order.better[:end] > 0)
    if not len(ahead):
        return 0.0
    if ties == TIE:
        again = np.flatnonzero(order.better[ahead[0] : end] == 0)
        end = int(ahead[0] + again[0]) if len(again) else end
    return float(order.edges[end])


def alike_up_to(at: np.ndarray, apart: np.ndarray, small: float) -> float:
    """Return the condition up to which two curves are nowhere more than `small` apart.

    Shapes: `at` (g,).
    """
    detected = np.flatnonzero(apart[1:] > small)
    return float(at[detected[0]]) if len(detected) else float(at[-1])
