"""Every analysis of the works that a score table allows, for any data set and any models."""

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from opchar.errors import ConfigError
from opchar.functions import import_function
from opchar.metrics.counts import confusion_matrix
from opchar.metrics.drift import drift, least_error_points
from opchar.metrics.stacks import evaluate
from opchar.multiclass.cost_weights import cost_weights
from opchar.multiclass.roc.bootstrap import normalised_vus
from opchar.multiclass.roc.hypersurface import vus
from opchar.multiclass.roc.weighted_scores import weighted_scores
from opchar.reject.options import error_reject_curve
from opchar.scores import ScoreTable
from opchar.spaces.cost import lower_envelope
from opchar.spaces.det import equal_error_rate
from opchar.spaces.f_measure import upper_envelope
from opchar.spaces.p_roc import exact_auprec
from opchar.spaces.points import OperatingPoints, operating_points
from opchar.spaces.precision_recall import iauprec, precision
from opchar.spaces.roc import auc
from opchar_reproduction.results import Results

Spawn = Callable[..., np.random.Generator]
OF_MATRICES = ("overall_accuracy", "acsa", "g_mean_multiclass", "auroc_ovo", "aurpc_ova")
CONDITIONS = np.linspace(0.0, 1.0, 201)


def every_analysis(
    *,
    spawn: Spawn,
    scores: Mapping[tuple[str, str], ScoreTable],
    prior_range: list[float],
    alpha: float = 0.5,
    weights: int = 30,
    most_classes: int = 3,
    rejected: float = 0.1,
    metrics: Sequence[str] = (),
) -> Results:
    """Put models on data sets through every analysis of the works."""
    results = Results()
    for (data, model), table in scores.items():
        name = f"{data}, {model}"
        folds = [fold for _, fold in table.folds()]
        for positive in positives(table):
            row = name if len(table.classes) == 2 else f"{name}, {positive}"
            found = [_of_two(fold, positive, prior_range, alpha) for fold in folds]
            _write(results, row, [each for each in found if each], table.data)
            _curves(results, row, *table.binary(positive), alpha)
        found = [
            _of_all(fold, weights, most_classes, rejected)
            | _of_costs(fold, spawn(data, model, "costs", str(number)))
            | {each.partition(":")[2]: _own(each, fold) for each in metrics}
            for number, fold in enumerate(folds)
        ]
        _write(
            results, f"{name}, all classes" if len(table.classes) > 2 else name, found, table.data
        )
    return results


def positives(table: ScoreTable) -> list[str]:
    """Return the classes that are set against the rest: of two, the rarer."""
    sizes = np.bincount(table.y, minlength=len(table.classes))
    if len(table.classes) == 2:
        return [table.classes[int(np.argmin(sizes))]]
    return [name for name, size in zip(table.classes, sizes, strict=True) if size]


def _of_two(
    fold: ScoreTable, positive: str, prior_range: list[float], alpha: float
) -> dict[str, float]:
    """Judge one class against the rest in every space; nothing for a fold that lacks either."""
    is_positive, score = fold.binary(positive)
    if is_positive.all() or not is_positive.any():
        return {}
    points = operating_points(is_positive, score)
    low, high = prior_range
    moved = drift(points, least_error_points, low, high)
    return {
        "AUC": auc(points),
        "equal error rate": equal_error_rate(points).rate,
        "AUPREC": exact_auprec(points, points.prior),
        f"mean AUPRC, P(+) {low:g} to {high:g}": iauprec(points, low, high),
        f"best F, alpha {alpha:g}": float(upper_envelope(points, alpha)(points.prior)),
        "least error": float(lower_envelope(points)(points.prior)),
        f"Sens, P(+) {low:g} to {high:g}": moved.sens,
        f"AccSens, P(+) {low:g} to {high:g}": moved.acc_sens,
    }


def _of_all(fold: ScoreTable, weights: int, most_classes: int, rejected: float) -> dict[str, float]:
    """Judge the decisions of a fold for all its classes at once."""
    classes = len(fold.classes)
    assigned = fold.scores.argmax(axis=1)
    matrix = confusion_matrix(fold.y, assigned, classes)
    found = {name: float(value) for name, value in evaluate(matrix, list(OF_MATRICES)).items()}
    sizes = np.bincount(fold.y, minlength=classes)
    whole = (sizes > 0).all() and (fold.scores >= 0).all()
    if 2 < classes <= most_classes and whole:
        volume = vus(weighted_scores(fold.y, fold.scores, weights))
        found["VUS, random 0 and perfect 1"] = normalised_vus(volume, classes)
    curve = error_reject_curve(assigned == fold.y, fold.scores.max(axis=1))
    index = int(np.searchsorted(curve.rejected, rejected, side="right")) - 1
    share = f"error of the accepted, at most {rejected:.0%} rejected"
    found[share] = float(curve.errors_of_accepted[index])
    return found


def _of_costs(fold: ScoreTable, rng: np.random.Generator) -> dict[str, float]:
    """Return the loss at equal costs of a fold's own weights and of the best that greedy finds."""
    classes = len(fold.classes)
    if len(np.unique(fold.y)) < classes or (fold.scores < 0).any():
        return {}
    costs = 1 - np.eye(classes)
    default = cost_weights(fold.y, fold.scores, costs, method="default")
    best = cost_weights(fold.y, fold.scores, costs, method="greedy", rng=rng)
    return {
        "loss, equal costs, weights of one": float(default.losses[0]),
        "loss, equal costs, weights chosen on the same objects": float(best.losses[0]),
    }


def _own(metric: str, fold: ScoreTable) -> float:
    """Return an index of the user's own."""
    matrix = confusion_matrix(fold.y, fold.scores.argmax(axis=1), len(fold.classes))
    found = import_function(metric)(matrix)
    try:
        return float(found)
    except (TypeError, ValueError):
        raise ConfigError(f"'{metric}' returns {type(found).__name__}, not a number") from None


def _write(results: Results, row: str, found: list[dict[str, float]], data: str) -> None:
    """Write mean and standard deviation over the folds that have a measure."""
    for measure in dict.fromkeys(name for each in found for name in each):
        values = np.array([each[measure] for each in found if measure in each])
        spread = float(values.std(ddof=1)) if len(values) > 1 else None
        results.number(
            "summary", row, measure, float(values.mean()), std=spread, n=len(values), data=data
        )


def _curves(
    results: Results, row: str, is_positive: np.ndarray, score: np.ndarray, alpha: float
) -> None:
    points: OperatingPoints = operating_points(is_positive, score)
    results.add_frame("roc", {"fpr": points.fpr, "tpr": points.tpr, "series": row})
    heights = precision(points.tpr, points.fpr, points.prior)
    results.add_frame(
        "precision-recall", {"recall": points.tpr, "precision": heights, "series": row}
    )
    f, cost = upper_envelope(points, alpha), lower_envelope(points)
    results.add_frame("f", {"prior": CONDITIONS, "f": f(CONDITIONS), "alpha": alpha, "series": row})
    results.add_frame("cost", {"pc": CONDITIONS, "cost": cost(CONDITIONS), "series": row})
