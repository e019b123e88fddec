"""What the explorer is given of score tables, and views that can be turned."""

import json
import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from opchar.scores import ScoreTable
from opchar.spaces import lower_envelope, operating_points, upper_envelope
from opchar.spaces.points import from_rates
from opchar_reproduction.figures.surface import KINDS, Part, View
from opchar_reproduction.project.configuration.config import load
from opchar_reproduction.publications.landgrebe2007.chapter3.surfaces.draw import (
    three_class_surface_views,
)
from opchar_reproduction.publications.landgrebe2007.chapter4.section3.roc_surface import (
    diagonal_errors_views,
)
from opchar_reproduction.publications.landgrebe2007.chapter5.case_study.draw import (
    VIEWED,
    operating_characteristics_views,
)
from opchar_reproduction.publications.landgrebe2007.chapter5.known_densities import (
    fixed_thresholds_views,
)
from opchar_reproduction.publications.landgrebe2007.chapter6.known_example.draw import designs_views
from opchar_reproduction.publications.landgrebe2007.surfaces_figures import error_cloud_views
from opchar_reproduction.report.explorer import interactive_3d
from opchar_reproduction.report.explorer.library import packed_library
from opchar_reproduction.report.explorer.tables import (
    OBJECTS,
    POINTS,
    explorer_data,
    one_test_set,
    short_thresholds,
    two_classes,
)
from reports import score_table, score_tables

TURNED = ("3.3", "3.6", "3.7", "4.2", "4.6", "5.8", "5.10", "6.3")


