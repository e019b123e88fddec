"""The base classifier of the Neyman-Pearson experiments (thesis, Sec. 3.2.5)."""

import numpy as np

from opchar.errors import ScoresError
from opchar.metrics.counts import confusion_matrix
from opchar.scores import ScoreTable
from opchar_reproduction.results import Results, keep_repeats
from opchar_reproduction.study import study


@study(
    "satellite-base-confusion",
    scores=[
        "satellite-4 | shuffled-4435-2000 | pca17 ldc; sc pca17 ldc",
        "satellite-4-as-filed | first-4435 | pca17 ldc; sc pca17 ldc",
    ],
)
def base_confusion(
    *,
    scores: dict[tuple[str, str], ScoreTable],
    artefact: str = "text-3.2.5-confusion-1",
    data: str = "satellite-4",
    model: str = "pca17 ldc",
) -> Results:
    """Average the normalised confusion matrices of a classifier over its folds.

    `data`, `model`: Which of the tables is taken; the others belong to other variants.

    landgrebe2007, Sec. 3.2.5, first matrix.
    """
    table = scores[data, model]
    counts = fold_confusions(table)
    objects = counts.sum(axis=2)
    if not objects.all():
        name = table.classes[int(np.argwhere(objects == 0)[0, 1])]
        raise ScoresError(f"{table.data}: a fold has no test object of class '{name}'")
    rates = counts / objects[:, :, None]
    results = Results()
    spread = {"ddof": 1} if len(counts) > 1 else {}
    for at, true in enumerate(table.classes):
        row = f"base / true {true}"
        for estimated, cell in zip(table.classes, rates[:, at].T, strict=True):
            column, mean, std = f"estimated {estimated}", cell.mean(), cell.std(**spread)
            results.number(artefact, row, column, mean, std=std, n=len(cell), unit="fraction")
            keep_repeats(results, artefact, row, column, cell)
        number = objects[:, at]
        mean, std = number.mean(), number.std(**spread)
        results.number(artefact, row, "test objects", mean, std=std, n=len(number), unit="objects")
    return results.rest_on(table.data)


def fold_confusions(table: ScoreTable) -> np.ndarray:
    """Return the confusion matrix of each fold at equal weights, shape (folds, C, C)."""
    c = len(table.classes)
    parts = [part for _, part in table.folds()]
    return np.array([confusion_matrix(part.y, part.scores.argmax(axis=1), c) for part in parts])
