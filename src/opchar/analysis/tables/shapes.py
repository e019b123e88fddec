"""Tables of other shapes: rows of several models below each other, cells with several scores."""

from __future__ import annotations

import re
from collections.abc import Iterator
from shlex import quote

import numpy as np
import pandas as pd

from opchar.analysis.tables.cells import WORDS, cell_numbers, label_text, words_of
from opchar.analysis.tables.columns import Columns
from opchar.analysis.tables.json_tables import cell_record, records_table
from opchar.errors import ScoresError

NAMES = WORDS["models"]
MOST_MODELS = 50
# As Spark, NumPy and Python write several numbers: [0.3,0.7], DenseVector([0.3, 0.7]), (0.3, 0.7);
# and one: tensor(0.3), np.float64(0.3).
_VECTOR = re.compile(r"(?:DenseVector\(|tensor\(|array\()?(?:\[([^\[\]()]+)\]|\(([^\[\]()]+)\))\)?")
_NUMBER = re.compile(r"(?:[Tt]ensor\w*|(?:np|numpy)\.\w+)\(([^(),\[\]]+)(?:, *\w+=[^(),]+)*\)")


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
        if words_of(str(name)) not in WORDS["parts"] or name == wanted.by:
            continue
        texts = frame[name].map(label_text)
        known = texts.str.lower().isin(WORDS["training"])
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
    frame = _with_distribution(frame)
    texts = [name for name in frame.columns if not pd.api.types.is_numeric_dtype(frame[name])]
    for name in texts if len(frame) else ():
        if isinstance(frame[name].iloc[0], str) and _NUMBER.search(frame[name].iloc[0]):
            bare = frame[name].astype(str).str.replace(_NUMBER, r"\1", regex=True)
            frame = frame.assign(**{name: bare})
        if (first := _vector(frame[name].iloc[0])) is None:
            if cell_record(frame[name].iloc[0]) is not None:
                frame = _with_records(frame, name, where)
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


def _with_distribution(frame: pd.DataFrame) -> pd.DataFrame:
    """Return predictions of Weka with a column for each class, without the mark of the largest.

    Only the first column of the distribution has a name; classes are called ``1:no`` and so on.
    """
    if not {"distribution", "actual"} <= set(frame.columns):
        return frame
    at = frame.columns.get_loc("distribution")
    own = frame.iloc[:, at:]
    if own.shape[1] == 1:
        own = frame["distribution"].astype(str).str.split(",", expand=True)
    if not own.map(lambda cell: str(cell).startswith("*")).any(axis=1).all():
        return frame
    said = [str(each) for name in ("actual", "predicted") if name in frame for each in frame[name]]
    names = {each.partition(":")[0]: each for each in said}
    own = own.map(lambda cell: str(cell).removeprefix("*"))
    own.columns = pd.Index([names.get(str(k), f"{k}:") for k in range(1, own.shape[1] + 1)])
    return frame.iloc[:, :at].join(own)


def _with_records(frame: pd.DataFrame, name: str, where: str) -> pd.DataFrame:
    """Return a table in which what a column of JSON names has columns of its own."""
    records = [cell_record(cell) for cell in frame[name]]
    if None in records:
        row = records.index(None)
        raise ScoresError(f"{where}: row {row + 1}, column '{name}': no JSON as in row 1")
    parts = records_table(records).set_index(frame.index)  # type: ignore[arg-type]
    taken = {part: f"{name}.{part}" for part in parts if part in frame.columns and part != name}
    return frame.drop(columns=name).join(parts.rename(columns=taken))


def _vector(cell: object) -> list[float] | None:
    """Return the numbers of a cell that has several; None of any other."""
    if isinstance(cell, dict):  # a vector of Spark in Parquet
        cell = cell.get("values")
    if isinstance(cell, str) and (found := _VECTOR.fullmatch(cell.strip())):
        cell = re.split(r"[,;\s]+", (found[1] or found[2]).strip())
    if not isinstance(cell, list | np.ndarray):
        return None
    try:
        return [float(part) for part in cell]
    except (TypeError, ValueError):
        return None
