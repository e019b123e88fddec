"""Tables from the usual files: CSV with any separator, compressed files, Parquet, NPZ."""

from __future__ import annotations

import bz2
import csv
import gzip
import io
import lzma
import re
import sys
import warnings
import zipfile
from collections.abc import Callable, Sequence
from itertools import islice
from pathlib import Path
from typing import IO

import numpy as np
import pandas as pd

from opchar.analysis.tables.cells import tidy_name
from opchar.analysis.tables.encodings import text_of
from opchar.analysis.tables.json_tables import json_table
from opchar.analysis.tables.printed_lines import (
    are_values,
    row_of_names,
    title_lines,
    without_comments,
    without_frame,
    without_remarks,
    without_roles,
)
from opchar.errors import ScoresError, first_line
from opchar.typed import is_number

PICKLES = (".pkl", ".pickle", ".joblib")
SEPARATORS = {",": "commas", ";": "semicolons", "\t": "tabs", "|": "bars", " ": "blanks"}
# Separators of a table that has none of the others in its first line.
RARE_SEPARATORS = {"^": "carets", "~": "tildes", ":": "colons"}
STDIN = "-"
LONGER = "a row has more cells than the first line has names"
# Bytes to which a packed file may grow: some hundred times what a usual table has.
LARGEST = 1 << 30
# What spreadsheets write before the header.
_SEPARATOR_LINE = re.compile(r"\A\s*\"?sep=.\"?[ \t]*\r?\n", re.I)
WANTED = "give CSV (also compressed), Parquet or NPZ"
_JSON = re.compile(r"\s*(\[\s*)?\{\s*\"")
_CONTROL = re.compile(rb"[\x00-\x08\x0e-\x1f]")
# How files begin that hold tables of other kinds.
_OTHERS = {
    "a spreadsheet": re.compile(rb"\xd0\xcf\x11\xe0"),
    "an ARFF file": re.compile(rb"(\xef\xbb\xbf)?\s*(%[^\n]*\s+)*@relation\b", re.I),
    "a listing of Weka": re.compile(rb"\s*=== "),
    "a web page or XML": re.compile(rb"(\xef\xbb\xbf)?\s*<(!doctype|html|table|\?xml)\b", re.I),
}
# Parts of archives that are spreadsheets.
_SHEETS = ("xl/", "content.xml")


def read_table(path: Path | str) -> pd.DataFrame:
    """Read a table from a file, whose format its content decides and not its name."""
    path = Path(path)
    if str(path) == STDIN:
        return _of_content(sys.stdin.buffer.read(), "standard input")
    if path.is_dir():
        raise ScoresError(f"{path}: is a folder; {WANTED}")
    if path.suffix.lower() in PICKLES:
        raise ScoresError(f"{path}: reading a pickle can run any code; {WANTED}")
    try:
        content = path.read_bytes()
    except FileNotFoundError:
        raise ScoresError(f"{path}: no such file") from None
    except OSError as error:
        raise ScoresError(f"{path}: cannot be read ({error.strerror})") from None
    return _of_content(content, str(path))


def model_name(path: Path) -> str:
    """Return what the model of a file is called: the file without its suffixes."""
    return "stdin" if str(path) == STDIN else path.name.split(".")[0] or path.name


def model_names(paths: list[Path]) -> list[str]:
    """Return the names of models: of files, with folders where these are the same."""
    names = [model_name(path) for path in paths]
    if len(set(names)) < len(names):
        names = [
            f"{path.resolve().parent.name}/{name}" for path, name in zip(paths, names, strict=True)
        ]
    if len(set(names)) < len(names):
        raise ScoresError(f"two files are both '{names[0]}'; give each model once")
    return names