def unpacked(said: dict) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return true positives, false positives and thresholds as the page unpacks them."""
    tp, fp = (np.append(0, np.cumsum(said[name])) for name in ("tp", "fp"))
    return tp, fp, np.array([np.inf, *said["thresholds"]])


@pytest.mark.parametrize("sizes", [(60, 140), (300, 900), (5, 5000)])
def test_the_envelopes_of_what_is_kept_are_those_of_all(sizes: tuple[int, int]) -> None:
    table = score_table(sizes, 7)
    said = two_classes(table)
    tp, fp, thresholds = unpacked(said)
    whole = operating_points(table.y == 0, table.scores[:, 0])
    assert (said["positives"], said["negatives"]) == sizes
    assert (tp[-1], fp[-1]) == sizes
    kept = from_rates(tp / sizes[0], fp / sizes[1], thresholds)
    grid = np.linspace(0, 1, 201)
    ours, all_ = (lower_envelope(points)(grid) for points in (kept, whole))
    np.testing.assert_allclose(ours, all_, rtol=0, atol=1e-12)
    ours, all_ = (upper_envelope(points, 0.3)(grid) for points in (kept, whole))
    np.testing.assert_allclose(ours, all_, rtol=0, atol=1e-12)
    assert len(kept) <= POINTS + len(whole.hull)
    assert (len(kept) < len(whole)) == ("are kept" in said["told"])


@pytest.mark.parametrize("sizes", [(60, 140), (300, 900)])
def test_each_threshold_accepts_what_its_counts_say(sizes: tuple[int, int]) -> None:
    table = score_table(sizes, 7)
    for right, wrong, threshold in zip(*unpacked(two_classes(table)), strict=True):
        accepted = table.scores[:, 0] >= threshold
        assert (accepted & (table.y == 0)).sum() == right
        assert (accepted & (table.y != 0)).sum() == wrong


def test_thresholds_are_short_and_between_neighbours() -> None:
    rng = np.random.default_rng(0)
    for scores in (rng.random(500), 1e6 * rng.normal(size=500), np.array([1e-9, 0.0, -1e-300])):
        falling = np.unique(scores)[::-1]
        short = short_thresholds(falling, np.append(falling[1:], -np.inf))
        assert (short <= falling).all()
        assert (short[:-1] > falling[1:]).all()
    assert short_thresholds(np.array([0.123456]), np.array([0.1])).tolist() == [0.1234]


def test_tables_are_sorted_by_their_number_of_classes(folder: Path) -> None:
    found = explorer_data(score_tables().items())
    assert [each["model"] for each in found["two"]] == ["two (large)", "two (small)"]
    assert [each["model"] for each in found["three"]] == ["three"]
    assert (found["more"], found["skipped"]) == (1, 0)
    page = (folder / "explorer.html").read_text(encoding="utf-8")
    assert "1 score tables of more than three classes are not offered." in page
    assert explorer_data(reversed(score_tables().items())) == found
    assert json.loads(json.dumps(found)) == found


def test_objects_of_three_classes_are_capped_in_the_shares_of_the_classes() -> None:
    table = score_table((900, 600, 300), 1)
    (found,) = explorer_data([("large", table)])["three"]
    counts = np.bincount(found["labels"])
    assert counts.sum() == OBJECTS
    assert (counts / OBJECTS).tolist() == pytest.approx([1 / 2, 1 / 3, 1 / 6], abs=0.01)
    assert found["told"].startswith(f"{OBJECTS} of 1,800 scored objects")
    scores = np.array(found["flat"]).reshape(-1, 3)
    distance = np.abs(scores[0] - table.scores).max(axis=1).min()
    assert distance < 1e-6


def test_the_first_test_set_and_its_classes_are_taken() -> None:
    table = score_table((40, 60, 50), 1)
    part = np.where(table.y == 2, "later", "first").astype(object)
    with_sets = ScoreTable(**{**vars(table), "test_set": part})
    name, first = one_test_set(with_sets)
    assert (name, len(first.y)) == ("test set first", 100)
    found = explorer_data([("m", with_sets)])
    assert [each["model"] for each in found["two"]] == ["m, test set first"]
    assert found["two"][0]["positives"] == 40
    only = ScoreTable(
        **{**vars(table), "test_set": np.where(table.y == 0, "a", "b").astype(object)}
    )
    assert explorer_data([("m", only)])["skipped"] == 1


def test_the_library_is_one_file_with_the_same_bytes() -> None:
    text = packed_library()
    assert text == packed_library()
    assert "MIT licence" in text
    assert 1_000_000 < len(text) < 2_200_000


def decoded(script: str, name: str) -> list[dict]:
    found = re.search(rf'OPCHAR_SURFACES\["{re.escape(name)}"\] = (.*);\n$', script)
    return json.loads(found[1])


def test_views_are_thinned_evenly_and_kept_to_a_ten_thousandth() -> None:
    x, y = np.meshgrid(np.linspace(0, 1, 300), np.linspace(0, 1, 5), indexing="ij")
    z = x * y
    z[0, 0] = np.nan
    cloud = np.linspace(0, 1, 20_001)
    parts = [Part("surface", x, y, z), Part("points", cloud, cloud, cloud)]
    (view,) = decoded(interactive_3d.script("a/b", [View("w", ("x", "y", "z"), parts)]), "a/b")
    surface, points = view["parts"]
    assert surface["width"] == 5
    assert len(surface["z"]) == 5 * interactive_3d.LINES
    assert surface["z"][0] is None
    rows = np.array(surface["x"]).reshape(-1, 5)[:, 0] / interactive_3d.SCALE
    assert (rows[0], rows[-1]) == (0, 1)
    kept = np.array(surface["z"][1:], dtype=float) / interactive_3d.SCALE
    places = np.rint(np.linspace(0, 299, interactive_3d.LINES)).astype(int)
    np.testing.assert_allclose(kept, z[places].ravel()[1:], rtol=0, atol=5.1e-5)
    assert len(points["x"]) == interactive_3d.POINTS
    assert {part["kind"] for part in view["parts"]} <= set(KINDS)


def test_the_figures_of_three_dimensions_name_their_views() -> None:
    artefacts = load(Path(__file__).parents[3]).artefacts
    turned = {name for name, entry in artefacts.items() if "surface" in entry}
    assert turned == {f"landgrebe2007/figure-{label}" for label in TURNED}


def frame(columns: str, size: int, **constant: object) -> pd.DataFrame:
    values = np.random.default_rng(size).random((size, len(columns.split())))
    return pd.DataFrame(values, columns=columns.split()).assign(**constant)


def grid(outer: str, inner: str, columns: str, **constant: object) -> pd.DataFrame:
    keys = pd.MultiIndex.from_product([[1, 2, 3], [1, 2]], names=[outer, inner]).to_frame(
        index=False
    )
    return keys.join(frame(columns, len(keys), **constant))


def test_views_show_the_numbers_of_the_figures() -> None:
    roc = frame("xi_12 xi_21 xi_23", 7)
    (cloud,) = error_cloud_views({"roc": roc})[0].parts
    np.testing.assert_array_equal(np.column_stack([cloud.x, cloud.y, cloud.z]), roc)
    both = [frame("xi_11 xi_22 xi_33", 9, series=name) for name in ("random", "other")]
    (view,) = three_class_surface_views({"surface": pd.concat(both)}, series="other")
    np.testing.assert_array_equal(view.parts[0].z.ravel(), both[1]["xi_33"])
    (view,) = diagonal_errors_views({"surface": frame("e_11 e_22 e_33", 4)})
    assert view.parts[0].z.shape == (2, 2)
    rates = "fpr_o fpr_r tpr"
    curves = {"surface": grid("t_d", "theta", rates), "roc": frame(rates, 4, t_d=[0, 0, 1, 1])}
    (view,) = fixed_thresholds_views(curves)
    assert [part.name for part in view.parts] == ["all thresholds", "t_d = 0", "t_d = 1"]
    assert view.parts[0].z.shape == (3, 2)
    models = [grid("t_d", "theta", rates, model=name) for name in VIEWED]
    views = operating_characteristics_views({"surface": pd.concat(models, ignore_index=True)})
    for view, own in zip(views, models, strict=True):
        np.testing.assert_array_equal(view.parts[0].x.ravel(), own["fpr_o"])
    designs = frame("eps_I eps_II fpr", 2, role=["N", "H"])
    surface = grid("theta_d", "theta_c", "eps_I eps_II fpr")
    (view,) = designs_views({"surface": surface, "designs": designs})
    assert [part.z.tolist() for part in view.parts[1:]] == [[z] for z in designs["fpr"]]
