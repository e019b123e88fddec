"""Secs. 3.3.3 and 3.3.4: known distributions, surfaces, and what estimates are worth."""

import numpy as np
import pandas as pd
import pytest

from measuring import under_variants, values
from opchar.multiclass.gaussians import diagonal_lattice
from opchar.multiclass.roc.volume import ordered_gaussian_volume, resampled_volume
from opchar.seeds import spawner
from opchar_reproduction.publication import folders
from opchar_reproduction.publications.landgrebe2007.chapter3.known_distributions.measure import (
    known_distributions,
    means_of,
)
from opchar_reproduction.publications.landgrebe2007.chapter3.surfaces.measure import surfaces
from opchar_reproduction.publications.studies.volume_resolution import known_volumes
from opchar_reproduction.report.comparison.published_values import read_lines
from opchar_reproduction.study import Shared

TABLES = {
    "table-3.3": [["-0.05; 0.0; 0.05", 200], ["-0.5; 0.0; 0.5", 100], ["-4.0; 0.0; 4.0", 100]],
    "table-3.4": [["-0.15; -0.05; 0.05; 0.15", 70], ["-0.75; -0.25; 0.25; 0.75", 50]],
}

GIVEN = {
    "tables": TABLES,
    "weights": [1e-3, 1e3],
    "other_weights": [[1e-2, 1e2]],
    "common_r": 30,
    "largest_hypervolume": 2000,
    "largest_r": 12,
    "figure_table": "table-3.4",
    "figure_rows": [1, 2],
}


def test_known_distributions_stand_beside_the_exact_values():
    results = known_distributions(spawn=spawner(1, "test"), shared=Shared(), **GIVEN)
    three = values(results, "table-3.3")
    assert three["-0.5; 0.0; 0.5", "r"] == 12
    assert three["-0.5; 0.0; 0.5", "VUS exact"] == pytest.approx(0.33724, abs=1e-5)
    assert three["-0.5; 0.0; 0.5", "VUS est."] == pytest.approx(0.337, rel=0.2)
    dominated = three["-0.5; 0.0; 0.5", "VUS dominated"]
    assert dominated < three["-0.5; 0.0; 0.5", "VUS exact"]
    frame = results.frame().set_index(["artefact", "row", "column"])
    assert frame.loc[("table-3.3", "-0.5; 0.0; 0.5", "r"), "basis"] == "input"
    estimate = frame.loc[("table-3.3", "-0.5; 0.0; 0.5", "VUS est.")]
    assert estimate["basis"] == "exact" and np.isnan(estimate["tolerance"])
    assert "other variants" in estimate["note"]
    known = results.curves["known volumes"]
    assert known["separation"].tolist() == pytest.approx([0.1, 1.0, 8.0, 0.3, 1.5])
    missed = results.curves["missed"]
    assert missed["r"].tolist() == [30, 60, 30, 30]
    assert missed["share"].iloc[1] < missed["share"].iloc[0]
    assert set(results.curves["densities"]["experiment"]) == {1, 2}


def test_surfaces_are_measured():
    results = surfaces(
        separable=[-4.0, 4.0], overlapping=[-0.5, 0.5], three_classes=[-1.0, 0.0, 1.0], nodes=81
    )
    area = values(results, "figure-3.5")
    assert area["A", "AUC"] > area["B", "AUC"] > area["C", "AUC"] == pytest.approx(0.5)
    basis = results.frame(basis="illustration").set_index("artefact")["basis"]
    assert basis["figure-3.6"] == "exact" and basis["figure-3.7"] == "illustration"
    assert values(results, "figure-3.7")["overlapping", "VUS exact"] == pytest.approx(
        0.53615, abs=1e-5
    )
    plane = results.curves["surface"].query("series == 'random'")
    assert plane[["xi_11", "xi_22", "xi_33"]].sum(axis=1).to_numpy() == pytest.approx(1)


def rule(means, r, low=1e-3, high=1e3):
    return resampled_volume(diagonal_lattice(means, 1.0, r, low, high), r)


def test_inconsistent_means_and_volume_of_row_2_of_table_3_4():
    """0.07782 cannot belong to the means -0.75; -0.25; 0.25; 0.75."""
    printed, means = 0.07782, np.array([-0.75, -0.25, 0.25, 0.75])
    exact, error = ordered_gaussian_volume(means)
    assert error < 1e-8 and exact == pytest.approx(0.16208, abs=1e-5)
    assert printed < 0.5 * exact
    assert rule(means, 50, 1e-4, 1e4) > 1.9 * printed


