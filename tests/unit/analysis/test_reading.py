"""Whatever files people have is read, or refused in one clear line."""

import bz2
import gzip
import io
import lzma
import pickle
import zipfile
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from opchar.analysis.tables import files
from opchar.analysis.tables.columns import Columns
from opchar.analysis.tables.files import read_table
from opchar.analysis.tables.reading import read_models
from opchar.errors import ScoresError
from reader_cases import READ, REFUSED, random_tables

ROWS = 40


def frame(seed: int = 0, **more: object) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    y = np.where(np.arange(ROWS) % 4 == 0, "sick", "well")
    return pd.DataFrame({"y": y, "score": rng.normal(size=ROWS) + (y == "sick")} | more)


def written(path: Path, table: pd.DataFrame, **options: object) -> Path:
    table.to_csv(path, index=False, **options)  # type: ignore[call-overload]
    return path


@pytest.mark.parametrize("separator", [",", ";", "\t", "|", " ", "^", "~", ":"])
@pytest.mark.parametrize("name", ["s.csv", "s.tsv", "s.TXT", "s"])
def test_text_of_any_separator_and_name(tmp_path, separator: str, name: str) -> None:
    path = written(tmp_path / name, frame(age=7), sep=separator)
    pd.testing.assert_frame_equal(read_table(path), frame(age=7))
    found = read_models([path])
    assert found.classes == ("sick", "well")
    assert found.positive == 0
    np.testing.assert_array_equal(found.models["s"][:, 0], frame()["score"])
    assert any("not used: age" in note for note in found.notes)


@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress, lzma.compress])
def test_compressed_text_whatever_its_name(tmp_path, pack) -> None:
    path = tmp_path / "s.csv"
    path.write_bytes(pack(frame().to_csv(index=False).encode()))
    pd.testing.assert_frame_equal(read_table(path), frame())


def test_zip_and_zstd(tmp_path) -> None:
    text = frame().to_csv(index=False)
    with zipfile.ZipFile(tmp_path / "s.zip", "w") as archive:
        archive.writestr("inner.csv", text)
    pd.testing.assert_frame_equal(read_table(tmp_path / "s.zip"), frame())
    (tmp_path / "t").write_text(text)
    with pa.CompressedOutputStream(str(tmp_path / "s.zst"), "zstd") as stream:
        stream.write(text.encode())
    pd.testing.assert_frame_equal(read_table(tmp_path / "s.zst"), frame())


def test_parquet_without_suffix_and_npz(tmp_path) -> None:
    frame().to_parquet(tmp_path / "s")
    pd.testing.assert_frame_equal(read_table(tmp_path / "s"), frame())
    y = np.arange(30) % 3
    scores = np.random.default_rng(0).random((30, 3))
    np.savez(tmp_path / "s.npz", y_true=y, scores=scores, classes=np.array(["0", "1", "2"]))
    found = read_models([tmp_path / "s.npz"])
    assert found.classes == ("0", "1", "2")
    np.testing.assert_array_equal(found.models["s"], scores)
    np.savez(tmp_path / "two.npz", label=y == 1, p=scores[:, 1])
    assert read_models([tmp_path / "two.npz"]).classes == ("False", "True")


def test_decimal_commas_byte_order_marks_and_utf_16(tmp_path) -> None:
    (tmp_path / "s.csv").write_text("y;score\na;0,5\nb;1,25\na;2\n", encoding="utf-8-sig")
    assert read_models([tmp_path / "s.csv"]).models["s"][:, 0].tolist() == [0.5, 1.25, 2.0]
    (tmp_path / "t.txt").write_text("y\tscore\na\t0.5\nb\t1\n", encoding="utf-16")
    assert list(read_table(tmp_path / "t.txt").columns) == ["y", "score"]


def test_labels_that_mean_missing_elsewhere_are_classes(tmp_path) -> None:
    path = written(tmp_path / "s.csv", frame().replace({"sick": "NA", "well": "None"}))
    assert read_models([path]).classes == ("NA", "None")


