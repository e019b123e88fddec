"""Damaged inputs: a sample of what the soak takes by the thousand, and those that broke something.

An input depends on its number alone, so that each failure can be made again.
"""

import io
import zipfile
from pathlib import Path
from random import Random

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import scipy.io
import yaml

from opchar.analysis.tables.files import read_table
from opchar.analysis.tables.reading import read_models
from opchar.datasets.readers import npz, prtools_struct
from opchar.datasets.registry import RawFile
from opchar.datasets.sources.archives import ArchiveError, extract
from opchar.datasets.text_readers import arff, headed, keel, keel_sets, uci_table
from opchar.errors import LONGEST, ConfigError, DataError, OpcharError, ScoresError
from opchar.models.names import parse
from opchar.scores import read_scores
from opchar_reproduction.project.configuration.config import load
from opchar_reproduction.project.configuration.parameters import misfit
from soak.configurations import part, whole, written
from soak.kinds import KINDS
from soak.trials import ended, trials

LONG = ("model", "configuration", "analysed")


@pytest.mark.parametrize(
    "name", [pytest.param(kind, marks=[pytest.mark.check] * (kind in LONG)) for kind in KINDS]
)
def test_no_damage_gives_a_traceback_a_hang_or_nonsense(name: str) -> None:
    tally = trials(KINDS[name].make, name, KINDS[name].sample)
    assert tally.faults == []
    assert tally.trials == KINDS[name].sample


def test_the_harness_sees_what_it_looks_for() -> None:
    def fails() -> str:
        raise ZeroDivisionError

    def refuses() -> str:
        raise DataError("x.csv: no such file")

    assert ended(fails)[0] == "traceback"
    assert ended(refuses) == ("refused", "")
    assert ended(lambda: "wrong") == ("nonsense accepted", "wrong")
    assert ended(lambda: "") == ("accepted", "")


def test_messages_are_one_line_whatever_a_file_holds() -> None:
    said = str(OpcharError("row 1: 'a\nb\x1b[31m\u202e'"))
    assert said == r"row 1: 'a\nb\x1b[31m\u202e'"
    long = str(OpcharError("x.csv: " + "a" * 5000 + " is no number"))
    assert len(long) == LONGEST
    assert long.startswith("x.csv: aaa") and long.endswith("aaa is no number")


KEEL = "@relation toy\n@attribute a real\n@attribute c {p, n}\n@data\n1, p\n2, n\n"


@pytest.mark.parametrize("read", [keel, keel_sets])
def test_a_text_that_is_not_utf_8(tmp_path: Path, read) -> None:
    (tmp_path / "x.dat").write_bytes(KEEL.encode().replace(b"toy", b"\xff"))
    with pytest.raises(DataError, match="not UTF-8 text"):
        read([tmp_path / "x.dat"])


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (KEEL.replace("a real", "a {x, y").replace("1,", "x,"), "no end of its values"),
        (KEEL[: KEEL.index("1,")], "no objects after its @data line"),
    ],
)
def test_a_keel_header_without_an_end_or_objects(tmp_path: Path, text: str, said: str) -> None:
    (tmp_path / "x.dat").write_text(text)
    with pytest.raises(DataError, match=said):
        keel_sets([tmp_path / "x.dat"])


def test_an_arff_file_whose_last_attribute_is_a_number(tmp_path: Path) -> None:
    text = "@relation toy\n@attribute a {p, n}\n@attribute size numeric\n@data\np,1\nn,2\n"
    (tmp_path / "x.arff").write_text(text)
    with pytest.raises(DataError, match="labels are no texts"):
        arff([tmp_path / "x.arff"])


def test_whole_numbers_too_large_for_a_float(tmp_path: Path) -> None:
    huge = str(10**400)
    (tmp_path / "x.data").write_text(f"1,{huge},a\n2,3,b\n")
    with pytest.raises(DataError, match="too large"):
        uci_table([tmp_path / "x.data"])
    (tmp_path / "s.csv").write_text(f"fold,index,y,a,b\n0,0,a,1,2\n0,1,b,{huge},3\n")
    with pytest.raises(ScoresError, match="row 2, column 'a'"):
        read_scores(tmp_path / "s.csv")


