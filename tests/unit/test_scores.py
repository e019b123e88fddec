"""The score table's contract."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from opchar.errors import ScoresError
from opchar.scores import ScoreTable, read_models, read_scores, sidecar, write_models, write_scores


def table(**changes: object) -> pd.DataFrame:
    frame = pd.DataFrame(
        {"fold": [0, 0, 1], "index": [4, 2, 3], "y": ["a", "b", "a"], "a": [0.9, 0.2, 0.5]}
    ).assign(b=[0.1, 0.8, 0.5])
    return frame.assign(**changes)


@given(seed=st.integers(0, 10**6), rows=st.integers(2, 30), classes=st.integers(2, 5))
def test_written_tables_read_back_to_the_bit(tmp_path_factory, seed, rows, classes) -> None:
    rng = np.random.default_rng(seed)
    y = np.concatenate([[0, 1], rng.integers(0, classes, rows - 2)])
    written = ScoreTable(
        rng.integers(0, 3, rows),
        np.arange(rows),
        y,
        rng.normal(size=(rows, classes)),
        tuple(f"class {i}" for i in range(classes)),
        {"data": "sonar", "seed": seed},
    )
    path = tmp_path_factory.mktemp("scores") / "m.parquet"
    write_scores(written, path)
    read = read_scores(path)
    for name in ("fold", "index", "y", "scores"):
        np.testing.assert_array_equal(getattr(read, name), getattr(written, name))
    assert read.classes == written.classes
    assert read.data == "sonar"
    assert sidecar(path).exists()


def test_further_columns_read_back_and_are_walked_through(tmp_path) -> None:
    written = ScoreTable(
        np.zeros(8, int),
        np.tile([0, 1], 4),
        np.tile([0, 1], 4),
        np.random.default_rng(0).random((8, 2)),
        ("a", "b"),
        test_set=np.repeat(np.array(["reversed", "original"], object), 4),
        member=np.tile([0, 0, 1, 1], 2),
        detector=np.array([-np.inf, *range(7)]),
    )
    write_scores(written, tmp_path / "s.parquet")
    read = read_scores(tmp_path / "s.parquet")
    for name in ("scores", "test_set", "member", "detector"):
        np.testing.assert_array_equal(getattr(read, name), getattr(written, name))
    names = list(pd.read_parquet(tmp_path / "s.parquet").columns)
    assert names == ["fold", "test_set", "member", "index", "y", "detector", "a", "b"]
    walked = [
        (name, number, part.scores)
        for name, tested in read.test_sets()
        for number, part in tested.members()
    ]
    assert [each[:2] for each in walked] == [
        (name, number) for name in ("reversed", "original") for number in (0, 1)
    ]
    np.testing.assert_array_equal(np.concatenate([each[2] for each in walked]), written.scores)


def test_a_table_without_further_columns_is_one_test_set_of_one_model(tmp_path) -> None:
    path = tmp_path / "s.csv"
    table().to_csv(path, index=False)
    read = read_scores(path)
    assert [(name, len(part.y)) for name, part in read.test_sets()] == [(None, 3)]
    assert [(number, len(part.y)) for number, part in read.members()] == [(None, 3)]


def test_no_class_takes_the_name_of_a_column(tmp_path) -> None:
    scores = np.ones((2, 2))
    bad = ScoreTable(np.zeros(2, int), np.arange(2), np.arange(2), scores, ("a", "member"))
    with pytest.raises(ScoresError, match="no class can be called 'member'"):
        write_scores(bad, tmp_path / "s.parquet")


def test_folds_partition_the_rows(tmp_path) -> None:
    path = tmp_path / "s.csv"
    table().to_csv(path, index=False)
    folds = dict(read_scores(path).folds())
    assert [len(part.y) for part in folds.values()] == [2, 1]


def test_binary_names_the_classes_when_one_is_unknown(tmp_path) -> None:
    path = tmp_path / "s.csv"
    table().to_csv(path, index=False)
    is_positive, score = read_scores(path).binary("b")
    assert is_positive.tolist() == [False, True, False]
    assert score.tolist() == [0.1, 0.8, 0.5]
    with pytest.raises(ScoresError, match="no class 'c'"):
        read_scores(path).binary("c")


def test_log_odds_need_posteriors(tmp_path) -> None:
    path = tmp_path / "s.csv"
    table(a=[0.9, -0.2, 0.5]).to_csv(path, index=False)
    with pytest.raises(ScoresError, match="some scores are negative"):
        read_scores(path).log_odds("b")


def test_a_csv_of_ones_own_needs_no_fold_and_index(tmp_path) -> None:
    path = tmp_path / "mine.csv"
    table()[["y", "a", "b"]].to_csv(path, index=False)
    read = read_scores(path)
    assert read.fold.tolist() == [0, 0, 0]
    assert read.index.tolist() == [0, 1, 2]
    assert read.data == "scores given by the user"


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"a": [0.9, np.nan, 0.5]}, r"row 2, column 'a': nan is not finite"),
        ({"a": [0.9, np.inf, 0.5]}, r"row 2, column 'a': inf is not finite"),
        ({"a": ["0.9", "x", "0.5"]}, r"row 2, column 'a': 'x' is no number"),
        ({"fold": [0, 0.5, 1]}, r"row 2, column 'fold': 0.5 is not a whole number"),
        ({"member": [0, -1, 1]}, r"row 2, column 'member': -1 is not a whole number from 0"),
        ({"member": ["0", "x", "1"]}, r"row 2, column 'member': 'x' is no number"),
        ({"detector": [0, np.nan, 1]}, r"row 2, column 'detector': nan is not finite"),
        ({"test_set": ["p", None, "q"]}, r"row 2, column 'test_set': empty"),
        ({"y": ["a", "c", "b"]}, r"row 2, column 'y': label 'c' is none of"),
        ({"y": ["a", "a", "a"]}, r"has only the class 'a'"),
    ],
)
def test_bad_tables_name_file_row_and_column(tmp_path, changes, message) -> None:
    path = tmp_path / "bad.csv"
    table(**changes).to_csv(path, index=False)
    with pytest.raises(ScoresError, match=message) as caught:
        read_scores(path)
    assert str(path) in str(caught.value)
    assert "\n" not in str(caught.value)


def test_models_share_a_table_and_read_back_each_with_its_own_columns(tmp_path) -> None:
    rng, path = np.random.default_rng(2), tmp_path / "s.parquet"
    plain = (np.zeros(6, int), np.arange(6), np.tile([0, 1], 3))
    models = {
        "ldc": ScoreTable(*plain, rng.random((6, 2)), ("a", "b"), {"data": "sonar"}),
        "svc": ScoreTable(
            *plain,
            rng.random((6, 2)),
            ("a", "b"),
            {"data": "sonar", "seed": 1},
            decisions=np.where(rng.random((6, 2)) < 0.5, -np.inf, 1.0),
            member=np.arange(6) // 2,
        ),
        "two": ScoreTable(
            *plain,
            rng.random((6, 2)),
            ("a", "b"),
            test_set=np.repeat(["p", "q"], 3).astype(object),
            detector=rng.random(6),
        ),
    }
    write_models(models, path)
    assert list(read_models(path)) == list(models)
    for name, written in models.items():
        read = read_scores(path, name)
        assert (read.classes, read.data) == (written.classes, written.data)
        for column in ("fold", "y", "scores", "decisions", "test_set", "member", "detector"):
            np.testing.assert_array_equal(getattr(read, column), getattr(written, column))
    assert list(read_models(path, ["two", "ldc"])) == ["two", "ldc"]
    with pytest.raises(ScoresError, match=r"several models, ldc, svc, two: say which"):
        read_scores(path)
    with pytest.raises(ScoresError, match=r"no model 'lcd' \(did you mean 'ldc'\?\)"):
        read_scores(path, "lcd")
    exchanged = ScoreTable(*plain, rng.random((6, 2)), ("b", "a"))
    with pytest.raises(ScoresError, match="'other' has another order of classes"):
        write_models(models | {"other": exchanged}, path)
    broken = pd.read_parquet(path)
    broken.loc[7, "a"] = np.inf
    broken.to_parquet(path)
    with pytest.raises(ScoresError, match="model 'svc': row 2, column 'a': inf is not finite"):
        read_scores(path, "svc")


@pytest.mark.parametrize("content", [b"", b"PAR1 but not really", b"\x00\x01\x02"])
@pytest.mark.parametrize("name", ["s.parquet", "s.csv"])
def test_unreadable_files_are_one_line(tmp_path, name, content) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(ScoresError) as caught:
        read_scores(path)
    assert str(path) in str(caught.value)
    assert "\n" not in str(caught.value)


def test_missing_columns_and_files(tmp_path) -> None:
    path = tmp_path / "s.parquet"
    with pytest.raises(ScoresError, match="no such score table"):
        read_scores(path)
    table().drop(columns="fold").to_parquet(path)
    with pytest.raises(ScoresError, match="column 'fold' is missing"):
        read_scores(path)
    table().drop(columns="b").to_parquet(path)
    with pytest.raises(ScoresError, match="at least two"):
        read_scores(path)
