"""Counts by distinct score in place of rows."""

import subprocess
import sys

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import opchar
from checkout import ROOT
from opchar.spaces import auc, exact_auprec, lower_envelope, upper_envelope
from opchar.spaces.score_counts import ScoreCounts

ROWS = st.lists(
    st.tuples(st.booleans(), st.one_of(st.integers(-3, 3).map(float), st.floats(-5, 5))),
    min_size=2,
    max_size=40,
).filter(lambda rows: len({label for label, _ in rows}) == 2)
CURVES = ("roc_curve", "precision_recall_curve", "det_curve", "cost_curve", "f_curve")
NUMBERS = ("roc_auc", "pr_auc", "best_f", "least_cost", "equal_error_rate")


def columns(rows):
    label, score = zip(*rows, strict=True)
    return np.array(label), np.array(score)


@given(ROWS, st.integers(0, 40), st.booleans())
def test_parts_give_every_curve_and_number_of_the_whole(rows, cut, weighted):
    y, score = columns(rows)
    weight = np.arange(len(y)) % 4 + 1 if weighted else None
    counts = None
    for part in (slice(0, cut), slice(cut, None)):
        if len(y[part]):
            given = None if weight is None else weight[part]
            found = ScoreCounts.from_arrays(y[part], score[part], sample_weight=given)
            counts = found if counts is None else counts + found
    for name in (*CURVES, *NUMBERS):
        function = getattr(opchar, name)
        whole, parts = function(y, score, sample_weight=weight), function(counts)
        for one, other in zip(np.atleast_2d(whole), np.atleast_2d(parts), strict=True):
            np.testing.assert_array_equal(one, other)


@given(ROWS)
def test_a_table_with_scores_in_several_rows_is_joined(rows):
    y, score = columns(rows)
    table = pd.DataFrame({"score": score, "positives": y.astype(int), "negatives": 1 - y})
    counts, known = ScoreCounts.from_table(table), ScoreCounts.from_arrays(y, score)
    for name, column in known.to_table().items():
        np.testing.assert_array_equal(counts.to_table()[name], column)
        assert counts.to_table()[name].dtype == column.dtype
    labels, repeated = counts.rows()
    order = np.lexsort((score, ~y))
    np.testing.assert_array_equal(labels, y[order])
    np.testing.assert_array_equal(repeated, score[order])


@given(ROWS, st.lists(st.floats(-6, 6), min_size=1, max_size=5, unique=True).map(sorted))
def test_a_grid_holds_for_certain(rows, grid):
    y, score = columns(rows)
    whole = ScoreCounts.from_arrays(y, score)
    cells = whole.on_cells(grid)
    measures = (
        auc,
        lambda points: exact_auprec(points, 0.2),
        lambda points: lower_envelope(points)(np.linspace(0, 1, 9)),
        lambda points: upper_envelope(points, 0.5)(np.linspace(0, 1, 9)),
    )
    for measure in measures:
        low, high = cells.certain(measure)
        value = measure(whole.points())
        assert (np.asarray(low) <= value + 1e-12).all()
        assert (value <= np.asarray(high) + 1e-12).all()
        np.testing.assert_array_equal(*whole.certain(measure))
    at_edges = {t: rates for t, *rates in zip(*_points(cells), strict=True)}
    for edge in grid:
        reached = score >= edge
        above = [t for t in at_edges if t >= edge]
        assert at_edges[min(above)] == [reached[y].mean(), reached[~y].mean()]


def _points(counts):
    points = counts.points()
    return points.thresholds.tolist(), points.tpr.tolist(), points.fpr.tolist()


@pytest.mark.parametrize("weight", [None, "w"])
def test_parquet_is_read_in_batches(tmp_path, monkeypatch, weight):
    monkeypatch.setattr("opchar.spaces.score_counts.BATCH", 100)
    rng = np.random.default_rng(2)
    y = np.where(rng.random(1050) < 0.3, "ill", "well")
    table = pd.DataFrame({"y": y, "p": rng.random(1050).round(2), "w": rng.integers(0, 4, 1050)})
    for number, part in enumerate(np.array_split(np.arange(1050), 3)):
        table.iloc[part].to_parquet(tmp_path / f"part-{number}.parquet")
    given = table["w"].to_numpy() if weight else None
    known = ScoreCounts.from_arrays(y, table["p"], pos_label="ill", sample_weight=given).to_table()
    names = {"label": "y", "score": "p", "pos_label": "ill", "weight": weight}
    for paths in (tmp_path, sorted(tmp_path.iterdir())):
        found = ScoreCounts.from_parquet(paths, **names).to_table()
        for name, column in known.items():
            np.testing.assert_array_equal(found[name], column)
    cells = ScoreCounts.from_parquet(tmp_path, **names, grid=[0, 0.5])
    assert cells.score.tolist() == [0, 0.5]
    assert cells.positives.sum() == known["positives"].sum()
    with pytest.raises(ValueError, match="no row has y 1"):
        ScoreCounts.from_parquet(tmp_path, label="y", score="p")


@pytest.mark.parametrize(
    ("table", "said"),
    [
        ({"score": [1.0], "positives": [1]}, "no column 'negatives'"),
        ({"score": [np.nan], "positives": [1], "negatives": [1]}, "NaN"),
        ({"score": [1.0], "positives": [-1], "negatives": [1]}, "not negative"),
        ({"score": [1.0], "positives": [0], "negatives": [0]}, "empty"),
        ({"score": [1.0, 2.0], "positives": ["a", "b"], "negatives": [1, 1]}, "2 numbers"),
    ],
)
def test_wrong_counts_are_named(table, said):
    with pytest.raises(ValueError, match=said):
        ScoreCounts.from_table(table)


