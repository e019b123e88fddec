"""Tables whose rows are those of several models, told apart by a column."""

from __future__ import annotations

from collections.abc import Iterator
from shlex import quote

import pandas as pd

from opchar.analysis.tables.cells import cell_numbers, label_text, words_of
from opchar.analysis.tables.columns import Columns
from opchar.errors import ScoresError

NAMES = ("model", "classifier", "algorithm", "estimator", "learner", "method", "scorer", "detector")
MOST_MODELS = 50


def by_model(
    where: str, name: str, frame: pd.DataFrame, wanted: Columns
) -> Iterator[tuple[str, str, pd.DataFrame]]:
    """Yield the rows of each model as a table of its own, called as the model.

    Scores of several models are never pooled: their thresholds differ.
    """
    column = _column_of_models(frame, wanted)
    if column is None:
        yield where, name, frame
        return
    models = frame[column].map(label_text)
    sizes = models.value_counts(sort=False)
    if sizes.min() < sizes.max() or len(sizes) > MOST_MODELS:
        fewest, most = str(sizes.idxmin()), str(sizes.idxmax())
        raise ScoresError(
            f"{where}: column '{column}' names {len(sizes)} models, '{fewest}' in {sizes[fewest]} "
            f"rows and '{most}' in {sizes[most]}; up to {MOST_MODELS} models of the same objects "
            f"are compared; if one model gave all scores, --by {quote(column)} compares the groups"
        )
    for model in sizes.index:
        yield f"{where}, {model}", str(model), frame[models == model].drop(columns=column)


def _column_of_models(frame: pd.DataFrame, wanted: Columns) -> str | None:
    """Return the column of words that tells models apart, unless it has another role."""
    given = {wanted.label, wanted.fold, wanted.weight, wanted.identity, wanted.by, *wanted.scores}
    for name in frame.columns:
        word = words_of(str(name)).removesuffix("name").removesuffix("id").strip("_")
        if word not in NAMES or name in given or len(frame[name].unique()) == 1:
            continue
        if cell_numbers(frame[name]).isna().all():
            return str(name)
    return None
