"""Seeds, files, results: what every room stands on."""

import numpy as np
import pandas as pd
import pytest

from opchar.errors import nearest
from opchar.files import replacing, sweep, write_json, write_text
from opchar.seeds import generator, integer_seed, spawner
from opchar_reproduction.results import ANALYTIC, Results, read_curves, read_results


def test_streams_follow_names_not_order() -> None:
    first = generator(7, "p-roc", "sonar", 3).random(4)
    generator(7, "other").random(100)
    np.testing.assert_array_equal(first, spawner(7, "p-roc")("sonar", 3).random(4))
    assert not np.array_equal(first, generator(8, "p-roc", "sonar", 3).random(4))
    assert not np.array_equal(first, generator(7, "p-roc", "sonar", "33").random(4))


def test_names_are_not_run_together() -> None:
    assert generator(7, "ab", "c").random() != generator(7, "a", "bc").random()


def test_the_streams_are_pinned() -> None:
    assert generator(1, "pinned").integers(10**9) == 560167409
    assert 0 <= integer_seed(generator(1, "x")) < 2**32


def test_a_failed_write_leaves_the_old_file_and_no_other(tmp_path) -> None:
    path = tmp_path / "kept.txt"
    write_text("old\n", path)
    with pytest.raises(RuntimeError), replacing(path) as temporary:
        temporary.write_text("half")
        raise RuntimeError
    assert path.read_text() == "old\n"
    assert list(tmp_path.iterdir()) == [path]


def test_leftovers_of_killed_jobs_are_swept(tmp_path) -> None:
    kept = tmp_path / "deep" / "kept.csv"
    write_text("x\n", kept)
    (kept.parent / ".making-abc123.csv").write_text("half")
    sweep(tmp_path, tmp_path / "missing")
    assert list(kept.parent.iterdir()) == [kept]


def test_json_is_sorted_and_ends_with_a_newline(tmp_path) -> None:
    write_json({"b": 1, "a": "é"}, tmp_path / "x.json")
    assert (tmp_path / "x.json").read_text(encoding="utf-8") == '{\n  "a": "é",\n  "b": 1\n}\n'


def test_results_read_back_to_the_bit(tmp_path) -> None:
    results = Results()
    results.number("table-1", "A", "AUC", 1 / 3, std=0.1 + 0.2, n=20, unit="fraction")
    results.number("table-1", "B", "AUC", np.nan, data="sonar")
    results.text("table-1", "A", "PPV", "-")
    results.add_frame("roc", {"series": "A", "fpr": [0.0, 1.0], "tpr": [0.0, 1.0]})
    results.add_frame("roc", {"series": "B", "fpr": [0.0], "tpr": [0.5]})
    results.add_frame("surface", {"z": [1, 2, 3]})
    results.write(tmp_path / "r.csv", tmp_path / "c.parquet")
    frame = read_results(tmp_path / "r.csv")
    pd.testing.assert_frame_equal(frame, results.frame(), check_dtype=False)
    assert frame["value"].iloc[0] == 1 / 3
    assert frame["data"].tolist() == [ANALYTIC, "sonar", ANALYTIC]
    curves = read_curves(tmp_path / "c.parquet")
    assert list(curves) == ["roc", "surface"]
    assert list(curves["roc"].columns) == ["series", "fpr", "tpr"]
    assert len(curves["roc"]) == 3
    assert curves["surface"]["z"].tolist() == [1, 2, 3]


def test_a_line_given_twice_is_an_error() -> None:
    results = Results()
    results.number("table-1", "A", "AUC", 1.0)
    results.number("table-1", "A", "AUC", 2.0)
    with pytest.raises(ValueError, match="given twice"):
        results.frame()


def test_nearest_offers_only_what_is_near() -> None:
    assert nearest("qiuck", ["quick", "paper"]) == " (did you mean 'quick'?)"
    assert nearest("zzz", ["quick", "paper"]) == ""
