"""The VUC against the radius of the sphere of unseen objects."""

import numpy as np
import pytest

from leads import printed
from measuring import entries
from opchar.reject.volume import vuc
from opchar.scores import ScoreTable
from opchar_reproduction.publications.landgrebe2007.chapter5.score_tables import (
    by_test_set,
    characteristic,
)
from opchar_reproduction.publications.studies.sphere_radius.measure import sphere_radius

ENTRIES = entries("experiments", "studies")
RADII = [0.5, 1.0, 2.0]


def made(seed):
    rng = np.random.default_rng(seed)
    parts = []
    for fold in range(2):
        sets = [("held out", 0, 1.5, 30), ("held out", 1, -1.0, 30)]
        sets += [(f"sphere {r:g}", 2, 1.0 - 2 * r, 40) for r in RADII]
        for name, kind, mean, number in sets:
            odds = rng.normal(mean, 1.0, number)
            near = rng.normal(mean, 1.0, number)
            parts += [(fold, name, kind, o, d) for o, d in zip(odds, near, strict=True)]
    fold, name, kind, odds, near = (np.array(column) for column in zip(*parts, strict=True))
    chance = 1 / (1 + np.exp(-odds))
    scores = np.column_stack([chance, 1 - chance, np.zeros(len(odds))])
    return ScoreTable(
        y=kind,
        scores=scores,
        classes=("target", "outlier", "unseen"),
        fold=fold,
        index=np.arange(len(odds)),
        test_set=name.astype(object),
        detector=near,
        provenance={"data": "made"},
    )


def entry(name, printed, spread=0.01):
    about = {"set": "Made", "data": "made", "typicality": "density"}
    return about | {"name": name, "model": name, "printed": printed, "spread": spread}


def test_the_radius_of_a_printed_volume_is_found_where_there_is_one():
    tables = {("made", "a"): made(0), ("made", "b"): made(1)}
    plain = sphere_radius(tables, rows=[entry("a", 0.0), entry("b", 2.0)], radii=RADII)
    frame = plain.curves["radius"].set_index(["model", "radius"])["vuc"]
    tests = [by_test_set(part) for _, part in tables["made", "a"].folds()]
    by_hand = np.mean([vuc(characteristic(t["held out"], t["sphere 2"])) for t in tests])
    assert frame["a", 2.0] == pytest.approx(by_hand)
    assert frame["a", 0.5] < frame["a", 1.0] < frame["a", 2.0]
    lines = plain.frame("x").set_index(["row", "column"])["value"]
    assert np.isnan(lines["Made / b", "radius of the printed VUC"])
    assert lines["Made", "models whose printed VUC no radius gives"] == 2
    rows = [entry(name, frame[name, 1.0]) for name in "ab"]
    both = sphere_radius(tables, rows=rows, radii=RADII).frame("x").set_index(["row", "column"])
    value = both["value"]
    assert value["Made / a", "radius of the printed VUC"] == pytest.approx(1.0, rel=0.01)
    assert value["Made", "most models near their print at one radius"] == 2
    assert value["Made", "largest distance from print there"] < 1
    rows = [entry("a", frame["a", 0.5] + 0.001, 0.002), entry("b", frame["b", 2.0] - 0.001, 0.002)]
    apart = sphere_radius(tables, rows=rows, radii=RADII).frame("x").set_index(["row", "column"])
    assert apart["value"]["Made", "most models near their print at one radius"] == 1


def test_the_printed_volumes_of_the_sweep_are_those_of_the_table():
    table = printed("landgrebe2007", "table-5.3").query("column == 'VUC'")
    known = {
        row.split(" t_d")[0]: (value, std)
        for row, value, std in zip(table["row"], table["value"], table["std"], strict=True)
    }
    rows = ENTRIES["studies/reject-sphere-radius"]["parameters"]["rows"]
    assert len(rows) == 16
    for row in rows:
        name = f"{row['set'].split(' by ')[0]} / {row['name']}"
        assert known[name] == (row["printed"], row["spread"])
