"""Readers of the formats that the sets come in: typed arrays, class names, nothing guessed."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from opchar.datasets.registry import DataSet
from opchar.errors import ConfigError, DataError, nearest


@dataclass(frozen=True)
class RawTable:
    """Objects as a reader finds them.

    Parameters
    ----------
    X : ndarray of float, shape (n, d)
        Features; categorical codes stay numbers, a missing value is NaN.
    labels : ndarray of str, shape (n,)
        Class name of each object.
    names : tuple of str, length d
        Feature names.
    """

    X: np.ndarray
    labels: np.ndarray
    names: tuple[str, ...]


def uci_table(
    paths: Sequence[Path],
    *,
    separator: str = ",",
    label: str = "last",
    skip_lines: int = 0,
    missing: str = "?",
    labels: Mapping[str, str] | None = None,
    blocks: Sequence[str] | None = None,
    drop: Sequence[int] = (),
    names: Sequence[str] | None = None,
) -> RawTable:
    """Read tables such as ``.data``, ``.trn`` and ``.dat``, one object per line.

    Parameters
    ----------
    paths : sequence of pathlib.Path
        Files, joined in this order.
    separator : str
        Between the columns; a blank stands for any white space.
    label : {'first', 'last', 'none'}
        Where the class stands.
    skip_lines : int
        Lines at the beginning of each file that are not data.
    missing : str
        How a missing value is written.
    labels : mapping, optional
        Class name of each label in the file; without it labels are names.
    blocks : sequence of str, optional
        With ``label='none'``: the objects come in equal blocks of these classes.
    drop : sequence of int
        Columns of the file, from 0, that are neither feature nor label (identifiers).
    names : sequence of str, optional
        Feature names.

    Returns
    -------
    RawTable
        Features and labels as they stand in the file.

    Raises
    ------
    DataError
        If a file is not such a table.
    """
    frames = []
    for path in paths:
        try:
            frame = pd.read_csv(
                path,
                sep=r"\s+" if separator == " " else separator,
                header=None,
                skiprows=skip_lines,
                na_values=[missing, f" {missing}"],
                keep_default_na=False,
            )
        except (ValueError, UnicodeDecodeError) as error:
            raise DataError(f"{path}: not a table ({_first_line(error)}); fetch it again") from None
        frames.append(frame.drop(columns=list(drop)) if drop else frame)
    if len({frame.shape[1] for frame in frames}) > 1:
        raise DataError(f"{paths[0].parent}: the files differ in columns; fetch the set again")
    table = pd.concat(frames, ignore_index=True) if len(frames) > 1 else frames[0]
    if label == "none":
        found = _in_blocks(len(table), blocks or [], paths[0])
    else:
        column = table.columns[0 if label == "first" else -1]
        found = _words(table.pop(column))
    return _table(table, _rename_labels(found, labels, paths[0]), names, paths[0])


def headed(paths: Sequence[Path], *, target: str, separator: str = ",") -> RawTable:
    """Read a table with a header, such as a user's own: one column of classes, others numbers.

    Parameters
    ----------
    paths : sequence of pathlib.Path
        One file.
    target : str
        The column of classes.
    separator : str
        Between the columns.

    Returns
    -------
    RawTable
        Features and labels as they stand in the file.

    Raises
    ------
    DataError
        If there is no such column, or another holds something that is no number.
    """
    (path,) = paths
    try:
        table = pd.read_csv(path, sep=separator, encoding="utf-8-sig", dtype={target: str})
    except (ValueError, UnicodeDecodeError) as error:
        raise DataError(f"{path}: not a table ({_first_line(error)})") from None
    names = [str(name) for name in table.columns]
    if target not in names:
        raise DataError(f"{path}: no column '{target}'{nearest(target, names)}")
    labels = table.pop(target)
    if labels.isna().any():
        raise DataError(f"{path}: row {int(labels.isna().to_numpy().argmax()) + 1} has no class")
    for name in table.columns:
        wrong = pd.to_numeric(table[name], errors="coerce").isna() & table[name].notna()
        if wrong.any():
            row = int(wrong.to_numpy().argmax())
            raise DataError(
                f"{path}: row {row + 1}, column '{name}': '{table[name].iloc[row]}' is no number"
            )
    return _table(table, _words(labels), [str(name) for name in table.columns], path)


def keel(
    paths: Sequence[Path], *, labels: Mapping[str, str] | None = None, missing: str = "<null>"
) -> RawTable:
    """Read a KEEL ``.dat`` file: a header of ``@`` lines, then comma-separated objects.

    Parameters
    ----------
    paths : sequence of pathlib.Path
        One file.
    labels : mapping, optional
        Class name of each label in the file.
    missing : str
        How a missing value is written.

    Returns
    -------
    RawTable
        Features and labels as they stand in the file.

    Raises
    ------
    DataError
        If the file has no ``@data`` line.
    """
    (path,) = paths
    names: list[str] = []
    lines = _lines(path)
    for line in lines:
        word = line.split(maxsplit=1)
        if len(word) == 2 and word[0].lower() == "@attribute":
            names.append(word[1].replace("{", " ").split()[0])
    try:
        header = 1 + [line.strip().lower() for line in lines].index("@data")
    except ValueError:
        raise DataError(f"{path}: no @data line; fetch it again") from None
    return uci_table(paths, skip_lines=header, labels=labels, missing=missing, names=names[:-1])


def keel_sets(paths: Sequence[Path]) -> RawTable:
    """Read several KEEL ``.dat`` files of two classes as one table, each with classes of its own.

    Parameters
    ----------
    paths : sequence of pathlib.Path
        Files; a class is called ``<stem of the file> <class>``.

    Returns
    -------
    RawTable
        Features ``x1``, ``x2`` and so on, in the order of each file; a file with fewer has zeros in
        the rest. A nominal feature is the position of its value, from 0.

    Raises
    ------
    DataError
        If a file has no ``@data`` line, or a cell that is neither number nor a declared value.
    """
    parts, labels = [], []
    for path in paths:
        lines = _lines(path)
        starts = [line.strip().lower() for line in lines]
        if "@data" not in starts:
            raise DataError(f"{path}: no @data line; fetch it again")
        nominal = _nominal_values(lines, path)
        cells = [
            [cell.strip() for cell in line.split(",")]
            for line in lines[starts.index("@data") + 1 :]
            if line.strip()
        ]
        if not cells:
            raise DataError(f"{path}: no objects after its @data line; fetch it again")
        try:
            parts.append(
                np.array(
                    [
                        [
                            nominal[place].index(cell) if place in nominal else float(cell)
                            for place, cell in enumerate(row[:-1])
                        ]
                        for row in cells
                    ]
                )
            )
        except ValueError as error:
            raise DataError(f"{path}: {_first_line(error)}; fetch it again") from None
        labels += [f"{path.stem} {row[-1]}" for row in cells]
    width = max(part.shape[1] for part in parts)
    padded = [np.pad(part, ((0, 0), (0, width - part.shape[1]))) for part in parts]
    frame = pd.DataFrame(np.concatenate(padded))
    return _table(frame, np.array(labels, dtype=object), None, paths[0])


def _lines(path: Path) -> list[str]:
    """Return the lines of a text."""
    try:
        return path.read_text(encoding="utf-8").splitlines()
    except UnicodeDecodeError:
        raise DataError(f"{path}: not UTF-8 text; fetch it again") from None


def _nominal_values(lines: Sequence[str], path: Path) -> dict[int, list[str]]:
    """Return the values of each nominal feature in a KEEL header, by the feature's place."""
    attributes = [line for line in lines if line.lower().startswith("@attribute")]
    if broken := [line for line in attributes if "{" in line and "}" not in line.split("{")[1]]:
        raise DataError(f"{path}: '{broken[0]}' has no end of its values; fetch it again")
    return {
        place: [value.strip() for value in line[line.index("{") + 1 : line.index("}")].split(",")]
        for place, line in enumerate(attributes[:-1])
        if "{" in line
    }


