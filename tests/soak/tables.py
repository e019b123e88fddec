"""Damaged score tables, data sets and archives: refused in one line, or right numbers."""

import bz2
import gzip
import io
import lzma
import zipfile
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from hashlib import sha256
from pathlib import Path
from random import Random

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import scipy.io

from opchar.analysis.tables.reading import read_models
from opchar.datasets import readers
from opchar.datasets.registry import RawFile
from opchar.datasets.sources.archives import ArchiveError, extract
from opchar.errors import DataError
from opchar.scores import read_scores, write_scores
from soak.mutations import of_bytes, of_table
from soak.trials import Action

PACKED: list[Callable[[bytes], bytes]] = [bytes, bytes, bytes, gzip.compress, bz2.compress]
PACKED += [lzma.compress]


def frame(chance: Random, classes: int | None = None) -> pd.DataFrame:
    """Return a right score table of two to four classes."""
    number = classes or chance.choice([2, 2, 3, 4])
    rows = chance.choice([4, 12, 40]) * number
    rng = np.random.default_rng(chance.randrange(10**6))
    y = np.arange(rows) % number
    scores = rng.random((rows, number)) + np.eye(number)[y]
    found = pd.DataFrame({"fold": np.arange(rows) // number % 3, "index": np.arange(rows)})
    found["y"] = [f"c{label}" for label in y]
    return found.assign(**{f"c{label}": scores[:, label] for label in range(number)})


def table_bytes(chance: Random, folder: Path) -> tuple[bytes, str]:
    """Return the bytes of a damaged table in one of the formats, and the format."""
    right = frame(chance)
    kind = chance.choice(["csv", "csv", "text", "parquet", "npz", "zip"])
    if kind in ("csv", "text"):
        separator = "," if kind == "csv" else chance.choice(";\t| ")
        text = of_table(right.to_csv(index=False, sep=separator).rstrip("\n"), chance, separator)
        return chance.choice(PACKED)(text.encode("utf-8", "replace")), kind
    stream = io.BytesIO()
    if kind == "parquet":
        return _parquet(right, chance), kind
    elif kind == "npz":
        arrays = {name: right[name].to_numpy() for name in right}
        arrays["y"] = right["y"].to_numpy(dtype=str)
        spoilt = chance.choice(list(arrays))
        arrays[spoilt] = chance.choice(
            [
                arrays[spoilt][:-1],
                arrays[spoilt][None, None],
                arrays[spoilt].astype(object),
                np.array(chance.choice([1.0, np.nan])),
                np.array([]),
                arrays[spoilt].astype(complex) if spoilt != "y" else arrays[spoilt],
                arrays[spoilt],
            ]
        )
        np.savez(stream, **arrays)
    else:
        with zipfile.ZipFile(stream, "w") as archive:
            for number in range(chance.choice([1, 1, 1, 2, 0])):
                archive.writestr(f"{number}.csv", right.to_csv(index=False))
    content = stream.getvalue()
    return (of_bytes(content, chance) if chance.random() < 0.6 else content), kind


def _spoilt(right: pd.DataFrame, chance: Random) -> pd.DataFrame:
    """Return a table with another type, value or name in a column."""
    name = chance.choice(list(right.columns))
    column = right[name]
    changes: list[Callable[[], pd.Series]] = [
        lambda: column.astype(str),
        lambda: column.astype("category"),
        lambda: pd.Series([None] * len(column)),
        lambda: pd.Series([b"bytes"] * len(column)),
        lambda: pd.Series([[1, 2]] * len(column)),
        lambda: pd.Series(pd.date_range("2020", periods=len(column))),
        lambda: pd.Series(np.where(np.arange(len(column)) == 3, np.nan, 1.0)),
        lambda: pd.Series(np.where(np.arange(len(column)) == 3, np.inf, 1.0)),
        lambda: pd.Series(np.full(len(column), 5e-324)),
        lambda: pd.Series(np.full(len(column), 1.7e308)),
        lambda: pd.Series(np.arange(len(column)), dtype="Int64").where(column.index != 2),
        lambda: pd.Series(np.arange(len(column)) % 2 == 0),
        lambda: pd.Series(np.arange(len(column)) + 2**62),
        lambda: pd.Series(np.arange(len(column)) + 0.5),
    ]
    if chance.random() < 0.2:
        return right.drop(columns=name)
    return right.assign(**{name: chance.choice(changes)()})


def _parquet(right: pd.DataFrame, chance: Random) -> bytes:
    """Return a Parquet file with another column, another name or other bytes."""
    table = pa.Table.from_pandas(_spoilt(right, chance), preserve_index=chance.random() < 0.1)
    if chance.random() < 0.2:
        names = list(table.column_names)
        names[chance.randrange(len(names))] = chance.choice([*names, "", "test_set", "member"])
        table = table.rename_columns(names).replace_schema_metadata(None)
    stream = io.BytesIO()
    pq.write_table(table, stream)
    content = stream.getvalue()
    return of_bytes(content, chance) if chance.random() < 0.4 else content


def scores(chance: Random, folder: Path) -> tuple[str, Action]:
    """Return a damaged score table for `opchar analyse`."""
    content, kind = table_bytes(chance, folder)
    path = folder / chance.choice(["scores.csv", "scores", "scores.parquet", "scores.npz"])
    path.write_bytes(content)

    def read() -> str:
        found = read_models([path])
        return _wrong(found.y, np.column_stack(list(found.models.values())), len(found.classes))

    return f"{kind}: {content[:300]!r}", read


def _wrong(y: np.ndarray, values: np.ndarray, classes: int) -> str:
    """Return what is wrong with numbers that were read."""
    if len(y) != len(values):
        return f"{len(y)} labels and {len(values)} rows of scores"
    if not np.isfinite(values).all():
        return "scores that are not finite"
    if set(np.unique(y)) != set(range(classes)):
        return f"{classes} classes and objects of {np.unique(y).tolist()}"
    return ""


def kept_scores(chance: Random, folder: Path) -> tuple[str, Action]:
    """Return a damaged score table of the workflow, CSV or Parquet."""
    right = frame(chance)
    if chance.random() < 0.5:
        path = folder / "scores.csv"
        text = of_table(right.to_csv(index=False).rstrip("\n"), chance)
        path.write_bytes(text.encode("utf-8", "replace"))
    else:
        path = folder / "scores.parquet"
        path.write_bytes(_parquet(right, chance))

    def read() -> str:
        found = read_scores(path)
        if found.y.min() < 0:
            return "an object without a class"
        write_scores(found, folder / "again.parquet")
        again = read_scores(folder / "again.parquet")
        if not (again.scores == found.scores).all() or again.classes != found.classes:
            return "written and read again it differs"
        finite = found.scores
        return "" if np.isfinite(finite).all() else "scores that are not finite"

    return f"{path.name}: {path.read_bytes()[:300]!r}", read


def analysed(chance: Random, folder: Path) -> tuple[str, Action]:
    """Return a slightly damaged score table, put through the whole of `opchar analyse`."""
    from opchar.cli import main

    right = frame(chance)
    path = folder / "scores.csv"
    text = of_table(right.to_csv(index=False).rstrip("\n"), chance)
    path.write_bytes(text.encode("utf-8", "replace"))
    words = ["analyse", str(path), "--output", str(folder / "out"), "--resamples", "50"]
    words += ["--folds", "3"]

    def run() -> str:
        out, err = io.StringIO(), io.StringIO()
        with redirect_stdout(out), redirect_stderr(err):
            status = main(words)
        said = err.getvalue().strip().splitlines()
        if status == 1 and len([line for line in said if line.startswith("opchar: ")]) != 1:
            return f"exit 1 with {said}"
        if status == 0 and not (folder / "out/index.html").is_file():
            return "exit 0 without a page"
        if status == 1 and (folder / "out/index.html").exists():
            return "a page in spite of exit 1"
        return "" if status in (0, 1) else f"exit {status}"

    return f"analyse: {text[:400]!r}", run


KEEL = """@relation toy
@attribute Aa real [0, 1]
@attribute Bb{0,1}
@attribute Class {p, n}
@inputs Aa, Bb
@outputs Class
@data
0.5, 1, p
-1, 0, n
0.25, 1, n
"""
ARFF = """@relation toy
@attribute colour {red, blue}
@attribute size numeric
@attribute kind {p, n}
@data
red,1.5,p
blue,2.5,n
red,?,n
"""
UCI = "1,2.5,van\n-3,4,saab\n5,1e3,van\n0,0,saab\n"
HEADED = "a,b,y\n1,2.5,x\n-3,4,z\n5,1e3,x\n0,0,z\n"


def data_set(chance: Random, folder: Path) -> tuple[str, Action]:
    """Return a damaged data set for one of the readers."""
    kind = chance.choice(["keel", "keel_sets", "arff", "uci_table", "headed", "mat", "npz"])
    path = folder / "toy.dat"
    texts = {"keel": KEEL, "keel_sets": KEEL, "arff": ARFF, "uci_table": UCI, "headed": HEADED}
    options: dict = {"headed": {"target": "y"}}.get(kind, {})
    stream = io.BytesIO()
    if kind in texts:
        right = texts[kind].encode()
        damaged = (
            of_bytes(right, chance)
            if chance.random() < 0.4
            else of_table(texts[kind].rstrip("\n"), chance).encode("utf-8", "replace")
        )
    elif kind == "mat":
        struct = {"d": np.random.default_rng(0).random((6, 2)), "l": np.arange(6) % 2 + 1}
        struct["ll"] = np.array(["one", "two"], dtype=object)
        field = chance.choice(["d", "l", "ll", "none"])
        if field != "none":
            struct[field] = chance.choice(
                [np.array([]), "text", np.zeros((2, 2, 2)), struct[field][:-1], -np.ones(6)]
            )
        scipy.io.savemat(stream, {"a": struct}, do_compression=chance.random() < 0.5)
        # Bytes of a MAT file are not damaged here: SciPy's reader can crash on such a file, and the
        # checksum is what keeps one from being read.
        damaged = stream.getvalue()
    else:
        arrays = {"X": np.ones((6, 2)), "label": np.arange(6) % 2, "classes": np.array(["a", "b"])}
        name = chance.choice(list(arrays))
        arrays[name] = chance.choice(
            [
                np.array([]),
                np.array(3.0),
                arrays[name][:-1],
                arrays[name].astype(object),
                -np.ones(6),
            ]
        )
        np.savez(stream, **arrays)
        damaged = (
            of_bytes(stream.getvalue(), chance) if chance.random() < 0.5 else stream.getvalue()
        )
    path.write_bytes(damaged)
    function = "prtools_struct" if kind == "mat" else kind

    def read() -> str:
        table = getattr(readers, function)([path], **options)
        if len(table.labels) != len(table.X):
            return f"{len(table.X)} objects and {len(table.labels)} labels"
        if table.X.ndim != 2 or len(table.names) != table.X.shape[1]:
            return f"features of shape {table.X.shape} and {len(table.names)} names"
        if not all(isinstance(label, str) for label in table.labels):
            return "labels that are no texts"
        return ""

    return f"{kind}: {damaged[:300]!r}", read


def archive(chance: Random, folder: Path) -> tuple[str, Action]:
    """Return a damaged zip archive, from which only the right bytes may come."""
    content = {"a.data": b"1,2,x\n" * 50, "b.data": bytes(range(256)) * 20}
    stream = io.BytesIO()
    with zipfile.ZipFile(
        stream, "w", chance.choice([zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])
    ) as z:
        for name, inside in content.items():
            z.writestr(f"{chance.choice(['', 'folder/'])}{name}", inside)
        if chance.random() < 0.3:
            z.writestr(
                chance.choice(["../out", "/tmp/out", "C:\\out", "a/../../out", "x" * 300]), b"x"
            )
        if chance.random() < 0.1:
            z.writestr("a.data", bytes(10**6))
    path, target = folder / "x.zip", folder / "raw"
    target.mkdir()
    path.write_bytes(of_bytes(stream.getvalue(), chance))
    wanted = {n: RawFile(len(c), sha256(c).hexdigest(), None) for n, c in content.items()}

    def take() -> str:
        try:
            extract(path, wanted, target)
        except ArchiveError as error:
            if list(target.iterdir()):
                return f"refused, but {list(target.iterdir())} is left"
            raise DataError(str(error)) from None
        found = {file.name: file.read_bytes() for file in target.iterdir()}
        if {file.name for file in folder.iterdir()} != {"x.zip", "raw"}:
            return "a file outside its folder"
        return "" if found == content else "other bytes than those wanted"

    return "archive", take