def test_a_cell_with_line_breaks_is_shown_on_one_line(tmp_path: Path) -> None:
    (tmp_path / "x.csv").write_text('a,b,y\n1,"2\n3",x\n2,1,z\n')
    with pytest.raises(DataError, match=r"'2\\n3' is no number") as caught:
        headed([tmp_path / "x.csv"], target="y")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "change",
    [{"d": np.zeros((2, 2, 2))}, {"l": np.ones(5)}, {"l": np.array([])}, {"d": np.array([])}],
)
def test_a_mat_file_whose_parts_do_not_fit(tmp_path: Path, change: dict) -> None:
    struct = {"d": np.ones((6, 2)), "l": np.arange(6) % 2 + 1, "ll": np.array(["a", "b"], object)}
    scipy.io.savemat(tmp_path / "x.mat", {"a": struct | change})
    with pytest.raises(DataError, match=r"x\.mat"):
        prtools_struct([tmp_path / "x.mat"])


@pytest.mark.parametrize("change", [{"label": np.ones(5, int)}, {"X": np.array([])}])
def test_an_npz_file_whose_arrays_do_not_fit(tmp_path: Path, change: dict) -> None:
    arrays = {"X": np.ones((6, 2)), "label": np.arange(6) % 2, "classes": np.array(["a", "b"])}
    np.savez(tmp_path / "x.npz", **(arrays | change))
    with pytest.raises(DataError, match=r"x\.npz"):
        npz([tmp_path / "x.npz"])


def test_a_zip_archive_whose_directory_points_before_its_beginning(tmp_path: Path) -> None:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        archive.writestr("s.csv", "y,score\na,1\nb,2\n" * 30)
    content = stream.getvalue()
    (tmp_path / "s.zip").write_bytes(content[:60] + content[68:])
    with pytest.raises(ScoresError, match="cannot be decompressed"):
        read_table(tmp_path / "s.zip")


def test_a_word_whose_function_refuses_its_arguments() -> None:
    with pytest.raises(ConfigError, match="model name 'sc pca5 reject nmc99999': no classifier"):
        parse("sc pca5 reject nmc99999", whole()["models"])


def changed(folder: Path, file: str, *keys: object, to: object) -> str:
    """Return what is said of a configuration with another value at a place."""
    trees = {name: yaml.safe_load(yaml.safe_dump(tree)) for name, tree in part(Random(7)).items()}
    tree = trees[file]
    for key in keys[:-1]:
        tree = tree[key]
    tree[keys[-1]] = to
    written(trees, folder)
    with pytest.raises(ConfigError) as caught:
        load(folder)
    return str(caught.value)


@pytest.mark.parametrize(
    ("keys", "to", "said"),
    [
        (("view_of",), "no-such-set", "no data set 'no-such-set'"),
        (("view_of",), "mine", "is a view of itself"),
        (("groups",), {"rest": ["a"], "positive": ["b"]}, "group 'rest': no class 'a'"),
        (("classes",), {"rest": 1, "positive": 2}, "and its base has"),
    ],
)
def test_views_are_compared_with_what_they_are_views_of(tmp_path, keys, to, said) -> None:
    entry = dict(whole()["datasets"]["satellite-cotton-damp"]) | {keys[0]: to}
    trees = part(Random(7))
    trees["datasets"] |= {
        "mine": entry,
        "statlog-satimage": whole()["datasets"]["statlog-satimage"],
    }
    written(trees, tmp_path)
    with pytest.raises(ConfigError, match=r"config/datasets\.yaml: mine: ") as caught:
        load(tmp_path)
    assert said in str(caught.value)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"options": {"separater": " "}}, "reader: unknown parameter 'separater'"),
        ({"options": {"skip_lines": "two"}}, "'two': input should be a valid integer"),
        ({"reader": "opchar.datasets.readers:keeel"}, "did you mean 'keel'"),
        ({"stand_in": {"generator": "opchar.datasets.standins:gausian"}}, "has no 'gausian'"),
        (
            {
                "stand_in": {
                    "generator": "opchar.datasets.standins:gaussian_mixtures",
                    "options": {"eror": 0.1},
                }
            },
            "stand_in: unknown parameter 'eror'",
        ),
    ],
)
def test_options_of_readers_and_stand_ins_are_those_of_their_functions(tmp_path, change, said):
    entry = whole()["datasets"]["statlog-satimage"] | change
    assert said in changed(tmp_path, "datasets", "mine", to=entry)