def _of_content(content: bytes, where: str) -> pd.DataFrame:
    """Read content in the format that its first bytes show."""
    if not content.strip():
        raise ScoresError(f"{where}: the file is empty")
    if content[:4] == b"PAR1":
        return _read_checked(lambda: _of_parquet(content), where, "Parquet")
    if content[:1] == b"\x80" and content[1:2] in (b"\x02", b"\x03", b"\x04", b"\x05"):
        raise ScoresError(f"{where}: reading a pickle can run any code; {WANTED}")
    if content[:2] == b"PK":
        return _of_zip(content, where)
    for magic, unpacked in _PACKED.items():
        if content.startswith(magic):
            return _of_content(_unpack(unpacked, content, where), where)
    for kind, beginning in _OTHERS.items():
        if beginning.match(content):
            raise ScoresError(f"{where}: is {kind}; save its table as CSV")
    return _of_text(content, where)


def _of_parquet(content: bytes) -> pd.DataFrame:
    """Read Parquet, and check at once that all its texts can be decoded."""
    import pyarrow.parquet as pq

    table = pq.read_table(io.BytesIO(content))
    table.validate(full=True)
    return table.to_pandas(self_destruct=True).reset_index(drop=True)


def read_parts(paths: Sequence[Path]) -> pd.DataFrame:
    """Read one table from all its parts, in the order of their names."""
    if len(paths) == 1:
        return read_table(paths[0])
    parts = [read_table(path) for path in sorted(paths)]
    for path, part in zip(sorted(paths), parts, strict=True):
        if list(part.columns) != list(parts[0].columns):
            raise ScoresError(f"{path}: has other columns than {sorted(paths)[0]}")
    return pd.concat(parts, ignore_index=True)


def _zstd(content: IO[bytes]) -> IO[bytes]:
    import pyarrow as pa

    stream: IO[bytes] = pa.CompressedInputStream(content, "zstd")
    return stream


_PACKED: dict[bytes, Callable[[IO[bytes]], IO[bytes]]] = {
    b"\x1f\x8b": gzip.open,  # type: ignore[dict-item]
    b"BZh": bz2.open,
    b"\xfd7zXZ\x00": lzma.open,
    b"\x28\xb5\x2f\xfd": _zstd,
}


def _unpack(opened: Callable[[IO[bytes]], IO[bytes]], content: bytes, where: str) -> bytes:
    try:
        with opened(io.BytesIO(content)) as stream:
            unpacked = bytes(stream.read(LARGEST + 1))
    except Exception as error:
        raise ScoresError(f"{where}: cannot be decompressed ({first_line(error)})") from None
    _refuse_large(len(unpacked), where)
    return unpacked


def _refuse_large(size: int, where: str) -> None:
    """Refuse what a small file may become; a person who trusts it can decompress it."""
    if size > LARGEST:
        raise ScoresError(
            f"{where}: is more than {LARGEST >> 20} MB when decompressed; if it should be, "
            "decompress it and give that file"
        )


def _of_zip(content: bytes, where: str) -> pd.DataFrame:
    """Read an NPZ, or the one file of a zip archive."""
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            names = [name for name in archive.namelist() if not name.endswith("/")]
            _refuse_large(sum(each.file_size for each in archive.infolist()), where)
            if names and all(name.endswith(".npy") for name in names):
                return _of_arrays(content, where)
            if any(name.startswith(_SHEETS) for name in names):
                raise ScoresError(f"{where}: is a spreadsheet; save its table as CSV")
            if len(names) != 1:
                raise ScoresError(f"{where}: the archive has {len(names)} files; give one table")
            return _of_content(archive.read(names[0]), f"{where}/{names[0]}")
    except ScoresError:
        raise
    except Exception as error:
        raise ScoresError(f"{where}: cannot be decompressed ({first_line(error)})") from None