def test_labels_that_only_python_takes_for_numbers_are_texts(tmp_path) -> None:
    path = written(tmp_path / "s.csv", frame().replace({"sick": "1_0", "well": "10"}))
    assert read_models([path]).classes == ("10", "1_0")


def test_long_numbers_are_classes_of_their_own(tmp_path) -> None:
    names = {"sick": "9007199254740993", "well": "9007199254740992"}
    found = read_models([written(tmp_path / "s.csv", frame().replace(names))])
    assert set(found.classes) == set(names.values())


def test_labels_are_matched_with_columns_as_numbers(tmp_path) -> None:
    scores = np.random.default_rng(0).random((30, 3))
    table = pd.DataFrame(scores, columns=["0", "1", "2"]).assign(target=np.arange(30) % 3 * 1.0)
    assert read_models([written(tmp_path / "s.csv", table)]).classes == ("0", "1", "2")
    named = table.rename(columns={name: f"proba_{name}" for name in "012"})
    assert read_models([written(tmp_path / "t.csv", named)]).classes == ("0", "1", "2")


def test_the_positive_class(tmp_path) -> None:
    table = frame()
    path = written(tmp_path / "s.csv", table)
    assert read_models([path], positive="well").positive == 1
    numbered = table.assign(y=(table["y"] == "well").astype(int))
    found = read_models([written(tmp_path / "t.csv", numbered)])
    assert found.classes[found.positive] == "1"
    own = read_models([written(tmp_path / "u.csv", table.rename(columns={"score": "well"}))])
    assert own.classes[own.positive] == "well"


def test_several_models_in_one_file_are_named(tmp_path) -> None:
    table = frame(other=np.arange(ROWS), age=3)
    path = written(tmp_path / "s.csv", table.rename(columns={"score": "first"}))
    with pytest.raises(ScoresError, match="by --scores: first, other, age"):
        read_models([path])
    found = read_models([path], Columns(scores=("first", "other", "first")))
    assert found.notes[0].endswith("scores in first, other")
    assert list(found.models) == ["first", "other"]


def test_objects_are_joined_by_id_or_by_order(tmp_path) -> None:
    one = frame(1, id=np.arange(ROWS))
    two = frame(2, id=np.arange(ROWS))
    mixed = two.sample(frac=1, random_state=0)
    paths = [written(tmp_path / "a.csv", one), written(tmp_path / "b.csv", mixed)]
    found = read_models(paths)
    np.testing.assert_array_equal(found.models["b"][:, 0], two["score"])
    bare = written(tmp_path / "c.csv", two.drop(columns="id"))
    np.testing.assert_array_equal(read_models([paths[0], bare]).models["c"][:, 0], two["score"])
    with pytest.raises(ScoresError, match=r"has class '.*', but row"):
        read_models([bare, written(tmp_path / "d.csv", mixed.drop(columns="id"))])
    with pytest.raises(ScoresError, match=r"lacks 1 object of .*, the first is 0"):
        read_models([paths[0], written(tmp_path / "e.csv", two.replace({"id": {0: 99}}))])
    with pytest.raises(ScoresError, match="39 rows, but"):
        read_models([paths[0], written(tmp_path / "f.csv", two.iloc[1:])])


