"""VUC against the radius of the sphere of artificial unseen objects (Table 5.3)."""

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd

from opchar.reject.volume import vuc
from opchar.scores import ScoreTable
from opchar_reproduction.publications.landgrebe2007.chapter5.score_tables import (
    by_test_set,
    characteristic,
)
from opchar_reproduction.results import Results
from opchar_reproduction.study import settings, study

ROWS = settings(__file__, "rows.csv")

MODELS, SETS = "table-5.3-radius", "table-5.3-radius-sets"
NEAR = 2.0
STEPS = 401


@study(
    "reject-sphere-radius",
    kind="reject",
    scores=[
        """phoneme | sphere-radii-3-clusters | reject qdc; pca3 reject qdc; reject mogc 1 4;
        reject mogc 1 3; reject mogc 1 2""",
        """mfeat-fou-26; mfeat-fou-26-numbers | sphere-radii-3 | fisher reject nmc; fisher
        reject ldc; fisher reject qdc; fisher reject mogc 2 3""",
        """satellite-stubble | sphere-radii-3 | fisher reject nmc; fisher reject ldc; pca4
        reject ldc""",
    ],
    choices=[
        """radius: times the distance of the farthest target in the space of 99.9 % of
        the variance; Table 5.3 has 1.1, and the standard deviation is a small part of it""",
        """VUC: the exact dominated volume; between two radii linear in the logarithm
        of the radius""",
        "near: within two printed standard deviations",
    ],
)
def sphere_radius(
    scores: Mapping[tuple[str, str], ScoreTable],
    *,
    rows: Sequence[Mapping[str, Any]] = ROWS,
    radii: Sequence[float] = [0.125, 0.25, 0.5, 0.75, 1.1, 1.5, 2.0],
) -> Results:
    """Measure the VUC of each model of Table 5.3 at several radii, beside the printed one.

    `scores`: score tables by data set and model, of the protocol
    `opchar.reject.unseen.sphere_radii`; `rows`: ``set`` and ``name`` of a row of Table 5.3,
    ``data``, ``model``, the ``printed`` VUC and its ``spread``, and ``typicality``, what rejects:
    ``density`` or ``posterior``; `radii`: those of the protocol, ascending, times the distance of
    the farthest target. Returns: lines of table-5.3-radius and table-5.3-radius-sets; the frame
    ``radius`` with a line per set, model and radius.
    """
    results = Results()
    for entry in rows:
        table = scores[entry["data"], entry["model"]]
        folds = [by_test_set(part) for _, part in table.folds()]
        found = np.array([_volumes(tests, radii, entry["typicality"]) for tests in folds])
        who = {"set": entry["set"], "model": entry["name"], "radius": np.asarray(radii, float)}
        printed = {"printed": entry["printed"], "spread": entry["spread"]}
        results.add_frame("radius", who | {"vuc": found.mean(axis=0)} | printed)
        _model(results, entry, found, radii, table.data)
    for name, frame in results.curves["radius"].groupby("set", sort=False):
        _add_set(results, str(name), frame)
    return results


def _volumes(
    tests: Mapping[str, ScoreTable], radii: Sequence[float], typicality: str
) -> list[float]:
    """Return the volume at each radius."""
    spheres = (tests[f"sphere {radius:g}"] for radius in radii)
    return [vuc(characteristic(tests["held out"], one, typicality)) for one in spheres]


def _model(
    results: Results, entry: Mapping[str, Any], found: np.ndarray, radii: Sequence[float], data: str
) -> None:
    """Add the volumes of a model, and the radius that gives the printed one."""
    row = f"{entry['set']} / {entry['name']}"
    for radius, values in zip(radii, found.T, strict=True):
        results.mean(MODELS, row, f"VUC at {radius:g}", values, unit="fraction", data=data)
    results.number(MODELS, row, "VUC printed", entry["printed"], unit="fraction", basis="input")
    radius = _radius_of(np.asarray(radii, dtype=float), found.mean(axis=0), entry["printed"])
    unit = "distances of the farthest target"
    results.number(MODELS, row, "radius of the printed VUC", radius, unit=unit, data=data)


def _fine(radii: np.ndarray, volumes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return many radii, and the volumes there between those measured."""
    logs = np.linspace(np.log(radii[0]), np.log(radii[-1]), STEPS)
    return np.exp(logs), np.interp(logs, np.log(radii), volumes)


def _radius_of(radii: np.ndarray, volumes: np.ndarray, wanted: float) -> float:
    """Return the least radius at which the volume is as wanted; NaN where it never is."""
    fine, there = _fine(radii, volumes)
    passed = np.flatnonzero(np.diff(there >= wanted))
    return float(fine[passed[0]]) if len(passed) else np.nan


def _add_set(results: Results, name: str, frame: pd.DataFrame) -> None:
    """Add how many models of a set one radius can give, and whether their order depends on it."""
    table = frame.pivot_table(index="model", columns="radius", values="vuc", sort=False)
    printed, spread = (
        frame.groupby("model", sort=False)[one].first() for one in ("printed", "spread")
    )
    radii = table.columns.to_numpy(dtype=float)
    fine, _ = _fine(radii, radii)
    volumes = np.array([_fine(radii, line)[1] for line in table.to_numpy()])
    wanted = printed.loc[table.index].to_numpy()[:, None]
    apart = np.abs(volumes - wanted) / spread.loc[table.index].to_numpy()[:, None]
    fitting = (apart <= NEAR).sum(axis=0)
    nearest = int(np.argmin(apart.max(axis=0)))
    of_models = [
        _radius_of(radii, line, float(w))
        for line, w in zip(table.to_numpy(), wanted[:, 0], strict=True)
    ]
    turned = sum(
        bool(np.ptp(np.sign(one - other)) > 0) for one, other in combinations(table.to_numpy(), 2)
    )
    columns: dict[str, tuple[float, str]] = {
        "models": (len(table), "models"),
        "most models near their print at one radius": (fitting.max(), "models"),
        "models whose printed VUC no radius gives": (np.isnan(of_models).sum(), "models"),
        "least radius of a printed VUC": (_end(np.nanmin, of_models), "farthest target"),
        "largest radius of a printed VUC": (_end(np.nanmax, of_models), "farthest target"),
        "radius nearest to print": (fine[nearest], "farthest target"),
        "largest distance from print there": (apart.max(axis=0)[nearest], "printed deviations"),
        "pairs of models": (len(table) * (len(table) - 1) / 2, "pairs"),
        "pairs whose order changes with the radius": (turned, "pairs"),
    }
    for column, (value, unit) in columns.items():
        results.number(SETS, name, column, float(value), unit=unit)


def _end(which: Any, radii: list[float]) -> float:
    """Return an end of the radii, NaN where there is none."""
    return float(which(radii)) if np.isfinite(radii).any() else np.nan
