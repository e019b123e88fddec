"""The score tables of a run, small enough for a page: counts at thresholds, or scored objects."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from opchar.scores import ScoreTable
from opchar.spaces.points import OperatingPoints, operating_points

POINTS = 400
OBJECTS = 450
DIGITS = 6
PLACES = 4


def explorer_data(tables: Iterable[tuple[str, ScoreTable]]) -> dict[str, Any]:
    """Return the data of the explorer from the score tables of a run."""
    found: dict[str, Any] = {"two": [], "three": [], "more": 0, "skipped": 0}
    for model, table in tables:
        name, part = one_test_set(table)
        about = {"data": part.data, "model": model if not name else f"{model}, {name}"}
        part = _of_present(part)
        if len(part.classes) > 3:
            found["more"] += 1
        elif len(part.classes) < 2 or (len(part.classes) == 3 and (part.scores < 0).any()):
            found["skipped"] += 1
        elif len(part.classes) == 2:
            found["two"].append(about | two_classes(part))
        else:
            found["three"].append(about | three_classes(part))
    for kind in ("two", "three"):
        found[kind].sort(key=lambda each: (each["data"], each["model"]))
    return found


def one_test_set(table: ScoreTable) -> tuple[str, ScoreTable]:
    """Return the first test set and the first member of a table, and how they are called."""
    test_set, part = next(table.test_sets())
    member, part = next(part.members())
    names = [f"test set {test_set}"] if test_set is not None else []
    names += [f"member {member + 1}"] if member is not None else []
    return ", ".join(names), part


def _of_present(table: ScoreTable) -> ScoreTable:
    """Return a table with the classes that have objects."""
    present, y = np.unique(table.y, return_inverse=True)
    classes = tuple(table.classes[label] for label in present)
    return replace(table, y=y, classes=classes, scores=table.scores[:, present], decisions=None)


def two_classes(table: ScoreTable) -> dict[str, Any]:
    """Return the counts of a table of two classes at its thresholds."""
    positive = table.classes[int(np.argmin(np.bincount(table.y, minlength=2)))]
    points = operating_points(*table.binary(positive))
    true_positives, false_positives = (
        np.rint(rates * count).astype(int)
        for rates, count in ((points.tpr, points.n_positive), (points.fpr, points.n_negative))
    )
    kept = kept_points(points)
    lower = np.append(points.thresholds[1:], -np.inf)
    thresholds = short_thresholds(points.thresholds[kept[1:]], lower[kept[1:]])
    folds = len(np.unique(table.fold))
    told = f"{len(table.y):,} scored objects, {points.n_positive:,} of class {positive}"
    told += f", {folds} folds pooled." if folds > 1 else "."
    if len(kept) < len(points):
        told += (
            f" {len(kept):,} of {len(points):,} thresholds are kept: envelopes and best thresholds "
            "are exact; areas, the Brier curve and intermediate points are approximate."
        )
    return {
        "positives": points.n_positive,
        "negatives": points.n_negative,
        "fp": np.diff(false_positives[kept]).tolist(),
        "tp": np.diff(true_positives[kept]).tolist(),
        "thresholds": [_number(value) for value in thresholds.tolist()],
        "probabilities": bool(((table.scores >= 0) & (table.scores <= 1)).all()),
        "told": told,
    }


def kept_points(points: OperatingPoints, most: int = POINTS) -> np.ndarray:
    """Return which operating points a page is given."""
    if len(points) <= most:
        return np.arange(len(points))
    hull = np.flatnonzero(np.isin(points.thresholds, points.hull.thresholds))
    even = np.rint(np.linspace(0, len(points) - 1, most)).astype(int)
    return np.union1d(hull, even)


def short_thresholds(scores: np.ndarray, below: np.ndarray, places: int = PLACES) -> np.ndarray:
    """Return short decimal numbers that accept the same objects as scores taken as thresholds.

    Shapes: `scores` and `below` (n,); returned (n,).
    """
    short = scores.copy()
    still = np.ones(len(scores), dtype=bool)
    for digits in range(places, 18):
        cut = np.floor(scores * 10.0**digits) / 10.0**digits
        fits = still & (cut > below) & (cut <= scores)
        short[fits] = cut[fits]
        still &= ~fits
    return short


def three_classes(table: ScoreTable) -> dict[str, Any]:
    """Return the scored objects of a table of three classes."""
    kept = _evenly(table.y, OBJECTS)
    told = f"{len(table.y):,} scored objects; scores rounded to {DIGITS} digits."
    if len(kept) < len(table.y):
        told = (
            f"{len(kept):,} of {len(table.y):,} scored objects, evenly spaced within each class; "
            f"scores rounded to {DIGITS} digits. Confusion matrix and costs rest on these."
        )
    scores = table.scores[kept]
    return {
        "classes": list(table.classes),
        "labels": table.y[kept].tolist(),
        "flat": [_number(float(f"{value:.{DIGITS}g}")) for value in scores.ravel().tolist()],
        "told": told,
    }


def _evenly(y: np.ndarray, most: int) -> np.ndarray:
    """Return about `most` places, evenly spaced within each class and at least one of each."""
    if len(y) <= most:
        return np.arange(len(y))
    kept = []
    for label in np.unique(y):
        of_class = np.flatnonzero(y == label)
        number = max(1, round(most * len(of_class) / len(y)))
        kept.append(of_class[np.rint(np.linspace(0, len(of_class) - 1, number)).astype(int)])
    return np.sort(np.concatenate(kept))


def _number(value: float) -> float | int:
    return int(value) if value == int(value) and abs(value) < 1e15 else value


def opening_place(tables: Mapping[str, Any]) -> int:
    """Return the place of the table to begin with: real, with rare positives, most thresholds."""

    def interest(place: int) -> tuple[bool, bool, int]:
        table = tables["two"][place]
        rare = 3 * table["positives"] < table["negatives"]
        return rare, not table["data"].startswith("stand-in"), len(table["fp"])

    return max(range(len(tables["two"])), key=interest, default=0)