def arff(
    paths: Sequence[Path], *, label: str | None = None, labels: Mapping[str, str] | None = None
) -> RawTable:
    """Read an ARFF file; nominal features become the position of their value, from 0.

    Parameters
    ----------
    paths : sequence of pathlib.Path
        One file.
    label : str, optional
        Name of the class attribute; by default the last one.
    labels : mapping, optional
        Class name of each label in the file.

    Returns
    -------
    RawTable
        Features and labels as they stand in the file.

    Raises
    ------
    DataError
        If the file is not ARFF.
    """
    from scipy.io import arff as scipy_arff

    (path,) = paths
    try:
        records, meta = scipy_arff.loadarff(path)
    except Exception as error:
        raise DataError(
            f"{path}: not an ARFF file ({_first_line(error)}); fetch it again"
        ) from None
    target = label or next(reversed(meta.names()), None)
    if target not in meta.names():
        missing = f"no attribute '{target}'" if target else "no attributes"
        raise DataError(f"{path}: {missing}; fetch it again")
    columns = {}
    for name in meta.names():
        kind, values = meta[name]
        column = records[name]
        if kind == "nominal":
            column = np.char.decode(column.astype(bytes), "utf-8")
        if name == target:
            found = column.astype(object)
        elif kind == "nominal":
            codes = {value: float(code) for code, value in enumerate(values)}
            columns[name] = np.array([codes.get(str(value), np.nan) for value in column])
        else:
            columns[name] = column
    return _table(pd.DataFrame(columns), _rename_labels(found, labels, path), list(columns), path)