@pytest.mark.parametrize(
    ("entry", "said"),
    [
        (
            {"arguments": "(", "function": "opchar.models.posterior:last_step"},
            "no regular expression",
        ),
        ({"function": "opchar.models.posterior:last_stop"}, "has no 'last_stop'"),
        ({"function": "nosuchlibrary.models:Model"}, "no module 'nosuchlibrary'"),
    ],
)
def test_words_that_no_job_could_make(tmp_path, entry: dict, said: str) -> None:
    word = {"kind": "classifier", "summary": "a word", **entry}
    message = changed(tmp_path, "models", "mine", to=word)
    assert message.startswith("config/models.yaml: mine: ")
    assert said in message


def test_a_protocol_of_a_library_that_is_not_there(tmp_path: Path) -> None:
    entry = {"function": "opcxar.models.splits.protocols:holdout", "summary": "hold-outs"}
    assert "no module 'opcxar'" in changed(tmp_path, "protocols", "mine", to=entry)


@pytest.mark.parametrize("kind", ["folders", "datasets", "artefacts"])
def test_own_entries_that_are_no_mapping(tmp_path: Path, kind: str) -> None:
    written(part(Random(7)), tmp_path)
    (tmp_path / "config/own.yaml").write_text(f"{kind}: [[]]\n")
    with pytest.raises(ConfigError, match=f"config/own.yaml: {kind}: not a mapping"):
        load(tmp_path)


def test_a_whole_number_beyond_all_floats_is_no_parameter(tmp_path: Path) -> None:
    assert misfit(0.5, "float") == misfit(10**308, "float") == ""
    for beyond in (10**400, -(10**400), float("inf"), float("nan")):
        assert misfit(beyond, "float")


def test_a_score_of_a_users_own_beyond_all_floats(tmp_path: Path) -> None:
    (tmp_path / "s.csv").write_text(f"y,a,b\na,1,2\nb,{10**400},3\nb,1,3\n")
    with pytest.raises(ScoresError, match="row 2, column 'a'"):
        read_models([tmp_path / "s.csv"])


def test_a_parquet_file_with_a_text_that_is_none(tmp_path: Path) -> None:
    text = pa.Array.from_buffers(
        pa.string(), 1, [None, pa.py_buffer(b"\0\0\0\0\2\0\0\0"), pa.py_buffer(b"1\xff")]
    )
    pq.write_table(pa.table({"y": text}), tmp_path / "s.parquet")
    with pytest.raises(ScoresError, match=r"s\.parquet"):
        read_table(tmp_path / "s.parquet")


@pytest.mark.parametrize(
    ("text", "label", "said"),
    [
        ("@relation toy\n@data\nred,1.5,p\n", None, "no attributes"),
        ("@relation toy\n@attribute a {p, n}\n@data\np\n", "kind", "no attribute 'kind'"),
    ],
)
def test_an_arff_file_without_its_class(tmp_path: Path, text: str, label, said: str) -> None:
    (tmp_path / "x.arff").write_text(text)
    with pytest.raises(DataError, match=said):
        arff([tmp_path / "x.arff"], label=label)


def test_an_archive_with_a_member_without_a_name(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "x.zip", "w") as archive:
        archive.writestr(zipfile.ZipInfo("."), b"")
    with pytest.raises(ArchiveError, match="is not in the archive"):
        extract(tmp_path / "x.zip", {"a.data": RawFile(1, "0" * 64)}, tmp_path)
