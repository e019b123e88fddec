"""Readers of text files: delimited tables, KEEL and ARFF."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import pandas as pd

from opchar.datasets.raw_tables import RawTable, label_texts, raw_table, rename_labels
from opchar.errors import DataError, first_line, nearest


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

    `blocks`: With ``label='none'``: the objects come in equal blocks of these classes.
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
            raise DataError(f"{path}: not a table ({first_line(error)}); fetch it again") from None
        frames.append(frame.drop(columns=list(drop)) if drop else frame)
    if len({frame.shape[1] for frame in frames}) > 1:
        raise DataError(f"{paths[0].parent}: the files differ in columns; fetch the set again")
    table = pd.concat(frames, ignore_index=True) if len(frames) > 1 else frames[0]
    if label == "none":
        found = _in_blocks(len(table), blocks or [], paths[0])
    else:
        column = table.columns[0 if label == "first" else -1]
        found = label_texts(table.pop(column), paths[0])
    return raw_table(table, rename_labels(found, labels, paths[0]), names, paths[0])


def headed(paths: Sequence[Path], *, target: str, separator: str = ",") -> RawTable:
    """Read a table with a header, such as a user's own: one column of classes, others numbers."""
    (path,) = paths
    try:
        table = pd.read_csv(path, sep=separator, encoding="utf-8-sig", dtype={target: str})
    except (ValueError, UnicodeDecodeError) as error:
        raise DataError(f"{path}: not a table ({first_line(error)})") from None
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
    return raw_table(table, label_texts(labels, path), [str(name) for name in table.columns], path)


def keel(
    paths: Sequence[Path], *, labels: Mapping[str, str] | None = None, missing: str = "<null>"
) -> RawTable:
    """Read a KEEL ``.dat`` file: a header of ``@`` lines, then comma-separated objects."""
    (path,) = paths
    names: list[str] = []
    lines = _read_lines(path)
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

    `paths`: Files; a class is called ``<stem of the file> <class>``.
    """
    parts, labels = [], []
    for path in paths:
        lines = _read_lines(path)
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

        def number(column: int, cell: str, nominal: Mapping[int, list[str]] = nominal) -> float:
            return nominal[column].index(cell) if column in nominal else float(cell)

        try:
            parts.append(np.array([list(map(number, range(len(row) - 1), row)) for row in cells]))
        except ValueError as error:
            raise DataError(f"{path}: {first_line(error)}; fetch it again") from None
        labels += [f"{path.stem} {row[-1]}" for row in cells]
    width = max(part.shape[1] for part in parts)
    padded = [np.pad(part, ((0, 0), (0, width - part.shape[1]))) for part in parts]
    frame = pd.DataFrame(np.concatenate(padded))
    return raw_table(frame, np.array(labels, dtype=object), None, paths[0])


def _read_lines(path: Path) -> list[str]:
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
        column: [value.strip() for value in line[line.index("{") + 1 : line.index("}")].split(",")]
        for column, line in enumerate(attributes[:-1])
        if "{" in line
    }


def arff(
    paths: Sequence[Path], *, label: str | None = None, labels: Mapping[str, str] | None = None
) -> RawTable:
    """Read an ARFF file; nominal features become the position of their value, from 0."""
    from scipy.io import arff as scipy_arff

    (path,) = paths
    try:
        records, meta = scipy_arff.loadarff(path)
    except Exception as error:
        fault = "it ends before its data" if isinstance(error, StopIteration) else first_line(error)
        raise DataError(f"{path}: not an ARFF file ({fault}); fetch it again") from None
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
            if kind == "nominal" and "?" not in values:
                found = label_texts(pd.Series(found).mask(column == "?"), path)
        elif kind == "nominal":
            codes = {value: float(code) for code, value in enumerate(values)}
            columns[name] = np.array([codes.get(str(value), np.nan) for value in column])
        else:
            columns[name] = column
    return raw_table(pd.DataFrame(columns), rename_labels(found, labels, path), list(columns), path)


def _in_blocks(rows: int, blocks: Sequence[str], path: Path) -> np.ndarray:
    if not blocks or rows % len(blocks):
        raise DataError(
            f"{path}: {rows} objects are not {len(blocks)} equal blocks; fetch it again"
        )
    return np.repeat(np.array([str(block) for block in blocks], dtype=object), rows // len(blocks))
