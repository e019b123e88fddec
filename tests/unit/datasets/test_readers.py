from pathlib import Path

import numpy as np
import pytest
import scipy.io

from opchar.datasets.readers import npz, prtools_struct, read_set
from opchar.datasets.registry import load
from opchar.datasets.text_readers import arff, keel, uci_table
from opchar.errors import ConfigError, DataError


def written(folder: Path, text: str, name: str = "toy.data") -> Path:
    (folder / name).write_text(text, encoding="utf-8")
    return folder / name


def test_uci_label_last_with_blanks(tmp_path: Path) -> None:
    table = uci_table([written(tmp_path, "1 2.5  van \n-3 4 saab\n")], separator=" ")
    assert table.X.tolist() == [[1, 2.5], [-3, 4]] and table.labels.tolist() == ["van", "saab"]
    assert table.names == ("x1", "x2")


def test_uci_label_first_header_missing_and_names(tmp_path: Path) -> None:
    path = written(tmp_path, ";;; made by\n\nT,1, ?\nNA,3,4\n")
    table = uci_table([path], label="first", skip_lines=2, names=["u", "v"])
    assert np.isnan(table.X[0, 1]) and table.X[1].tolist() == [3, 4]
    assert table.labels.tolist() == ["T", "NA"] and table.names == ("u", "v")


def test_uci_files_are_joined_in_order_and_identifiers_dropped(tmp_path: Path) -> None:
    one, two = written(tmp_path, "9,1,2\n", "a"), written(tmp_path, "8,3,1\n", "b")
    table = uci_table([one, two], drop=[0], labels={"1": "one", "2": "two"})
    assert table.X.tolist() == [[1], [3]] and table.labels.tolist() == ["two", "one"]


def test_uci_blocks(tmp_path: Path) -> None:
    path = written(tmp_path, " 1 2\n 3 4\n 5 6\n 7 8\n")
    table = uci_table([path], separator=" ", label="none", blocks=["0", "1"])
    assert table.labels.tolist() == ["0", "0", "1", "1"] and table.X.shape == (4, 2)
    with pytest.raises(DataError, match="not 3 equal blocks"):
        uci_table([path], separator=" ", label="none", blocks=["0", "1", "2"])


@pytest.mark.parametrize("text", ["1,2,a\n1,a\n3,4,5,b\n", "1,x,a\n", ""])
def test_uci_refuses_what_is_no_table(tmp_path: Path, text: str) -> None:
    with pytest.raises(DataError, match=r"toy\.data"):
        uci_table([written(tmp_path, text)])


def test_uci_refuses_an_unknown_label(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="unknown label 'c'"):
        uci_table([written(tmp_path, "1,a\n2,c\n")], labels={"a": "A"})


KEEL = """@relation toy
@attribute Aa real [0, 1]
@attribute Bb{0,1}
@attribute Class {p, n}
@inputs Aa, Bb
@outputs Class
@data
0.5, 1, p
-1, 0, n
"""


def test_keel(tmp_path: Path) -> None:
    table = keel([written(tmp_path, KEEL)], labels={"p": "yes", "n": "no"})
    assert table.X.tolist() == [[0.5, 1], [-1, 0]] and table.labels.tolist() == ["yes", "no"]
    assert table.names == ("Aa", "Bb")
    with pytest.raises(DataError, match="no @data line"):
        keel([written(tmp_path, KEEL.replace("@data\n", ""))])


ARFF = """@relation toy
@attribute colour {red, blue}
@attribute size numeric
@attribute kind {p, n}
@data
blue, 1.5, p
red, 2, n
?, 3, n
"""


def test_arff(tmp_path: Path) -> None:
    table = arff([written(tmp_path, ARFF)])
    assert table.X[:2].tolist() == [[1, 1.5], [0, 2]] and np.isnan(table.X[2, 0])
    assert table.labels.tolist() == ["p", "n", "n"] and table.names == ("colour", "size")
    with pytest.raises(DataError, match="not an ARFF file"):
        arff([written(tmp_path, "nonsense")])


def test_prtools_struct(tmp_path: Path) -> None:
    struct = {
        "d": np.array([[1, 2], [3, 4]], dtype=np.uint8),
        "l": np.array([[2], [1]], dtype=np.uint8),
        "ll": np.array(["x", "y"]),
    }
    scipy.io.savemat(tmp_path / "toy.mat", {"a": struct})
    table = prtools_struct([tmp_path / "toy.mat"])
    assert table.X.tolist() == [[1, 2], [3, 4]] and table.labels.tolist() == ["y", "x"]
    with pytest.raises(DataError, match="not a PRTools MAT file"):
        prtools_struct([tmp_path / "toy.mat"], variable="b")