def _of_arrays(content: bytes, where: str) -> pd.DataFrame:
    """Read the arrays of an NPZ: each a column, or several named by an array ``classes``."""
    try:
        with np.load(io.BytesIO(content), allow_pickle=False) as arrays:
            found = {name: arrays[name] for name in arrays.files}
    except ValueError as error:
        hint = "; save texts as arrays of strings, not of objects" if "pickle" in str(error) else ""
        raise ScoresError(f"{where}: not a readable NPZ ({first_line(error)}){hint}") from None
    classes = [str(name) for name in found.pop("classes", np.array([])).ravel()]
    columns: dict[str, np.ndarray] = {}
    for name, array in found.items():
        if array.ndim == 2:
            known = len(classes) == array.shape[1]
            names = classes if known else [f"{name}_{c}" for c in range(array.shape[1])]
            if not known and array.shape[1] == 1:
                names = [name]
            columns |= dict(zip(names, array.T, strict=True))
        elif array.ndim == 1:
            columns[name] = array
        else:
            raise ScoresError(f"{where}: array '{name}' has {array.ndim} dimensions; give 1 or 2")
    lengths = {name: len(array) for name, array in columns.items()}
    if len(set(lengths.values())) != 1:
        raise ScoresError(f"{where}: arrays differ in length: {lengths}")
    return pd.DataFrame(columns)


def _of_text(content: bytes, where: str) -> pd.DataFrame:
    """Read text with a header line, whatever separates its columns."""
    try:
        text, guessed = text_of(content)
    except UnicodeError:
        if _CONTROL.search(content) is None:
            said = "not in UTF-8, and no other encoding is likely; save it as UTF-8 (CSV UTF-8)"
            raise ScoresError(f"{where}: {said}") from None
        raise ScoresError(f"{where}: neither a known format nor UTF-8 text; {WANTED}") from None
    if "\x00" in text:
        raise ScoresError(f"{where}: neither a known format nor text; {WANTED}")
    if _JSON.match(text):
        return _read_checked(lambda: json_table(text, where), where, "JSON")
    text = without_frame(_SEPARATOR_LINE.sub("", text))
    lines = list(islice((line for line in io.StringIO(text, newline=None) if line.strip()), 20))
    lines = [line.removesuffix("\n") for line in lines]
    if not lines:
        raise ScoresError(f"{where}: the file is empty")
    try:
        while len(lines) > 2 and _is_comment(lines):
            text, lines = text[text.index(lines[0]) + len(lines[0]) :].lstrip("\r\n"), lines[1:]
        if titles := title_lines(lines, [each for each in SEPARATORS if each != " "]):
            text, lines = text[text.index(lines[titles]) :], lines[titles:]
        separator = _separator(lines)
        text = without_roles(lines, separator, without_comments(text, separator))
        first = lines[0].strip() if separator == " " else lines[0]
        cells = next(csv.reader([first], delimiter=separator, skipinitialspace=True))
        if _has_row_names(cells, lines, separator):
            text, cells = text.replace(first, f'""{separator}{first}', 1), ["", *cells]
        header = [tidy_name(name) for name in cells]
    except csv.Error as error:
        raise ScoresError(f"{where}: not readable as text ({error}); {WANTED}") from None
    if not (nameless := are_values(header)):
        _check_names(header, lines[0][:40], where)

    def parsed() -> pd.DataFrame:
        numbered = [f"column {k + 1}" for k in range(len(header))]
        table = _text_table(text, separator, header, where, numbered if nameless else None)
        said = []
        if nameless or are_values(header, table):
            table = table if nameless else _text_table(text, separator, header, where, numbered)
            said = ["the first line has no names; columns are called column 1 and so on"]
        table, left_out = without_remarks(table)
        table.attrs |= {"encoding": guessed, "said": [*said, *left_out]}
        if row := row_of_names(table):
            raise ScoresError(f"{where}: row {row} repeats the names of the columns; delete it")
        return table

    called = (SEPARATORS | RARE_SEPARATORS)[separator]
    return _read_checked(parsed, where, f"text with {called}")