def test_repeats_folds_and_weights(tmp_path) -> None:
    once = frame(1, id=np.arange(ROWS))
    table = pd.concat([once, once], ignore_index=True)
    table["fold"] = np.repeat(["r0", "r1"], ROWS)
    table["weight"] = 0.5
    found = read_models([written(tmp_path / "s.csv", table)])
    assert found.unit is not None
    assert found.fold is not None
    assert found.weight is not None
    np.testing.assert_array_equal(found.unit[:ROWS], found.unit[ROWS:])
    assert found.fold.tolist() == [0] * ROWS + [1] * ROWS
    table.loc[3, "y"] = "well" if table.loc[3, "y"] == "sick" else "sick"
    with pytest.raises(ScoresError, match="has another class in another row"):
        read_models([written(tmp_path / "t.csv", table)])


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda t: t.rename(columns={"y": "z"}).assign(w=t["y"]), "no column is called y, y_tr"),
        (lambda t: t.assign(target=t["y"]), r"\['y', 'target'\] may all be true classes"),
        (lambda t: t.assign(y="sick"), "has only the class 'sick'"),
        (lambda t: t.assign(y=["", *t["y"][1:]]), "row 1, column 'y': empty"),
        (lambda t: t.assign(score=["x", *t["score"][1:]]), "row 1, column 'score': 'x' is no numb"),
        (lambda t: t.assign(score=[np.inf, *t["score"][1:]]), "'inf' is not finite"),
        (lambda t: t.assign(fold=1.5), "row 1, column 'fold': 1.5 is not a whole number from 0"),
        (lambda t: t.assign(fold=1e30), "is not a whole number from 0"),
        (lambda t: t.assign(fold=-1), "row 1, column 'fold': -1 is not a whole number from 0"),
        (lambda t: t.assign(weight=-1.0), "a weight is not negative"),
        (lambda t: t.assign(weight=1e-300), "row 1, column 'weight': below 1e-150"),
        (lambda t: t.assign(y=["third", *t["y"][1:]]), "no column of scores for class 'sick' of 3"),
        (lambda t: t.assign(test_set=np.arange(ROWS)), "wants one of the 40 in the table"),
        (lambda t: t.drop(columns="score"), "there is none"),
        (lambda t: t.iloc[:0], "the table has no rows"),
    ],
)
def test_what_is_wrong_is_one_line(tmp_path, change, said: str) -> None:
    path = written(tmp_path / "s.csv", change(frame()))
    with pytest.raises(ScoresError, match=said) as caught:
        read_models([path])
    assert "\n" not in str(caught.value)
    assert str(path) in str(caught.value)


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("s.pkl", b"x", "a pickle can run any code"),
        ("s.joblib", b"x", "a pickle can run any code"),
        ("s.csv", pickle.dumps([1]), "a pickle can run any code"),
        ("s.csv", b"", "is empty"),
        ("s.csv", b"\x00\x01\x02", "neither a known format nor"),
        ("s.csv", b"\xff\x00\xfe", "neither a known format nor"),
        ("s.csv", "y,größe\n".encode("cp850"), "no other encoding is likely; save it as UTF-8"),
        ("s.parquet", b"PAR1 but not", "not readable as Parquet"),
        ("s.gz", b"\x1f\x8b broken", "cannot be decompressed"),
        ("s.zip", b"PK broken", "cannot be decompressed"),
        ("s.csv", b"0,1\n1,0.7\n", "the first line has numbers only"),
        ("s.csv", b"y,a,a\n0,1,2\n", "two columns are called 'a'"),
        ("s.csv", b'[{"y":1}\n', "line 1 is no JSON; give a list of records"),
        ("s.csv", b'{"y": {"0": 1}}', "has only the class '1'"),
        ("s.csv", b"\xef\xbb\xbf<html><table>", "is a web page or XML; save its table as CSV"),
        ("s.xls", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "is a spreadsheet; save its table as CSV"),
        ("s.csv", b"y,s\n" + b"".join(b"%d.5,1\n" % k for k in range(30)), "as measured numbers"),
    ],
)
def test_what_is_no_table_is_one_line(tmp_path, name: str, content: bytes, said: str) -> None:
    (tmp_path / name).write_bytes(content)
    with pytest.raises(ScoresError, match=said) as caught:
        read_models([tmp_path / name])
    assert "\n" not in str(caught.value)


def test_places_that_are_no_files(tmp_path) -> None:
    with pytest.raises(ScoresError, match="is a folder"):
        read_models([tmp_path])
    with pytest.raises(ScoresError, match="no such file"):
        read_models([tmp_path / "none.csv"])
    objects = np.array(["a", None], dtype=object)
    np.savez(tmp_path / "o.npz", y=objects, score=np.arange(2.0))
    with pytest.raises(ScoresError, match="arrays of strings, not of objects"):
        read_models([tmp_path / "o.npz"])