def prtools_struct(
    paths: Sequence[Path], *, variable: str = "a", labels: Mapping[str, str] | None = None
) -> RawTable:
    """Read a MAT file with one PRTools struct: ``d`` data, ``l`` label from 1, ``ll`` label names.

    Parameters
    ----------
    paths : sequence of pathlib.Path
        One file.
    variable : str
        Name of the struct.
    labels : mapping, optional
        Class name of each label name in the file.

    Returns
    -------
    RawTable
        Features and labels as they stand in the file.

    Raises
    ------
    DataError
        If the file has no such struct.
    """
    from scipy.io import loadmat

    (path,) = paths
    try:
        struct = loadmat(path, simplify_cells=True, variable_names=[variable])[variable]
        names = np.array([str(name).strip() for name in np.atleast_1d(struct["ll"])], dtype=object)
        found = names[np.asarray(struct["l"], dtype=np.int64).ravel() - 1]
        data = _matrix(np.asarray(struct["d"], dtype=float))
    except Exception as error:
        raise DataError(
            f"{path}: not a PRTools MAT file ({_first_line(error)}); fetch it again"
        ) from None
    return _table(pd.DataFrame(data), _rename_labels(found, labels, path), None, path)


def npz(
    paths: Sequence[Path],
    *,
    data: str = "X",
    label: str = "label",
    class_names: str | None = "classes",
    labels: Mapping[str, str] | None = None,
) -> RawTable:
    """Read a NumPy archive, never a pickle in it.

    Parameters
    ----------
    paths : sequence of pathlib.Path
        One file.
    data, label : str
        Names of the arrays with the features and the labels.
    class_names : str, optional
        Name of the array with class names that integer labels point into.
    labels : mapping, optional
        Class name of each label.

    Returns
    -------
    RawTable
        Features and labels as they stand in the file.

    Raises
    ------
    DataError
        If an array is missing or is a pickle.
    """
    (path,) = paths
    try:
        with np.load(path, allow_pickle=False) as archive:
            values = _matrix(np.asarray(archive[data], dtype=float))
            found = archive[label]
            if class_names is not None:
                found = archive[class_names][found]
    except Exception as error:
        raise DataError(
            f"{path}: not the expected NumPy archive ({_first_line(error)}); fetch it again"
        ) from None
    return _table(
        pd.DataFrame(values),
        _rename_labels(found.astype(str).astype(object), labels, path),
        None,
        path,
    )


def _matrix(values: np.ndarray) -> np.ndarray:
    """Return an array as objects by features; an object of more dimensions is laid out flat."""
    if values.ndim < 2 or not values.size:
        raise ValueError(f"features of shape {values.shape}")
    return values.reshape(len(values), -1)


READERS: dict[str, Callable[..., RawTable]] = {
    "opchar.datasets.readers:uci_table": uci_table,
    "opchar.datasets.readers:headed": headed,
    "opchar.datasets.readers:keel": keel,
    "opchar.datasets.readers:keel_sets": keel_sets,
    "opchar.datasets.readers:arff": arff,
    "opchar.datasets.readers:prtools_struct": prtools_struct,
    "opchar.datasets.readers:npz": npz,
}