@pytest.mark.parametrize(
    ("row", "r", "printed"),
    [
        ("-0.05; 0.0; 0.05", 200, 0.16876),
        ("-0.3; 0.0; 0.3", 100, 0.24140),
        ("-0.5; 0.0; 0.5", 100, 0.31428),
        ("-1.0; 0.0; 1.0", 100, 0.51214),
        ("-1.00; -0.33; 0.33; 1.00", 50, 0.19972),
        ("-1.50; -0.50; 0.50; 1.5", 50, 0.33097),
    ],
)
def test_printed_volumes_lie_below_what_the_rule_can_lose(row, r, printed):
    """Neither a ten times wider range of weights nor half a cell lost at a border explains them."""
    means = [float(mean) for mean in row.split(";")]
    exact, error = ordered_gaussian_volume(means)
    worst = rule(means, r, 1e-4, 1e4) * (1 - 0.5 / (r - 1)) ** (len(means) - 1)
    assert error < 1e-8
    assert printed < worst < exact


def test_variants_that_share_are_those_that_do_not():
    changes = {"wider": {"weights": [1e-4, 1e4]}, "drawn": {"objects": 40, "draws": 2}}
    given = {"spawn": spawner(1, "test"), **GIVEN}
    for name, found in under_variants(known_distributions, changes, **given, beyond=False).items():
        whole = known_distributions(**(given | changes[name]), shared=Shared())
        lines = whole.frame()
        printed = lines[lines["column"].isin(["VUS est.", "Bayes error at equal priors"])]
        ours = found.frame().drop(columns="note")
        pd.testing.assert_frame_equal(ours, printed.drop(columns="note").reset_index(drop=True))
        for frame in ("known volumes", "missed"):
            pd.testing.assert_frame_equal(found.curves[frame], whole.curves[frame])


def test_all_twelve_printed_volumes_lie_below_the_exact_ones():
    lines = read_lines(folders("landgrebe2007"))
    printed = lines[lines["artefact"].isin(TABLES) & (lines["column"] == "VUS est.")]
    assert len(printed) == 12
    for row, value in zip(printed["row"], printed["value"], strict=True):
        exact, error = ordered_gaussian_volume(np.array([float(mean) for mean in row.split(";")]))
        assert error < 1e-8
        assert float(value) < exact


def test_exact_volumes_lie_in_their_intervals_and_estimates_approach_them():
    rows = ["-0.5; 0.0; 0.5", "-1.5; 0.0; 1.5", "-1.50; -0.50; 0.50; 1.5"]
    lines = known_volumes(
        spawn=spawner(1, "test"),
        rows=rows,
        resolutions={3: [8, 16, 32], 4: [6, 12]},
        weights=[1e-3, 1e3],
        shown=rows,
        objects=150,
        grids={3: [1e-2, 1e2, 30], 4: [1e-2, 1e2, 14]},
        resamples={3: 40, 4: 20},
        level=0.99,
    )
    values = lines.frame().set_index(["artefact", "row", "column"])["value"].sort_index()
    assert values["vus-intervals", "rows with the exact volume inside", "VUS exact"] == 3
    for row in rows:
        inside = values["vus-intervals", row]
        assert inside["99% interval from"] < inside["VUS exact"] < inside["to"]
    missed = lines.curves["convergence"].groupby("series")["missed"]
    assert all((np.diff(part) < 0).all() and part.iloc[-1] < 0.2 for _, part in missed)


def test_wide_ranges_explain_most_of_what_the_narrow_one_leaves():
    """Sums of squared deviations from print over Table 3.3, whose r is printed, by the range."""
    lines = read_lines(folders("landgrebe2007"))
    lines = lines[(lines["artefact"] == "table-3.3") & (lines["column"] == "VUS est.")]
    steps = [200, 100, 100, 100, 100, 100]
    squares = {}
    for decades in (3, 12):
        span = 10.0**-decades, 10.0**decades
        off = [
            rule(means_of(row), r, *span) - float(value)
            for row, value, r in zip(lines["row"], lines["value"], steps, strict=True)
        ]
        assert min(off) > 0
        squares[decades] = np.square(off).sum()
    assert squares[12] < squares[3] / 4
