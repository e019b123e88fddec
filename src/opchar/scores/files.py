"""Score tables as files: one a data set and protocol, with a column ``model``."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from opchar.errors import ScoresError, first_line, nearest
from opchar.files import read_json, write_json, write_parquet
from opchar.scores.table import FURTHER, ScoreTable

KEYS = ["fold", "index", "y"]
MODEL = "model"
RAW = " (raw)"


def sidecar(path: Path | str) -> Path:
    """Return the file with the provenance of a score or feature table.

    Parameters
    ----------
    path : path-like
        Of the table.

    Returns
    -------
    pathlib.Path
        Beside the table.
    """
    return Path(path).with_suffix(".json")


def write_scores(table: ScoreTable, path: Path | str) -> None:
    """Write the scores of one model as Parquet, and their provenance beside them.

    Parameters
    ----------
    table : ScoreTable
        What to write; it is validated first.
    path : path-like
        Ending in ``.parquet``.

    Raises
    ------
    ScoresError
        One line, if the table is not as `read_scores` wants it.
    """
    write_json(table.provenance | {"classes": list(table.classes)}, sidecar(path))
    write_parquet(_frame(table, str(path)), path)


def write_models(tables: Mapping[str, ScoreTable], path: Path | str) -> None:
    """Write the scores of several models as one table with a column ``model``.

    Parameters
    ----------
    tables : mapping of str to ScoreTable
        By model; classes stand in the same order in all. A column that a model has no values of,
        such as raw decision values, stays empty in its rows.
    path : path-like
        Ending in ``.parquet``.

    Raises
    ------
    ScoresError
        One line, if a table is not as `read_models` wants it, or has another order of classes.
    """
    named = list(dict.fromkeys(name for table in tables.values() for name in table.classes))
    for model, table in tables.items():
        if list(table.classes) != [name for name in named if name in table.classes]:
            raise ScoresError(f"{path}: model '{model}' has another order of classes than others")
    frames = [_frame(one, f"{path}, model '{model}'") for model, one in tables.items()]
    whole = pd.concat(frames, keys=list(tables), names=[MODEL]).reset_index(MODEL)
    told = {
        model: table.provenance | {"classes": list(table.classes)}
        for model, table in tables.items()
    }
    write_json({"models": told}, sidecar(path))
    write_parquet(whole.reset_index(drop=True), path)


def _frame(table: ScoreTable, place: str) -> pd.DataFrame:
    if taken := sorted({*KEYS, MODEL, *FURTHER} & set(table.classes)):
        raise ScoresError(f"{place}: no class can be called '{taken[0]}'; the column has a meaning")
    columns: dict[str, np.ndarray] = {"fold": table.fold}
    columns |= {key: getattr(table, key) for key in FURTHER[:2] if getattr(table, key) is not None}
    columns["index"] = table.index
    columns["y"] = np.asarray(table.classes, dtype=object)[table.y]
    if table.detector is not None:
        columns["detector"] = table.detector
    columns |= {name: table.scores[:, column] for column, name in enumerate(table.classes)}
    if table.decisions is not None:
        for column, name in enumerate(table.classes):
            columns[name + RAW] = table.decisions[:, column]
    frame = pd.DataFrame(columns)
    _validate(frame, place)
    return frame


def read_scores(path: Path | str, model: str | None = None) -> ScoreTable:
    """Read and validate the scores of one model.

    Parameters
    ----------
    path : path-like
        Parquet or CSV with the columns ``fold, index, y`` and one per class. In a CSV, ``fold`` and
        ``index`` may be missing: then there is one fold and objects are numbered. Columns of raw
        decision values ``<class> (raw)``: for all classes or for none. The columns ``model``,
        ``test_set``, ``member`` and ``detector`` are no classes.
    model : str, optional
        Which model, where the table has several.

    Returns
    -------
    ScoreTable
        The scores of the model.

    Raises
    ------
    ScoresError
        One line that names file, row and column, or the models to choose from.
    """
    found = read_models(path, None if model is None else [model])
    if len(found) > 1:
        raise ScoresError(f"{path}: several models, {', '.join(found)}: say which (model=...)")
    return next(iter(found.values()))


def read_models(path: Path | str, models: Iterable[str] | None = None) -> dict[str, ScoreTable]:
    """Read and validate a score table, model by model.

    Parameters
    ----------
    path : path-like
        As in `read_scores`. A table without the column ``model`` has one, called ``model``.
    models : iterable of str, optional
        Which of its models to read, in which order; all when not given.

    Returns
    -------
    dict of str to ScoreTable
        By model, in the order asked for or that of the table.

    Raises
    ------
    ScoresError
        One line that names file, row and column, or the models to choose from.
    """
    path = Path(path)
    frame = _read_frame(path)
    told = read_json(sidecar(path)) if sidecar(path).exists() else {}
    if MODEL not in frame:
        return {MODEL: _table(frame, str(path), told)}
    parts = dict(iter(frame.groupby(frame.pop(MODEL).astype(str), sort=False)))
    chosen = list(parts) if models is None else list(models)
    if unknown := [name for name in chosen if name not in parts]:
        raise ScoresError(f"{path}: no model '{unknown[0]}'{nearest(unknown[0], list(parts))}")
    origins = told.get("models", {})
    return {
        model: _table(
            parts[model].dropna(axis="columns", how="all").reset_index(drop=True),
            f"{path}, model '{model}'",
            origins.get(model, {}),
        )
        for model in chosen
    }


def _read_frame(path: Path) -> pd.DataFrame:
    try:
        frame = pd.read_csv(path) if path.suffix == ".csv" else pd.read_parquet(path)
    except FileNotFoundError:
        raise ScoresError(f"{path}: no such score table") from None
    except Exception as error:
        raise ScoresError(
            f"{path}: not a readable score table ({first_line(error)}); give CSV or Parquet with "
            "the columns fold, index, y and one column of scores a class"
        ) from None
    if path.suffix != ".csv":
        return frame
    return frame.assign(
        fold=frame.get("fold", 0), index=frame.get("index", pd.Series(range(len(frame))))
    )


def _table(frame: pd.DataFrame, place: str, provenance: dict[str, Any]) -> ScoreTable:
    _validate(frame, place)
    classes, raw = _columns(frame)
    return ScoreTable(
        frame["fold"].to_numpy(dtype=np.int64),
        frame["index"].to_numpy(dtype=np.int64),
        pd.Categorical(frame["y"].astype(str), categories=classes).codes.astype(np.int64),
        frame[list(classes)].to_numpy(dtype=float),
        classes,
        provenance,
        frame[raw].to_numpy(dtype=float) if raw else None,
        frame["test_set"].astype(str).to_numpy(dtype=object) if "test_set" in frame else None,
        frame["member"].to_numpy(dtype=np.int64) if "member" in frame else None,
        frame["detector"].to_numpy(dtype=float) if "detector" in frame else None,
    )


def _columns(frame: pd.DataFrame) -> tuple[tuple[str, ...], list[str]]:
    """Return the columns of scores and those of raw decision values."""
    names = [str(name) for name in frame.columns if name not in (*KEYS, *FURTHER)]
    raw = [name for name in names if name.endswith(RAW) and name.removesuffix(RAW) in names]
    return tuple(name for name in names if name not in raw), raw


def _validate(frame: pd.DataFrame, place: str) -> None:
    """Raise `ScoresError` unless the columns, labels and numbers are as the contract says."""
    if missing := [name for name in KEYS if name not in frame.columns]:
        raise ScoresError(
            f"{place}: column '{missing[0]}' is missing; it has {list(frame.columns)}"
        )
    if frame.empty:
        raise ScoresError(f"{place}: the table has no rows")
    frame = frame.rename(columns=str)
    classes, raw = _columns(frame)
    if len(classes) < 2:
        raise ScoresError(
            f"{place}: {len(classes)} score column(s); give one a class, at least two"
        )
    if raw and raw != [name + RAW for name in classes]:
        raise ScoresError(
            f"{place}: raw decision values of {len(raw)} of {len(classes)} classes; give them for "
            "all, in the order of the classes, or for none"
        )
    further = [name for name in ("member", "detector") if name in frame]
    for name in ["fold", "index", *further, *classes, *raw]:
        _check_numbers(frame[name], place, may_be_minus_infinity=name in (*raw, "detector"))
    for name in ["fold", "index", *further[: further.count("member")]]:
        _check_whole(frame[name], place, least=0 if name == "member" else None)
    _check_labels(frame, classes, place)


def _check_numbers(column: pd.Series, place: str, may_be_minus_infinity: bool) -> None:
    if not pd.api.types.is_numeric_dtype(column):
        row = next((at for at, value in enumerate(column) if not _is_number(value)), 0)
        raise ScoresError(
            f"{place}: row {row + 1}, column '{column.name}': '{column.iloc[row]}' is no number"
        )
    values = column.to_numpy(dtype=float, na_value=np.nan)
    finite = np.isfinite(values) | ((values == -np.inf) & may_be_minus_infinity)
    if not finite.all():
        row = int(np.argmin(finite))
        raise ScoresError(
            f"{place}: row {row + 1}, column '{column.name}': {column.iloc[row]} is not finite"
        )


def _is_number(value: object) -> bool:
    try:
        return bool(np.isfinite(float(value)))  # type: ignore[arg-type]
    except (TypeError, ValueError, OverflowError):
        return False


def _check_whole(column: pd.Series, place: str, least: int | None) -> None:
    values = column.to_numpy(dtype=float)
    right = (values == np.floor(values)) & (least is None or values >= least)
    if not right.all():
        row = int(np.argmin(right))
        wanted = "a whole number" + (f" from {least}" if least is not None else "")
        raise ScoresError(
            f"{place}: row {row + 1}, column '{column.name}': {column.iloc[row]} is not {wanted}"
        )


def _check_labels(frame: pd.DataFrame, classes: tuple[str, ...], place: str) -> None:
    if "test_set" in frame and frame["test_set"].isna().any():
        row = int(frame["test_set"].isna().to_numpy().argmax())
        raise ScoresError(
            f"{place}: row {row + 1}, column 'test_set': empty; name the test set of every row"
        )
    labels = frame["y"].astype(str)
    known = labels.isin([str(name) for name in classes]).to_numpy()
    if not known.all():
        row = int(np.argmin(known))
        raise ScoresError(
            f"{place}: row {row + 1}, column 'y': label '{labels.iloc[row]}' is none of the score "
            f"columns {list(classes)}"
        )
    if labels.nunique() < 2:
        raise ScoresError(f"{place}: column 'y' has only the class '{labels.iloc[0]}'; give both")