def read_set(data: DataSet, folder: Path) -> RawTable:
    """Read a set from its raw files and check it against the registry.

    Parameters
    ----------
    data : DataSet
        Its entry; the option ``complete_only`` leaves out objects with a missing value, and
        ``classes`` of the entry must then count complete objects.
    folder : pathlib.Path
        Where the files are.

    Returns
    -------
    RawTable
        Without missing values.

    Raises
    ------
    DataError
        If shape, classes or counts are not those of the registry, or a value is missing.
    """
    if data.reader not in READERS:
        raise ConfigError(
            f"config/datasets.yaml: '{data.name}' has the unknown reader '{data.reader}'"
            f"{nearest(data.reader, list(READERS))}"
        )
    options: dict[str, Any] = dict(data.options)
    complete_only = options.pop("complete_only", False)
    table = READERS[data.reader]([folder / name for name in data.files], **options)
    complete = np.isfinite(table.X).all(axis=1)
    if complete_only:
        table = RawTable(table.X[complete], table.labels[complete], table.names)
    elif not complete.all():
        row = int(np.argmin(complete)) + 1
        raise DataError(f"{folder}: object {row} has a missing value; fetch the set again")
    _check(data, table, folder)
    return table


def _check(data: DataSet, table: RawTable, folder: Path) -> None:
    if table.X.shape != data.shape:
        raise DataError(
            f"{folder}: {data.name} has shape {table.X.shape} and the registry says {data.shape}; "
            f"delete {folder} and run again"
        )
    codes, labels = pd.factorize(table.labels)
    counts = dict(zip(map(str, labels), np.bincount(codes).tolist(), strict=True))
    if counts != data.classes:
        raise DataError(
            f"{folder}: {data.name} has the classes {counts} and the registry says "
            f"{data.classes}; delete {folder} and run again"
        )


def _table(
    frame: pd.DataFrame, labels: np.ndarray, names: Sequence[str] | None, path: Path
) -> RawTable:
    """Make a `RawTable` of a frame whose columns must all be numbers."""
    try:
        values = frame.to_numpy(dtype=float, na_value=np.nan)
    except (ValueError, TypeError, OverflowError) as error:
        raise DataError(f"{path}: {_first_line(error)}; fetch it again") from None
    if len(labels) != len(values):
        raise DataError(f"{path}: {len(values)} objects and {len(labels)} labels; fetch it again")
    if not all(isinstance(label, str) for label in labels):
        raise DataError(f"{path}: the labels are no texts; fetch it again")
    names = names or [f"x{number}" for number in range(1, values.shape[1] + 1)]
    if len(names) != values.shape[1]:
        raise DataError(f"{path}: {values.shape[1]} features and {len(names)} names")
    return RawTable(np.ascontiguousarray(values), labels, tuple(names))


def _words(column: pd.Series) -> np.ndarray:
    """Return labels as words without blanks around them."""
    codes, labels = pd.factorize(column)
    return np.array([str(label).strip() for label in labels], dtype=object)[codes]


def _rename_labels(found: np.ndarray, labels: Mapping[str, str] | None, path: Path) -> np.ndarray:
    if labels is None:
        return found
    names = {str(label): str(name) for label, name in labels.items()}
    codes, unique = pd.factorize(found)
    unknown = [label for label in unique if str(label) not in names]
    if unknown:
        raise DataError(f"{path}: unknown label '{unknown[0]}'; known are {list(names)}")
    return np.array([names[str(label)] for label in unique], dtype=object)[codes]


def _in_blocks(rows: int, blocks: Sequence[str], path: Path) -> np.ndarray:
    if not blocks or rows % len(blocks):
        raise DataError(
            f"{path}: {rows} objects are not {len(blocks)} equal blocks; fetch it again"
        )
    return np.repeat(np.array([str(block) for block in blocks], dtype=object), rows // len(blocks))


def _first_line(error: Exception) -> str:
    return str(error).splitlines()[0] if str(error) else type(error).__name__