def _text_table(
    text: str, separator: str, header: list[str], where: str, names: list[str] | None
) -> pd.DataFrame:
    """Read text with these names of columns, or with those of its first line."""
    with warnings.catch_warnings():
        warnings.simplefilter("error", pd.errors.ParserWarning)
        try:
            table = pd.read_csv(
                io.StringIO(text),
                sep=r"\s+" if separator == " " else separator,
                header="infer" if names is None else None,
                names=names,
                keep_default_na=False,
                skipinitialspace=True,
                index_col=False,
                low_memory=False,
            )
        except (pd.errors.ParserWarning, pd.errors.ParserError) as error:
            if isinstance(error, pd.errors.ParserError) and "saw" not in str(error):
                raise
            raise ScoresError(f"{where}: {_longer(text, separator, len(header))}") from None
    return table.rename(columns=lambda name: tidy_name(str(name)))


def _has_row_names(header: list[str], lines: list[str], separator: str) -> bool:
    """Return whether R wrote a name of each row, above which its first line has none.

    Between commas it must be quoted: a number with a decimal comma is a cell too many, too.
    """
    given = [line.strip() for line in lines] if separator == " " else lines
    quoted = all(line.startswith('"') for line in given)
    rows = list(csv.reader(given[1:], delimiter=separator, skipinitialspace=True))
    return (
        len(rows) > 1
        and (quoted or separator != ",")
        and all(len(row) == len(header) + 1 and row[-1] for row in rows)
        and len({row[0] for row in rows}) == len(rows)
    )


def _check_names(header: list[str], line: str, where: str) -> None:
    """Refuse a line of numbers, or with a name missing or given twice."""
    if all(map(is_number, header)):
        raise ScoresError(
            f"{where}: the first line has numbers only ({line}); name the columns there"
        )
    if header.count("") > 1:
        raise ScoresError(
            f"{where}: line 1 names {len(header) - header.count('')} of {len(header)} columns "
            f"({line}); delete what stands above the line of names, or name all columns"
        )
    if twice := sorted({name for name in header if header.count(name) > 1}):
        raise ScoresError(f"{where}: two columns are called '{twice[0]}'")


def _is_comment(lines: list[str]) -> bool:
    """Return whether the first line begins with # and has other cells than those below it."""
    if not lines[0].lstrip().startswith("#"):
        return False
    separator = _separator(lines[1:])
    one, two = (len(next(csv.reader([line], delimiter=separator))) for line in lines[:2])
    return one != two or lines[1].lstrip().startswith("#")


def _longer(text: str, separator: str, names: int) -> str:
    """Return which row has more cells than there are names, and what to do."""
    lines = [line for line in text.splitlines() if line.strip()]
    for number, line in enumerate(lines[1:], 1):
        row = next(csv.reader([line], delimiter=separator, skipinitialspace=True))
        if len(row) > names:
            cure = "; where commas are in numbers, separate cells by semicolons"
            cure = cure if separator == "," else ""
            if not row[-1]:
                cure = "; the last is empty: remove the separator at its end"
            return f"{LONGER}: row {number} has {len(row)} for {names}{cure}"
    return LONGER


def _separator(lines: list[str]) -> str:
    """Return the separator that splits all lines into the same number of cells, the largest.

    Blanks may stand around another separator.
    """
    best, most = ",", 1
    known = [each for each in SEPARATORS if each in lines[0].strip(" ")]
    for separator in known or filter(lines[0].__contains__, RARE_SEPARATORS):
        parts = [
            len(row)
            for row in csv.reader(
                [line.strip() if separator == " " else line for line in lines],
                delimiter=separator,
                skipinitialspace=True,
            )
        ]
        if min(parts) == max(parts) and parts[0] > most and (separator != " " or most == 1):
            best, most = separator, parts[0]
    return best if most > 1 else max(SEPARATORS, key=lines[0].count)


def _read_checked(read: Callable[[], pd.DataFrame], where: str, what: str) -> pd.DataFrame:
    """Return a table, or say in one line why it cannot be read."""
    try:
        frame = read()
    except ScoresError:
        raise
    except Exception as error:
        raise ScoresError(f"{where}: not readable as {what} ({first_line(error)})") from None
    if frame.empty:
        raise ScoresError(f"{where}: the table has no rows")
    frame.columns = pd.Index([str(name) for name in frame.columns])
    return frame
