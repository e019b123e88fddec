"""Cost scenarios: random cost matrices, scored objects under them, and where weights are found."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from opchar.multiclass.cost_weights.problem import (
    CostProblem,
    Floats,
    Weighting,
    confusion_counts,
    cost_problem,
    losses,
)
from opchar.scores import ScoreTable

Law = Literal["uniform", "rows"]
Priors = Literal["sample", "balanced"]
TunedOn = Literal["test", "train"]
Algorithm = Callable[[CostProblem, np.random.Generator], Weighting]

STEPS = {"grid": "80 steps", "grid and present": "80 steps and the present weight"}


def in_words(choices: Any) -> str:
    """Return on which objects and by which steps weights are found, and how costs are drawn."""
    objects = "training" if choices.tuned_on == "train" else choices.tuned_on
    steps = STEPS.get(choices.search, "all cuts")
    law = "costs of rows of different size" if choices.law == "rows" else "uniform costs"
    return f"weights found on the {objects} objects by {steps}, {law}"


def random_costs(
    law: Law, number: int, n_classes: int, rng: np.random.Generator, *, profits: bool = False
) -> Floats:
    """Draw cost matrices.

    Shapes: returned (number, C, C).

    `law`: entries uniform between 0 and 1 (landgrebe2007, Secs. 4.2.6 and 4.3.4), or each row of
    them times a uniform factor of its own. `profits`: whether the diagonal is drawn as well (Eq.
    4.28); zero if not.
    """
    if law not in ("uniform", "rows"):
        raise ValueError(f"a law of random costs is 'uniform' or 'rows', not {law!r}")
    costs = rng.uniform(size=(number, n_classes, n_classes))
    if law == "rows":
        costs *= rng.uniform(size=(number, n_classes, 1))
    return costs if profits else costs * (1 - np.eye(n_classes))


@dataclass(frozen=True)
class Scenarios:
    """One split under cost matrices: where the weights are found, and where they are judged."""

    tuned: CostProblem
    judged: CostProblem

    def losses(self, found: Weighting) -> Floats:
        """Return the losses of weights on the objects that judge them, one for each cost matrix."""
        if self.tuned is self.judged:
            return found.losses
        return losses(self.judged, found.log_weights)


def scenarios(
    part: ScoreTable, costs: Floats, *, priors: Priors = "sample", tuned_on: TunedOn = "test"
) -> Scenarios:
    """Put one split of a score table under cost matrices: `costs` (M, C, C)."""
    c = len(part.classes)
    test = of_set(part, "test")
    if priors == "balanced":
        weights = np.full(c, 1 / c)
    else:
        weights = np.bincount(test.y, minlength=c) / len(test.y)
    judged = cost_problem(test.y, test.scores, costs, weights)
    if tuned_on == "test":
        return Scenarios(judged, judged)
    train = of_set(part, "train")
    return Scenarios(cost_problem(train.y, train.scores, costs, weights), judged)


def of_set(part: ScoreTable, name: str) -> ScoreTable:
    """Return one test set of a fold; the whole fold where it has no names."""
    return part if part.test_set is None else part.where(part.test_set == name)


def run(
    case: Scenarios, algorithms: Mapping[str, Algorithm], spawn: Callable[..., np.random.Generator]
) -> dict[str, Floats]:
    """Return the losses of each algorithm, one for each cost matrix."""
    return {name: case.losses(find(case.tuned, spawn(name))) for name, find in algorithms.items()}


def mean_error(test: ScoreTable) -> float:
    """Return the mean over the classes of the share of objects that another class gets."""
    counts = _confusion(test)
    return float(1 - (np.diag(counts) / counts.sum(axis=1)).mean())


def share_wrong(test: ScoreTable) -> float:
    """Return the share of all objects that another class gets."""
    counts = _confusion(test)
    return float(1 - np.trace(counts) / counts.sum())


def _confusion(test: ScoreTable) -> Floats:
    """Return the counts of true (rows) and assigned classes at equal weights."""
    c = len(test.classes)
    problem = cost_problem(test.y, test.scores, np.zeros((c, c)))
    return np.asarray(confusion_counts(problem, np.zeros(c)), dtype=float)


def with_data(
    sets: Sequence[Mapping[str, Any]], instead: Mapping[str, str]
) -> list[dict[str, Any]]:
    """Return the entries of data sets, with others in place of some of them."""
    return [{**one, "data": instead.get(one["data"], one["data"])} for one in sets]


def imbalance(test: ScoreTable) -> float:
    """Return how many times as large the largest class is as the smallest."""
    sizes = np.bincount(test.y, minlength=len(test.classes))
    return float(sizes.max() / sizes.min())
