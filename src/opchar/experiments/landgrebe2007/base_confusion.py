"""The base classifier of the Neyman-Pearson experiments (thesis, Sec. 3.2.5)."""

from __future__ import annotations

import numpy as np

from opchar.errors import ScoresError
from opchar.results import Results
from opchar.scores import ScoreTable


def base_confusion(*, scores: dict[tuple[str, str], ScoreTable], artefact: str) -> Results:
    """Average the normalised confusion matrices of a classifier over its folds.

    Parameters
    ----------
    scores : dict of (data set, model) to ScoreTable
        One table.
    artefact : str
        Label of the printed matrix.

    Returns
    -------
    Results
        One number a cell: the share of the true class' test objects given to the estimated class,
        mean and standard deviation over folds; and one a true class: its number of test objects.

    Raises
    ------
    ScoresError
        If a class is missing in the test objects of a fold.

    References
    ----------
    landgrebe2007, Sec. 3.2.5, first matrix.
    """
    (table,) = scores.values()
    counts = np.array([confusion_counts(part) for _, part in table.folds()])
    objects = counts.sum(axis=2)
    if not objects.all():
        name = table.classes[int(np.argwhere(objects == 0)[0, 1])]
        raise ScoresError(f"{table.data}: a fold has no test object of class '{name}'")
    rates = counts / objects[:, :, None]
    results = Results()
    spread = {"ddof": 1} if len(counts) > 1 else {}
    for row, true in enumerate(table.classes):
        for column, estimated in enumerate(table.classes):
            cell = rates[:, row, column]
            results.number(
                artefact,
                f"base / true {true}",
                f"estimated {estimated}",
                cell.mean(),
                std=cell.std(**spread),
                n=len(cell),
                unit="fraction",
            )
        number = objects[:, row]
        results.number(
            artefact,
            f"base / true {true}",
            "test objects",
            number.mean(),
            std=number.std(**spread),
            n=len(number),
            unit="objects",
        )
    return results


def confusion_counts(table: ScoreTable) -> np.ndarray:
    """Count objects by true class (rows) and class of largest score (columns).

    Parameters
    ----------
    table : ScoreTable
        One fold.

    Returns
    -------
    ndarray of int, shape (C, C)
    """
    counts = np.zeros((len(table.classes), len(table.classes)), dtype=int)
    np.add.at(counts, (table.y, table.scores.argmax(axis=1)), 1)
    return counts