@settings(max_examples=150, deadline=None)
@given(content=st.binary(max_size=200) | st.text(max_size=200).map(str.encode))
def test_any_bytes_are_read_or_refused_in_one_line(tmp_path_factory, content: bytes) -> None:
    path = tmp_path_factory.mktemp("any") / "s.csv"
    path.write_bytes(content)
    try:
        read_models([path])
    except ScoresError as error:
        assert "\n" not in str(error)


@pytest.mark.parametrize("text", READ)
def test_tables_as_people_have_them(tmp_path, text: str) -> None:
    path = tmp_path / "s.csv"
    path.write_text(text, encoding="utf-8", newline="")
    classes, positive, models = READ[text]
    found = read_models([path])
    assert list(found.classes) == classes
    assert found.classes[found.positive] == positive
    scores = {name: list(score) for name, score in found.scores_of_class(found.positive).items()}
    alone = {next(iter(models)) if len(models) == 1 else name: s for name, s in scores.items()}
    assert alone == models
    assert any(f"Positive class: {positive} (" in note for note in found.notes)


@pytest.mark.parametrize("around", [" , ", " ; ", " | "])
def test_blanks_around_a_separator_are_no_columns(tmp_path, around: str) -> None:
    rows = ["y", "score"], ["1", "0.9"], ["0", "0.1"], ["1", "0.8"], ["0", "0.3"]
    (tmp_path / "s.csv").write_text("\n".join(map(around.join, rows)))
    found = read_models([tmp_path / "s.csv"])
    assert list(found.models["s"][:, 0]) == [0.9, 0.1, 0.8, 0.3]
    assert not any("not used" in note for note in found.notes)


@pytest.mark.parametrize("text", REFUSED)
def test_tables_that_are_refused(tmp_path, text: str) -> None:
    (tmp_path / "s.csv").write_text(text, encoding="utf-8", newline="")
    with pytest.raises(ScoresError) as caught:
        read_models([tmp_path / "s.csv"])
    assert REFUSED[text] in str(caught.value)


def test_numbers_of_any_hand_are_read_right_or_refused(tmp_path) -> None:
    path, right = tmp_path / "s.csv", 0
    for text, numbers in random_tables(300).items():
        path.write_text(text, encoding="utf-8", newline="")
        try:
            found = read_models([path]).models["s"][:, 0].tolist()
        except ScoresError as error:
            told = str(error)
            assert "column 'model A'" in told
            assert "\n" not in told
            continue
        if numbers is not None:
            assert found == numbers
            right += 1
    assert right > 150


def test_rows_with_missing_values_are_left_out_when_asked(tmp_path) -> None:
    one = frame(1, id=np.arange(ROWS)).astype({"score": object})
    two = frame(2, id=np.arange(ROWS)).astype({"score": object})
    one.loc[3, "score"], one.loc[5, "y"], two.loc[7, "score"] = "NA", "", None
    paths = [written(tmp_path / "a.csv", one), written(tmp_path / "b.csv", two)]
    with pytest.raises(ScoresError, match="--drop-missing leaves such rows out"):
        read_models(paths)
    kept = [row for row in range(ROWS) if row not in (3, 5, 7)]
    found = read_models(paths, drop_missing=True)
    np.testing.assert_array_equal(found.models["a"][:, 0], one["score"][kept].astype(float))
    np.testing.assert_array_equal(found.models["b"][:, 0], two["score"][kept].astype(float))
    wrong = frame().assign(score=["", "x", *frame()["score"][2:]])
    with pytest.raises(ScoresError, match="row 2, column 'score': 'x'"):
        read_models([written(tmp_path / "w.csv", wrong)], drop_missing=True)
    assert "a: 3 rows with a missing value left out" in found.notes
    bare = [written(p, t.drop(columns="id")) for p, t in zip(paths, (one, two), strict=True)]
    np.testing.assert_array_equal(read_models(bare, drop_missing=True).y, found.y)


