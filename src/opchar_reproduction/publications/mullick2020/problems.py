"""Problems with five test sets each, and the decisions counted (mullick2020, Sec. 5)."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from opchar.metrics.conditions import MatrixIndex
from opchar.metrics.counts import Array, confusion_matrix
from opchar.models.classifiers.imbalance import without_shift
from opchar.models.splits.representatives import TEST_SETS
from opchar.scores import ScoreTable
from opchar_reproduction.results import Results

Scores = Mapping[tuple[str, str], ScoreTable]
PUBLISHED, UNSHIFTED = "NBSVM", "NBSVM without its shift"
FORMS = {"as published": PUBLISHED, "without its shift": UNSHIFTED}
"""The two thresholds of NBSVM, and what the classifier is called with each."""


@dataclass(frozen=True)
class Problem:
    """Confusion matrices of one problem: `matrices` (folds, 5, C, C); `tested` (C, C)."""

    name: str
    about: dict[str, Any]
    data: str
    matrices: dict[str, Array]
    tested: dict[str, Array]


def counted_problems(scores: Scores, classifiers: Mapping[str, str]) -> list[Problem]:
    """Count the decisions of all classifiers, problem by problem."""
    found: list[Problem] = []
    for data in dict.fromkeys(name for name, _ in scores):
        tables = {
            classifiers[model]: table
            for (name, model), table in scores.items()
            if name == data and model in classifiers
        }
        first = next(iter(tables.values()))
        folds = first.provenance["folds"]
        by_problem: dict[str, list[int]] = {}
        for fold, about in sorted(folds.items(), key=lambda item: int(item[0])):
            by_problem.setdefault(str(about["problem"]), []).append(int(fold))
        counted = {
            name: _count_matrices(table, decided)
            for model, table in tables.items()
            for name, decided in _decisions(model, table).items()
        }
        for numbers in by_problem.values():
            about = folds[str(numbers[0])]
            size = int(about["classes"])
            matrices = {
                model: np.stack([each[fold][0][..., :size, :size] for fold in sorted(numbers)])
                for model, each in counted.items()
            }
            tested = {
                model: np.sum([each[fold][1][:size, :size] for fold in numbers], axis=0)
                for model, each in counted.items()
            }
            name = f"{size} classes, {len(found) + 1}"
            found.append(Problem(name, about, first.data, matrices, tested))
    return found


def describe(results: Results, artefact: str, problems: list[Problem]) -> None:
    """Record the number of classes, the imbalance ratio and the sizes of each problem."""
    for problem in problems:
        about, data = problem.about, problem.data
        row = problem.name
        results.number(artefact, row, "classes", about["classes"], unit="count", data=data)
        results.number(artefact, row, "IR", about["ratio"], unit="ratio", data=data)
        results.number(artefact, row, "objects of the smallest class", about["smallest"], data=data)
        folds = len(next(iter(problem.matrices.values())))
        results.number(artefact, row, "training sets", folds, unit="count", data=data)


def undefined_shares(
    results: Results, artefact: str, problems: list[Problem], indices: Mapping[str, MatrixIndex]
) -> None:
    """Record how often an index is 0/0 on a test set of a fold."""
    for name, index in indices.items():
        missing = [
            np.isnan(np.asarray(index(matrices))).ravel()
            for problem in problems
            for matrices in problem.matrices.values()
        ]
        every, row = np.concatenate(missing), "share of test sets on which it is 0/0"
        results.number(artefact, row, name, every.mean(), n=len(every))


def collapses(results: Results, artefact: str, problems: list[Problem]) -> None:
    """Record how often a classifier calls nothing the smallest class."""
    for classifier in problems[0].matrices:
        called = np.concatenate(
            [problem.matrices[classifier][:, :, :, 0].sum(axis=-1) for problem in problems]
        )
        missing = (called == 0).all(axis=1)
        row = "share of folds without a call of the smallest class"
        results.number(artefact, row, classifier, missing.mean(), n=len(missing))


def _decisions(model: str, table: ScoreTable) -> dict[str, np.ndarray]:
    """Return the classes that a model calls; of NBSVM also without the shift of its threshold."""
    if model != PUBLISHED:
        return {model: table.scores.argmax(axis=1)}
    if table.decisions is None:
        raise ValueError("the score table of NBSVM has no raw decision values")
    priors = np.zeros_like(table.scores)
    for fold, about in table.provenance["folds"].items():
        sizes = np.array(about["training"], dtype=float)
        rows = table.fold == int(fold)
        priors[np.ix_(rows, np.arange(len(sizes)))] = sizes / sizes.sum()
    plain = without_shift(table.decisions, priors)
    return {PUBLISHED: table.scores.argmax(axis=1), UNSHIFTED: plain.argmax(axis=1)}


def _count_matrices(table: ScoreTable, called: np.ndarray) -> dict[int, tuple[Array, Array]]:
    """Return for each fold the matrices of its test sets, and that of all its tested objects."""
    size = len(table.classes)
    counted = {}
    for fold in np.unique(table.fold):
        rows = np.flatnonzero(table.fold == fold)
        sets = table.test_set[rows]  # type: ignore[index]
        each = [
            confusion_matrix(table.y[rows[sets == name]], called[rows[sets == name]], size)
            for name in TEST_SETS
        ]
        once = rows[np.unique(table.index[rows], return_index=True)[1]]
        every = confusion_matrix(table.y[once], called[once], size)
        counted[int(fold)] = np.stack(each).astype(float), every.astype(float)
    return counted
