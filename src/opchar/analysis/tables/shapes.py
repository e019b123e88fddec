"""Tables of other shapes: rows of several models below each other, cells with several scores."""

from __future__ import annotations

import re
from collections.abc import Iterator
from shlex import quote

import numpy as np
import pandas as pd

from opchar.analysis.tables.cells import cell_numbers, label_text, words_of
from opchar.analysis.tables.columns import Columns
from opchar.errors import ScoresError

NAMES = ("model", "classifier", "algorithm", "estimator", "learner", "method", "scorer", "detector")
MOST_MODELS = 50
# Columns that part the rows, and names of the part that a model learns from.
PARTS = ("split", "set", "data_set", "partition", "subset", "part", "phase", "sample", "usage",
         "fold", "stage", "train_test")  # fmt: skip
TRAINING = ("train", "training", "train_set", "training set", "fit", "development", "derivation")
# As Spark, NumPy and lists of Python are written: [0.3,0.7], [0.3 0.7], DenseVector([0.3, 0.7]).
_VECTOR = re.compile(r"(?:DenseVector\()?\[([^\[\]]+)\]\)?")


def by_model(
    where: str, name: str, frame: pd.DataFrame, wanted: Columns
) -> Iterator[tuple[str, str, pd.DataFrame]]:
    """Yield the rows of each model as a table of its own, called as the model.

    Scores of several models are never pooled: their thresholds differ.
    """
    check_parts(frame, where, wanted)
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


def check_parts(frame: pd.DataFrame, where: str, wanted: Columns) -> None:
    """Refuse rows of training beside others: their scores are better than those of new objects."""
    for name in frame.columns:
        if words_of(str(name)) not in PARTS or name == wanted.by:
            continue
        texts = frame[name].map(label_text)
        known = texts.str.lower().isin(TRAINING)
        if known.any() and not known.all():
            raise ScoresError(
                f"{where}: column '{name}' says that {int(known.sum())} rows are of "
                f"'{texts[known].iloc[0]}': the model knows them. Leave them out, or compare the "
                f"parts by --by {quote(str(name))}"
            )


def without_vectors(frame: pd.DataFrame, where: str) -> pd.DataFrame:
    """Return a table in which the scores of all classes in one cell have one column for each class.

    Columns are called after the places in the cell, from 0, as programs number classes; a single
    number in brackets, as Keras has them, is that number.
    """
    texts = [name for name in frame.columns if not pd.api.types.is_numeric_dtype(frame[name])]
    for name in texts:
        if not len(frame) or (first := _vector(frame[name].iloc[0])) is None:
            continue
        cells = [_vector(cell) for cell in frame[name]]
        for row, cell in enumerate(cells):
            if cell is None or len(cell) != len(first):
                raise ScoresError(
                    f"{where}: row {row + 1}, column '{name}': not {len(first)} numbers as in row 1"
                )
        names = [f"{name}_{k}" for k in range(len(first))] if len(first) > 1 else [name]
        parts = pd.DataFrame(np.array(cells), frame.index, names)
        frame = frame.drop(columns=name).join(parts)
    return frame


def _vector(cell: object) -> list[float] | None:
    """Return the numbers of a cell that has several; None of any other."""
    if isinstance(cell, dict):  # a vector of Spark in Parquet
        cell = cell.get("values")
    if isinstance(cell, str) and (found := _VECTOR.fullmatch(cell.strip())):
        cell = re.split(r"[,;\s]+", found[1].strip())
    if not isinstance(cell, list | np.ndarray):
        return None
    try:
        return [float(part) for part in cell]
    except (TypeError, ValueError):
        return None
