"""Discriminants, reject options and the sequential combination in the plane (Sec. 5.2)."""

from collections.abc import Mapping

import numpy as np

from opchar.datasets.features import FeatureTable
from opchar.datasets.generators import grid_points
from opchar.scores import ScoreTable, rejecting_threshold
from opchar_reproduction.publications.landgrebe2007.chapter5.score_tables import (
    OUTLIER,
    TARGET,
    UNSEEN,
    after_rejection,
    area,
    by_test_set,
    target_margin,
)
from opchar_reproduction.publications.landgrebe2007.mean_lines import add_mean
from opchar_reproduction.results import Results
from opchar_reproduction.study import study

Scores = Mapping[tuple[str, str], ScoreTable]


@study(
    "reject-unseen-class",
    kind="reject",
    basis="illustration",
    scores=["unseen-quadratic | drawn-and-grid | qdc"],
    features=["unseen-quadratic"],
)
def unseen_class(scores: Scores, features: Mapping[str, FeatureTable]) -> Results:
    """Share of each class that a quadratic discriminant calls target (Figure 5.1)."""
    results = Results()
    (table,), (objects,) = scores.values(), features.values()
    for draw, part in table.folds():
        tests = by_test_set(part)
        called = tests["test"].scores[:, TARGET] > tests["test"].scores[:, OUTLIER]
        for kind, name in enumerate(table.classes):
            share = float(called[tests["test"].y == kind].mean())
            results.add_frame("accepted", {"class": [name], "draw": draw, "accepted": share})
        if draw == 0:
            _scatter(results, objects, draw)
            grid = tests["grid"]
            _boundary(results, objects, grid, "qdc", -np.inf)
    for kind_name, found in results.curves["accepted"].groupby("class", sort=False):
        line = "figure-5.1", str(kind_name), "share called target"
        add_mean(results, *line, found["accepted"], unit="fraction", kept=False)
    return results


@study(
    "reject-example",
    kind="reject",
    basis="illustration",
    scores=["reject-example | drawn-and-grid | reject ldc; reject mogc 15; socmc mog 15 + ldc"],
    features=["reject-example"],
    units="draw",
)
def example(
    scores: Scores,
    features: Mapping[str, FeatureTable],
    *,
    models: dict[str, str] = {
        "linear": "reject ldc",
        "mixture": "reject mogc 15",
        "SOCMC": "socmc mog 15 + ldc",
    },
    object_a: list[float] = [0.0, 0.0],
    share: float = 0.05,
) -> Results:
    """Reject options of two models, and both in the sequential combination (Figures 5.2, 5.4).

    `models`: Model by its name in the figures.
    `object_a`: Where the object A lies.
    `share`: Of the training targets that are rejected.
    """
    results = Results()
    (data, objects), *_ = features.items()
    for name, model in models.items():
        for draw, part in scores[data, model].folds():
            tests = by_test_set(part)
            if draw == 0 and "scatter" not in results.curves:
                _scatter(results, objects, draw)
            grid = grid_points(objects.X, round(np.sqrt(len(tests["grid"].y))))
            called = (after_rejection(tests["grid"], tests["train"], share) > 0).astype(float)
            if draw == 0:
                _boundary(results, objects, tests["grid"], name, _least(tests["train"], share))
            nearest = int(np.hypot(*(grid - object_a).T).argmin())
            scored = after_rejection(tests["test"], tests["train"], share)
            kinds = [scored[tests["test"].y == kind] for kind in (TARGET, OUTLIER, UNSEEN)]
            error = (np.mean(kinds[0] <= 0) + np.mean(kinds[1] > 0)) / 2
            known = {"classification": area(kinds[0], kinds[1]), "error": error}
            accepted = {"unseen accepted": np.mean(kinds[2] > 0), "A accepted": called[nearest]}
            where = {"model": [name], "draw": draw}
            results.add_frame("performance", where | known | accepted)
    for shown, found in results.curves["performance"].groupby("model", sort=False):
        artefact = "figure-5.4" if shown == "SOCMC" else "figure-5.2"
        for column in ("classification", "error", "unseen accepted", "A accepted"):
            line = artefact, str(shown), column
            add_mean(results, *line, found[column], unit="fraction", kept=False)
    return results


def _scatter(results: Results, objects: FeatureTable, draw: int) -> None:
    rows = objects.groups["draw"] == draw
    x, y = objects.X[rows].T
    names = np.array(objects.classes, dtype=object)[objects.y[rows]]
    columns = {"x": x, "y": y, "class": names, "part": objects.groups["part"][rows]}
    results.add_frame("scatter", columns)


def _least(training: ScoreTable, share: float) -> float:
    """Return the detector's threshold that rejects a share of the training targets."""
    assert training.detector is not None
    return rejecting_threshold(training.detector[training.y == TARGET], share)


def _boundary(
    results: Results, objects: FeatureTable, grid: ScoreTable, name: str, least: float
) -> None:
    points = grid_points(objects.X, round(np.sqrt(len(grid.y))))
    margin = target_margin(grid, 0.0, least)
    results.add_frame(
        "boundary", {"model": name, "x": points[:, 0], "y": points[:, 1], "margin": margin}
    )