def test_numbers_that_floats_merge_and_times_are_refused(tmp_path) -> None:
    large = frame().assign(score=2**63 + np.arange(ROWS, dtype=np.uint64))
    large.to_parquet(tmp_path / "s.parquet")
    with pytest.raises(ScoresError, match=r"beyond 2\^53 are rounded to one another"):
        read_models([tmp_path / "s.parquet"])
    frame().assign(score=pd.date_range("2020", periods=ROWS)).to_parquet(tmp_path / "t.parquet")
    with pytest.raises(ScoresError, match="holds times"):
        read_models([tmp_path / "t.parquet"])


@pytest.mark.parametrize(("column", "value"), [("fold", ""), ("fold", "NA"), ("id", "null")])
def test_a_fold_or_name_that_is_missing_is_refused(tmp_path: Path, column, value) -> None:
    """It would be a fold of its own, or one object with all others that have none."""
    table = pd.DataFrame({column: np.arange(8), "y": [0, 1] * 4, "score": np.arange(8.0)})
    table = table.astype({column: object})
    table.loc[5, column] = value
    table.to_csv(tmp_path / "s.csv", index=False)
    with pytest.raises(ScoresError, match=f"row 6, column '{column}': no value; --drop-missing"):
        read_models([tmp_path / "s.csv"])
    assert len(read_models([tmp_path / "s.csv"], drop_missing=True).y) == 7


def test_a_header_of_any_length_is_read_whole(tmp_path: Path) -> None:
    """A part of it was compared, and columns called the same that were not."""
    names = [f"c{number}" for number in range(30_000)]
    path = tmp_path / "wide.csv"
    path.write_text(",".join(["y", *names]) + "\n" + ",".join(["1"] * 30_001) + "\n")
    assert list(read_table(path).columns) == ["y", *names]


def zstd(content: bytes) -> bytes:
    return bytes(pa.Codec("zstd").compress(content, asbytes=True))


def zipped(content: bytes) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("s.csv", content)
    return packed.getvalue()