@pytest.mark.parametrize("label", [0, -1, 1.5, 3, np.nan])
def test_a_label_that_names_no_class_is_refused(tmp_path: Path, label: float) -> None:
    """Zero and minus one counted from the end of the names, and fractions were cut."""
    struct = {"d": np.eye(2), "l": np.array([1, label]), "ll": np.array(["x", "y"])}
    scipy.io.savemat(tmp_path / "toy.mat", {"a": struct})
    with pytest.raises(DataError, match="a label is no number from 1 to 2"):
        prtools_struct([tmp_path / "toy.mat"])


@pytest.mark.parametrize("labels", [[0, -1], [True, True], [0.0, 1.0]])
def test_labels_of_an_archive_are_numbers_from_zero(tmp_path: Path, labels: list) -> None:
    np.savez(tmp_path / "toy.npz", X=np.eye(2), label=labels, classes=["u", "v"])
    with pytest.raises(DataError, match="'label' has labels other than numbers from 0"):
        npz([tmp_path / "toy.npz"])


@pytest.mark.parametrize(
    ("reader", "text"),
    [
        (uci_table, "1,p\n2,?\n3,n\n"),
        (uci_table, "1,p\n2,\n3,n\n"),
        (uci_table, "1,1\n2,?\n3,0\n"),
        (keel, KEEL.replace("0, n", "0, <null>")),
        (arff, ARFF.replace("2, n", "2, ?")),
    ],
)
def test_an_object_without_a_class_is_refused(tmp_path: Path, reader, text: str) -> None:
    """It got the class of the last label in the file, or one called '?' or nothing."""
    path = written(tmp_path, text)
    with pytest.raises(DataError) as error:
        reader([path])
    assert str(error.value) == f"{path}: object 2 has no class"


def test_npz(tmp_path: Path) -> None:
    path = tmp_path / "toy.npz"
    np.savez(path, X=np.eye(2, dtype=np.float16), label=np.array([1, 0]), classes=["u", "v"])
    table = npz([path])
    assert table.X.tolist() == [[1, 0], [0, 1]] and table.labels.tolist() == ["v", "u"]
    assert npz([path], class_names=None).labels.tolist() == ["1", "0"]


def entry(**changes: object) -> dict:
    return {
        "title": "Toy",
        "files": {"toy.data": {"size": 1, "sha256": "0" * 64}},
        "licence": "none",
        "citation": "nobody",
        "reader": "opchar.datasets.readers:uci_table",
        "shape": [2, 1],
        "classes": {"b": 1, "a": 1},
        "stand_in": {"generator": "opchar.datasets.standins:gaussian_mixtures"},
    } | changes


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"shape": [3, 1]}, r"has shape \(2, 1\) and the registry says \(3, 1\)"),
        ({"classes": {"b": 2}}, "has the classes"),
        ({"options": {"label": "first"}}, "toy.data"),
    ],
)
def test_the_registry_is_asserted(tmp_path: Path, changes: dict, message: str) -> None:
    written(tmp_path, "1,b\n2,a\n")
    assert read_set(load("toy", entry()), tmp_path).labels.tolist() == ["b", "a"]
    with pytest.raises(DataError, match=message):
        read_set(load("toy", entry(**changes)), tmp_path)


def test_missing_values_are_left_out_only_when_the_entry_says_so(tmp_path: Path) -> None:
    written(tmp_path, "1,b\n?,a\n2,a\n")
    with pytest.raises(DataError, match="object 2 has a missing value"):
        read_set(load("toy", entry(shape=[3, 1], classes={"b": 1, "a": 2})), tmp_path)
    table = read_set(load("toy", entry(options={"complete_only": True})), tmp_path)
    assert table.X.tolist() == [[1], [2]]


def test_unknown_reader(tmp_path: Path) -> None:
    wrong = "opchar.datasets.readers:uci_tables"
    with pytest.raises(ConfigError, match="did you mean"):
        read_set(load("toy", entry(reader=wrong)), tmp_path)


def test_an_entry_must_be_complete() -> None:
    made = entry()
    del made["licence"]
    with pytest.raises(ConfigError, match="entry 'toy' is not complete"):
        load("toy", made)