def test_counts_stand_alone():
    counts = ScoreCounts.from_arrays([1, 0], [2, 1])
    with pytest.raises(ValueError, match="give them alone"):
        opchar.roc_auc(counts, sample_weight=[1, 1])
    with pytest.raises(ValueError, match="give y_score"):
        opchar.roc_auc([1, 0])
    with pytest.raises(ValueError, match="objects of class"):
        opchar.roc_auc(ScoreCounts.from_arrays([1, 1], [2, 1]))
    with pytest.raises(ValueError, match="no numbers of objects"):
        ScoreCounts.from_arrays([1, 0], [2, 1], sample_weight=[0.5, 1]).rows()


def test_sums_beyond_the_largest_exact_float_stay_exact():
    counts = ScoreCounts.from_arrays([1, 0], [2, 1], sample_weight=[2**60, 3])
    assert counts.points().n_positive == 2**60
    assert (counts + counts).positives.tolist() == [0, 2**61]


def test_the_snakefile_of_the_page_counts_parts_and_merges_them(tmp_path):
    page = (ROOT / "docs/large-scores.md").read_text(encoding="utf-8")
    (snakefile,) = [part for part in page.split("```") if "glob_wildcards" in part]
    (tmp_path / "Snakefile").write_text(snakefile.partition("\n")[2], encoding="utf-8")
    (tmp_path / "scores").mkdir()
    rng = np.random.default_rng(5)
    rows = pd.DataFrame({"y": rng.integers(0, 2, 300), "score": rng.random(300).round(2)})
    for number, part in enumerate(np.array_split(np.arange(300), 3)):
        rows.iloc[part].to_parquet(tmp_path / f"scores/part-{number}.parquet")
    words = [sys.executable, "-m", "snakemake", "--cores", "1"]
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    merged = ScoreCounts.from_table(pd.read_parquet(tmp_path / "merged.parquet"))
    for name, column in ScoreCounts.from_arrays(rows["y"], rows["score"]).to_table().items():
        np.testing.assert_array_equal(merged.to_table()[name], column)


@pytest.fixture
def tables(tmp_path, monkeypatch):
    """Two files of scores in the folder that the page names, and the counts of all rows."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "scores").mkdir()
    rng = np.random.default_rng(6)
    rows = pd.DataFrame({"y": rng.integers(0, 2, 300), "score": rng.random(300).round(1)})
    for number in range(2):
        rows[number::2].to_parquet(tmp_path / f"scores/{number}.parquet")
    return ScoreCounts.from_arrays(rows["y"], rows["score"]).to_table()


def of_the_page(begin: str) -> str:
    """Return the only block of the page on large tables that begins so, without its language."""
    page = (ROOT / "docs/large-scores.md").read_text(encoding="utf-8")
    (block,) = [part for part in page.split("```") if part.startswith(begin)]
    return block.partition("\n")[2]


def test_the_query_of_the_page_counts_in_duckdb(tables):
    duckdb = pytest.importorskip("duckdb", reason="no DuckDB in this environment")
    connection = duckdb.connect()
    connection.execute("CREATE VIEW scores AS SELECT * FROM 'scores/*.parquet'")
    query = of_the_page("sql\n")
    connection.execute(f"COPY ({query}) TO 'counts.parquet'")
    for table in (connection.sql(query).df(), pd.read_parquet("counts.parquet")):
        found = ScoreCounts.from_table(table).to_table()
        for name, column in tables.items():
            np.testing.assert_array_equal(found[name], column)


def test_the_code_of_the_page_counts_in_dask(tables):
    dask = pytest.importorskip("dask.dataframe", reason="no Dask in this environment")
    names = {"dask": sys.modules["dask"], "opchar": opchar}
    exec(of_the_page("py\nframe = dask"), names)
    assert isinstance(names["frame"], dask.DataFrame)
    assert names["frame"].npartitions == 2
    for name, column in tables.items():
        np.testing.assert_array_equal(names["counts"].to_table()[name], column)


def test_zeros_of_both_signs_are_one_score_of_a_grid():
    score = np.array([-2.0, -1.0, 0.0, 1.0, 2.0])
    grids = (
        ScoreCounts.from_arrays([0, 0, 1, 1, 1], each).with_fewer_bits(4)
        for each in (score, np.where(score == 0, -0.0, score))
    )
    np.testing.assert_equal(*(grid.to_table() for grid in grids))


@given(ROWS, st.integers(2, 6))
def test_a_grid_of_few_bits_has_no_score_below_its_cell(rows, most):
    y, score = columns(rows)
    whole = ScoreCounts.from_arrays(y, score)
    grid = whole.with_fewer_bits(most)
    assert len(grid.score) <= most
    assert (np.diff(grid.score) > 0).all()
    cell = np.searchsorted(grid.score, whole.score, side="right") - 1
    for one, all_of in ((grid.positives, whole.positives), (grid.negatives, whole.negatives)):
        np.testing.assert_array_equal(np.bincount(cell, all_of, len(one)), one)


@pytest.mark.parametrize("most", [1, 2, 4])
def test_no_more_bits_are_left_out_than_must_be(most):
    step = np.finfo(float).eps
    whole = ScoreCounts.from_arrays(np.arange(8) % 2, 1 + step * np.arange(8))
    expected = 1 + step * np.arange(0, 8, 8 // most)
    np.testing.assert_array_equal(whole.with_fewer_bits(most).score, expected)