@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress, lzma.compress, zstd, zipped])
def test_a_file_that_grows_beyond_a_limit_is_refused_before_it_fills_the_memory(
    tmp_path: Path, pack, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "s"
    content = b"y,s\n" + b"1,0.5\n" * 1000
    path.write_bytes(pack(content))
    monkeypatch.setattr(files, "LARGEST", len(content))
    assert len(read_table(path)) == 1000
    monkeypatch.setattr(files, "LARGEST", len(content) - 1)
    with pytest.raises(ScoresError, match="decompress it and give that file"):
        read_table(path)


@pytest.mark.parametrize("column", ["model", "Classifier", "model_name", "algorithm"])
def test_rows_of_several_models_are_never_pooled(tmp_path, column: str) -> None:
    """A long table is one model a name, in the order of the objects of the first."""
    one, two = frame(id=range(ROWS)), frame(seed=1, id=range(ROWS))
    long = pd.concat([one.assign(**{column: "svm"}), two.assign(**{column: "tree"}).iloc[::-1]])
    found = read_models([written(tmp_path / "long.csv", long)])
    assert list(found.models) == ["svm", "tree"]
    np.testing.assert_array_equal(found.models["svm"][:, 0], one["score"])
    np.testing.assert_array_equal(found.models["tree"][:, 0], two["score"])
    assert found.source == "long.csv"
    short = written(tmp_path / "short.csv", long.iloc[:-1])
    with pytest.raises(ScoresError, match="compares the groups"):
        read_models([short])
    pooled = read_models([written(tmp_path / "by.csv", long)], Columns(identity="id", by=column))
    assert list(pooled.models) == ["by"]


def test_a_score_called_model_is_a_score(tmp_path) -> None:
    table = frame().rename(columns={"score": "model"})
    assert list(read_models([written(tmp_path / "s.csv", table)]).models) == ["s"]


@pytest.mark.parametrize(
    "written_as",
    ["[{:.3f},{:.3f}]", "[{:.3f} {:.3f}]", "DenseVector([{:.3f}, {:.3f}])", "[ {:.3f};  {:.3f} ]"],
)
def test_scores_of_all_classes_in_one_cell(tmp_path, written_as: str) -> None:
    p = np.random.default_rng(5).uniform(size=ROWS)
    table = frame().assign(label=(frame()["y"] == "sick").astype(int), prediction=(p > 0.5) * 1.0)
    table["probability"] = [written_as.format(1 - each, each) for each in p]
    table = table.drop(columns=["y", "score"])
    found = read_models([written(tmp_path / "spark.csv", table)])
    np.testing.assert_allclose(found.models["spark"][:, 1], np.round(p, 3), atol=1e-9)
    table.loc[7, "probability"] = "[0.5]"
    with pytest.raises(ScoresError, match="row 8, column 'probability': not 2 numbers"):
        read_models([written(tmp_path / "spark.csv", table)])


@pytest.mark.parametrize("as_spark", [False, True])
def test_vectors_of_parquet(tmp_path, as_spark: bool) -> None:
    p = np.random.default_rng(5).uniform(size=ROWS)
    cells: list[object] = [[1 - each, each] for each in p]
    if as_spark:
        cells = [{"type": 1, "values": cell} for cell in cells]
    table = pd.DataFrame({"label": np.arange(ROWS) % 2, "probability": cells})
    table.to_parquet(tmp_path / "a.parquet")
    np.testing.assert_array_equal(read_models([tmp_path / "a.parquet"]).models["a"][:, 1], p)


def test_a_predicted_class_is_not_the_true_one(tmp_path) -> None:
    """H2O writes the predicted class as ``predict`` beside ``p0`` and ``p1``."""
    p = np.random.default_rng(5).uniform(size=ROWS)
    table = pd.DataFrame({"bad": np.arange(ROWS) % 2, "predict": (p > 0.5) * 1, "p0": 1 - p})
    found = read_models([written(tmp_path / "h2o.csv", table.assign(p1=p))])
    assert "true classes in 'bad'" in found.notes[0]
    np.testing.assert_array_equal(found.models["h2o"][:, 1], p)


@pytest.mark.parametrize(
    ("column", "part"), [("split", "train"), ("set", "Training"), ("fold", "train")]
)
def test_rows_of_training_are_not_judged_beside_others(tmp_path, column: str, part: str) -> None:
    table = frame(**{column: np.where(np.arange(ROWS) < 30, part, "test")})
    path = written(tmp_path / "s.csv", table)
    with pytest.raises(ScoresError, match=r"30 rows are of .*the model knows them"):
        read_models([path])
    one = written(tmp_path / "one.csv", table[table[column] == "test"])
    assert len(read_models([one]).models) == 1


def test_cells_with_all_classes_in_a_column_of_probs(tmp_path) -> None:
    p = np.linspace(0.1, 0.9, ROWS)
    table = frame().drop(columns="score").assign(probs=[f"[{1 - a:.3f},{a:.3f}]" for a in p])
    table["y"] = np.arange(ROWS) % 2
    assert read_models([written(tmp_path / "s.csv", table)]).models["s"].shape == (ROWS, 2)


def test_records_of_json_may_differ_in_what_is_no_score(tmp_path: Path) -> None:
    probabilities = '"p":[{"label":"1","prob":0.9},{"label":"0","prob":0.1}]'
    lines = [f'{{"y":1,{probabilities},"z":{{"a":1}}}}', f'{{"y":0,{probabilities},"z":"no"}}']
    (tmp_path / "s.json").write_text("\n".join(lines))
    assert read_models([tmp_path / "s.json"]).notes[1] == "s: not used: a, z"
